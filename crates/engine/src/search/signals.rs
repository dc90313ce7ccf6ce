//! Signals to a running search: stop, and the end of pondering.

use super::Clock;
use sanban_system::clock::Instant;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Control of a running search, shared between the thread that reads commands and those that search.
#[derive(Debug, Default)]
pub struct Signals {
    /// Read every few hundred nodes; the mutex is for threads that wait.
    stop: AtomicBool,
    pondering: AtomicBool,
    hit: Mutex<Option<Hit>>,
    changed: Condvar,
}

/// A ponderhit: when it arrived, and the clock sent with it, if any.
#[derive(Clone, Copy, Debug)]
pub struct Hit {
    /// When the opponent's move came: clock limits count from here.
    pub at: Instant,
    /// Times sent with the ponderhit; they replace those of the `go` command.
    pub clock: Option<Clock>,
}

impl Signals {
    /// Prepares for a new search. To be called by the thread that reads commands before other threads can reach the
    /// search: a stop that comes later is never lost.
    pub fn arm(&self, ponder: bool) {
        *self.lock() = None;
        self.pondering.store(ponder, Ordering::Relaxed);
        self.stop.store(false, Ordering::Release);
    }

    /// Ends the search as soon as possible.
    pub fn stop(&self) {
        let _guard = self.lock();
        self.stop.store(true, Ordering::Release);
        self.changed.notify_all();
    }

    /// Was the search asked to end?
    #[inline]
    pub fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// The opponent played the expected move: the clock runs from now on.
    pub fn ponderhit(&self, clock: Option<Clock>) {
        let mut hit = self.lock();
        *hit = Some(Hit { at: Instant::now(), clock });
        self.pondering.store(false, Ordering::Release);
        self.changed.notify_all();
    }

    /// Is the search thinking on the opponent's time?
    #[inline]
    pub fn pondering(&self) -> bool {
        self.pondering.load(Ordering::Acquire)
    }

    /// The ponderhit of this search, if it has arrived.
    pub fn hit(&self) -> Option<Hit> {
        *self.lock()
    }

    /// Sleeps until [`Signals::stop`], or, unless `infinite`, until the pondering ends.
    pub fn wait(&self, infinite: bool) {
        let mut guard = self.lock();
        while !self.stopped() && (infinite || self.pondering()) {
            guard = self.changed.wait(guard).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Option<Hit>> {
        self.hit.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
