//! Searches in slices, for builds without threads: the caller can stop the search between two slices.
//!
//! Every slice is a separate search that starts at depth 1; with the transposition table of the earlier slices, it soon
//! reaches the depth at which they ended. Only new results are reported. A mate search continues where the previous
//! slice ended.

use super::engine::{BoardEngine, Found, FoundLine, MateFound, OnLine, Search, Task};
use super::error::BoardError;
use sanban_engine::ladder::FULL;
use sanban_engine::search::{Clock, Limits, Settings, Signals, planned_time};
use sanban_engine::solved::SolvedTables;
use sanban_rules::AnyPosition;
use sanban_system::clock::Instant;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Length of the first slice; each slice is longer than the one before, up to a maximum.
const FIRST: Duration = Duration::from_millis(20);
const LONGEST_SLICE: Duration = Duration::from_millis(160);
/// Time for a move if there is no limit.
const DEFAULT: Duration = Duration::from_secs(1);

/// A search and its progress.
pub struct Slices {
    search: Search,
    /// The time for the search; `None`: until stopped.
    budget: Option<Duration>,
    /// Whether a single search answers the question. This is used for limits other than time, and for weakened play,
    /// which limits the number of nodes.
    whole: bool,
    begin: Instant,
    slice: Duration,
    /// Whether a slice has been searched.
    begun: bool,
    /// Depth and rank of the last line reported; a slice may end between two lines of an iteration.
    depth: (u32, u32),
    /// Nodes reported so far.
    nodes: u64,
    /// The current best answer.
    answer: Option<Found>,
    /// Whether the search is complete.
    done: bool,
}

impl Slices {
    /// Starts a search.
    #[must_use]
    pub fn new(search: Search) -> Self {
        let (budget, whole) = match &search.task {
            Task::Mate { time } => (*time, false),
            Task::Move { level, limits, .. } => {
                let weak = level.is_some_and(|level| (level as usize) < FULL);
                let counted = limits.depth.is_some() || limits.nodes.is_some();
                let budget = match &limits.clock {
                    _ if limits.infinite || limits.ponder => None,
                    Some(clock) => Some(planned(&search.pos, clock)),
                    None => Some(limits.move_time.unwrap_or(DEFAULT)),
                };
                (budget, weak || counted && budget.is_some())
            }
        };
        let begin = Instant::now();
        let (slice, depth) = (FIRST, (0, 0));
        Self { search, budget, whole, begin, slice, begun: false, depth, nodes: 0, answer: None, done: false }
    }

    /// Handles a ponderhit: starts the clock. `clock`, if given, replaces the clock of the question.
    pub fn hit(&mut self, clock: Option<&Clock>) {
        let Task::Move { limits, .. } = &mut self.search.task else { return };
        (limits.infinite, limits.ponder) = (false, false);
        let clock = clock.or(limits.clock.as_ref());
        self.budget = Some(match clock {
            Some(clock) => planned(&self.search.pos, clock),
            None => limits.move_time.unwrap_or(DEFAULT),
        });
        self.begin = Instant::now();
    }

    /// Runs one slice of the search; returns the answer when the search is over.
    ///
    /// # Errors
    /// The game has no mate problems.
    pub fn poll(
        &mut self,
        engine: &mut BoardEngine,
        tables: &SolvedTables,
        on_line: OnLine,
    ) -> Result<Option<Found>, BoardError> {
        if self.whole {
            return self.run_whole(engine, tables, on_line).map(Some);
        }
        if self.done {
            return Ok(self.answer.clone().filter(|_| self.budget.is_some()));
        }
        let elapsed = self.begin.elapsed();
        let left = self.budget.map(|budget| budget.saturating_sub(elapsed));
        let slice = left.map_or(self.slice, |left| left.min(self.slice)).max(Duration::from_millis(1));
        self.slice = (self.slice * 3 / 2).min(LONGEST_SLICE);
        let answer = self.think(slice, engine, tables, on_line)?;
        // A search that ends well before its time is up is complete.
        self.done = match answer {
            Found::Move(_) => self.begin.elapsed() < elapsed + slice * 3 / 4,
            Found::Mate(_) => !engine.is_mate_open(),
        };
        self.answer = Some(answer);
        let over =
            self.budget.is_some_and(|budget| self.begin.elapsed() + Duration::from_millis(2) >= budget);
        let is_mate = matches!(self.search.task, Task::Mate { .. });
        if !over && !(self.done && (is_mate || self.budget.is_some())) {
            return Ok(None);
        }
        engine.end_mate();
        Ok(self.answer.clone())
    }

