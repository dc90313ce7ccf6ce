//! Questions that need a search: the next move, hints, and mates.

use super::number::{count, millis};
use super::place::Place;
use super::shown::Shown;
use super::truth::{FromTruth, Truth};
use sanban_engine::Game;
use sanban_engine::mate::{MateLimits, MateMonitor, MateOutcome, MateProgress, Workspace};
use sanban_engine::search::{Bound, Clock, Limits, Line, Pool, Report, Settings, Signals};
use sanban_rules::score::mate_distance;
use sanban_rules::{Move, Position, Score, with_game};
use serde_json::{Value as Json, json};
use std::marker::PhantomData;
use std::time::Duration;

/// Receives intermediate results.
pub type Tell<'a> = &'a (dyn Fn(Json) + Sync);

/// Full strength, as [`Settings::skill_level`] counts it.
const FULL: u64 = 20;
/// Largest number of lines shown at once.
const LINES: u64 = 10;
/// Memory for a mate search, in megabytes.
const MATE_MEMORY: usize = 64;
/// Time between two progress reports.
const REPORTS: Duration = Duration::from_millis(100);

/// An engine with its own memory, for one game at a time.
#[derive(Default)]
pub struct Engine {
    brain: Option<(String, Box<dyn Brain>)>,
}

impl Engine {
    /// Answers a question that needs a search; `signals` may end it early.
    ///
    /// - `go`: the next move. `level` from 0 (a beginner) to 20, `lines` for several best lines, and the limits
    ///   `movetime`, `depth`, `nodes`, `infinite` or `clock` (`b`, `w`, `increment`, `byoyomi`), times in milliseconds.
    ///   The lines are reported as they are found.
    /// - `mate`: the moves to mate, within `movetime`. With `slice`, a number from 0, the answer may contain `more`:
    ///   the question with the next number continues the search.
    pub fn run(&mut self, question: &Json, signals: &Signals, truth: &Truth, tell: Tell) -> Json {
        let answer = Place::read(question)
            .and_then(|place| self.answer(&Task { place, question, signals, truth, tell }));
        answer.unwrap_or_else(|error| json!({ "error": error }))
    }

    fn answer(&mut self, task: &Task) -> Result<Json, String> {
        let game = task.place.game;
        if self.brain.as_ref().is_none_or(|(known, _)| known != game) {
            // The old engine is dropped first: both together may not fit into memory.
            self.brain = None;
            let brain = with_game!(game, G => Box::new(Thinker::<G>::new()) as Box<dyn Brain>);
            self.brain = brain.map(|brain| (game.to_string(), brain));
        }
        let (_, brain) = self.brain.as_mut().ok_or("no such game")?;
        match task.question["ask"].as_str() {
            Some("go") => brain.go(task),
            Some("mate") => brain.mate(task),
            _ => Err("not a question".into()),
        }
    }
}

/// A question about a position, the signals that can end its search, and the callback for results.
struct Task<'a> {
    place: Place<'a>,
    question: &'a Json,
    signals: &'a Signals,
    truth: &'a Truth,
    tell: Tell<'a>,
}

/// The engine of any game.
trait Brain: Send {
    fn go(&mut self, task: &Task) -> Result<Json, String>;
    fn mate(&mut self, task: &Task) -> Result<Json, String>;
}

struct Thinker<G: Game> {
    pool: Pool<G>,
    workspace: Workspace,
}

impl<G: Game> Thinker<G> {
    fn new() -> Self {
        Self { pool: Pool::new(), workspace: Workspace::default() }
    }
}

impl<G: Game> Brain for Thinker<G>
where
    G::Position: Shown,
    G::Oracle: FromTruth,
{
    fn go(&mut self, task: &Task) -> Result<Json, String> {
        let Task { place, question, signals, truth, tell } = task;
        let pos = place.course::<G>()?.pos;
        let number = |name: &str| count(&question[name]);
        let level = number("level").unwrap_or(FULL).min(FULL);
        let oracle = if level == FULL { G::Oracle::from_truth(truth) } else { G::Oracle::default() };
        self.pool.set_oracle(oracle);
        *self.pool.settings() = Settings {
            skill_level: level as u32,
            multi_pv: number("lines").unwrap_or(1).clamp(1, LINES) as usize,
            pv_interval: REPORTS,
            output_fail_lhpv: false,
            ..Settings::default()
        };
        let limits = limits(question);
        let outcome = self.pool.search(&pos, &limits, signals, &Listener::<G::Position>::new(tell));
        signals.wait(limits.infinite);
        Ok(json!({
            "best": outcome.best.map(G::Position::usi),
            "ponder": outcome.ponder.map(G::Position::usi),
            "declare": outcome.declare,
            "score": score(outcome.score),
        }))
    }

    fn mate(&mut self, task: &Task) -> Result<Json, String> {
        let Task { place, question, signals, tell, .. } = task;
        let solve = G::mate_solver().ok_or("this game has no mate problems")?;
        let pos = place.course::<G>()?.pos;
        let limits = MateLimits {
            time: millis(&question["movetime"]),
            memory: MATE_MEMORY,
            shortest: true,
            ..MateLimits::default()
        };
        let slice = count(&question["slice"]);
        if slice > Some(0) {
            self.workspace.resume();
        }
        let monitor = Watcher::<G::Position> { signals, tell, game: PhantomData };
        let outcome = solve(&mut self.workspace, &pos, &limits, &monitor);
        let more = slice.is_some() && self.workspace.is_paused();
        if !more {
            // The memory is kept for this question only.
            self.workspace = Workspace::default();
        }
        let mut answer = match outcome {
            MateOutcome::Mate(line) => json!({ "mate": texts::<G::Position>(&line) }),
            MateOutcome::NoMate => json!({ "mate": null }),
            MateOutcome::Unknown => json!({ "unknown": true }),
        };
        if more {
            answer["more"] = json!(true);
        }
        Ok(answer)
    }
}

