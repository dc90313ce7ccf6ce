//! An engine for one of the games.

use super::position::{AnyPosition, AsBoard};
use super::tables::{FromTables, SolvedTables};
use sanban_engine::mate::{MateLimits, MateMonitor, MateOutcome, Workspace};
use sanban_engine::search::{Report, Settings, Signals};
use sanban_engine::{Game, Limits, Line, NetworkError, NetworkSource, Outcome, Searcher, StopHandle};
use sanban_rules::{Score, VariantId, with_variant};
use std::ops::ControlFlow;
use thiserror::Error;

/// Why an engine cannot answer.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum WrongGame {
    /// The position belongs to a different game.
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
}

/// Searcher, evaluation and mate solver of one of the games.
///
/// ```
/// use sanban::{AnyEngine, AnyPosition, Limits, VariantId};
/// use std::ops::ControlFlow;
///
/// for id in [VariantId::Janggi, VariantId::Dobutsu] {
///     let pos = AnyPosition::new(id);
///     let limits = Limits { depth: Some(3), ..Limits::default() };
///     let outcome = AnyEngine::new(id).search(&pos, &limits, |_| ControlFlow::Continue(()))?;
///     assert!(outcome.best.is_some_and(|mv| pos.is_legal(mv)));
/// }
/// # Ok::<(), sanban::WrongGame>(())
/// ```
pub struct AnyEngine {
    variant: VariantId,
    engine: Box<dyn Erased>,
}

/// Callback for the lines of a search; `Break` ends the search.
type OnLine<'a> = &'a mut (dyn FnMut(&Line) -> ControlFlow<()> + Send);

/// The engine of any game behind a common interface.
trait Erased: Send {
    fn search(&mut self, pos: &AnyPosition, limits: &Limits, on_line: OnLine) -> Option<Outcome>;
    fn search_here(
        &mut self,
        pos: &AnyPosition,
        limits: &Limits,
        signals: &Signals,
        report: &dyn Report,
    ) -> Option<Outcome>;
    fn mate(
        &mut self,
        pos: &AnyPosition,
        limits: &MateLimits,
        monitor: &dyn MateMonitor,
    ) -> Option<MateOutcome>;
    fn mate_workspace(&mut self) -> &mut Workspace;
    fn set_tables(&mut self, tables: &SolvedTables);
    fn evaluate(&self, pos: &AnyPosition) -> Option<Score>;
    fn settings(&mut self) -> &mut Settings;
    fn set_threads(&mut self, threads: usize);
    fn set_hash(&mut self, megabytes: usize) -> usize;
    fn load_network(&mut self, source: &NetworkSource) -> Result<(), NetworkError>;
    fn clear(&mut self);
    fn stop_handle(&self) -> StopHandle;
}

struct Typed<G: Game> {
    searcher: Searcher<G>,
    workspace: Workspace,
}

impl<G: Game<Position: AsBoard, Played: Game<Oracle: FromTables>>> Erased for Typed<G> {
    fn search(&mut self, pos: &AnyPosition, limits: &Limits, on_line: OnLine) -> Option<Outcome> {
        Some(self.searcher.search(pos.get()?, limits, on_line))
    }
    fn search_here(
        &mut self,
        pos: &AnyPosition,
        limits: &Limits,
        signals: &Signals,
        report: &dyn Report,
    ) -> Option<Outcome> {
        Some(self.searcher.search_here(pos.get()?, limits, signals, report))
    }
    fn mate(
        &mut self,
        pos: &AnyPosition,
        limits: &MateLimits,
        monitor: &dyn MateMonitor,
    ) -> Option<MateOutcome> {
        let solve = G::mate_solver()?;
        Some(solve(&mut self.workspace, pos.get()?, limits, monitor))
    }
    fn mate_workspace(&mut self) -> &mut Workspace {
        &mut self.workspace
    }
    fn set_tables(&mut self, tables: &SolvedTables) {
        self.searcher.set_oracle(FromTables::from_tables(tables));
    }
    fn evaluate(&self, pos: &AnyPosition) -> Option<Score> {
        Some(self.searcher.evaluate(pos.get()?))
    }
    fn settings(&mut self) -> &mut Settings {
        self.searcher.settings()
    }
    fn set_threads(&mut self, threads: usize) {
        self.searcher.set_threads(threads);
    }
    fn set_hash(&mut self, megabytes: usize) -> usize {
        self.searcher.set_hash(megabytes)
    }
    fn load_network(&mut self, source: &NetworkSource) -> Result<(), NetworkError> {
        self.searcher.load_network(source)
    }
    fn clear(&mut self) {
        self.searcher.clear();
        self.workspace = Workspace::default();
    }
    fn stop_handle(&self) -> StopHandle {
        self.searcher.stop_handle()
    }
}

