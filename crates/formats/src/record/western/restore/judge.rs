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

    /// Most positions to judge for a game.
    fn positions(&self) -> usize {
        400
    }

    /// The loss of each of some legal moves against the best legal move, in centipawns; `None` if unknown,
    /// which is the default.
    fn losses(&mut self, _pos: &Position, _moves: &[Move]) -> Option<Vec<i32>> {
        None
    }
}

/// Rates no move.
impl Judge for () {}
