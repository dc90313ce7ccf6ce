//! Errors of reading and writing records.

use sanban_rules::{SfenError, VariantId};

/// Why a text could not be read as a record, with the location.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {problem}")]
pub struct RecordError {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// The problem: what was expected and found.
    pub problem: String,
}

impl RecordError {
    /// `line 3, column 7`.
    pub(super) fn place(&self) -> String {
        format!("line {}, column {}", self.line, self.column)
    }
}

/// Why a record cannot be written in a format.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WriteError {
    /// The format is for another game.
    #[error("{format} does not support {game}")]
    Game {
        /// The format's name.
        format: &'static str,
        /// The game of the record.
        game: VariantId,
    },
    /// The start position cannot be read.
    #[error("the start position: {0}")]
    Start(String),
    /// A move cannot be made on the board.
    #[error("move {number}: {problem}")]
    Move {
        /// The number of the move, from 1.
        number: usize,
        /// The reason.
        problem: String,
    },
}

impl From<SfenError> for WriteError {
    fn from(error: SfenError) -> Self {
        Self::Start(error.to_string())
    }
}
