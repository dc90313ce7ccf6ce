//! What the search keeps of each ply of the line it is in.

use super::history::Step;
use crate::base::score::MAX_PLY;
use crate::base::{Move, Score};
use arrayvec::ArrayVec;

/// A principal variation. Those of all plies are kept apart from the frames, which are wiped before each search.
pub(super) type Pv = ArrayVec<Move, { MAX_PLY + 2 }>;

/// One ply.
#[derive(Clone, Copy, Default)]
pub(super) struct Frame {
    /// The move being searched; `None` is a null move.
    pub mv: Option<Move>,
    /// The same, as the continuation history knows it.
    pub step: Step,
    /// Corrected static evaluation; `None` in check.
    pub eval: Option<Score>,
    /// Quiet moves that refuted neighbouring nodes.
    pub killers: [Option<Move>; 2],
    /// The move that a singular search leaves out.
    pub excluded: Option<Move>,
    /// Beta cut-offs of the nodes at this ply since the node two plies up began (at ply 1: since the search did).
    pub cutoffs: u32,
    /// Double extensions in the line up to here.
    pub doubles: u32,
}

impl Frame {
    /// A quiet move refuted this node.
    pub fn add_killer(&mut self, mv: Move) {
        if self.killers[0] != Some(mv) {
            self.killers = [Some(mv), self.killers[0]];
        }
    }
}
