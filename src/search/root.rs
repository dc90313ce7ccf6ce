//! The moves of the root and what the search found out about them.

use super::Bound;
use crate::base::score::INFINITE;
use crate::base::{Move, Score};

/// One root move.
#[derive(Clone, Debug)]
pub(super) struct RootMove {
    pub mv: Move,
    /// Score of this iteration; `-INFINITE` when it was not better than the best.
    pub score: Score,
    /// Score of the iteration before.
    pub previous: Score,
    pub bound: Bound,
    /// Depth in plies of the iteration that found the score, and its deepest ply.
    pub depth: u32,
    pub seldepth: u32,
    /// The line, which begins with the move.
    pub pv: Vec<Move>,
    /// Nodes spent on the move.
    pub effort: u64,
}

impl RootMove {
    pub fn new(mv: Move) -> Self {
        Self {
            mv,
            score: -INFINITE,
            previous: -INFINITE,
            bound: Bound::Exact,
            depth: 0,
            seldepth: 0,
            pv: vec![mv],
            effort: 0,
        }
    }

    /// The score to show: that of this iteration, or of the one before while there is none.
    pub fn reported(&self) -> (Score, Bound) {
        match (self.score, self.previous) {
            (score, _) if score != -INFINITE => (score, self.bound),
            (_, previous) if previous != -INFINITE => (previous, Bound::Exact),
            _ => (0, Bound::Exact),
        }
    }

    /// Was it ever found to be the best?
    pub fn is_scored(&self) -> bool {
        self.score != -INFINITE || self.previous != -INFINITE
    }

    /// For sorting: the best score first, then the better one of the iteration before.
    pub fn key(&self) -> (Score, Score) {
        (-self.score, -self.previous)
    }
}
