//! ShogiGUI's format for shogi books (`.sbk`): a protobuf message with a graph of positions.
//!
//! The schema comes from BookConv (CC0), by the author of ShogiGUI; its required fields are written even if they are 0.
//! Only the roots of the graph store their position; all other positions follow from the moves. A move has 32 bits:
//!
//! ```text
//!  31    24 ... 28   20 ... 23   19        12 ... 15  8 ... 11   4 ... 7   0 ... 3
//! white   piece      captured    promotes   to file    to rank    from file from rank (0: a drop)
//! ```

use super::{BookError, BookMove, Memory, ybb};
use prost::Message;
use prost::encoding::{DecodeContext, WireType, decode_key, decode_varint, skip_field};
use sanban_rules::shogi::{Kind, Position};
use sanban_rules::{Color, Move, Position as _};
use std::collections::{HashMap, HashSet};
use std::io::Write;

/// Maximum size of a file in bytes.
pub(super) const MOST: u64 = 256 << 20;
/// The evaluation "bad" of a move. Moves with this evaluation or [`BLUNDER`] are skipped.
const BAD: i32 = 3;
const BLUNDER: i32 = 4;
/// Field number of the positions in the book's message.
const STATES: u32 = 3;

/// A position in the file, without the fields that are not needed.
#[derive(Clone, PartialEq, Message)]
struct State {
    #[prost(int32, required, tag = "1")]
    id: i32,
    /// ShogiGUI's keys of the board and of the hands; how they are computed is not published.
    #[prost(uint64, required, tag = "2")]
    board_key: u64,
    #[prost(uint32, required, tag = "3")]
    hand_key: u32,
    #[prost(int32, required, tag = "4")]
    games: i32,
    #[prost(int32, required, tag = "5")]
    won_black: i32,
    #[prost(int32, required, tag = "6")]
    won_white: i32,
    #[prost(string, tag = "7")]
    position: String,
    #[prost(message, repeated, tag = "9")]
    moves: Vec<Step>,
}

#[derive(Clone, PartialEq, Message)]
struct Step {
    #[prost(int32, required, tag = "1")]
    mv: i32,
    #[prost(int32, required, tag = "2")]
    evaluation: i32,
    #[prost(int32, required, tag = "3")]
    weight: i32,
    #[prost(int32, required, tag = "4")]
    next: i32,
}

#[derive(Clone, PartialEq, Message)]
struct Written {
    #[prost(string, required, tag = "1")]
    author: String,
    #[prost(string, required, tag = "2")]
    description: String,
    #[prost(message, repeated, tag = "3")]
    states: Vec<State>,
}

/// Returns ShogiGUI's number of a piece kind; promoted kinds are 8 higher.
fn number(kind: Kind) -> u32 {
    let base = match kind.base() {
        Kind::Gold => 5,
        Kind::Bishop => 6,
        Kind::Rook => 7,
        Kind::King => 8,
        other => other.index() as u32 + 1,
    };
    base + if kind.is_promoted() { 8 } else { 0 }
}

/// Decodes a move; `None` if it is illegal.
fn unpack_move(bits: i32, pos: &Position) -> Option<Move> {
    let field = |at: u32| (bits as u32 >> at & 15) as usize;
    let square = |rank: usize, file: usize| {
        ((1..=9).contains(&rank) && (1..=9).contains(&file)).then(|| (file - 1) * 9 + rank - 1)
    };
    let to = square(field(8), field(12))?;
    let mv = if field(0) == 0 && field(4) == 0 {
        let kind = bits as u32 >> 24 & 15;
        let kind = Kind::ALL[..Kind::HAND].iter().find(|&&known| number(known) == kind)?;
        Move::drop(kind.index(), to)
    } else {
        let from = square(field(0), field(4))?;
        match bits >> 19 & 1 {
            _ if from == to => return None,
            1 => Move::promotion(from, to),
            _ => Move::board(from, to),
        }
    };
    pos.is_legal(mv).then_some(mv)
}

fn pack_move(mv: Move, pos: &Position) -> i32 {
    let square = |sq: usize| (sq % 9 + 1) as u32 | ((sq / 9 + 1) as u32) << 4;
    let mut bits = square(mv.to()) << 8;
    let piece = if mv.is_drop() {
        Kind::ALL.get(mv.kind()).copied()
    } else {
        bits |= square(mv.from());
        pos.piece_on(mv.from()).map(|(_, kind)| kind)
    };
    let captured = pos.piece_on(mv.to()).map_or(0, |(_, kind)| number(kind));
    bits |= u32::from(mv.is_promotion()) << 19 | captured << 20 | piece.map_or(0, number) << 24;
    (bits | u32::from(pos.side() == Color::White) << 31) as i32
}

fn states(bytes: &[u8]) -> Result<HashMap<i32, State>, BookError> {
    let mut states = HashMap::new();
    let mut rest = bytes;
    while !rest.is_empty() {
        let offset = (bytes.len() - rest.len()) as u64;
        let fault = |error: prost::DecodeError| BookError::at(offset, error.to_string());
        let (tag, kind) = decode_key(&mut rest).map_err(fault)?;
        if (tag, kind) != (STATES, WireType::LengthDelimited) {
            skip_field(kind, tag, &mut rest, DecodeContext::default()).map_err(fault)?;
            continue;
        }
        let len = usize::try_from(decode_varint(&mut rest).map_err(fault)?).unwrap_or(usize::MAX);
        if len > rest.len() {
            return Err(BookError::at(offset, "position extends beyond the end of the file"));
        }
        let (one, others) = rest.split_at(len);
        let state = State::decode(one).map_err(fault)?;
        rest = others;
        if state.moves.is_empty() && state.position.is_empty() {
            continue;
        }
        let id = state.id;
        if states.insert(id, state).is_some() {
            return Err(BookError::at(offset, format!("duplicate position number {id}")));
        }
    }
    Ok(states)
}

