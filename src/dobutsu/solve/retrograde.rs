//! The value of every numbered position, from the ends of the game backwards.
//!
//! The classical algorithm (K. Thompson, Retrograde analysis of certain endgames, 1986): a byte a position holds
//! either its distance to the end or the number of safe moves that have not been refuted yet. Distance by distance,
//! lost positions make their parents won, and won positions take one from the count of theirs; a count that reaches
//! zero makes a lost position. What never gets a distance is drawn.

use super::SolveProgress;
use super::bits::ones;
use super::bytes::Bytes;
use super::error::SolveError;
use super::moves::{Class, Unmoves, classify, takes};
use crate::dobutsu::index::{BLOCKS, Block, Place, SLOTS};
use crate::dobutsu::table::{DRAW, MAX_DISTANCE, TAKE};
use rayon::prelude::*;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

/// A byte between this and `TAKE` is a count of moves, that much larger.
const COUNT: u8 = MAX_DISTANCE + 1;
/// Blocks that one task works on.
const TASK: usize = 64;
/// Parents that are collected before the bytes are touched, so that the waits for memory overlap.
const BATCH: usize = 256;

struct Work {
    mate: bool,
    bytes: Bytes,
    /// For each block: bit `d % 8` is set when it has positions of distance `d` that have not been looked at.
    due: Vec<AtomicU8>,
}

/// Solves the game on the current rayon pool: a byte a slot, as `dobutsu::table` has them. An error says that there is no
/// memory for them.
pub fn solve(mate: bool, progress: &dyn SolveProgress) -> Result<Bytes, SolveError> {
    let due = (0..BLOCKS).map(|_| AtomicU8::default()).collect();
    let work = Work { mate, bytes: Bytes::new(SLOTS)?, due };
    progress.phase("counting moves", BLOCKS as u64);
    tasks().for_each(|task| {
        let blocks = task_blocks(task);
        progress.advance(blocks.len() as u64);
        blocks.for_each(|number| work.classify(number));
    });
    progress.phase("deciding", SLOTS as u64);
    for distance in 0..MAX_DISTANCE {
        let found: u64 =
            tasks().map_init(Vec::new, |batch, task| work.propagate(task, distance, batch)).sum();
        progress.advance(found);
        // Distances have no gaps, except that 0 and 1 may be missing.
        if found == 0 && distance > 2 {
            break;
        }
    }
    work.bytes.map(|byte| if undecided(byte) { DRAW } else { byte });
    Ok(work.bytes)
}

/// Is this a count of moves?
fn undecided(byte: u8) -> bool {
    (COUNT..TAKE).contains(&byte)
}

/// The blocks of a task.
pub(super) fn task_blocks(task: usize) -> std::ops::Range<usize> {
    task * TASK..((task + 1) * TASK).min(BLOCKS)
}

/// The numbers of all tasks. In small groups, for some have much more to do than others.
pub(super) fn tasks() -> impl IndexedParallelIterator<Item = usize> {
    (0..BLOCKS.div_ceil(TASK)).into_par_iter().with_max_len(8)
}

impl Work {
    /// Gives every position of a block its first byte.
    fn classify(&self, number: usize) {
        let block = Block::new(number);
        if takes(&block.base) {
            return self.bytes.fill(block.range(), |_| TAKE);
        }
        let mut due = 0;
        self.bytes.fill(block.range(), |n| {
            let first = match classify(&block.slot(n), self.mate) {
                Class::Takes => TAKE,
                Class::Enters => 1,
                Class::Stuck => 0,
                Class::Doomed => 2,
                Class::Open(moves) => COUNT + moves,
            };
            if first <= 2 {
                due |= 1 << first;
            }
            first
        });
        self.due[number].store(due, Relaxed);
    }

    /// Carries all positions of a distance to their parents; returns how many there were.
    fn propagate(&self, task: usize, distance: u8, batch: &mut Vec<(Place, u16)>) -> u64 {
        let bit = 1 << (distance % 8);
        let mut found = 0;
        for number in task_blocks(task) {
            if self.due[number].load(Relaxed) & bit == 0 {
                continue;
            }
            self.due[number].fetch_and(!bit, Relaxed);
            let block = Block::new(number);
            let unmoves = Unmoves::new(&block, self.mate);
            let mut carry = |n, bits: u16| {
                found += u64::from(bits.count_ones());
                unmoves.parents(n, bits, |parent, bits| {
                    self.bytes.prefetch(parent.index as usize + bits.trailing_zeros() as usize);
                    batch.push((parent, bits));
                });
                if batch.len() >= BATCH {
                    self.apply(distance, batch);
                }
            };
            let mut group = (0, 0);
            self.bytes.find(block.range(), distance, |n| {
                let (first, bit) = block.group_of(n);
                if first != group.0 {
                    carry(group.0, group.1);
                    group = (first, 0);
                }
                group.1 |= bit;
            });
            carry(group.0, group.1);
        }
        self.apply(distance, batch);
        found
    }

    fn apply(&self, distance: u8, batch: &mut Vec<(Place, u16)>) {
        for (place, bits) in batch.drain(..) {
            for n in ones(bits) {
                self.apply_to(distance, place.index as usize + n, place.block);
            }
        }
    }

    #[inline]
    fn apply_to(&self, distance: u8, index: usize, block: u32) {
        if !undecided(self.bytes.get(index)) {
            return;
        }
        // An odd distance is a win for the side to move: one way less for the parent.
        let decided = if distance % 2 == 1 {
            let last = self.bytes.lower(index, 1) == COUNT + 1;
            if last {
                self.bytes.lower(index, COUNT - (distance + 1));
            }
            last
        } else {
            self.bytes.replace(index, undecided, distance + 1)
        };
        if decided {
            let due = &self.due[block as usize];
            let bit = 1 << ((distance + 1) % 8);
            if due.load(Relaxed) & bit == 0 {
                due.fetch_or(bit, Relaxed);
            }
        }
    }
}
