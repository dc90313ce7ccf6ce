//! `sanban mate`: mate problems.

use super::args::position;
use super::failure::Failure;
use super::text::{each_sfen, print, read_lines};
use crate::base::read_whole;
use crate::game::{Checks, Game};
use crate::games::Shogi;
use crate::mate::{MateLimits, MateOutcome, Workspace, solve_in};
use crate::record::{self, LARGEST};
use crate::shogi::Position;
use indicatif::{ProgressBar, ProgressStyle};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Solves mate problems of shogi: prints `SFEN<TAB>mate N MOVES|nomate|timeout`.
#[derive(clap::Args)]
pub(super) struct Args {
    /// Milliseconds a position may take; without it, as long as it needs.
    #[arg(long, value_name = "MS")]
    time: Option<u64>,
    /// Nodes a position may take.
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Number of threads.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Megabytes of memory for the table.
    #[arg(long, value_name = "MB", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    hash: u32,
    /// Search on for a mate in fewer plies, futile interpositions counted.
    #[arg(long)]
    shortest: bool,
    /// A file of positions with their answers, `SFEN<TAB>mate N|nomate`: prints those not answered right, and a count.
    /// With `--shortest`, a mate in more than N plies is none in time.
    #[arg(long, value_name = "FILE", conflicts_with = "sfen")]
    suite: Option<PathBuf>,
    /// Positions, each in quotes, or files of problems (KIF, BOD, CSA and others); with `-` or none positions come from
    /// standard input, one a line.
    sfen: Vec<String>,
}

impl Args {
    fn limits(&self) -> MateLimits {
        MateLimits {
            time: self.time.map(Duration::from_millis),
            nodes: self.nodes,
            memory: self.hash as usize,
            threads: usize::from(self.threads),
            shortest: self.shortest,
        }
    }
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let limits = args.limits();
    if let Some(path) = &args.suite {
        return suite(path, &limits);
    }
    let mut workspace = Workspace::default();
    let files: Vec<&Path> = args.sfen.iter().map(Path::new).filter(|path| path.is_file()).collect();
    if !files.is_empty() && files.len() == args.sfen.len() {
        return files.iter().try_for_each(|file| solve_file(file, &limits, &mut workspace));
    }
    each_sfen(&args.sfen, |sfen, place| answer(sfen, place, &limits, &mut workspace))
}

/// Solves the start position of every record in a file.
fn solve_file(file: &Path, limits: &MateLimits, workspace: &mut Workspace) -> Result<(), Failure> {
    let bytes = read_whole(file, LARGEST).map_err(|error| Failure::Request(error.to_string()))?;
    let named = |error: String| Failure::Request(format!("{}: {error}", file.display()));
    let records = record::read(&bytes).map_err(|error| named(error.to_string()))?;
    for record in &records {
        let start = record.start.as_deref().unwrap_or(Shogi::START);
        let result = Shogi::parse(start).map_err(|error| named(error.to_string()));
        let outcome = solve_in(workspace, &result?, limits, &());
        print(&format!("{start}\t{}", describe::<Position>(&outcome)))?;
    }
    Ok(())
}

/// Solves one position and prints the answer.
fn answer(sfen: &str, place: &str, limits: &MateLimits, workspace: &mut Workspace) -> Result<(), Failure> {
    let pos = position::<Shogi>(sfen).map_err(|e| Failure::Request(format!("{place}: {e}")))?;
    let text = describe::<Position>(&solve_in(workspace, &pos, limits, &()));
    print(&format!("{sfen}\t{text}"))
}

fn describe<P: Checks>(outcome: &MateOutcome) -> String {
    match outcome {
        MateOutcome::Mate(line) => {
            let moves: Vec<String> = line.iter().map(|&mv| P::usi(mv)).collect();
            format!("mate {} {}", line.len(), moves.join(" "))
        }
        MateOutcome::NoMate => "nomate".into(),
        MateOutcome::Unknown => "timeout".into(),
    }
}

/// A position of a suite.
struct Problem {
    pos: Position,
    /// Plies of a known mate; `None`: there is none.
    mate: Option<usize>,
}

/// Reads a line of a suite.
fn problem(line: &str) -> Result<Problem, String> {
    let (sfen, expected) = line.split_once('\t').ok_or("expected SFEN, a tab, and mate N or nomate")?;
    let mate = match expected.trim().split_once(' ') {
        Some(("mate", plies)) => Some(plies.parse().map_err(|_| format!("not a number of plies: {plies}"))?),
        None if expected.trim() == "nomate" => None,
        _ => return Err(format!("expected mate N or nomate, found {expected}")),
    };
    Ok(Problem { pos: Position::from_sfen(sfen).map_err(|e| e.to_string())?, mate })
}

fn suite(path: &Path, limits: &MateLimits) -> Result<(), Failure> {
    let problems = read_lines(path, problem)?;
    if problems.is_empty() {
        return Err(Failure::Request(format!("{}: no position in it", path.display())));
    }
    let bar = ProgressBar::new(problems.len() as u64);
    if let Ok(style) = ProgressStyle::with_template("{pos}/{len} {wide_bar} {elapsed}") {
        bar.set_style(style);
    }
    let (mut right, mut wrong, mut timeout) = (0, 0, 0);
    let mut workspace = Workspace::default();
    for (line, problem) in &problems {
        let outcome = solve_in(&mut workspace, &problem.pos, limits, &());
        let late = |mate: &[_]| limits.shortest && problem.mate.is_some_and(|plies| mate.len() > plies);
        let (count, word) = match (&outcome, problem.mate) {
            (MateOutcome::Unknown, _) => (&mut timeout, "timeout"),
            (MateOutcome::Mate(mate), Some(_)) if late(mate) => (&mut timeout, "timeout"),
            (MateOutcome::Mate(_), Some(_)) | (MateOutcome::NoMate, None) => (&mut right, "right"),
            _ => (&mut wrong, "wrong"),
        };
        *count += 1;
        if word != "right" {
            let (sfen, text) = (problem.pos.sfen(), describe::<Position>(&outcome));
            bar.suspend(|| print(&format!("line {line}: {word}: {sfen}\t{text}")))?;
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    print(&format!("{right} right, {wrong} wrong, {timeout} timeout of {}", problems.len()))?;
    if right == problems.len() {
        Ok(())
    } else {
        Err(Failure::Work(format!("{} of {} not answered right", problems.len() - right, problems.len())))
    }
}
