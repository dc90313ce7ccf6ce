//! UCI as Fairy-Stockfish and its GUIs speak it: names of games, FEN and moves.
//!
//! The first player, black in USI, is white in UCI: upper-case pieces move first in both. Files are letters from the
//! left, ranks are numbers from the first player's side, drops have an `@`.

mod fen;
mod moves;
mod variants;

pub use fen::{FenError, fen, sfen};
pub use moves::{move_text, usi_text};
pub use variants::{UciVariant, named};

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// The protocol of a session.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Dialect {
    /// USI, the default.
    #[default]
    Usi,
    /// UCI, after `uci`.
    Uci,
}

/// The dialect of a session, shared by the reader and the threads that answer.
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
