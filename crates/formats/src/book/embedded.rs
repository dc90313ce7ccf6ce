//! The book in the binary; `docs/book.md` tells how it was made.

use super::Book;
use super::ybb::Ybb;
use sanban_rules::{Shogi, Variant};

/// The book that the program carries for a game, if it has one.
pub fn embedded<G: Variant>() -> Option<Box<dyn Book<G::Position>>> {
    if G::NAME != Shogi::NAME {
        return None;
    }
    // That it can be read is tested.
    Ybb::embedded(include_bytes!("../../books/standard.ybb"))
        .ok()
        .map(|book| Box::new(book) as Box<dyn Book<G::Position>>)
}
