//! Matches between engines: games in pairs over pipes (USI, UCI or CECP), refereed with the library's rules.
//!
//! [`run`] plays a [`Plan`] of two or more engines. [`Table`] contains the results of all pairings, [`Pentanomial`]
//! evaluates them, and a [`Journal`](sanban_system::Journal) stores every game as a line of JSON, from which an interrupted match is resumed.
//! The plan alone determines which games are played: pair `n` of a seed always has the same opening.

mod adjudicate;
mod clock;
mod command;
mod conditions;
mod engine;
mod fault;
mod game;
mod guard;
mod opening;
mod pipe;
mod protocol;
mod record;
mod referee;
mod run;
mod schedule;
mod standing;
mod stats;
mod table;
#[cfg(feature = "tune")]
pub mod tune;

pub use adjudicate::{Adjudication, DrawRule, Solver, solver};
pub use clock::{Go, GoError};
pub use command::{Command, chooses_game};
pub use conditions::Conditions;
pub use fault::{EngineError, EngineFault, Trouble};
pub use opening::{OpeningError, Openings, position};
pub use protocol::{Protocol, UnknownProtocol};
pub use record::{Outcome, Played, Player, Reason, Record};
pub use run::{Error, Observer, Plan, run};
pub use schedule::{Format, pairings};
pub use standing::Standing;
pub use stats::{Decision, Elo, Pentanomial, Sprt};
pub use table::{Score, Table};
