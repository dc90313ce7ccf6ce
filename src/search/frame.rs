//! What the search keeps of each ply of the line it is in.

use crate::base::score::MAX_PLY;
use crate::base::{Move, Score};
use arrayvec::ArrayVec;

/// A principal variation.
pub(super) type Pv = ArrayVec<Move, { MAX_PLY + 2 }>;

/// One ply.
#[derive(Clone, Default)]
pub(super) struct Frame {
    /// Best line from here, as far as it is known.
    pub pv: Pv,
    /// The move being searched; `None` is a null move.
    pub mv: Option<Move>,
    /// Static evaluation; `None` in check.
    pub eval: Option<Score>,
    /// Quiet moves that refuted neighbouring nodes.
    pub killers: [Option<Move>; 2],
}

impl Frame {
    /// A quiet move refuted this node.
    pub fn add_killer(&mut self, mv: Move) {
        if self.killers[0] != Some(mv) {
            self.killers = [Some(mv), self.killers[0]];
        }
    }
}
