//! Errors in reading and writing records.

use sanban_rules::{SfenError, VariantId};

/// The reason why the input could not be read as a record, with the location.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {problem}")]
pub struct RecordError {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// The problem: what was expected and what was found.
    pub problem: String,
}

impl RecordError {
    /// The location as text: `line 3, column 7`.
    pub(super) fn place(&self) -> String {
        format!("line {}, column {}", self.line, self.column)
    }
}

/// The reason why a written move could not be matched to a move on the board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum MoveError {
    #[error("expected a square, found {0}")]
    Square(String),
    #[error("expected a destination square")]
    Destination,
    #[error("expected an origin square")]
    Origin,
    #[error("expected a piece that can be in hand, found {0}")]
    NotInHand(&'static str),
    #[error("expected two different squares")]
    SameSquare,
    #[error("expected {expected} on {square}, found {found}")]
    OtherPiece { expected: &'static str, square: String, found: &'static str },
    #[error("the move is marked as `same`, but the previous move has a different destination")]
    NotSame,
    #[error("unknown piece {0}")]
    UnknownPiece(String),
    #[error("expected a piece name")]
    Nameless,
    #[error("unknown value of `relative`: {0}")]
    Hint(char),
    #[error("no {0} can move there")]
    NoPiece(&'static str),
    #[error("more than one {0} can move there")]
    SeveralPieces(&'static str),
    #[error("expected a move such as P7g-7f, Gx5g or L*5e, found {0}")]
    NoMove(String),
    #[error("{0}: more than one piece can move there")]
    Ambiguous(String),
    #[error("{0}: this move is impossible here")]
    Impossible(String),
}

impl From<MoveError> for String {
    fn from(error: MoveError) -> Self {
        error.to_string()
    }
}

/// The reason why a record cannot be written in a format.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WriteError {
    /// The format does not support the game of the record.
    #[error("{format} does not support {game}")]
    Game {
        /// The format's name.
        format: &'static str,
        /// The game of the record.
        game: VariantId,
    },
    /// The start position cannot be read.
    #[error("start position: {0}")]
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
