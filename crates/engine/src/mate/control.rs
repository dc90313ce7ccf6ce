//! The limits of a search, its progress reports, and the state its threads share.

use super::crowd::Crowd;
use sanban_rules::Move;
use sanban_system::clock::Instant;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// The limits of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MateLimits {
    /// Time limit, counted from the call; `None` means no limit.
    pub time: Option<Duration>,
    /// Number of nodes.
    pub nodes: Option<u64>,
    /// Size of the table in megabytes.
    pub memory: usize,
    /// Number of threads, at least 1.
    pub threads: usize,
    /// Once a mate is found, look for shorter ones (futile interpositions counted) until none exists or another limit
    /// is reached.
    pub shortest: bool,
}

impl Default for MateLimits {
    /// No limit but 64 MB, on one thread.
    fn default() -> Self {
        Self { time: None, nodes: None, memory: 64, threads: 1, shortest: false }
    }
}

/// The answer to a mate problem.
#[must_use]
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MateOutcome {
    /// The moves to mate: an odd number, alternating checks and defences.
    Mate(Vec<Move>),
    /// There is no mate.
    NoMate,
    /// Nothing was proved within the limits.
    Unknown,
}

/// The progress of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MateProgress {
    /// Time since the call.
    pub time: Duration,
    /// Nodes searched by all threads.
    pub nodes: u64,
    /// Thousandths of the table in use.
    pub hashfull: usize,
    /// The line being searched.
    pub line: Vec<Move>,
}

/// Receives the progress of a search and decides whether it continues.
pub trait MateMonitor: Sync {
    /// Should the search end now? Called some hundred thousand times a second.
    fn stopped(&self) -> bool {
        false
    }
    /// Called about once a second, by one thread.
    fn progress(&self, _progress: &MateProgress) {}
}

/// Ignores progress and never stops the search.
impl MateMonitor for () {}

/// The state shared by the threads of one search.
pub(super) struct Control<'a> {
    pub monitor: &'a dyn MateMonitor,
    pub begin: Instant,
    pub limits: MateLimits,
    /// Longest line in plies.
    pub longest: usize,
    pub nodes: AtomicU64,
    /// A limit is reached.
    pub over: AtomicBool,
    /// A line was cut off because it was too long.
    pub cut: AtomicBool,
    /// One thread has an answer and is about to verify it, so the others can stop.
    pub answered: AtomicBool,
    pub crowd: Crowd,
}

impl<'a> Control<'a> {
    /// Creates the state for one thread, with room for lines of `longest` plies.
    pub fn new(limits: &MateLimits, longest: usize, monitor: &'a dyn MateMonitor) -> Self {
        Self {
            monitor,
            begin: Instant::now(),
            limits: *limits,
            longest,
            nodes: AtomicU64::new(0),
            over: AtomicBool::new(false),
            cut: AtomicBool::new(false),
            answered: AtomicBool::new(false),
            crowd: Crowd::new(1),
        }
    }

    /// Counts nodes; false if the search is over.
    pub fn count(&self, nodes: u64) -> bool {
        let nodes = self.nodes.fetch_add(nodes, Relaxed) + nodes;
        let limits = &self.limits;
        if self.monitor.stopped()
            || limits.nodes.is_some_and(|max| nodes >= max)
            || limits.time.is_some_and(|max| self.begin.elapsed() >= max)
        {
            self.over.store(true, Relaxed);
        }
        !self.over.load(Relaxed)
    }
}
