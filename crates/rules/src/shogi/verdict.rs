//! The rules that end a game: fourfold repetition, perpetual check, the entering king, the move limit.

use super::declare::Declaration;
use super::position::Position;
use crate::{Color, Position as _, Verdict, perpetual_check, repetition};
use std::cmp::Ordering;

impl Position {
    /// The result if a rule has ended the game; see [`Position::verdict`](crate::Position::verdict).
    pub fn verdict(&self, ply: usize) -> Option<Verdict> {
        if self.was_tried() {
            return Some(Verdict::Loss);
        }
        if let Some(verdict) = self.repetition(ply) {
            return Some(verdict);
        }
        if self.declaration() == Some(Declaration::Win) {
            return Some(Verdict::Win);
        }
        // A mate on the last move still counts.
        let over = self.rules.max_moves > 0 && self.game_ply >= self.rules.max_moves;
        (over && !(self.in_check() && self.count() == 0)).then_some(Verdict::Draw)
    }

    /// The fourth occurrence of board, hands and side to move is a draw, unless one side gave check with every move
    /// from the first to the fourth; then that side loses. Inside a search, the same board with more or less in hand
    /// also counts.
    fn repetition(&self, ply: usize) -> Option<Verdict> {
        let reach = self.history.len().min(usize::from(self.now.since_null));
        let compare = |distance: usize| {
            let (now, past) = (&self.now, &self.history[self.history.len() - distance]);
            if past.board_key != now.board_key {
                return None;
            }
            if past.black_hand == now.black_hand {
                return Some(Ordering::Equal);
            }
            // On the same board, the pieces that black has gained in hand are those that white has lost.
            let (now, past) = match self.side {
                _ if distance > ply => return None,
                Color::Black => (now.black_hand, past.black_hand),
                Color::White => (past.black_hand, now.black_hand),
            };
            match () {
                () if now.covers(past) => Some(Ordering::Greater),
                () if past.covers(now) => Some(Ordering::Less),
                () => None,
            }
        };
        repetition((reach, ply, 3), compare, |distance| {
            perpetual_check(self.now.checks, self.side, distance).unwrap_or(Verdict::Draw)
        })
    }
}
