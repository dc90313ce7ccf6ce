//! Lists the legal moves of a position:
//! `cargo run --example legal_moves -- janggi "4k4/9/9/9/9/9/9/9/4R4/4K4 b - 1"`

use sanban::engine::Game;
use sanban::{Position, VariantId, with_variant};
use std::error::Error;

fn list<G: Game>(sfen: Option<&str>) -> Result<(), Box<dyn Error>> {
    let pos = G::parse(sfen.unwrap_or(G::START))?;
    println!("{pos}");
    for mv in pos.legal_moves() {
        let check = if pos.gives_check(mv) { " check" } else { "" };
        println!("{}{check}", G::Position::usi(mv));
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let name = args.next().unwrap_or_else(|| "shogi".into());
    let sfen = args.next();
    let game: VariantId = name.parse()?;
    with_variant!(game, G => list::<G>(sfen.as_deref()))
}
