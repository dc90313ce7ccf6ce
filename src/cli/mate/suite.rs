//! Suites of problems with known answers, which can be split across runs and machines.

use super::super::bar::bar;
use super::super::failure::Failure;
use super::super::text::{note, print, read_lines};
use super::super::units::{Unit, Units, combine};
use super::answer::describe;
use sanban_engine::mate::{MateLimits, MateOutcome, Workspace, solve_in};
use sanban_rules::shogi::Position;
use sanban_system::{Part, checksum};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::path::{Path, PathBuf};

pub(super) struct Plan<'a> {
    pub path: &'a Path,
    pub part: Part,
    pub out: Option<&'a Path>,
    pub limits: MateLimits,
}

/// The header of a file of answers.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
struct About {
    /// Number of problems, and their checksum.
    problems: u64,
    suite: String,
    /// Time limit per problem in milliseconds.
    time: Option<u64>,
    nodes: Option<u64>,
    shortest: bool,
    version: String,
}

struct Problem {
    pos: Position,
    /// Length of the known mate in plies; `None`: no mate.
    mate: Option<usize>,
}

#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Answer {
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

impl Unit for Answer {
    const JOB: &'static str = "mate";
    const WORDS: [&'static str; 2] = ["answers", "solving again"];

    fn number(&self) -> u64 {
        self.problem
    }
}

impl Answer {
    /// The message about a wrong answer or a timeout.
    fn complaint(&self) -> Option<String> {
        let word = match self.verdict {
            Verdict::Right => return None,
            Verdict::Wrong => "wrong",
            Verdict::Timeout => "timeout",
        };
        Some(format!("line {}: {word}: {}\t{}", self.line, self.sfen, self.answer))
    }
}

fn problem(line: &str) -> Result<Problem, String> {
    let (sfen, expected) = line.split_once('\t').ok_or("expected SFEN, a tab, and mate N or nomate")?;
    let mate = match expected.trim().split_once(' ') {
        Some(("mate", plies)) => Some(plies.parse().map_err(|_| format!("not a number of plies: {plies}"))?),
        None if expected.trim() == "nomate" => None,
        _ => return Err(format!("expected mate N or nomate, found {expected}")),
    };
    Ok(Problem { pos: Position::from_sfen(sfen).map_err(|e| e.to_string())?, mate })
}

/// Solves the remaining problems of a shard and counts the answers.
pub(super) fn run(plan: &Plan<'_>) -> Result<(), Failure> {
    let &Plan { path, part, out, ref limits } = plan;
    let problems = read_lines(path, problem)?;
    if problems.is_empty() {
        return Err(Failure::Request(format!("{}: contains no positions", path.display())));
    }
    let about = about(limits, &problems);
    let mut answers = Units::<Answer>::open(out, &json!(about), part)?;
    if !answers.done.is_empty() {
        note(&format!("{} answers already present", answers.done.len()));
    }
    let own = (0..).zip(&problems).filter(|&(number, _)| part.has(number));
    let open: Vec<_> = own.filter(|(number, _)| !answers.done.contains_key(number)).collect();
    let bar = bar(open.len() as u64, "{pos}/{len} {wide_bar} {elapsed}");
    for answer in answers.done.values() {
        answer.complaint().map_or(Ok(()), |line| print(&line))?;
    }
    let mut workspace = Workspace::default();
    for (number, (line, problem)) in open {
        let answer = solve(&mut workspace, number, *line, problem, limits);
        let complaint = answer.complaint();
        answers.add(answer)?;
        complaint.map_or(Ok(()), |line| bar.suspend(|| print(&line)))?;
        bar.inc(1);
    }
    bar.finish_and_clear();
    conclude(answers.done.values())
}

fn about(limits: &MateLimits, problems: &[(usize, Problem)]) -> About {
    let texts: Vec<String> =
        problems.iter().map(|(_, problem)| format!("{} {:?}\n", problem.pos.sfen(), problem.mate)).collect();
    About {
        problems: problems.len() as u64,
        suite: format!("{:016x}", checksum(texts.concat().as_bytes())),
        time: limits.time.map(|time| time.as_millis() as u64),
        nodes: limits.nodes,
        shortest: limits.shortest,
        version: env!("CARGO_PKG_VERSION").into(),
    }
}

fn solve(
    workspace: &mut Workspace,
    number: u64,
    line: usize,
    problem: &Problem,
    limits: &MateLimits,
) -> Answer {
    let outcome = solve_in(workspace, &problem.pos, limits, &());
    let late = |mate: &[_]| limits.shortest && problem.mate.is_some_and(|plies| mate.len() > plies);
    let verdict = match (&outcome, problem.mate) {
        (MateOutcome::Unknown, _) => Verdict::Timeout,
        (MateOutcome::Mate(mate), Some(_)) if late(mate) => Verdict::Timeout,
        (MateOutcome::Mate(_), Some(_)) | (MateOutcome::NoMate, None) => Verdict::Right,
        _ => Verdict::Wrong,
    };
    let (sfen, answer) = (problem.pos.sfen(), describe::<Position>(&outcome));
    Answer { problem: number, line, verdict, sfen, answer }
}

/// Combines the files of all shards; none may be missing.
pub(super) fn tally(paths: &[PathBuf]) -> Result<(), Failure> {
    let (_, answers) = combine::<About, Answer>(paths, |about| about.problems)?;
    for answer in answers.values() {
        answer.complaint().map_or(Ok(()), |line| print(&line))?;
    }
    conclude(answers.values())
}

fn conclude<'a>(answers: impl Iterator<Item = &'a Answer>) -> Result<(), Failure> {
    let (mut right, mut wrong, mut timeout) = (0, 0, 0);
    for answer in answers {
        *match answer.verdict {
            Verdict::Right => &mut right,
            Verdict::Wrong => &mut wrong,
            Verdict::Timeout => &mut timeout,
        } += 1;
    }
    let all = right + wrong + timeout;
    print(&format!("{right} right, {wrong} wrong, {timeout} timeout of {all}"))?;
    if right == all {
        Ok(())
    } else {
        Err(Failure::Work(format!("{} of {all} not answered correctly", all - right)))
    }
}
