//! The moves of the root and their search results.

use super::Bound;
use sanban_rules::score::{DECISIVE, INFINITE};
use sanban_rules::{Move, Score};

/// One root move.
#[derive(Clone, Debug)]
pub(super) struct RootMove {
    pub mv: Move,
    /// Score of this iteration; `-INFINITE` if there is none, or if a move after the first did not raise alpha.
    pub score: Score,
    /// Score of the previous iteration.
    pub previous: Score,
    pub bound: Bound,
    /// Depth in plies of the iteration that found the score, and the deepest ply it reached.
    pub depth: u32,
    pub seldepth: u32,
    /// The principal variation, which begins with the move.
    pub pv: Vec<Move>,
    /// Nodes spent on the move.
    pub effort: u64,
    /// Running mean of the move's scores, in which the newest score counts half, and of their signed squares.
    pub mean: Option<Score>,
    pub mean_square: i64,
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
            mean: None,
            mean_square: 0,
        }
    }

    /// Records a score that a search of the move returned.
    pub fn note_score(&mut self, score: Score) {
        let square = i64::from(score) * i64::from(score.abs());
        self.mean_square = self.mean.map_or(square, |_| (self.mean_square + square) / 2);
        self.mean = Some(self.mean.map_or(score, |mean| (mean + score) / 2));
    }

    /// The score to report: that of this iteration, or of the previous one if this one has no score yet.
    pub fn reported(&self) -> (Score, Bound) {
        match (self.score, self.previous) {
            (score, _) if score != -INFINITE => (score, self.bound),
            (_, previous) if previous != -INFINITE => (previous, Bound::Exact),
            _ => (0, Bound::Exact),
        }
    }

    /// Whether the move has a score from this or the previous iteration.
    pub fn is_scored(&self) -> bool {
        self.score != -INFINITE || self.previous != -INFINITE
    }

    /// The sort key: the best score first; equal scores are ordered by the score of the previous iteration.
    pub fn key(&self) -> (Score, Score) {
        (-self.score, -self.previous)
    }
}

/// Moves the best move of an incomplete iteration ahead of the lines of the previous one, unless it is already first or
/// loses by force. Higher scores of other moves are lowered to its score.
pub(super) fn take_lead(roots: &mut Vec<RootMove>, best: RootMove) {
    if roots[0].mv == best.mv || best.score <= -DECISIVE {
        return;
    }
    roots.retain(|root| root.mv != best.mv);
    for root in roots.iter_mut() {
        root.score = root.score.min(best.score);
    }
    roots.insert(0, best);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refuted_move_does_not_lead() {
        let root = |to, score| RootMove { score, ..RootMove::new(Move::board(0, to)) };
        let lines = |roots: &[RootMove]| roots.iter().map(|r| (r.mv.to(), r.score)).collect::<Vec<_>>();
        let before = vec![root(1, 100), root(2, 20), root(3, 10)];
        let after = |best| {
            let mut roots = before.clone();
            take_lead(&mut roots, best);
            lines(&roots)
        };
        assert_eq!(after(root(2, 15)), [(2, 15), (1, 15), (3, 10)]);
        assert_eq!(after(root(4, 300)), [(4, 300), (1, 100), (2, 20), (3, 10)]);
        assert_eq!(after(root(1, -50)), lines(&before));
        assert_eq!(after(root(2, -DECISIVE - 1)), lines(&before));
    }
}
