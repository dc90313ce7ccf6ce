//! One search, or a count, as the thread that reads and the one that works share it.

use super::command::{Go, Mate};
use sanban_engine::search::{Clock, Signals};
use sanban_system::clock::Instant;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::AcqRel, Ordering::Acquire};

/// What is between the thread that reads and the one that works: one search, or a count that can be ended early.
pub struct Task {
    /// Stop and ponderhit.
    pub signals: Signals,
    /// When the command came.
    pub begin: Instant,
    /// Ends with the ponderhit as well as with the stop: for the search before a stochastic ponderhit.
    pub before_hit: Signals,
    /// How it ends.
    pub ending: Ending,
    /// Has the one answer been given, or is it no longer wanted?
    closed: AtomicBool,
}

/// How a search ends.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// By itself.
    Finite,
    /// When it is told to.
    Endless,
    /// By itself, once the opponent has played the expected move.
    Ponder,
    /// By itself, and it is nothing a GUI calls a search: `perft`, `bench` and all that is answered at once.
    Count,
}

impl Task {
    /// A search that begins now; `ponder`: on the opponent's time.
    pub fn new(ending: Ending, ponder: bool) -> Arc<Self> {
        let (signals, before_hit) = (Signals::default(), Signals::default());
        signals.arm(ponder);
        let begin = Instant::now();
        Arc::new(Self { signals, begin, before_hit, ending, closed: AtomicBool::new(false) })
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

    /// Is its answer given, or no longer wanted?
    pub fn is_closed(&self) -> bool {
        self.closed.load(Acquire)
    }

    /// True for the first caller only: the one who answers.
    pub fn close(&self) -> bool {
        !self.closed.swap(true, AcqRel)
    }

    /// Ends it: the answer comes at once.
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
