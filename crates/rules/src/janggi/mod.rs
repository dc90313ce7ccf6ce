//! Janggi, Korean chess: 9 × 10 squares, palaces with marked diagonals, cannons that jump, and a pass.
//!
//! The modules, from the bottom up: squares, pieces and their attacks (`attacks`), the state of [`Position`]
//! (`position`), making moves (`make`), checks and pins (`threats`), move generation (`movegen`), legality of single
//! moves (`legal`), static exchange evaluation (`see`), winning chances by material (`prospects`), the rules that end a
//! game (`verdict`) and notation (`sfen`).

pub mod attacks;
mod contract;
mod legal;
mod make;
mod movegen;
pub mod piece;
mod position;
mod prospects;
pub mod rules;
mod see;
mod sfen;
pub mod square;
mod threats;
mod verdict;

pub use piece::{Kind, Piece};
pub use position::Position;
pub use prospects::Prospect;
pub use rules::{ENDS_SETTING, Ends, Pass, Rules};

/// The start position.
pub const START: &str = "rnba1abnr/4k4/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/4K4/RNBA1ABNR b - 1";
