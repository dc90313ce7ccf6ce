//! The errors in the answers to questions.

use sanban_engine::EngineError;
use sanban_formats::record::{RecordError, WriteError};
use sanban_rules::{ReplayError, SfenError};
use thiserror::Error;

/// Why a question cannot be answered. The page shows the text.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BoardError {
    #[error("invalid question: {0}")]
    Question(#[from] serde_json::Error),
    #[error("invalid rule setting {name:.30} = {value:.30}")]
    Rule { name: String, value: String },
    #[error(transparent)]
    Sfen(#[from] SfenError),
    #[error(transparent)]
    Replay(#[from] ReplayError),
    #[error("illegal move {text:.8} at ply {ply}")]
    Move {
        text: String,
        /// The number of the move, from 1.
        ply: usize,
    },
    #[error("the move {0:.8} is not legal")]
    Attempt(String),
    #[error("the game has more than {0} moves")]
    LongGame(usize),
    #[error("the game tree has more than {0} moves")]
    LargeTree(usize),
    #[error("node {0} is not preceded by its parent")]
    Parent(usize),
    #[error("node {0} is neither a move nor an end")]
    EmptyNode(usize),
    #[error("no text to read")]
    NoText,
    #[error("the text contains no game")]
    NoGame,
    #[error(transparent)]
    Record(#[from] RecordError),
    #[error("unknown format: {0:.20}")]
    Format(String),
    #[error(transparent)]
    Write(#[from] WriteError),
    #[error("a report needs a result for every position of the game")]
    Positions,
    #[error("no analysis result for the position after {0} moves")]
    Unsearched(usize),
    #[error(transparent)]
    Engine(#[from] EngineError),
    #[error("busy")]
    Busy,
    #[error("cannot start a thread: {0}")]
    Thread(std::io::Error),
    #[error("internal")]
    Internal,
}
