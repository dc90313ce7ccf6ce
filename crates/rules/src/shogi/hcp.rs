//! Decodes positions of 256 bits and moves of 16 bits in the format of Apery and dlshogi ("HuffmanCodedPos").
//!
//! The layout is that of [`packed`](super::packed). The codes differ: knight and silver are swapped, color comes before
//! promotion, and pieces in hand have a separate code table.

use super::packed::{Reader, read};
use super::{Kind, Position};
use crate::{Color, Move};

/// Codes of pieces on the board, lowest bit first, and their lengths; a bit that marks an occupied square precedes
/// them.
const BOARD: [(u32, u32, Kind); 7] = [
    (0b0, 1, Kind::Pawn),
    (0b001, 3, Kind::Lance),
    (0b011, 3, Kind::Knight),
    (0b101, 3, Kind::Silver),
    (0b0111, 4, Kind::Gold),
    (0b01111, 5, Kind::Bishop),
    (0b11111, 5, Kind::Rook),
];

/// Codes of pieces in hand; the color bit follows.
const HAND: [(u32, u32, Kind); 7] = [
    (0b00, 2, Kind::Pawn),
    (0b0001, 4, Kind::Lance),
    (0b0011, 4, Kind::Knight),
    (0b0101, 4, Kind::Silver),
    (0b0111, 4, Kind::Gold),
    (0b011111, 6, Kind::Bishop),
    (0b111111, 6, Kind::Rook),
];

/// Codes of pieces in the box (missing from the set); an unused bit follows.
const BOX: [(u32, u32); 6] = [(0b10, 2), (0b1001, 4), (0b1011, 4), (0b1101, 4), (0b001111, 6), (0b101111, 6)];

/// The first origin that denotes a drop; the piece kind is added to it.
const DROPS: usize = 81;

/// Decodes a position of 256 bits at game ply `ply`; `None` if the bits are invalid.
pub fn unpack(bytes: &[u8; 32], ply: u16) -> Option<Position> {
    read(bytes, ply, on_board, in_hand)
}

/// Reads a code and returns the piece it stands for.
fn code<T: Copy>(input: &mut Reader, codes: &[(u32, u32, T)]) -> Option<T> {
    let mut value = 0;
    for bits in 1..=6 {
        value |= input.bit()? << (bits - 1);
        if let Some(&(.., found)) = codes.iter().find(|&&(code, length, _)| (code, length) == (value, bits)) {
            return Some(found);
        }
    }
    None
}

fn color(input: &mut Reader) -> Option<Color> {
    Some(Color::from_index(input.bit()? as usize))
}

fn on_board(input: &mut Reader) -> Option<(Color, Kind, bool)> {
    let kind = code(input, &BOARD)?;
    let color = color(input)?;
    Some((color, kind, kind != Kind::Gold && input.bit()? == 1))
}

fn in_hand(input: &mut Reader) -> Option<Option<(Color, Kind)>> {
    let held = HAND.map(|(code, bits, kind)| (code, bits, Some(kind)));
    let boxed = BOX.map(|(code, bits)| (code, bits, None));
    let kind = code(input, &[&held[..], &boxed].concat())?;
    let color = color(input)?;
    Some(kind.map(|kind| (color, kind)))
}

/// Decodes a legal move of 16 bits: to, from (or the kind dropped), promotion.
pub fn unpack_move(bits: u16, pos: &Position) -> Option<Move> {
    let (to, from) = (usize::from(bits & 127), usize::from(bits >> 7 & 127));
    if to == from || to >= DROPS {
        return None;
    }
    let mv = match from.checked_sub(DROPS) {
        Some(kind) => Move::drop(kind, to),
        None if bits >> 14 & 1 != 0 => Move::promotion(from, to),
        None => Move::board(from, to),
    };
    pos.is_legal(mv).then_some(mv)
}
