//! Opening books: one trait, one file for each format.
//!
//! | format | module | positions are found by |
//! |---|---|---|
//! | YaneuraOu's text (`.db`), any game | [`db`] | key in memory, or bisection of the sorted file |
//! | YaneuraOu's binary (`.ybb`), shogi | [`ybb`] | bisection |
//! | ShogiGUI (`.sbk`), shogi | [`sbk`] | key in memory |
//! | Apery (`book.bin`), shogi | [`apery`] | bisection of its own keys |
//!
//! [`open`] detects the format by content. [`choose`] picks a move by the options of YaneuraOu.

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
pub use open::{Format, Opened, Request, open};

use sanban_rules::{Move, Position, Score};
use std::any::Any;
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
    /// How often the move was played; 0 if unknown.
    pub count: u32,
}

impl BookMove {
    /// A move without further data.
    pub fn new(mv: Move) -> Self {
        Self { mv, reply: None, score: 0, depth: 0, count: 0 }
    }
}

/// Why a book cannot be used.
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
    /// The data at an offset of a file are invalid.
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
pub trait Book<P: Position>: Send {
    /// The moves for a position, all legal, in the order of the book. With a `ply` (1 for the start of a game), only
    /// entries of that ply or without a ply.
    ///
    /// # Errors
    /// The location of the first fault found by the lookup.
    fn find(&mut self, pos: &P, ply: Option<usize>) -> Result<Vec<BookMove>, BookError>;

    /// Number of positions, if it is known without reading everything.
    fn len(&self) -> Option<u64>;

    /// Is the book empty? A book of unknown length is not.
    fn is_empty(&self) -> bool {
        self.len() == Some(0)
    }
}

/// Several books, of which the first that has a position answers.
pub struct InOrder<P>(pub Vec<Box<dyn Book<P>>>);

impl<P: Position> Book<P> for InOrder<P> {
    fn find(&mut self, pos: &P, ply: Option<usize>) -> Result<Vec<BookMove>, BookError> {
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

/// The position as a shogi position, if it is one: some formats support only shogi.
fn as_shogi<P: Position>(pos: &P) -> Option<&sanban_rules::shogi::Position> {
    (pos as &dyn Any).downcast_ref()
}

/// The ply of a position as books count it: 1 at the start of a game.
pub fn ply<P: Position>(pos: &P) -> usize {
    pos.game_ply() + 1
}

/// Drops illegal moves and illegal replies.
fn legal<P: Position>(pos: &P, mut moves: Vec<BookMove>) -> Vec<BookMove> {
    moves.retain(|known| pos.is_legal(known.mv));
    let mut after = pos.clone();
    for known in &mut moves {
        if let Some(reply) = known.reply {
            after.make(known.mv, &mut ());
            known.reply = after.is_legal(reply).then_some(reply);
            after.unmake();
        }
    }
    moves
}
