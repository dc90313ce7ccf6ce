//! Mate in one.

use super::attacks;
use super::piece::Kind;
use super::position::Position;
use super::square::ZONE;
use crate::{Bitboard, Move};

/// Data shared by the mate tests for all checks against one king.
struct Hunt {
    king: usize,
    /// Squares around the king that the other side attacks, also through the king. May also contain squares elsewhere.
    danger: Bitboard,
    /// Squares around the king that its own side does not occupy and the other side does not attack.
    flights: Bitboard,
    /// The other side's sliders.
    sliders: Bitboard,
    pinned: Bitboard,
}

/// The kind whose steps equal the attacks of `kind` on adjacent squares.
const fn close(kind: Kind) -> Kind {
    match kind {
        Kind::Lance => Kind::Pawn,
        Kind::Bishop => Kind::Dragon,
        Kind::Rook => Kind::Horse,
        Kind::Horse | Kind::Dragon => Kind::King,
        kind => kind,
    }
}

impl Position {
    /// A mate by a piece next to the king, or by a knight. Other mates in one, from a distance or by discovered check,
    /// are rare because a drop can interpose, and searching for them costs more than it gains; the same is true of
    /// mates that answer a check.
    pub fn mate_in_one(&self) -> Option<Move> {
        if self.now.checkers.any() {
            return None;
        }
        let (us, them) = (self.side, !self.side);
        let king = self.king(them)?;
        let around = attacks::king(king);
        let danger = self.danger(us, king, self.occupied() ^ Bitboard::square(king));
        // A piece next to the king must be protected.
        let near = (around & danger).without(self.pieces(us));
        let hand = self.hands[us.index()];
        let knights = self.pieces_of(us, Kind::Knight);
        let jumps = if hand.has(Kind::Knight) || knights.any() {
            attacks::step(them, Kind::Knight, king).without(self.pieces(us))
        } else {
            Bitboard::EMPTY
        };
        if (near | jumps).is_empty() {
            return None;
        }
        let hunt = self.hunt(king, danger);
        for to in near | jumps {
            let own = if near.has(to) {
                self.attackers(us, to, self.occupied())
            } else {
                attacks::step(them, Kind::Knight, to) & knights
            };
            let checks = |kind| attacks::step(them, close(kind), king).has(to);
            if self.board[to].is_none() {
                // A pawn drop must not mate.
                let kinds = [Kind::Gold, Kind::Silver, Kind::Rook, Kind::Bishop, Kind::Lance, Kind::Knight];
                for kind in kinds {
                    let mv = Move::drop(kind.index(), to);
                    if hand.has(kind) && checks(kind) && self.is_mate(mv, kind, &hunt) {
                        return Some(mv);
                    }
                }
            }
            for from in own {
                let Some(kind) = self.board[from].map(|piece| piece.kind()) else { continue };
                if kind == Kind::King || self.is_pinned_off(from, to) {
                    continue;
                }
                let zone = ZONE[us.index()];
                let promoted = kind.promoted().filter(|_| zone.has(from) || zone.has(to));
                if let Some(after) = promoted {
                    let mv = Move::promotion(from, to);
                    if checks(after) && self.is_mate(mv, after, &hunt) {
                        return Some(mv);
                    }
                }
                let useful = promoted.is_none() || matches!(kind, Kind::Lance | Kind::Knight | Kind::Silver);
                let mv = Move::board(from, to);
                if useful && checks(kind) && self.is_mate(mv, kind, &hunt) {
                    return Some(mv);
                }
            }
        }
        None
    }

    /// The first of these checks that is mate.
    pub fn mate_among(&self, checks: &[Move]) -> Option<Move> {
        let king = self.king(!self.side)?;
        if checks.is_empty() {
            return None;
        }
        let danger = self.danger(self.side, king, self.occupied() ^ Bitboard::square(king));
        let hunt = self.hunt(king, danger);
        checks
            .iter()
            .copied()
            .find(|&mv| self.kind_after(mv).is_some_and(|kind| self.is_mate(mv, kind, &hunt)))
    }

    fn hunt(&self, king: usize, danger: Bitboard) -> Hunt {
        let them = !self.side;
        let flights = attacks::king(king).without(self.pieces(them)).without(danger);
        let of = |kind: Kind| self.kinds[kind.index()];
        let far = of(Kind::Rook) | of(Kind::Dragon) | of(Kind::Bishop) | of(Kind::Horse) | of(Kind::Lance);
        let sliders = far & self.pieces(self.side);
        Hunt { king, danger, flights, sliders, pinned: self.sliders_at(them, king).1 }
    }

    /// Returns whether this check is mate. `kind` is the kind of the moving piece after the move.
    fn is_mate(&self, mv: Move, kind: Kind, hunt: &Hunt) -> bool {
        let (us, them, to, king) = (self.side, !self.side, mv.to(), hunt.king);
        let from = if mv.is_drop() { Bitboard::EMPTY } else { Bitboard::square(mv.from()) };
        let occ = self.occupied().without(from) | Bitboard::square(to);
        let open = occ.without(Bitboard::square(king));
        // Most checks are rejected here: the king has a flight square that the checking piece does not attack. A piece
        // that moved may have opened a line to that square.
        if let Some(flight) = hunt.flights.without(attacks::attacks(us, kind, to, open)).pop()
            && (mv.is_drop()
                || (attacks::through(flight, mv.from()) & hunt.sliders).is_empty()
                || self.attackers(us, flight, open).without(from).is_empty())
        {
            return false;
        }
        // Otherwise the king may capture the checking piece.
        let protected = || match mv.is_drop() {
            true => hunt.danger.has(to),
            false => self.attackers(us, to, open).without(from).any(),
        };
        if attacks::king(king).has(to) && !protected() {
            return false;
        }
        // Another piece may capture it. If the move may have opened a line to the king, the full test below decides.
        let closed = mv.is_drop() || attacks::through(king, mv.from()).is_empty();
        let takers = self.attackers(them, to, occ).without(Bitboard::square(king));
        if closed && takers.without(hunt.pinned).any() {
            return false;
        }
        let mut after = self.without_history();
        after.play(mv, &mut ());
        after.count() == 0
    }

    /// Returns whether there is a single check from a distance, so that a drop can interpose.
    pub fn can_interpose(&self) -> bool {
        let Some(king) = self.king(self.side) else { return false };
        let mut checkers = self.checkers();
        !checkers.many() && checkers.pop().is_some_and(|from| attacks::between(king, from).any())
    }
}
