//! The engine of any game behind one interface.
//!
//! The search is compiled once per board; everything that uses it holds a [`Box<dyn Engine>`](Engine). Programs that
//! know their game at compile time can use [`Searcher`](crate::Searcher) or [`Pool`] instead.

use crate::mate::{MateLimits, MateMonitor, MateOutcome, Workspace};
use crate::nnue::NetworkChoice;
#[cfg(feature = "tune")]
use crate::params::Params;
use crate::search::{Line, Pool, Report, STACK, Settings, Signals};
use crate::solved::{FromTables, SolvedTables};
use crate::{
    Evaluator as _, Game, Limits, NetworkError, NetworkSource, Oracle as _, OracleError, Outcome,
    evaluation_id,
};
use sanban_rules::{AnyPosition, AsBoard, Score, SearchPosition as _, VariantId};
use sanban_system::clock::Instant;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use thiserror::Error;

/// What an engine refused, and why.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum EngineError {
    /// The position belongs to a game with a different board.
    #[error("expected a position of {expected}, found one of {found}")]
    Position {
        /// The game of the engine.
        expected: VariantId,
        /// The game of the position.
        found: VariantId,
    },
    /// The game has no mate solver.
    #[error("{0} has no mate solver")]
    NoMates(VariantId),
    /// The network cannot be used; the current one stays in use.
    #[error(transparent)]
    Network(#[from] NetworkError),
    /// The solved tables cannot be used.
    #[error(transparent)]
    Tables(#[from] OracleError),
}

/// Search, evaluation and mate solver of one game. It keeps its transposition table and histories from one search to
/// the next.
///
/// ```
/// use sanban_engine::{Engine, Limits};
/// use sanban_rules::{AnyPosition, VariantId};
/// use std::ops::ControlFlow;
///
/// for id in [VariantId::JanggiCasual, VariantId::Dobutsu] {
///     let pos = AnyPosition::new(id);
///     let limits = Limits { depth: Some(3), ..Limits::default() };
///     let outcome = <dyn Engine>::new(id).search_lines(&pos, &limits, |_| ControlFlow::Continue(()))?;
///     assert!(outcome.best.is_some_and(|mv| pos.is_legal(mv)));
/// }
/// # Ok::<(), sanban_engine::EngineError>(())
/// ```
pub trait Engine: Send {
    /// The game that the engine plays. It accepts the positions of every game with the same board, since a position
    /// contains its rules.
    fn variant(&self) -> VariantId;

    /// Searches until a limit is reached or `signals` requests a stop. The calling thread also searches and needs
    /// [`STACK`] bytes of stack. See [`Pool::search`].
    ///
    /// # Errors
    /// The position has a different board.
    fn search(
        &mut self,
        pos: &AnyPosition,
        limits: &Limits,
        signals: &Signals,
        report: &dyn Report,
    ) -> Result<Outcome, EngineError>;

    /// Searches for a mate in which every move of the attacker is a check. See [`crate::mate::solve`].
    ///
    /// # Errors
    /// The position has a different board, or the game has no mate solver.
    fn mate(
        &mut self,
        pos: &AnyPosition,
        limits: &MateLimits,
        monitor: &dyn MateMonitor,
    ) -> Result<MateOutcome, EngineError>;

    /// Whether the game has a mate solver.
    fn solves_mates(&self) -> bool;

    /// The memory of the mate solver, with which an interrupted search can be continued.
    fn mate_workspace(&mut self) -> &mut Workspace;

    /// The static evaluation in centipawns for the side to move, without a search.
    ///
    /// # Errors
    /// The position has a different board.
    fn evaluate(&self, pos: &AnyPosition) -> Result<Score, EngineError>;

    /// Like [`Engine::evaluate`], but for networks with dense layers returns their output before the conversion to
    /// centipawns.
    ///
    /// # Errors
    /// The position has a different board.
    fn evaluate_raw(&self, pos: &AnyPosition) -> Result<Score, EngineError>;

    /// The settings of the next search: number of lines, skill and so on.
    fn settings(&mut self) -> &mut Settings;

    /// The search parameters, which may be changed between searches.
    #[cfg(feature = "tune")]
    fn params(&mut self) -> &mut Params;

    /// Sets the number of threads (at least 1).
    fn set_threads(&mut self, threads: usize);

    /// Sets the size of the transposition table in megabytes; a change of size clears the table. Returns the actual
    /// size, which is smaller if memory is insufficient.
    fn set_hash(&mut self, megabytes: usize) -> usize;

    /// Whether [`Engine::load_network`] can read files.
    fn has_network_files(&self) -> bool;

    /// Loads the network to use for evaluation, and clears what was learned in earlier searches.
    ///
    /// # Errors
    /// The file cannot be read, is damaged, or is not a network of this game; the current network stays in use.
    fn load_network(&mut self, source: &NetworkSource) -> Result<(), EngineError>;

    /// Sets the network to use for evaluation, which must be one of this game, and clears what was learned in earlier
    /// searches.
    fn set_network(&mut self, network: NetworkChoice);

    /// A one-line description of the network.
    fn network(&self) -> String;

    /// Identifies the evaluation in files; see [`evaluation_id`].
    fn evaluation_id(&self) -> String;

    /// Name of the option that sets the solved tables of the game, if it has any.
    fn tables_option(&self) -> Option<&'static str>;

    /// Opens the solved tables of the game; `None` closes them. If they cannot be opened, the previous tables are
    /// closed all the same.
    ///
    /// # Errors
    /// The file or directory cannot be read, is damaged, or does not contain tables of this game.
    fn open_tables(&mut self, path: Option<&Path>) -> Result<(), EngineError>;

    /// Sets the solved tables, which the engine uses for the positions that they contain.
    fn set_tables(&mut self, tables: &SolvedTables);

    /// Clears the transposition table, the histories and the memory of the mate solver.
    fn clear(&mut self);

    /// Searches the positions of `bench` to this depth with one thread and a transposition table of 16 MB, each from a
    /// fresh state, and returns the total nodes and time. `report` receives each position as SFEN and its node count.
    fn bench(&self, depth: u32, signals: &Signals, report: &mut dyn FnMut(&str, u64)) -> (u64, Duration);

    /// Number of positions of [`Engine::bench`].
    fn bench_positions(&self) -> usize;

    /// Whether null moves are sound in the game, as programs send them during analysis.
    fn has_null_moves(&self) -> bool;

    /// A handle that stops a search of [`search_lines`](#method.search_lines) from another thread.
    fn stop_handle(&self) -> StopHandle;

    /// A new engine for the same game that shares the network, with one thread and a transposition table of 16 MB.
    fn fork(&self) -> Box<dyn Engine>;
}

/// Searches for a mate in a position of any game, with reused memory; `None` if the game has no mate solver. See
/// [`crate::mate::solve_in`].
pub fn solve_mate(
    workspace: &mut Workspace,
    pos: &AnyPosition,
    limits: &MateLimits,
    monitor: &dyn MateMonitor,
) -> Option<MateOutcome> {
    crate::each_game!(pos.variant(), G => {
        let solve = G::mate_solver()?;
        Some(solve(workspace, pos.get()?, limits, monitor))
    })
}

impl dyn Engine {
    /// Creates an engine for a game, with one thread, a transposition table of 16 MB and the embedded network.
    pub fn new(variant: VariantId) -> Box<Self> {
        crate::each_game!(variant, G => Box::new(Typed::<G>::new(variant)))
    }

    /// Searches until a limit is reached, the callback breaks, or the search is stopped. The callback receives every
    /// line.
    ///
    /// # Errors
    /// The position has a different board.
    ///
    /// # Panics
    /// If the search thread cannot be started. The search runs on a separate thread because it needs a large stack.
    pub fn search_lines(
        &mut self,
        pos: &AnyPosition,
        limits: &Limits,
        on_line: impl FnMut(&Line) -> ControlFlow<()> + Send,
    ) -> Result<Outcome, EngineError> {
        let handle = self.stop_handle();
        let signals = &*handle.0;
        signals.arm(limits.ponder);
        let listener = Listener { on_line: Mutex::new(on_line), signals };
        with_stack(|| self.search(pos, limits, signals, &listener))
    }
}

/// Stops the running search of a [`Searcher`](crate::Searcher) or an [`Engine`] from another thread.
///
/// ```
/// use sanban_engine::{Limits, Searcher};
/// use sanban_rules::Shogi;
/// use std::ops::ControlFlow;
/// use std::thread;
/// use std::time::Duration;
///
/// let mut searcher = Searcher::<Shogi>::new();
/// let handle = searcher.stop_handle();
/// let stopper = thread::spawn(move || {
///     thread::sleep(Duration::from_millis(50));
///     handle.stop();
/// });
/// let outcome = searcher.search(&Default::default(), &Limits::default(), |_| ControlFlow::Continue(()));
/// assert!(outcome.best.is_some());
/// # stopper.join().expect("no panic");
/// ```
#[derive(Clone, Debug)]
pub struct StopHandle(pub(crate) Arc<Signals>);

impl StopHandle {
    /// Stops the search as soon as possible; the search then returns the best move found so far. Does nothing if no
    /// search is running.
    pub fn stop(&self) {
        self.0.stop();
    }
}

/// Runs a search on a thread with enough stack.
pub(crate) fn with_stack<T: Send>(search: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK);
        let search = thread.spawn_scoped(scope, search).expect("the search thread should start");
        search.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// Passes the lines of a search to a callback, which can stop the search.
pub(crate) struct Listener<'a, F> {
    pub(crate) on_line: Mutex<F>,
    pub(crate) signals: &'a Signals,
}

