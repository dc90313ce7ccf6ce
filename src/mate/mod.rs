//! The mate solver: depth-first proof-number search (Nagai, "Df-pn Algorithm for Searching AND/OR Trees and Its
//! Applications", 2002), for any game that can list its checks.
//!
//! `table` remembers proof and disproof numbers, `dfpn` searches, `line` reads the moves of a proved mate from the
//! table and replays them by the rules.

mod dfpn;
mod line;
mod table;

use crate::base::Move;
use crate::game::Checks;
use dfpn::Solver;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};
use table::{INFINITE, Table};

/// Stack of a searching thread in bytes; only what is used becomes memory.
const STACK: usize = 64 << 20;

/// How far a search may go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MateLimits {
    /// Time from the call on; without it, as long as it takes.
    pub time: Option<Duration>,
    /// Number of nodes.
    pub nodes: Option<u64>,
    /// Size of the table in megabytes.
    pub memory: usize,
    /// Number of threads, at least 1.
    pub threads: usize,
}

impl Default for MateLimits {
    /// No limit but 64 MB, on one thread.
    fn default() -> Self {
        Self { time: None, nodes: None, memory: 64, threads: 1 }
    }
}

/// The answer to a mate problem.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MateOutcome {
    /// The moves to mate: an odd number, checks and evasions in turn.
    Mate(Vec<Move>),
    /// There is no mate.
    NoMate,
    /// Nothing was proved within the limits.
    Unknown,
}

/// How far a search has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MateProgress {
    /// Time since the call.
    pub time: Duration,
    /// Nodes searched by all threads.
    pub nodes: u64,
    /// Thousandths of the table in use.
    pub hashfull: usize,
}

/// What the threads of one search share.
pub(crate) struct Control<'a> {
    stop: &'a (dyn Fn() -> bool + Sync),
    begin: Instant,
    limits: MateLimits,
    nodes: AtomicU64,
    /// Somebody has found the answer, or a limit is reached.
    over: AtomicBool,
}

impl Control<'_> {
    /// Counts nodes; false: it is over.
    fn count(&self, nodes: u64) -> bool {
        let nodes = self.nodes.fetch_add(nodes, Ordering::Relaxed) + nodes;
        let limits = &self.limits;
        if (self.stop)()
            || limits.nodes.is_some_and(|max| nodes >= max)
            || limits.time.is_some_and(|max| self.begin.elapsed() >= max)
        {
            self.over.store(true, Ordering::Relaxed);
        }
        !self.over.load(Ordering::Relaxed)
    }
}

/// Looks for a mate by the side to move, with checks only, until `stop` says true or a limit is reached.
///
/// A mate is replayed by the rules before it is returned, and `NoMate` is said only when the disproof rests on no
/// limit. `report` hears of the progress about twice a second.
pub fn solve<P: Checks>(
    root: &P,
    limits: &MateLimits,
    stop: &(dyn Fn() -> bool + Sync),
    report: &(dyn Fn(MateProgress) + Sync),
) -> MateOutcome {
    let table = Table::new(limits.memory);
    let control = Control {
        stop,
        begin: Instant::now(),
        limits: *limits,
        nodes: AtomicU64::new(0),
        over: AtomicBool::new(false),
    };
    let (table, control) = (&table, &control);
    thread::scope(|scope| {
        let run = |index: usize| {
            thread::Builder::new().stack_size(STACK).spawn_scoped(scope, move || {
                let mut solver = Solver::new(root, table, control, index, report);
                let value = solver.root();
                let outcome = if value.pn == 0 {
                    solver.line().map_or(MateOutcome::Unknown, MateOutcome::Mate)
                } else if value.dn == 0 && value.pn == INFINITE {
                    MateOutcome::NoMate
                } else {
                    MateOutcome::Unknown
                };
                if outcome != MateOutcome::Unknown {
                    control.over.store(true, Ordering::Relaxed);
                }
                outcome
            })
        };
        let threads: Vec<_> = (0..limits.threads.max(1)).map_while(|index| run(index).ok()).collect();
        let outcomes = threads.into_iter().filter_map(|thread| thread.join().ok());
        // All threads are waited for.
        outcomes
            .collect::<Vec<_>>()
            .into_iter()
            .find(|o| *o != MateOutcome::Unknown)
            .unwrap_or(MateOutcome::Unknown)
    })
}
