//! Nodes per second of the same search with different evaluations: material only, the embedded network, the
//! hand-written evaluation, and a HalfKP 256x2-32-32 network (with weights computed by a formula, which does not affect
//! the speed).
//!
//! `cargo bench -p sanban-benches --bench nps`

use sanban::engine::NetworkSource;
use sanban::engine::nnue::NetworkChoice;
use sanban::engine::nnue::{FV_SCALE, formula};
use sanban::engine::params::Params;
use sanban::engine::search::{Limits, Pool, Signals};
use sanban::engine::{Evaluator, Game};
use sanban::rules::shogi::{Kind, Position};
use sanban::rules::{Color, Observer, Placement, Position as _, Score, Shogi};
use sanban::{Variant, VariantId};
use std::time::{Duration, Instant};

/// Nodes per search.
const NODES: u64 = 1_000_000;
/// Number of times each position is searched with each evaluation.
const ROUNDS: usize = 5;

/// Shogi with the cheapest possible evaluation.
struct Material;

impl Variant for Material {
    const ID: VariantId = Shogi::ID;
    const START: &'static str = Shogi::START;
    type Position = Position;
}

impl Game for Material {
    const LADDER: &'static sanban::engine::ladder::Ladder = Shogi::LADDER;
    const PARAMS: Params = Shogi::PARAMS;
    const BENCH: &'static [&'static str] = Shogi::BENCH;
    type Oracle = ();
    type Evaluator = Pieces;

    fn evaluator(_: &NetworkChoice) -> Pieces {
        Pieces { values: std::array::from_fn(value), line: vec![0] }
    }

    fn describe(_: &NetworkChoice) -> String {
        "material".into()
    }
}

/// The value of a placement from black's point of view.
fn value(placement: usize) -> Score {
    let board = 2 * Kind::COUNT * 81;
    if placement < board {
        let (piece, king) = (placement / 81, Kind::King.index());
        let worth = if piece % Kind::COUNT == king { 0 } else { Kind::ALL[piece % Kind::COUNT].value() };
        return if piece < Kind::COUNT { worth } else { -worth };
    }
    let (side, slot) = ((placement - board) / 38, (placement - board) % 38);
    let ends = [18, 22, 26, 30, 32, 34, 38];
    let worth = Kind::ALL[ends.iter().take_while(|&&end| end <= slot).count()].value();
    if side == 0 { worth } else { -worth }
}

/// The sum of the values of all pieces, updated incrementally, with one entry per ply.
struct Pieces {
    values: [Score; Position::PLACEMENTS],
    line: Vec<Score>,
}

impl Pieces {
    fn change(&mut self, by: Score) {
        if let Some(sum) = self.line.last_mut() {
            *sum += by;
        }
    }
}

impl Observer for Pieces {
    fn put(&mut self, placement: Placement) {
        self.change(self.values[placement.index()]);
    }
    fn take(&mut self, placement: Placement) {
        self.change(-self.values[placement.index()]);
    }
}

impl Evaluator<Position> for Pieces {
    fn reset(&mut self, pos: &Position) {
        self.line = vec![0];
        pos.placements(|placement| self.put(placement));
    }
    fn push(&mut self) {
        self.line.push(self.line[self.line.len() - 1]);
    }
    fn pop(&mut self) {
        self.line.pop();
    }
    fn evaluate(&mut self, pos: &Position) -> Score {
        let sum = self.line[self.line.len() - 1];
        if pos.side() == Color::Black { sum } else { -sum }
    }
}

/// Searches a position and returns the time taken.
fn turn<G: Game>(pool: &mut Pool<G>, sfen: &str) -> Duration {
    let limits = Limits { nodes: Some(NODES), ..Limits::default() };
    pool.clear();
    let pos = G::parse(sfen).expect("a valid SFEN");
    let begin = Instant::now();
    pool.search(&pos, &limits, &Signals::default(), &());
    begin.elapsed()
}

fn pool(network: NetworkChoice) -> Pool<Shogi> {
    let mut pool = Pool::new();
    pool.set_hash(64);
    pool.set_network(network);
    pool
}

fn main() {
    let load = |source: &NetworkSource| Shogi::load_network(source).unwrap_or_else(|error| panic!("{error}"));
    let file = std::env::temp_dir().join(format!("sanban-formula-{}.bin", std::process::id()));
    std::fs::write(&file, formula::file()).expect("64 MB of disk space");
    let halfkp = load(&NetworkSource::file(&file, FV_SCALE));
    std::fs::remove_file(&file).expect("a file to delete");
    let mut material = Pool::<Material>::new();
    material.set_hash(64);
    let mut networks = [
        ("embedded", pool(Shogi::embedded())),
        ("halfkp", pool(halfkp)),
        ("hand-written", pool(load(&NetworkSource::Handwritten))),
    ];
    // Alternate about once a second, so that slow variations in machine speed affect all evaluations equally.
    let mut times = [Duration::ZERO; 4];
    for sfen in (0..ROUNDS).flat_map(|_| Shogi::BENCH) {
        times[0] += turn(&mut material, sfen);
        for (at, (_, pool)) in networks.iter_mut().enumerate() {
            times[at + 1] += turn(pool, sfen);
        }
    }
    let nodes = NODES * (ROUNDS * Shogi::BENCH.len()) as u64;
    let speeds = times.map(|time| nodes as f64 / time.as_secs_f64());
    for (name, speed) in ["material"].into_iter().chain(networks.iter().map(|(name, _)| *name)).zip(speeds) {
        println!(
            "{name:>12} {:9.0} nodes/s, {:.3} of material, {:.3} of embedded",
            speed,
            speed / speeds[0],
            speed / speeds[1]
        );
    }
}
