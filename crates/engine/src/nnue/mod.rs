//! Neural network evaluation (NNUE, Nasu 2018): a wide first layer that is updated incrementally, and small layers
//! after it.
//!
//! `features` and `inputs` map placements to inputs, `network` contains the weights, `file` reads and writes our own
//! networks, `halfkp` and `sfnn` read community networks, and `buckets` selects the dense layers of the latter.
//! `layers` is the reference implementation; `simd` and `accumulator` give bit-identical results.

pub mod accumulator;
mod aligned;
mod buckets;
mod error;
mod evaluator;
mod feature_transformer;
pub mod features;
pub mod file;
#[doc(hidden)]
pub mod formula;
pub mod halfkp;
pub mod inputs;
pub mod layers;
pub mod network;
pub mod reader;
mod sfnn;
#[cfg(test)]
mod sfnn_tests;
#[allow(unsafe_code)]
pub mod simd;
mod source;
#[cfg(test)]
mod tests;

pub use accumulator::Accumulator;
pub use error::FormatError;
pub use evaluator::{Evaluation, Family, JanggiNets, NetworkChoice, ShogiNets};
pub use feature_transformer::FeatureTransformer;
pub use features::Features;
pub use halfkp::FV_SCALE;
pub use network::{Between, Network};
pub use source::NetworkSource;
