//! Mate in one.

use super::attacks;
use super::piece::Kind;
use super::position::Position;
use crate::base::{Bitboard, Move, MoveList};
use crate::game::Position as _;

impl Position {
    /// A checking move after which the other side has no legal move.
    pub(super) fn find_mate_in_one(&self) -> Option<Move> {
        let mut checks = MoveList::new();
        self.generate_checks(&mut checks);
        self.find_mate_among(&checks)
    }

    /// The one of these checks after which the other side has no legal move.
    pub(super) fn find_mate_among(&self, checks: &[Move]) -> Option<Move> {
        let us = self.side;
        let king = self.king(!us)?;
        if checks.is_empty() {
            return None;
        }
        let occ = self.occupied();
        let around = attacks::king(king).without(self.pieces(!us));
        let flights = around.without(self.danger(us, king, occ ^ Bitboard::square(king)));
        let mut scratch = None;
        checks.iter().copied().find(|&mv| {
            // Most checks end here: the king has a flight that the checking piece does not take.
            if let Some(flight) = flights.without(self.reach_after(mv, occ, king)).pop() {
                // A dropped piece opens no line; a piece that moved may have opened one to the flight.
                let opened = occ.without(Bitboard::square(king)) | Bitboard::square(mv.to());
                let opened = if mv.is_drop() { opened } else { opened.without(Bitboard::square(mv.from())) };
                if mv.is_drop() || self.attackers(us, flight, opened).is_empty() {
                    return false;
                }
            }
            let scratch = scratch.get_or_insert_with(|| self.without_history());
            scratch.make(mv, &mut ());
            let mate = scratch.count() == 0;
            scratch.unmake();
            mate
        })
    }

    /// Is there a single check, from so far away that a piece fits between?
    pub(super) fn has_room_between(&self) -> bool {
        let Some(king) = self.king(self.side) else { return false };
        let mut checkers = self.checkers();
        !checkers.many() && checkers.pop().is_some_and(|from| attacks::between(king, from).any())
    }

    /// What the piece of a checking move attacks from its new square, through the king on `king`.
    fn reach_after(&self, mv: Move, occ: Bitboard, king: usize) -> Bitboard {
        let occ = occ ^ Bitboard::square(king);
        if mv.is_drop() {
            return attacks::attacks(self.side, Kind::ALL[mv.kind()], mv.to(), occ);
        }
        let Some(kind) = self.board[mv.from()].map(|p| p.kind()) else { return Bitboard::EMPTY };
        let kind = if mv.is_promotion() { kind.promoted().unwrap_or(kind) } else { kind };
        attacks::attacks(self.side, kind, mv.to(), occ.without(Bitboard::square(mv.from())))
    }
}
