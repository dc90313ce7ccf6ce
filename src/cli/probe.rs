//! `sanban probe`: values of positions from a table.

use super::failure::Failure;
use super::text::{each_sfen, unprinted};
use sanban_engine::solved::dobutsu::solved;
use sanban_engine::solved::dobutsu::table::{Table, Value};
use sanban_rules::dobutsu::Position;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

/// Prints what perfect play leads to: `SFEN<TAB>win N|loss N|draw`, N in plies to the end of the game.
#[derive(clap::Args)]
pub(super) struct Args {
    /// Which rules.
    #[arg(long, value_parser = ["dobutsu", "dobutsumate"])]
    game: String,
    /// A file written by `sanban solve`.
    #[arg(long, value_name = "FILE")]
    table: PathBuf,
    /// Positions, each in quotes; with `-` or none they come from standard input, one a line.
    sfen: Vec<String>,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let mate = args.game == "dobutsumate";
    let table = Table::load(&args.table, mate).map_err(|e| Failure::Request(e.to_string()))?;
    if mate { probe::<true>(&table, &args.sfen) } else { probe::<false>(&table, &args.sfen) }
}

fn probe<const MATE: bool>(table: &Table, sfens: &[String]) -> Result<(), Failure> {
    let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let result = each_sfen(sfens, |sfen, place| {
        let value = value::<MATE>(table, sfen).map_err(|e| Failure::Request(format!("{place}: {e}")))?;
        writeln!(out, "{sfen}\t{value}").map_err(unprinted)
    });
    // What was asked before the mistake is answered.
    let flushed = out.flush().map_err(unprinted);
    result.and(flushed)
}

fn value<const MATE: bool>(table: &Table, sfen: &str) -> Result<Value, String> {
    let pos = Position::<MATE>::from_sfen(sfen).map_err(|e| e.to_string())?;
    solved(&pos, table).ok_or_else(|| "the table has no such position".into())
}
