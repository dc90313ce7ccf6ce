//! Weaker, human-like play: a shorter search, and a randomised choice among the best moves.

use super::root::RootMove;
use sanban_rules::score::DECISIVE;
use sanban_rules::{Rng, Score};

/// Number of lines that a weakened player chooses from.
pub(super) const LINES: usize = 4;

/// The node limit of a player, raised to the minimum needed to compare all moves.
pub(super) fn nodes(nodes: u64, moves: usize) -> u64 {
    nodes.max(2 * (LINES * moves) as u64)
}

/// Moves the player's choice to the front: the move with the best score after a random error of up to `error`
/// centipawns has been added to each score. `seed` determines the errors. A mate that was found is always played.
pub(super) fn choose(roots: &mut [RootMove], error: Score, seed: u64) {
    let (best, bound) = roots[0].reported();
    if best > DECISIVE && bound.is_lower() {
        return;
    }
    let mut rng = Rng::new(seed);
    let error = error.max(0) as usize;
    // Moves that were not searched in time are not chosen.
    let lines = roots.iter().take(LINES).take_while(|root| root.is_scored()).count();
    let looks = |root: &RootMove| root.reported().0 + rng.below(error + 1) as i32;
    let looks: Vec<_> = roots[..lines].iter().map(looks).collect();
    // Among equal scores, the first move is chosen.
    if let Some((chosen, _)) = looks.iter().enumerate().rev().max_by_key(|&(_, &score)| score) {
        roots[..=chosen].rotate_right(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sanban_rules::Move;
    use sanban_rules::score::{MAX_EVAL, mate_in, mated_in};

    fn roots() -> Vec<RootMove> {
        let scored = |(i, score)| RootMove { score, ..RootMove::new(Move::board(0, i)) };
        [(1, 100), (2, 80), (3, -50), (4, -2000)].map(scored).to_vec()
    }

    #[test]
    fn beginners_vary_but_do_not_throw_games_away() {
        let mut chosen = [0; 5];
        for seed in 0..1000 {
            let mut roots = roots();
            choose(&mut roots, 300, seed);
            chosen[roots[0].mv.to()] += 1;
        }
        assert!(chosen[1] > chosen[2] && chosen[2] > chosen[3] && chosen[3] > 0, "{chosen:?}");
        assert_eq!(chosen[4], 0);
    }

    /// Moves without a score are never chosen.
    #[test]
    fn what_was_not_looked_at_is_not_chosen() {
        for seed in 0..100 {
            let mut roots = vec![RootMove { score: -900, ..RootMove::new(Move::board(0, 1)) }];
            roots.extend((2..5).map(|to| RootMove::new(Move::board(0, to))));
            choose(&mut roots, 300, seed);
            assert_eq!(roots[0].mv.to(), 1);
        }
    }

    /// Errors neither delay a mate nor give up one for a large advantage.
    #[test]
    fn a_mate_that_was_found_is_played() {
        let found = |second| [mate_in(1), second, 500].map(|score| RootMove { score, ..roots()[0].clone() });
        for (second, seed) in [mate_in(3), MAX_EVAL].into_iter().flat_map(|s| (0..100).map(move |n| (s, n))) {
            let mut roots = found(second);
            choose(&mut roots, 10_000, seed);
            assert_eq!(roots[0].score, mate_in(1));
        }
        // A player that is mated still defends as well as it can see.
        let lost = [mated_in(8), mated_in(2)].map(|score| RootMove { score, ..roots()[0].clone() });
        let last = (0..100).filter(|&seed| {
            let mut roots = lost.clone();
            choose(&mut roots, 900, seed);
            roots[0].score == mated_in(2)
        });
        assert!((20..80).contains(&last.count()));
    }

    #[test]
    fn smaller_errors_choose_better() {
        let best = |error| {
            (0..1000).filter(move |&seed| {
                let mut roots = roots();
                choose(&mut roots, error, seed);
                roots[0].mv.to() == 1
            })
        };
        assert!(best(300).count() < best(75).count() && best(75).count() < best(15).count());
    }
}
