//! UCI as Fairy-Stockfish and its GUIs speak it: names of games, FEN and moves.
//!
//! The first player, black here, is white there: upper-case pieces move first in both. Files are letters from the left,
//! ranks are numbers from the first player's side, drops have an `@`.

mod fen;
mod moves;
mod variants;

pub use fen::{FenError, fen, sfen};
pub use moves::{move_text, usi_text};
pub use variants::{UciVariant, named};

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// The protocol that a conversation is held in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Dialect {
    /// USI, until another one is asked for.
    #[default]
    Usi,
    /// UCI, after `uci`.
    Uci,
}

/// The dialect of a conversation, shared between the thread that reads and those that answer.
#[derive(Debug, Default)]
pub struct Spoken {
    is_uci: AtomicBool,
}

impl Spoken {
    /// The current dialect.
    #[must_use]
    pub fn get(&self) -> Dialect {
        if self.is_uci.load(Relaxed) { Dialect::Uci } else { Dialect::Usi }
    }

    /// Changes the dialect.
    pub fn set(&self, dialect: Dialect) {
        self.is_uci.store(dialect == Dialect::Uci, Relaxed);
    }
}
