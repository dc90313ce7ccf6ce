//! The rules that end a game: repetition, two passes, facing generals, dead material, the move limit.

use super::piece::Kind;
use super::position::Position;
use crate::{Color, Verdict, perpetual_check, repetition};
use std::cmp::Ordering;

/// White's compensation for moving second, in half points, when material is counted.
const COMPENSATION: i32 = 3;

impl Position {
    /// The result if a rule has ended the game; see [`Position::verdict`](crate::Position::verdict).
    pub fn verdict(&self, ply: usize) -> Option<Verdict> {
        if self.is_closed() {
            return Some(self.draw_or_count());
        }
        if let Some(verdict) = self.repetition(ply) {
            return Some(verdict);
        }
        if self.is_dead() {
            return Some(self.draw_or_count());
        }
        // A mate on the last move still counts.
        let over = self.rules.max_moves > 0 && self.game_ply >= self.rules.max_moves;
        (over && self.count() > 0).then(|| self.draw_or_count())
    }

    /// The result of a game that ended without a winner. With counting it is never a draw, because white's compensation
    /// includes half a point.
    fn draw_or_count(&self) -> Verdict {
        if !self.rules.counting {
            return Verdict::Draw;
        }
        let black = 2 * (self.points(Color::Black) - self.points(Color::White)) - COMPENSATION;
        if (black > 0) == (self.side == Color::Black) { Verdict::Win } else { Verdict::Loss }
    }

    fn points(&self, color: Color) -> i32 {
        Kind::ALL.iter().map(|&kind| kind.points() * self.pieces_of(color, kind).len() as i32).sum()
    }

    /// The third occurrence of board and side to move is a draw (or a count), unless one side gave check with every
    /// move from the first to the third; then that side loses.
    fn repetition(&self, ply: usize) -> Option<Verdict> {
        let reach = self.history.len().min(usize::from(self.now.reversible));
        let same = |distance: usize| {
            (self.history[self.history.len() - distance].board_key == self.now.board_key)
                .then_some(Ordering::Equal)
        };
        repetition((reach, ply, 2), same, |distance| {
            perpetual_check(self.now.checks, self.side, distance).unwrap_or_else(|| self.draw_or_count())
        })
    }
}
