//! Incremental evaluation, and errors in loading network files.

use sanban_rules::{Observer, Position, Score};
use sanban_system::FileError;
use std::path::PathBuf;
use thiserror::Error;

/// Why a network file cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum NetworkError {
    /// The file cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// The file is not a network of this game, or is damaged.
    #[error("{}: {problem}", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// What was expected and found.
        problem: String,
    },
}

/// An incremental evaluation. It is notified of placements while moves are made, and computes a score on request.
pub trait Evaluator<P: Position>: Observer + Send {
    /// Resets the evaluator to this position.
    fn reset(&mut self, pos: &P);
    /// A move is about to be made.
    fn push(&mut self);
    /// The last move was taken back.
    fn pop(&mut self);
    /// Does part of the work of [`Evaluator::evaluate`] early, while the search waits for memory.
    fn update(&mut self, _pos: &P) {}
    /// The score in centipawns for the side to move, within `±MAX_EVAL`. Usually not called in check.
    fn evaluate(&mut self, pos: &P) -> Score;
    /// The output before the conversion to centipawns, for community networks.
    fn raw(&mut self, pos: &P) -> Score {
        self.evaluate(pos)
    }
}
