//! Implements the traits of `crate::contract` for Janggi.

use super::piece::{Kind, PLACEMENTS, piece_of};
use super::position::Position;
use super::rules::Rules;
use super::square::{FILES, RANKS, SQUARES};
use crate::contract::{inherent, position_methods, search_methods, value_traits};
use crate::{Color, Move, MoveList, Parts, Placement, Score, contract};

value_traits!([] Position, super::START; board side rules);

impl contract::Position for Position {
    position_methods!();
    inherent! {
        fn key(&self) -> u64;
        fn foreign_pass(&self, text: &str) -> Option<Move>;
        fn tempered(&self, score: Score) -> Score;
        fn eval_limit(&self) -> Score;
    }

    fn set_rules(&mut self, rules: &Rules) {
        self.rules = rules.clone();
        self.refresh();
    }

    fn in_check(&self) -> bool {
        self.now.checkers.any()
    }

    fn resumed(&self) -> Option<Self> {
        let mut pos = self.is_closed().then(|| self.clone())?;
        pos.now.passes = 0;
        if let Some(before) = pos.history.last_mut() {
            before.facing = false;
        }
        Some(pos)
    }

    fn placements(&self, mut f: impl FnMut(Placement)) {
        for sq in self.occupied() {
            if let Some(piece) = self.board[sq] {
                f(piece.at(sq));
            }
        }
    }
}

impl contract::SearchPosition for Position {
    type CheckInfo = ();

    const PIECE_TOS: usize = Kind::COUNT * SQUARES;
    const VICTIMS: usize = Kind::COUNT + 1;
    // A pass is legal in most positions, so a null move is realistic.
    const NULL_MOVE: bool = true;

    search_methods!();

    fn check_info(&self) {}

    fn gives_check_with(&self, (): &(), mv: Move) -> bool {
        self.gives_check(mv)
    }

    fn parts(placement: Placement) -> Parts {
        let (color, kind) = piece_of(placement);
        match kind {
            Kind::Soldier => Parts::PAWNS,
            Kind::Chariot | Kind::Cannon | Kind::General => Parts::pieces(color),
            _ => Parts::pieces(color) | Parts::MINORS,
        }
    }

    fn is_noisy(&self, mv: Move) -> bool {
        !mv.is_pass() && self.board[mv.to()].is_some()
    }

    fn victim(&self, mv: Move) -> usize {
        if mv.is_pass() { 0 } else { self.board[mv.to()].map_or(0, |piece| piece.kind.index() + 1) }
    }

    fn piece_to(&self, mv: Move) -> usize {
        self.board[mv.from()].map_or(0, |piece| piece.kind.index()) * SQUARES + mv.to()
    }
}

impl contract::Checks for Position {
    inherent! {
        fn checks(&self, out: &mut MoveList);
    }

    fn board_key(&self) -> u64 {
        self.key()
    }

    fn hand(&self, _: Color) -> u32 {
        0
    }

    fn hand_covers(_: u32, _: u32) -> bool {
        true
    }
}
