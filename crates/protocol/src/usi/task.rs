//! Searches and counts, shared between the reader and the worker thread.

use super::command::{Go, Mate};
use sanban_engine::search::{Clock, Signals};
use sanban_system::clock::Instant;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::AcqRel, Ordering::Acquire};

/// The state shared by the reader and the worker thread: a search, or a count that can be ended early.
pub struct Task {
    pub signals: Signals,
    /// When the command arrived.
    pub begin: Instant,
    /// Signals for the search that precedes a stochastic ponderhit; both `ponderhit` and `stop` end it.
    pub before_hit: Signals,
    /// How the search ends.
    pub ending: Ending,
    /// Whether to suppress the lines of the search.
    pub silent: bool,
    closed: AtomicBool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// The search ends by itself.
    Finite,
    /// The search ends at a depth, which may never be reached.
    Deep,
    /// The search ends on `stop`.
    Endless,
    /// The search ends by itself after the opponent has played the expected move.
    Ponder,
    /// Not a search for a GUI: `perft`, `bench` and commands that are answered immediately. They end by themselves.
    Count,
}

impl Task {
    /// Creates a task that begins now. `ponder`: the search runs on the opponent's time.
    pub fn new(ending: Ending, ponder: bool) -> Arc<Self> {
        Arc::new(Self::prepare(ending, ponder, false))
    }

    /// Like [`Task::new`], but the task is not shared yet. `silent` suppresses the lines of the search.
    pub fn prepare(ending: Ending, ponder: bool, silent: bool) -> Self {
        let (signals, before_hit) = (Signals::default(), Signals::default());
        signals.arm(ponder);
        let begin = Instant::now();
        Self { signals, begin, before_hit, ending, silent, closed: AtomicBool::new(false) }
    }

    pub fn of(go: &Go) -> Arc<Self> {
        let mate = go.mate == Some(Mate::Infinite) && go.nodes.is_none() && go.move_time.is_none();
        let ending = match () {
            () if go.infinite || mate => Ending::Endless,
            () if go.ponder => Ending::Ponder,
            () if go.depth.is_some() && !go.is_timed() && go.nodes.is_none() => Ending::Deep,
            () => Ending::Finite,
        };
        Self::new(ending, go.ponder)
    }

    /// Returns whether the answer has been given or is no longer wanted.
    pub fn is_closed(&self) -> bool {
        self.closed.load(Acquire)
    }

    /// Closes the task. Returns true for the first caller only, which then gives the answer.
    pub fn close(&self) -> bool {
        !self.closed.swap(true, AcqRel)
    }

    /// Stops the search, which then answers immediately.
    pub fn stop(&self) {
        self.before_hit.stop();
        self.signals.stop();
    }

    /// Handles a ponderhit: the opponent played the expected move. `clock` holds the new times, if any were sent.
    pub fn ponderhit(&self, clock: Option<Clock>) {
        if self.signals.pondering() {
            self.signals.ponderhit(clock);
            self.before_hit.stop();
        }
    }
}
