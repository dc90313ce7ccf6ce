//! Positions of random games, for tests.

use sanban_rules::sfen::flip;
use sanban_rules::{Position, Rng, Score, Variant};

/// Every tenth position of some random games, as SFEN.
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

/// The rotated board with colours exchanged has the same value.
pub fn assert_symmetric<V: Variant>(evaluate: impl Fn(&V::Position) -> Score) {
    for sfen in positions::<V>() {
        let [pos, turned] = [V::parse(&sfen), V::parse(&flip(&sfen))].map(|pos| pos.expect("a position"));
        assert_eq!(evaluate(&pos), evaluate(&turned), "{sfen}");
    }
}
