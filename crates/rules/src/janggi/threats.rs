//! The safety of the general: pieces that give check, pieces that would give check after some move, and the moves that
//! remain legal for the other pieces.
//!
//! Every enemy piece that may attack the general does so along a path: squares that must be empty for a chariot, horse
//! or elephant, and must hold exactly one piece (not a cannon) for a cannon. A move changes at most two squares, so the
//! number of pieces on the path determines which moves are legal. The pieces that restrict moves (`watchers`) are found
//! when a move is made; if there are none, every pseudo-legal move of every piece except the general is legal.

use super::attacks;
use super::piece::Kind;
use super::position::Position;
use super::square::BOARD;
use crate::{Bitboard, Color, Move};

impl Position {
    /// The enemy pieces that give check to the side to move, and all enemy pieces that restrict its other pieces.
    #[inline]
    pub(super) fn watch(&self) -> (Bitboard, Bitboard) {
        let (us, them) = (self.side, !self.side);
        let (general, occ) = (self.general(us), self.occupied());
        let (own, cannons) = (self.pieces(us), self.of(Kind::Cannon));
        let mut checkers = attacks::soldiers_at(them, general) & self.pieces_of(them, Kind::Soldier);
        let mut watchers = checkers;
        for from in self.bearers(general) & self.pieces(them) {
            let path = attacks::path(general, from);
            let inside = path & occ;
            let (checks, watches) = if cannons.has(from) {
                if inside.is_empty() {
                    (false, path.any())
                } else if !inside.many() {
                    // A cannon cannot be a screen, but a piece that captures it can.
                    let screen = (inside & cannons).is_empty();
                    (screen, screen || (inside & own).is_empty())
                } else {
                    (false, (inside & own).any() && inside.len() == 2)
                }
            } else {
                (inside.is_empty(), inside.is_empty() || !inside.many() && (inside & own).any())
            };
            if checks {
                checkers |= Bitboard::square(from);
            }
            if watches {
                watchers |= Bitboard::square(from);
            }
        }
        (checkers, watchers)
    }

    /// The destinations that one watcher allows for the piece on `from`; without `from`, for any piece that is not on
    /// the path of the watcher. `cannon`: the piece is a cannon.
    fn limit(&self, watcher: usize, from: Option<usize>, cannon: bool) -> Bitboard {
        let path = attacks::path(self.general(self.side), watcher);
        let taken = Bitboard::square(watcher);
        let (inside, cannons) = (path & self.occupied(), self.of(Kind::Cannon));
        let leaves = from.is_some_and(|from| inside.has(from));
        if !cannons.has(watcher) {
            return match inside.len() {
                0 => path | taken,
                1 if leaves => path | taken,
                _ => BOARD,
            };
        }
        match inside.len() {
            // No piece may become the screen.
            0 if !cannon => BOARD.without(path),
            1 if (inside & cannons).any() => {
                if leaves || cannon {
                    BOARD
                } else {
                    BOARD.without(inside)
                }
            }
            // The screen leaves, another piece interposes, or a cannon captures the screen.
            1 if leaves => BOARD.without(path),
            1 if cannon => path | taken,
            1 => path.without(inside) | taken,
            2 if leaves => {
                let other = inside.without(from.map_or(Bitboard::EMPTY, Bitboard::square));
                if (other & cannons).any() { BOARD.without(other) } else { path.without(other) | taken }
            }
            _ => BOARD,
        }
    }

    /// The squares to which a piece of the side to move other than the general may go without exposing the general.
    pub(super) fn limits_of(&self, from: usize, kind: Kind) -> Bitboard {
        let watchers = self.now.watchers;
        watchers.fold(BOARD, |out, watcher| out & self.limit(watcher, Some(from), kind == Kind::Cannon))
    }

    /// The destinations of cannons and of other pieces that are not on the path of any watcher.
    pub(super) fn limits(&self) -> Restrictions {
        let own = self.pieces(self.side);
        let mut out = Restrictions { others: BOARD, cannons: BOARD, special: Bitboard::EMPTY };
        for watcher in self.now.watchers {
            out.others &= self.limit(watcher, None, false);
            out.cannons &= self.limit(watcher, None, true);
            out.special |= attacks::path(self.general(self.side), watcher) & own;
        }
        out
    }

    /// Steps of the general of the side to move to squares that the enemy does not attack.
    #[inline]
    pub(super) fn general_steps(&self, targets: Bitboard) -> Bitboard {
        let mut out = attacks::palace(self.general(self.side)) & targets;
        for to in out {
            if !self.is_safe(to) {
                out = out.without(Bitboard::square(to));
            }
        }
        out
    }

    /// Returns whether the general of the side to move would be safe on this square of its palace, after capturing any
    /// piece there.
    #[inline]
    pub(super) fn is_safe(&self, sq: usize) -> bool {
        let (them, there) = (!self.side, Bitboard::square(sq));
        let own = self.pieces(them).without(there);
        if ((self.bearers(sq) | attacks::soldiers_at(them, sq)) & own).is_empty() {
            return true;
        }
        let occ = self.occupied().without(Bitboard::square(self.general(self.side))) | there;
        self.attackers_among(them, sq, own, occ, self.of(Kind::Cannon).without(there)).is_empty()
    }

    /// Returns whether this legal move gives check.
    pub fn gives_check(&self, mv: Move) -> bool {
        let (from, to) = (mv.from(), mv.to());
        let Some(piece) = self.board[from] else { return false };
        let (us, target) = (self.side, self.general(!self.side));
        let (left, entered) = (Bitboard::square(from), Bitboard::square(to));
        let occ = self.occupied().without(left) | entered;
        let mut cannons = self.of(Kind::Cannon).without(left | entered);
        if piece.kind == Kind::Cannon {
            cannons |= entered;
        }
        let moved = piece.kind != Kind::General
            && piece.kind != Kind::Guard
            && attacks::attacks(us, piece.kind, to, occ, cannons).has(target);
        moved || self.attackers_among(us, target, self.pieces(us).without(left), occ, cannons).any()
    }

    /// The enemy pieces that attack the general of `color`.
    pub(super) fn attackers_of_general(&self, color: Color) -> Bitboard {
        let (them, cannons) = (!color, self.of(Kind::Cannon));
        self.attackers_among(them, self.general(color), self.pieces(them), self.occupied(), cannons)
    }
}

/// The restrictions imposed by the watchers.
pub(super) struct Restrictions {
    /// Destinations of pieces other than the general, cannons and special pieces.
    pub others: Bitboard,
    /// Destinations of cannons that are not special.
    pub cannons: Bitboard,
    /// Pieces with individual restrictions.
    pub special: Bitboard,
}
