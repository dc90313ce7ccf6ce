//! `sanban bench`: the speed of the search and, by its node count, its identity.

use super::args::variants;
use super::failure::Failure;
use super::text::unprinted;
use crate::usi;
use crate::usi::{BENCH_DEPTH, Output};
use sanban_engine::search::Signals;
use sanban_rules::VariantId;

/// Search fixed positions to a fixed depth, with one thread, 16 MB and a cleared state before each
#[derive(clap::Args)]
pub struct Args {
    /// Depth in plies
    #[arg(default_value_t = BENCH_DEPTH, value_parser = clap::value_parser!(u32).range(1..256))]
    depth: u32,
    /// The game
    #[arg(long, default_value = "shogi", value_parser = variants())]
    game: VariantId,
}

pub fn run(args: &Args) -> Result<(), Failure> {
    if let Some(session) = usi::open(args.game) {
        let out = Output::direct(std::io::stdout());
        session.bench(args.depth, &Signals::default(), &out);
        return out.error().map_or(Ok(()), |error| Err(unprinted(error)));
    }
    Ok(())
}
