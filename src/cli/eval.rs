//! `sanban eval`: the static evaluation of positions.

use super::{Failure, NetworkArgs, no_game, open, read_position};
use crate::game::{Evaluator, Game};
use crate::with_game;
use std::io::{self, BufRead, Write};

/// Show the static evaluation of positions
///
/// Positions given as SFEN are answered with one line each: SFEN, tab, centipawns for the side to move. Without any,
/// the board of `--position` is shown with its evaluation in words.
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
    let mut out = io::BufWriter::new(io::stdout().lock());
    let mut show = |sfen: &str| {
        let text = sfen.trim();
        let text = text.strip_prefix("sfen ").unwrap_or(if text == "startpos" { G::START } else { text });
        let pos = G::parse(text).map_err(Failure::Request)?;
        evaluator.reset(&pos);
        let value = if args.raw { evaluator.raw(&pos) } else { evaluator.evaluate(&pos) };
        writeln!(out, "{sfen}\t{value}").map_err(|error| Failure::Work(format!("standard output: {error}")))
    };
    match &args.positions[..] {
        [] => show(G::START)?,
        [dash] if dash == "-" => {
            for line in io::stdin().lock().lines() {
                let line = line.map_err(|error| Failure::Work(format!("standard input: {error}")))?;
                if !line.trim().is_empty() {
                    show(&line)?;
                }
            }
        }
        positions => positions.iter().try_for_each(|sfen| show(sfen))?,
    }
    out.flush().map_err(|error| Failure::Work(format!("standard output: {error}")))
}
