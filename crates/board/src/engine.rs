//! Questions that need a search: the next move, hints, and mates.

use super::error::BoardError;
use super::wire::{WireScore, millis, optional_text, texts};
use sanban_engine::Engine;
use sanban_engine::ladder::FULL;
use sanban_engine::mate::{MateLimits, MateMonitor, MateOutcome, MateProgress, Workspace};
use sanban_engine::search::{Bound, Limits, Line, Outcome, Report, Settings, Signals};
use sanban_engine::solved::SolvedTables;
use sanban_rules::AnyPosition;
use sanban_rules::{Move, UsiMove};
use serde::{Serialize, Serializer};
use serde_json::json;
use std::time::Duration;

/// Receives the lines of a search.
pub type OnLine<'a> = &'a (dyn Fn(FoundLine) + Sync);

/// Maximum number of best lines.
pub(super) const MAX_LINES: usize = 10;
/// Memory for a mate search, in megabytes.
const MATE_MEMORY: usize = 64;
/// Time between two progress reports.
const REPORTS: Duration = Duration::from_millis(100);

#[derive(Clone, Debug)]
pub struct Search {
    pub pos: AnyPosition,
    pub task: Task,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Task {
    /// The next move.
    Move {
        /// Playing strength, from 0 to 20; `None`: full strength.
        level: Option<u32>,
        lines: usize,
        limits: Limits,
    },
    /// A mate by the side to move, with checks only.
    Mate { time: Option<Duration> },
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct FoundLine {
    /// The rank of the line, from 1.
    pub rank: u32,
    /// Iteration depth in plies.
    pub depth: u32,
    pub nodes: u64,
    /// Time since the search began.
    #[serde(serialize_with = "millis")]
    pub time: Duration,
    /// The score for the side to move.
    pub score: WireScore,
    #[serde(serialize_with = "texts")]
    pub pv: Vec<UsiMove>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(untagged)]
pub enum Found {
    Move(BestMove),
    Mate(MateFound),
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct BestMove {
    /// The move; `None` if there is no legal move or the game is over.
    #[serde(serialize_with = "optional_text")]
    pub best: Option<UsiMove>,
    /// The expected reply.
    #[serde(serialize_with = "optional_text")]
    pub ponder: Option<UsiMove>,
    /// The side to move should declare a win instead.
    pub declare: bool,
    /// The score for the side to move.
    pub score: WireScore,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MateFound {
    Mate(Vec<UsiMove>),
    NoMate,
    /// Nothing was proved within the time limit.
    Unknown,
}

impl Serialize for MateFound {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Mate(line) => json!({ "mate": line.iter().map(ToString::to_string).collect::<Vec<_>>() }),
            Self::NoMate => json!({ "mate": null }),
            Self::Unknown => json!({ "unknown": true }),
        }
        .serialize(serializer)
    }
}

/// An engine with its own memory, for one game at a time.
#[derive(Default)]
pub struct BoardEngine(Option<Box<dyn Engine>>);

impl Search {
    pub(super) fn best_move(&self, outcome: &Outcome) -> BestMove {
        let notation = |mv| self.pos.notation(mv);
        BestMove {
            best: outcome.best.map(notation),
            ponder: outcome.ponder.map(notation),
            declare: outcome.declare,
            score: outcome.score.into(),
        }
    }

    pub(super) fn mate_found(&self, outcome: MateOutcome) -> MateFound {
        match outcome {
            MateOutcome::Mate(line) => MateFound::Mate(notations(&self.pos, &line)),
            MateOutcome::NoMate => MateFound::NoMate,
            MateOutcome::Unknown => MateFound::Unknown,
        }
    }

    pub(super) fn listener<'a>(&'a self, on_line: OnLine<'a>) -> Listener<'a> {
        Listener { pos: &self.pos, on_line }
    }
}

impl BoardEngine {
    /// Runs a search until it ends; `signals` may end it early.
    ///
    /// # Errors
    /// The game has no mate problems.
    pub fn run(
        &mut self,
        search: &Search,
        signals: &Signals,
        tables: &SolvedTables,
        on_line: OnLine,
    ) -> Result<Found, BoardError> {
        let engine = self.prepare(search, tables);
        Ok(match &search.task {
            Task::Move { limits, .. } => {
                let outcome = engine.search(&search.pos, limits, signals, &search.listener(on_line))?;
                signals.wait(limits.infinite);
                Found::Move(search.best_move(&outcome))
            }
            Task::Mate { time } => {
                let outcome = engine.mate(&search.pos, &Self::mate_limits(*time), &Stopped(signals));
                self.end_mate();
                Found::Mate(search.mate_found(outcome?))
            }
        })
    }

    /// The engine for a search, with its settings and tables.
    pub(super) fn prepare(&mut self, search: &Search, tables: &SolvedTables) -> &mut dyn Engine {
        let (level, lines) = match &search.task {
            Task::Move { level, lines, .. } => (*level, *lines),
            Task::Mate { .. } => (None, 1),
        };
        let level = level.map_or(FULL, |level| FULL.min(level as usize));
        // The old engine is dropped first: both together may not fit into memory.
        let game = search.pos.variant();
        self.0.take_if(|engine| engine.variant() != game);
        let engine = &mut **self.0.get_or_insert_with(|| <dyn Engine>::new(game));
        // A weakened player does not use the tables.
        let none = SolvedTables::default();
        engine.set_tables(if level == FULL { tables } else { &none });
        *engine.settings() = Settings {
            skill_level: level as u32,
            multi_pv: lines.clamp(1, MAX_LINES),
            pv_interval: REPORTS,
            output_fail_lhpv: false,
            ..Settings::default()
        };
        engine
    }

    pub(super) fn mate_limits(time: Option<Duration>) -> MateLimits {
        MateLimits { time, memory: MATE_MEMORY, shortest: true, ..MateLimits::default() }
    }

    /// Frees the memory of the last mate search.
    pub(super) fn end_mate(&mut self) {
        if let Some(engine) = &mut self.0 {
            *engine.mate_workspace() = Workspace::default();
        }
    }
}

fn notations(pos: &AnyPosition, moves: &[Move]) -> Vec<UsiMove> {
    moves.iter().map(|&mv| pos.notation(mv)).collect()
}

pub(super) struct Listener<'a> {
    pos: &'a AnyPosition,
    on_line: OnLine<'a>,
}

impl Report for Listener<'_> {
    fn line(&self, line: &Line) {
        if line.bound == Bound::Exact {
            (self.on_line)(FoundLine {
                rank: line.multipv.0,
                depth: line.depth,
                nodes: line.nodes,
                time: line.time,
                score: line.score.into(),
                pv: notations(self.pos, &line.pv),
            });
        }
    }

