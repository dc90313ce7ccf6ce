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
#[derive(Clone, Default)]
struct State {
    id: i32,
    position: String,
    moves: Vec<Step>,
}

#[derive(Clone, Copy, Default)]
struct Step {
    mv: i32,
    evaluation: i32,
    weight: i32,
    next: i32,
}

enum Value<'a> {
    Number(u64),
    Bytes(&'a [u8]),
    /// Eight or four bytes, which no field of the schema has.
    Fixed,
}

/// Reads an integer and advances; `None` if it is incomplete or has more than 64 bits.
fn varint(bytes: &mut &[u8]) -> Option<u64> {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        let digit = u64::from(byte & 0x7f);
        value |= digit << shift;
        if digit << shift >> shift != digit {
            return None;
        }
        if byte < 0x80 {
            return Some(value);
        }
    }
    None
}

/// Reads the number and the wire type of a field and advances; `None` if they are invalid.
fn key(bytes: &mut &[u8]) -> Option<(u32, u8)> {
    let key = u32::try_from(varint(bytes)?).ok()?;
    let wire = (key & 7) as u8;
    (key >> 3 > 0 && wire <= 5).then_some((key >> 3, wire))
}

fn field<'a>(bytes: &mut &'a [u8]) -> Result<(u32, Value<'a>), &'static str> {
    let (number, wire) = key(bytes).ok_or("invalid field key")?;
    let len = match wire {
        0 => return Ok((number, Value::Number(varint(bytes).ok_or("invalid integer")?))),
        1 => 8,
        2 => varint(bytes).ok_or("invalid length")?,
        5 => 4,
        _ => return Err("a group of fields, which a book does not contain"),
    };
    let split = usize::try_from(len).ok().and_then(|len| bytes.split_at_checked(len));
    let (value, rest) = split.ok_or("field extends beyond the end of the file or of its position")?;
    *bytes = rest;
    Ok((number, if wire == 2 { Value::Bytes(value) } else { Value::Fixed }))
}

/// Calls `visit` for every field of a message; it returns whether the field has the type of the schema.
fn each_field<'a>(
    mut bytes: &'a [u8],
    mut visit: impl FnMut(u32, Value<'a>) -> Result<bool, String>,
) -> Result<(), String> {
    while !bytes.is_empty() {
        let (number, value) = field(&mut bytes)?;
        if !visit(number, value)? {
            return Err(format!("field {number} has the wrong type"));
        }
    }
    Ok(())
}

impl State {
    fn read(bytes: &[u8]) -> Result<Self, String> {
        let mut state = Self::default();
        each_field(bytes, |number, value| {
            match (number, value) {
                (1, Value::Number(id)) => state.id = id as i32,
                (7, Value::Bytes(text)) => {
                    state.position = str::from_utf8(text).map_err(|error| error.to_string())?.to_string();
                }
                (9, Value::Bytes(step)) => state.moves.push(Step::read(step)?),
                (2..=6, Value::Number(_)) => {}
                (number, _) => return Ok(!matches!(number, 1..=7 | 9)),
            }
            Ok(true)
        })?;
        Ok(state)
    }

    fn write(&self, games: i32, out: &mut Vec<u8>) {
        let mut state = Vec::new();
        // ShogiGUI's keys of the board and of the hands (how they are computed is not published), and the numbers of
        // games: all, won by black, won by white.
        for (number, value) in (1..).zip([self.id, 0, 0, games, 0, 0]) {
            put_number(number, value, &mut state);
        }
        if !self.position.is_empty() {
            put_bytes(7, self.position.as_bytes(), &mut state);
        }
        for step in &self.moves {
            let mut bytes = Vec::new();
            for (number, value) in (1..).zip([step.mv, step.evaluation, step.weight, step.next]) {
                put_number(number, value, &mut bytes);
            }
            put_bytes(9, &bytes, &mut state);
        }
        put_bytes(STATES, &state, out);
    }
}

impl Step {
    fn read(bytes: &[u8]) -> Result<Self, String> {
        let mut step = Self::default();
        each_field(bytes, |number, value| {
            let known = match number {
                1 => &mut step.mv,
                2 => &mut step.evaluation,
                3 => &mut step.weight,
                4 => &mut step.next,
                _ => return Ok(true),
            };
            let Value::Number(value) = value else { return Ok(false) };
            *known = value as i32;
            Ok(true)
        })?;
        Ok(step)
    }
}

fn put_varint(mut value: u64, out: &mut Vec<u8>) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

fn put_number(number: u32, value: i32, out: &mut Vec<u8>) {
    put_varint(u64::from(number << 3), out);
    // Negative numbers are extended to 64 bits.
    put_varint(i64::from(value) as u64, out);
}

fn put_bytes(number: u32, bytes: &[u8], out: &mut Vec<u8>) {
    put_varint(u64::from(number << 3 | 2), out);
    put_varint(bytes.len() as u64, out);
    out.extend(bytes);
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
        let (number, value) = field(&mut rest).map_err(|error| BookError::at(offset, error))?;
        let state = match value {
            _ if number != STATES => continue,
            Value::Bytes(state) => state,
            _ => return Err(BookError::at(offset, "a position with the wrong type")),
        };
        let state = State::read(state).map_err(|error| BookError::at(offset, error))?;
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
    let mut states = Vec::new();
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
        states.push(State { id, moves, position: String::new() });
    }
    let mut book = Vec::new();
    // The author and the description.
    put_bytes(1, &[], &mut book);
    put_bytes(2, &[], &mut book);
    for ((state, page), led) in states.iter_mut().zip(&pages).zip(leads_here) {
        // Only moves to later positions count, so that the first position of a cycle is a root.
        if !led {
            state.position = page.pos.sfen();
        }
        let games = state.moves.iter().fold(0i32, |sum, step| sum.saturating_add(step.weight));
        state.write(games, &mut book);
    }
    out.write_all(&book)?;
    Ok(())
}

/// Returns whether a file can start with a book's message. The fields of the message are two strings and the positions.
pub(super) fn is_message(start: &[u8], len: u64) -> bool {
    let mut rest = start;
    let mut read = 0;
    while let Some((number @ 1..=STATES, 2)) = key(&mut rest) {
        let Some(part) = varint(&mut rest) else { break };
        let at = (start.len() - rest.len()) as u64;
        if part > len.saturating_sub(at) {
            return false;
        }
        read += 1;
        // A position must begin with a valid field key.
        let inner = usize::try_from(part).ok().and_then(|part| rest.get(..part.min(rest.len())));
        if number == STATES && inner.is_some_and(|mut inner| part > 0 && key(&mut inner).is_none()) {
            return false;
        }
        match usize::try_from(part).ok().and_then(|part| rest.get(part..)) {
            Some([]) | None => return true,
            Some(others) => rest = others,
        }
    }
    read > 0 && rest.is_empty()
}
