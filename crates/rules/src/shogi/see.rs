//! Static exchange evaluation: the outcome of a series of captures on one square.

use super::attacks;
use super::piece::Kind;
use super::position::Position;
use crate::{Bitboard, Move, Score};

/// Capturers, cheapest first.
const ORDER: [Kind; Kind::COUNT] = [
    Kind::Pawn,
    Kind::Lance,
    Kind::Knight,
    Kind::Silver,
    Kind::ProPawn,
    Kind::ProLance,
    Kind::Gold,
    Kind::ProKnight,
    Kind::ProSilver,
    Kind::Bishop,
    Kind::Rook,
    Kind::Horse,
    Kind::Dragon,
    Kind::King,
];

impl Position {
    /// The immediate material gain of a move, in centipawns: its victim and the promotion.
    pub fn gain(&self, mv: Move) -> Score {
        let victim = self.board[mv.to()].map_or(0, |p| p.kind().value());
        if !mv.is_promotion() {
            return victim;
        }
        let Some(kind) = self.board[mv.from()].map(|p| p.kind()) else { return victim };
        victim + kind.promoted().map_or(0, |after| after.value() - kind.value())
    }

    /// Returns whether the exchange that this legal move starts wins at least `threshold` centipawns. Pins are ignored,
    /// and no piece promotes after the first move.
    pub fn see_ge(&self, mv: Move, threshold: Score) -> bool {
        let to = mv.to();
        let mut balance = self.gain(mv) - threshold;
        if balance < 0 {
            return false;
        }
        let mut occ = self.occupied() | Bitboard::square(to);
        if !mv.is_drop() {
            occ = occ.without(Bitboard::square(mv.from()));
        }
        let Some(moved) = self.kind_after(mv) else { return false };
        // Worst case: the piece that just moved is lost for nothing.
        balance -= moved.value();
        if balance >= 0 {
            return true;
        }
        let mut side = !self.side;
        let mut attackers = self.all_attackers(to, occ);
        if (attackers & self.pieces(side)).is_empty() {
            return true;
        }
        let of = |kind: Kind| self.kinds[kind.index()];
        // `balance` is the material balance of the side that moved last if its piece is captured.
        loop {
            attackers &= occ;
            let own = attackers & self.pieces(side);
            let Some((kind, from)) =
                ORDER.iter().find_map(|&kind| (own & of(kind)).pop().map(|from| (kind, from)))
            else {
                break;
            };
            if kind == Kind::King && (attackers & self.pieces(!side)).any() {
                break; // the king may not capture a protected piece
            }
            occ = occ.without(Bitboard::square(from));
            if attacks::rook_star(to).has(from) {
                let lances = of(Kind::Lance);
                attackers |= attacks::rook(to, occ) & (of(Kind::Rook) | of(Kind::Dragon))
                    | attacks::lance(side, to, occ) & lances & self.pieces(!side)
                    | attacks::lance(!side, to, occ) & lances & self.pieces(side);
            } else if attacks::bishop_star(to).has(from) {
                attackers |= attacks::bishop(to, occ) & (of(Kind::Bishop) | of(Kind::Horse));
            }
            side = !side;
            balance = -balance - 1 - kind.value();
            if balance >= 0 {
                break; // the side that just captured stays ahead even if it loses the capturing piece
            }
        }
        // The side to move cannot capture any more, so it has lost the exchange.
        side != self.side
    }
}