impl<F: FnMut(&Line) -> ControlFlow<()> + Send> Report for Listener<'_, F> {
    fn line(&self, line: &Line) {
        // If the mutex is poisoned, the callback has panicked, and the search is about to end.
        if let Ok(mut on_line) = self.on_line.lock()
            && on_line(line).is_break()
        {
            self.signals.stop();
        }
    }

    fn note(&self, text: &str) {
        log::info!("{text}");
    }
}

/// The engine of one board.
struct Typed<G: Game> {
    variant: VariantId,
    pool: Pool<G>,
    network: NetworkChoice,
    signals: Arc<Signals>,
    workspace: Workspace,
}

impl<G: Game<Position: AsBoard>> Typed<G> {
    fn new(variant: VariantId) -> Self {
        Self {
            variant,
            pool: Pool::new(),
            network: G::embedded(),
            signals: Arc::default(),
            workspace: Workspace::default(),
        }
    }

    fn typed<'a>(&self, pos: &'a AnyPosition) -> Result<&'a G::Position, EngineError> {
        pos.get().ok_or(EngineError::Position { expected: self.variant, found: pos.variant() })
    }
}

impl<G: Game<Position: AsBoard, Oracle: FromTables>> Engine for Typed<G> {
    fn variant(&self) -> VariantId {
        self.variant
    }

