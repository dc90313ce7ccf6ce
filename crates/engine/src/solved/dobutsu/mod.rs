//! Dobutsu shogi, solved.
//!
//! From the bottom up: the dense numbering of all positions (`index`), their solved values (`table`), play by them
//! (`solution`) and how they are found ([`solve`]).

pub mod group;
pub mod index;
mod solution;
pub mod solve;
pub mod table;

pub use solution::{Solution, slot, solved};
