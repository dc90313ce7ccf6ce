//! Suites of mate problems with known answers.

use super::Job;
use sanban_engine::mate::{MateLimits, MateOutcome, Workspace, solve_in};
use sanban_rules::shogi::Position;
use sanban_rules::{Checks, Move};
use sanban_system::checksum;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// A problem with a known answer.
pub struct Problem {
    pos: Position,
    /// Length of the known mate in plies; `None`: no mate.
    mate: Option<usize>,
}

/// Parses `SFEN<TAB>mate N|nomate`, or returns what was expected.
pub fn problem(line: &str) -> Result<Problem, String> {
    let (sfen, expected) = line.split_once('\t').ok_or("expected SFEN, a tab, and mate N or nomate")?;
    let mate = match expected.trim().split_once(' ') {
        Some(("mate", plies)) => Some(plies.parse().map_err(|_| format!("not a number of plies: {plies}"))?),
        None if expected.trim() == "nomate" => None,
        _ => return Err(format!("expected mate N or nomate, found {expected}")),
    };
    Ok(Problem { pos: Position::from_sfen(sfen).map_err(|e| e.to_string())?, mate })
}

/// A suite of problems with known answers.
#[derive(Default, Deserialize)]
pub struct SuiteJob {
    /// Number of problems.
    problems: u64,
    #[serde(skip)]
    about: Value,
    /// The problems with their line numbers; none if a description is all that is known of the suite.
    #[serde(skip)]
    list: Vec<(usize, Problem)>,
    #[serde(skip)]
    limits: MateLimits,
    #[serde(skip)]
    workspace: Mutex<Workspace>,
}

#[derive(Serialize, Deserialize)]
pub struct Answer {
    /// Number of the problem, from 0, and its line number in the suite.
    problem: u64,
    line: usize,
    verdict: Verdict,
    sfen: String,
    answer: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Verdict {
    Right,
    Wrong,
    Timeout,
}

impl Answer {
    /// The message about a wrong answer or a timeout.
    pub fn complaint(&self) -> Option<String> {
        let word = match self.verdict {
            Verdict::Right => return None,
            Verdict::Wrong => "wrong",
            Verdict::Timeout => "timeout",
        };
        Some(format!("line {}: {word}: {}\t{}", self.line, self.sfen, self.answer))
    }
}

impl SuiteJob {
    pub fn new(list: Vec<(usize, Problem)>, limits: MateLimits) -> Self {
        let text = |(_, problem): &(usize, Problem)| format!("{} {:?}\n", problem.pos.sfen(), problem.mate);
        let about = suite_about(&list.iter().map(text).collect::<Vec<_>>(), &limits, Some(limits.shortest));
        Self { problems: list.len() as u64, about, list, limits, ..Self::default() }
    }
}

impl Job for SuiteJob {
    const KIND: &'static str = "mate";
    const WORDS: [&'static str; 2] = ["answers", "solving again"];
    type Unit = Answer;
    /// Numbers of right and wrong answers and of timeouts.
    type Total = [usize; 3];

    fn plan(&self) -> (Value, u64) {
        (self.about.clone(), self.problems)
    }

    fn number(answer: &Answer) -> u64 {
        answer.problem
    }

    fn run(&self, number: u64) -> Option<Answer> {
        let (line, problem) = &self.list[number as usize];
        let mut workspace = self.workspace.lock().unwrap_or_else(PoisonError::into_inner);
        let outcome = solve_in(&mut workspace, &problem.pos, &self.limits, &());
        let late = |mate: &[_]| self.limits.shortest && problem.mate.is_some_and(|plies| mate.len() > plies);
        let verdict = match (&outcome, problem.mate) {
            (MateOutcome::Unknown, _) => Verdict::Timeout,
            (MateOutcome::Mate(mate), Some(_)) if late(mate) => Verdict::Timeout,
            (MateOutcome::Mate(_), Some(_)) | (MateOutcome::NoMate, None) => Verdict::Right,
            _ => Verdict::Wrong,
        };
        let (sfen, answer) = (problem.pos.sfen(), describe::<Position>(&outcome));
        Some(Answer { problem: number, line: *line, verdict, sfen, answer })
    }

    fn merge(&self, answers: &BTreeMap<u64, Answer>) -> Option<[usize; 3]> {
        let count = |verdict| answers.values().filter(|answer| answer.verdict == verdict).count();
        Some([Verdict::Right, Verdict::Wrong, Verdict::Timeout].map(count))
    }
}

/// The description of a suite: the number and the checksum of the problems, and the limits per problem, with the time in
/// milliseconds.
pub fn suite_about(problems: &[String], limits: &MateLimits, shortest: Option<bool>) -> Value {
    let mut about = json!({
        "problems": problems.len(),
        "suite": format!("{:016x}", checksum(problems.concat().as_bytes())),
        "time": limits.time.map(|time| time.as_millis() as u64),
        "nodes": limits.nodes,
    });
    if let Some(shortest) = shortest {
        about["shortest"] = shortest.into();
    }
    about["version"] = env!("CARGO_PKG_VERSION").into();
    about
}

/// The moves in USI notation.
pub fn texts<P: Checks>(moves: &[Move]) -> Vec<String> {
    moves.iter().map(|&mv| P::usi(mv)).collect()
}

/// `mate N MOVES`, `nomate` or `timeout`.
pub fn describe<P: Checks>(outcome: &MateOutcome) -> String {
    match outcome {
        MateOutcome::Mate(line) => {
            format!("mate {} {}", line.len(), texts::<P>(line).join(" "))
        }
        MateOutcome::NoMate => "nomate".into(),
        MateOutcome::Unknown => "timeout".into(),
    }
}
