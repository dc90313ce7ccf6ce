//! The value of a Dobutsu shogi position, from a table written by `sanban solve --game dobutsu --out dobutsu.table`:
//! `cargo run --release --example dobutsu_value -- dobutsu.table "gle/1c1/1C1/ELG b - 1"`

use sanban::engine::solved::dobutsu::solved;
use sanban::engine::solved::dobutsu::table::Table;
use sanban::{Dobutsu, Position, Variant};
use std::error::Error;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let path = args.next().ok_or("which table? sanban solve --game dobutsu --out FILE makes one")?;
    let mut pos = Dobutsu::parse(args.next().as_deref().unwrap_or(Dobutsu::START))?;
    let table = Table::load(Path::new(&path), false)?;
    let value = |pos: &sanban::rules::dobutsu::Original| {
        solved(pos, &table).map_or("not in the table".to_string(), |value| value.to_string())
    };
    println!("{pos}\n{}", value(&pos));
    for mv in pos.legal_moves() {
        pos.make(mv, &mut ());
        println!(
            "{} leads to: {} for the other side",
            sanban::rules::dobutsu::Original::usi(mv),
            value(&pos)
        );
        pos.unmake();
    }
    Ok(())
}
