//! The rules that end a game: repetition, two passes, facing generals, dead material, move limits.

use super::piece::Kind;
use super::position::Position;
use super::rules::Ends;
use crate::{Color, Move, Verdict, perpetual_check, repetition};
use std::cmp::Ordering;

/// White's compensation for moving second, in half points, when material is counted.
const COMPENSATION: i32 = 3;

impl Position {
    /// The result if a rule has ended the game; see [`Position::verdict`](crate::Position::verdict).
    pub fn verdict(&self, ply: usize) -> Option<Verdict> {
        if self.is_closed() {
            return Some(self.draw_or_count());
        }
        let over = match self.rules.ends {
            Ends::Own => None,
            Ends::Fairy => self.quiet_limit(100),
            Ends::FairyModern => self.quiet_limit(200).or_else(|| self.back_and_forth()),
        };
        if let Some(verdict) = over.or_else(|| self.repetition(ply)) {
            return Some(verdict);
        }
        if self.rules.ends == Ends::Own && self.is_dead() {
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

    /// The end after this number of plies without a capture; a mate on the last move still counts.
    fn quiet_limit(&self, plies: u16) -> Option<Verdict> {
        let over = self.now.quiet >= plies && (self.now.checkers.is_empty() || self.count() > 0);
        over.then(|| self.draw_or_count())
    }

    /// A side loses when a piece that can leave the palace returns to a square for the second time within nine plies
    /// by moving back and forth, unless one of these moves answered a check or captured. One pass before the last move
    /// does not interrupt the sequence.
    fn back_and_forth(&self) -> Option<Verdict> {
        let end = self.history.len().min(usize::from(self.now.quiet));
        let last = self.now.mv.filter(|mv| end >= 8 && !mv.is_pass())?;
        let state = |plies: usize| &self.history[self.history.len() - plies];
        let is_palace_piece =
            self.board[last.to()].is_none_or(|piece| matches!(piece.kind, Kind::General | Kind::Guard));
        if is_palace_piece || state(1).checkers.any() || state(3).checkers.any() {
            return None;
        }
        let (mut later, mut steps) = (last, 1);
        let first = if state(2).mv?.is_pass() { 4 } else { 2 };
        for plies in (first..=end).step_by(2) {
            if plies < end && state(plies + 1).checkers.any() {
                return None;
            }
            let mv = state(plies).mv?;
            if steps == 4 {
                let returned = state(plies).captured.is_none() && mv.to() == later.from();
                return returned.then_some(Verdict::Win);
            }
            if mv != Move::board(later.to(), later.from()) {
                return None;
            }
            (later, steps) = (mv, steps + 1);
        }
        None
    }

    /// The third occurrence of board and side to move (in Fairy-Stockfish's modern game, the fourth) is a draw (or a
    /// count), unless one side gave check with every move from the first to the last; then that side loses.
    fn repetition(&self, ply: usize) -> Option<Verdict> {
        let reach = self.history.len().min(usize::from(self.now.reversible));
        let same = |distance: usize| {
            (self.history[self.history.len() - distance].board_key == self.now.board_key)
                .then_some(Ordering::Equal)
        };
        let earlier = if self.rules.ends == Ends::FairyModern { 3 } else { 2 };
        repetition((reach, ply, earlier), same, |distance| {
            perpetual_check(self.now.checks, self.side, distance).unwrap_or_else(|| self.draw_or_count())
        })
    }
}
