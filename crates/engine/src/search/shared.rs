//! The state shared by the threads of one search.

use super::clock::Timer;
use super::settings::Settings;
use super::tt::TranspositionTable;
use super::{Limits, Signals};
use sanban_rules::Move;
use sanban_system::clock::Instant;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// A counter aligned to a pair of cache lines, to avoid false sharing between threads.
#[derive(Default)]
#[repr(align(128))]
pub(super) struct NodeCounter(AtomicU64);

impl NodeCounter {
    /// Sets the counter. Must only be called by the thread that owns it.
    #[inline]
    pub fn set(&self, nodes: u64) {
        self.0.store(nodes, Relaxed);
    }
}

/// The state of one search: its inputs, and whether it has ended.
pub(super) struct Shared<'a> {
    pub tt: &'a TranspositionTable,
    pub signals: &'a Signals,
    pub limits: &'a Limits,
    pub settings: &'a Settings,
    /// Root moves to consider, in the order of generation.
    pub moves: Vec<Move>,
    /// Number of best lines to find.
    pub lines: usize,
    /// The logarithms for late move reductions; see [`logarithms`].
    pub logarithms: &'a [i32; 256],
    pub begin: Instant,
    pub timer: Timer,
    pub counters: Vec<NodeCounter>,
    pub budget: NodeBudget,
    /// Set when the search is complete and all threads must stop.
    pub over: AtomicBool,
}

/// Maximum number of nodes that all threads together claim in advance, if there is more than one thread.
const HELD: u64 = 512;

/// The remaining nodes of a search with a node limit. Each thread claims nodes before it searches them, so that all
/// threads together never exceed the limit.
pub(super) struct NodeBudget {
    left: AtomicU64,
    threads: u64,
    first: u64,
}

impl NodeBudget {
    /// Creates a budget for this number of threads; without a limit, it is unlimited.
    pub fn new(limit: Option<u64>, threads: usize) -> Self {
        let mut budget =
            Self { left: AtomicU64::new(limit.unwrap_or(u64::MAX)), threads: threads as u64, first: 0 };
        budget.first = match limit {
            Some(_) => budget.claim(),
            None => u64::MAX,
        };
        budget
    }

    /// The nodes that a thread may search before it claims any. The first thread always gets some, because it must find
    /// a move however low the limit is.
    pub fn initial(&self, index: usize) -> u64 {
        if index == 0 || self.first == u64::MAX { self.first } else { 0 }
    }

    /// Claims nodes and returns their number, 0 if none are left. A single thread gets all of them in one claim; with
    /// several threads, claims shrink as fewer nodes are left, so that all threads end at about the same time.
    pub fn claim(&self) -> u64 {
        let share = |left: u64| match self.threads {
            1 => left,
            n => (left / (2 * n)).min(HELD / n).max(1).min(left),
        };
        let claimed = self.left.fetch_update(Relaxed, Relaxed, |left| Some(left - share(left)));
        share(claimed.unwrap_or_default())
    }
}

impl Shared<'_> {
    /// Total number of nodes of all threads.
    pub fn nodes(&self) -> u64 {
        self.counters.iter().map(|c| c.0.load(Relaxed)).sum()
    }

    /// Whether all threads should stop.
    #[inline]
    pub fn is_over(&self) -> bool {
        self.over.load(Relaxed) || self.signals.stopped()
    }
}

/// Natural logarithms of 0..256 in 1024ths (0 for 0), whose products determine late move reductions.
pub(super) fn logarithms() -> [i32; 256] {
    std::array::from_fn(|i| ((i.max(1) as f64).ln() * 1024.0) as i32)
}
