//! The book that is embedded in the program; `docs/book.md` describes how it was made.

use super::Book;
use super::ybb::Ybb;
use sanban_rules::VariantId;

/// Returns the embedded book of a game, if it has one.
pub fn embedded(game: VariantId) -> Option<Box<dyn Book>> {
    if game != VariantId::Shogi {
        return None;
    }
    // A test checks that the book can be read.
    Ybb::embedded(include_bytes!("../../books/standard.ybb")).ok().map(|book| Box::new(book) as Box<dyn Book>)
}
