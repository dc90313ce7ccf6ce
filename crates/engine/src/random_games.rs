//! Positions of random games, for tests.

use crate::Evaluator;
use sanban_rules::sfen::flip;
use sanban_rules::{Position, Rng, Score, Variant};

/// Every tenth position of 20 random games, as SFEN.
pub fn positions<V: Variant>() -> Vec<String> {
    let (mut rng, mut out) = (Rng::new(1), vec![]);
    for _ in 0..20 {
        let mut pos = V::parse(V::START).expect("the start position");
        for ply in 0..200 {
            if ply % 10 == 0 {
                out.push(pos.sfen());
            }
            let moves = pos.legal_moves();
            if moves.is_empty() {
                break;
            }
            pos.make(moves[rng.below(moves.len())], &mut ());
        }
    }
    assert!(out.len() > 100);
    out
}

/// Evaluates a position from scratch.
pub fn evaluate<E: Evaluator<P> + Default, P: Position>(pos: &P) -> Score {
    let mut eval = E::default();
    eval.reset(pos);
    eval.evaluate(pos)
}

/// Asserts that rotating the board and swapping the colours does not change the evaluation.
pub fn assert_symmetric<V: Variant, E: Evaluator<V::Position> + Default>() {
    let evaluate = evaluate::<E, V::Position>;
    for sfen in positions::<V>() {
        let [pos, turned] =
            [V::parse(&sfen), V::parse(&flip(&sfen))].map(|pos| pos.expect("a valid position"));
        assert_eq!(evaluate(&pos), evaluate(&turned), "{sfen}");
    }
}
