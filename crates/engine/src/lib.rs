//! Search, evaluation, networks, mate solver and solved tables.
//!
//! A [`Game`] combines the rules of a game with its evaluation; a [`Searcher`] searches its positions; [`mate::solve`]
//! solves mate problems in which every move of the attacker is a check. The search does not depend on any particular
//! game, games do not depend on the search, and the networks depend on neither.

#![warn(missing_docs)]
#![deny(unsafe_code)]

pub mod engine;
pub mod eval;
pub mod evaluator;
pub mod game;
pub mod games;
pub mod ladder;
pub mod mate;
pub mod nnue;
pub mod oracle;
pub mod params;
pub mod perft;
pub mod search;
pub mod searcher;
pub mod slices;
pub mod solved;

#[cfg(test)]
mod random_games;
#[cfg(test)]
use sanban_system::scratch;

pub use engine::{Engine, EngineError, StopHandle, solve_mate};
pub use evaluator::{Evaluator, NetworkError};
pub use game::{Game, MateSolver, evaluation_id};
pub use nnue::NetworkSource;
pub use oracle::{Oracle, OracleError};
pub use search::{Bound, Clock, Limits, Line, Outcome};
pub use searcher::Searcher;
