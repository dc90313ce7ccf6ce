//! Trains networks from the engine's own games: playing them (`selfplay`), storing them (`record`, `shard`) with
//! positions inside their searches (`tree`), selecting training positions (`quiet`, `games`, `samples`, `data`),
//! training (`trainer`, `target`, `deep`, `adam`, `curve`), checking the result (`comparison`), and exchanging positions
//! with other tools (`psv`, `mixer`).

pub mod adam;
pub mod chunks;
pub mod comparison;
pub mod curve;
pub mod data;
pub mod deep;
mod entry;
mod error;
pub mod games;
mod hcpe3;
pub mod mixer;
pub mod packed;
pub mod psv;
pub mod quiet;
pub mod record;
pub mod samples;
pub mod selfplay;
pub mod shard;
pub mod target;
#[cfg(test)]
mod tests;
pub mod trainer;
pub mod tree;

pub use error::{ShardError, ShardFault, TrainError};
