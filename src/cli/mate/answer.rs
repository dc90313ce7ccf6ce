//! Formats answers.

use sanban_engine::mate::MateOutcome;
use sanban_rules::Checks;
use serde_json::{Value, json};

/// `mate N MOVES`, `nomate` or `timeout`.
pub(super) fn describe<P: Checks>(outcome: &MateOutcome) -> String {
    match outcome {
        MateOutcome::Mate(line) => {
            let moves: Vec<String> = line.iter().map(|&mv| P::usi(mv)).collect();
            format!("mate {} {}", line.len(), moves.join(" "))
        }
        MateOutcome::NoMate => "nomate".into(),
        MateOutcome::Unknown => "timeout".into(),
    }
}

/// The answer as JSON.
pub(super) fn json<P: Checks>(pos: &P, outcome: &MateOutcome) -> Value {
    let mut out = json!({ "sfen": pos.sfen() });
    out["result"] = match outcome {
        MateOutcome::Mate(line) => {
            out["moves"] = line.iter().map(|&mv| P::usi(mv)).collect();
            "mate"
        }
        MateOutcome::NoMate => "nomate",
        MateOutcome::Unknown => "timeout",
    }
    .into();
    out
}
