//! Legality of single moves from external sources (the transposition table, the user).

use super::attacks;
use super::piece::Kind;
use super::position::Position;
use super::square::SQUARES;
use crate::{Bitboard, Move, MoveList};

impl Position {
    /// Returns whether the move is legal. Any bit pattern is accepted.
    pub fn is_legal(&self, mv: Move) -> bool {
        let (us, from, to) = (self.side, mv.from(), mv.to());
        if mv.is_drop() || mv.is_promotion() || from >= SQUARES || to >= SQUARES || self.is_closed() {
            return false;
        }
        let Some(piece) = self.board[from].filter(|piece| piece.color == us) else { return false };
        if from == to {
            return piece.kind == Kind::General && self.may_pass();
        }
        let cannons = self.of(Kind::Cannon);
        if self.pieces(us).has(to)
            || !attacks::attacks(us, piece.kind, from, self.occupied(), cannons).has(to)
        {
            return false;
        }
        let (steps, others) = self.parting(Bitboard::square(to));
        match piece.kind {
            Kind::General => steps.any() && self.is_safe(to),
            kind => others.any() && self.limits_of(from, kind).has(to),
        }
    }

    /// Appends every legal move that gives check.
    pub fn checks(&self, out: &mut MoveList) {
        let start = out.len();
        self.legal(out);
        let mut kept = start;
        for i in start..out.len() {
            if self.gives_check(out[i]) {
                out[kept] = out[i];
                kept += 1;
            }
        }
        out.truncate(kept);
    }
}
