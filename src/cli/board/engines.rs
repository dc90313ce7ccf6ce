//! A pool of engines, which tabs borrow for a search. Its size limits the memory use, however many tabs are open.

use sanban_board::BoardEngine;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Maximum number of engines.
const MOST: usize = 8;
/// How long a tab waits for an engine.
const PATIENCE: Duration = Duration::from_secs(10);

/// The idle engines, the most recently used last, and the number of borrowed engines.
#[derive(Default)]
struct Stock {
    idle: Vec<(u64, BoardEngine)>,
    lent: usize,
}

#[derive(Default)]
pub(super) struct Engines {
    stock: Mutex<Stock>,
    returned: Condvar,
}

impl Engines {
    /// Borrows an engine for a tab: the one that it used last, a new one, or the one that has been idle longest. `None`
    /// if all stay busy, or if `wanted` returns false.
    pub fn lend(&self, tab: u64, wanted: impl Fn() -> bool) -> Option<Loan<'_>> {
        let end = Instant::now() + PATIENCE;
        let mut stock = self.lock();
        loop {
            if !wanted() {
                return None;
            }
            let own = stock.idle.iter().position(|(last, _)| *last == tab);
            let room = stock.lent + stock.idle.len() < MOST;
            let engine = match own {
                Some(at) => Some(stock.idle.remove(at).1),
                None if room => Some(BoardEngine::default()),
                None if !stock.idle.is_empty() => Some(stock.idle.remove(0).1),
                None => None,
            };
            if let Some(engine) = engine {
                stock.lent += 1;
                return Some(Loan { engines: self, tab, engine: Some(engine) });
            }
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return None;
            }
            // Wakes up periodically to call `wanted` again.
            let nap = left.min(Duration::from_millis(100));
            stock = self.returned.wait_timeout(stock, nap).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Frees the memory of a closed tab's engine.
    pub fn forget(&self, tab: u64) {
        self.lock().idle.retain(|(last, _)| *last != tab);
    }

    fn lock(&self) -> MutexGuard<'_, Stock> {
        self.stock.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A borrowed engine, returned to the pool on drop. After a panic, it is discarded, and a new one may be created.
pub(super) struct Loan<'a> {
    engines: &'a Engines,
    tab: u64,
    engine: Option<BoardEngine>,
}

impl Loan<'_> {
    /// Runs a closure with the engine.
    pub fn with<T>(&mut self, work: impl FnOnce(&mut BoardEngine) -> T) -> Option<T> {
        let mut engine = self.engine.take()?;
        let done = work(&mut engine);
        self.engine = Some(engine);
        Some(done)
    }
}

impl Drop for Loan<'_> {
    fn drop(&mut self) {
        let mut stock = self.engines.lock();
        stock.lent -= 1;
        stock.idle.extend(self.engine.take().map(|engine| (self.tab, engine)));
        drop(stock);
        self.engines.returned.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_never_more_than_so_many() {
        let engines = Engines::default();
        let mut loans: Vec<_> = (0..MOST as u64).filter_map(|tab| engines.lend(tab, || true)).collect();
        assert_eq!(loans.len(), MOST);
        assert!(engines.lend(99, || false).is_none());
        loans.pop();
        assert!(engines.lend(99, || true).is_some(), "one was returned");
        drop(loans);
        let stock = engines.lock();
        assert_eq!((stock.lent, stock.idle.len()), (0, MOST));
    }

    #[test]
    fn a_closed_tab_leaves_nothing_behind() {
        let engines = Engines::default();
        drop(engines.lend(1, || true));
        drop(engines.lend(2, || true));
        engines.forget(1);
        let left: Vec<u64> = engines.lock().idle.iter().map(|(tab, _)| *tab).collect();
        assert_eq!(left, [2]);
    }

    #[test]
    fn an_engine_that_fails_is_replaced() {
        let engines = Engines::default();
        let mut loan = engines.lend(1, || true).expect("an idle pool");
        let work = std::panic::AssertUnwindSafe(|| loan.with(|_| panic!("intentional panic")));
        assert!(std::panic::catch_unwind(work).is_err());
        drop(loan);
        let stock = engines.lock();
        assert_eq!((stock.lent, stock.idle.len()), (0, 0));
    }
}
