//! Why a Dobutsu shogi move is illegal.

use super::{Conventions, GameView, Why};
use sanban_rules::dobutsu::piece::{FILES, RANKS, last_row, steps};
use sanban_rules::dobutsu::{Kind, Position};
use sanban_rules::{Position as _, Square, UsiMove};

impl<const MATE: bool> GameView for Position<MATE> {
    const CONVENTIONS: Conventions = Conventions { repetitions: 3, decided: "try", king: 'L' };

    fn refusal(&self, attempt: UsiMove) -> Why {
        let number = |square: Square| square.number(FILES, RANKS);
        let refusal = match attempt {
            UsiMove::Drop { piece, to } => Kind::ALL[..Kind::HAND]
                .iter()
                .find(|kind| kind.letter() == piece as u8)
                .and_then(|&kind| Some(drop_refusal(self, kind, number(to)?))),
            UsiMove::Board { from, to, promotion } => {
                number(from).zip(number(to)).map(|(from, to)| board_refusal(self, from, to, promotion))
            }
        };
        refusal.unwrap_or(Why::Unreadable)
    }
}

fn drop_refusal<const MATE: bool>(pos: &Position<MATE>, kind: Kind, to: usize) -> Why {
    let us = pos.side();
    if pos.hand_count(us, kind) == 0 {
        return Why::NotInHand;
    }
    if pos.piece_on(to).is_some() {
        return Why::Occupied;
    }
    if MATE && kind == Kind::Chick && last_row(us) >> to & 1 != 0 {
        return Why::LastRow;
    }
    Why::InCheck
}

fn board_refusal<const MATE: bool>(pos: &Position<MATE>, from: usize, to: usize, promotes: bool) -> Why {
    let us = pos.side();
    let piece = match pos.piece_on(from) {
        None => return Why::NothingThere,
        Some(piece) if piece.color != us => return Why::NotYours,
        Some(piece) => piece,
    };
    if from != to && pos.piece_on(to).is_some_and(|other| other.color == us) {
        return Why::OwnPiece;
    }
    if from == to || steps(us, piece.kind, from) >> to & 1 == 0 {
        return Why::Geometry;
    }
    if promotes && (piece.kind != Kind::Chick || last_row(us) >> to & 1 == 0) {
        return Why::NoPromotion;
    }
    match piece.kind {
        Kind::Lion if last_row(us) >> to & 1 != 0 => Why::RashTry,
        Kind::Lion => Why::IntoCheck,
        _ if pos.in_check() => Why::InCheck,
        _ => Why::Exposes,
    }
}