/// The limits of a question; one second if it has none.
fn limits(question: &Json) -> Limits {
    let clock = &question["clock"];
    let time = |name: &str| millis(&clock[name]).unwrap_or_default();
    let mut limits = Limits {
        depth: count(&question["depth"]).map(|depth| depth.clamp(1, 100) as u32),
        nodes: count(&question["nodes"]),
        move_time: millis(&question["movetime"]),
        clock: clock.is_object().then(|| Clock {
            time: [time("b"), time("w")],
            increment: [time("increment"); 2],
            byoyomi: time("byoyomi"),
            moves_to_go: None,
        }),
        infinite: question["infinite"] == true,
        ..Limits::default()
    };
    let unlimited = limits.depth.is_none() && limits.nodes.is_none() && limits.clock.is_none();
    if unlimited && limits.move_time.is_none() && !limits.infinite {
        limits.move_time = Some(Duration::from_secs(1));
    }
    limits
}

fn texts<P: Position>(moves: &[Move]) -> Vec<String> {
    moves.iter().map(|&mv| P::usi(mv)).collect()
}

/// `{"cp": N}` or `{"mate": N}`, for the side to move.
fn score(score: Score) -> Json {
    match mate_distance(score) {
        Some(plies) => json!({ "mate": plies }),
        None => json!({ "cp": score }),
    }
}

/// Reports the lines of a search.
struct Listener<'a, P> {
    tell: Tell<'a>,
    game: PhantomData<fn() -> P>,
}

impl<'a, P> Listener<'a, P> {
    fn new(tell: Tell<'a>) -> Self {
        Self { tell, game: PhantomData }
    }
}

impl<P: Position> Report for Listener<'_, P> {
    fn line(&self, line: &Line) {
        if line.bound != Bound::Exact {
            return;
        }
        (self.tell)(json!({
            "rank": line.multipv.0,
            "depth": line.depth,
            "nodes": line.nodes,
            "time": line.time.as_millis() as u64,
            "score": score(line.score),
            "pv": texts::<P>(&line.pv),
        }));
    }

    fn note(&self, _: &str) {}
}

/// Stops a mate search on request and reports its progress.
struct Watcher<'a, P> {
    signals: &'a Signals,
    tell: Tell<'a>,
    game: PhantomData<fn() -> P>,
}

impl<P: Position> MateMonitor for Watcher<'_, P> {
    fn stopped(&self) -> bool {
        self.signals.stopped()
    }

    fn progress(&self, progress: &MateProgress) {
        (self.tell)(json!({ "nodes": progress.nodes, "pv": texts::<P>(&progress.line) }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    fn run(question: Json) -> (Json, Vec<Json>) {
        let told = Mutex::new(Vec::new());
        let tell = |line| told.lock().expect("nobody panics").push(line);
        let signals = Signals::default();
        let answer = Engine::default().run(&question, &signals, &Truth::default(), &tell);
        (answer, told.into_inner().expect("nobody panics"))
    }

    #[test]
    fn every_game_is_thought_about() {
        for &game in sanban_rules::VariantId::NAMES {
            let (answer, lines) = run(json!({ "ask": "go", "game": game, "nodes": 2000, "lines": 2 }));
            assert!(answer["best"].is_string(), "{game}: {answer}");
            assert!(lines.iter().any(|line| line["rank"] == 2), "{game}: {lines:?}");
            assert!(lines.iter().all(|line| line["pv"].as_array().is_some_and(|pv| !pv.is_empty())));
        }
    }

    #[test]
    fn limits_may_have_fractions() {
        let us = |n| Duration::from_micros(n);
        let clock = json!({ "b": 200.5, "w": "?", "increment": 1.5, "byoyomi": 1e2 });
        let read = limits(&json!({ "movetime": 50.5, "nodes": 2e3, "depth": 5.0, "clock": clock }));
        assert_eq!((read.move_time, read.nodes, read.depth), (Some(us(50_500)), Some(2000), Some(5)));
        let clock = read.clock.expect("a clock");
        assert_eq!((clock.time, clock.byoyomi), ([us(200_500), us(0)], us(100_000)));
        assert_eq!(clock.increment, [us(1_500); 2]);
    }

    #[test]
    fn mates_are_found_and_denied() {
        let ask = |sfen: &str| run(json!({ "ask": "mate", "game": "shogi", "sfen": sfen })).0;
        assert_eq!(ask("4k4/9/4P4/9/9/9/9/9/4K4 b G 1"), json!({ "mate": ["G*5b"] }));
        assert_eq!(ask("4k4/9/9/9/9/9/9/9/4K4 b G 1"), json!({ "mate": null }));
        assert!(run(json!({ "ask": "mate", "game": "dobutsu" })).0["error"].is_string());
    }

    #[test]
    fn nonsense_is_answered_with_a_sentence() {
        for question in
            [json!({}), json!({ "ask": "go", "game": "go" }), json!({ "ask": "view", "game": "shogi" })]
        {
            assert!(run(question).0["error"].is_string());
        }
    }
}
