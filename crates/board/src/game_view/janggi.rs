//! Why a Janggi move is illegal.

use super::{Conventions, GameView, Why};
use sanban_rules::janggi::square::{FILES, PALACE, RANKS};
use sanban_rules::janggi::{Kind, Position, attacks};
use sanban_rules::{Bitboard, Position as _, UsiMove};

impl GameView for Position {
    const CONVENTIONS: Conventions = Conventions { repetitions: 3, decided: "count", king: 'K' };

    fn refusal(&self, attempt: UsiMove) -> Why {
        let UsiMove::Board { from, to, promotion: false } = attempt else { return Why::Unreadable };
        let (Some(from), Some(to)) = (from.number(FILES, RANKS), to.number(FILES, RANKS)) else {
            return Why::Unreadable;
        };
        let us = self.side();
        let kind = match self.piece_on(from) {
            None => return Why::NothingThere,
            Some(piece) if piece.color != us => return Why::NotYours,
            Some(piece) => piece.kind,
        };
        if from == to {
            return match kind {
                Kind::General if self.in_check() => Why::PassInCheck,
                Kind::General => Why::PassNotNeeded,
                _ => Why::Geometry,
            };
        }
        if self.pieces(us).has(to) {
            return Why::OwnPiece;
        }
        if !attacks::attacks(us, kind, from, self.occupied(), self.of(Kind::Cannon)).has(to) {
            return way_refusal(self, kind, from, to);
        }
        match kind {
            Kind::General => Why::IntoCheck,
            _ if self.in_check() => Why::InCheck,
            _ => Why::Exposes,
        }
    }
}

/// Why a piece cannot move from one square to another.
fn way_refusal(pos: &Position, kind: Kind, from: usize, to: usize) -> Why {
    let us = pos.side();
    match kind {
        Kind::General | Kind::Guard if !PALACE[us.index()].has(to) => Why::Palace,
        Kind::General | Kind::Guard | Kind::Soldier => Why::Geometry,
        Kind::Cannon => {
            // A cannon moves along the same lines as a chariot on an empty board.
            if !attacks::chariot(from, Bitboard::EMPTY).has(to) {
                return Why::Geometry;
            }
            let between = attacks::path(to, from) & pos.occupied();
            let jumped = { between }.pop();
            let is_cannon = |sq: usize| pos.of(Kind::Cannon).has(sq);
            match jumped {
                Some(sq) if !between.many() && is_cannon(sq) => Why::CannonJump,
                Some(_) if !between.many() && is_cannon(to) => Why::CannonTakes,
                _ => Why::Screen,
            }
        }
        Kind::Chariot | Kind::Horse | Kind::Elephant => {
            let open = attacks::attacks(us, kind, from, Bitboard::EMPTY, Bitboard::EMPTY).has(to);
            if open { Why::Blocked } else { Why::Geometry }
        }
    }
}
