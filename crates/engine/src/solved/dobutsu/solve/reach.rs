//! The positions that a game can reach.

use super::bits::{Bits, ones};
use super::error::SolveError;
use super::moves::Steps;
use super::retrograde::{TASKS, task_blocks, tasks};
use super::{SolveProgress, Summary};
use crate::solved::dobutsu::index::{BLOCKS, Block, Place, SLOTS, Slot};
use crate::solved::dobutsu::table::value_of;
use rayon::prelude::*;
use std::sync::atomic::{
    AtomicBool,
    Ordering::{AcqRel, Relaxed, Release},
};

/// Number of sets of children collected before the bits are accessed, so that memory latencies overlap.
const BATCH: usize = 256;
/// If a round expands more positions than this, the next one expands only groups with at least `FULL` new positions.
const MANY: u64 = 1 << 19;
/// See [`MANY`].
const FULL: u32 = 5;

/// The positions that a game can reach until it is over or the lion can be captured.
pub struct Reached(Bits);

struct Walk {
    mate: bool,
    /// Positions that were reached. If a position and its mirror image have separate slots, both are marked.
    seen: Bits,
    /// Positions whose children have been marked.
    done: Bits,
    /// Blocks with slots that were reached since the block was last examined.
    due: Vec<AtomicBool>,
}

impl Reached {
    /// Finds the positions that can be reached from a position, on the current rayon pool. Fails if there is not enough
    /// memory (a quarter of a byte per slot).
    pub fn from(start: &Slot, mate: bool, progress: &dyn SolveProgress) -> Result<Self, SolveError> {
        let bits = || Bits::new(SLOTS);
        let due = (0..BLOCKS).map(|_| AtomicBool::default()).collect();
        let walk = Walk { mate, seen: bits()?, done: bits()?, due };
        walk.mark(
            &mut [*start, start.mirrored()].iter().filter_map(Slot::place).map(|place| (place, 1)).collect(),
        );
        progress.phase("finding reachable positions", SLOTS as u64);
        // Positions are marked in place rather than ply by ply: their order does not matter, and few rounds are needed.
        // While there is much to do, groups are expanded only after several of their positions are known, since these
        // are expanded together. Every other round runs backwards: new positions spread far in the direction of a
        // round, but only one ply against it.
        let (mut least, mut backwards) = (1, false);
        loop {
            let found = tasks().map_init(Vec::new, |batch, task| {
                let task = if backwards { TASKS - 1 - task } else { task };
                let found = walk.expand(task, least, batch);
                progress.advance(found);
                found
            });
            let found = found.sum::<u64>();
            if found == 0 && least == 1 {
                return Ok(Self(walk.seen));
            }
            (least, backwards) = (if found > MANY { FULL } else { 1 }, !backwards);
        }
    }

    /// Sums up the values of all reached positions.
    pub fn summary(&self, values: &[u8]) -> Summary {
        let sum = |task| {
            let mut counts = [0; 256];
            for number in task_blocks(task) {
                let block = Block::new(number);
                let middle = block.base.is_middle();
                for (n, len) in block.groups() {
                    for n in ones(self.0.get(block.start as usize + n, len)).map(|bit| n + bit) {
                        let index = block.start as usize + n;
                        let image = if middle { block.slot(n).mirrored().place() } else { None };
                        if image.is_none_or(|image| image.index as usize >= index) {
                            counts[usize::from(values[index])] += 1;
                        }
                    }
                }
            }
            let add = |sum, (byte, &n)| Summary::plus(sum, Summary::of(value_of(byte as u8), n));
            counts.iter().enumerate().fold(Summary::default(), add)
        };
        tasks().map(sum).reduce(Summary::default, Summary::plus)
    }
}

impl Walk {
    fn mark(&self, batch: &mut Vec<(Place, u16)>) {
        for (place, bits) in batch.drain(..) {
            let index = place.index as usize;
            let new = bits & !self.seen.get(index, 16);
            if new != 0 {
                self.seen.add(index, new);
                // A thread that sees this also sees the bits added above.
                self.due[place.block as usize].store(true, Release);
            }
        }
    }

    /// Marks the children of the newly reached positions of a task, except in groups with fewer than `least` of them.
    /// Returns the number of positions expanded.
    fn expand(&self, task: usize, least: u32, batch: &mut Vec<(Place, u16)>) -> u64 {
        let mut found = 0;
        for number in task_blocks(task) {
            if !self.due[number].swap(false, AcqRel) {
                continue;
            }
            let block = Block::new(number);
            let mut steps = None;
            for (n, len) in block.groups() {
                let index = block.start as usize + n;
                let fresh = self.seen.get(index, len) & !self.done.get(index, len);
                if fresh.count_ones() < least {
                    if fresh != 0 {
                        self.due[number].store(true, Relaxed);
                    }
                    continue;
                }
                self.done.add(index, fresh);
                found += u64::from(fresh.count_ones());
                let steps = steps.get_or_insert_with(|| Steps::new(&block, self.mate));
                steps.children(n, fresh, |place, bits| {
                    self.seen.prefetch(place.index as usize);
                    batch.push((place, bits));
                });
                if batch.len() >= BATCH {
                    self.mark(batch);
                }
            }
        }
        self.mark(batch);
        found
    }
}
