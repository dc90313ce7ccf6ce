//! Moves that give check.

use super::attacks;
use super::movegen::Sink;
use super::piece::Kind;
use super::position::Position;
use crate::{Bitboard, Color, Move, MoveList};

/// Data for recognising checks: the squares from which each kind attacks the king, and the pieces whose moves open a
/// line to it.
pub struct CheckInfo {
    king: usize,
    /// For each kind, the squares from which it attacks the king.
    squares: [Bitboard; Kind::COUNT],
    /// Pieces of the side to move that are the only blocker between one of its sliders and the king.
    screens: Bitboard,
}

impl CheckInfo {
    /// The destinations with which the piece on `from` gives discovered check.
    fn opens(&self, from: usize) -> Bitboard {
        if self.screens.has(from) { !attacks::through(self.king, from) } else { Bitboard::EMPTY }
    }
}

/// Appends only the checks to the list.
struct CheckSink<'a> {
    out: &'a mut MoveList,
    pos: &'a Position,
    info: CheckInfo,
}

impl Sink for CheckSink<'_> {
    fn board(&mut self, from: usize, plain: Bitboard, promoted: Bitboard) {
        let Some(piece) = self.pos.board[from] else { return };
        let kind = piece.kind();
        let opens = self.info.opens(from);
        let after = kind.promoted().unwrap_or(kind);
        self.out.board(
            from,
            plain & (self.info.squares[kind.index()] | opens),
            promoted & (self.info.squares[after.index()] | opens),
        );
    }

    fn pawns(&mut self, us: Color, plain: Bitboard, promoted: Bitboard) {
        // A pawn that moves opens every line on which it is a screen, except its own file.
        let mut opens = Bitboard::EMPTY;
        for from in self.info.screens & self.pos.pieces_of(us, Kind::Pawn) {
            opens |= attacks::step(us, Kind::Pawn, from).without(attacks::through(self.info.king, from));
        }
        self.out.pawns(
            us,
            plain & (self.info.squares[Kind::Pawn.index()] | opens),
            promoted & (self.info.squares[Kind::Gold.index()] | opens),
        );
    }

    fn origins(&self, kind: Kind) -> Bitboard {
        attacks::before_check(self.pos.side, kind, self.info.king) | self.info.screens
    }

    #[inline]
    fn wants_king(&self, from: usize) -> bool {
        // A king can give only discovered check.
        self.info.screens.has(from)
    }

    fn drops(&mut self, kind: Kind, to: Bitboard) {
        self.out.drops(kind, to & self.info.squares[kind.index()]);
    }
}

impl Position {
    /// The data for recognising checks in this position.
    pub fn check_info(&self) -> CheckInfo {
        let them = !self.side;
        let Some(king) = self.king(them) else {
            return CheckInfo { king: 0, squares: [Bitboard::EMPTY; Kind::COUNT], screens: Bitboard::EMPTY };
        };
        let squares = self.check_squares(king, self.occupied());
        CheckInfo { king, squares, screens: self.discoverers(king) }
    }

    /// For each kind, the squares from which a piece of the side to move attacks the enemy king.
    pub(super) fn check_squares(&self, king: usize, occ: Bitboard) -> [Bitboard; Kind::COUNT] {
        let them = !self.side;
        let (rook, bishop, ring) =
            (attacks::rook(king, occ), attacks::bishop(king, occ), attacks::king(king));
        let mut squares = [attacks::step(them, Kind::Gold, king); Kind::COUNT];
        for kind in [Kind::Pawn, Kind::Knight, Kind::Silver] {
            squares[kind.index()] = attacks::step(them, kind, king);
        }
        squares[Kind::Lance.index()] = rook & attacks::front(them, king);
        squares[Kind::Bishop.index()] = bishop;
        squares[Kind::Rook.index()] = rook;
        squares[Kind::Horse.index()] = bishop | ring;
        squares[Kind::Dragon.index()] = rook | ring;
        squares[Kind::King.index()] = Bitboard::EMPTY;
        squares
    }

    /// Appends every legal move that gives check.
    pub fn checks(&self, out: &mut MoveList) {
        if self.king(!self.side).is_some() {
            let info = self.check_info();
            self.generate(self.all_targets(), &mut CheckSink { out, pos: self, info });
        }
    }

    /// Like [`Position::gives_check`], with precomputed data.
    #[inline(always)]
    pub fn gives_check_with(&self, info: &CheckInfo, mv: Move) -> bool {
        let Some(kind) = self.kind_after(mv) else { return false };
        info.squares[kind.index()].has(mv.to()) || !mv.is_drop() && info.opens(mv.from()).has(mv.to())
    }

    /// Returns whether this legal move gives check.
    pub fn gives_check(&self, mv: Move) -> bool {
        let us = self.side;
        let Some(king) = self.king(!us) else { return false };
        let to = mv.to();
        let occ = self.occupied();
        if mv.is_drop() {
            return attacks::attacks(us, Kind::ALL[mv.kind()], to, occ).has(king);
        }
        let from = mv.from();
        let Some(kind) = self.kind_after(mv) else { return false };
        let after = occ.without(Bitboard::square(from)) | Bitboard::square(to);
        if kind != Kind::King && attacks::attacks(us, kind, to, after).has(king) {
            return true;
        }
        let line = attacks::through(king, from);
        line.any() && !line.has(to) && self.discoverers(king).has(from)
    }
}
