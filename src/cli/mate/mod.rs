//! `sanban mate`: solves and checks mate problems.

mod check;
mod errata;
mod problems;
mod suite;

use super::args::read_position;
use super::failure::Failure;
use super::text::{each_sfen, print};
use sanban_engine::mate::{MateLimits, Workspace, solve_in};
use sanban_formats::record;
use sanban_formats::record::LARGEST;
use sanban_lab::jobs::describe;
use sanban_rules::shogi::Position;
use sanban_rules::{Shogi, Variant};
use sanban_system::{Part, read_file_or_pipe};
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Solve shogi mate problems; prints `SFEN<TAB>mate N MOVES|nomate|timeout`. Also checks problems for soundness, finds
/// brinkmates and writes proofs.
#[derive(clap::Args)]
pub(super) struct Args {
    /// Time limit per position in milliseconds [default: unlimited].
    #[arg(long, value_name = "MS")]
    time: Option<u64>,
    /// Node limit per position.
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Number of threads.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Hash table size in megabytes.
    #[arg(long, value_name = "MB", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    hash: u32,
    /// Keep searching for the shortest mate; futile interpositions count as moves.
    #[arg(long)]
    shortest: bool,
    /// Check whether problems are sound; prints `SFEN<TAB>sound|cooked|leftover|nomate|open<TAB>mate N MOVES`, and the
    /// result of every other check, or of those refuted in a position, on a separate line (result, ply, move, length,
    /// location, preceding moves, line). Ctrl-C prints what is known. docs/mate.md describes the rules. Exit code 0: all
    /// are sound; 1: one is not; 3: a limit was reached first.
    #[arg(long, conflicts_with_all = ["tally", "shortest", "brink"])]
    check: bool,
    /// Search for a brinkmate in at most N plies (1, 3, 5 …) if there is no mate; prints `SFEN<TAB>brink N MOVE`, or
    /// `nobrink`, and each defence with its answer on a separate line.
    #[arg(long, value_name = "N", conflicts_with_all = ["suite", "tally", "shortest", "proof"],
        value_parser = clap::value_parser!(u16).range(1..=99))]
    brink: Option<u16>,
    /// Write a proof of the mate, or of its absence, to a file; with `--check`, a proof of the verdict or, if that is
    /// open, of the length. `tests/oracles/proof_checker.py` verifies it; docs/mate.md describes the format.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["suite", "tally", "shortest"])]
    proof: Option<PathBuf>,
    /// Solve a file of positions with known answers, `SFEN<TAB>mate N|nomate`; prints the wrong answers and a summary.
    /// With `--shortest`, a mate in more than N plies counts as a timeout. With `--check`, check a file of problems,
    /// `NAME<TAB>SFEN`, and print a table.
    #[arg(long, value_name = "FILE", conflicts_with = "sfen")]
    suite: Option<PathBuf>,
    /// Solve only this shard of the suite, counted from 0: `0/4` is the first of four.
    #[arg(long, default_value_t = Part::WHOLE, value_name = "I/N", requires = "suite")]
    shard: Part,
    /// Output file for the answers to a suite, as JSON lines; the same command resumes an interrupted run.
    #[arg(long, value_name = "FILE", requires = "suite")]
    out: Option<PathBuf>,
    /// Do not solve; check the files of all shards of a suite and count their answers.
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["suite", "sfen"])]
    tally: Vec<PathBuf>,
    /// Print a line of JSON per position: `sfen`, `result` (`mate`, `nomate` or `timeout`) and `moves`;
    /// with `--check` and `--brink`, all that they report.
    #[arg(long, conflicts_with_all = ["suite", "tally"])]
    json: bool,
    /// Positions, each in quotes, or problem files (KIF, BOD, CSA and others) [default: `-`, positions from standard
    /// input, one per line].
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
    if !args.tally.is_empty() {
        return suite::tally(&args.tally);
    }
    // clap does not enforce `requires = "suite"` if positions, which conflict with it, are given.
    if args.suite.is_none() && (args.out.is_some() || args.shard != Part::WHOLE) {
        return Err(Failure::Request("--out and --shard need --suite".into()));
    }
    if args.check {
        check::stop_on_interrupt();
    }
    if let Some(path) = &args.suite {
        let run = if args.check { errata::run } else { suite::run };
        return run(path, limits, args.out.as_deref(), args.shard);
    }
    let mut run = Run { args, workspace: Workspace::default(), worst: Ok(()), answered: false };
    let files: Vec<&Path> = args.sfen.iter().map(Path::new).filter(|path| path.is_file()).collect();
    if !files.is_empty() && files.len() == args.sfen.len() {
        files.iter().try_for_each(|file| run.file(file))?;
        return run.worst;
    }
    if args.proof.is_some() && args.sfen.iter().filter(|word| word.contains(' ')).count() > 1 {
        return Err(several_proofs());
    }
    each_sfen(&args.sfen, |sfen, place| {
        let wrong = |error: &dyn Display| Failure::Request(format!("{place}: {error}"));
        let (start, moves) = read_position(sfen.trim()).map_err(|error| wrong(&error))?;
        let pos = Shogi::replay(start.as_deref(), moves.iter().map(String::as_str));
        run.answer(sfen, &pos.map_err(|error| wrong(&error))?, place)
    })?;
    run.worst
}

/// The state of a run over several positions.
struct Run<'a> {
    args: &'a Args,
    workspace: Workspace,
    /// The failure to report at the end: a negative answer, otherwise an open one.
    worst: Result<(), Failure>,
    answered: bool,
}

fn several_proofs() -> Failure {
    Failure::Request("--proof takes one position".into())
}

impl Run<'_> {
    /// Solves the start position of every record in a file.
    fn file(&mut self, file: &Path) -> Result<(), Failure> {
        let bytes = read_file_or_pipe(file, LARGEST)?;
        let named = |error: String| Failure::Request(format!("{}: {error}", file.display()));
        let records = record::read(&bytes).map_err(|error| named(error.to_string()))?;
        for record in &records {
            let start = record.start.as_deref().unwrap_or(Shogi::START);
            let pos = Shogi::parse(start).map_err(|error| named(error.to_string()))?;
            self.answer(start, &pos, &file.display().to_string())?;
        }
        Ok(())
    }

    /// Processes one position as the options request, and prints the answer. `place` is its location for error
    /// messages.
    fn answer(&mut self, sfen: &str, pos: &Position, place: &str) -> Result<(), Failure> {
        let (args, limits) = (self.args, self.args.limits());
        if std::mem::replace(&mut self.answered, true) && args.proof.is_some() {
            return Err(several_proofs());
        }
        if args.check {
            check::accept(pos)
                .map_err(|fault| Failure::Request(format!("{place}: no mate problem: {fault}")))?;
            match check::check_one(sfen, pos, &limits, args.proof.as_deref(), args.json) {
                Err(failure @ (Failure::No | Failure::Open)) => {
                    if !matches!(self.worst, Err(Failure::No)) {
                        self.worst = Err(failure);
                    }
                    return Ok(());
                }
                done => return done,
            }
        }
        if let Some(plies) = args.brink {
            return problems::brink_one(sfen, pos, plies, &limits, args.json);
        }
        if let Some(path) = &args.proof {
            return problems::prove_one(sfen, pos, path, &limits, args.json);
        }
        let outcome = solve_in(&mut self.workspace, pos, &limits, &());
        if args.json {
            return print(&problems::answer_json::<Position>(pos, &outcome).to_string());
        }
        print(&format!("{sfen}\t{}", describe::<Position>(&outcome)))
    }
}
