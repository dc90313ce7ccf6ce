//! Static exchange evaluation: the outcome of a series of captures on one square.

use super::piece::Kind;
use super::position::Position;
use crate::{Bitboard, Move, Score};

/// Capturers, cheapest first.
const ORDER: [Kind; Kind::COUNT] =
    [Kind::Soldier, Kind::Guard, Kind::Elephant, Kind::Horse, Kind::Cannon, Kind::Chariot, Kind::General];

impl Position {
    /// The value of the captured piece in centipawns; 0 if nothing is captured.
    pub fn gain(&self, mv: Move) -> Score {
        match self.board[mv.to()] {
            Some(victim) if !mv.is_pass() => victim.kind.value(),
            _ => 0,
        }
    }

    /// Returns whether the exchange that this legal move starts wins at least `threshold` centipawns. Pins are ignored;
    /// both sides capture with their cheapest piece. Every capture may open or close a line (a cannon loses its
    /// screen), so the capturers are determined again each time.
    pub fn see_ge(&self, mv: Move, threshold: Score) -> bool {
        let to = mv.to();
        let mut balance = self.gain(mv) - threshold;
        if balance < 0 {
            return false;
        }
        if mv.is_pass() {
            return true;
        }
        let Some(piece) = self.board[mv.from()] else { return false };
        // Worst case: the piece that just moved is lost for nothing.
        balance -= piece.kind.value();
        if balance >= 0 {
            return true;
        }
        let mut occ = self.occupied().without(Bitboard::square(mv.from())) | Bitboard::square(to);
        let (mut side, mut standing) = (!self.side, piece.kind);
        // `balance` is the material balance of the side that moved last if its piece is captured.
        loop {
            let mut own = self.attackers(side, to, occ);
            if standing == Kind::Cannon {
                own = own.without(self.of(Kind::Cannon));
            }
            let Some((kind, from)) =
                ORDER.iter().find_map(|&kind| (own & self.of(kind)).pop().map(|from| (kind, from)))
            else {
                break;
            };
            occ = occ.without(Bitboard::square(from));
            if kind == Kind::General && self.attackers(!side, to, occ).any() {
                break; // the general may not capture a protected piece
            }
            side = !side;
            standing = kind;
            balance = -balance - 1 - kind.value();
            if balance >= 0 {
                break; // the side that just captured stays ahead even if it loses the capturing piece
            }
        }
        // The side to move cannot capture any more, so it has lost the exchange.
        side != self.side
    }
}
