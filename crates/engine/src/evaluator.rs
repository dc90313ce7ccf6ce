//! The interface of incremental evaluations, and errors in loading network files.

use sanban_rules::{Observer, Position, Score};
use sanban_system::FileError;
use std::path::PathBuf;
use thiserror::Error;

/// An error that occurred while loading a network file.
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
        /// Description of the problem, with the expected and the actual content.
        problem: String,
    },
}

/// An incremental evaluation. It is notified of placements while moves are made, and computes a score on request.
pub trait Evaluator<P: Position>: Observer + Send {
    /// Resets the evaluator to this position.
    fn reset(&mut self, pos: &P);
    /// Called before a move is made.
    fn push(&mut self);
    /// Called after the last move is unmade.
    fn pop(&mut self);
    /// Does part of the work of [`Evaluator::evaluate`] early, while the search waits for memory.
    fn update(&mut self, _pos: &P) {}
    /// Returns the score in centipawns for the side to move, within `±MAX_EVAL`. Usually not called in check.
    fn evaluate(&mut self, pos: &P) -> Score;
    /// Returns the output of a network with dense layers before the conversion to centipawns, otherwise the score.
    fn raw(&mut self, pos: &P) -> Score {
        self.evaluate(pos)
    }
}
