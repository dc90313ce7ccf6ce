//! Fourfold repetition, perpetual check, and repetitions inside a search.

use super::position::Position;
use crate::base::Color;
use crate::game::{Verdict, lookback};

impl Position {
    /// The verdict on a repetition. The rule: the fourth occurrence of board, hands and side to move is a draw,
    /// unless one side gave check with every move from the first to the fourth; then that side loses. Inside a
    /// search (`ply` > 0) the second occurrence within the line counts already, and so does the same board with
    /// more or less in hand.
    pub(super) fn repetition(&self, ply: usize) -> Option<Verdict> {
        let len = self.history.len();
        let reach = lookback(len.min(self.now.since_null as usize), ply);
        let mut seen = 0;
        let mut distance = 4;
        while distance <= reach {
            let past = &self.history[len - distance];
            if past.board_key == self.now.board_key {
                if past.black_hand == self.now.black_hand {
                    seen += 1;
                    if seen == 3 {
                        return Some(self.repeated(distance));
                    }
                    if distance <= ply {
                        return Some(self.repeated(distance).foreseen());
                    }
                } else if distance <= ply {
                    let (now, past) = match self.side {
                        Color::Black => (self.now.black_hand, past.black_hand),
                        Color::White => (past.black_hand, self.now.black_hand),
                    };
                    if now.covers(past) {
                        return Some(Verdict::Superior);
                    }
                    if past.covers(now) {
                        return Some(Verdict::Inferior);
                    }
                }
            }
            distance += 2;
        }
        None
    }

    /// Draw or perpetual check, for a cycle of this many plies.
    fn repeated(&self, distance: usize) -> Verdict {
        let all_checks = |side: Color| usize::from(self.now.checks[side.index()]) >= distance / 2;
        match (all_checks(self.side), all_checks(!self.side)) {
            (true, false) => Verdict::Loss,
            (false, true) => Verdict::Win,
            _ => Verdict::Draw,
        }
    }
}
