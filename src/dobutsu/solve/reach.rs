//! Which positions a game can lead to.

use super::bytes::Bytes;
use super::error::SolveError;
use super::moves::Steps;
use super::retrograde::{task_blocks, tasks};
use super::{SolveProgress, Summary};
use crate::base::memory::Memory;
use crate::base::prefetch;
use crate::dobutsu::index::{BLOCKS, Block, Place, SLOTS, Slot};
use crate::dobutsu::table::Value;
use rayon::prelude::*;
use std::ops::Range;
use std::sync::atomic::{
    AtomicBool, AtomicU64,
    Ordering::{AcqRel, Relaxed, Release},
};

/// Children that are collected before the bits are touched, so that the waits for memory overlap.
const BATCH: usize = 256;
/// A bit a slot.
type Bits = Memory<AtomicU64>;

/// The positions that games lead to, up to where the game is over or the lion can be captured.
pub struct Reached(Bits);

struct Walk {
    mate: bool,
    /// Reached. Where a position and its mirror image have slots of their own, both are.
    seen: Bits,
    /// Its children are reached too.
    done: Bits,
    /// Blocks with slots that were reached since they were last looked at.
    due: Vec<AtomicBool>,
}

impl Reached {
    /// Walks from a position, on the current rayon pool. An error says that there is no memory (a quarter of a byte a slot).
    pub fn from(start: &Slot, mate: bool, progress: &dyn SolveProgress) -> Result<Self, SolveError> {
        let bits = || Memory::new(SLOTS.div_ceil(64)).ok_or(SolveError::Memory(SLOTS / 8));
        let due = (0..BLOCKS).map(|_| AtomicBool::default()).collect();
        let walk = Walk { mate, seen: bits()?, done: bits()?, due };
        walk.mark(&mut [*start, start.mirrored()].iter().filter_map(Slot::place).collect());
        progress.phase("finding reachable positions", SLOTS as u64);
        // In place rather than ply by ply: which order the positions come in does not matter, and few rounds are enough.
        loop {
            let found = tasks().map_init(Vec::new, |batch, task| {
                let found = walk.expand(task, batch);
                progress.advance(found);
                found
            });
            if found.sum::<u64>() == 0 {
                return Ok(Self(walk.seen));
            }
        }
    }

    /// Sums up the values of all that is reached.
    pub fn summary(&self, bytes: &Bytes) -> Summary {
        let sum = |task| {
            let mut summary = Summary::default();
            for number in task_blocks(task) {
                let block = Block::new(number);
                let range = block.range();
                let middle = block.base.is_middle();
                let seen = |n: usize, mask| self.0[n].load(Relaxed) & mask;
                each_bit(range.clone(), seen, |index| {
                    let image =
                        if middle { block.slot(index - range.start).mirrored().place() } else { None };
                    if image.is_none_or(|image| image.index as usize >= index) {
                        summary.add(Value::from_byte(bytes.get(index)));
                    }
                });
            }
            summary
        };
        tasks().map(sum).reduce(Summary::default, Summary::plus)
    }
}

/// Calls `f` with the number of every set bit within a range; `word` gives a word's bits within a mask.
#[inline]
fn each_bit(range: Range<usize>, word: impl Fn(usize, u64) -> u64, mut f: impl FnMut(usize)) {
    let Range { start, end } = range;
    for n in start / 64..end.div_ceil(64) {
        // The words at both ends belong to the neighbours too.
        let (low, high) = (start.max(n * 64) - n * 64, end.min(n * 64 + 64) - n * 64);
        let mut rest = word(n, (u64::MAX >> (64 - (high - low))) << low);
        while rest != 0 {
            f(n * 64 + rest.trailing_zeros() as usize);
            rest &= rest - 1;
        }
    }
}

impl Walk {
    fn mark(&self, batch: &mut Vec<Place>) {
        for place in batch.drain(..) {
            let (word, bit) = (&self.seen[place.index as usize / 64], 1 << (place.index % 64));
            if word.load(Relaxed) & bit != 0 {
                continue;
            }
            word.fetch_or(bit, Relaxed);
            // Whoever sees this sees the bit above too.
            self.due[place.block as usize].store(true, Release);
        }
    }

    /// Marks the children of all positions of a task that have become known; returns how many there were.
    fn expand(&self, task: usize, batch: &mut Vec<Place>) -> u64 {
        let mut found = 0;
        for number in task_blocks(task) {
            if !self.due[number].swap(false, AcqRel) {
                continue;
            }
            let block = Block::new(number);
            let steps = Steps::new(&block, self.mate);
            let range = block.range();
            let fresh = |n: usize, mask| {
                let fresh = self.seen[n].load(Relaxed) & mask & !self.done[n].load(Relaxed);
                if fresh != 0 {
                    self.done[n].fetch_or(fresh, Relaxed);
                }
                fresh
            };
            each_bit(range.clone(), fresh, |index| {
                found += 1;
                steps.children(index - range.start, |place| {
                    prefetch(&self.seen[place.index as usize / 64]);
                    batch.push(place);
                });
                if batch.len() >= BATCH {
                    self.mark(batch);
                }
            });
        }
        self.mark(batch);
        found
    }
}
