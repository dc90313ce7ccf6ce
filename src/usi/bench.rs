//! `bench` measures the speed of the search. The node count is a signature of the search's behaviour.

use super::output::Output;
use sanban_engine::Game;
use sanban_engine::search::{Limits, Pool, Signals};
use sanban_system::clock::Instant;
use std::time::Duration;

/// The default depth in plies.
pub const DEPTH: u32 = 12;

/// Searches the game's bench positions with one thread and a transposition table of 16 MB, each from a fresh state, and
/// prints the node count and the speed. Ends early if `signals` requests a stop.
pub fn bench<G: Game>(network: &G::Network, depth: u32, signals: &Signals, out: &Output) {
    let mut show = |number: usize, nodes: u64| {
        let (name, of, sfen) = (G::NAME, G::BENCH.len(), G::BENCH.get(number).copied().unwrap_or_default());
        out.line(&format!("{name} {}/{of} nodes {nodes} {sfen}", number + 1));
    };
    let (nodes, time) = bench_nodes::<G>(network, depth, signals, &mut show);
    if signals.stopped() {
        return out.note("bench was stopped");
    }
    out.line(&totals(nodes, time));
}

/// Searches the bench positions and returns the total nodes and time. `report` receives the index of each position,
/// from 0, and its node count.
pub fn bench_nodes<G: Game>(
    network: &G::Network,
    depth: u32,
    signals: &Signals,
    report: &mut dyn FnMut(usize, u64),
) -> (u64, Duration) {
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let mut pool = Pool::<G::Played>::new();
    pool.set_network(network.clone());
    let (mut nodes, mut time) = (0, Duration::ZERO);
    for (number, sfen) in G::BENCH.iter().enumerate() {
        // A test checks that every position can be read.
        let Ok(position) = G::parse(sfen) else { continue };
        pool.clear();
        let begin = Instant::now();
        let outcome = pool.search(&position, &limits, signals, &());
        if signals.stopped() {
            break;
        }
        time += begin.elapsed();
        nodes += outcome.nodes;
        report(number, outcome.nodes);
    }
    (nodes, time)
}

/// Formats the last two lines of `bench` and `perft`: the node count and the nodes per second.
pub fn totals(nodes: u64, time: Duration) -> String {
    let speed = u128::from(nodes) * 1_000_000 / time.as_micros().max(1);
    format!("Nodes searched  : {nodes}\nNodes/second    : {speed}")
}