    fn search(
        &mut self,
        pos: &AnyPosition,
        limits: &Limits,
        signals: &Signals,
        report: &dyn Report,
    ) -> Result<Outcome, EngineError> {
        let pos = self.typed(pos)?;
        Ok(self.pool.search(pos, limits, signals, report))
    }

    fn mate(
        &mut self,
        pos: &AnyPosition,
        limits: &MateLimits,
        monitor: &dyn MateMonitor,
    ) -> Result<MateOutcome, EngineError> {
        self.typed(pos)?;
        solve_mate(&mut self.workspace, pos, limits, monitor).ok_or(EngineError::NoMates(self.variant))
    }

    fn solves_mates(&self) -> bool {
        G::mate_solver().is_some()
    }

    fn mate_workspace(&mut self) -> &mut Workspace {
        &mut self.workspace
    }

    fn evaluate(&self, pos: &AnyPosition) -> Result<Score, EngineError> {
        let pos = self.typed(pos)?;
        let mut evaluator = G::evaluator(&self.network);
        evaluator.reset(pos);
        Ok(evaluator.evaluate(pos))
    }

    fn evaluate_raw(&self, pos: &AnyPosition) -> Result<Score, EngineError> {
        let pos = self.typed(pos)?;
        let mut evaluator = G::evaluator(&self.network);
        evaluator.reset(pos);
        Ok(evaluator.raw(pos))
    }

