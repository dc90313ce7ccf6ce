//! When a game is over by the rules.

use super::record::Reason;
use sanban_rules::{Position, Verdict};

/// What the rules say of a position: the verdict on the side to move, and why. A win that has to be declared is none
/// before that.
pub fn over<P: Position>(pos: &P) -> Option<(Verdict, Reason)> {
    match pos.verdict(0) {
        Some(Verdict::Win) if pos.can_declare() => None,
        Some(verdict) => Some((verdict, Reason::Rule)),
        None if pos.count() == 0 => Some((pos.verdict_without_moves(), Reason::NoMove)),
        None => None,
    }
}
