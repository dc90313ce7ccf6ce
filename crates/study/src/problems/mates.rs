//! Mates with a provably unique solution.

use super::{Problem, Task};
use sanban_engine::mate::{MateLimits, MateOutcome, Workspace, check};
use sanban_engine::solve_mate;
use sanban_rules::shogi::Position;
use sanban_rules::{AnyPosition, Move};

/// Longest mate used as a problem, in plies.
const LONGEST: usize = 9;
/// Node limit of a proof.
const NODES: u64 = 100_000;
/// Memory for proofs, in megabytes.
const MEMORY: usize = 16;

/// Returns the problem in a position that has a mate in at most nine plies, if no other check mates at any move of the
/// solution. A mate that cannot be proven within the limits is rejected, as is one with a futile interposition, which
/// does not count as a move.
pub fn unique_mate(workspace: &mut Workspace, pos: &AnyPosition) -> Option<Problem> {
    let line = mate(workspace, pos, true)??;
    if line.len() > LONGEST {
        return None;
    }
    let mut here = pos.clone();
    for (number, &mv) in line.iter().enumerate() {
        if number % 2 == 0 && !is_only(workspace, &here, mv)? {
            return None;
        }
        here.play(mv);
    }
    let exact = check(pos.get::<Position>()?, &limits(true), &(), &mut |_| {});
    if !exact.is_exact() || exact.line.len() != line.len() {
        return None;
    }
    let grade = line.len().div_ceil(2) as u32;
    Some(Problem { task: Task::Mate, grade, sfen: pos.sfen(), line })
}

fn limits(shortest: bool) -> MateLimits {
    MateLimits { time: None, nodes: Some(NODES), memory: MEMORY, threads: 1, shortest }
}

/// Searches for a mate by the side to move. Returns `Some(None)` if there is provably no mate, and `None` if nothing is
/// proven.
fn mate(workspace: &mut Workspace, pos: &AnyPosition, shortest: bool) -> Option<Option<Vec<Move>>> {
    match solve_mate(workspace, pos, &limits(shortest), &())? {
        MateOutcome::Mate(line) => Some(Some(line)),
        MateOutcome::NoMate => Some(None),
        MateOutcome::Unknown => None,
    }
}

/// Returns whether this check is the only one that mates; `None` if nothing is proven.
fn is_only(workspace: &mut Workspace, pos: &AnyPosition, only: Move) -> Option<bool> {
    let mut here = pos.clone();
    for check in pos.legal_moves().into_iter().filter(|&check| check != only && pos.gives_check(check)) {
        here.play(check);
        let mut escapes = false;
        for answer in here.legal_moves() {
            here.play(answer);
            let mates = mate(workspace, &here, false);
            here.undo();
            if mates?.is_none() {
                escapes = true;
                break;
            }
        }
        here.undo();
        if !escapes {
            return Some(false);
        }
    }
    Some(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sanban_rules::VariantId;

    fn problem(sfen: &str) -> Option<String> {
        let pos = AnyPosition::parse(VariantId::Shogi, sfen).expect("a position");
        unique_mate(&mut Workspace::default(), &pos).map(|problem| problem.to_string())
    }

    #[test]
    fn only_unique_mates_are_problems() {
        let one = "8k/9/8P/9/9/9/9/9/K8 b G 1";
        assert_eq!(problem(one).as_deref(), Some(format!("mate\t1\t{one}\tG*1b").as_str()));
        // With a rook in hand, other checks also mate.
        assert_eq!(problem("8k/9/8P/9/9/9/9/9/K8 b RG 1"), None);
        assert_eq!(problem(sanban_rules::shogi::START), None);
    }

    /// Mate in one, which useless drops would make a mate in five.
    #[test]
    fn futile_interpositions_are_no_moves() {
        let one = "2s1kg1nl/4g2s1/1ppp+P2pp/6p2/1n1L5/1BPS5/+rP1PP1PPP/2g1GR3/4K1SNL w BNL4P 40";
        assert_eq!(problem(one), None);
    }
}
