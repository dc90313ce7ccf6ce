//! Plays a game of shogi between the engine with its network and the engine with its hand-written evaluation: `cargo
//! run --release --example engine_match -- 10000` (nodes per move)

use sanban::Variant;
use sanban::{Limits, NetworkSource, Position, Searcher, Shogi, Verdict};
use std::error::Error;
use std::ops::ControlFlow;

fn main() -> Result<(), Box<dyn Error>> {
    let nodes = std::env::args().nth(1).map_or(Ok(10_000), |text| text.parse())?;
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let mut players = [Searcher::<Shogi>::new(), Searcher::new()];
    players[1].load_network(&NetworkSource::Handwritten)?;
    let mut pos = Shogi::parse(Shogi::START)?;
    let verdict = loop {
        if let Some(verdict) = pos.verdict(0) {
            break verdict;
        }
        if pos.game_ply() == 256 {
            break Verdict::Draw;
        }
        let player = &mut players[pos.side().index()];
        let outcome = player.search(&pos, &limits, |_| ControlFlow::Continue(()));
        let Some(mv) = outcome.best else { break pos.verdict_without_moves() };
        println!(
            "{:3} {:6} {:6}",
            pos.game_ply() + 1,
            sanban::rules::shogi::Position::usi(mv),
            outcome.score
        );
        pos.make(mv, &mut ());
    };
    println!("{pos}\nfor {:?}, to move: {verdict:?}", pos.side());
    Ok(())
}
