//! The value of every numbered position, from the ends of the game backwards.
//!
//! The classical algorithm (K. Thompson, Retrograde analysis of certain endgames, 1986): one byte per position holds
//! either its distance to the end or the number of safe moves that have not been refuted yet. Distance by distance,
//! lost positions make their parents won, and won positions lower the count of theirs; a count that reaches zero makes
//! a lost position. A position that never gets a distance is drawn.

use super::SolveProgress;
use super::bits::ones;
use super::bytes::Bytes;
use super::error::SolveError;
use super::moves::{Class, Unmoves, classify, takes};
use crate::solved::dobutsu::index::{BLOCKS, Block, Place, SLOTS};
use crate::solved::dobutsu::table::{DRAW, MAX_DISTANCE, TAKE};
use arrayvec::ArrayVec;
use rayon::prelude::*;
use sanban_system::prefetch;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// A byte between this and `TAKE` is this number plus a count of moves.
const COUNT: u8 = MAX_DISTANCE + 1;
/// Blocks that one task works on.
const TASK: usize = 64;
/// Number of tasks.
pub(super) const TASKS: usize = BLOCKS.div_ceil(TASK);
/// Sets of parents that are collected before the bytes are touched, so that the waits for memory overlap.
const BATCH: usize = 256;
/// Capacity of a batch: it is emptied once it has `BATCH` sets, and one set of positions adds fewer than
/// `BATCH`: 64 from each list of [`Unmoves`], as many from captured chicks, and fewer from moves of chicks.
const ROOM: usize = 2 * BATCH;
/// The largest distance known from the start. Up to it all positions are examined, later only those that are due.
const KNOWN: u8 = 2;

struct Work {
    mate: bool,
    bytes: Bytes,
    /// For even and odd distances, and for each block: a bit for each group with positions of the next such distance.
    due: [Vec<AtomicU64>; 2],
}

/// Sets of parents to be notified.
struct Batch {
    list: Vec<(Place, u16)>,
    len: usize,
}

impl Batch {
    fn new() -> Self {
        Self { list: vec![Default::default(); ROOM], len: 0 }
    }

    /// Adds a set; an empty one is overwritten by the next, which avoids an unpredictable branch.
    #[inline]
    fn push(&mut self, place: Place, bits: u16) {
        self.list[self.len] = (place, bits);
        self.len += usize::from(bits != 0);
    }
}

/// Solves the game on the current rayon pool: one byte per slot, in the encoding of `dobutsu::table`. Fails if there is
/// not enough memory for them.
pub fn solve(mate: bool, progress: &dyn SolveProgress) -> Result<Bytes, SolveError> {
    let due = [(); 2].map(|()| (0..BLOCKS).map(|_| Default::default()).collect());
    let mut work = Work { mate, bytes: Bytes::new(SLOTS)?, due };
    progress.phase("counting moves", BLOCKS as u64);
    tasks().for_each(|task| {
        let blocks = task_blocks(task);
        progress.advance(blocks.len() as u64);
        blocks.for_each(|number| work.classify(number));
    });
    progress.phase("deciding", SLOTS as u64);
    for distance in 0..MAX_DISTANCE {
        let found: u64 = tasks()
            .map_init(
                || (Batch::new(), Unmoves::new(&Block::new(0), mate)),
                |batch, task| work.propagate(task, distance, batch),
            )
            .sum();
        progress.advance(found);
        // Distances are contiguous, except that 0 and 1 may be missing.
        if found == 0 && distance > KNOWN {
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

/// The numbers of all tasks. The size of a job is limited, since some tasks take much longer than others.
pub(super) fn tasks() -> impl IndexedParallelIterator<Item = usize> {
    (0..TASKS).into_par_iter().with_max_len(64)
}

impl Work {
    /// Sets the initial byte of every position of a block.
    fn classify(&self, number: usize) {
        let block = Block::new(number);
        if takes(&block.base) {
            return self.bytes.fill(block.range(), |_| TAKE);
        }
        self.bytes.fill(block.range(), |n| match classify(&block.slot(n), self.mate) {
            Class::Takes => TAKE,
            Class::Enters => 1,
            Class::Stuck => 0,
            Class::Doomed => KNOWN,
            Class::Open(moves) => COUNT + moves,
        });
    }

    /// For each block, the groups with positions of a distance.
    fn due_at(&self, distance: u8) -> &[AtomicU64] {
        &self.due[usize::from(distance % 2)]
    }

    /// The blocks of a task that have positions of a distance, and in which groups.
    fn due_blocks(&self, task: usize, distance: u8) -> ArrayVec<(Block, u64), TASK> {
        let due_block = |number: usize| {
            let due = &self.due_at(distance)[number];
            let groups = match due.load(Relaxed) {
                _ if distance <= KNOWN => u64::MAX,
                0 => return None,
                _ => due.swap(0, Relaxed),
            };
            let block = Block::new(number);
            for (first, _) in block.groups_of(groups) {
                self.bytes.prefetch(block.start as usize + first);
            }
            Some((block, groups))
        };
        task_blocks(task).filter_map(due_block).collect()
    }

    /// Propagates all positions of a distance to their parents; returns their number.
    #[inline(never)]
    fn propagate(&self, task: usize, distance: u8, (batch, unmoves): &mut (Batch, Unmoves)) -> u64 {
        let mut found = 0;
        let due_next = self.due_at(distance + 1);
        for (block, due) in self.due_blocks(task, distance) {
            let mut renewed = false;
            for (first, len) in block.groups_of(due) {
                let bits = self.bytes.equal(block.start as usize + first, len, distance);
                if bits == 0 {
                    continue;
                }
                if !renewed {
                    unmoves.renew(&block);
                    renewed = true;
                }
                found += u64::from(bits.count_ones());
                unmoves.parents(block.turned(first, bits), |parent, bits| {
                    self.bytes.prefetch(parent.index as usize + bits.trailing_zeros() as usize);
                    prefetch(&due_next[parent.block as usize]);
                    batch.push(parent, bits);
                });
                if batch.len >= BATCH {
                    self.apply(distance, batch);
                }
            }
        }
        self.apply(distance, batch);
        found
    }

    #[inline(never)]
    fn apply(&self, distance: u8, batch: &mut Batch) {
        let next = distance + 1;
        let due_next = self.due_at(next);
        for &(place, bits) in &batch.list[..batch.len] {
            let mut decided = false;
            for index in ones(bits).map(|n| place.index as usize + n) {
                if !undecided(self.bytes.get(index)) {
                    continue;
                }
                // An odd distance is a win for the side to move: one safe move less for the parent. Otherwise the
                // parent wins, and any other thread that finds this at the same time writes the same value.
                if distance.is_multiple_of(2) || self.bytes.lower(index) == COUNT + 1 {
                    self.bytes.set(index, next);
                    decided = true;
                }
            }
            let (due, group) = (&due_next[place.block as usize], 1 << place.group);
            if decided && due.load(Relaxed) & group == 0 {
                due.fetch_or(group, Relaxed);
            }
        }
        batch.len = 0;
    }
}
