//! The components that turn the rules of a game into an engine: evaluation, search parameters, network, mate solver,
//! solved table.

use crate::ladder::Ladder;
use crate::mate::{MateLimits, MateMonitor, MateOutcome, Workspace};
use crate::nnue::{Features, NetworkSource};
use crate::params::Params;
use crate::{Evaluator, NetworkError, Oracle};
use sanban_rules::{SearchPosition, Variant};

/// See [`crate::mate::solve_in`].
pub type MateSolver<P> = fn(&mut Workspace, &P, &MateLimits, &dyn MateMonitor) -> MateOutcome;

/// One game as an engine plays it: its rules, evaluation and numbers. The search's only type parameter.
pub trait Game: Variant<Position: SearchPosition> {
    /// The search parameters of the game.
    const PARAMS: Params;
    /// The players below full strength.
    const LADDER: &'static Ladder;
    /// Positions for `bench`, as SFEN.
    const BENCH: &'static [&'static str];
    /// Can [`Game::load_network`] read files?
    const NETWORK_FILES: bool = false;

    /// The game whose search plays this one: itself, or a game that differs only in rule settings.
    type Played: Game<
            Position = Self::Position,
            Evaluator = Self::Evaluator,
            Network = Self::Network,
            Oracle = Self::Oracle,
        >;
    /// Evaluation.
    type Evaluator: Evaluator<Self::Position>;
    /// The weights an evaluator reads, shared between threads (cheap to clone). The default is the network embedded in
    /// the binary.
    type Network: Clone + Default + Send + Sync;
    /// Solved tables.
    type Oracle: Oracle<Self::Position>;

    /// A fresh evaluator that reads these weights.
    fn evaluator(network: &Self::Network) -> Self::Evaluator;
    /// Reads weights from a file. `fv_scale`: the divisor for files that do not contain one.
    ///
    /// # Errors
    /// The file cannot be read, or is not a network of this game.
    fn load_network(source: &NetworkSource) -> Result<Self::Network, NetworkError> {
        match source {
            NetworkSource::Embedded | NetworkSource::Handwritten => Ok(Self::Network::default()),
            NetworkSource::File { path, .. } => Err(NetworkError::Format {
                path: path.clone(),
                problem: format!("{} has no network files", Self::NAME),
            }),
        }
    }
    /// One line about the weights in use.
    fn describe(network: &Self::Network) -> String;
    /// The inputs of a network of this game, if it can have one.
    fn features() -> Option<&'static Features> {
        None
    }
    /// The solver for mates with checks only, if the game has such problems.
    fn mate_solver() -> Option<MateSolver<Self::Position>> {
        None
    }
}
