//! `sanban probe`: looks up positions in a solved table.

use super::args::position;
use super::failure::Failure;
use super::text::{each_sfen, unprinted};
use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use sanban_engine::solved::dobutsu::solved;
use sanban_engine::solved::dobutsu::table::Table;
use sanban_engine::solved::janggi::Tables;
use sanban_rules::{AnyPosition, Board, Position as _, VariantId, janggi};
use serde_json::{Value as Json, json};
use std::fmt::Display;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

/// Look up the result of perfect play; prints `SFEN<TAB>win N|loss N|draw`, where N is the number of plies to the end
/// of the game.
#[derive(clap::Args)]
pub(super) struct Args {
    /// Rule set: `dobutsu` (capturing the lion wins), `dobutsumate` (checkmate wins), `janggi` (passing only when the
    /// general has no legal move) or `janggicasual` (passing at any time except in check)
    #[arg(long, value_parser = PossibleValuesParser::new(["dobutsu", "dobutsumate", "janggi", "janggicasual"]).try_map(|name| name.parse::<VariantId>()))]
    game: VariantId,
    /// File written by `sanban solve`; for Janggi, the directory of the files
    #[arg(long, value_name = "PATH")]
    table: PathBuf,
    /// Print a line of JSON per position: `sfen`, `result` (`win`, `loss` or `draw`) and `plies`
    #[arg(long)]
    json: bool,
    /// Positions (`startpos` or an SFEN, optionally with `moves`), each in quotes [default: `-`, standard input, one
    /// per line]
    sfen: Vec<String>,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    match AnyPosition::new(args.game).get::<janggi::Position>() {
        Some(start) => endings(args, start.rules().pass),
        None => games(args),
    }
}

fn endings(args: &Args, pass: janggi::Pass) -> Result<(), Failure> {
    if !args.table.is_dir() {
        return Err(Failure::Request(format!("{}: expected a directory of tables", args.table.display())));
    }
    let tables = Tables::new(&args.table, pass);
    answer(args, |pos| {
        let value = pos.get().map(|pos| tables.value(pos)).transpose().map_err(|e| e.to_string())?;
        value.flatten().ok_or_else(|| "the directory has no table for these pieces".into())
    })
}

fn games(args: &Args) -> Result<(), Failure> {
    let mate = args.game == VariantId::DobutsuMate;
    let table = Table::load(&args.table, mate).map_err(|e| Failure::Request(e.to_string()))?;
    answer(args, |pos| {
        let value = match pos.board() {
            Board::Dobutsu(pos) => solved(pos, &table),
            Board::DobutsuMate(pos) => solved(pos, &table),
            Board::Shogi(_) | Board::Janggi(_) => None,
        };
        value.ok_or_else(|| "the position is not in the table".into())
    })
}

/// Prints the value of each position.
fn answer<V: Display>(args: &Args, value: impl Fn(&AnyPosition) -> Result<V, String>) -> Result<(), Failure> {
    let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let result = each_sfen(&args.sfen, |sfen, place| {
        let value = position(args.game, sfen).and_then(|pos| value(&pos));
        let value = value.map_err(|e| Failure::Request(format!("{place}: {e}")))?;
        match args.json {
            true => writeln!(out, "{}", json(sfen, &value.to_string())),
            false => writeln!(out, "{sfen}\t{value}"),
        }
        .map_err(unprinted)
    });
    // Answers before the faulty line are still printed.
    let flushed = out.flush().map_err(unprinted);
    result.and(flushed)
}

/// An answer, `win N`, `loss N` or `draw`, as JSON.
fn json(sfen: &str, value: &str) -> Json {
    let (result, plies) = value.split_once(' ').unwrap_or((value, ""));
    let mut out = json!({ "sfen": sfen, "result": result });
    if let Ok(plies) = plies.parse::<u32>() {
        out["plies"] = json!(plies);
    }
    out
}
