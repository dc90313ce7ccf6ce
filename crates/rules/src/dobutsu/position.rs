//! The state of a game. Squares change only through `put` and `take` (`make.rs`).

use super::piece::{BOARD, Kind, Piece, SQUARES, last_row, squares, steps};
use super::rules::Rules;
use crate::{Color, Move};

/// Board, hands, side to move, history and rule settings. `MATE` selects the rules: false for the original game, true
/// for the game with check and mate.
#[derive(Clone)]
pub struct Position<const MATE: bool> {
    pub(super) board: [Option<Piece>; SQUARES],
    pub(super) pieces: [[u16; Kind::COUNT]; 2],
    pub(super) hands: [[u8; Kind::HAND]; 2],
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
    pub key: u64,
    /// The move that led here (`None` at the root and after a null move).
    pub mv: Option<Move>,
    pub captured: Option<Piece>,
    /// Moves since the root position or the last null move.
    pub since_null: u16,
}

impl<const MATE: bool> Position<MATE> {
    /// An empty board, black to move.
    pub(super) fn empty() -> Self {
        Self {
            board: [None; SQUARES],
            pieces: [[0; Kind::COUNT]; 2],
            hands: [[0; Kind::HAND]; 2],
            side: Color::Black,
            game_ply: 0,
            now: State::default(),
            history: Vec::new(),
            rules: Rules::default(),
        }
    }

    /// The piece on a square.
    #[inline]
    pub fn piece_on(&self, sq: usize) -> Option<Piece> {
        self.board[sq]
    }

    /// The squares of a side's pieces of one kind.
    #[inline]
    pub fn pieces_of(&self, color: Color, kind: Kind) -> u16 {
        self.pieces[color.index()][kind.index()]
    }

    /// Number of pieces of a kind in a side's hand.
    #[inline]
    pub fn hand_count(&self, color: Color, kind: Kind) -> usize {
        usize::from(self.hands[color.index()][kind.index()])
    }

    /// All pieces of a side.
    #[inline]
    pub fn occupied(&self, color: Color) -> u16 {
        self.pieces[color.index()].iter().fold(0, |all, set| all | set)
    }

    /// Every empty square.
    #[inline]
    pub fn vacant(&self) -> u16 {
        BOARD & !(self.occupied(Color::Black) | self.occupied(Color::White))
    }

    /// The square of a side's lion; `None` once it has been captured.
    #[inline]
    pub fn lion(&self, color: Color) -> Option<usize> {
        let set = self.pieces_of(color, Kind::Lion);
        (set != 0).then(|| set.trailing_zeros() as usize)
    }

    /// Every square that a side attacks.
    pub fn attacks(&self, color: Color) -> u16 {
        let mut out = 0;
        for kind in Kind::ALL {
            for sq in squares(self.pieces_of(color, kind)) {
                out |= steps(color, kind, sq);
            }
        }
        out
    }

    /// Pieces of a side that attack a square.
    pub fn attackers(&self, color: Color, sq: usize) -> u16 {
        // A piece attacks sq from the squares that the same piece of the other side would attack from sq.
        Kind::ALL.iter().fold(0, |out, &kind| out | steps(!color, kind, sq) & self.pieces_of(color, kind))
    }

    /// Enemy pieces that could capture the lion of the side to move.
    #[inline]
    pub fn checkers(&self) -> u16 {
        self.lion(self.side).map_or(0, |sq| self.attackers(!self.side, sq))
    }

    /// Returns whether a side's lion has reached its last row.
    #[inline]
    pub(super) fn has_entered(&self, color: Color) -> bool {
        self.pieces_of(color, Kind::Lion) & last_row(color) != 0
    }
}
