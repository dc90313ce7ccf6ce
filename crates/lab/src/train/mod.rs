//! Networks from the engine's own games: playing them (`selfplay`), keeping them (`record`, `shard`) with positions inside
//! their searches (`tree`), choosing positions to learn from (`samples`,
//! `data`), training (`trainer`, `lesson`, `adam`, `curve`) networks of one layer (`flat`, `model`, `learn`,
//! `users`) and of several (`deep`), turning the result into integers (`export`), and exchanging positions with other
//! tools (`psv`).

pub mod adam;
pub mod curve;
pub mod data;
pub mod deep;
mod entry;
mod error;
pub mod export;
pub mod flat;
mod hcpe3;
pub mod learn;
pub mod lesson;
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
pub mod tree;
pub mod users;

pub use error::{ShardError, ShardFault, TrainError};
