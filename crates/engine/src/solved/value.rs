//! The value of a solved position.

use std::fmt;

/// The result of perfect play for the side to move, with the number of plies to the end of the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value {
    /// The side to move wins in this many plies.
    Win(u8),
    /// The side to move loses in this many plies; 0 if it has already lost.
    Loss(u8),
    /// Neither side can win.
    Draw,
}

impl Value {
    /// The value of a move to this position, for the side that made it.
    #[must_use]
    pub fn of_move(self) -> Self {
        match self {
            Self::Win(plies) => Self::Loss(plies + 1),
            Self::Loss(plies) => Self::Win(plies + 1),
            Self::Draw => Self::Draw,
        }
    }

    /// A number that orders values: quick wins, slow wins, draws, slow losses, quick losses.
    pub(super) fn rank(self) -> i32 {
        match self {
            Self::Win(plies) => 1_000 - i32::from(plies),
            Self::Draw => 0,
            Self::Loss(plies) => i32::from(plies) - 1_000,
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Win(plies) => write!(f, "win {plies}"),
            Self::Loss(plies) => write!(f, "loss {plies}"),
            Self::Draw => f.write_str("draw"),
        }
    }
}
