//! The value of every numbered position, from the ends of the game backwards.
//!
//! The classical algorithm (K. Thompson, Retrograde analysis of certain endgames, 1986): a byte a position holds
//! either its distance to the end or the number of safe moves that have not been refuted yet. Distance by distance,
//! lost positions make their parents won, and won positions take one from the count of theirs; a count that reaches
//! zero makes a lost position. What never gets a distance is drawn.

use super::Progress;
use super::moves::{Class, classify, parents};
use crate::dobutsu::index::{BLOCKS, Block, Place, SLOTS};
use crate::dobutsu::table::{DRAW, MAX_DISTANCE, TAKE};
use rayon::prelude::*;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

/// A byte between this and `TAKE` is a count of moves, that much larger.
const COUNT: u8 = MAX_DISTANCE + 1;
/// Blocks that one task works on.
const TASK: usize = 64;
/// Parents that are collected before the bytes are touched, so that the waits for memory overlap.
const BATCH: usize = 1024;

struct Work {
    mate: bool,
    bytes: Vec<AtomicU8>,
    /// For each block: bit `d % 8` is set when it has positions of distance `d` that have not been looked at.
    due: Vec<AtomicU8>,
}

/// Solves the game on the current rayon pool: a byte a slot, as `dobutsu::table` has them. Needs a byte of memory a
/// slot; an error says that there is not as much.
pub fn solve(mate: bool, progress: &dyn Progress) -> Result<Vec<u8>, String> {
    let work = Work { mate, bytes: zeroes(SLOTS)?, due: zeroes(BLOCKS)? };
    progress.phase("counting moves", BLOCKS as u64);
    (0..BLOCKS.div_ceil(TASK)).into_par_iter().for_each(|task| {
        let blocks = task_blocks(task);
        progress.advance(blocks.len() as u64);
        blocks.for_each(|number| work.classify(number));
    });
    progress.phase("deciding", SLOTS as u64);
    for distance in 0..MAX_DISTANCE {
        let found: u64 = (0..BLOCKS.div_ceil(TASK))
            .into_par_iter()
            .map_init(Vec::new, |batch, task| work.propagate(task, distance, batch))
            .sum();
        progress.advance(found);
        // Distances have no gaps, except that 0 and 1 may be missing.
        if found == 0 && distance > 2 {
            break;
        }
    }
    let mut bytes: Vec<u8> = work.bytes.into_iter().map(AtomicU8::into_inner).collect();
    bytes.par_chunks_mut(1 << 16).flatten_iter().for_each(|byte| {
        if (COUNT..TAKE).contains(byte) {
            *byte = DRAW;
        }
    });
    Ok(bytes)
}

/// The blocks of a task.
pub(super) fn task_blocks(task: usize) -> std::ops::Range<usize> {
    task * TASK..((task + 1) * TASK).min(BLOCKS)
}

/// Number of tasks.
pub(super) const TASKS: usize = BLOCKS.div_ceil(TASK);

/// So many zeroes, or the reason why not.
fn zeroes(n: usize) -> Result<Vec<AtomicU8>, String> {
    let mut out = Vec::new();
    out.try_reserve_exact(n).map_err(|_| format!("there is no memory for {n} bytes"))?;
    out.resize_with(n, AtomicU8::default);
    Ok(out)
}

impl Work {
    /// Gives every position of a block its first byte.
    fn classify(&self, number: usize) {
        let block = Block::new(number);
        let bytes = &self.bytes[block.start as usize..][..block.len()];
        let mut due = 0;
        for (n, byte) in bytes.iter().enumerate() {
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
            byte.store(first, Relaxed);
        }
        self.due[number].store(due, Relaxed);
    }

    /// Carries all positions of a distance to their parents; returns how many there were.
    fn propagate(&self, task: usize, distance: u8, batch: &mut Vec<Place>) -> u64 {
        let bit = 1 << (distance % 8);
        let mut found = 0;
        for number in task_blocks(task) {
            if self.due[number].load(Relaxed) & bit == 0 {
                continue;
            }
            self.due[number].fetch_and(!bit, Relaxed);
            let block = Block::new(number);
            let bytes = &self.bytes[block.start as usize..][..block.len()];
            for (n, byte) in bytes.iter().enumerate() {
                if byte.load(Relaxed) != distance {
                    continue;
                }
                found += 1;
                parents(&block, n, self.mate, |parent| batch.push(parent));
                if batch.len() >= BATCH {
                    self.apply(distance, batch);
                }
            }
        }
        self.apply(distance, batch);
        found
    }

    fn apply(&self, distance: u8, batch: &mut Vec<Place>) {
        let undecided = |byte: u8| (COUNT..TAKE).contains(&byte);
        batch.retain(|place| undecided(self.bytes[place.index as usize].load(Relaxed)));
        for place in batch.drain(..) {
            let byte = &self.bytes[place.index as usize];
            // An odd distance is a win for the side to move: one way less for the parent.
            let refuted = distance % 2 == 1 && byte.fetch_sub(1, Relaxed) != COUNT + 1;
            if !refuted {
                byte.store(distance + 1, Relaxed);
                let due = &self.due[place.block as usize];
                let bit = 1 << ((distance + 1) % 8);
                if due.load(Relaxed) & bit == 0 {
                    due.fetch_or(bit, Relaxed);
                }
            }
        }
    }
}
