//! Dobutsu shogi: 3 × 4 squares, lion, giraffe, elephant and chick, under two sets of rules.
//!
//! [`Original`] is the usual game: the lion can be captured, and a check need not be answered. [`WithMate`] adds check,
//! mate and stalemate. The modules, from the bottom up: pieces and their steps (`piece`), the state of [`Position`]
//! (`position`), making moves (`make`), move generation (`movegen`) and the rules that end a game (`verdict`).

mod contract;
mod make;
mod movegen;
pub mod piece;
mod position;
pub mod rules;
mod see;
mod sfen;
mod verdict;

pub use piece::{Kind, Piece};
pub use position::Position;
pub use rules::Rules;

/// The original game: a side wins by capturing the lion or by moving its own lion safely to the last row.
pub type Original = Position<false>;
/// The game with check, mate and stalemate, and without chick drops on the last row.
pub type WithMate = Position<true>;

/// The start position of both games.
pub const START: &str = "gle/1c1/1C1/ELG b - 1";
