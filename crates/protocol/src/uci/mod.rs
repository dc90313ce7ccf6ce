//! UCI and CECP (XBoard's protocol) as Fairy-Stockfish and its GUIs speak them: names of games, FEN and moves.
//!
//! The first player, black in USI, is white in both: upper-case pieces move first. Files are letters from the left,
//! ranks are numbers from the first player's side, drops are written with `@`.

mod board;
mod setup;

pub use board::board;
pub use sanban_rules::uci::{
    FenError, UciVariant, cecp_text, fen, halfmove_clock, move_text, named, sfen, usi_text, usi_text_of_cecp,
};
pub use setup::setup;

use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

/// The protocol of a session.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Dialect {
    /// USI, the default.
    #[default]
    Usi,
    /// UCI, after `uci`.
    Uci,
    /// CECP, after `xboard`.
    Cecp,
}

/// The dialect of a session, shared by the reader and the threads that answer.
#[derive(Debug, Default)]
pub struct Spoken(AtomicU8);

impl Spoken {
    pub fn get(&self) -> Dialect {
        match self.0.load(Relaxed) {
            1 => Dialect::Uci,
            2 => Dialect::Cecp,
            _ => Dialect::Usi,
        }
    }

    pub fn set(&self, dialect: Dialect) {
        self.0.store(dialect as u8, Relaxed);
    }
}
