//! Splits a deep count into units: the distinct positions a few plies below the root, with the number of lines that
//! lead to each of them.

use super::after;
use sanban_rules::{Move, SearchPosition};
use sanban_system::checksum;
use std::collections::HashMap;

/// A position below the root.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unit {
    /// The first line of moves found that leads to the position.
    pub moves: Vec<Move>,
    /// Number of lines of that length that lead to the position.
    pub times: u64,
}

/// Returns the distinct positions `split` plies below the root, in an order that is the same on every machine. The leaf
/// count of the root is the sum of the leaf counts of the units, each multiplied by [`Unit::times`].
///
/// ```
/// use sanban_engine::perft::units;
/// use sanban_rules::{Shogi, Variant, perft};
/// let root = Shogi::parse(Shogi::START)?;
/// let units = units(&root, 3);
/// assert_eq!(units.iter().map(|unit| unit.times).sum::<u64>(), perft(&root, 3));
/// # Ok::<(), sanban_rules::SfenError>(())
/// ```
pub fn units<P: SearchPosition>(root: &P, split: u32) -> Vec<Unit> {
    let mut level = vec![Unit { moves: vec![], times: 1 }];
    for _ in 0..split {
        level = below(root, &level);
    }
    level
}

/// Returns the distinct positions one ply below those of `level`.
fn below<P: SearchPosition>(root: &P, level: &[Unit]) -> Vec<Unit> {
    let mut out: Vec<Unit> = Vec::new();
    let mut known: HashMap<u128, usize> = HashMap::new();
    let mut pos = root.clone();
    for unit in level {
        unit.moves.iter().for_each(|&mv| pos.make(mv, &mut ()));
        for mv in pos.legal_moves() {
            let at = *known.entry(after(&mut pos, mv, identity)).or_insert_with(|| {
                out.push(Unit { moves: [&unit.moves[..], &[mv]].concat(), times: 0 });
                out.len() - 1
            });
            out[at].times += unit.times;
        }
        unit.moves.iter().for_each(|_| pos.unmake());
    }
    out
}

/// Returns an identifier of a position: the Zobrist key and a checksum of the SFEN without its move count, which are
/// unlikely to collide together. Equal boards have different identifiers if a history rule has ended the game in one of
/// them.
fn identity<P: SearchPosition>(pos: &mut P) -> u128 {
    let mut sfen = pos.sfen();
    if let Some(count) = sfen.rfind(' ') {
        sfen.truncate(count);
    }
    sfen.push(if pos.count() > 0 { '+' } else { '-' });
    u128::from(pos.key()) << 64 | u128::from(checksum(sfen.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Game;
    use sanban_rules::Variant;
    use sanban_rules::perft::plain;
    use sanban_rules::{Shogi, VariantId, with_variant};
    use std::collections::HashSet;

    fn sum<P: SearchPosition>(root: &P, split: u32, depth: u32) -> u64 {
        let leaves = |unit: &Unit| {
            let mut pos = root.clone();
            unit.moves.iter().for_each(|&mv| pos.make(mv, &mut ()));
            unit.times * plain(&mut pos, depth - split)
        };
        units(root, split).iter().map(leaves).sum()
    }

    #[test]
    fn units_count_as_much_as_the_whole() {
        for &id in VariantId::ALL {
            with_variant!(id, G => {
                for (sfen, depth) in G::BENCH.iter().map(|&sfen| (sfen, 2)).chain([(G::START, 3)]) {
                    let root = G::parse(sfen).expect("a valid position");
                    for split in 0..=depth {
                        assert_eq!(sum(&root, split, depth), plain(&mut root.clone(), depth), "{id} {sfen} {split}");
                    }
                }
            });
        }
    }

    #[test]
    fn every_position_is_there_once() {
        let root = Shogi::parse(Shogi::START).expect("the start position");
        let sizes = |split| units(&root, split).len();
        // Two moves of one side lead to the same position in either order if nothing is promoted or captured.
        assert_eq!((sizes(0), sizes(1), sizes(2)), (1, 30, 900));
        let three = units(&root, 3);
        let sfens: HashSet<String> = three
            .iter()
            .map(|unit| {
                let mut pos = root.clone();
                unit.moves.iter().for_each(|&mv| pos.make(mv, &mut ()));
                pos.sfen()
            })
            .collect();
        assert_eq!(sfens.len(), three.len());
        assert!(three.len() < 25_470 && three.iter().any(|unit| unit.times > 1));
    }
}
