//! Why games and positions are not read, and networks not trained.

use sanban_engine::NetworkError;
use sanban_engine::nnue::FormatError;
use sanban_rules::Score;
use sanban_system::FileError;
use std::path::PathBuf;
use thiserror::Error;

/// A fault of a shard of games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum ShardFault {
    /// It begins with something else.
    #[error("not a file of games or trees")]
    NotGames,
    /// It ends too early.
    #[error("the {part} ends here, {expected} bytes expected")]
    Short {
        /// `header` or `file`.
        part: &'static str,
        /// Bytes there should be.
        expected: usize,
    },
    /// Its format is another one.
    #[error("version {found}, expected {expected}")]
    Version {
        /// The version it states.
        found: u64,
        /// The version that is read.
        expected: u32,
    },
    /// The bytes are not those that were written.
    #[error("the checksum does not fit")]
    Checksum,
    /// The bytes are not a game.
    #[error("game {0} makes no sense")]
    Game(usize),
    /// The bytes are not a position of a tree.
    #[error("position {0} makes no sense")]
    Position(usize),
    /// There is more than the games.
    #[error("bytes after the last game")]
    Rest,
}

/// A fault of a shard of games, and its offset.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("offset {offset}: {fault}")]
pub struct ShardError {
    /// Bytes before it.
    pub offset: usize,
    /// What it is.
    pub fault: ShardFault,
}

/// Why games or positions are not learned from.
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
        /// The fault.
        source: ShardError,
    },
    /// A shard holds games of another kind.
    #[error("{}: games of {found}, not {expected}", path.display())]
    OtherGame {
        /// The file.
        path: PathBuf,
        /// The game it states.
        found: String,
        /// The game that is learned.
        expected: &'static str,
    },
    /// A game breaks the rules.
    #[error("{}: offset {offset}: game {game}: the move of ply {ply} is illegal", path.display())]
    Illegal {
        /// The file.
        path: PathBuf,
        /// Where the game begins, in bytes.
        offset: usize,
        /// The game's number in the file, from 0.
        game: usize,
        /// The ply of the move.
        ply: usize,
    },
    /// A line of a tree breaks the rules, or belongs to no game.
    #[error("{}: position {position}: its line is illegal or of no game of the shard", path.display())]
    IllegalLine {
        /// The file.
        path: PathBuf,
        /// Number of the position in the file, from 0.
        position: usize,
    },
    /// A file of positions was expected.
    #[error("{}: a shard of games, whose directory is given to --data", .0.display())]
    NotPositions(PathBuf),
    /// There is nothing to learn from, or to be judged by.
    #[error(
        "{games} games with {training} positions to learn from and {validation} to be judged by are not enough: one game \
         in a hundred is for judging, so some 300 are needed, and a network learns to play from 100,000"
    )]
    TooFew {
        /// Games that were read.
        games: usize,
        /// Positions to learn from.
        training: usize,
        /// Positions to be judged by.
        validation: usize,
    },
    /// A checkpoint is of a network of another size.
    #[error("{}: damaged, or of another size", .0.display())]
    Size(PathBuf),
    /// The network to begin with cannot be read.
    #[error("{0}")]
    Start(#[from] NetworkError),
    /// A checkpoint is of another training.
    #[error("{}: damaged, or made with other data, settings or passes", .0.display())]
    OtherTraining(PathBuf),
    /// The numbers run away before there is a checkpoint.
    #[error("the training diverges in its first pass: there is no checkpoint of it yet")]
    DivergedAtOnce,
    /// The numbers run away.
    #[error("the training diverges in pass {pass}; {} is kept", kept.display())]
    Diverged {
        /// The pass, from 1.
        pass: u32,
        /// The last good checkpoint.
        kept: PathBuf,
    },
    /// A trained weight does not fit into its integer.
    #[error("neuron {neuron} overflows with {sum}")]
    Overflow {
        /// The neuron of the first layer.
        neuron: usize,
        /// What it would have to hold.
        sum: i32,
    },
    /// The implementations of the arithmetic differ.
    #[error("the implementations disagree: {0:?}")]
    Disagreement(Vec<Score>),
    /// The file that was written is not a network.
    #[error("{0}")]
    Network(FormatError),
}
