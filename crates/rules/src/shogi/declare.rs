//! Entering king: wins (and draws) by points or by a try, and how near a side is to a win by points.

use super::piece::Kind;
use super::position::Position;
use super::rules::EnteringKing;
use super::square::ZONE;
use crate::score::MAX_EVAL;
use crate::{Color, Score};

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
/// Points for a win and for a draw under the rules with 24 points.
const WIN_OF_24: u32 = 31;
const DRAW_OF_24: u32 = 24;
/// Number of pieces besides the king that must be in the zone.
const PIECES_IN_ZONE: usize = 10;

/// Value of a king in the zone with all points that a declaration needs, in centipawns. This and the next two numbers
/// were fitted to the results of 3,000 games of self-play with a king in the zone, given the score of the search.
const ENTERED: Score = 680;
/// Value of each of the ten pieces that must be in the zone.
const PIECE_IN_ZONE: Score = 24;
/// Reduction of the value for each missing point.
const MISSING_POINT: Score = 33;

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
        match self.missing_to_win(us) {
            0 => Some(Declaration::Win),
            missing if matches!(rule, Points24 | Points24Handicap) && missing <= WIN_OF_24 - DRAW_OF_24 => {
                Some(Declaration::Draw)
            }
            _ => Option::None,
        }
    }

    /// The points that a side still needs to win by declaration, if the rule counts points.
    fn missing_to_win(&self, color: Color) -> u32 {
        use EnteringKing::*;
        let rule = self.rules.entering_king;
        let given = match rule {
            Points24Handicap | Points27Handicap if color == Color::White => self.handicap,
            _ => 0,
        };
        let win = match rule {
            Points24 | Points24Handicap => WIN_OF_24,
            _ if color == Color::Black => 28,
            _ => 27,
        };
        win.saturating_sub(self.points(color) + given)
    }

    /// Adds the difference in the two sides' progress towards a declaration to an evaluation.
    pub fn tempered(&self, score: Score) -> Score {
        let progress = self.progress(self.side) - self.progress(!self.side);
        (score + progress).clamp(-MAX_EVAL, MAX_EVAL)
    }

    /// The value of a king in the zone, in centipawns, if the rule counts points.
    fn progress(&self, color: Color) -> Score {
        let zone = ZONE[color.index()];
        let counted = !matches!(self.rules.entering_king, EnteringKing::None | EnteringKing::Try);
        if !counted || !self.king(color).is_some_and(|king| zone.has(king)) {
            return 0;
        }
        let pieces = ((self.pieces(color) & zone).len() - 1).min(PIECES_IN_ZONE) as Score;
        let missing = self.missing_to_win(color) as Score;
        (ENTERED + PIECE_IN_ZONE * pieces - MISSING_POINT * missing).max(0)
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
