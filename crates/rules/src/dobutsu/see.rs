//! Static exchange evaluation. There are no sliding pieces, so all attackers of a square are known from the start. The
//! capture of a lion ends the game, so nothing recaptures.

use super::piece::{Kind, squares};
use super::position::Position;
use crate::{Color, Move, Score};

impl<const MATE: bool> Position<MATE> {
    /// The immediate material gain of a legal move in centipawns: the victim and the promotion.
    pub fn gain(&self, mv: Move) -> Score {
        let victim = self.board[mv.to()].map_or(0, |piece| piece.kind.value());
        victim + if mv.is_promotion() { Kind::Hen.value() - Kind::Chick.value() } else { 0 }
    }

    /// Returns whether the exchange on the destination wins at least `threshold` centipawns.
    pub fn see_ge(&self, mv: Move, threshold: Score) -> bool {
        if self.captures_lion(mv) {
            return self.gain(mv) >= threshold;
        }
        let us = self.side;
        let mut mine = self.attackers(us, mv.to());
        if !mv.is_drop() {
            mine &= !(1 << mv.from());
        }
        let at_risk = self.kind_after(mv).value();
        self.gain(mv) - self.recapture(!us, self.attackers(!us, mv.to()), mine, at_risk) >= threshold
    }

    fn captures_lion(&self, mv: Move) -> bool {
        self.board[mv.to()].is_some_and(|piece| piece.kind == Kind::Lion)
    }

    /// The material that `side` wins by capturing a piece worth `at_risk`; 0 if it does not capture. `mine` and
    /// `theirs` are the attackers of the two sides.
    fn recapture(&self, side: Color, mine: u16, theirs: u16, at_risk: Score) -> Score {
        let value = |sq: usize| self.board[sq].map_or(0, |piece| piece.kind.value());
        let Some(from) = squares(mine).min_by_key(|&sq| value(sq)) else { return 0 };
        // A lion does not move to an attacked square.
        if self.pieces_of(side, Kind::Lion) >> from & 1 != 0 && theirs != 0 {
            return 0;
        }
        let reply = self.recapture(!side, theirs, mine & !(1 << from), value(from));
        (at_risk - reply).max(0)
    }
}

#[cfg(test)]
mod tests {
    use crate::Dobutsu;
    use crate::Variant as _;

    /// The capture of a defended lion wins the game instead of exchanging lions.
    #[test]
    fn nothing_recaptures_after_the_lion_is_taken() {
        for (sfen, mv) in [("g1e/1l1/1L1/E1G w Cc 4", "2b2c"), ("g1e/1l1/1L1/E1G b Cc 3", "2c2b")] {
            let pos = Dobutsu::parse(sfen).expect("a position");
            let mv = pos.parse_usi(mv).expect("a legal move");
            assert!(pos.see_ge(mv, pos.gain(mv)) && pos.gain(mv) > 1_000, "{sfen}");
        }
    }
}
