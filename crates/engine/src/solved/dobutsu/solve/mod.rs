//! The complete solution of Dobutsu shogi by retrograde analysis.
//!
//! [`moves`] generates the children and parents of numbered positions, [`reach`] finds the positions that a game can
//! reach, [`retrograde`] computes the value of every position in shared [`bytes`], and [`check`] verifies a sample of
//! the values against those of their children.

mod bits;
pub mod bytes;
pub mod check;
mod error;
pub mod moves;
pub mod reach;
pub mod retrograde;

use crate::solved::Value;
pub use error::SolveError;

/// Receives progress reports.
pub trait SolveProgress: Sync {
    /// Called when a phase with this number of units of work begins.
    fn phase(&self, name: &'static str, units: u64);
    /// Called when this number of units has been completed since the last call.
    fn advance(&self, units: u64);
    /// Whether to give up; asked often.
    fn stopped(&self) -> bool {
        false
    }
}

impl SolveProgress for () {
    fn phase(&self, _: &'static str, _: u64) {}
    fn advance(&self, _: u64) {}
}

/// Summary of the solution. It counts the reachable positions in which the game is not over and the lion cannot be
/// captured immediately. Positions that are mirror images or differ only in the side to move count as one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Summary {
    /// Number of such positions.
    pub reachable: u64,
    /// Number of positions won for the side to move.
    pub won: u64,
    /// Number of positions lost for the side to move.
    pub lost: u64,
    /// Number of drawn positions.
    pub drawn: u64,
    /// The longest win, in plies to the end of the game.
    pub longest: u8,
    /// Number of wins of this length.
    pub longest_count: u64,
}

impl Summary {
    /// The summary of `n` positions of a value.
    pub fn of(value: Value, n: u64) -> Self {
        let all = Self { reachable: n, ..Self::default() };
        match value {
            _ if n == 0 => all,
            Value::Draw => Self { drawn: n, ..all },
            Value::Loss(_) => Self { lost: n, ..all },
            Value::Win(longest) => Self { won: n, longest, longest_count: n, ..all },
        }
    }

    /// The sum of two summaries.
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