impl AnyEngine {
    /// Creates an engine for a game, with one thread, a transposition table of 16 MB and the embedded network.
    #[must_use]
    pub fn new(variant: VariantId) -> Self {
        let engine = with_variant!(variant, G => {
            Box::new(Typed::<G> { searcher: Searcher::new(), workspace: Workspace::default() }) as Box<dyn Erased>
        });
        Self { variant, engine }
    }

    /// The game that the engine plays.
    #[must_use]
    pub fn variant(&self) -> VariantId {
        self.variant
    }

    /// See [`Searcher::search`].
    ///
    /// # Errors
    /// The position belongs to a different game.
    pub fn search(
        &mut self,
        pos: &AnyPosition,
        limits: &Limits,
        mut on_line: impl FnMut(&Line) -> ControlFlow<()> + Send,
    ) -> Result<Outcome, WrongGame> {
        self.check(pos)?;
        self.engine.search(pos, limits, &mut on_line).ok_or_else(|| self.wrong(pos))
    }

    /// See [`Searcher::search_here`].
    ///
    /// # Errors
    /// The position belongs to a different game.
    pub fn search_here(
        &mut self,
        pos: &AnyPosition,
        limits: &Limits,
        signals: &Signals,
        report: &dyn Report,
    ) -> Result<Outcome, WrongGame> {
        self.check(pos)?;
        self.engine.search_here(pos, limits, signals, report).ok_or_else(|| self.wrong(pos))
    }

    /// Searches for a mate in which every move of the attacker is a check. See [`sanban_engine::mate::solve`].
    ///
    /// # Errors
    /// The position belongs to a different game, or the game has no mate solver.
    pub fn mate(
        &mut self,
        pos: &AnyPosition,
        limits: &MateLimits,
        monitor: &dyn MateMonitor,
    ) -> Result<MateOutcome, WrongGame> {
        self.check(pos)?;
        self.engine.mate(pos, limits, monitor).ok_or(WrongGame::NoMates(self.variant))
    }

    /// The memory of the mate solver, with which an interrupted search can be continued.
    pub fn mate_workspace(&mut self) -> &mut Workspace {
        self.engine.mate_workspace()
    }

    /// Sets the solved tables, which the engine uses for the positions that they contain.
    pub fn set_tables(&mut self, tables: &SolvedTables) {
        self.engine.set_tables(tables);
    }

    /// The static evaluation in centipawns for the side to move.
    ///
    /// # Errors
    /// The position belongs to a different game.
    pub fn evaluate(&self, pos: &AnyPosition) -> Result<Score, WrongGame> {
        self.check(pos)?;
        self.engine.evaluate(pos).ok_or_else(|| self.wrong(pos))
    }

    /// The settings of the next search: number of lines, skill and so on.
    pub fn settings(&mut self) -> &mut Settings {
        self.engine.settings()
    }

    /// See [`Searcher::set_threads`].
    pub fn set_threads(&mut self, threads: usize) {
        self.engine.set_threads(threads);
    }

    /// See [`Searcher::set_hash`].
    pub fn set_hash(&mut self, megabytes: usize) -> usize {
        self.engine.set_hash(megabytes)
    }

    /// See [`Searcher::load_network`].
    ///
    /// # Errors
    /// The file cannot be read or is not a network of this game.
    pub fn load_network(&mut self, source: &NetworkSource) -> Result<(), NetworkError> {
        self.engine.load_network(source)
    }

    /// Clears the state of the last game.
    pub fn clear(&mut self) {
        self.engine.clear();
    }

    /// A handle that stops a running search from another thread.
    #[must_use]
    pub fn stop_handle(&self) -> StopHandle {
        self.engine.stop_handle()
    }

    fn check(&self, pos: &AnyPosition) -> Result<(), WrongGame> {
        if pos.variant() == self.variant { Ok(()) } else { Err(self.wrong(pos)) }
    }

    fn wrong(&self, pos: &AnyPosition) -> WrongGame {
        WrongGame::Position { expected: self.variant, found: pos.variant() }
    }
}
