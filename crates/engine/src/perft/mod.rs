//! Perft: counts the leaves of the tree of legal moves, to test and benchmark move generators.
//!
//! The tree is split into tasks two plies below the root, which the threads share. The last two plies are counted
//! together ([`sanban_rules::Position::replies`]), and a [`PerftTable`] avoids counting the same position twice at the
//! same depth.

mod kinds;
mod table;
mod units;

pub use kinds::Kinds;
pub use table::PerftTable;
pub use units::{Unit, units};

use rayon::prelude::*;
use sanban_rules::perft::plain;
use sanban_rules::{AnyPosition, Move, SearchPosition, each_board};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use thiserror::Error;

/// Minimum depth in plies at which the work is divided into tasks.
const SPLIT_DEPTH: u32 = 3;
/// Minimum depth in plies at which a node checks whether to continue and looks up its children in the table.
const ASKING_DEPTH: u32 = 3;

/// An error that prevents a count from starting.
#[derive(Debug, Error)]
pub enum PerftError {
    /// The threads cannot be started.
    #[error("cannot start {0} threads: {1}")]
    Threads(usize, rayon::ThreadPoolBuildError),
    /// A table of this many megabytes does not fit in memory.
    #[error("not enough memory for {0} MB")]
    Memory(usize),
}

/// A node counter: its threads and its table.
#[derive(Default)]
pub struct Perft {
    /// Threads that share the work; `None` counts on the calling thread.
    pool: Option<rayon::ThreadPool>,
    table: Option<PerftTable>,
}

/// Receives the numbers of finished tasks and of all tasks; `Break` ends the count.
pub type Progress<'a> = &'a (dyn Fn(usize, usize) -> ControlFlow<()> + Sync);

/// One subtree: the root move (by its index) and the reply.
struct Task {
    root: usize,
    reply: Move,
}

impl Perft {
    /// Creates a counter with this many threads and a table of this many megabytes (0: no table).
    ///
    /// # Errors
    /// The threads cannot be started, or the memory is not available.
    pub fn new(threads: usize, hash: usize) -> Result<Self, PerftError> {
        let pool = match threads {
            0 | 1 => None,
            n => {
                let builder = rayon::ThreadPoolBuilder::new().num_threads(n);
                Some(builder.build().map_err(|error| PerftError::Threads(n, error))?)
            }
        };
        let table = match hash {
            0 => None,
            mb => Some(PerftTable::new(mb).ok_or(PerftError::Memory(mb))?),
        };
        Ok(Self { pool, table })
    }

    /// Counts the leaves `depth` plies below the position for each root move; the list is empty at depth 0. `progress`
    /// is called from time to time with the number of finished tasks and the total number of tasks. If it breaks, the
    /// result is `None`.
    pub fn divide(&self, pos: &AnyPosition, depth: u32, progress: Progress) -> Option<Vec<(Move, u64)>> {
        each_board!(pos.board(), pos => self.divide_typed(pos, depth, progress))
    }

    /// Counts the leaves `depth` plies below the position.
    pub fn total(&self, pos: &AnyPosition, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let counts = self.divide(pos, depth, &|_, _| ControlFlow::Continue(()));
        counts.unwrap_or_default().iter().map(|&(_, nodes)| nodes).sum()
    }

    fn divide_typed<P: SearchPosition>(
        &self,
        pos: &P,
        depth: u32,
        progress: Progress,
    ) -> Option<Vec<(Move, u64)>> {
        if depth == 0 {
            return Some(Vec::new());
        }
        let moves = pos.legal_moves();
        if depth < SPLIT_DEPTH {
            let mut pos = pos.clone();
            let count = |mv| Some((mv, after(&mut pos, mv, |pos| self.count(pos, depth - 1, &|| true))?));
            return moves.into_iter().map(count).collect();
        }
        let mut counts: Vec<(Move, u64)> = moves.iter().map(|&mv| (mv, 0)).collect();
        let tasks = tasks(pos, &moves);
        let (total, done) = (tasks.len(), AtomicUsize::new(0));
        let run = |pos: &mut P, task: &Task| -> Option<(usize, u64)> {
            let go_on = || progress(done.load(Relaxed), total).is_continue();
            let count = |pos: &mut P| self.count(pos, depth - 2, &go_on);
            let nodes = after(pos, moves[task.root], |pos| after(pos, task.reply, count))?;
            done.fetch_add(1, Relaxed);
            go_on().then_some((task.root, nodes))
        };
        let results: Option<Vec<(usize, u64)>> = match &self.pool {
            None => {
                let mut pos = pos.clone();
                tasks.iter().map(|task| run(&mut pos, task)).collect()
            }
            Some(pool) => pool.install(|| {
                tasks.par_iter().with_max_len(1).map_with(pos.clone(), |pos, task| run(pos, task)).collect()
            }),
        };
        for (root, nodes) in results? {
            counts[root].1 += nodes;
        }
        Some(counts)
    }

    /// Counts the leaves `depth` plies below the position; `None` as soon as `go_on` returns false.
    fn count<P: SearchPosition>(&self, pos: &mut P, depth: u32, go_on: &dyn Fn() -> bool) -> Option<u64> {
        if depth < ASKING_DEPTH {
            return Some(plain(pos, depth));
        }
        if !go_on() {
            return None;
        }
        let moves = pos.legal_moves();
        if let Some(table) = &self.table {
            moves.iter().for_each(|&mv| table.prefetch(pos.key_after(mv), depth - 1));
        }
        let mut nodes = 0;
        for mv in moves {
            let entry = self.table.as_ref().map(|table| (table, pos.key_after(mv)));
            if let Some(known) = entry.and_then(|(table, key)| table.probe(key, depth - 1)) {
                nodes += known;
                continue;
            }
            let below = after(pos, mv, |pos| self.count(pos, depth - 1, go_on))?;
            entry.iter().for_each(|(table, key)| table.store(*key, depth - 1, below));
            nodes += below;
        }
        Some(nodes)
    }
}

fn tasks<P: SearchPosition>(pos: &P, moves: &[Move]) -> Vec<Task> {
    let mut pos = pos.clone();
    let mut out = Vec::new();
    for (root, &mv) in moves.iter().enumerate() {
        let replies = after(&mut pos, mv, |pos| pos.legal_moves());
        out.extend(replies.into_iter().map(|reply| Task { root, reply }));
    }
    out
}

/// Makes a move, calls `f`, and undoes the move. Returns the result of `f`.
#[inline]
fn after<P: SearchPosition, T>(pos: &mut P, mv: Move, f: impl FnOnce(&mut P) -> T) -> T {
    pos.make(mv, &mut ());
    let out = f(pos);
    pos.unmake();
    out
}
