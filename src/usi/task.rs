//! A search or count, as shared between the reader and the worker thread.

use super::command::{Go, Mate};
use sanban_engine::search::{Clock, Signals};
use sanban_system::clock::Instant;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::AcqRel, Ordering::Acquire};

/// The state shared by the reader and the worker thread: a search, or a count that can be ended early.
pub struct Task {
    /// The stop and ponderhit signals.
    pub signals: Signals,
    /// When the command arrived.
    pub begin: Instant,
    /// Signals a stop on the ponderhit as well as on `stop`: for the search before a stochastic ponderhit.
    pub before_hit: Signals,
    /// How the search ends.
    pub ending: Ending,
    /// Suppress the lines of the search?
    pub silent: bool,
    /// Has the answer been given, or is it no longer wanted?
    closed: AtomicBool,
}

/// How a search ends.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// The search ends by itself.
    Finite,
    /// The search ends on `stop`.
    Endless,
    /// The search ends by itself, once the opponent has played the expected move.
    Ponder,
    /// Not a search for a GUI: `perft`, `bench` and commands that are answered immediately. They end by themselves.
    Count,
}

impl Task {
    /// A search that begins now; `ponder`: on the opponent's time.
    pub fn new(ending: Ending, ponder: bool) -> Arc<Self> {
        Arc::new(Self::prepare(ending, ponder, false))
    }

    /// As [`Task::new`], before it is shared. `silent`: without search lines.
    pub fn prepare(ending: Ending, ponder: bool, silent: bool) -> Self {
        let (signals, before_hit) = (Signals::default(), Signals::default());
        signals.arm(ponder);
        let begin = Instant::now();
        Self { signals, begin, before_hit, ending, silent, closed: AtomicBool::new(false) }
    }

    /// The search that a command asks for.
    pub fn of(go: &Go) -> Arc<Self> {
        let mate = go.mate == Some(Mate::Infinite) && go.nodes.is_none() && go.move_time.is_none();
        let ending = match () {
            () if go.infinite || mate => Ending::Endless,
            () if go.ponder => Ending::Ponder,
            () => Ending::Finite,
        };
        Self::new(ending, go.ponder)
    }

    /// Has its answer been given, or is it no longer wanted?
    pub fn is_closed(&self) -> bool {
        self.closed.load(Acquire)
    }

    /// Returns true for the first caller only, which gives the answer.
    pub fn close(&self) -> bool {
        !self.closed.swap(true, AcqRel)
    }

    /// Stops the search, which then answers immediately.
    pub fn stop(&self) {
        self.before_hit.stop();
        self.signals.stop();
    }

    /// The opponent played the expected move, with these times on the clock.
    pub fn ponderhit(&self, clock: Option<Clock>) {
        if self.signals.pondering() {
            self.signals.ponderhit(clock);
            self.before_hit.stop();
        }
    }
}
