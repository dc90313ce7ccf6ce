//! The result of a game by rule, and repetitions.

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
    /// Only inside a search: a position of the current line was repeated with more in the mover's hand, or the line
    /// enters a repetition that the mover wins.
    Superior,
    /// Only inside a search: a position was repeated with less in the mover's hand, or the line enters a repetition
    /// that the mover loses.
    Inferior,
}

impl Verdict {
    /// The verdict inside a search if the game has not yet ended this way: it must not be scored as a mate.
    pub fn foreseen(self) -> Self {
        match self {
            Self::Win => Self::Superior,
            Self::Loss => Self::Inferior,
            other => other,
        }
    }
}

/// The number of plies to search backwards for a repetition, of the `reach` plies since the last irreversible
/// move. Up to the second ply of a search, all of them are examined, so that a move that ends the game is
/// found; at deeper plies, only those within the search's own line, but at least 24.
fn lookback(reach: usize, ply: usize) -> usize {
    if ply <= 2 { reach } else { reach.min(ply.max(24)) }
}

/// The verdict on a repetition. If the position has occurred `limit` times before, or once within the line of the
/// search (`ply` plies deep), it is that of a `cycle` of the given number of plies. The `reach` plies since the last
/// irreversible move are examined. `compare` compares the current position with the one a number of plies ago: the
/// same, the same board with more or less in hand for the side to move, or a different one (`None`). Hands are compared
/// only within the line of the search.
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
