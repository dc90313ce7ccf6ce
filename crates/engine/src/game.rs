//! The components that turn the rules of a game into an engine: evaluation, search parameters, network, mate solver,
//! solved table.

use crate::ladder::Ladder;
use crate::mate::{MateLimits, MateMonitor, MateOutcome, Workspace};
use crate::nnue::{Features, NetworkChoice, NetworkSource};
use crate::params::Params;
use crate::{Evaluator, NetworkError, Oracle};
use sanban_rules::{AnyPosition, AsBoard, SearchPosition, Variant, VariantId};
use sanban_system::checksum;

/// A mate solver; see [`crate::mate::solve_in`].
pub type MateSolver<P> = fn(&mut Workspace, &P, &MateLimits, &dyn MateMonitor) -> MateOutcome;

/// A game as the engine plays it: its rules, evaluation and parameters. The only type parameter of the search.
pub trait Game: Variant<Position: SearchPosition> {
    /// The search parameters of the game.
    const PARAMS: Params;
    /// The players below full strength.
    const LADDER: &'static Ladder;
    /// The plans of players that do not search, each the moves of the first player separated by spaces.
    const PLANS: &'static [&'static str] = &[];
    /// Positions for `bench`, as SFEN.
    const BENCH: &'static [&'static str];
    /// Whether [`Game::load_network`] can read files.
    const NETWORK_FILES: bool = false;
    /// Whether the side to move wins by rule only with its next move, such as a declaration, and not at once.
    const WINS_WITH_A_MOVE: bool = true;

    /// The evaluation of the game.
    type Evaluator: Evaluator<Self::Position>;
    /// The solved tables of the game.
    type Oracle: Oracle<Self::Position>;

    /// The network embedded in the binary, if the game has one.
    fn embedded() -> NetworkChoice {
        NetworkChoice::HANDWRITTEN
    }
    /// Creates an evaluator with this network.
    fn evaluator(network: &NetworkChoice) -> Self::Evaluator;
    /// Loads the network specified by `source`. By default, network files are not supported.
    ///
    /// # Errors
    /// The file cannot be read, or is not a network of this game.
    fn load_network(source: &NetworkSource) -> Result<NetworkChoice, NetworkError> {
        match source {
            NetworkSource::Embedded | NetworkSource::Handwritten => Ok(Self::embedded()),
            NetworkSource::File { path, .. } => Err(NetworkError::Format {
                path: path.clone(),
                problem: format!("{} does not support network files", Self::ID),
            }),
        }
    }
    /// A one-line description of the evaluation.
    fn describe(network: &NetworkChoice) -> String;
    /// The inputs of this game's networks, if the game supports networks.
    fn features() -> Option<&'static Features> {
        None
    }
    /// The solver for mates by continuous checks, if the game has such problems.
    fn mate_solver() -> Option<MateSolver<Self::Position>> {
        None
    }
}

/// Identifies an evaluation in files: a fingerprint of its values for the positions of `bench`, and its description.
/// `variant` is a variant on the board of `G`.
pub fn evaluation_id<G: Game<Position: AsBoard>>(variant: VariantId, network: &NetworkChoice) -> String {
    let mut evaluator = G::evaluator(network);
    let positions = G::BENCH.iter().filter_map(|sfen| AnyPosition::parse(variant, sfen).ok());
    let scores = positions.filter_map(|pos| {
        let pos = pos.get()?;
        evaluator.reset(pos);
        Some(evaluator.evaluate(pos).to_le_bytes())
    });
    let fingerprint = checksum(&scores.flatten().collect::<Vec<u8>>());
    format!("{fingerprint:016x} {}", G::describe(network))
}
