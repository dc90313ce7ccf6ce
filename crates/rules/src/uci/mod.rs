//! Names of games, FEN and moves as in UCI and PGN.
//!
//! The first player, black in USI, is white here: upper-case pieces move first. Files are letters from the left, ranks
//! are numbers from the first player's side, drops are written with `@`.

mod fen;
mod moves;
mod variants;

pub use fen::{FenError, fen, halfmove_clock, sfen};
pub use moves::{
    cecp_text, cecp_text_of_usi, move_text, square_text, text_of_usi, usi_text, usi_text_of_cecp,
};
pub use variants::{UciVariant, name_of, named};
