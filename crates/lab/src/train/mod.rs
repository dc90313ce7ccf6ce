//! Trains networks from the engine's own games: playing them (`selfplay`), storing them (`record`, `shard`) with
//! positions inside their searches (`tree`), selecting training positions (`quiet`, `games`, `samples`, `data`),
//! training (`trainer`, `learner`, `adam`, `curve`) networks of one layer (`flat`, `model`, `learn`, `row_index`) and
//! of several (`deep`), quantising the result (`export`), and exchanging positions with other tools
//! (`psv`, `mixer`).

pub mod adam;
pub mod chunks;
pub mod curve;
pub mod data;
pub mod deep;
mod entry;
mod error;
pub mod export;
pub mod flat;
pub mod games;
mod hcpe3;
pub mod learn;
pub mod learner;
pub mod mixer;
pub mod model;
pub mod psv;
pub mod quiet;
pub mod record;
pub mod row_index;
pub mod samples;
pub mod selfplay;
pub mod shard;
#[cfg(test)]
mod tests;
pub mod trainer;
pub mod tree;

pub use error::{ShardError, ShardFault, TrainError};
