//! Ends of games and short mates, found by the rules alone.

use super::facts::Fact;
use sanban_rules::{AnyPosition, Move, MoveList, Verdict};

/// The end of the game, if the last move was the last one.
pub fn end(pos: &AnyPosition) -> Option<Fact> {
    let verdict = match pos.verdict() {
        None if pos.count() == 0 => Some(pos.verdict_without_moves()),
        verdict => verdict,
    };
    match verdict? {
        Verdict::Loss => Some(Fact::Ends),
        Verdict::Draw => Some(Fact::Draws),
        Verdict::Win => Some(Fact::Loses),
        Verdict::Superior | Verdict::Inferior => None,
    }
}

/// Returns whether the side to move has lost by the rules.
pub fn wins_at_once(pos: &AnyPosition) -> bool {
    end(pos) == Some(Fact::Ends)
}

/// A mate in one or three plies by checks, the shorter one if there are both.
pub fn short_mate(pos: &mut AnyPosition) -> Option<Vec<Move>> {
    let mut checks = pos.legal_moves();
    checks.retain(|mv| !mv.is_pass() && pos.gives_check(*mv));
    mate_in_one(pos, &checks).map(|mv| vec![mv]).or_else(|| mate_in_three(pos, &checks))
}

/// A check that ends the game.
fn mate_in_one(pos: &mut AnyPosition, checks: &[Move]) -> Option<Move> {
    checks.iter().copied().find(|&mv| {
        pos.play(mv);
        let wins = wins_at_once(pos);
        pos.undo();
        wins
    })
}

/// A check after which every answer allows a mate in one.
fn mate_in_three(pos: &mut AnyPosition, checks: &[Move]) -> Option<Vec<Move>> {
    checks.iter().find_map(|&mv| {
        pos.play(mv);
        // A position in which the game has ended is no mate in three.
        let line = if end(pos).is_some() { None } else { mates_after(pos) };
        pos.undo();
        line.map(|[answer, last]| vec![mv, answer, last])
    })
}

/// An answer and the mate in one after it, if there is one after every answer.
fn mates_after(pos: &mut AnyPosition) -> Option<[Move; 2]> {
    let mut line = None;
    for answer in pos.legal_moves() {
        pos.play(answer);
        let mut checks = if end(pos).is_some() { MoveList::new() } else { pos.legal_moves() };
        checks.retain(|mv| !mv.is_pass() && pos.gives_check(*mv));
        let last = mate_in_one(pos, &checks);
        pos.undo();
        line = Some([answer, last?]);
    }
    line
}
