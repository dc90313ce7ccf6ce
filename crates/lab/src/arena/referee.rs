//! Decides whether a game is over by the rules.

use super::record::Reason;
use sanban_rules::{AnyPosition, Verdict};

/// Returns the verdict for the side to move and the reason if the game is over by the rules. A win that must be
/// declared does not count before the declaration.
pub fn over(pos: &AnyPosition) -> Option<(Verdict, Reason)> {
    match pos.verdict() {
        Some(Verdict::Win) if pos.can_declare() => None,
        Some(verdict) => Some((verdict, Reason::Rule)),
        None if pos.count() == 0 => Some((pos.verdict_without_moves(), Reason::NoMove)),
        None => None,
    }
}
