//! Lists the legal moves of a position:
//! `cargo run --example legal_moves -- janggi "4k4/9/9/9/9/9/9/9/4R4/4K4 b - 1"`

use sanban::{AnyPosition, VariantId};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let name = args.next().unwrap_or_else(|| "shogi".into());
    let game: VariantId = name.parse()?;
    let pos = AnyPosition::replay(game, args.next().as_deref(), [])?;
    println!("{pos}");
    for mv in pos.legal_moves() {
        let check = if pos.gives_check(mv) { " check" } else { "" };
        println!("{}{check}", pos.display(mv));
    }
    Ok(())
}
