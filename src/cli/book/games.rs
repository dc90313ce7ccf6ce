//! `sanban book from-games`: a book of the moves played in games.

use super::super::args::at_least;
use super::super::bar::bar;
use super::super::convert::files_of;
use super::super::failure::Failure;
use super::super::records;
use super::super::text::note;
use super::files::{format_of, not_empty, write};
use clap::ValueEnum;
use sanban_formats::book::games::{Filter, add, order};
use sanban_formats::book::{Collection, Pruning};
use sanban_formats::record::{LARGEST, Outcome, Reader};
use sanban_rules::{Color, VariantId};
use sanban_system::read_file_or_pipe;
use std::path::PathBuf;
use std::time::Duration;

/// Build a book from the moves of game records, in any format that `sanban convert` reads
///
/// The same games give the same book, regardless of the order of the files.
#[derive(clap::Args)]
pub(super) struct Args {
    /// Record files, or directories with records
    #[arg(required = true)]
    records: Vec<PathBuf>,
    /// Output file
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Number of moves to use from the start of each game
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = at_least(1))]
    plies: usize,
    /// Use only games that end this way
    #[arg(long)]
    result: Option<Result>,
    /// Use only the moves of the winning side
    #[arg(long)]
    winner: bool,
    /// Minimum rating of both players
    #[arg(long, value_name = "N")]
    rating: Option<u32>,
    /// Minimum time used by both players together, in seconds
    #[arg(long, value_name = "SECONDS")]
    time: Option<u32>,
    /// Minimum number of times that a move was played
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    count: Option<u32>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Result {
    Black,
    White,
    Draw,
}

pub(super) fn run(args: &Args, game: VariantId) -> std::result::Result<(), Failure> {
    let format = format_of(&args.out)?;
    let filter = Filter {
        plies: args.plies,
        outcome: args.result.map(|result| match result {
            Result::Black => Outcome::Win(Color::Black),
            Result::White => Outcome::Win(Color::White),
            Result::Draw => Outcome::Draw,
        }),
        winner: args.winner,
        rating: args.rating,
        time: args.time.map(|seconds| Duration::from_secs(seconds.into())),
    };
    let files = files_of(&args.records)?;
    let bar = bar(files.len() as u64, "{wide_bar} {pos}/{len} files  {msg}  {elapsed}");
    let mut book = Collection::new(game);
    let (mut taken, mut left_out, mut unread) = (0u64, 0u64, false);
    let reader = Reader { game: Some(game), ..Reader::default() };
    for path in &files {
        let tell = |sentence: String| bar.suspend(|| note(&format!("{}: {sentence}", path.display())));
        let bytes = match read_file_or_pipe(path, LARGEST) {
            Ok(bytes) => bytes,
            Err(error) => {
                unread = true;
                bar.suspend(|| note(&error.to_string()));
                continue;
            }
        };
        // A damaged file is reported and skipped.
        match records::read(&reader, &bytes) {
            Err(error) => {
                left_out += 1;
                tell(format!("skipped: {error}"));
            }
            Ok(reading) => {
                reading.warnings.iter().for_each(|warning| tell(warning.to_string()));
                for error in &reading.refused {
                    left_out += 1;
                    tell(format!("skipped: {error}"));
                }
                for record in &reading.records {
                    match add(&mut book, record, &filter) {
                        Ok(true) => taken += 1,
                        Ok(false) => left_out += 1,
                        Err(error) => {
                            left_out += 1;
                            tell(format!("skipped: {error}"));
                        }
                    }
                }
            }
        }
        bar.inc(1);
        bar.set_message(format!("{taken} games"));
    }
    bar.finish_and_clear();
    if taken == 0 {
        return Err(Failure::Request("no game passed the filters; nothing was written".into()));
    }
    book.prune(&Pruning { count: args.count, ..Pruning::default() });
    not_empty(&book, &args.out)?;
    order(&mut book);
    note(&format!("{taken} games used, {left_out} skipped"));
    write(&book, &args.out, format)?;
    if unread { Err(Failure::No) } else { Ok(()) }
}
