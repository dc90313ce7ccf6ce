//! Dobutsu shogi: 3 × 4 squares, lion, giraffe, elephant and chick, in two sets of rules.
//!
//! [`Original`] is the game as it is played: the lion is captured, and there is no rule about check. [`WithMate`] adds
//! check, mate and stalemate. From the bottom up: pieces and their steps; [`Position`] with its state (`position`),
//! moves (`make`), generation (`movegen`) and the rules that end a game (`verdict`).

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

/// The original game: a lion is captured or reaches the last row safely.
pub type Original = Position<false>;
/// The game with check, mate and stalemate, and without chick drops on the last row.
pub type WithMate = Position<true>;

/// The start position of both games.
pub const START: &str = "gle/1c1/1C1/ELG b - 1";
