//! The interface through which the caller rates legal moves.

use sanban_rules::Move;
use sanban_rules::shogi::Position;
use std::time::Duration;

/// Rates the legal moves that are possible in place of missing moves.
pub trait Judge {
    /// Time limit for the next game to restore; `left` is the number of games of the text that are left, including this
    /// one.
    fn time(&mut self, _left: usize) -> Duration {
        Duration::from_secs(10)
    }

    /// Maximum number of positions to judge for a game.
    fn positions(&self) -> usize {
        1500
    }

    /// The logarithms of the probabilities of some of the legal moves, relative to all legal moves; `None` if they are
    /// unknown, which is the default.
    fn chances(&mut self, _pos: &Position, _moves: &[Move]) -> Option<Vec<f32>> {
        None
    }
}

/// A judge that does not rate moves.
impl Judge for () {}
