//! The search. It depends on positions and evaluators, but not on a particular game, protocol or network.

pub mod limits;
pub mod pool;
pub mod report;
pub mod settings;
pub mod signals;

mod alphabeta;
mod attention;
mod clock;
mod correction;
mod deepen;
mod frame;
mod habit;
mod history;
mod learn;
mod node;
mod picker;
mod prune;
mod qsearch;
mod reduce;
mod root;
mod shared;
mod skill;
#[cfg(test)]
mod tests;
#[allow(unsafe_code)]
mod tt;
mod vote;
mod worker;

pub use clock::planned_time;
pub use limits::{Clock, Limits};
pub use pool::{Pool, Recalled, STACK};
pub use report::{Bound, LastLines, Line, Outcome, Report};
pub use settings::Settings;
pub use signals::Signals;
