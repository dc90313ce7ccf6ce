//! The complete solution of Dobutsu shogi by retrograde analysis.
//!
//! [`moves`] walks from a numbered position to its children and parents; [`reach`] finds the positions that a game can
//! lead to, [`retrograde`] the value of every position, in shared [`bytes`], and [`check`] re-derives a sample from
//! their children.

mod bits;
pub mod bytes;
pub mod check;
mod error;
pub mod moves;
pub mod reach;
pub mod retrograde;

use crate::solved::Value;
pub use error::SolveError;

/// A receiver of progress reports.
pub trait SolveProgress: Sync {
    /// A new phase with this number of units of work begins.
    fn phase(&self, name: &'static str, units: u64);
    /// This number of units was completed.
    fn advance(&self, units: u64);
}

impl SolveProgress for () {
    fn phase(&self, _: &'static str, _: u64) {}
    fn advance(&self, _: u64) {}
}

/// Summary of the solution. It counts the positions that a game can reach and in which the game is not over and the
/// lion cannot be captured at once; positions that differ only by the side to move or mirror each other count as one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Summary {
    /// The number of these positions.
    pub reachable: u64,
    /// Number of positions won for the side to move.
    pub won: u64,
    /// Number of positions lost for the side to move.
    pub lost: u64,
    /// Number of drawn positions.
    pub drawn: u64,
    /// The longest win, in plies to the end of the game.
    pub longest: u8,
    /// How many of them are that long.
    pub longest_count: u64,
}

impl Summary {
    /// The number of positions of a value.
    pub fn of(value: Value, n: u64) -> Self {
        let all = Self { reachable: n, ..Self::default() };
        match value {
            _ if n == 0 => all,
            Value::Draw => Self { drawn: n, ..all },
            Value::Loss(_) => Self { lost: n, ..all },
            Value::Win(longest) => Self { won: n, longest, longest_count: n, ..all },
        }
    }

    /// The sum of both counts.
    pub fn plus(self, other: Self) -> Self {
        let longest = self.longest.max(other.longest);
        let longest_count =
            [self, other].iter().filter(|part| part.longest == longest).map(|part| part.longest_count).sum();
        Self {
            reachable: self.reachable + other.reachable,
            won: self.won + other.won,
            lost: self.lost + other.lost,
            drawn: self.drawn + other.drawn,
            longest,
            longest_count,
        }
    }
}
