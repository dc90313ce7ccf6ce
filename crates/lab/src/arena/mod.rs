//! Matches between engines: games in pairs over USI pipes, refereed by the rules of the library.
//!
//! [`run`] plays a [`Plan`]. [`Pentanomial`] evaluates the results, and a [`Ledger`] stores every game as a line of
//! JSON, from which an interrupted match is resumed. The plan alone determines which games are played: pair `n` of a
//! seed always has the same opening.

mod clock;
mod engine;
mod game;
mod guard;
mod ledger;
mod opening;
mod record;
mod referee;
mod run;
mod standing;
mod stats;
#[cfg(feature = "tune")]
pub mod tune;

pub use clock::{Go, GoError};
pub use engine::{Command, EngineError, EngineFault, Trouble, chooses_game};
pub use game::Conditions;
pub use ledger::Ledger;
pub use opening::{OpeningError, Openings, RulesOf, position};
pub use record::{Outcome, Played, Player, Reason, Record};
pub use run::{Error, Observer, Plan, run};
pub use standing::Standing;
pub use stats::{Decision, Elo, Pentanomial, Sprt};
