//! `bench`: the speed of the search and, by its node count, its identity.

use super::output::Output;
use sanban_engine::Game;
use sanban_engine::search::{Limits, Pool, Signals};
use sanban_system::clock::Instant;
use std::time::Duration;

/// Depth in plies when none is given.
pub const DEPTH: u32 = 12;

/// Searches the game's bench positions with one thread and 16 MB, each from a fresh state, and prints the node count
/// and the speed. Ends early when `signals` says stop.
pub fn bench<G: Game>(network: &G::Network, depth: u32, signals: &Signals, out: &Output) {
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let mut pool = Pool::<G::Played>::new();
    pool.set_network(network.clone());
    let (mut nodes, mut time) = (0, Duration::ZERO);
    for (n, sfen) in G::BENCH.iter().enumerate() {
        let position = match G::parse(sfen) {
            Ok(position) => position,
            Err(error) => return out.note(&format!("bench position {}: {error}", n + 1)),
        };
        pool.clear();
        let begin = Instant::now();
        let outcome = pool.search(&position, &limits, signals, &());
        if signals.stopped() {
            return out.note("bench was stopped");
        }
        time += begin.elapsed();
        nodes += outcome.nodes;
        out.line(&format!("{} {}/{} nodes {} {sfen}", G::NAME, n + 1, G::BENCH.len(), outcome.nodes));
    }
    out.line(&totals(nodes, time));
}

/// The last two lines of every count.
pub fn totals(nodes: u64, time: Duration) -> String {
    let speed = u128::from(nodes) * 1_000_000 / time.as_micros().max(1);
    format!("Nodes searched  : {nodes}\nNodes/second    : {speed}")
}
