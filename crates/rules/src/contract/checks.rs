//! The interface of positions for the mate solver.

use super::SearchPosition;
use crate::{Color, Move, MoveList};

/// The methods that the mate solver needs in addition to the rules.
pub trait Checks: SearchPosition {
    /// Appends every legal move that gives check.
    fn checks(&self, out: &mut MoveList);
    /// The key of the board and the side to move, without the hands.
    fn board_key(&self) -> u64;
    /// [`Checks::board_key`] after a legal move, and the mover's hand.
    fn after(&self, mv: Move) -> (u64, u32) {
        let mut pos = self.clone();
        pos.make(mv, &mut ());
        (pos.board_key(), pos.hand(self.side()))
    }
    /// A side's hand, packed into bits. Two packed hands can be added as integers if no sum exceeds the number of
    /// pieces in the game.
    fn hand(&self, side: Color) -> u32;
    /// Returns whether hand `a` contains at least as many pieces of every kind as hand `b`.
    fn hand_covers(a: u32, b: u32) -> bool;
    /// The smallest hand that covers both hands. The default implementations of this and the following methods are for
    /// games without drops.
    fn hand_union(_a: u32, _b: u32) -> u32 {
        0
    }
    /// The largest hand that both hands cover.
    fn hand_common(_a: u32, _b: u32) -> u32 {
        0
    }
    /// The position with the pieces in hand redistributed: `side` gets this hand, and the other side the rest. `None`
    /// if the two hands together do not contain these pieces, or if the game has no hands.
    fn with_hand(&self, _side: Color, _hand: u32) -> Option<Self> {
        None
    }
    /// The pieces in hand `a` of kinds that hand `b` does not contain.
    fn hand_without(_a: u32, _b: u32) -> u32 {
        0
    }
    /// Returns whether the side to move can answer the check by an interposed drop; may return true even if it cannot.
    fn can_interpose(&self) -> bool {
        false
    }
    /// Number of answers to a check; 0 is checkmate. All drops on one square count as one answer, and so do a move with
    /// and without promotion, because the solver tries the second only after the first has failed. The default
    /// implementation is for games without drops and promotions.
    fn answers(&self) -> usize {
        self.count()
    }
    /// One of these checks that is mate, if one can be found cheaply.
    fn mate_among(&self, _checks: &[Move]) -> Option<Move> {
        None
    }
}
