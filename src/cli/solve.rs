//! `sanban solve`: solves Dobutsu shogi completely, and Janggi endings.

mod janggi;

use super::bar::bar;
use super::failure::Failure;
use indicatif::ProgressBar;
use sanban_engine::solved::Value;
use sanban_engine::solved::dobutsu::index::SLOTS;
use sanban_engine::solved::dobutsu::solve::reach::Reached;
use sanban_engine::solved::dobutsu::solve::{SolveError, SolveProgress, Summary, check, retrograde};
use sanban_engine::solved::dobutsu::table::{HEADER, value_of};
use sanban_engine::solved::dobutsu::{slot, table};
use sanban_rules::dobutsu::{Original, START};
use sanban_rules::janggi::Pass;
use sanban_system::{Whole, available_memory, begins_with};
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Number of slots re-derived from their children as a check.
const SAMPLES: usize = 500_000;
/// Memory needed in bytes: nine bits per slot, and small tables.
const MEMORY: u64 = SLOTS as u64 / 8 * 9 + (20 << 20);

/// Solve Dobutsu shogi or Janggi endings and write the value and distance of every position to table files.
///
/// Dobutsu shogi: one file of 250 MB. Janggi: one file in the directory --out for each material class named by --pieces
/// and for every class that captures lead to; an existing file is checked and reused. One line per class is printed:
/// for each side to move, the number of positions (all, won, lost, drawn), the longest win or loss in plies, and an
/// example of it.
#[derive(clap::Args)]
pub(super) struct Args {
    /// Rule set: `dobutsu` (capturing the lion wins), `dobutsumate` (checkmate wins), `janggi` (passing only when the
    /// general has no legal move) or `janggicasual` (passing at any time except in check)
    #[arg(long, value_parser = ["dobutsu", "dobutsumate", "janggi", "janggicasual"])]
    game: String,
    /// Output file; for Janggi, the output directory. A file is renamed into place when it is complete
    #[arg(long, value_name = "PATH")]
    out: PathBuf,
    /// Janggi: material classes such as KRCvK or KRPAvKAA (one or two of R C N B P, up to two guards A per side) or
    /// KPPvKN (two against one, without guards); `all`: every class of up to four pieces, generals included; `guards`:
    /// also the classes that have more pieces because of their guards, up to 100 million positions each; `threes`:
    /// every class of two against one
    #[arg(long, value_name = "CLASS", num_args = 1.., required_if_eq_any([("game", "janggi"), ("game", "janggicasual")]))]
    pieces: Vec<String>,
    /// Number of threads for Dobutsu shogi; Janggi uses one [default: one per processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    match args.game.as_str() {
        "janggi" => janggi::run(Pass::Literal, &args.pieces, &args.out),
        "janggicasual" => janggi::run(Pass::Free, &args.pieces, &args.out),
        game if !args.pieces.is_empty() => {
            Err(Failure::Request(format!("{game} is solved as a whole, without --pieces")))
        }
        _ => dobutsu(args),
    }
}

fn dobutsu(args: &Args) -> Result<(), Failure> {
    let begin = Instant::now();
    let mate = args.game == "dobutsumate";
    check_memory().map_err(Failure::Work)?;
    let name = args.out.display();
    let mut whole = Whole::replace(&args.out, begins_with(&table::MAGIC))
        .map_err(|error| Failure::file(&args.out, &error))?;
    whole
        .reserve((HEADER + SLOTS) as u64)
        .map_err(|e| Failure::Work(format!("{name}: cannot reserve {} MB: {e}", (HEADER + SLOTS) >> 20)))?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(args.threads.map_or(0, usize::from)).build();
    let pool = pool.map_err(|e| Failure::Work(format!("cannot start threads: {e}")))?;

    let bar = Bar(bar(0, "{msg:28} {wide_bar} {percent:>3} %  {elapsed}"));
    // Both games have the same start position.
    let start = Original::from_sfen(START).ok().and_then(|pos| slot(&pos));
    let start = start.expect("the start position is in the table");
    let work = || {
        let reached = Reached::from(&start, mate, &bar)?;
        let mut bytes = retrograde::solve(mate, &bar)?;
        let values = bytes.values();
        let (checked, (summary, written)) = rayon::join(
            || check::check(values, mate, SAMPLES, 0x5A4E),
            || (reached.summary(values), table::write(whole.file(), mate, values)),
        );
        checked?;
        let place = start.place().expect("the start position has a place");
        Ok::<_, SolveError>((summary, value_of(values[place.index as usize]), written))
    };
    let (summary, value, written) = pool.install(work).map_err(|error| Failure::Work(error.to_string()))?;
    bar.0.finish_and_clear();

    written.and_then(|()| whole.finish()).map_err(|e| Failure::Work(format!("{name}: {e}")))?;
    print(&args.game, &summary, value, begin.elapsed())
        .map_err(|e| Failure::Work(format!("standard output: {e}")))
}

/// Returns an error if there is not enough memory for solving Dobutsu shogi.
pub(super) fn check_memory() -> Result<(), String> {
    match available_memory() {
        Some(bytes) if bytes < MEMORY => {
            Err(format!("solving needs {} MB of memory, {} MB are available", MEMORY >> 20, bytes >> 20))
        }
        _ => Ok(()),
    }
}

fn print(game: &str, s: &Summary, start: Value, time: Duration) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "game       {game}")?;
    writeln!(out, "reachable  {}", s.reachable)?;
    writeln!(out, "won        {}", s.won)?;
    writeln!(out, "lost       {}", s.lost)?;
    writeln!(out, "drawn      {}", s.drawn)?;
    writeln!(out, "longest    {} plies, {} positions", s.longest, s.longest_count)?;
    writeln!(out, "start      {start}")?;
    writeln!(out, "verified   {SAMPLES} positions")?;
    writeln!(out, "seconds    {:.1}", time.as_secs_f64())
}

/// A progress bar on standard error, if it is a terminal.
struct Bar(ProgressBar);

impl SolveProgress for Bar {
    fn phase(&self, name: &'static str, units: u64) {
        self.0.set_position(0);
        self.0.set_length(units);
        self.0.set_message(name);
    }

    fn advance(&self, units: u64) {
        self.0.inc(units);
    }
}
