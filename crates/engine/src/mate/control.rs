//! The limits of a search, its progress reports, and the state shared by its threads.

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
    /// Maximum number of nodes; `None` means no limit.
    pub nodes: Option<u64>,
    /// Size of the table in megabytes.
    pub memory: usize,
    /// Number of threads, at least 1.
    pub threads: usize,
    /// After a mate is found, search for shorter ones until none exists or another limit is reached. Futile
    /// interpositions count towards the length.
    pub shortest: bool,
}

impl Default for MateLimits {
    /// A table of 64 MB and one thread, without other limits.
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
    /// Time since the start of the search.
    pub time: Duration,
    /// Nodes searched by all threads.
    pub nodes: u64,
    /// Table usage in permille.
    pub hashfull: usize,
    /// The line being searched.
    pub line: Vec<Move>,
}

/// Receives progress reports and can stop the search.
pub trait MateMonitor: Sync {
    /// Returns whether the search should stop. Called on the order of 100,000 times per second.
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
    /// Maximum length of a line in plies.
    pub longest: usize,
    pub nodes: AtomicU64,
    /// Whether a limit has been reached or the monitor has stopped the search.
    pub over: AtomicBool,
    /// Whether a line was cut off because it was too long.
    pub cut: AtomicBool,
    /// Whether a thread has found an answer, which it then verifies. The other threads stop.
    pub answered: AtomicBool,
    pub crowd: Crowd,
}

impl<'a> Control<'a> {
    /// Creates the state of a search with one thread and lines of at most `longest` plies.
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

    /// Adds to the number of nodes. Returns false if the search must stop.
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
