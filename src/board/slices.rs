//! Searches in slices, for builds without threads: the caller can stop the search between two slices.
//!
//! Every slice is a separate search that starts from depth 1; the transposition table of the earlier slices takes it
//! quickly to where they ended. Only new results are reported. A mate search continues where the slice before it ended.

use super::engine::Engine;
use super::number::{count, millis};
use super::truth::Truth;
use sanban_engine::search::Signals;
use sanban_system::clock::Instant;
use serde_json::{Value as Json, json};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Length of the first slice; each slice is longer than the one before, up to a maximum.
const FIRST: Duration = Duration::from_millis(20);
const LONGEST_SLICE: Duration = Duration::from_millis(160);
/// Time reserved from the clock for everything but the search.
const DELAY: Duration = Duration::from_millis(60);

/// A question that needs a search, and its progress.
pub struct Slices {
    question: Json,
    /// The time for the search; `None`: until stopped.
    budget: Option<Duration>,
    /// Answered by a single search: used for limits other than times, and for limited skill, which is a number of
    /// nodes.
    whole: bool,
    begin: Instant,
    slice: Duration,
    slices: u64,
    /// Depth and rank of the last line reported: an iteration may end between two lines.
    depth: (u64, u64),
    /// Nodes reported so far.
    nodes: u64,
    /// The current best answer.
    answer: Option<Json>,
    /// The search is complete.
    done: bool,
}

impl Slices {
    /// Starts a search for a question to [`Engine::run`].
    pub fn new(question: Json) -> Self {
        let number = |name: &str| count(&question[name]);
        let move_time = millis(&question["movetime"]);
        let infinite = question["infinite"] == true;
        let limited = number("level").is_some_and(|level| level < 20);
        let counted = number("depth").is_some() || number("nodes").is_some();
        let mate = question["ask"] == "mate";
        let whole = !mate && (limited || counted && !infinite);
        let budget = match () {
            () if infinite || mate && move_time.is_none() => None,
            () if question["clock"].is_object() => Some(share(&question["clock"])),
            () => Some(move_time.unwrap_or(Duration::from_secs(1))),
        };
        Self {
            question,
            budget,
            whole,
            begin: Instant::now(),
            slice: FIRST,
            slices: 0,
            depth: (0, 0),
            nodes: 0,
            answer: None,
            done: false,
        }
    }

    /// The opponent played the expected move: starts the clock. `clock` replaces the one of the question.
    pub fn hit(&mut self, clock: Option<&Json>) {
        self.begin = Instant::now();
        self.budget = Some(clock.map_or(Duration::from_secs(1), share));
        self.question["infinite"] = json!(false);
    }

    /// Searches for one slice; returns the answer when the search is over.
    pub fn poll(&mut self, engine: &mut Engine, truth: &Truth, tell: &(dyn Fn(Json) + Sync)) -> Option<Json> {
        if self.whole {
            let mut question = self.question.clone();
            if let Some(budget) = self.budget.filter(|_| question["clock"].is_object()) {
                question["clock"] = Json::Null;
                question["movetime"] = json!(budget.as_millis() as u64);
            }
            return Some(engine.run(&question, &Signals::default(), truth, tell));
        }
        let mate = self.question["ask"] == "mate";
        if self.done {
            return self.answer.clone().filter(|_| self.budget.is_some());
        }
        let elapsed = self.begin.elapsed();
        let left = self.budget.map(|budget| budget.saturating_sub(elapsed));
        let slice = left.map_or(self.slice, |left| left.min(self.slice)).max(Duration::from_millis(1));
        self.slice = (self.slice * 3 / 2).min(LONGEST_SLICE);
        let mut answer = self.think(slice, engine, truth, tell);
        self.slices += 1;
        let failed = answer["error"].is_string();
        let found = mate && answer.as_object_mut().is_some_and(|answer| answer.remove("more").is_none());
        // A search that ends before its time is complete.
        self.done = failed || !mate && self.begin.elapsed() < elapsed + slice * 3 / 4;
        self.answer = Some(answer);
        let over =
            self.budget.is_some_and(|budget| self.begin.elapsed() + Duration::from_millis(2) >= budget);
        let ends = failed || found || over || self.done && self.budget.is_some();
        if ends { self.answer.clone() } else { None }
    }

    /// Ends the search and returns the current answer.
    pub fn stop(&mut self, engine: &mut Engine, truth: &Truth, tell: &(dyn Fn(Json) + Sync)) -> Json {
        if let Some(answer) = self.answer.take() {
            return answer;
        }
        if self.question["ask"] != "go" {
            return json!({ "unknown": true });
        }
        self.think(Duration::from_millis(5), engine, truth, tell)
    }

    /// Runs one search and reports the lines that are deeper than those reported before.
    fn think(
        &mut self,
        slice: Duration,
        engine: &mut Engine,
        truth: &Truth,
        tell: &(dyn Fn(Json) + Sync),
    ) -> Json {
        let mut question = self.question.clone();
        question["infinite"] = json!(false);
        question["clock"] = Json::Null;
        question["movetime"] = json!(slice.as_millis() as u64);
        question["slice"] = json!(self.slices);
        let nodes = AtomicU64::new(0);
        let (deepest, told) = (Mutex::new(self.depth), Mutex::new(None));
        let (before, offset, begin) = (self.depth, self.nodes, self.begin);
        let news = |mut finding: Json| {
            let count = finding["nodes"].as_u64().unwrap_or_default();
            nodes.fetch_max(count, Relaxed);
            let number = |name: &str| finding[name].as_u64().unwrap_or_default();
            let depth = (number("depth"), number("rank"));
            if depth <= before {
                return;
            }
            let mut deepest = deepest.lock().unwrap_or_else(PoisonError::into_inner);
            *deepest = depth.max(*deepest);
            finding["nodes"] = json!(offset + count);
            finding["time"] = json!(begin.elapsed().as_millis() as u64);
            // A search ends by repeating its last lines.
            let mut told = told.lock().unwrap_or_else(PoisonError::into_inner);
            let key = (depth, finding["pv"].clone());
            if told.as_ref() != Some(&key) {
                tell(finding);
            }
            *told = Some(key);
        };
        let answer = engine.run(&question, &Signals::default(), truth, &news);
        self.depth = deepest.into_inner().unwrap_or_else(PoisonError::into_inner);
        self.nodes += nodes.into_inner();
        answer
    }
}

