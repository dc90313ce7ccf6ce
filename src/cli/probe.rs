//! `sanban probe`: looks up positions in a solved table.

use super::args::position;
use super::failure::Failure;
use super::text::{each_sfen, unprinted};
use sanban_engine::Game;
use sanban_engine::solved::dobutsu::solved;
use sanban_engine::solved::dobutsu::table::Table;
use sanban_engine::solved::janggi::Tables;
use sanban_rules::dobutsu::Position;
use sanban_rules::{Dobutsu, DobutsuMate, Janggi, JanggiCasual, janggi};
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
    #[arg(long, value_parser = ["dobutsu", "dobutsumate", "janggi", "janggicasual"])]
    game: String,
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
    match args.game.as_str() {
        "janggi" => return endings::<Janggi>(args),
        "janggicasual" => return endings::<JanggiCasual>(args),
        _ => {}
    }
    let mate = args.game == "dobutsumate";
    let table = Table::load(&args.table, mate).map_err(|e| Failure::Request(e.to_string()))?;
    if mate { probe::<DobutsuMate, true>(&table, args) } else { probe::<Dobutsu, false>(&table, args) }
}

/// Probes Janggi endings.
fn endings<G: Game<Position = janggi::Position>>(args: &Args) -> Result<(), Failure> {
    if !args.table.is_dir() {
        return Err(Failure::Request(format!("{}: expected a directory of tables", args.table.display())));
    }
    let tables = Tables::new(&args.table, G::rules().pass);
    answer(args, |sfen| {
        let pos = position::<G>(sfen)?;
        let value = tables.value(&pos).map_err(|e| e.to_string())?;
        value.ok_or_else(|| "the directory has no table for these pieces".into())
    })
}

fn probe<G: Game<Position = Position<MATE>>, const MATE: bool>(
    table: &Table,
    args: &Args,
) -> Result<(), Failure> {
    let value = |pos| solved(&pos, table).ok_or_else(|| "the position is not in the table".into());
    answer(args, |sfen| position::<G>(sfen).and_then(value))
}

/// Prints the value of each position.
fn answer<V: Display>(args: &Args, value: impl Fn(&str) -> Result<V, String>) -> Result<(), Failure> {
    let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let result = each_sfen(&args.sfen, |sfen, place| {
        let value = value(sfen).map_err(|e| Failure::Request(format!("{place}: {e}")))?;
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
