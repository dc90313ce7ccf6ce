//! The solution of Dobutsu shogi.
//!
//! From the bottom up: the dense numbering of all positions (`index`), their values (`table`), perfect play
//! (`solution`) and the solver ([`solve`]).

pub mod group;
pub mod index;
mod solution;
pub mod solve;
pub mod table;

pub use solution::{Solution, slot, solved};
