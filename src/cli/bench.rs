//! `sanban bench`: measures the speed of the search. The node count is a signature of its behaviour.

use super::args::variants;
use super::failure::Failure;
use super::text::{print, unprinted};
use crate::usi;
use crate::usi::{BENCH_DEPTH, Output};
use sanban_engine::Game;
use sanban_engine::search::Signals;
use sanban_rules::{VariantId, with_variant};
use serde_json::json;
use std::time::Duration;

/// Search a fixed set of positions to a fixed depth and print nodes and speed, with one thread, a 16 MB transposition table
/// and a fresh state for each position
#[derive(clap::Args)]
pub struct Args {
    /// Depth in plies
    #[arg(default_value_t = BENCH_DEPTH, value_parser = clap::value_parser!(u32).range(1..256))]
    depth: u32,
    /// The game
    #[arg(long, default_value = "shogi", value_parser = variants())]
    game: VariantId,
    /// Print the totals as a line of JSON
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args) -> Result<(), Failure> {
    if args.json {
        let (nodes, time) = with_variant!(args.game, G => count::<G>(args.depth));
        let seconds = time.as_secs_f64();
        let out =
            json!({ "game": args.game.name(), "depth": args.depth, "nodes": nodes, "seconds": seconds });
        return print(&out.to_string());
    }
    if let Some(session) = usi::open(args.game) {
        let out = Output::direct(std::io::stdout());
        session.bench(args.depth, &Signals::default(), &out);
        return out.error().map_or(Ok(()), |error| Err(unprinted(error)));
    }
    Ok(())
}

/// The total nodes and time of the bench positions.
fn count<G: Game>(depth: u32) -> (u64, Duration) {
    usi::bench_nodes::<G>(&G::Network::default(), depth, &Signals::default(), &mut |_, _| ())
}
