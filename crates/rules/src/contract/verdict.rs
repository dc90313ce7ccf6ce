//! How a position is judged by the rules, repetitions included.

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
    /// Inside a search only: a position of the current line was repeated with more in the mover's hand, or the line enters a
    /// repetition that the mover wins.
    Superior,
    /// Inside a search only: a position was repeated with less in hand, or the line enters a repetition that is lost.
    Inferior,
}

impl Verdict {
    /// The verdict inside a search on a game that will end this way but has not yet: no mate may be announced for it.
    pub fn foreseen(self) -> Self {
        match self {
            Self::Win => Self::Superior,
            Self::Loss => Self::Inferior,
            other => other,
        }
    }
}

/// How many of the `reach` plies since the last move that cannot be undone are looked through for a repetition, at a ply
/// of a search. Up to the second all, as the rule does, so that a move that ends the game is seen; then those of the
/// search's own line, and 24 at least.
fn lookback(reach: usize, ply: usize) -> usize {
    if ply <= 2 { reach } else { reach.min(ply.max(24)) }
}

/// The verdict on a repetition: the one of a whole `cycle` of so many plies where the position has been there `limit`
/// times before, or inside a search (at `ply`) once within its line. Looked through are the `reach` plies since the last
/// move that cannot be undone. `compare` tells how the present position stands to that of so many plies ago: the
/// same, better or worse for the side to move by what is in hand, or another one. It is not asked to compare hands
/// outside of the line of the search.
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

/// The verdict on a cycle of `distance` plies in which one side gave check with every move: that side loses. `side` is to
/// move; `checks` counts the consecutive checks of each side up to now.
#[inline]
pub fn perpetual_check(checks: [u16; 2], side: Color, distance: usize) -> Option<Verdict> {
    let all_checks = |side: Color| usize::from(checks[side.index()]) >= distance / 2;
    match (all_checks(side), all_checks(!side)) {
        (true, false) => Some(Verdict::Loss),
        (false, true) => Some(Verdict::Win),
        _ => None,
    }
}
