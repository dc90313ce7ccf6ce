//! Neural network evaluation (NNUE, Nasu 2018): a wide first layer that follows the moves, and a small rest.
//!
//! The parts, from the bottom up: which placements are which inputs (`features`, `inputs`), the weights and what
//! they mean (`network`, `layers`), the same arithmetic in vectors (`simd`), the files (`file` for our own networks,
//! `halfkp` and `sfnn` for the community's), the first layer kept up to date move by move (`accumulator`), and the evaluator that
//! a game uses, with the networks in the binary (`evaluator`). `layers` is the definition: every other path gives the
//! same bits.

pub mod accumulator;
mod aligned;
mod error;
mod evaluator;
pub mod features;
pub mod file;
pub mod halfkp;
pub mod inputs;
pub mod layers;
pub mod network;
mod reader;
mod sfnn;
#[cfg(test)]
mod sfnn_tests;
#[allow(unsafe_code)]
pub mod simd;
#[cfg(test)]
mod tests;

pub use accumulator::Accumulator;
pub use error::FormatError;
pub use evaluator::{BY_HAND, Evaluation, Family, JanggiNets, NetworkChoice, ShogiNets};
pub use features::Features;
pub use halfkp::FV_SCALE;
pub use network::{Between, Network};
