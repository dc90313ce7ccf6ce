//! Legal move generation. One loop over the pieces serves all purposes, which differ in the destinations (captures,
//! quiet moves, all) and in the [`Sink`] that receives the moves (a list or a counter).

use super::attacks::{self, SLANTING, advance};
use super::piece::Kind;
use super::position::Position;
use super::rules::Pass;
use super::square::{BOARD, RANKS, file_of};
use super::threats::Restrictions;
use crate::{Bitboard, Color, Move, MoveList};

/// Receives the destinations of one piece (or of many soldiers) at a time.
pub(super) trait Sink {
    /// The piece on `from` may go to these squares.
    fn piece(&mut self, from: usize, to: Bitboard);
    /// Soldiers may go to these squares, each from the square whose number is smaller by `behind`.
    fn soldiers(&mut self, behind: isize, to: Bitboard);
}

impl Sink for MoveList {
    fn piece(&mut self, from: usize, to: Bitboard) {
        to.for_each(|to| self.push(Move::board(from, to)));
    }
    fn soldiers(&mut self, behind: isize, to: Bitboard) {
        to.for_each(|to| self.push(Move::board(to.wrapping_add_signed(-behind), to)));
    }
}

/// Counts the moves instead of listing them, for the leaves of perft.
#[derive(Default)]
pub(super) struct MoveCounter(pub usize);

impl Sink for MoveCounter {
    fn piece(&mut self, _: usize, to: Bitboard) {
        self.0 += to.len();
    }
    fn soldiers(&mut self, _: isize, to: Bitboard) {
        self.0 += to.len();
    }
}

impl Position {
    /// Sends every legal move with a destination among the targets to the sink, except the pass. If passes or facing
    /// generals have ended the game, there are no legal moves.
    #[inline]
    pub(super) fn generate<S: Sink>(&self, targets: Bitboard, sink: &mut S) {
        if self.is_closed() {
            return;
        }
        let (steps, targets) = self.parting(targets.without(self.pieces(self.side)));
        sink.piece(self.general(self.side), self.general_steps(steps));
        if self.now.watchers.is_empty() {
            let all = Restrictions { others: targets, cannons: targets, special: Bitboard::EMPTY };
            self.piece_moves::<false, S>(targets, &all, sink);
        } else {
            let mut limits = self.limits();
            limits.others &= targets;
            limits.cannons &= targets;
            if limits.others.any() || limits.cannons.any() || limits.special.any() {
                self.piece_moves::<true, S>(targets, &limits, sink);
            }
        }
    }

    /// Generates the moves of all pieces except the general. `SPECIAL`: some pieces may have individual restrictions.
    #[inline]
    fn piece_moves<const SPECIAL: bool, S: Sink>(
        &self,
        targets: Bitboard,
        limits: &Restrictions,
        sink: &mut S,
    ) {
        let us = self.side;
        let (own, occ) = (self.pieces(us), self.occupied());
        let of = |kind: Kind| self.of(kind) & own;
        let allowed = |from: usize, kind: Kind| {
            if SPECIAL && limits.special.has(from) {
                targets & self.limits_of(from, kind)
            } else if kind == Kind::Cannon {
                limits.cannons
            } else {
                limits.others
            }
        };
        for from in of(Kind::Chariot) {
            sink.piece(from, attacks::chariot(from, occ) & allowed(from, Kind::Chariot));
        }
        let cannons = self.of(Kind::Cannon);
        for from in cannons & own {
            sink.piece(from, attacks::cannon(from, occ, cannons) & allowed(from, Kind::Cannon));
        }
        for from in of(Kind::Horse) {
            sink.piece(from, attacks::horse(from, occ) & allowed(from, Kind::Horse));
        }
        for from in of(Kind::Elephant) {
            sink.piece(from, attacks::elephant(from, occ) & allowed(from, Kind::Elephant));
        }
        for from in of(Kind::Guard) {
            sink.piece(from, attacks::palace(from) & allowed(from, Kind::Guard));
        }
        // Most soldiers are moved together; those that may step diagonally or have individual restrictions are moved
        // one by one.
        let soldiers = of(Kind::Soldier);
        let alone = soldiers & (SLANTING[us.index()] | limits.special);
        for from in alone {
            sink.piece(from, attacks::soldier(us, from) & allowed(from, Kind::Soldier));
        }
        let rest = soldiers.without(alone);
        let ahead = if us == Color::Black { -1 } else { 1 };
        sink.soldiers(ahead, advance(us, rest) & limits.others);
        sink.soldiers(RANKS as isize, Bitboard(rest.0 << RANKS) & limits.others);
        sink.soldiers(-(RANKS as isize), Bitboard(rest.0 >> RANKS) & limits.others);
    }

    /// The target squares of the general and of the other pieces. If the generals face each other, every move must
    /// separate them: the general leaves the file, or another piece moves between them.
    #[inline]
    pub(super) fn parting(&self, targets: Bitboard) -> (Bitboard, Bitboard) {
        if !self.now.facing {
            return (targets, targets);
        }
        let (own, enemy) = (self.general(self.side), self.general(!self.side));
        (targets.without(file_of(own)), targets & attacks::path(own, enemy))
    }

    /// Returns whether the game has ended by two passes, or by a pass that accepted facing generals.
    pub(super) fn is_closed(&self) -> bool {
        self.now.passes >= 2 || self.now.facing && self.history.last().is_some_and(|before| before.facing)
    }

    /// Number of consecutive passes just before this position.
    pub fn passes(&self) -> usize {
        usize::from(self.now.passes)
    }

    /// Returns whether the side to move may pass.
    pub fn may_pass(&self) -> bool {
        if self.is_closed() {
            return false;
        }
        if self.now.facing {
            return true; // the pass accepts the facing generals
        }
        self.now.checkers.is_empty()
            && match self.rules.pass {
                Pass::Free => true,
                Pass::Literal => self.general_steps(BOARD.without(self.pieces(self.side))).is_empty(),
                Pass::Forced => self.count_moves() == 0,
            }
    }

    /// Number of legal moves besides the pass.
    #[inline]
    fn count_moves(&self) -> usize {
        let mut counter = MoveCounter::default();
        self.generate(BOARD, &mut counter);
        counter.0
    }

    /// Number of legal moves.
    pub fn count(&self) -> usize {
        let moves = self.count_moves();
        // The moves counted here need not be counted again for the forced pass.
        let pass = match self.rules.pass {
            Pass::Forced if moves > 0 && !self.now.facing => false,
            _ => self.may_pass(),
        };
        moves + usize::from(pass)
    }

    /// The pass, as a move.
    pub(super) fn pass(&self) -> Move {
        let general = self.general(self.side);
        Move::board(general, general)
    }

    /// Appends the legal captures.
    pub fn noisy(&self, out: &mut MoveList) {
        self.generate(self.pieces(!self.side), out);
    }

    /// Appends the legal moves to empty squares and the pass.
    pub fn quiet(&self, out: &mut MoveList) {
        self.generate(BOARD.without(self.occupied()), out);
        if self.may_pass() {
            out.push(self.pass());
        }
    }

    /// Appends every legal move.
    pub fn legal(&self, out: &mut MoveList) {
        self.generate(BOARD, out);
        if self.may_pass() {
            out.push(self.pass());
        }
    }
}
