//! Networks from the engine's own games: playing them (`selfplay`), keeping them (`record`, `shard`), choosing positions
//! from them (`samples`), training (`model`, `learn`, `adam`, `trainer`, `curve`), turning the result into integers
//! (`export`), and exchanging positions with other tools (`psv`).

pub mod adam;
pub mod curve;
mod error;
pub mod export;
pub mod learn;
pub mod model;
pub mod pieces;
pub mod psv;
pub mod record;
pub mod samples;
pub mod selfplay;
pub mod shard;
#[cfg(test)]
mod tests;
pub mod trainer;

pub use error::{ShardError, ShardFault, TrainError};
