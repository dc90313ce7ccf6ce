//! The results of games by rule, and the detection of repetitions.

use crate::Color;
use std::cmp::Ordering;

/// The result of a game by rule, from the side to move's point of view.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The side to move has won.
    Win,
    /// The side to move has lost.
    Loss,
    /// Neither side wins.
    Draw,
    /// Only inside a search: the board was repeated with more pieces in the hand of the side to move, or the line
    /// enters a repetition that the side to move wins.
    Superior,
    /// Only inside a search: the board was repeated with fewer pieces in the hand of the side to move, or the line
    /// enters a repetition that the side to move loses.
    Inferior,
}

impl Verdict {
    /// The verdict to use inside a search if the game has not yet ended: a win or a loss must not be scored as a mate.
    pub fn foreseen(self) -> Self {
        match self {
            Self::Win => Self::Superior,
            Self::Loss => Self::Inferior,
            other => other,
        }
    }
}

/// The number of plies to look back for a repetition, at most the `reach` plies since the last irreversible move. Up to
/// the second ply of a search, all of them are examined, so that a move that ends the game is found; deeper in the
/// search, only those since the root, but at least 24.
fn lookback(reach: usize, ply: usize) -> usize {
    if ply <= 2 { reach } else { reach.min(ply.max(24)) }
}

/// The verdict if the position has occurred `limit` times before, or once within the last `ply` plies, that is, since
/// the root of the search. `cycle` returns the verdict on a cycle of the given number of plies. The `reach` plies since
/// the last irreversible move are examined. `compare` compares the current position with the position the given number
/// of plies ago: equal, the same board with more or fewer pieces in hand for the side to move, or different (`None`).
/// Hands are compared only within the search.
#[inline]
pub fn repetition(
    (reach, ply, limit): (usize, usize, usize),
    compare: impl Fn(usize) -> Option<Ordering>,
    cycle: impl Fn(usize) -> Verdict,
) -> Option<Verdict> {
    let reach = lookback(reach, ply);
    let (mut seen, mut distance) = (0, 4);
    while distance <= reach {
        let inside = distance <= ply;
        match compare(distance) {
            Some(Ordering::Equal) => {
                seen += 1;
                if seen == limit {
                    return Some(cycle(distance));
                }
                if inside {
                    return Some(cycle(distance).foreseen());
                }
            }
            Some(Ordering::Greater) if inside => return Some(Verdict::Superior),
            Some(Ordering::Less) if inside => return Some(Verdict::Inferior),
            _ => {}
        }
        distance += 2;
    }
    None
}

/// The verdict on a cycle of `distance` plies: a side that gave check with every move loses. `side` is to move;
/// `checks` counts the consecutive checks of each side so far.
#[inline]
pub fn perpetual_check(checks: [u16; 2], side: Color, distance: usize) -> Option<Verdict> {
    let all_checks = |side: Color| usize::from(checks[side.index()]) >= distance / 2;
    match (all_checks(side), all_checks(!side)) {
        (true, false) => Some(Verdict::Loss),
        (false, true) => Some(Verdict::Win),
        _ => None,
    }
}
