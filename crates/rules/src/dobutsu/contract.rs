//! Implements the traits of `crate::contract` for Dobutsu shogi.

use super::piece::{FILES, Kind, PLACEMENTS, RANKS, SQUARES, in_hand, on_board};
use super::position::Position;
use super::rules::Rules;
use crate::contract::{inherent, position_methods, search_methods, value_traits};
use crate::{Color, Move, Parts, Placement, Symbol, contract};

value_traits!([const MATE: bool] Position<MATE>, super::START; board hands side rules);

impl<const MATE: bool> contract::Position for Position<MATE> {
    position_methods!();
    inherent! {
        fn hands(&self) -> Vec<(Symbol, usize)>;
    }

    fn set_rules(&mut self, rules: &Rules) {
        self.rules = rules.clone();
    }

    #[inline]
    fn key(&self) -> u64 {
        self.now.key
    }

    #[inline]
    fn in_check(&self) -> bool {
        self.checkers() != 0
    }

    fn placements(&self, mut f: impl FnMut(Placement)) {
        for (sq, piece) in self.board.iter().enumerate() {
            if let Some(piece) = piece {
                f(piece.at(sq));
            }
        }
        for color in Color::ALL {
            for &kind in &Kind::ALL[..Kind::HAND] {
                (0..self.hand_count(color, kind)).for_each(|n| f(in_hand(color, kind, n)));
            }
        }
    }
}

impl<const MATE: bool> contract::SearchPosition for Position<MATE> {
    type CheckInfo = ();

    // Drops have separate history entries: a drop is a different move from a step to the same square.
    const PIECE_TOS: usize = (Kind::COUNT + Kind::HAND) * SQUARES;
    const VICTIMS: usize = Kind::COUNT + 1;
    // Zugzwang is common on such a small board.
    const NULL_MOVE: bool = false;

    search_methods!();
    inherent! {
        fn mate_in_one(&self) -> Option<Move>;
    }

    fn check_info(&self) {}

    #[inline]
    fn gives_check_with(&self, (): &(), mv: Move) -> bool {
        self.gives_check(mv)
    }

    fn parts(placement: Placement) -> Parts {
        match on_board(placement) {
            Some((_, Kind::Chick | Kind::Hen)) => Parts::PAWNS,
            Some((color, _)) => Parts::pieces(color),
            None => Parts::HANDS,
        }
    }

    #[inline]
    fn is_noisy(&self, mv: Move) -> bool {
        !mv.is_drop() && (mv.is_promotion() || self.board[mv.to()].is_some())
    }

    #[inline]
    fn victim(&self, mv: Move) -> usize {
        self.board[mv.to()].map_or(0, |piece| piece.kind.index() + 1)
    }

    #[inline]
    fn piece_to(&self, mv: Move) -> usize {
        let row = if mv.is_drop() { Kind::COUNT + mv.kind() } else { self.kind_after(mv).index() };
        row * SQUARES + mv.to()
    }
}
