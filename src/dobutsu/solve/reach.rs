//! Which positions a game can lead to.

use super::error::SolveError;
use super::moves::children;
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

struct Reached {
    mate: bool,
    /// A bit a slot: reached.
    seen: Memory<AtomicU64>,
    /// A bit a slot: its children are reached too.
    done: Memory<AtomicU64>,
    /// Blocks with slots that were reached since they were last looked at.
    due: Vec<AtomicBool>,
}

/// Walks from `start` through all positions that games lead to, on the current rayon pool, and sums up their values.
/// The walk ends where the game is over or the lion can be captured. An error says that there is no memory (a
/// quarter of a byte a slot).
pub fn survey(
    start: &Slot,
    mate: bool,
    bytes: &[u8],
    progress: &dyn SolveProgress,
) -> Result<Summary, SolveError> {
    let bits = || Memory::new(SLOTS.div_ceil(64)).ok_or(SolveError::Memory(SLOTS / 8));
    let due = (0..BLOCKS).map(|_| AtomicBool::default()).collect();
    let reached = Reached { mate, seen: bits()?, done: bits()?, due };
    reached.mark(&mut start.place().map(|place| canonical(start, place)).into_iter().collect());
    progress.phase("finding reachable positions", SLOTS as u64);
    // In place rather than ply by ply: which order the positions come in does not matter, and few rounds are enough.
    loop {
        let sums = tasks().map_init(Vec::new, |batch, task| {
            let found = reached.expand(task, batch);
            progress.advance(found);
            found
        });
        if sums.sum::<u64>() == 0 {
            break;
        }
    }
    let words = reached.seen.par_iter().enumerate().map(|(n, word)| {
        let (mut word, mut summary) = (word.load(Relaxed), Summary::default());
        while word != 0 {
            let index = n * 64 + word.trailing_zeros() as usize;
            summary.add(Value::from_byte(bytes[index]));
            word &= word - 1;
        }
        summary
    });
    Ok(words.reduce(Summary::default, Summary::plus))
}

/// The place of a position and its mirror image together: the smaller one where there are two.
#[inline]
fn canonical(slot: &Slot, place: Place) -> Place {
    let image = if slot.is_middle() { slot.mirrored().place() } else { None };
    image.filter(|image| image.index < place.index).unwrap_or(place)
}

impl Reached {
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
            let Range { start, end } = block.range();
            for n in start / 64..end.div_ceil(64) {
                // The words at both ends belong to the neighbours too.
                let (low, high) = (start.max(n * 64) - n * 64, end.min(n * 64 + 64) - n * 64);
                let within = (u64::MAX >> (64 - (high - low))) << low;
                let done = self.done[n].load(Relaxed);
                let mut fresh = self.seen[n].load(Relaxed) & within & !done;
                if fresh == 0 {
                    continue;
                }
                self.done[n].fetch_or(fresh, Relaxed);
                found += u64::from(fresh.count_ones());
                while fresh != 0 {
                    let index = n * 64 + fresh.trailing_zeros() as usize;
                    fresh &= fresh - 1;
                    children(&block, index - start, self.mate, |child, place| {
                        let place = canonical(child, place);
                        prefetch(&self.seen[place.index as usize / 64]);
                        batch.push(place);
                    });
                }
                if batch.len() >= BATCH {
                    self.mark(batch);
                }
            }
        }
        self.mark(batch);
        found
    }
}
