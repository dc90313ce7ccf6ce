//! Reads games in dlshogi's format "hcpe3".
//!
//! ```text
//! a game:   0 32 start position   32 2 number of moves   34 1 result, 0 draw, 1 black won, 2 white won   35 1 opponents
//! a move:   0 2 move   2 2 score for the side to move, i16   4 2 number of candidates
//! a candidate:   0 2 move   2 2 visits
//! ```
//!
//! A move without candidates was not searched, so its position is not used.

use super::entry::Entry;
use sanban_rules::shogi::{Position, hcp};
use sanban_rules::{Color, Position as _};
use std::io::{self, Read};

/// Sizes in bytes of a game's header, a move and a candidate.
const HEAD: usize = 36;
const MOVE: usize = 6;
const CANDIDATE: usize = 4;
/// Number of moves of the first game that must be legal for a file to have this format.
const PROBED: usize = 8;

/// A decoded game.
pub(super) struct Game {
    /// The searched positions of the game.
    pub entries: Vec<Entry>,
    /// The length of the game in bytes.
    pub length: usize,
    /// The number of the first illegal move, from 1; the rest of the game is skipped.
    pub illegal: Option<usize>,
}

fn short(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

/// Returns whether this is the beginning of a file in this format. Its first moves must be legal.
pub(super) fn is_hcpe3(start: &[u8]) -> bool {
    let mut input = start;
    let mut moves = 0;
    while let Ok(Some(game)) = read(&mut input) {
        if game.illegal.is_some() {
            return false;
        }
        moves += game.entries.len();
        if moves >= PROBED {
            return true;
        }
    }
    moves > 0 && input.is_empty()
}

/// Returns offsets that split a file into parts of about this number of positions. Unreadable data belong to the last
/// part.
pub(super) fn cuts(input: &mut impl Read, positions: usize) -> Vec<u64> {
    let (mut out, mut offset, mut since) = (vec![0], 0, 0);
    while let Ok(Some(game)) = read(input) {
        if since >= positions {
            out.push(offset);
            since = 0;
        }
        offset += game.length as u64;
        since += game.entries.len();
    }
    out
}

/// Reads the next game; `None` at the end.
///
/// # Errors
/// The input ends within a game, or a position is invalid.
pub(super) fn read(input: &mut impl Read) -> io::Result<Option<Game>> {
    let mut head = [0; HEAD];
    let first = input.read(&mut head)?;
    if first == 0 {
        return Ok(None);
    }
    input.read_exact(&mut head[first..])?;
    let damaged = || io::Error::new(io::ErrorKind::InvalidData, "expected the position of a game");
    let mut pos: Position = head.first_chunk().and_then(|bytes| hcp::unpack(bytes, 0)).ok_or_else(damaged)?;
    // The higher bits contain the reason why the game ended.
    let black = *[0, 1, -1].get(usize::from(head[34] & 3)).ok_or_else(damaged)?;
    let mut game = Game { entries: Vec::new(), length: HEAD, illegal: None };
    for number in 1..=usize::from(short(&head, 32)) {
        let mut bytes = [0; MOVE];
        input.read_exact(&mut bytes)?;
        let candidates = usize::from(short(&bytes, 4));
        let skipped = io::copy(&mut input.by_ref().take((candidates * CANDIDATE) as u64), &mut io::sink())?;
        if skipped != (candidates * CANDIDATE) as u64 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        game.length += MOVE + candidates * CANDIDATE;
        if game.illegal.is_some() {
            continue;
        }
        let Some(mv) = hcp::unpack_move(short(&bytes, 0), &pos) else {
            game.illegal = Some(number);
            continue;
        };
        if candidates > 0 {
            let result = if pos.side() == Color::Black { black } else { -black };
            game.entries.push(Entry {
                pos: pos.clone(),
                score: short(&bytes, 2) as i16,
                mv: Some(mv),
                result,
            });
        }
        pos.make(mv, &mut ());
    }
    Ok(Some(game))
}
