//! Mates with a provably unique solution.

use super::{Problem, Task};
use sanban_engine::mate::{MateLimits, MateOutcome, Workspace, solve_in};
use sanban_rules::shogi::Position;
use sanban_rules::{Move, MoveList, Position as _};

/// Longest mate used as a problem, in plies.
const LONGEST: usize = 9;
/// Node limit of a proof.
const NODES: u64 = 100_000;
/// Memory for proofs, in megabytes.
const MEMORY: usize = 16;

/// Returns the problem in a position that has a mate in at most nine plies, if no other check mates at any move of the
/// solution. A mate that cannot be proven within the limits is rejected.
pub fn unique_mate(workspace: &mut Workspace, pos: &Position) -> Option<Problem> {
    let line = mate(workspace, pos, true)??;
    if line.len() > LONGEST {
        return None;
    }
    let mut here = pos.clone();
    for (number, &mv) in line.iter().enumerate() {
        if number % 2 == 0 && !is_only(workspace, &here, mv)? {
            return None;
        }
        here.make(mv, &mut ());
    }
    let grade = line.len().div_ceil(2) as u32;
    Some(Problem { task: Task::Mate, grade, sfen: pos.sfen(), line })
}

/// Searches for a mate by the side to move. Returns `Some(None)` if there is provably no mate, and `None` if nothing is
/// proven.
fn mate(workspace: &mut Workspace, pos: &Position, shortest: bool) -> Option<Option<Vec<Move>>> {
    let limits = MateLimits { time: None, nodes: Some(NODES), memory: MEMORY, threads: 1, shortest };
    match solve_in(workspace, pos, &limits, &()) {
        MateOutcome::Mate(line) => Some(Some(line)),
        MateOutcome::NoMate => Some(None),
        MateOutcome::Unknown => None,
    }
}

/// Returns whether this check is the only one that mates; `None` if nothing is proven.
fn is_only(workspace: &mut Workspace, pos: &Position, only: Move) -> Option<bool> {
    let mut checks = MoveList::new();
    pos.checks(&mut checks);
    let mut here = pos.clone();
    for check in checks.into_iter().filter(|&check| check != only) {
        here.make(check, &mut ());
        let mut escapes = false;
        for answer in here.legal_moves() {
            here.make(answer, &mut ());
            let mates = mate(workspace, &here, false);
            here.unmake();
            if mates?.is_none() {
                escapes = true;
                break;
            }
        }
        here.unmake();
        if !escapes {
            return Some(false);
        }
    }
    Some(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(sfen: &str) -> Option<String> {
        let pos = Position::from_sfen(sfen).expect("a position");
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
}
