//! Legality of single moves: mating pawn drops, and moves from external sources (the transposition table, the user).

use super::attacks;
use super::movegen::free_files;
use super::piece::Kind;
use super::position::Position;
use super::square::{LAST, LAST_TWO, SQUARES, ZONE};
use crate::{Bitboard, Color, Move};

impl Position {
    /// The square from which a pawn of the side to move would attack the enemy king.
    #[inline]
    pub(super) fn pawn_check_square(&self) -> Option<usize> {
        let king = self.king(!self.side)?;
        let sq = attacks::step(!self.side, Kind::Pawn, king).lowest();
        (sq < SQUARES).then_some(sq)
    }

    /// Returns whether a pawn drop on this vacant square, which must give check, is mate (uchifuzume).
    pub(super) fn is_pawn_drop_mate(&self, sq: usize) -> bool {
        let (us, them) = (self.side, !self.side);
        let Some(king) = self.king(them) else { return false };
        // The pawn is next to the king: nothing can interpose, so the king must move or the pawn be captured.
        let occ = self.occupied() | Bitboard::square(sq);
        let mut takers = self.attackers(them, sq, occ).without(Bitboard::square(king));
        if takers.any() {
            let pinned = self.sliders_at(them, king).1;
            // A pinned piece can only capture along its line, which would be the king's own file; but the pawn blocks
            // that file.
            if !takers.all(|from| pinned.has(from) && !attacks::through(king, from).has(sq)) {
                return false;
            }
        }
        let escapes = attacks::king(king).without(self.pieces(them));
        escapes.without(self.danger(us, king, occ ^ Bitboard::square(king))).is_empty()
    }

    /// Squares on which a kind may be dropped, ignoring mating pawn drops and checks.
    fn drop_squares(&self, kind: Kind) -> Bitboard {
        let us = self.side.index();
        match kind {
            Kind::Pawn => self.vacant().without(LAST[us]) & free_files(self.pieces_of(self.side, Kind::Pawn)),
            Kind::Lance => self.vacant().without(LAST[us]),
            Kind::Knight => self.vacant().without(LAST_TWO[us]),
            _ => self.vacant(),
        }
    }

    /// Returns whether the move is legal. Any bit pattern is accepted.
    pub fn is_legal(&self, mv: Move) -> bool {
        let (us, them, to) = (self.side, !self.side, mv.to());
        if to >= SQUARES {
            return false;
        }
        let king = self.king(us);
        if mv.is_drop() {
            if mv.kind() >= Kind::HAND || mv.is_promotion() {
                return false;
            }
            let kind = Kind::ALL[mv.kind()];
            if !self.hands[us.index()].has(kind) || !self.drop_squares(kind).has(to) {
                return false;
            }
            if let (Some(king), Some(checker)) = (king, { self.now.checkers }.pop())
                && (self.now.checkers.many() || !attacks::between(king, checker).has(to))
            {
                return false;
            }
            return kind != Kind::Pawn || self.pawn_check_square() != Some(to) || !self.is_pawn_drop_mate(to);
        }
        let from = mv.from();
        if from >= SQUARES {
            return false;
        }
        let Some(piece) = self.board[from].filter(|p| p.color() == us) else { return false };
        let (kind, occ) = (piece.kind(), self.occupied());
        if self.pieces(us).has(to) || !attacks::attacks(us, kind, from, occ).has(to) {
            return false;
        }
        let zone = ZONE[us.index()];
        if mv.is_promotion() {
            if kind.promoted().is_none() || !(zone.has(from) || zone.has(to)) {
                return false;
            }
        } else if stuck(us, kind, to) {
            return false;
        }
        let Some(king) = king else { return true };
        if kind == Kind::King {
            return self.attackers(them, to, occ ^ Bitboard::square(from)).is_empty();
        }
        if self.is_pinned_off(from, to) {
            return false;
        }
        match { self.now.checkers }.pop() {
            None => true,
            Some(checker) => {
                !self.now.checkers.many() && (attacks::between(king, checker) | self.now.checkers).has(to)
            }
        }
    }
}

/// Returns whether an unpromoted piece of this kind could never move from this square.
fn stuck(us: Color, kind: Kind, sq: usize) -> bool {
    match kind {
        Kind::Pawn | Kind::Lance => LAST[us.index()].has(sq),
        Kind::Knight => LAST_TWO[us.index()].has(sq),
        _ => false,
    }
}
