//! A simple interface to the search: a few calls and a callback.

use crate::engine::{Listener, StopHandle, with_stack};
use crate::nnue::NetworkChoice;
use crate::search::{Limits, Line, Outcome, Pool, Settings, Signals};
use crate::{Evaluator, Game, NetworkError, NetworkSource};
use sanban_rules::Score;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};

/// Searches and evaluates positions of one game. It keeps its transposition table and histories from one search to the
/// next.
///
/// ```
/// use sanban_engine::{Limits, Searcher};
/// use sanban_rules::{Shogi, Variant};
/// use std::ops::ControlFlow;
///
/// let pos = Shogi::parse("4k4/9/4P4/9/9/9/9/9/9 b G 1")?;
/// let mut searcher = Searcher::<Shogi>::new();
/// let mut depths = 0;
/// let limits = Limits { depth: Some(5), ..Limits::default() };
/// let outcome = searcher.search(&pos, &limits, |line| {
///     depths = depths.max(line.depth);
///     ControlFlow::Continue(())
/// });
/// let best = outcome.best.map(sanban_rules::shogi::Position::usi);
/// assert_eq!(best.as_deref(), Some("G*5b"));
/// assert!(depths >= 1);
/// # Ok::<(), sanban_rules::SfenError>(())
/// ```
pub struct Searcher<G: Game> {
    pool: Pool<G>,
    network: NetworkChoice,
    signals: Arc<Signals>,
}

impl<G: Game> Default for Searcher<G> {
    fn default() -> Self {
        Self::new()
    }
}

impl<G: Game> Searcher<G> {
    /// Creates a searcher with one thread, a transposition table of 16 MB and the embedded network.
    pub fn new() -> Self {
        Self { pool: Pool::new(), network: G::embedded(), signals: Arc::default() }
    }

    /// Sets the number of threads (at least 1).
    pub fn set_threads(&mut self, threads: usize) {
        self.pool.set_threads(threads);
    }

    /// Sets the size of the transposition table in megabytes; a change of size clears the table. Returns the actual
    /// size, which is smaller if memory is insufficient.
    pub fn set_hash(&mut self, megabytes: usize) -> usize {
        self.pool.set_hash(megabytes)
    }

    /// Returns a handle that stops a running search from another thread.
    pub fn stop_handle(&self) -> StopHandle {
        StopHandle(Arc::clone(&self.signals))
    }

    /// The settings, which may be changed between searches.
    pub fn settings(&mut self) -> &mut Settings {
        self.pool.settings()
    }

    /// Loads the network to use for evaluation, and clears what was learned in earlier searches.
    ///
    /// # Errors
    /// The file cannot be read, is damaged, or is not a network of this game; the current network stays in use.
    pub fn load_network(&mut self, source: &NetworkSource) -> Result<(), NetworkError> {
        self.network = G::load_network(source)?;
        self.pool.set_network(self.network.clone());
        self.pool.clear();
        Ok(())
    }

    /// Clears the transposition table and the histories.
    pub fn clear(&mut self) {
        self.pool.clear();
    }

    /// Searches until a limit is reached, the callback breaks, or the search is stopped. The callback receives every
    /// line.
    ///
    /// # Panics
    /// If the search thread cannot be started. The search runs on a separate thread because it needs a large stack.
    pub fn search(
        &mut self,
        pos: &G::Position,
        limits: &Limits,
        on_line: impl FnMut(&Line) -> ControlFlow<()> + Send,
    ) -> Outcome {
        let signals = Arc::clone(&self.signals);
        signals.arm(limits.ponder);
        let signals = &*signals;
        let listener = Listener { on_line: Mutex::new(on_line), signals };
        with_stack(|| self.pool.search(pos, limits, signals, &listener))
    }

    /// Sets the solved table, which replaces the search for the positions that it contains.
    pub fn set_oracle(&mut self, oracle: G::Oracle) {
        self.pool.set_oracle(oracle);
    }

    /// The static evaluation in centipawns for the side to move, without a search.
    pub fn evaluate(&self, pos: &G::Position) -> Score {
        let mut evaluator = G::evaluator(&self.network);
        evaluator.reset(pos);
        evaluator.evaluate(pos)
    }
}
