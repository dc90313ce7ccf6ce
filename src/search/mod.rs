//! The search: knows positions and evaluators, but no game, no protocol and no network.

pub mod limits;
pub mod report;
pub mod signals;

pub use limits::{Clock, Limits};
pub use report::{Bound, Line, Outcome, Report};
pub use signals::Signals;
