//! Opening books: the [`Book`] trait, with one module for each format.
//!
//! | format | module | lookup |
//! |---|---|---|
//! | YaneuraOu's text (`.db`), any game | [`db`] | key in memory, or binary search in the sorted file |
//! | YaneuraOu's binary (`.ybb`), shogi | [`ybb`] | binary search |
//! | ShogiGUI (`.sbk`), shogi | [`sbk`] | key in memory |
//! | Apery (`book.bin`), shogi | [`apery`] | binary search by Apery's own keys |
//!
//! [`open`] detects the format by content. [`choose`] picks a move according to YaneuraOu's book options.

pub mod apery;
pub mod choose;
pub mod collection;
pub mod db;
mod embedded;
mod flip;
pub mod games;
pub mod memory;
mod on_the_fly;
mod open;
pub mod sbk;
mod source;
pub mod ybb;

pub use collection::{Collection, Page, Pruning};
pub use embedded::embedded;
pub use flip::{flip_move, flip_sfen};
pub use memory::Memory;
pub use on_the_fly::SortedDb;
pub use open::{Format, Opened, open};

use sanban_rules::{AnyPosition, Move, Score};
use std::io;

/// One move of a book position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookMove {
    /// The move.
    pub mv: Move,
    /// The expected reply.
    pub reply: Option<Move>,
    /// Value for the side to move in centipawns; 0 if unknown.
    pub score: Score,
    /// Depth of the search in plies; 0 if unknown.
    pub depth: u32,
    /// Number of times that the move was played; 0 if unknown.
    pub count: u32,
}

impl BookMove {
    /// Creates a move without further data.
    pub fn new(mv: Move) -> Self {
        Self { mv, reply: None, score: 0, depth: 0, count: 0 }
    }
}

/// The reason why a book cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum BookError {
    /// A line of a text book is invalid.
    #[error("line {line}: {what}")]
    Line {
        /// Number of the line, from 1.
        line: usize,
        /// What is wrong with the line.
        what: String,
    },
    /// The data at an offset in the file are invalid.
    #[error("offset {offset}: {what}")]
    Offset {
        /// The offset in bytes from the start of the file.
        offset: u64,
        /// What is wrong at the offset.
        what: String,
    },
    /// The book cannot be used for the request.
    #[error("{0}")]
    Unfit(String),
    /// The file cannot be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl BookError {
    fn at(offset: u64, what: impl Into<String>) -> Self {
        Self::Offset { offset, what: what.into() }
    }
}

/// An opening book.
pub trait Book: Send {
    /// Returns the moves for a position, all legal, in the order of the book. If `ply` is given (1 at the start of a
    /// game), only entries with that ply or without a ply are used.
    ///
    /// # Errors
    /// The location of the first error found by the lookup.
    fn find(&mut self, pos: &AnyPosition, ply: Option<usize>) -> Result<Vec<BookMove>, BookError>;

    /// Returns the number of positions, if it is known without reading the whole book.
    fn len(&self) -> Option<u64>;

    /// Returns whether the book is empty; false if the number of positions is unknown.
    fn is_empty(&self) -> bool {
        self.len() == Some(0)
    }
}

/// Several books; a lookup uses the first one that contains the position.
pub struct InOrder(pub Vec<Box<dyn Book>>);

impl Book for InOrder {
    fn find(&mut self, pos: &AnyPosition, ply: Option<usize>) -> Result<Vec<BookMove>, BookError> {
        for book in &mut self.0 {
            let found = book.find(pos, ply)?;
            if !found.is_empty() {
                return Ok(found);
            }
        }
        Ok(vec![])
    }

    fn len(&self) -> Option<u64> {
        self.0.iter().map(|book| book.len()).sum()
    }
}

/// Returns the ply of a position as counted in books: 1 at the start of a game.
pub fn ply(pos: &AnyPosition) -> usize {
    pos.game_ply() + 1
}

/// Removes illegal moves and illegal replies.
fn legal(pos: &AnyPosition, mut moves: Vec<BookMove>) -> Vec<BookMove> {
    moves.retain(|known| pos.is_legal(known.mv));
    let mut after = pos.clone();
    for known in &mut moves {
        if let Some(reply) = known.reply {
            after.play(known.mv);
            known.reply = after.is_legal(reply).then_some(reply);
            after.undo();
        }
    }
    moves
}
