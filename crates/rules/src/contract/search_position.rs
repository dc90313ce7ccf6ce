//! The interface of positions for the search: stages of move generation, exchange values, move classes.
//!
//! A program that needs only the rules can ignore it. It is defined here because it needs private fields of each
//! game.

use super::{Placement, Position};
use crate::{Color, Move, MoveList, Score};
use bitflags::bitflags;

bitflags! {
    /// Parts of a position that change slowly. Each has a key for the correction history, in which the search records
    /// the error of the static evaluation in positions that share the part. A placement can belong to several parts or
    /// to none.
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
    /// Precomputed data for recognising the checks among the moves of a position.
    type CheckInfo;

    /// Number of rows of the history tables (piece kinds times squares); see [`SearchPosition::piece_to`].
    const PIECE_TOS: usize;
    /// Number of values of [`SearchPosition::victim`].
    const VICTIMS: usize;
    /// Whether the search may try null moves; false if zugzwang is common.
    const NULL_MOVE: bool;

    /// [`Position::key`] after a legal move, before the move is made, so that the table entry can be prefetched.
    fn key_after(&self, mv: Move) -> u64;
    /// The parts of the position that a placement belongs to.
    fn parts(placement: Placement) -> Parts;
    /// Appends the legal captures and other moves that change material (pawn promotions). Moves that are never better
    /// than another move (pointless non-promotions) may be left out.
    fn noisy(&self, out: &mut MoveList);
    /// Appends the other legal moves; pointless moves may be left out here as well. No move is listed by both methods.
    fn quiet(&self, out: &mut MoveList);
    /// Returns whether this legal move belongs to [`SearchPosition::noisy`] (and not to `quiet`).
    fn is_noisy(&self, mv: Move) -> bool;
    /// The data for [`SearchPosition::gives_check_with`].
    fn check_info(&self) -> Self::CheckInfo;
    /// Like [`Position::gives_check`], but cheaper for many moves of one position.
    fn gives_check_with(&self, info: &Self::CheckInfo, mv: Move) -> bool;
    /// A move that wins the game immediately, if one can be found cheaply.
    fn mate_in_one(&self) -> Option<Move> {
        None
    }

    /// Static exchange evaluation: returns whether this legal move wins at least `threshold` centipawns on its
    /// destination.
    fn see_ge(&self, mv: Move, threshold: Score) -> bool;
    /// The immediate material gain of a legal move in centipawns: the victim and the promotion.
    fn gain(&self, mv: Move) -> Score;
    /// Kind of the captured piece, counted from 1, or 0 if nothing is captured; below `VICTIMS`.
    fn victim(&self, mv: Move) -> usize;
    /// Row of the history tables for the kind of the moving piece (after a promotion) and the destination; below
    /// `PIECE_TOS`.
    fn piece_to(&self, mv: Move) -> usize;

    /// Makes a null move: passes the turn, whether or not the rules allow it. Must not be called in check.
    fn make_null(&mut self);
    /// Undoes a null move.
    fn unmake_null(&mut self);
}
