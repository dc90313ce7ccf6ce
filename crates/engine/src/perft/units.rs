//! Splits a deep count into units: the distinct positions a few plies below the root, with the number of lines that
//! lead to each of them.

use sanban_rules::{AnyPosition, Move};
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
/// use sanban_rules::{AnyPosition, VariantId};
/// let units = units(&AnyPosition::new(VariantId::Shogi), 3);
/// assert_eq!(units.iter().map(|unit| unit.times).sum::<u64>(), 25_470);
/// ```
pub fn units(root: &AnyPosition, split: u32) -> Vec<Unit> {
    let mut level = vec![Unit { moves: vec![], times: 1 }];
    for _ in 0..split {
        level = below(root, &level);
    }
    level
}

/// Returns the distinct positions one ply below those of `level`.
fn below(root: &AnyPosition, level: &[Unit]) -> Vec<Unit> {
    let mut out: Vec<Unit> = Vec::new();
    let mut known: HashMap<u128, usize> = HashMap::new();
    let mut pos = root.clone();
    for unit in level {
        unit.moves.iter().for_each(|&mv| pos.play(mv));
        for mv in pos.legal_moves() {
            pos.play(mv);
            let after = identity(&pos);
            pos.undo();
            let at = *known.entry(after).or_insert_with(|| {
                out.push(Unit { moves: [&unit.moves[..], &[mv]].concat(), times: 0 });
                out.len() - 1
            });
            out[at].times += unit.times;
        }
        unit.moves.iter().for_each(|_| pos.undo());
    }
    out
}

/// Returns an identifier of a position: the Zobrist key and a checksum of the SFEN without its move count, which are
/// unlikely to collide together. Equal boards have different identifiers if a history rule has ended the game in one of
/// them.
fn identity(pos: &AnyPosition) -> u128 {
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
    use crate::Engine;
    use crate::perft::Perft;
    use crate::search::Signals;
    use sanban_rules::VariantId;
    use std::collections::HashSet;

    fn after(root: &AnyPosition, unit: &Unit) -> AnyPosition {
        let mut pos = root.clone();
        unit.moves.iter().for_each(|&mv| pos.play(mv));
        pos
    }

    #[test]
    fn units_count_as_much_as_the_whole() {
        let perft = Perft::default();
        for &id in VariantId::ALL {
            let mut sfens = vec![(id.info().start.to_string(), 3)];
            <dyn Engine>::new(id).bench(1, &Signals::default(), &mut |sfen, _| sfens.push((sfen.into(), 2)));
            for (sfen, depth) in sfens {
                let root = AnyPosition::parse(id, &sfen).expect("a valid position");
                for split in 0..=depth {
                    let leaves = |unit: &Unit| unit.times * perft.total(&after(&root, unit), depth - split);
                    let sum: u64 = units(&root, split).iter().map(leaves).sum();
                    assert_eq!(sum, perft.total(&root, depth), "{id} {sfen} {split}");
                }
            }
        }
    }

    #[test]
    fn every_position_is_there_once() {
        let root = AnyPosition::new(VariantId::Shogi);
        let sizes = |split| units(&root, split).len();
        // Two moves of one side lead to the same position in either order if nothing is promoted or captured.
        assert_eq!((sizes(0), sizes(1), sizes(2)), (1, 30, 900));
        let three = units(&root, 3);
        let sfens: HashSet<String> = three.iter().map(|unit| after(&root, unit).sfen()).collect();
        assert_eq!(sfens.len(), three.len());
        assert!(three.len() < 25_470 && three.iter().any(|unit| unit.times > 1));
    }
}
