//! Single moves in words: for comments, reports and lists.

use super::board::Board;
use super::kif_write::{ki2_move, kif_move};
use super::names;
use super::spoken::Spoken;
use super::western_move::{Family, move_text};
use crate::base::{Color, Move};

/// A move of the side to move as KIF has it: `７六歩(77)`.
///
/// # Errors
///
/// Why the move cannot be made on the board.
pub fn kif_text(board: &Board, mv: Move) -> Result<String, &'static str> {
    let spoken = Spoken::of(board, mv)?;
    let mut out = String::new();
    kif_move(&mut out, &spoken, board.last().is_some_and(|last| last.to() == mv.to()));
    Ok(out)
}

/// As newspapers print it, with its mark: `▲５八金右`.
///
/// # Errors
///
/// As [`kif_text`].
pub fn ki2_text(board: &Board, mv: Move) -> Result<String, &'static str> {
    let spoken = Spoken::of(board, mv)?;
    let mut out = String::from(names::mark(board.side()));
    let same = board.last().is_some_and(|last| last.to() == mv.to());
    ki2_move(&mut out, &spoken, same, spoken.needs_drop_word(board));
    Ok(out)
}

/// As Hodges writes it: `G4i-5h`.
///
/// # Errors
///
/// As [`kif_text`].
pub fn western_text(board: &Board, mv: Move) -> Result<String, &'static str> {
    move_text(board, mv, Family::Hodges)
}

/// As CSA has it: `+7776FU`.
///
/// # Errors
///
/// As [`kif_text`].
pub fn csa_text(board: &Board, mv: Move) -> Result<String, &'static str> {
    let kind = board.mover(mv)?.kind();
    let kind = kind.promoted().filter(|_| mv.is_promotion()).unwrap_or(kind);
    let square = |square: usize| format!("{}{}", square / 9 + 1, square % 9 + 1);
    let sign = if board.side() == Color::Black { '+' } else { '-' };
    let from = if mv.is_drop() { "00".into() } else { square(mv.from()) };
    Ok(format!("{sign}{from}{}{}", square(mv.to()), names::in_csa(kind)))
}

/// The mark of a side: `▲` or `△`.
pub const fn mark(color: Color) -> char {
    names::mark(color)
}
