//! Neural network evaluation (NNUE, Nasu 2018): a wide first layer that follows the moves, and a small rest.
//!
//! The parts, from the bottom up: which placements are which inputs (`features`, `inputs`), the weights and what
//! they mean (`network`, `layers`), the same arithmetic in vectors (`simd`), the files (`file` for our own networks,
//! `halfkp` for the community's), the first layer kept up to date move by move (`accumulator`), the evaluator that a
//! game uses (`evaluation`), what it reads (`weights`) and the networks in the binary (`families`). `layers` is the definition: every other path gives the same bits.

pub mod accumulator;
mod aligned;
mod evaluation;
pub mod families;
pub mod features;
pub mod file;
pub mod halfkp;
pub mod inputs;
pub mod layers;
pub mod network;
pub mod simd;
#[cfg(test)]
mod tests;
mod weights;

pub use accumulator::Accumulator;
pub use evaluation::Evaluation;
pub use features::Features;
pub use halfkp::FV_SCALE;
pub use network::{Between, Network};
pub use weights::{BY_HAND, Family, Weights};
