//! `sanban eval`: the static evaluation of positions.

use super::args::{NetworkArgs, position, read_position, variants};
use super::failure::Failure;
use super::text::{each_sfen, print, unprinted};
use sanban_protocol::uci::Dialect;
use sanban_protocol::usi::Session;
use sanban_rules::{AnyPosition, VariantId};
use serde_json::json;
use std::io::{self, Write};

/// Show the static evaluation of positions
///
/// For each SFEN, one line is printed: the position as given, a tab, and the score in centipawns for the side to move.
/// Without SFENs, the board of `--position` is shown with its evaluation; with `--raw`, `--json` or `--eval-file`, the
/// line is printed instead.
#[derive(clap::Args)]
pub struct Args {
    /// The game
    #[arg(long, default_value = "shogi", value_parser = variants())]
    game: VariantId,
    /// `startpos` or an SFEN, optionally followed by `moves ...`
    #[arg(long, default_value = "startpos")]
    position: String,
    #[command(flatten)]
    network: NetworkArgs,
    /// For networks of other engines: print the network output, divided by FV_SCALE and truncated, instead of
    /// centipawns
    #[arg(long)]
    raw: bool,
    /// Print a line of JSON per position: `sfen` and `score`
    #[arg(long)]
    json: bool,
    /// Positions, each in quotes; `-` reads them from standard input, one per line
    #[arg(value_name = "SFEN", conflicts_with = "position")]
    positions: Vec<String>,
}

pub fn run(args: &Args) -> Result<(), Failure> {
    if args.positions.is_empty() && !args.raw && !args.json && args.network.eval_file.is_none() {
        let mut session = Session::new(args.game);
        let (sfen, moves) = read_position(&args.position)?;
        session.position((sfen.as_deref(), 0), &moves, Dialect::Usi).map_err(|error| error.to_string())?;
        return print(&format!("{}\n{}", session.board(Dialect::Usi), session.eval()));
    }
    let engine = args.network.engine(args.game)?;
    // Flushed line by line: a client may wait for each answer before it sends the next line.
    let mut out = io::LineWriter::new(io::stdout().lock());
    let mut show = |text: &str, pos: AnyPosition| {
        let value = if args.raw { engine.evaluate_raw(&pos) } else { engine.evaluate(&pos) };
        let value = value.map_err(|error| error.to_string())?;
        match args.json {
            true => writeln!(out, "{}", json!({ "sfen": pos.sfen(), "score": value })),
            false => writeln!(out, "{text}\t{value}"),
        }
        .map_err(unprinted)
    };
    if args.positions.is_empty() {
        return show(&args.position, position(args.game, &args.position)?);
    }
    each_sfen(&args.positions, |text, place| {
        show(text, position(args.game, text).map_err(|error| format!("{place}: {error}"))?)
    })
}
