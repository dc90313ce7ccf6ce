//! The moves of the root and their search results.

use super::Bound;
use sanban_rules::score::{DECISIVE, INFINITE};
use sanban_rules::{Move, Score};

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
    /// Mean of its scores so far, the newest counting half, and of their squares (with the sign of the score).
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

    /// A search of the move returned this score.
    pub fn note_score(&mut self, score: Score) {
        let square = i64::from(score) * i64::from(score.abs());
        self.mean_square = self.mean.map_or(square, |_| (self.mean_square + square) / 2);
        self.mean = Some(self.mean.map_or(score, |mean| (mean + score) / 2));
    }

    /// The score to show: that of this iteration, or of the previous one if this one has no score yet.
    pub fn reported(&self) -> (Score, Bound) {
        match (self.score, self.previous) {
            (score, _) if score != -INFINITE => (score, self.bound),
            (_, previous) if previous != -INFINITE => (previous, Bound::Exact),
            _ => (0, Bound::Exact),
        }
    }

    /// Was the move ever found to be the best?
    pub fn is_scored(&self) -> bool {
        self.score != -INFINITE || self.previous != -INFINITE
    }

    /// For sorting: the best score first, then the better one of the iteration before.
    pub fn key(&self) -> (Score, Score) {
        (-self.score, -self.previous)
    }
}

/// Puts the best move of an incomplete iteration before the lines of the previous one, if it differs from the best move
/// there and no line is better.
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
