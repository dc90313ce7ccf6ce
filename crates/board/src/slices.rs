//! Searches in slices, for builds without threads: the caller can stop the search between two slices.

use super::engine::{BoardEngine, Found, MateFound, OnLine, Search, Task};
use super::error::BoardError;
use sanban_engine::slices::{self, MateSlices};
use sanban_engine::solved::SolvedTables;

/// A search and its progress.
pub struct Slices {
    search: Search,
    run: Option<Run>,
}

enum Run {
    Move(Box<slices::Slices>),
    Mate(Box<MateSlices>),
}

impl Slices {
    pub fn new(search: Search) -> Self {
        Self { search, run: None }
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
        let (search, pos) = (&self.search, &self.search.pos);
        let engine = engine.prepare(search, tables);
        let run = self.run.get_or_insert_with(|| match &search.task {
            Task::Move { limits, .. } => {
                Run::Move(Box::new(slices::Slices::new(engine, pos, limits.clone())))
            }
            Task::Mate { time } => Run::Mate(Box::new(MateSlices::new(pos, BoardEngine::mate_limits(*time)))),
        });
        Ok(match run {
            Run::Move(run) => {
                let outcome = run.poll(engine, &search.listener(on_line))?;
                outcome.map(|outcome| Found::Move(search.best_move(&outcome)))
            }
            Run::Mate(run) => run.poll(engine, &())?.map(|outcome| Found::Mate(search.mate_found(outcome))),
        })
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
        if let Task::Mate { .. } = self.search.task {
            engine.end_mate();
            return Ok(Found::Mate(MateFound::Unknown));
        }
        if self.run.is_none()
            && let Some(found) = self.poll(engine, tables, on_line)?
        {
            return Ok(found);
        }
        let Some(Run::Move(run)) = &mut self.run else { return Ok(Found::Mate(MateFound::Unknown)) };
        let engine = engine.prepare(&self.search, tables);
        let outcome = run.stop(engine, &self.search.listener(on_line))?;
        Ok(Found::Move(self.search.best_move(&outcome)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ask::{Asked, ask};
    use crate::engine::FoundLine;
    use crate::question::Question;
    use crate::wire::answer_json;
    use sanban_system::clock::Instant;
    use serde_json::{Value as Json, json};
    use std::sync::Mutex;
    use std::time::Duration;

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
