//! The interface of positions for the search: stages of move generation, exchange values, classes of moves.
//!
//! A program that needs only the rules can ignore it. It is defined here because it needs private fields of each
//! game.

use super::{Placement, Position};
use crate::{Color, Move, MoveList, Score};
use bitflags::bitflags;

bitflags! {
    /// Parts of a position that change slowly. Each has its own key: the search learns how far the static evaluation is off
    /// in positions that share a part. A placement can belong to several parts, or to none.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub struct Parts: u8 {
        /// Pawns on the board.
        const PAWNS = 1;
        /// Minor pieces on the board, of both sides.
        const MINORS = 1 << 1;
        /// Black's pieces on the board, without pawns.
        const BLACK = 1 << 2;
        /// White's pieces on the board, without pawns.
        const WHITE = 1 << 3;
        /// The hands of both sides.
        const HANDS = 1 << 4;
    }
}

impl Parts {
    /// Number of parts.
    pub const COUNT: usize = 5;

    /// The pieces of a side on the board, without pawns.
    #[inline]
    pub const fn pieces(color: Color) -> Self {
        match color {
            Color::Black => Self::BLACK,
            Color::White => Self::WHITE,
        }
    }
}

/// The methods that the search and its move ordering need.
pub trait SearchPosition: Position {
    /// Precomputed data to recognise the checks among the moves of a position.
    type CheckInfo;

    /// Number of piece kinds times number of squares: rows of the history tables, see [`SearchPosition::piece_to`].
    const PIECE_TOS: usize;
    /// Number of kinds of victims, see [`SearchPosition::victim`].
    const VICTIMS: usize;
    /// May the search try a null move? False if zugzwang is common.
    const NULL_MOVE: bool;

    /// [`Position::key`] after a legal move, before the move is made, so that the table entry can be prefetched.
    fn key_after(&self, mv: Move) -> u64;
    /// The parts of the position that a placement belongs to.
    fn parts(placement: Placement) -> Parts;
    /// Appends the legal captures and other moves that change material (pawn promotions). Moves that are never
    /// better than another one (pointless non-promotions) may be left out.
    fn noisy(&self, out: &mut MoveList);
    /// Appends the other legal moves, under the same conditions. Together with [`SearchPosition::noisy`]: no move twice.
    fn quiet(&self, out: &mut MoveList);
    /// Would [`SearchPosition::noisy`] (and not `quiet`) list this legal move?
    fn is_noisy(&self, mv: Move) -> bool;
    /// The data for [`SearchPosition::gives_check_with`].
    fn check_info(&self) -> Self::CheckInfo;
    /// [`Position::gives_check`], cheaper for many moves of one position.
    fn gives_check_with(&self, info: &Self::CheckInfo, mv: Move) -> bool;
    /// A move that ends the game in the mover's favour at once, if one is found cheaply.
    fn mate_in_one(&self) -> Option<Move> {
        None
    }

    /// Static exchange: does this legal move win at least `threshold` centipawns on its target square?
    fn see_ge(&self, mv: Move, threshold: Score) -> bool;
    /// Material in centipawns that a legal move changes at once: victim, plus promotion gain.
    fn gain(&self, mv: Move) -> Score;
    /// Kind of the captured piece, 1-based, or 0: below `VICTIMS`.
    fn victim(&self, mv: Move) -> usize;
    /// Row of the history tables: moving piece kind (after a promotion) and destination, below `PIECE_TOS`.
    fn piece_to(&self, mv: Move) -> usize;

    /// Makes a null move, which the rules do not allow. Must not be called in check.
    fn make_null(&mut self);
    /// Undoes a null move.
    fn unmake_null(&mut self);
}
