//! The state of a game of Janggi. Squares change only through `put` and `take` (`make.rs`), which keep mailbox,
//! bitboards, key and observer in sync.

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

/// The state besides the board that a move changes, saved to undo the move.
#[derive(Clone, Copy, Default)]
pub(super) struct State {
    /// Key of the board and the side to move.
    pub board_key: u64,
    /// Enemy pieces that give check.
    pub checkers: Bitboard,
    /// Enemy pieces that restrict moves: the checkers, and those that would give check after some move.
    pub watchers: Bitboard,
    /// The move that led here (`None` at the root and after a null move).
    pub mv: Option<Move>,
    pub captured: Option<Piece>,
    /// Consecutive checks given by each side so far.
    pub checks: [u16; 2],
    /// Moves since the last irreversible one: a capture, an advance of a soldier, a null move, or the root.
    pub reversible: u16,
    /// Plies since the last capture, including those that a FEN counts.
    pub quiet: u16,
    /// Consecutive passes just before this position.
    pub passes: u8,
    /// Whether the generals face each other; always false if the rules ignore facing generals.
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
            now: State::default(),
            history: Vec::new(),
            rules: Rules::default(),
        }
    }

    /// The piece on a square.
    pub fn piece_on(&self, sq: usize) -> Option<Piece> {
        self.board[sq]
    }

    /// The square of a side's general.
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

    /// Plies since the last capture.
    pub fn quiet_plies(&self) -> u16 {
        self.now.quiet
    }

    /// Sets the number of plies since the last capture, as a FEN states it.
    pub fn set_quiet_plies(&mut self, plies: u16) {
        self.now.quiet = plies;
    }

    /// Enemy pieces that give check to the side to move.
    pub fn checkers(&self) -> Bitboard {
        self.now.checkers
    }

    /// Returns whether the generals are on one file with no piece between them.
    pub(super) fn generals_face(&self) -> bool {
        let (a, b) = (self.general(Color::Black), self.general(Color::White));
        attacks::chariot(a, self.occupied()).has(b)
    }

    /// Pieces in `own`, all of side `by`, that attack a square, for a given occupancy and given cannons of both sides.
    /// Generals and guards are ignored, because they never leave their palace.
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

    /// Chariots, cannons, horses and elephants of both sides that attack a square for some arrangement of the other
    /// pieces.
    #[inline]
    pub fn bearers(&self, sq: usize) -> Bitboard {
        attacks::line_star(sq) & (self.of(Kind::Chariot) | self.of(Kind::Cannon))
            | attacks::horse_star(sq) & self.of(Kind::Horse)
            | attacks::elephant_star(sq) & self.of(Kind::Elephant)
    }

    /// Pieces of a side that attack a square, for a given occupancy. If there is a cannon on the square, the result may
    /// include cannons, which cannot capture it.
    pub fn attackers(&self, by: Color, sq: usize, occ: Bitboard) -> Bitboard {
        let own = self.pieces(by) & occ.without(Bitboard::square(sq));
        let cannons = self.of(Kind::Cannon) & occ.without(Bitboard::square(sq));
        let steppers = (self.of(Kind::General) | self.of(Kind::Guard)) & own;
        self.attackers_among(by, sq, own, occ, cannons) | attacks::palace(sq) & steppers
    }
}
