//! Notations of single moves, for comments, reports and lists.

use super::board::Board;
use super::kif::write::{ki2_move, kif_move};
use super::names;
use super::western::moves::{Style, move_text};
use sanban_rules::{Color, Move};

/// A move of the side to move in KIF: `７六歩(77)`.
///
/// # Errors
/// The reason why the move is impossible on the board.
pub fn kif_text(board: &Board, mv: Move) -> Result<String, &'static str> {
    let mut out = String::new();
    kif_move(&mut out, board, mv)?;
    Ok(out)
}

/// A move in KI2, with its mark: `▲５八金右`.
///
/// # Errors
/// See [`kif_text`].
pub fn ki2_text(board: &Board, mv: Move) -> Result<String, &'static str> {
    let mut out = String::from(names::mark(board.side()));
    ki2_move(&mut out, board, mv)?;
    Ok(out)
}

/// A move in Hodges' notation with its origin, as in PSN: `P7g-7f`, `P*3d`.
///
/// # Errors
/// See [`ki2_text`].
pub fn western_text(board: &Board, mv: Move) -> Result<String, &'static str> {
    move_text(board, mv, Style::Psn)
}

/// A move in CSA: `+7776FU`.
///
/// # Errors
/// See [`kif_text`].
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::board::parse_move;

    #[test]
    fn a_move_that_a_piece_cannot_make_needs_its_origin() {
        let board = Board::from_sfen("4k4/9/9/9/9/9/9/K8/L8 b - 1").expect("a position");
        let jump = parse_move("9i9g").expect("a move");
        assert_eq!(kif_text(&board, jump).as_deref(), Ok("９七香(99)"));
        assert_eq!(ki2_text(&board, jump).as_deref(), Ok("▲９七香(99)"));
        assert_eq!(western_text(&board, jump).as_deref(), Ok("L9i-9g"));
    }
}
