//! Games, and positions of a game that is chosen at run time.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use sanban::engine::perft::{Perft, PerftError};
use sanban::rules::AsBoard;
use sanban::{
    AnyPosition, Color, Dobutsu, GameFamily, Janggi, Move, Shogi, Square, UsiMove, Variant, VariantId,
    Verdict,
};
use std::fmt::Display;
use std::ops::ControlFlow;

/// Games that share a board and its moves.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Family {
    /// The board has 9 by 9 squares.
    Shogi,
    /// The board has 9 by 10 squares.
    Janggi,
    /// The board has 3 by 4 squares.
    Dobutsu,
}

impl Family {
    /// Number of families.
    pub const COUNT: usize = 3;

    /// The family of a game.
    pub fn of(game: VariantId) -> Self {
        match game.family() {
            GameFamily::Shogi => Self::Shogi,
            GameFamily::Janggi => Self::Janggi,
            GameFamily::Dobutsu | GameFamily::DobutsuMate => Self::Dobutsu,
        }
    }

    /// Returns a representative game of the family.
    pub fn game(self) -> VariantId {
        match self {
            Self::Shogi => VariantId::Shogi,
            Self::Janggi => VariantId::Janggi,
            Self::Dobutsu => VariantId::Dobutsu,
        }
    }

    /// The move with this notation, if a move of the game can have it.
    pub fn bits(self, notation: UsiMove) -> Option<Move> {
        let (files, ranks, king) = match self {
            Self::Shogi => (9, 9, 'K'),
            Self::Janggi => (9, 10, 'K'),
            Self::Dobutsu => (3, 4, 'L'),
        };
        let square = |square: Square| square.number(files, ranks);
        let text = notation.to_string();
        let same = |mv: &Move| self.usi(*mv) == text;
        match notation {
            UsiMove::Drop { piece, .. } if piece == king => None,
            UsiMove::Drop { to, .. } => {
                let to = square(to)?;
                (0..8).map(|kind| Move::drop(kind, to)).find(same)
            }
            UsiMove::Board { from, to, promotion } => {
                // Only in Janggi, a move to the same square is a pass: of the general, which is in a palace.
                let in_palace = (4..=6).contains(&from.file) && !('d'..='g').contains(&from.rank);
                if from == to && !(self == Self::Janggi && in_palace) {
                    return None;
                }
                let (from, to) = (square(from)?, square(to)?);
                Some(if promotion { Move::promotion(from, to) } else { Move::board(from, to) }).filter(same)
            }
        }
    }

    /// Formats a move in USI notation.
    pub fn usi(self, mv: Move) -> String {
        match self {
            Self::Shogi => <Shogi as Variant>::Position::usi(mv),
            Self::Janggi => <Janggi as Variant>::Position::usi(mv),
            Self::Dobutsu => <Dobutsu as Variant>::Position::usi(mv),
        }
    }
}

/// Returns the game with this name.
pub fn variant_named(name: &str) -> PyResult<VariantId> {
    name.parse().map_err(value_error)
}

/// The name of a verdict, for the side to move.
pub fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Win | Verdict::Superior => "win",
        Verdict::Loss | Verdict::Inferior => "loss",
        Verdict::Draw => "draw",
    }
}

/// The name of a side.
pub fn side(color: Color) -> &'static str {
    if color == Color::Black { "black" } else { "white" }
}

/// Counts the leaves below each legal move; returns `None` if `go_on` returns false.
pub fn divide(
    pos: &AnyPosition,
    perft: &Perft,
    depth: u32,
    go_on: &(dyn Fn() -> bool + Sync),
) -> Option<Vec<(Move, u64)>> {
    let progress = |_, _| if go_on() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) };
    perft.divide(pos, depth, &progress)
}

/// Checks that a position is of this game.
pub fn of_game(game: VariantId, pos: &AnyPosition) -> PyResult<&AnyPosition> {
    if pos.variant() == game { Ok(pos) } else { Err(other_game(game, pos.variant())) }
}

/// Returns the position as the position type of `G`; an error if it is of a different game.
pub fn held<G: Variant<Position: AsBoard>>(pos: &AnyPosition) -> PyResult<&G::Position> {
    of_game(G::ID, pos)?.get().ok_or_else(|| other_game(G::ID, pos.variant()))
}

/// Creates the error for a position of the wrong game.
pub fn other_game(wanted: impl Display, found: VariantId) -> PyErr {
    PyValueError::new_err(format!("expected a position of {wanted}, found one of {found}"))
}

/// Parses an SFEN; without one, returns the start position of the game.
pub fn parse(game: VariantId, sfen: Option<&str>) -> PyResult<AnyPosition> {
    let Some(text) = sfen else { return Ok(AnyPosition::new(game)) };
    let text = text.trim();
    AnyPosition::parse(game, text.strip_prefix("sfen ").unwrap_or(text)).map_err(value_error)
}

/// Converts an error of the library to a `ValueError`.
pub fn value_error(error: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// Converts an error of perft to a Python exception.
pub fn perft_error(error: PerftError) -> PyErr {
    match error {
        PerftError::Memory(_) => pyo3::exceptions::PyMemoryError::new_err(error.to_string()),
        PerftError::Threads(..) => pyo3::exceptions::PyOSError::new_err(error.to_string()),
    }
}
