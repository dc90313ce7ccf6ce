//! Mate in one.

use super::attacks;
use super::piece::Kind;
use super::position::Position;
use crate::base::{Bitboard, Move, MoveList};
use crate::game::Position as _;

impl Position {
    /// A checking move after which the other side has no legal move.
    pub(super) fn find_mate_in_one(&self) -> Option<Move> {
        let us = self.side;
        let king = self.king(!us)?;
        let mut checks = MoveList::new();
        self.generate_checks(&mut checks);
        if checks.is_empty() {
            return None;
        }
        let occ = self.occupied();
        let around = attacks::king(king).without(self.pieces(!us));
        let flights = around.without(self.danger(us, king, occ ^ Bitboard::square(king)));
        let mut scratch = self.without_history();
        checks.into_iter().find(|&mv| {
            // A dropped piece takes no more flights than it attacks: most drops end here. (A piece that moves may
            // open lines to others.)
            if mv.is_drop() {
                let kind = Kind::ALL[mv.kind()];
                let reach = attacks::attacks(us, kind, mv.to(), occ ^ Bitboard::square(king));
                if flights.without(reach).any() {
                    return false;
                }
            }
            scratch.make(mv, &mut ());
            let mate = scratch.count() == 0;
            scratch.unmake();
            mate
        })
    }
}
