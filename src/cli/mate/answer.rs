//! Formats answers.

use sanban_engine::mate::MateOutcome;
use sanban_rules::{Checks, Move};
use serde_json::{Value, json};

/// The moves in USI notation.
pub(super) fn texts<P: Checks>(moves: &[Move]) -> Vec<String> {
    moves.iter().map(|&mv| P::usi(mv)).collect()
}

/// `mate N MOVES`, `nomate` or `timeout`.
pub(super) fn describe<P: Checks>(outcome: &MateOutcome) -> String {
    match outcome {
        MateOutcome::Mate(line) => {
            format!("mate {} {}", line.len(), texts::<P>(line).join(" "))
        }
        MateOutcome::NoMate => "nomate".into(),
        MateOutcome::Unknown => "timeout".into(),
    }
}

pub(super) fn json<P: Checks>(pos: &P, outcome: &MateOutcome) -> Value {
    let mut out = json!({ "sfen": pos.sfen() });
    out["result"] = match outcome {
        MateOutcome::Mate(line) => {
            out["moves"] = texts::<P>(line).into();
            "mate"
        }
        MateOutcome::NoMate => "nomate",
        MateOutcome::Unknown => "timeout",
    }
    .into();
    out
}
