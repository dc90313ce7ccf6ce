//! Correction history: the error of the static evaluation relative to search results, in positions that share a feature
//! with the current one (its pawns, a side's pieces, the hands, the last moves).

use super::history::{Step, gravity};
use crate::params::Params;
use sanban_rules::{Color, Observer, Parts, Placement, Rng, Score, SearchPosition};
use sanban_system::prefetch;

/// Number of entries per side of every table.
const ROWS: usize = 1 << 14;
/// Maximum absolute value of an entry.
const LIMIT: i32 = 1024;
/// Units of a weighted correction per centipawn.
const UNIT: i32 = 131_072;

/// The keys of the parts of a position, in the order of the bits of [`Parts`].
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub(super) struct PartKeys([u64; Parts::COUNT]);

/// The contribution of every placement to the keys.
pub(super) struct PartTable(Box<[(u64, Parts)]>);

impl PartTable {
    pub fn new<P: SearchPosition>() -> Self {
        let mut rng = Rng::new(0x5041_5254);
        Self((0..P::PLACEMENTS).map(|i| (rng.next(), P::parts(Placement(i as u16)))).collect())
    }

    /// Computes the keys of a position from scratch.
    pub fn keys<P: SearchPosition>(&self, pos: &P) -> PartKeys {
        let mut keys = PartKeys::default();
        pos.placements(|placement| {
            Listener { table: self, keys: &mut keys, evaluator: &mut () }.put(placement)
        });
        keys
    }
}

/// An observer that updates the keys of the parts and the evaluator.
pub(super) struct Listener<'a, O> {
    pub table: &'a PartTable,
    pub keys: &'a mut PartKeys,
    pub evaluator: &'a mut O,
}

impl<O> Listener<'_, O> {
    #[inline]
    fn toggle(&mut self, placement: Placement) {
        let (key, parts) = self.table.0[placement.index()];
        for (bit, part) in self.keys.0.iter_mut().enumerate() {
            *part ^= if parts.bits() >> bit & 1 != 0 { key } else { 0 };
        }
    }
}

impl<O: Observer> Observer for Listener<'_, O> {
    #[inline]
    fn put(&mut self, placement: Placement) {
        self.toggle(placement);
        self.evaluator.put(placement);
    }

    #[inline]
    fn take(&mut self, placement: Placement) {
        self.toggle(placement);
        self.evaluator.take(placement);
    }
}

impl PartKeys {
    /// The key of the pawns, which also indexes the pawn history.
    #[inline]
    pub fn pawns(&self) -> u64 {
        self.0[0]
    }
}

/// The inputs of a correction: the side to move, the keys of the parts, and the moves one, two and four plies before.
#[derive(Clone, Copy)]
pub(super) struct Context {
    pub side: Color,
    pub keys: PartKeys,
    pub last: Step,
    pub earlier: [Step; 2],
}

/// The correction tables of one thread.
pub(super) struct CorrectionHistory {
    /// Corrections by part, side and key.
    parts: Box<[i16]>,
    /// Corrections by the moves one and two plies before, and by the moves one and four plies before.
    moves: [Box<[i16]>; 2],
}

impl CorrectionHistory {
    pub fn new() -> Self {
        Self {
            parts: vec![0; Parts::COUNT * 2 * ROWS].into(),
            moves: [(); 2].map(|()| vec![0; 2 * ROWS].into()),
        }
    }

    /// Clears all entries.
    pub fn clear(&mut self) {
        self.parts.fill(0);
        self.moves.iter_mut().for_each(|table| table.fill(0));
    }

    #[inline]
    fn part_row(side: Color, keys: &PartKeys, part: usize) -> usize {
        let row = (keys.0[part] >> (64 - ROWS.ilog2())) as usize;
        (part * 2 + side.index()) * ROWS + row
    }

    /// Prefetches the entries that [`CorrectionHistory::value`] will read.
    #[inline]
    pub fn prefetch(&self, context: &Context) {
        for part in 0..Parts::COUNT {
            prefetch(&self.parts[Self::part_row(context.side, &context.keys, part)]);
        }
        for (table, &earlier) in self.moves.iter().zip(&context.earlier) {
            prefetch(&table[Self::move_row(context.last, earlier)]);
        }
    }

    #[inline]
    fn move_row(last: Step, earlier: Step) -> usize {
        (last.pair(earlier) >> (u64::BITS - (2 * ROWS).ilog2())) as usize
    }

    /// The correction in 131072nds of a centipawn.
    #[inline]
    pub fn value(&self, p: &Params, context: &Context) -> i32 {
        let weights = [
            p.correction_pawns,
            p.correction_minors,
            p.correction_pieces,
            p.correction_pieces,
            p.correction_hands,
        ];
        let mut value: i32 = (0..Parts::COUNT)
            .map(|part| {
                weights[part] * i32::from(self.parts[Self::part_row(context.side, &context.keys, part)])
            })
            .sum();
        if !context.last.is_none() {
            for (table, &earlier) in self.moves.iter().zip(&context.earlier) {
                value += p.correction_moves * i32::from(table[Self::move_row(context.last, earlier)]);
            }
        }
        value
    }

    /// The corrected static evaluation, in centipawns.
    #[inline]
    pub fn apply(eval: Score, value: i32) -> Score {
        eval + value / UNIT
    }

    /// Updates the tables after a search of `depth` plies whose score exceeded the corrected evaluation by `difference`
    /// centipawns. `factor`: the weight of the update, in 128ths.
    pub fn update(&mut self, context: &Context, difference: Score, depth: i32, factor: i32) {
        let bonus = (difference.saturating_mul(depth * factor) / 128).clamp(-LIMIT / 4, LIMIT / 4);
        let shares = [128, 153, 187, 187, 153];
        for (part, share) in shares.into_iter().enumerate() {
            gravity(
                &mut self.parts[Self::part_row(context.side, &context.keys, part)],
                bonus * share / 128,
                LIMIT,
            );
        }
        if !context.last.is_none() {
            for ((table, &earlier), share) in self.moves.iter_mut().zip(&context.earlier).zip([126, 63]) {
                gravity(&mut table[Self::move_row(context.last, earlier)], bonus * share / 128, LIMIT);
            }
        }
    }
}