    fn settings(&mut self) -> &mut Settings {
        self.pool.settings()
    }

    #[cfg(feature = "tune")]
    fn params(&mut self) -> &mut Params {
        self.pool.params()
    }

    fn set_threads(&mut self, threads: usize) {
        self.pool.set_threads(threads);
    }

    fn set_hash(&mut self, megabytes: usize) -> usize {
        self.pool.set_hash(megabytes)
    }

    fn has_network_files(&self) -> bool {
        G::NETWORK_FILES
    }

    fn load_network(&mut self, source: &NetworkSource) -> Result<(), EngineError> {
        self.set_network(G::load_network(source)?);
        Ok(())
    }

    fn set_network(&mut self, network: NetworkChoice) {
        self.network = network;
        self.pool.set_network(self.network.clone());
        // The scores in the transposition table come from a different network.
        self.pool.clear();
    }

    fn network(&self) -> String {
        G::describe(&self.network)
    }

    fn evaluation_id(&self) -> String {
        evaluation_id::<G>(self.variant, &self.network)
    }

    fn tables_option(&self) -> Option<&'static str> {
        G::Oracle::OPTION
    }

    fn open_tables(&mut self, path: Option<&Path>) -> Result<(), EngineError> {
        self.pool.set_oracle(G::Oracle::default());
        if let Some(path) = path {
            self.pool.set_oracle(G::Oracle::open(path)?);
        }
        Ok(())
    }

    fn set_tables(&mut self, tables: &SolvedTables) {
        self.pool.set_oracle(G::Oracle::from_tables(tables));
    }

    fn clear(&mut self) {
        self.pool.clear();
        self.workspace = Workspace::default();
    }

    fn bench(&self, depth: u32, signals: &Signals, report: &mut dyn FnMut(&str, u64)) -> (u64, Duration) {
        let limits = Limits { depth: Some(depth), ..Limits::default() };
        let mut pool = Pool::<G>::new();
        pool.set_network(self.network.clone());
        let (mut nodes, mut time) = (0, Duration::ZERO);
        for sfen in G::BENCH {
            // A test checks that every position can be read.
            let Ok(pos) = AnyPosition::parse(self.variant, sfen) else { continue };
            let Ok(pos) = self.typed(&pos) else { continue };
            pool.clear();
            let begin = Instant::now();
            let outcome = pool.search(pos, &limits, signals, &());
            if signals.stopped() {
                break;
            }
            time += begin.elapsed();
            nodes += outcome.nodes;
            report(sfen, outcome.nodes);
        }
        (nodes, time)
    }

    fn bench_positions(&self) -> usize {
        G::BENCH.len()
    }

    fn has_null_moves(&self) -> bool {
        G::Position::NULL_MOVE
    }

    fn stop_handle(&self) -> StopHandle {
        StopHandle(Arc::clone(&self.signals))
    }

    fn fork(&self) -> Box<dyn Engine> {
        let mut engine = Self { network: self.network.clone(), ..Self::new(self.variant) };
        engine.pool.set_network(self.network.clone());
        Box::new(engine)
    }
}
