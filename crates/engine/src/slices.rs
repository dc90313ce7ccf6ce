//! Searches in slices, for builds without threads: the caller can stop the search between two slices.
//!
//! Every slice is a separate search that starts at depth 1; with the transposition table of the earlier slices, it soon
//! reaches the depth at which they ended. Only new lines are reported. A mate search continues where the previous slice
//! ended.

use crate::ladder::FULL;
use crate::mate::{MateLimits, MateMonitor, MateOutcome, Workspace};
use crate::search::{Clock, Line, Report, Settings, Signals, planned_time};
use crate::{Engine, EngineError, Limits, Outcome};
use sanban_rules::{AnyPosition, Move};
use sanban_system::clock::Instant;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Length of the first slice; each slice is longer than the one before, up to a maximum.
const FIRST: Duration = Duration::from_millis(20);
const LONGEST_SLICE: Duration = Duration::from_millis(160);
/// Time for a move if there is no limit.
const DEFAULT: Duration = Duration::from_secs(1);

/// The time of a search, spent slice by slice.
struct Course {
    /// The time for the whole search; `None`: until stopped.
    budget: Option<Duration>,
    begin: Instant,
    slice: Duration,
}

impl Course {
    fn new(budget: Option<Duration>) -> Self {
        Self { budget, begin: Instant::now(), slice: FIRST }
    }

    /// The length of the next slice.
    fn next(&mut self) -> Duration {
        let left = self.budget.map(|budget| budget.saturating_sub(self.begin.elapsed()));
        let slice = left.map_or(self.slice, |left| left.min(self.slice)).max(Duration::from_millis(1));
        self.slice = (self.slice * 3 / 2).min(LONGEST_SLICE);
        slice
    }

    fn is_over(&self) -> bool {
        self.budget.is_some_and(|budget| self.begin.elapsed() + Duration::from_millis(2) >= budget)
    }
}

/// A search for the next move, in slices.
pub struct Slices {
    pos: AnyPosition,
    limits: Limits,
    course: Course,
    /// Whether a single search answers the question. This is used for limits other than time, and for weakened play,
    /// which limits the number of nodes.
    whole: bool,
    /// Depth and rank of the last line reported; a slice may end between two lines of an iteration.
    depth: (u32, u32),
    /// Nodes reported so far.
    nodes: u64,
    /// The current best answer.
    outcome: Option<Outcome>,
    done: bool,
}

impl Slices {
    /// Starts a search under the current settings of the engine.
    pub fn new(engine: &mut dyn Engine, pos: &AnyPosition, limits: Limits) -> Self {
        let weak = (engine.settings().skill_level as usize) < FULL;
        let counted = limits.depth.is_some() || limits.nodes.is_some();
        let budget = match &limits.clock {
            _ if limits.infinite || limits.ponder => None,
            Some(clock) => Some(planned(pos, clock)),
            None => Some(limits.move_time.unwrap_or(DEFAULT)),
        };
        let whole = weak || counted && budget.is_some();
        let (pos, course) = (pos.clone(), Course::new(budget));
        Self { pos, limits, course, whole, depth: (0, 0), nodes: 0, outcome: None, done: false }
    }

    /// Handles a ponderhit: starts the clock. `clock`, if given, replaces the clock of the limits.
    pub fn hit(&mut self, clock: Option<&Clock>) {
        (self.limits.infinite, self.limits.ponder) = (false, false);
        self.course.budget = Some(match clock.or(self.limits.clock.as_ref()) {
            Some(clock) => planned(&self.pos, clock),
            None => self.limits.move_time.unwrap_or(DEFAULT),
        });
        self.course.begin = Instant::now();
    }

    /// Runs one slice of the search; returns the outcome when the search is over.
    ///
    /// # Errors
    /// The engine does not accept the position.
    pub fn poll(
        &mut self,
        engine: &mut dyn Engine,
        report: &dyn Report,
    ) -> Result<Option<Outcome>, EngineError> {
        if self.whole {
            let mut limits = self.limits.clone();
            if let Some(budget) = self.course.budget.filter(|_| limits.clock.take().is_some()) {
                limits.move_time = Some(budget);
            }
            let ends = !limits.infinite && !limits.ponder;
            (limits.infinite, limits.ponder) = (false, false);
            if self.outcome.is_none() {
                self.outcome = Some(engine.search(&self.pos, &limits, &Signals::default(), report)?);
            }
            return Ok(self.outcome.clone().filter(|_| ends));
        }
        if self.done {
            return Ok(self.outcome.clone().filter(|_| self.course.budget.is_some()));
        }
        let (elapsed, slice) = (self.course.begin.elapsed(), self.course.next());
        self.outcome = Some(self.think(slice, engine, report)?);
        // A search that ends well before its time is up is complete.
        self.done = self.course.begin.elapsed() < elapsed + slice * 3 / 4;
        let over = self.course.is_over() || self.done && self.course.budget.is_some();
        Ok(self.outcome.clone().filter(|_| over))
    }

