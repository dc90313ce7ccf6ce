//! `sanban bench`: the speed of the search and, by its node count, its identity.

use super::{Failure, open};
use crate::search::Signals;
use crate::usi::Output;

/// Search fixed positions to a fixed depth: one thread, 16 MB, a fresh state before each
#[derive(clap::Args)]
pub struct Args {
    /// Depth in plies
    #[arg(value_parser = clap::value_parser!(u32).range(1..256))]
    depth: Option<u32>,
    /// The game
    #[arg(long, default_value = "shogi")]
    game: String,
}

pub fn run(args: &Args) -> Result<(), Failure> {
    open(&args.game)?.bench(args.depth, &Signals::default(), &Output::new(std::io::stdout()));
    Ok(())
}
