//! Evaluations that follow the moves, and why a network is not used.

use sanban_rules::{Observer, Position, Score};
use sanban_system::FileError;
use std::path::PathBuf;
use thiserror::Error;

/// Why a network file is not used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum NetworkError {
    /// It cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// It is not a network of this game, or damaged.
    #[error("{}: {problem}", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// The expectation and the finding, in a sentence.
        problem: String,
    },
}

/// An evaluation that follows the moves: notified of placements while moves are made, asked for a score when one is
/// needed.
pub trait Evaluator<P: Position>: Observer + Send {
    /// Resets the evaluator to this position.
    fn reset(&mut self, pos: &P);
    /// A move is about to be made.
    fn push(&mut self);
    /// The last move was taken back.
    fn pop(&mut self);
    /// Does the work of [`Evaluator::evaluate`] early, while the search waits for memory anyway.
    fn update(&mut self, _pos: &P) {}
    /// The score in centipawns for the side to move, within `±MAX_EVAL`. Not asked when in check, in general.
    fn evaluate(&mut self, pos: &P) -> Score;
    /// The same before it is turned into centipawns, where there is such a number (networks made elsewhere).
    fn raw(&mut self, pos: &P) -> Score {
        self.evaluate(pos)
    }
}
