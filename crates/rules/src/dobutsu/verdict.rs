//! The rules that end a game.

use super::piece::{Kind, last_row, squares};
use super::position::Position;
use crate::{Move, Verdict, repetition};
use std::cmp::Ordering;

impl<const MATE: bool> Position<MATE> {
    /// The result that follows from the board alone: a lion was captured, or has reached its last row and cannot be
    /// captured there.
    pub fn result_on_board(&self) -> Option<Verdict> {
        let Some(_) = self.lion(self.side) else { return Some(Verdict::Loss) };
        if self.has_entered(!self.side) {
            // The entry was safe, unless it was a move that these rules forbid; in that case the lion can be captured.
            let taken = self.attacks(self.side) & self.pieces_of(!self.side, Kind::Lion) != 0;
            return (!taken).then_some(Verdict::Loss);
        }
        self.has_entered(self.side).then_some(Verdict::Win)
    }

    /// The result if a rule has ended the game; see [`Position::verdict`](crate::Position::verdict).
    pub fn verdict(&self, ply: usize) -> Option<Verdict> {
        if let Some(verdict) = self.result_on_board() {
            return Some(verdict);
        }
        // The third occurrence of board, hands and side to move is a draw, even if every move gave check.
        let reach = self.history.len().min(usize::from(self.now.since_null));
        let same = |distance: usize| {
            (self.history[self.history.len() - distance].key == self.now.key).then_some(Ordering::Equal)
        };
        if let Some(draw) = repetition((reach, ply, 2), same, |_| Verdict::Draw) {
            return Some(draw);
        }
        // A mate on the last move still counts.
        let over = self.rules.max_moves > 0 && self.game_ply >= self.rules.max_moves;
        (over && self.count() > 0).then_some(Verdict::Draw)
    }

    /// A capture of the lion, or a safe move of the lion to the last row.
    pub fn mate_in_one(&self) -> Option<Move> {
        let us = self.side;
        let promoting = |from: usize, to| {
            let chick = self.pieces_of(us, Kind::Chick) >> from & 1 != 0;
            let promotes = chick && last_row(us) >> to & 1 != 0;
            if promotes { Move::promotion(from, to) } else { Move::board(from, to) }
        };
        let to = self.lion(!us)?;
        let capture =
            squares(self.attackers(us, to)).map(|from| promoting(from, to)).find(|&mv| self.is_legal(mv));
        if capture.is_some() {
            return capture;
        }
        let from = self.lion(us)?;
        let entry = self.targets(MATE).lion & last_row(us);
        (entry != 0).then(|| Move::board(from, entry.trailing_zeros() as usize))
    }
}
