//! Computes the value of every numbered position backwards from the ends of the game.
//!
//! The classical algorithm (K. Thompson, Retrograde analysis of certain endgames, 1986): one byte per position holds
//! either its distance to the end or the number of safe moves that have not been refuted yet. Distances are processed
//! in ascending order: the parents of a lost position are won, and those of a won position have their counts
//! decremented; a position whose count reaches zero is lost. A position that never gets a distance is drawn.

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

/// A byte from this value up to but excluding `TAKE` is this value plus a count of moves.
const COUNT: u8 = MAX_DISTANCE + 1;
/// Number of blocks of a task.
const TASK: usize = 64;
/// Number of tasks.
pub(super) const TASKS: usize = BLOCKS.div_ceil(TASK);
/// Number of sets of parents collected before the bytes are accessed, so that memory latencies overlap.
const BATCH: usize = 256;
/// Capacity of a batch. A batch is applied when it has `BATCH` sets, and one set of positions adds fewer than `BATCH`:
/// up to 64 from each list of [`Unmoves`], as many from captured chicks, and fewer from moves of chicks.
const ROOM: usize = 2 * BATCH;
/// The largest distance assigned at the start. Up to this distance all groups are examined, beyond it only those that
/// are due.
const KNOWN: u8 = 2;

struct Work {
    mate: bool,
    bytes: Bytes,
    /// For even and odd distances and for each block: a bit for each group that contains positions of the next such
    /// distance.
    due: [Vec<AtomicU64>; 2],
}

/// Sets of parents to be updated.
struct Batch {
    list: Vec<(Place, u16)>,
    len: usize,
}

impl Batch {
    fn new() -> Self {
        Self { list: vec![Default::default(); ROOM], len: 0 }
    }

    /// Adds a set. An empty set is overwritten by the next one, which avoids an unpredictable branch.
    #[inline]
    fn push(&mut self, place: Place, bits: u16) {
        self.list[self.len] = (place, bits);
        self.len += usize::from(bits != 0);
    }
}

/// Solves the game on the current rayon pool. Returns one byte per slot, in the encoding of `dobutsu::table`. Fails if
/// there is not enough memory, or if it is stopped.
pub fn solve(mate: bool, progress: &dyn SolveProgress) -> Result<Bytes, SolveError> {
    let due = [(); 2].map(|()| (0..BLOCKS).map(|_| Default::default()).collect());
    let mut work = Work { mate, bytes: Bytes::new(SLOTS)?, due };
    progress.phase("counting moves", BLOCKS as u64);
    tasks().for_each(|task| {
        if progress.stopped() {
            return;
        }
        let blocks = task_blocks(task);
        progress.advance(blocks.len() as u64);
        blocks.for_each(|number| work.classify(number));
    });
    progress.phase("computing values", SLOTS as u64);
    for distance in 0..MAX_DISTANCE {
        let found: u64 = tasks()
            .map_init(
                || (Batch::new(), Unmoves::new(&Block::new(0), mate)),
                |batch, task| if progress.stopped() { 0 } else { work.propagate(task, distance, batch) },
            )
            .sum();
        if progress.stopped() {
            return Err(SolveError::Stopped);
        }
        progress.advance(found);
        // Distances are contiguous, except that 0 and 1 may be missing.
        if found == 0 && distance > KNOWN {
            break;
        }
    }
    work.bytes.map(|byte| if undecided(byte) { DRAW } else { byte });
    Ok(work.bytes)
}

/// Returns whether the byte is a count of moves.
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

    /// For each block, the groups that contain positions with this distance.
    fn due_at(&self, distance: u8) -> &[AtomicU64] {
        &self.due[usize::from(distance % 2)]
    }

    /// The blocks of a task that contain positions with this distance, each with the groups that contain them.
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

    /// Propagates all positions of a task with this distance to their parents. Returns the number of positions.
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
                // An odd distance is a win for the side to move, so the parent has one safe move less. An even distance
                // is a loss, so the parent wins; any other thread that finds this at the same time writes the same
                // value.
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
