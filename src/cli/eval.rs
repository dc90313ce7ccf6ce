//! `sanban eval`: the static evaluation of a position.

use super::{Failure, open, read_position};

/// Show the static evaluation of a position
#[derive(clap::Args)]
pub struct Args {
    /// The game
    #[arg(long, default_value = "shogi")]
    game: String,
    /// `startpos` or a SFEN, with or without `moves ...`
    #[arg(long, default_value = "startpos")]
    position: String,
}

pub fn run(args: &Args) -> Result<(), Failure> {
    let mut session = open(&args.game)?;
    let (sfen, moves) = read_position(&args.position)?;
    session.position(sfen.as_deref(), &moves)?;
    println!("{}\n{}", session.board(), session.eval());
    Ok(())
}
