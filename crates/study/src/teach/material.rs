//! What a move wins, loses, threatens and saves, found by exchanges played out.

use super::exchange::{exchange, victim_value};
use super::facts::Fact;
use super::gain::Target;
use sanban_rules::{AnyPosition, Move, Score};

/// Smallest gain of an exchange that is mentioned, in centipawns.
pub const WORTH: Score = 150;
/// A victim worth this much or more is a king.
pub const KING: Score = 4_000;

/// Returns whether the last move captured a piece worth mentioning on the target square of this move.
pub fn takes_back(previous: &AnyPosition, pos: &AnyPosition, mv: Move) -> bool {
    pos.last_move().is_some_and(|last| {
        !mv.is_pass() && !last.is_pass() && last.to() == mv.to() && victim_value(previous, last) >= WORTH
    })
}

/// Returns whether a move promotes and captures no more than a pawn.
fn is_for_promotion(pos: &AnyPosition, mv: Move) -> bool {
    !mv.is_drop() && mv.is_promotion() && victim_value(pos, mv) < WORTH
}

/// What a move gains by capturing or promoting. `back`: whether the opponent's last move captured on the same square.
/// `hangs`: whether the opponent gains by capturing the moved piece.
pub fn capture(
    before: &mut AnyPosition,
    after: &AnyPosition,
    mv: Move,
    back: bool,
    hangs: bool,
) -> Option<Fact> {
    if mv.is_pass() {
        return None;
    }
    let target = taken(before, mv);
    if let Some(target) = target.filter(|_| back) {
        return Some(Fact::Recaptures(target));
    }
    if is_for_promotion(before, mv) {
        let piece = after.piece_on(mv.to())?;
        let target = Target { piece, square: mv.to(), gain: exchange(before, mv) };
        return (!hangs && target.gain >= WORTH).then_some(Fact::Promotes(target));
    }
    target.map(Fact::Wins).or_else(|| exchanges(before, after, mv))
}

/// The exchange of pieces of about the same value that a capture begins.
fn exchanges(before: &mut AnyPosition, after: &AnyPosition, mv: Move) -> Option<Fact> {
    if !(WORTH..KING).contains(&victim_value(before, mv)) {
        return None;
    }
    let own = before.piece_on(mv.from())?;
    let target = target_of(before, mv)?;
    // The captor of a tokin gains a pawn.
    if own.letter == 'P' || target.piece.letter == 'P' {
        return None;
    }
    let answered = after.captures().into_iter().any(|answer| answer.to() == mv.to());
    let even = (1 - WORTH..WORTH).contains(&target.gain);
    (answered && even).then_some(Fact::Exchanges { own, target })
}

/// The target of a capture that wins material.
fn taken(pos: &mut AnyPosition, mv: Move) -> Option<Target> {
    if mv.is_pass() || !pos.is_capture(mv) || pos.gain(mv) >= KING {
        return None;
    }
    let target = target_of(pos, mv)?;
    (target.gain >= WORTH).then_some(target)
}

/// The victim of a capture, and the gain of the exchange.
pub fn target_of(pos: &mut AnyPosition, mv: Move) -> Option<Target> {
    let piece = pos.piece_on(mv.to())?;
    let gain = exchange(pos, mv);
    Some(Target { piece, square: mv.to(), gain })
}

/// The gain of a move, if the opponent captures next on its target square; otherwise 0.
pub fn regained(pos: &AnyPosition, mv: Move, square: usize) -> Score {
    if square == mv.to() && !mv.is_pass() { pos.gain(mv) } else { 0 }
}

/// The piece that an answer wins, and the mover's loss in centipawns. `after`: the position after the move. An answer
/// that only recaptures wins nothing.
pub fn hangs(pos: &AnyPosition, after: &mut AnyPosition, mv: Move, answer: Move) -> Option<(Fact, Score)> {
    let target = taken(after, answer)?;
    let back = answer.to() == mv.to() && !mv.is_pass();
    let victim = if back { pos.piece_on(mv.to()) } else { None };
    let lost = target.gain - regained(pos, mv, target.square);
    let wins = lost >= WORTH && victim.is_none_or(|victim| victim.letter != target.piece.letter);
    wins.then_some((Fact::Hangs { target, by: answer }, lost))
}

/// The captures that win material: for every victim, the capture that wins the most.
pub fn prey(pos: &mut AnyPosition) -> Vec<(Target, Move)> {
    let mut out: Vec<(Target, Move)> = Vec::new();
    for mv in pos.captures() {
        if pos.gain(mv) >= KING {
            continue;
        }
        let Some(target) = target_of(pos, mv).filter(|target| target.gain >= WORTH) else { continue };
        match out.iter_mut().find(|(known, _)| known.square == target.square) {
            Some(known) if known.0.gain < target.gain => *known = (target, mv),
            Some(_) => {}
            None => out.push((target, mv)),
        }
    }
    out
}

/// The most valuable piece that could be captured after a pass but not before the move. `after`: the position after the
/// move and the pass. `idle`: the square of a piece whose captures do not count.
pub fn threat(before: &mut AnyPosition, after: &mut AnyPosition, idle: Option<usize>) -> Option<Fact> {
    let old = prey(before);
    let new = prey(after).into_iter().filter(|(target, by)| {
        let known = old.iter().any(|(known, _)| known.square == target.square && known.piece == target.piece);
        !known && (by.is_drop() || idle != Some(by.from()))
    });
    let (target, by) = new.max_by_key(|(target, _)| target.gain)?;
    Some(if is_for_promotion(after, by) {
        Fact::ThreatensPromotion { by, gain: target.gain }
    } else {
        Fact::Threatens { target, by }
    })
}

/// The most valuable promotion of the moved piece after a pass, if it gains enough.
pub fn promotion(after: &mut AnyPosition, mv: Move) -> Option<Fact> {
    if mv.is_pass() {
        return None;
    }
    let moves = after.legal_moves();
    let own: Vec<Move> = moves
        .into_iter()
        .filter(|next| !next.is_drop() && next.is_promotion() && next.from() == mv.to())
        .filter(|next| !after.is_capture(*next))
        .collect();
    let best = own.into_iter().map(|next| (exchange(after, next), next)).max_by_key(|&(gain, _)| gain);
    let (gain, by) = best?;
    (gain >= WORTH).then_some(Fact::ThreatensPromotion { by, gain })
}

/// The most valuable piece that the opponent could have won before the move and can no longer win. `after`: the
/// position after the move.
pub fn saves(before: &mut AnyPosition, after: &mut AnyPosition, mv: Move) -> Option<Fact> {
    // While a side is in check, most captures are illegal, but the piece may hang again afterwards.
    if before.in_check() || after.in_check() {
        return None;
    }
    before.make_null();
    let threatened = prey(before);
    let values: Vec<Score> = threatened.iter().map(|(_, by)| victim_value(before, *by)).collect();
    before.unmake_null();
    let left: Vec<usize> = after
        .captures()
        .into_iter()
        .filter(|&capture| exchange(after, capture) > 0)
        .map(|capture| capture.to())
        .collect();
    let is_safe = |target: &Target| {
        // The moved piece must be safe on its new square.
        let now = if !mv.is_drop() && mv.from() == target.square { mv.to() } else { target.square };
        !left.contains(&now)
    };
    let saved = threatened.into_iter().zip(values).filter(|((target, _), _)| is_safe(target));
    let ((target, by), _) = saved.max_by_key(|&((target, _), value)| (value, target.gain))?;
    Some(Fact::Saves { target, by })
}
