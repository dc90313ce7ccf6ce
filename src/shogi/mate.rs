//! Mate in one, without making moves.

use super::position::Position;
use crate::base::{Move, MoveList};
use crate::game::Position as _;

impl Position {
    /// A checking move after which the other side has no legal move.
    pub(super) fn find_mate_in_one(&self) -> Option<Move> {
        self.king(!self.side)?;
        let mut checks = MoveList::new();
        self.generate_checks(&mut checks);
        if checks.is_empty() {
            return None;
        }
        let mut scratch = self.without_history();
        checks.into_iter().find(|&mv| {
            scratch.make(mv, &mut ());
            let mate = scratch.count() == 0;
            scratch.unmake();
            mate
        })
    }
}
