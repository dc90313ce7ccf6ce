//! What makes an engine of the rules of a game: evaluation, search parameters, network, mate solver, solved table.

use crate::mate::{MateLimits, MateMonitor, MateOutcome, Workspace};
use crate::nnue::Features;
use crate::params::Params;
use sanban_rules::{Move, Observer, Position, Score, SearchPosition, Variant};
use sanban_system::FileError;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Why a network file is not used.
#[derive(Debug, Error)]
pub enum NetworkError {
    /// It cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// It is not a network of this game, or damaged.
    #[error("{}: {problem}", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// What was expected and what was found.
        problem: String,
    },
}

/// An evaluation that follows the moves: notified of placements while moves are made, asked for a score when one is needed.
pub trait Evaluator<P: Position>: Observer + Send {
    /// Forgets everything and starts from this position.
    fn reset(&mut self, pos: &P);
    /// A move is about to be made.
    fn push(&mut self);
    /// The last move was taken back.
    fn pop(&mut self);
    /// Does now what [`Evaluator::evaluate`] would have to do first; for a moment in which memory is waited for anyway.
    fn update(&mut self, _pos: &P) {}
    /// The score in centipawns for the side to move, within `±MAX_EVAL`. Not asked when in check, in general.
    fn evaluate(&mut self, pos: &P) -> Score;
    /// The same before it is turned into centipawns, where there is such a number (networks made elsewhere).
    fn raw(&mut self, pos: &P) -> Score {
        self.evaluate(pos)
    }
}

/// A solved table that answers instead of a search, where one is open.
///
/// `()` is that of a game without tables.
pub trait Oracle<P: Position>: Clone + Default + Send + Sync + 'static {
    /// Name of the option that names the table's file, if the game has tables.
    const OPTION: Option<&'static str> = None;

    /// Opens a table for this game.
    ///
    /// # Errors
    /// The file cannot be read, is damaged, or is no table of this game.
    fn open(path: &Path) -> Result<Self, OracleError> {
        Err(OracleError::new(format!("{}: this game has no solved tables", path.display())))
    }

    /// The exact score of the position and a best line from it, if the table knows them.
    fn solution(&self, _pos: &P) -> Option<(Score, Vec<Move>)> {
        None
    }
}

impl<P: Position> Oracle<P> for () {}

/// Why a solved table is not used: a sentence that names the file.
#[derive(Debug, Error)]
#[error(transparent)]
pub struct OracleError(Box<dyn std::error::Error + Send + Sync>);

impl OracleError {
    /// The error of a kind of table.
    pub fn new(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self(error.into())
    }
}

/// See [`crate::mate::solve_in`].
pub type MateSolver<P> = fn(&mut Workspace, &P, &MateLimits, &dyn MateMonitor) -> MateOutcome;

/// One game as an engine plays it: its rules, evaluation and numbers. The search's only type parameter.
pub trait Game: Variant<Position: SearchPosition> {
    /// The search parameters this game plays with.
    const PARAMS: Params;
    /// Positions for `bench`, as SFEN.
    const BENCH: &'static [&'static str];
    /// Can [`Game::load_network`] read files?
    const NETWORK_FILES: bool = false;

    /// The game whose search plays this one: itself, or the one that it differs from in rule settings alone.
    type Played: Game<
            Position = Self::Position,
            Evaluator = Self::Evaluator,
            Network = Self::Network,
            Oracle = Self::Oracle,
        >;
    /// Evaluation.
    type Evaluator: Evaluator<Self::Position>;
    /// The weights an evaluator reads, shared between threads (cheap to clone). The default is what is embedded in
    /// the binary.
    type Network: Clone + Default + Send + Sync;
    /// Solved tables.
    type Oracle: Oracle<Self::Position>;

    /// A fresh evaluator that reads these weights.
    fn evaluator(network: &Self::Network) -> Self::Evaluator;
    /// Reads weights from a file. `fv_scale`: divisor of files that do not carry their own.
    ///
    /// # Errors
    /// The file cannot be read, or is no network of this game.
    fn load_network(path: &Path, _fv_scale: i32) -> Result<Self::Network, NetworkError> {
        Err(NetworkError::Format {
            path: path.into(),
            problem: format!("{} has no network files", Self::NAME),
        })
    }
    /// One line about the weights in use.
    fn describe(network: &Self::Network) -> String;
    /// The inputs of a network of this game, if it can have one.
    fn features() -> Option<&'static Features> {
        None
    }
    /// What looks for mates with checks only, if the game has such problems.
    fn mate_solver() -> Option<MateSolver<Self::Position>> {
        None
    }
}