    fn note(&self, _: &str) {}
}

/// Stops a mate search on request.
struct Stopped<'a>(&'a Signals);

impl MateMonitor for Stopped<'_> {
    fn stopped(&self) -> bool {
        self.0.stopped()
    }

    fn progress(&self, _: &MateProgress) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ask::{Asked, ask};
    use crate::question::Question;
    use crate::wire::answer_json;
    use serde_json::Value as Json;
    use std::sync::Mutex;

    fn run(question: Json) -> (Json, Vec<FoundLine>) {
        let lines = Mutex::new(Vec::new());
        let on_line = |line| lines.lock().expect("no panic").push(line);
        let tables = SolvedTables::default();
        let found = Question::read(&question).and_then(|question| match ask(question, &tables)? {
            Asked::Search(search) => {
                BoardEngine::default().run(&search, &Signals::default(), &tables, &on_line)
            }
            Asked::Answer(_) => panic!("no search"),
        });
        (answer_json(&Json::Null, &found), lines.into_inner().expect("no panic"))
    }

    #[test]
    fn every_game_is_thought_about() {
        for &game in sanban_rules::VariantId::NAMES {
            let (answer, lines) = run(json!({ "ask": "go", "game": game, "nodes": 2000, "lines": 2 }));
            assert!(answer["best"].is_string(), "{game}: {answer}");
            assert!(lines.iter().any(|line| line.rank == 2), "{game}: {lines:?}");
            assert!(lines.iter().all(|line| !line.pv.is_empty()));
        }
    }

    #[test]
    fn mates_are_found_and_denied() {
        let ask = |sfen: &str| run(json!({ "ask": "mate", "game": "shogi", "sfen": sfen })).0;
        assert_eq!(ask("4k4/9/4P4/9/9/9/9/9/4K4 b G 1")["mate"], json!(["G*5b"]));
        assert_eq!(ask("4k4/9/9/9/9/9/9/9/4K4 b G 1"), json!({ "id": null, "mate": null }));
        assert!(run(json!({ "ask": "mate", "game": "dobutsu" })).0["error"].is_string());
    }

    #[test]
    fn nonsense_is_answered_with_a_sentence() {
        for question in [json!({}), json!({ "ask": "go", "game": "go" }), json!({ "ask": "go" })] {
            assert!(run(question).0["error"].is_string());
        }
    }
}
