//! The settings of a match.

use super::adjudicate::Adjudication;
use super::clock::Go;
use sanban_rules::AnyPosition;
use std::time::Duration;

/// Settings shared by every game of a match.
#[derive(Clone, Debug)]
pub struct Conditions {
    pub start: AnyPosition,
    pub go: Vec<Go>,
    pub ponder: bool,
    /// Time that a move may take beyond its limit.
    pub margin: Duration,
    pub adjudication: Adjudication,
    /// The game is drawn after this many moves, including those of the opening.
    pub max_moves: usize,
}
