//! Errors in reading training data and in training.

use sanban_engine::NetworkError;
use sanban_engine::nnue::FormatError;
use sanban_rules::Score;
use sanban_system::FileError;
use std::path::PathBuf;
use thiserror::Error;

/// A fault in a shard of games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum ShardFault {
    /// The file does not contain games.
    #[error("not a file of self-play games or trees")]
    NotGames,
    /// The file ends too early.
    #[error("the {part} ends here, expected {expected} bytes")]
    Short {
        /// The part: `header` or `file`.
        part: &'static str,
        /// Expected number of bytes.
        expected: usize,
    },
    /// The format version is not supported.
    #[error("version {found}, expected {expected}")]
    Version {
        /// The version in the file.
        found: u64,
        /// The supported version.
        expected: u32,
    },
    /// The checksum does not match.
    #[error("the checksum does not match")]
    Checksum,
    /// The bytes are not a game.
    #[error("game {0} is invalid")]
    Game(usize),
    /// The bytes are not a position of a tree.
    #[error("position {0} is invalid")]
    Position(usize),
    /// The packed games are not those that were written.
    #[error("the packed games are damaged, or another version of the program packed them")]
    Packed,
    /// There are extra bytes after the games.
    #[error("bytes after the last game")]
    Rest,
}

/// A fault in a shard of games, and its offset.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("offset {offset}: {fault}")]
pub struct ShardError {
    /// Number of bytes before the fault.
    pub offset: usize,
    pub fault: ShardFault,
}

/// The error that a network cannot be trained.
#[derive(Debug, Error)]
pub enum TrainError {
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// A shard is damaged.
    #[error("{}: {source}", path.display())]
    Shard {
        /// The file.
        path: PathBuf,
        /// The fault in the file.
        source: ShardError,
    },
    /// A shard contains games of a different variant.
    #[error("{}: games of {found}, expected {expected}", path.display())]
    OtherGame {
        /// The file.
        path: PathBuf,
        /// The game in the file.
        found: String,
        /// The game to train.
        expected: &'static str,
    },
    /// A game breaks the rules.
    #[error("{}: offset {offset}: game {game}: the move at ply {ply} is illegal", path.display())]
    Illegal {
        /// The file.
        path: PathBuf,
        /// Offset of the game in bytes.
        offset: usize,
        /// The game's number in the file, from 0.
        game: usize,
        /// The ply of the move.
        ply: usize,
    },
    /// A line of a tree breaks the rules, or belongs to no game.
    #[error("{}: position {position}: its line is illegal or belongs to no game of the shard", path.display())]
    IllegalLine {
        /// The file.
        path: PathBuf,
        /// Number of the position in the file, from 0.
        position: usize,
    },
    /// A shard of games was given instead of a file of positions.
    #[error("{}: this is a shard of games; pass its directory to --data", .0.display())]
    NotPositions(PathBuf),
    /// A file in which no format of positions is recognised.
    #[error("{}: not a file of positions", .0.display())]
    Foreign(PathBuf),
    /// There are no training or no validation positions.
    #[error(
        "{games} games with {training} training and {validation} validation positions are not enough: one game \
         in a hundred is for validation, so about 300 are needed, and 100,000 for a network that plays well"
    )]
    TooFew {
        /// Number of games read.
        games: usize,
        /// Number of training positions.
        training: usize,
        /// Number of validation positions.
        validation: usize,
    },
    /// A checkpoint or network has a different size.
    #[error("{}: damaged, or for a network of a different size", .0.display())]
    Size(PathBuf),
    /// The starting network cannot be read.
    #[error("{0}")]
    Start(#[from] NetworkError),
    /// A checkpoint belongs to a different training run.
    #[error("{}: damaged, or made with different data, settings or number of epochs", .0.display())]
    OtherTraining(PathBuf),
    /// Training diverged before the first checkpoint.
    #[error("training diverged in the first epoch, before the first checkpoint")]
    DivergedAtOnce,
    /// Training diverged.
    #[error("training diverged in epoch {pass}; {} is kept", kept.display())]
    Diverged {
        /// The epoch, from 1.
        pass: u32,
        /// The last good checkpoint.
        kept: PathBuf,
    },
    /// A trained weight does not fit into its integer.
    #[error("neuron {neuron} of the first layer overflows: {sum}")]
    Overflow {
        /// The neuron of the first layer.
        neuron: usize,
        /// The required value.
        sum: i32,
    },
    /// The implementations of the arithmetic differ.
    #[error("the implementations of the arithmetic disagree: {0:?}")]
    Disagreement(Vec<Score>),
    /// The file that was written is not a network.
    #[error("{0}")]
    Network(FormatError),
}
