//! `sanban mate`: mate problems.

mod answer;
mod suite;

use super::args::position;
use super::failure::Failure;
use super::text::{each_sfen, print};
use answer::describe;
use sanban_engine::mate::{MateLimits, Workspace, solve_in};
use sanban_formats::record;
use sanban_formats::record::LARGEST;
use sanban_rules::shogi::Position;
use sanban_rules::{Shogi, Variant};
use sanban_system::{Part, read_whole};
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
    /// Only this part of the positions of a suite, counted from 0: `0/4` is the first of four.
    #[arg(long, default_value_t = Part::WHOLE, value_name = "I/N", requires = "suite")]
    shard: Part,
    /// File for the answers to a suite, as lines of JSON; the same command goes on where it was stopped.
    #[arg(long, value_name = "FILE", requires = "suite")]
    out: Option<PathBuf>,
    /// Solve nothing: check the files of all parts of a suite and count their answers.
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["suite", "sfen"])]
    tally: Vec<PathBuf>,
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
    if !args.tally.is_empty() {
        return suite::tally(&args.tally);
    }
    if let Some(path) = &args.suite {
        return suite::run(&suite::Plan { path, part: args.shard, out: args.out.as_deref(), limits });
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
