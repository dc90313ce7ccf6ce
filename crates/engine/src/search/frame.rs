//! The state that the search keeps for each ply of the current line.

use super::correction::PartKeys;
use super::history::{Step, Steps};
use arrayvec::ArrayVec;
use sanban_rules::score::{MAX_PLY, NO_SCORE};
use sanban_rules::{Move, Score};
use std::ops::{Index, IndexMut};

/// A principal variation. Those of all plies are stored separately from the frames, which are cleared before each
/// search.
pub(super) type Pv = ArrayVec<Move, { MAX_PLY + 2 }>;

/// One ply.
#[derive(Clone, Copy)]
pub(super) struct Frame {
    /// Keys of the parts of this ply's position.
    pub keys: PartKeys,
    /// The move being searched; `None` is a null move.
    pub mv: Option<Move>,
    /// The same move as an index of the continuation history.
    pub step: Step,
    /// Is the move a capture or a pawn promotion, and which piece does it capture (see `SearchPosition::victim`)?
    pub noisy: bool,
    pub victim: usize,
    /// Rank of the move in its node, from 1.
    pub move_count: i32,
    /// History of the move.
    pub stat_score: i32,
    /// Plies that the search of the move was reduced by.
    pub reduction: i32,
    /// Is the side to move in check?
    pub in_check: bool,
    /// Corrected static evaluation; in check that of two plies before.
    pub static_eval: Score,
    /// Was the position in the transposition table?
    pub tt_hit: bool,
    /// Is or was the position on a principal variation?
    pub tt_pv: bool,
    /// Does the line so far follow the last iteration's principal variation?
    pub follows_pv: bool,
    /// The move excluded by a singular search.
    pub excluded: Option<Move>,
    /// Beta cut-offs of the nodes at this ply since the node two plies up began (at ply 1: since the search did).
    pub cutoffs: i32,
}

impl Default for Frame {
    fn default() -> Self {
        Self {
            keys: PartKeys::default(),
            mv: None,
            step: Step::default(),
            noisy: false,
            victim: 0,
            move_count: 0,
            stat_score: 0,
            reduction: 0,
            in_check: false,
            static_eval: NO_SCORE,
            tt_hit: false,
            tt_pv: false,
            follows_pv: false,
            excluded: None,
            cutoffs: 0,
        }
    }
}

/// Plies before the root that a node may refer to.
const BEFORE: usize = 7;

/// The frames of all plies, and empty ones before the root. An index is a ply.
pub(super) struct Stack(Box<[Frame]>);

impl Stack {
    pub fn new() -> Self {
        Self(vec![Frame::default(); BEFORE + MAX_PLY + 4].into())
    }

    /// A new search begins.
    pub fn clear(&mut self) {
        self.0.fill(Frame::default());
    }

    /// The frame `plies` plies before the given ply, at most seven.
    #[inline]
    pub fn back(&self, ply: usize, plies: usize) -> &Frame {
        &self.0[BEFORE + ply - plies]
    }

    /// The same, mutable.
    #[inline]
    pub fn back_mut(&mut self, ply: usize, plies: usize) -> &mut Frame {
        &mut self.0[BEFORE + ply - plies]
    }

    /// The moves one to six plies before a ply.
    #[inline]
    pub fn steps(&self, ply: usize) -> Steps {
        let [f, e, d, c, b, a] = &self.0[BEFORE + ply - 6..][..6] else { unreachable!("six of six") };
        [a.step, b.step, c.step, d.step, e.step, f.step]
    }

    /// The moves one to six plies before the move that led to a ply.
    #[inline]
    pub fn steps_before_last(&self, ply: usize) -> Steps {
        self.steps(ply - 1)
    }
}

impl Index<usize> for Stack {
    type Output = Frame;

    #[inline]
    fn index(&self, ply: usize) -> &Frame {
        &self.0[BEFORE + ply]
    }
}

impl IndexMut<usize> for Stack {
    #[inline]
    fn index_mut(&mut self, ply: usize) -> &mut Frame {
        &mut self.0[BEFORE + ply]
    }
}
