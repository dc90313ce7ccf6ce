//! Opening books: one trait, one file for each format.
//!
//! | format | module | positions are found by |
//! |---|---|---|
//! | YaneuraOu's text (`.db`), any game | [`db`] | key in memory, or bisection of the sorted file |
//! | YaneuraOu's binary (`.ybb`), shogi | [`ybb`] | bisection |
//! | ShogiGUI (`.sbk`), shogi | [`sbk`] | key in memory |
//! | Apery (`book.bin`), shogi | [`apery`] | bisection of its own keys |
//!
//! [`open`] tells the formats apart by what is in the file. [`choose`] picks a move by the options that users know.

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
    /// Value for the side to move in centipawns; 0 when the book does not say.
    pub score: Score,
    /// Depth in plies of the search behind the value; 0 when the book does not say.
    pub depth: u32,
    /// How often the move was played; 0 when the book does not say.
    pub count: u32,
}

impl BookMove {
    /// A move of which nothing is known.
    pub fn new(mv: Move) -> Self {
        Self { mv, reply: None, score: 0, depth: 0, count: 0 }
    }
}

/// What is wrong with a book.
#[derive(Debug, thiserror::Error)]
pub enum BookError {
    /// A line of a text that cannot be followed, counted from 1.
    #[error("line {line}: {what}")]
    Line {
        /// Number of the line.
        line: usize,
        /// What is wrong with it.
        what: String,
    },
    /// A place in a file that cannot be followed.
    #[error("offset {offset}: {what}")]
    Offset {
        /// In bytes from the start of the file.
        offset: u64,
        /// What is wrong there.
        what: String,
    },
    /// The book is of no use for what was asked.
    #[error("{0}")]
    Unfit(String),
    /// It cannot be read or written.
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
    /// The moves for a position, as the book orders them, all legal. With a `ply` (1 for the start of a game) only
    /// what the book has at that ply or without one.
    ///
    /// # Errors
    /// The place of the first fault that the look-up met.
    fn find(&mut self, pos: &P, ply: Option<usize>) -> Result<Vec<BookMove>, BookError>;

    /// Number of positions, if it is known without reading everything.
    fn len(&self) -> Option<u64>;

    /// Has it no position at all? A book of unknown length is not empty.
    fn is_empty(&self) -> bool {
        self.len() == Some(0)
    }
}

/// The position as one of shogi, if it is one: some formats know no other game.
fn as_shogi<P: Position>(pos: &P) -> Option<&sanban_rules::shogi::Position> {
    (pos as &dyn Any).downcast_ref()
}

/// The ply of a position as books count: 1 at the start of a game.
pub fn ply<P: Position>(pos: &P) -> usize {
    pos.game_ply() + 1
}

/// Drops what is not legal here, and replies that are not legal there.
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
