//! The state that the search keeps for each ply of the current line.

use super::correction::PartKeys;
use super::history::{Step, Steps};
use arrayvec::ArrayVec;
use sanban_rules::score::{MAX_PLY, NO_SCORE};
use sanban_rules::{Move, Score};
use std::ops::{Index, IndexMut};

/// A principal variation. Principal variations are stored separately from the frames, which are cleared before each
/// search.
pub(super) type Pv = ArrayVec<Move, { MAX_PLY + 2 }>;

/// The search state of one ply.
#[derive(Clone, Copy)]
pub(super) struct Frame {
    /// Keys of the parts of this ply's position.
    pub keys: PartKeys,
    /// The move being searched; `None` for a null move.
    pub mv: Option<Move>,
    /// The same move as an index of the continuation history.
    pub step: Step,
    /// Whether the move is a capture or a pawn promotion, and the captured piece (see `SearchPosition::victim`).
    pub noisy: bool,
    pub victim: usize,
    /// Rank of the move in its node, from 1.
    pub move_count: i32,
    /// History score of the move.
    pub stat_score: i32,
    /// Number of plies by which the search of the move is reduced.
    pub reduction: i32,
    /// Whether the side to move is in check.
    pub in_check: bool,
    /// Corrected static evaluation; when in check, the one two plies before.
    pub static_eval: Score,
    /// Whether the position was in the transposition table.
    pub tt_hit: bool,
    /// Whether the position is or was on a principal variation.
    pub tt_pv: bool,
    /// Whether the line so far follows the principal variation of the last iteration.
    pub follows_pv: bool,
    /// The move excluded by a singular search.
    pub excluded: Option<Move>,
    /// Number of cut-offs at this ply since the grandparent node was entered (at ply 1: since the search began).
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

/// Number of plies before the root that a node may refer to.
const BEFORE: usize = 7;

/// The frames of all plies, indexed by ply, preceded by empty frames before the root.
pub(super) struct Stack(Box<[Frame]>);

impl Stack {
    pub fn new() -> Self {
        Self(vec![Frame::default(); BEFORE + MAX_PLY + 4].into())
    }

    /// Clears the frames for a new search.
    pub fn clear(&mut self) {
        self.0.fill(Frame::default());
    }

    /// The frame `plies` plies before the given ply, at most seven.
    #[inline]
    pub fn back(&self, ply: usize, plies: usize) -> &Frame {
        &self.0[BEFORE + ply - plies]
    }

    /// The mutable version of [`Stack::back`].
    #[inline]
    pub fn back_mut(&mut self, ply: usize, plies: usize) -> &mut Frame {
        &mut self.0[BEFORE + ply - plies]
    }

    /// The moves one to six plies before a ply.
    #[inline]
    pub fn steps(&self, ply: usize) -> Steps {
        let [f, e, d, c, b, a] = &self.0[BEFORE + ply - 6..][..6] else {
            unreachable!("the slice has six frames")
        };
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
