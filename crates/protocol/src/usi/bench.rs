//! `bench` measures the speed of the search. The node count is a signature of the search's behaviour.

use super::output::Output;
use sanban_engine::Engine;
use sanban_engine::search::Signals;
use std::time::Duration;

/// The default depth in plies.
pub const DEPTH: u32 = 12;

/// Runs [`Engine::bench`] and prints the node counts and the speed. Ends early if `signals` requests a stop.
pub fn bench(engine: &dyn Engine, depth: u32, signals: &Signals, out: &Output) {
    let (name, of, mut number) = (engine.variant(), engine.bench_positions(), 0);
    let (nodes, time) = engine.bench(depth, signals, &mut |sfen, nodes| {
        number += 1;
        out.line(&format!("{name} {number}/{of} nodes {nodes} {sfen}"));
    });
    if signals.stopped() {
        return out.note("bench was stopped");
    }
    out.line(&totals(nodes, time));
}

/// Formats the last two lines of `bench` and `perft`: the node count and the nodes per second.
pub fn totals(nodes: u64, time: Duration) -> String {
    let speed = u128::from(nodes) * 1_000_000 / time.as_micros().max(1);
    format!("Nodes searched  : {nodes}\nNodes/second    : {speed}")
}
