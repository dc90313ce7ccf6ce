//! Entering king: wins (and draws) by points or by a try.

use super::piece::Kind;
use super::position::Position;
use super::rules::EnteringKing;
use super::square::ZONE;
use crate::Color;

/// A declaration by the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Declaration {
    /// The declaration wins.
    Win,
    /// The game is drawn (24-point rules only).
    Draw,
}

/// Points of a full set: two rooks and two bishops at 5, 34 others at 1. Kings do not count.
const ALL_POINTS: u32 = 54;
/// Number of pieces besides the king that must be in the zone.
const PIECES_IN_ZONE: usize = 10;

impl Position {
    /// Entering-king points of a side: pieces in its promotion zone and in hand.
    pub fn points(&self, color: Color) -> u32 {
        let zone = ZONE[color.index()];
        self.sum(|kind| (self.pieces_of(color, kind) & zone).len() + self.hand_count(color, kind))
    }

    /// The total points, given the number of pieces of each kind.
    fn sum(&self, count: impl Fn(Kind) -> usize) -> u32 {
        Kind::ALL.iter().map(|&kind| count(kind) as u32 * kind.points()).sum()
    }

    /// The declaration that the side to move may make under the current rule (CSA's conditions: its king and at least
    /// ten other pieces in the zone, not in check, enough points). A try is played, not declared.
    pub fn declaration(&self) -> Option<Declaration> {
        use EnteringKing::*;
        let us = self.side;
        let rule = self.rules.entering_king;
        if matches!(rule, None | Try) {
            return Option::None;
        }
        let zone = ZONE[us.index()];
        if !zone.has(self.king(us)?) || self.checkers().any() {
            return Option::None;
        }
        if (self.pieces(us) & zone).len() <= PIECES_IN_ZONE {
            return Option::None;
        }
        let given = match rule {
            Points24Handicap | Points27Handicap if us == Color::White => self.handicap,
            _ => 0,
        };
        let points = self.points(us) + given;
        let (win, draw) = match rule {
            Points24 | Points24Handicap => (31, 24),
            _ if us == Color::Black => (28, u32::MAX),
            _ => (27, u32::MAX),
        };
        if points >= win {
            Some(Declaration::Win)
        } else if points >= draw {
            Some(Declaration::Draw)
        } else {
            Option::None
        }
    }

    /// Returns whether the try rule applies and the king of the side that moved last is on the enemy king's start
    /// square. It does not matter when it got there, because the game ended at that point.
    pub(super) fn was_tried(&self) -> bool {
        // 5a for black, 5i for white.
        const GOAL: [usize; 2] = [36, 44];
        let mover = !self.side;
        self.rules.entering_king == EnteringKing::Try && self.king(mover) == Some(GOAL[mover.index()])
    }

    /// Points that are missing from a full set: the handicap given by white.
    pub(super) fn missing_points(&self) -> u32 {
        let in_hands = |kind| self.hand_count(Color::Black, kind) + self.hand_count(Color::White, kind);
        let points = self.sum(|kind| self.kinds[kind.index()].len() + in_hands(kind));
        ALL_POINTS.saturating_sub(points)
    }
}
