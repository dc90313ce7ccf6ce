//! The rules that end a game.

use super::piece::{Kind, last_row, squares};
use super::position::Position;
use crate::base::Move;
use crate::game::{Verdict, lookback};

impl<const MATE: bool> Position<MATE> {
    /// What the board alone says: a lion was captured, or stands on its last row and cannot be captured there.
    pub(super) fn result_on_board(&self) -> Option<Verdict> {
        let Some(_) = self.lion(self.side) else { return Some(Verdict::Loss) };
        if self.has_entered(!self.side) {
            // The entry was safe, unless the move was one that these rules forbid: then the lion may be taken.
            let taken = self.attacks(self.side) & self.pieces_of(!self.side, Kind::Lion) != 0;
            return (!taken).then_some(Verdict::Loss);
        }
        self.has_entered(self.side).then_some(Verdict::Win)
    }

    pub(super) fn find_verdict(&self, ply: usize) -> Option<Verdict> {
        if let Some(verdict) = self.result_on_board() {
            return Some(verdict);
        }
        if self.repeated(ply) {
            return Some(Verdict::Draw);
        }
        // A mate on the last move still counts.
        let over = self.rules.max_moves > 0 && self.game_ply >= self.rules.max_moves;
        (over && self.count_to(self.targets(MATE)) > 0).then_some(Verdict::Draw)
    }

    /// The third occurrence of board, hands and side to move is a draw, checks or not. Inside a search (`ply` > 0)
    /// the second occurrence within the line counts already.
    fn repeated(&self, ply: usize) -> bool {
        let len = self.history.len();
        let reach = lookback(len.min(usize::from(self.now.since_null)), ply);
        let mut seen = 0;
        (4..=reach).step_by(2).any(|distance| {
            let same = self.history[len - distance].key == self.now.key;
            seen += usize::from(same);
            same && (distance <= ply || seen == 2)
        })
    }

    /// The capture of the lion, or a lion's safe way onto the last row.
    pub(super) fn winning_move(&self) -> Option<Move> {
        let us = self.side;
        let promoting = |from: usize, to| {
            let chick = self.pieces_of(us, Kind::Chick) >> from & 1 != 0;
            let promotes = chick && last_row(us) >> to & 1 != 0;
            if promotes { Move::promotion(from, to) } else { Move::board(from, to) }
        };
        let to = self.lion(!us)?;
        let capture = squares(self.attackers(us, to))
            .map(|from| promoting(from, to))
            .find(|&mv| self.is_legal_move(mv));
        if capture.is_some() {
            return capture;
        }
        let from = self.lion(us)?;
        let entry = self.targets(MATE).lion & last_row(us);
        (entry != 0).then(|| Move::board(from, entry.trailing_zeros() as usize))
    }
}