    /// Ends the search and returns the current outcome.
    ///
    /// # Errors
    /// The engine does not accept the position.
    pub fn stop(&mut self, engine: &mut dyn Engine, report: &dyn Report) -> Result<Outcome, EngineError> {
        match self.outcome.take() {
            Some(outcome) => Ok(outcome),
            None => self.think(Duration::from_millis(5), engine, report),
        }
    }

    /// Runs one slice and reports the lines that were not reported before.
    fn think(
        &mut self,
        slice: Duration,
        engine: &mut dyn Engine,
        report: &dyn Report,
    ) -> Result<Outcome, EngineError> {
        let limits = Limits {
            move_time: Some(slice),
            search_moves: self.limits.search_moves.clone(),
            side: self.limits.side,
            ..Limits::default()
        };
        let news = News {
            report,
            before: self.depth,
            nodes: self.nodes,
            begin: self.course.begin,
            state: Mutex::new(State { deepest: self.depth, nodes: 0, last: None }),
        };
        let outcome = engine.search(&self.pos, &limits, &Signals::default(), &news)?;
        let state = news.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        self.depth = state.deepest;
        self.nodes += state.nodes;
        Ok(outcome)
    }
}

/// Passes on the lines of a slice that earlier slices did not report.
struct News<'a> {
    report: &'a dyn Report,
    /// Depth and rank of the last line of the earlier slices.
    before: (u32, u32),
    /// Nodes of the earlier slices.
    nodes: u64,
    begin: Instant,
    state: Mutex<State>,
}

struct State {
    deepest: (u32, u32),
    nodes: u64,
    /// Depth, rank and moves of the last line; at its end, a search repeats its last lines.
    last: Option<((u32, u32), Vec<Move>)>,
}

impl Report for News<'_> {
    fn line(&self, line: &Line) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.nodes = state.nodes.max(line.nodes);
        let depth = (line.depth, line.multipv.0);
        if depth <= self.before {
            return;
        }
        state.deepest = depth.max(state.deepest);
        let key = (depth, line.pv.clone());
        if state.last.as_ref() != Some(&key) {
            let (nodes, time) = (self.nodes + line.nodes, self.begin.elapsed());
            self.report.line(&Line { nodes, time, ..line.clone() });
        }
        state.last = Some(key);
    }

    fn note(&self, text: &str) {
        self.report.note(text);
    }
}

/// A search for a mate, in slices.
pub struct MateSlices {
    pos: AnyPosition,
    limits: MateLimits,
    course: Course,
    begun: bool,
}

impl MateSlices {
    /// Starts a search.
    pub fn new(pos: &AnyPosition, limits: MateLimits) -> Self {
        Self { pos: pos.clone(), course: Course::new(limits.time), limits, begun: false }
    }

    /// Runs one slice of the search; returns the outcome when the search is over.
    ///
    /// # Errors
    /// The game has no mate solver.
    pub fn poll(
        &mut self,
        engine: &mut dyn Engine,
        monitor: &dyn MateMonitor,
    ) -> Result<Option<MateOutcome>, EngineError> {
        if std::mem::replace(&mut self.begun, true) {
            engine.mate_workspace().resume();
        }
        let limits = MateLimits { time: Some(self.course.next()), ..self.limits };
        let outcome = engine.mate(&self.pos, &limits, monitor)?;
        if engine.mate_workspace().is_paused() && !self.course.is_over() {
            return Ok(None);
        }
        *engine.mate_workspace() = Workspace::default();
        Ok(Some(outcome))
    }
}

/// The time that the engine plans for a move in this position.
fn planned(pos: &AnyPosition, clock: &Clock) -> Duration {
    planned_time(clock, pos.side(), pos.game_ply(), &Settings::default())
}
