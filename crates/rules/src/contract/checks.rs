//! What a mate solver asks of a position beyond the rules.

use super::SearchPosition;
use crate::{Color, Move, MoveList};

/// What a mate solver needs beyond the rules.
pub trait Checks: SearchPosition {
    /// Appends every legal move that gives check.
    fn checks(&self, out: &mut MoveList);
    /// Key of the board and the side to move, without the hands.
    fn board_key(&self) -> u64;
    /// [`Checks::board_key`] after a legal move, and the mover's hand.
    fn after(&self, mv: Move) -> (u64, u32) {
        let mut pos = self.clone();
        pos.make(mv, &mut ());
        (pos.board_key(), pos.hand(self.side()))
    }
    /// A side's hand, packed. Hands add up: the bits of two hands together are the sum of their bits, as long as no
    /// more pieces than the game has are in it.
    fn hand(&self, side: Color) -> u32;
    /// Does hand `a` hold at least everything that hand `b` holds?
    fn hand_covers(a: u32, b: u32) -> bool;
    /// The smallest hand that covers both. The defaults of this and the next methods are those of a game without
    /// drops.
    fn hand_union(_a: u32, _b: u32) -> u32 {
        0
    }
    /// The largest hand that both cover.
    fn hand_common(_a: u32, _b: u32) -> u32 {
        0
    }
    /// The same position with this hand of a side's, and the other pieces in hand with the other side. `None` if the two
    /// hands do not have these pieces, or the game has no hands.
    fn with_hand(&self, _side: Color, _hand: u32) -> Option<Self> {
        None
    }
    /// What hand `a` holds of the kinds that `b` has none of.
    fn hand_without(_a: u32, _b: u32) -> u32 {
        0
    }
    /// Can a check against the side to move be answered by a piece dropped between? True when in doubt.
    fn can_interpose(&self) -> bool {
        false
    }
    /// Number of answers to a check, 0 for checkmate. Drops on one square count once, and so do a move with and without
    /// promotion: the solver looks at the second only when the first has failed. The default is that of a game
    /// without drops and promotions.
    fn answers(&self) -> usize {
        self.count()
    }
    /// One of these legal checks after which the other side has no legal move, if that is found cheaply.
    fn mate_among(&self, _checks: &[Move]) -> Option<Move> {
        None
    }
}