    /// Ends the search and returns the current answer.
    ///
    /// # Errors
    /// The engine does not support the search.
    pub fn stop(
        &mut self,
        engine: &mut BoardEngine,
        tables: &SolvedTables,
        on_line: OnLine,
    ) -> Result<Found, BoardError> {
        engine.end_mate();
        if let Some(answer) = self.answer.take() {
            return Ok(answer);
        }
        match self.search.task {
            Task::Mate { .. } => Ok(Found::Mate(MateFound::Unknown)),
            Task::Move { .. } => self.think(Duration::from_millis(5), engine, tables, on_line),
        }
    }

    /// Runs the whole search without slices.
    fn run_whole(
        &self,
        engine: &mut BoardEngine,
        tables: &SolvedTables,
        on_line: OnLine,
    ) -> Result<Found, BoardError> {
        let mut search = self.search.clone();
        if let (Task::Move { limits, .. }, Some(budget)) = (&mut search.task, self.budget)
            && limits.clock.take().is_some()
        {
            limits.move_time = Some(budget);
        }
        engine.run(&search, &Signals::default(), tables, on_line)
    }

    /// Runs one slice and reports the lines that were not reported before.
    fn think(
        &mut self,
        slice: Duration,
        engine: &mut BoardEngine,
        tables: &SolvedTables,
        on_line: OnLine,
    ) -> Result<Found, BoardError> {
        let signals = Signals::default();
        let begun = std::mem::replace(&mut self.begun, true);
        if let Task::Mate { .. } = self.search.task {
            if begun {
                engine.continue_mate();
            }
            return engine.mate(&self.search.pos, Some(slice), &signals).map(Found::Mate);
        }
        let limits = Limits { move_time: Some(slice), ..Limits::default() };
        let nodes = AtomicU64::new(0);
        let (deepest, reported) = (Mutex::new(self.depth), Mutex::new(None));
        let (before, offset, begin) = (self.depth, self.nodes, self.begin);
        let news = |line: FoundLine| {
            nodes.fetch_max(line.nodes, Relaxed);
            let depth = (line.depth, line.rank);
            if depth <= before {
                return;
            }
            let mut deepest = deepest.lock().unwrap_or_else(PoisonError::into_inner);
            *deepest = depth.max(*deepest);
            // At its end, a search repeats its last lines.
            let mut reported = reported.lock().unwrap_or_else(PoisonError::into_inner);
            let key = (depth, line.pv.clone());
            if reported.as_ref() != Some(&key) {
                on_line(FoundLine { nodes: offset + line.nodes, time: begin.elapsed(), ..line });
            }
            *reported = Some(key);
        };
        let best = engine.best_move(&self.search, &limits, &signals, tables, &news)?;
        self.depth = deepest.into_inner().unwrap_or_else(PoisonError::into_inner);
        self.nodes += nodes.into_inner();
        Ok(Found::Move(best))
    }
}

/// The time that the engine plans for a move in this position.
fn planned(pos: &AnyPosition, clock: &Clock) -> Duration {
    planned_time(clock, pos.side(), pos.game_ply(), &Settings::default())
}

#[cfg(test)]
mod tests {
    use super::super::ask::{Asked, ask};
    use super::super::question::Question;
    use super::super::wire::answer_json;
    use super::*;
    use serde_json::{Value as Json, json};

