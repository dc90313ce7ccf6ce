//! Errors in reading training data and in training.

use sanban_engine::NetworkError;
use sanban_engine::nnue::FormatError;
use sanban_rules::Score;
use sanban_system::FileError;
use std::path::PathBuf;
use thiserror::Error;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum ShardFault {
    #[error("not a file of self-play games or trees")]
    NotGames,
    #[error("the {part} ends here, expected {expected} bytes")]
    Short {
        /// The part: `header` or `file`.
        part: &'static str,
        expected: usize,
    },
    #[error("version {found}, expected {expected}")]
    Version { found: u64, expected: u32 },
    #[error("the checksum does not match")]
    Checksum,
    #[error("game {0} is invalid")]
    Game(usize),
    #[error("position {0} is invalid")]
    Position(usize),
    #[error("the packed games are damaged, or another version of the program packed them")]
    Packed,
    #[error("bytes after the last game")]
    Rest,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("offset {offset}: {fault}")]
pub struct ShardError {
    /// Number of bytes before the fault.
    pub offset: usize,
    pub fault: ShardFault,
}

#[derive(Debug, Error)]
pub enum TrainError {
    #[error(transparent)]
    File(#[from] FileError),
    #[error("{}: {source}", path.display())]
    Shard { path: PathBuf, source: ShardError },
    #[error("{}: games of {found}, expected {expected}", path.display())]
    OtherGame { path: PathBuf, found: String, expected: &'static str },
    #[error("{}: offset {offset}: game {game}: the move at ply {ply} is illegal", path.display())]
    Illegal {
        path: PathBuf,
        /// Offset of the game in bytes.
        offset: usize,
        /// The game's number in the file, from 0.
        game: usize,
        ply: usize,
    },
    #[error("{}: position {position}: its line is illegal or belongs to no game of the shard", path.display())]
    IllegalLine {
        path: PathBuf,
        /// Number of the position in the file, from 0.
        position: usize,
    },
    #[error("{}: this is a shard of games; pass its directory to --data", .0.display())]
    NotPositions(PathBuf),
    #[error("{}: not a file of positions", .0.display())]
    Foreign(PathBuf),
    #[error(
        "{games} games with {training} training and {validation} validation positions are not enough: one game \
         in a hundred is for validation, so about 300 are needed, and 100,000 for a network that plays well"
    )]
    TooFew { games: usize, training: usize, validation: usize },
    #[error("{}: damaged, or for a network of a different size", .0.display())]
    Size(PathBuf),
    #[error("{0}")]
    Start(#[from] NetworkError),
    #[error("{}: damaged, or made with different data, settings or number of epochs", .0.display())]
    OtherTraining(PathBuf),
    #[error("training diverged in the first epoch, before the first checkpoint")]
    DivergedAtOnce,
    #[error("training diverged in epoch {pass}; {} is kept", kept.display())]
    Diverged {
        /// The epoch, from 1.
        pass: u32,
        kept: PathBuf,
    },
    #[error("neuron {neuron} of the first layer overflows: {sum}")]
    Overflow { neuron: usize, sum: i32 },
    #[error("the implementations of the arithmetic disagree: {0:?}")]
    Disagreement(Vec<Score>),
    #[error("{0}")]
    Network(FormatError),
}