/// Calls `visit` for every position that can be reached from the roots, with its moves.
///
/// # Errors
/// The offset of the first error, a root that is not a valid position, an illegal move, or an error of `visit`.
pub fn each(
    bytes: &[u8],
    mut visit: impl FnMut(&Position, Option<usize>, &[BookMove]) -> Result<(), BookError>,
) -> Result<(), BookError> {
    let states = states(bytes)?;
    let mut roots: Vec<&State> = states.values().filter(|state| !state.position.is_empty()).collect();
    roots.sort_by_key(|state| state.id);
    if roots.is_empty() {
        return Err(BookError::Unfit("the book has no root position".into()));
    }
    let mut seen = HashSet::new();
    let mut open: Vec<(&State, Position)> = Vec::new();
    for root in roots {
        let fault = |what| BookError::Unfit(format!("position number {}: {what}", root.id));
        open.push((root, Position::from_sfen(&root.position).map_err(fault)?));
        while let Some((state, mut pos)) = open.pop() {
            if !seen.insert(state.id) {
                continue;
            }
            let mut moves: Vec<BookMove> = Vec::new();
            for step in &state.moves {
                let Some(mv) = unpack_move(step.mv, &pos) else {
                    let what = format!("position number {}: illegal move {:#010x}", state.id, step.mv);
                    return Err(BookError::Unfit(what));
                };
                let next = states.get(&step.next);
                let count = u32::try_from(step.weight).unwrap_or(0);
                let is_bad = [BAD, BLUNDER].contains(&step.evaluation);
                if !is_bad && moves.iter().all(|known| known.mv != mv) {
                    moves.push(BookMove { count, ..BookMove::new(mv) });
                }
                if let Some(next) = next.filter(|next| !seen.contains(&next.id)) {
                    let mut after = pos.clone();
                    after.make(mv, &mut ());
                    // Parse the SFEN to drop the history, which is not needed and would grow.
                    let after = Position::from_sfen(&after.sfen()).map_err(fault)?;
                    open.push((next, after));
                }
            }
            pos.set_rules(&Default::default());
            // Positions with only bad moves are skipped.
            if !moves.is_empty() {
                visit(&pos, None, &moves)?;
            }
        }
    }
    Ok(())
}

/// Reads a whole book.
///
/// # Errors
/// See [`each`].
pub fn read(bytes: &[u8]) -> Result<Memory, BookError> {
    let mut book = Memory::default();
    each(bytes, |pos, ply, moves| book.push(pos.key(), ply, moves))?;
    book.complete();
    Ok(book)
}

/// Writes a book. Every position that no other position leads to becomes a root.
///
/// # Errors
/// An I/O error, or more positions than the format can number.
pub fn write<'a>(out: &mut impl Write, pages: impl Iterator<Item = ybb::Page<'a>>) -> Result<(), BookError> {
    let pages: Vec<ybb::Page> = pages.collect();
    if i32::try_from(pages.len()).is_err() {
        return Err(BookError::Unfit("too many positions for an .sbk book".into()));
    }
    let ids: HashMap<u64, i32> = pages.iter().zip(0..).map(|(page, id)| (page.pos.key(), id)).collect();
    let mut book = Written { author: String::new(), description: String::new(), states: Vec::new() };
    let mut leads_here = vec![false; pages.len()];
    for (page, id) in pages.iter().zip(0..) {
        let step = |known: &BookMove| {
            let next = ids.get(&page.pos.key_after(known.mv)).copied().unwrap_or(-1);
            let weight = i32::try_from(known.count).unwrap_or(i32::MAX);
            Step { mv: pack_move(known.mv, &page.pos), evaluation: 0, weight, next }
        };
        let moves: Vec<Step> = page.moves.iter().map(step).collect();
        for step in &moves {
            if let Some(led) = usize::try_from(step.next).ok().and_then(|next| leads_here.get_mut(next)) {
                *led |= step.next > id;
            }
        }
        let games = page
            .moves
            .iter()
            .fold(0i32, |sum, known| sum.saturating_add(i32::try_from(known.count).unwrap_or(i32::MAX)));
        book.states.push(State { id, games, moves, ..State::default() });
    }
    for ((state, page), led) in book.states.iter_mut().zip(&pages).zip(leads_here) {
        // Only moves to later positions count, so that the first position of a cycle is a root.
        if !led {
            state.position = page.pos.sfen();
        }
    }
    out.write_all(&book.encode_to_vec())?;
    Ok(())
}

/// Returns whether a file can start with a book's message. The fields of the message are two strings and the positions.
pub(super) fn is_message(start: &[u8], len: u64) -> bool {
    let mut rest = start;
    let mut read = 0;
    while let Ok((tag @ 1..=STATES, WireType::LengthDelimited)) = decode_key(&mut rest) {
        let Ok(part) = decode_varint(&mut rest) else { break };
        let at = (start.len() - rest.len()) as u64;
        if part > len.saturating_sub(at) {
            return false;
        }
        read += 1;
        // A position must begin with a valid field key.
        let inner = usize::try_from(part).ok().and_then(|part| rest.get(..part.min(rest.len())));
        if tag == STATES && inner.is_some_and(|mut inner| part > 0 && decode_key(&mut inner).is_err()) {
            return false;
        }
        match usize::try_from(part).ok().and_then(|part| rest.get(part..)) {
            Some([]) | None => return true,
            Some(others) => rest = others,
        }
    }
    read > 0 && rest.is_empty()
}