    /// Runs a search; returns the answer, the lines reported, and the number of slices.
    fn run(question: Json, slices: usize) -> (Json, Vec<FoundLine>, usize) {
        let lines = Mutex::new(Vec::new());
        let on_line = |line| lines.lock().expect("no panic").push(line);
        let (mut engine, tables) = (BoardEngine::default(), SolvedTables::default());
        let question = Question::read(&question).expect("a question");
        let Ok(Asked::Search(search)) = ask(question, &tables) else { panic!("no search") };
        let mut thought = Slices::new(*search);
        let mut polls = 0;
        let answer = loop {
            if polls == slices {
                break thought.stop(&mut engine, &tables, &on_line);
            }
            polls += 1;
            if let Some(answer) = thought.poll(&mut engine, &tables, &on_line).transpose() {
                break answer;
            }
        };
        (answer_json(&Json::Null, &answer), lines.into_inner().expect("no panic"), polls)
    }

    #[test]
    fn slices_go_on_where_the_last_one_ended() {
        let (answer, lines, slices) = run(json!({ "ask": "go", "game": "shogi", "movetime": 400 }), 1000);
        assert!(answer["best"].is_string() && slices > 1, "{answer} after {slices}");
        let depths: Vec<u32> = lines.iter().map(|line| line.depth).collect();
        assert!(depths.is_sorted() && depths.last() > Some(&4), "{depths:?}");
        let nodes: Vec<u64> = lines.iter().map(|line| line.nodes).collect();
        assert!(nodes.is_sorted(), "{nodes:?}");
    }

    /// A slice may end between two lines of an iteration: the next slice reports the rest.
    #[test]
    fn every_line_of_an_iteration_is_told() {
        let (_, lines, slices) =
            run(json!({ "ask": "go", "game": "shogi", "movetime": 1500, "lines": 4 }), 1000);
        assert!(slices > 5);
        let rank = |line: &FoundLine| (line.depth, line.rank);
        // Iterations that end soon after a report are not reported; the last lines of every slice are.
        let last = lines.iter().map(rank).filter(|(_, rank)| *rank == 4).max();
        let (deepest, _) = last.expect("a complete iteration");
        assert!(deepest > 4, "{deepest:?}");
        for n in 1..=4 {
            // The first lines of the next iteration may have replaced the last ones.
            let told = lines.iter().any(|line| line.rank == n && line.depth >= deepest);
            assert!(told, "line {n} of depth {deepest:?}");
        }
    }

    #[test]
    fn an_endless_thought_ends_when_it_is_stopped() {
        let (answer, _, slices) = run(json!({ "ask": "go", "game": "janggi", "infinite": true }), 5);
        assert!(answer["best"].is_string() && slices == 5);
        // A search can be stopped before its first slice.
        let (answer, ..) = run(json!({ "ask": "go", "game": "dobutsu", "infinite": true }), 0);
        assert!(answer["best"].is_string(), "{answer}");
    }

    #[test]
    fn clocks_depths_and_mates_are_kept() {
        let clock = json!({ "b": 3000, "w": 0, "byoyomi": 100 });
        let begin = Instant::now();
        let (answer, ..) = run(json!({ "ask": "go", "game": "shogi", "clock": clock }), 1000);
        assert!(answer["best"].is_string() && begin.elapsed() < Duration::from_millis(3000));
        let (answer, lines, slices) = run(json!({ "ask": "go", "game": "shogi", "depth": 3 }), 9);
        assert!(answer["best"].is_string() && slices == 1);
        assert_eq!(lines.last().map(|line| line.depth), Some(3));
        let sfen = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1";
        let (answer, ..) = run(json!({ "ask": "mate", "game": "shogi", "sfen": sfen }), 9);
        assert_eq!(answer["mate"], json!(["G*5b"]));
        // A mate in 23 plies, which takes more than one slice.
        let sfen = "2sg3n1/l4n3/p1ppLgpk1/1p3p3/P2K5/9/NB5P1/L4g3/5S2L b BG4P2r2sn6p 1";
        let (answer, _, slices) = run(json!({ "ask": "mate", "game": "shogi", "sfen": sfen }), 10_000);
        assert!(
            answer["mate"].as_array().is_some_and(|line| line.len() > 20) && slices > 1,
            "{answer} {slices}"
        );
        let (answer, ..) = run(json!({ "ask": "mate", "game": "dobutsu" }), 9);
        assert!(answer["error"].is_string());
    }
}
