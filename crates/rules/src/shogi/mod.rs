//! Standard shogi: rules, move generation and notation.
//!
//! The modules, from the bottom up: squares, pieces, hands and attacks; the state of [`Position`] (`position`), making
//! moves (`make`), move generation (`movegen`), bulk counting (`replies`), legality of single moves (`legal`), checks
//! (`checks`, `mate`), static exchange evaluation (`see`), and the rules that end a game (`verdict`, `declare`).
//! `contract` implements the traits.

pub mod attacks;
mod checks;
mod contract;
pub mod declare;
pub mod hand;
pub mod hcp;
mod legal;
mod make;
mod mate;
mod movegen;
pub mod packed;
pub mod piece;
mod position;
mod replies;
pub mod rules;
mod see;
mod sfen;
pub mod square;
mod verdict;

pub use hand::Hand;
pub use piece::{Kind, Piece};
pub use position::Position;
pub use rules::{EnteringKing, Rules};

/// The start position of an even game.
pub const START: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
