//! `sanban bench`: measures the speed of the search. The node count is a signature of its behaviour.

use super::args::variants;
use super::failure::Failure;
use super::text::{print, unprinted};
use sanban_engine::Engine;
use sanban_engine::search::Signals;
use sanban_protocol::usi::{BENCH_DEPTH, Output, bench};
use sanban_rules::VariantId;
use serde_json::json;

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
    let (engine, signals) = (<dyn Engine>::new(args.game), Signals::default());
    if args.json {
        let (nodes, time) = engine.bench(args.depth, &signals, &mut |_, _| ());
        let seconds = time.as_secs_f64();
        let out =
            json!({ "game": args.game.name(), "depth": args.depth, "nodes": nodes, "seconds": seconds });
        return print(&out.to_string());
    }
    let out = Output::direct(std::io::stdout());
    bench(&*engine, args.depth, &signals, &out);
    out.error().map_or(Ok(()), |error| Err(unprinted(error)))
}
