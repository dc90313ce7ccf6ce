//! Why a shogi move is illegal.

use super::{Conventions, GameView, Why};
use sanban_rules::shogi::square::{FILES, LAST, LAST_TWO, RANKS, ZONE};
use sanban_rules::shogi::{Kind, Position, attacks, square};
use sanban_rules::{Bitboard, Color, Position as _, Square, UsiMove};

impl GameView for Position {
    const CONVENTIONS: Conventions = Conventions { repetitions: 4, decided: "try", king: 'K' };

    fn refusal(&self, attempt: UsiMove) -> Why {
        let number = |square: Square| square.number(FILES, RANKS);
        let refusal = match attempt {
            UsiMove::Drop { piece, to } => {
                Kind::from_letter(piece as u8).and_then(|kind| Some(drop_refusal(self, kind, number(to)?)))
            }
            UsiMove::Board { from, to, promotion } => {
                number(from).zip(number(to)).map(|(from, to)| board_refusal(self, from, to, promotion))
            }
        };
        refusal.unwrap_or(Why::Unreadable)
    }
}

fn drop_refusal(pos: &Position, kind: Kind, to: usize) -> Why {
    let us = pos.side();
    if kind.index() >= Kind::HAND || pos.hand_count(us, kind) == 0 {
        return Why::NotInHand;
    }
    if pos.piece_on(to).is_some() {
        return Why::Occupied;
    }
    if stuck(us, kind, to) {
        return Why::NoWayOn;
    }
    let mut files = pos.pieces_of(us, Kind::Pawn).map(square::file);
    if kind == Kind::Pawn && files.any(|file| file == square::file(to)) {
        return Why::TwoPawns;
    }
    if pos.in_check() {
        return Why::InCheck;
    }
    if kind == Kind::Pawn { Why::PawnMate } else { Why::Geometry }
}

fn board_refusal(pos: &Position, from: usize, to: usize, promotes: bool) -> Why {
    let us = pos.side();
    let kind = match pos.piece_on(from) {
        None => return Why::NothingThere,
        Some((color, _)) if color != us => return Why::NotYours,
        Some((_, kind)) => kind,
    };
    if from == to {
        return Why::Geometry;
    }
    if pos.pieces(us).has(to) {
        return Why::OwnPiece;
    }
    if !attacks::attacks(us, kind, from, pos.occupied()).has(to) {
        let open = attacks::attacks(us, kind, from, Bitboard::EMPTY).has(to);
        return if open { Why::Blocked } else { Why::Geometry };
    }
    let zone = ZONE[us.index()];
    if promotes && (kind.promoted().is_none() || !(zone.has(from) || zone.has(to))) {
        return Why::NoPromotion;
    }
    if !promotes && stuck(us, kind, to) {
        return Why::NoWayOn;
    }
    match kind {
        Kind::King => Why::IntoCheck,
        _ if pos.in_check() => Why::InCheck,
        _ => Why::Exposes,
    }
}

/// Returns whether an unpromoted piece of this kind could never move again from this square.
fn stuck(us: Color, kind: Kind, sq: usize) -> bool {
    match kind {
        Kind::Pawn | Kind::Lance => LAST[us.index()].has(sq),
        Kind::Knight => LAST_TWO[us.index()].has(sq),
        _ => false,
    }
}
