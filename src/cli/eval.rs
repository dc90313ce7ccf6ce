//! `sanban eval`: the static evaluation of positions.

use super::{Failure, NetworkArgs, no_game, open, position, read_position};
use crate::game::{Evaluator, Game};
use crate::with_game;
use std::io::{self, BufRead, Write};

/// Show the static evaluation of positions
///
/// Positions given as SFEN are answered with one line each: SFEN, tab, centipawns for the side to move. Without any,
/// the board of `--position` is shown with its evaluation in words; with `--raw` or a network file, it has such a line.
#[derive(clap::Args)]
pub struct Args {
    /// The game
    #[arg(long, default_value = "shogi")]
    game: String,
    /// `startpos` or a SFEN, with or without `moves ...`
    #[arg(long, default_value = "startpos")]
    position: String,
    #[command(flatten)]
    network: NetworkArgs,
    /// The network's own output, divided by FV_SCALE and truncated, instead of centipawns
    #[arg(long)]
    raw: bool,
    /// Positions, each as one argument; `-` reads one a line from standard input
    #[arg(value_name = "SFEN", conflicts_with = "position")]
    positions: Vec<String>,
}

pub fn run(args: &Args) -> Result<(), Failure> {
    if !args.positions.is_empty() || args.raw || args.network.eval_file.is_some() {
        return with_game!(args.game.as_str(), G => evaluate::<G>(args))
            .unwrap_or_else(|| Err(no_game(&args.game).into()));
    }
    let mut session = open(&args.game)?;
    let (sfen, moves) = read_position(&args.position)?;
    session.position(sfen.as_deref(), &moves)?;
    println!("{}\n{}", session.board(), session.eval());
    Ok(())
}

fn evaluate<G: Game>(args: &Args) -> Result<(), Failure> {
    let network = args.network.load::<G>()?;
    let mut evaluator = G::evaluator(&network);
    // Line by line: whoever asks with one may wait for the answer.
    let mut out = io::LineWriter::new(io::stdout().lock());
    let mut show = |text: &str, pos: G::Position| {
        evaluator.reset(&pos);
        let value = if args.raw { evaluator.raw(&pos) } else { evaluator.evaluate(&pos) };
        writeln!(out, "{text}\t{value}").map_err(|error| Failure::Work(format!("standard output: {error}")))
    };
    match &args.positions[..] {
        [] => show(&args.position, position::<G>(&args.position)?),
        [dash] if dash == "-" => {
            for (i, line) in io::stdin().lock().lines().enumerate() {
                let line = line.map_err(|error| Failure::Work(format!("standard input: {error}")))?;
                if !line.trim().is_empty() {
                    let pos = position::<G>(&line);
                    show(&line, pos.map_err(|error| Failure::Request(format!("line {}: {error}", i + 1)))?)?;
                }
            }
            Ok(())
        }
        positions => positions.iter().try_for_each(|text| show(text, position::<G>(text)?)),
    }
}
