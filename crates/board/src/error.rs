//! The errors in the answers to questions.

use sanban_engine::EngineError;
use sanban_formats::record::{RecordError, WriteError};
use sanban_rules::{ReplayError, SfenError};
use thiserror::Error;

/// Why a question cannot be answered. The page shows the text.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BoardError {
    /// The JSON is not a valid question.
    #[error("invalid question: {0}")]
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
    #[error("the game has more than {0} moves")]
    LongGame(usize),
    /// The tree is too large to be shown.
    #[error("the game tree has more than {0} moves")]
    LargeTree(usize),
    /// A node of a tree has no parent or comes before its parent.
    #[error("node {0} is not preceded by its parent")]
    Parent(usize),
    /// A node has neither a move nor an end.
    #[error("node {0} is neither a move nor an end")]
    EmptyNode(usize),
    /// The question contains no text.
    #[error("no text to read")]
    NoText,
    /// The text has no game with this number.
    #[error("the text contains no game")]
    NoGame,
    /// The text is not a game record.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// The record format is unknown.
    #[error("unknown format: {0:.20}")]
    Format(String),
    /// The record cannot be written in the format.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The number of results differs from the number of positions.
    #[error("a report needs a result for every position of the game")]
    Positions,
    /// A position in which the game is not over has not been analysed.
    #[error("no analysis result for the position after {0} moves")]
    Unsearched(usize),
    /// The engine does not support the request.
    #[error(transparent)]
    Engine(#[from] EngineError),
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
