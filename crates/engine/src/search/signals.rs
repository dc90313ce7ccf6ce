//! Signals to a running search: stop, and the end of pondering.

use super::Clock;
use sanban_system::clock::Instant;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Control of a running search, shared between the thread that reads commands and the search threads.
#[derive(Debug, Default)]
pub struct Signals {
    /// Polled every few hundred nodes; the mutex is only for waiting threads.
    stop: AtomicBool,
    pondering: AtomicBool,
    hit: Mutex<Option<Hit>>,
    changed: Condvar,
}

/// A ponderhit: when it arrived, and the clock sent with it, if any.
#[derive(Clone, Copy, Debug)]
pub struct Hit {
    /// When the ponderhit arrived. Clock limits count from this time.
    pub at: Instant,
    /// Times sent with the ponderhit; they replace those of the `go` command.
    pub clock: Option<Clock>,
}

impl Signals {
    /// Prepares for a new search. Must be called by the thread that reads commands before other threads can access the
    /// search, so that a later stop is never lost.
    pub fn arm(&self, ponder: bool) {
        *self.lock() = None;
        self.pondering.store(ponder, Ordering::Relaxed);
        self.stop.store(false, Ordering::Release);
    }

    /// Stops the search as soon as possible.
    pub fn stop(&self) {
        let _guard = self.lock();
        self.stop.store(true, Ordering::Release);
        self.changed.notify_all();
    }

    /// Whether the search has been asked to stop.
    #[inline]
    pub fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Reports that the opponent played the expected move: the clock runs from now on.
    pub fn ponderhit(&self, clock: Option<Clock>) {
        let mut hit = self.lock();
        *hit = Some(Hit { at: Instant::now(), clock });
        self.pondering.store(false, Ordering::Release);
        self.changed.notify_all();
    }

    /// Whether the search is pondering.
    #[inline]
    pub fn pondering(&self) -> bool {
        self.pondering.load(Ordering::Acquire)
    }

    /// The ponderhit of this search, if it has arrived.
    pub fn hit(&self) -> Option<Hit> {
        *self.lock()
    }

    /// Waits until [`Signals::stop`] is called or, unless `infinite`, until pondering ends.
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
