//! `sanban book think`: extends a book by search.

use super::super::args::NetworkArgs;
use super::super::bar;
use super::super::failure::Failure;
use super::super::text::note;
use super::files::{failure, format_of, read};
use crate::cli::interrupt;
use indicatif::ProgressBar;
use sanban_formats::book::Collection;
use sanban_lab::book::think::{Plan, think};
use sanban_rules::VariantId;
use sanban_system::{Claim, Part};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Interval between saves.
const SAVING: Duration = Duration::from_secs(60);

/// Extend a book by searching the positions where its best lines end, the smallest accumulated loss first
///
/// Values are propagated after every 16 positions. The book is saved every minute, and the same command resumes an
/// interrupted run. The same command gives the same book, regardless of the number of threads.
#[derive(clap::Args)]
pub(super) struct Args {
    /// The book; created if it does not exist
    book: PathBuf,
    /// Output file [default: update BOOK in place]; if it exists, the run resumes from it
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Node limit per position
    #[arg(long, value_name = "N", default_value_t = 400_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Stop after this many nodes in total
    #[arg(long, value_name = "N")]
    budget: Option<u64>,
    /// Stop after this many positions, rounded up to a multiple of 16. With `--out`, positions of earlier runs count;
    /// without it, every run searches this many more
    #[arg(long, value_name = "N")]
    positions: Option<u64>,
    /// Number of best moves to find in each position
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=600))]
    lines: u16,
    /// Follow only moves that lose at most this much compared with the best move of their position, in centipawns; the
    /// limit applies to each move, not to the accumulated loss
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(i32).range(0..=30_000))]
    loss: i32,
    /// Maximum ply of a position; the start position has ply 1
    #[arg(long, value_name = "N", default_value_t = 24)]
    ply: usize,
    /// Number of threads, each running its own search
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Transposition table size per thread in megabytes
    #[arg(long, value_name = "MB", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    hash: u32,
    /// Value of a draw by repetition for black, in centipawns
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(i32).range(-30_000..=30_000), allow_negative_numbers = true)]
    draw: i32,
    /// Search only this shard of the positions, such as `0/4`, to split the work across machines. Only new entries are
    /// written, for `book merge`
    #[arg(long, default_value_t = Part::WHOLE, value_name = "I/N", requires = "out")]
    shard: Part,
    #[command(flatten)]
    network: NetworkArgs,
}

pub(super) fn run(args: &Args, game: VariantId) -> Result<(), Failure> {
    let out = args.out.as_ref().unwrap_or(&args.book);
    let format = format_of(out)?;
    // A separate file, because the book itself is replaced at every save.
    let lock = out.with_added_extension("lock");
    let _alone = Claim::new(&lock).map_err(|error| Failure::file(&lock, &error))?;
    let engine = args.network.engine(game)?;
    let before = if args.book.exists() { read(&args.book, game)? } else { Collection::new(game) };
    let mut book = before.clone();
    let mut searched = 0;
    if out != &args.book && out.exists() {
        let earlier = read(out, game)?.beyond(&before);
        searched = earlier.len() as u64;
        book.merge(earlier);
    }
    let write = |book: &Collection| match args.shard {
        Part::WHOLE => book.write(out, format).map(|_| ()),
        _ => book.beyond(&before).write(out, format).map(|_| ()),
    };
    let plan = Plan {
        nodes: args.nodes,
        budget: args.budget.unwrap_or(u64::MAX),
        positions: args.positions.map_or(u64::MAX, |positions| positions.saturating_sub(searched)),
        lines: args.lines.into(),
        loss: args.loss,
        ply: args.ply,
        threads: args.threads.into(),
        hash: args.hash as usize,
        part: args.shard,
        draw: args.draw,
    };
    let stop = interrupt::signals();
    let bar = bar(&plan);
    let mut saved = Instant::now();
    let mut error = None;
    let thought = think(&mut book, &plan, &*engine, &stop, |book, progress| {
        bar.set_position(if plan.positions < u64::MAX { progress.positions } else { progress.nodes });
        bar.set_message(format!("{} positions in the book", book.len()));
        if saved.elapsed() > SAVING {
            error = write(book).err();
            saved = Instant::now();
        }
        error.is_none()
    });
    bar.finish_and_clear();
    thought.map_err(|error| Failure::Work(error.to_string()))?;
    if let Some(error) = error {
        return Err(failure(out, &error));
    }
    write(&book).map_err(|error| failure(out, &error))?;
    note(&format!("{}: {} positions", out.display(), book.len()));
    if stop.stopped() { Err(Failure::Interrupted) } else { Ok(()) }
}

fn bar(plan: &Plan) -> ProgressBar {
    let (len, unit) = match (plan.positions, plan.budget) {
        (u64::MAX, u64::MAX) => (None, "nodes"),
        (u64::MAX, budget) => (Some(budget), "nodes"),
        (positions, _) => (Some(positions), "positions"),
    };
    let template = match len {
        Some(_) => {
            format!("{{wide_bar}} {{human_pos}}/{{human_len}} {unit}  {{msg}}  {{elapsed}} of {{duration}}")
        }
        None => format!("{{spinner}} {{human_pos}} {unit}  {{msg}}  {{elapsed}}"),
    };
    bar::bar(len.unwrap_or_default(), &template)
}
