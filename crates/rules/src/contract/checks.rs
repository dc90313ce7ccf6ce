//! The interface of positions for the mate solver.

use super::SearchPosition;
use crate::{Color, Move, MoveList};

/// The methods that a mate solver needs beyond the rules.
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
    /// A side's hand, packed so that the bits of two hands can be added, as long as the sum has no more pieces than the
    /// game.
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
    /// The same position in which `side` has this hand and the other side the remaining pieces in hand. `None` if the
    /// two hands do not have these pieces, or the game has no hands.
    fn with_hand(&self, _side: Color, _hand: u32) -> Option<Self> {
        None
    }
    /// The pieces in hand `a` whose kinds `b` does not have.
    fn hand_without(_a: u32, _b: u32) -> u32 {
        0
    }
    /// Can a check against the side to move be answered by an interposed drop? True when in doubt.
    fn can_interpose(&self) -> bool {
        false
    }
    /// Number of answers to a check, 0 for checkmate. Drops on one square count once, and so do a move with and without
    /// promotion: the solver looks at the second only when the first has failed. The default is that of a game
    /// without drops and promotions.
    fn answers(&self) -> usize {
        self.count()
    }
    /// A check among these after which the other side has no legal move, if one is found cheaply.
    fn mate_among(&self, _checks: &[Move]) -> Option<Move> {
        None
    }
}
