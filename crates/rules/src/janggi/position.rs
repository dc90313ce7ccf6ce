//! The state of a game of Janggi. Squares change only through `put` and `take` (`make.rs`), which keep mailbox,
//! bitboards, key and observer together.

use super::attacks;
use super::piece::{Kind, Piece};
use super::rules::Rules;
use super::square::SQUARES;
use crate::{Bitboard, Color, Move};

/// Board, side to move, history and rule settings.
#[derive(Clone)]
pub struct Position {
    pub(super) board: [Option<Piece>; SQUARES],
    pub(super) kinds: [Bitboard; Kind::COUNT],
    pub(super) colors: [Bitboard; 2],
    pub(super) generals: [u8; 2],
    pub(super) side: Color,
    pub(super) game_ply: usize,
    pub(super) now: State,
    /// The states before each move since the root position.
    pub(super) history: Vec<State>,
    pub(super) rules: Rules,
}

/// What a move changes besides the board, and what taking it back needs.
#[derive(Clone, Copy)]
pub(super) struct State {
    /// Board and side to move.
    pub board_key: u64,
    /// Enemy pieces that give check.
    pub checkers: Bitboard,
    /// Enemy pieces that forbid something: the checkers, and those that some move would let through.
    pub watchers: Bitboard,
    /// The move that led here (`None` at the root and after a null move).
    pub mv: Option<Move>,
    pub captured: Option<Piece>,
    /// Checks given in a row by each side up to here.
    pub checks: [u16; 2],
    /// Moves since the last one that cannot be undone: capture, advance of a soldier, null move, the root.
    pub reversible: u16,
    /// Passes in a row that led here.
    pub passes: u8,
    /// Do the generals face each other? Always false where the rules do not ask.
    pub facing: bool,
}

impl Position {
    /// An empty board, black to move.
    pub(super) fn empty() -> Self {
        Self {
            board: [None; SQUARES],
            kinds: [Bitboard::EMPTY; Kind::COUNT],
            colors: [Bitboard::EMPTY; 2],
            generals: [0; 2],
            side: Color::Black,
            game_ply: 0,
            now: State {
                board_key: 0,
                checkers: Bitboard::EMPTY,
                watchers: Bitboard::EMPTY,
                mv: None,
                captured: None,
                checks: [0; 2],
                reversible: 0,
                passes: 0,
                facing: false,
            },
            history: Vec::new(),
            rules: Rules::default(),
        }
    }

    /// The piece on a square.
    pub fn piece_on(&self, sq: usize) -> Option<Piece> {
        self.board[sq]
    }

    /// Where a side's general stands.
    pub fn general(&self, color: Color) -> usize {
        usize::from(self.generals[color.index()])
    }

    /// All pieces of a side.
    pub fn pieces(&self, color: Color) -> Bitboard {
        self.colors[color.index()]
    }

    /// All pieces of one kind of a side.
    pub fn pieces_of(&self, color: Color, kind: Kind) -> Bitboard {
        self.kinds[kind.index()] & self.colors[color.index()]
    }

    /// All pieces of one kind.
    pub fn of(&self, kind: Kind) -> Bitboard {
        self.kinds[kind.index()]
    }

    /// Every occupied square.
    pub fn occupied(&self) -> Bitboard {
        self.colors[0] | self.colors[1]
    }

    /// Enemy pieces that give check to the side to move.
    pub fn checkers(&self) -> Bitboard {
        self.now.checkers
    }

    /// Are the generals on one file with no piece between them?
    pub(super) fn generals_face(&self) -> bool {
        let (a, b) = (self.general(Color::Black), self.general(Color::White));
        attacks::chariot(a, self.occupied()).has(b)
    }

    /// Pieces among `own`, all of one side `by`, that attack a square, for a given occupancy and given cannons of both
    /// sides. Generals and guards never leave their palace and are left out.
    #[inline]
    pub(super) fn attackers_among(
        &self,
        by: Color,
        sq: usize,
        own: Bitboard,
        occ: Bitboard,
        cannons: Bitboard,
    ) -> Bitboard {
        let mut out = attacks::soldiers_at(by, sq) & self.of(Kind::Soldier) & own;
        for from in self.bearers(sq) & own {
            let inside = attacks::path(sq, from) & occ;
            let hits = if cannons.has(from) {
                inside.any() && !inside.many() && (inside & cannons).is_empty()
            } else {
                inside.is_empty()
            };
            if hits {
                out |= Bitboard::square(from);
            }
        }
        out
    }

    /// Chariots, cannons, horses and elephants of both sides that would attack a square, were nothing else in the way
    /// or (cannons) something.
    #[inline]
    pub fn bearers(&self, sq: usize) -> Bitboard {
        attacks::line_star(sq) & (self.of(Kind::Chariot) | self.of(Kind::Cannon))
            | attacks::horse_star(sq) & self.of(Kind::Horse)
            | attacks::elephant_star(sq) & self.of(Kind::Elephant)
    }

    /// Everything of a side that attacks a square, for a given occupancy; what stands on the square may be anything
    /// but a cannon if it is to be taken by one.
    pub fn attackers(&self, by: Color, sq: usize, occ: Bitboard) -> Bitboard {
        let own = self.pieces(by) & occ.without(Bitboard::square(sq));
        let cannons = self.of(Kind::Cannon) & occ.without(Bitboard::square(sq));
        let steppers = (self.of(Kind::General) | self.of(Kind::Guard)) & own;
        self.attackers_among(by, sq, own, occ, cannons) | attacks::palace(sq) & steppers
    }
}
