//! Formats answers.

use sanban_engine::mate::MateOutcome;
use sanban_rules::Checks;

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
