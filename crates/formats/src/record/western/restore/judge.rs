//! The choice among legal moves, left to the caller.

use sanban_rules::Move;
use sanban_rules::shogi::Position;
use std::time::Duration;

/// Chooses among the moves that a record leaves open.
pub trait Judge {
    /// Time limit for one game. Only slow machines reach it.
    fn time(&self) -> Duration {
        Duration::from_secs(10)
    }

    /// Maximum number of positions to judge for a game.
    fn positions(&self) -> usize {
        1500
    }

    /// The logarithm of the probability of each of some legal moves, among all legal moves; `None` if unknown, which is
    /// the default.
    fn chances(&mut self, _pos: &Position, _moves: &[Move]) -> Option<Vec<f32>> {
        None
    }
}

/// Rates no move.
impl Judge for () {}