/// The share of a clock for this move: a thirtieth of the main time and most of the increment and byoyomi.
fn share(clock: &Json) -> Duration {
    let time = |name: &str| millis(&clock[name]).unwrap_or_default();
    let main = time("left");
    let share = main / 30 + time("increment") * 3 / 4 + time("byoyomi");
    share.min(main + time("byoyomi")).saturating_sub(DELAY).max(Duration::from_millis(10))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The answer, the lines reported, and the number of slices.
    fn run(question: Json, slices: usize) -> (Json, Vec<Json>, usize) {
        let told = Mutex::new(Vec::new());
        let tell = |line: Json| told.lock().expect("nobody panics").push(line);
        let (mut engine, truth) = (Engine::default(), Truth::default());
        let mut thought = Slices::new(question);
        for n in 1..=slices {
            if let Some(answer) = thought.poll(&mut engine, &truth, &tell) {
                return (answer, told.into_inner().expect("nobody panics"), n);
            }
        }
        let answer = thought.stop(&mut engine, &truth, &tell);
        (answer, told.into_inner().expect("nobody panics"), slices)
    }

    #[test]
    fn slices_go_on_where_the_last_one_ended() {
        let (answer, lines, slices) = run(json!({ "ask": "go", "game": "shogi", "movetime": 400 }), 1000);
        assert!(answer["best"].is_string() && slices > 1, "{answer} after {slices}");
        let depths: Vec<u64> = lines.iter().filter_map(|line| line["depth"].as_u64()).collect();
        assert!(depths.is_sorted() && depths.last() > Some(&4), "{depths:?}");
        let nodes: Vec<u64> = lines.iter().filter_map(|line| line["nodes"].as_u64()).collect();
        assert!(nodes.is_sorted(), "{nodes:?}");
    }

    /// A slice may end between two lines of an iteration: the next slice reports the rest.
    #[test]
    fn every_line_of_an_iteration_is_told() {
        let (_, lines, slices) =
            run(json!({ "ask": "go", "game": "shogi", "movetime": 1500, "lines": 4 }), 1000);
        assert!(slices > 5);
        let rank = |line: &Json| (line["depth"].as_u64(), line["rank"].as_u64());
        // Iterations that end soon after a report are left out; the last lines of every slice are not.
        let last = lines.iter().map(rank).filter(|(_, rank)| *rank == Some(4)).max();
        let (deepest, _) = last.expect("a whole iteration");
        assert!(deepest > Some(4), "{deepest:?}");
        for n in 1..=4 {
            let told = lines.iter().any(|line| rank(line) == (deepest, Some(n)));
            assert!(told, "line {n} of depth {deepest:?}");
        }
    }

    #[test]
    fn times_may_have_fractions() {
        let budget = |question: Json| Slices::new(question).budget;
        assert_eq!(budget(json!({ "ask": "go", "movetime": 50.5 })), Some(Duration::from_micros(50_500)));
        assert_eq!(budget(json!({ "ask": "mate", "movetime": 50.5 })), Some(Duration::from_micros(50_500)));
        let clock = json!({ "left": 3000.5, "byoyomi": 99.5 });
        assert!(budget(json!({ "ask": "go", "clock": clock })) > Some(Duration::from_millis(100)));
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
        let clock = json!({ "left": 3000, "byoyomi": 100 });
        let begin = Instant::now();
        let (answer, ..) = run(json!({ "ask": "go", "game": "shogi", "clock": clock }), 1000);
        assert!(answer["best"].is_string() && begin.elapsed() < Duration::from_millis(3000));
        let (answer, lines, slices) = run(json!({ "ask": "go", "game": "shogi", "depth": 3 }), 9);
        assert!(answer["best"].is_string() && slices == 1);
        assert_eq!(lines.last().and_then(|line| line["depth"].as_u64()), Some(3));
        let sfen = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1";
        let (answer, ..) = run(json!({ "ask": "mate", "game": "shogi", "sfen": sfen }), 9);
        assert_eq!(answer, json!({ "mate": ["G*5b"] }));
        // A mate in 23 plies, which takes more than one slice.
        let sfen = "2sg3n1/l4n3/p1ppLgpk1/1p3p3/P2K5/9/NB5P1/L4g3/5S2L b BG4P2r2sn6p 1";
        let (answer, _, slices) = run(json!({ "ask": "mate", "game": "shogi", "sfen": sfen }), 10_000);
        assert!(
            answer["mate"].as_array().is_some_and(|line| line.len() > 20) && slices > 1,
            "{answer} {slices}"
        );
        let (answer, ..) = run(json!({ "ask": "go", "game": "chess" }), 9);
        assert!(answer["error"].is_string());
    }
}
