//! Why a question is not answered.

use crate::any::WrongGame;
use sanban_formats::record::{RecordError, WriteError};
use sanban_rules::{ReplayError, SfenError};
use thiserror::Error;

/// Why a question is not answered. The page shows the text.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BoardError {
    /// The JSON is not one of the questions.
    #[error("not a question: {0}")]
    Question(#[from] serde_json::Error),
    /// The game has no such rule setting.
    #[error("invalid rule setting {name:.30} = {value:.30}")]
    Rule {
        /// The USI name of the setting.
        name: String,
        /// The value.
        value: String,
    },
    /// A position cannot be read.
    #[error(transparent)]
    Sfen(#[from] SfenError),
    /// A game cannot be replayed.
    #[error(transparent)]
    Replay(#[from] ReplayError),
    /// A move is not legal.
    #[error("illegal move {text:.8} at ply {ply}")]
    Move {
        /// The move.
        text: String,
        /// The number of the move, from 1.
        ply: usize,
    },
    /// The move in the question is not legal.
    #[error("the move {0:.8} is not legal")]
    Attempt(String),
    /// The game is too long to be shown.
    #[error("a game of more than {0} moves")]
    LongGame(usize),
    /// The tree is too large to be shown.
    #[error("a tree of more than {0} moves")]
    LargeTree(usize),
    /// The nodes of a tree are not a list of nodes with every parent before its children.
    #[error("node {0} has no parent before it")]
    Parent(usize),
    /// A node has no content.
    #[error("node {0} is neither a move nor an end")]
    EmptyNode(usize),
    /// A question without text.
    #[error("no text to read")]
    NoText,
    /// The text has no game with this number.
    #[error("the text contains no game")]
    NoGame,
    /// The text is not a game record.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// There is no such record format.
    #[error("unknown format: {0:.20}")]
    Format(String),
    /// The record cannot be written in the format.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The number of results is not that of the positions.
    #[error("a report needs every position of the game")]
    Positions,
    /// The game goes on after a position without a result.
    #[error("no result for the position after {0} moves")]
    Unsearched(usize),
    /// The engine does not support the request.
    #[error(transparent)]
    Engine(#[from] WrongGame),
    /// All engines are busy.
    #[error("busy")]
    Busy,
    /// No thread can be started for the search.
    #[error("cannot start a thread: {0}")]
    Thread(std::io::Error),
    /// The engine has failed.
    #[error("internal")]
    Internal,
}
