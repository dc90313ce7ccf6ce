//! Implements the traits of `crate::contract` for shogi.

use super::checks::CheckInfo;
use super::declare::Declaration;
use super::hand::Hand;
use super::movegen::Answers;
use super::piece::{Kind, PLACEMENTS, Piece, on_board};
use super::position::Position;
use super::rules::Rules;
use super::square::{FILES, RANKS, SQUARES};
use crate::contract::{inherent, position_methods, search_methods, value_traits};
use crate::{Color, Move, MoveList, Parts, Placement, Score, Symbol, contract};

value_traits!([] Position, super::START; board hands side rules);

impl contract::Position for Position {
    position_methods!();
    inherent! {
        fn hands(&self) -> Vec<(Symbol, usize)>;
        fn tempered(&self, score: Score) -> Score;
    }

    fn replies(&mut self) -> u64 {
        Self::replies(self)
    }

    fn set_rules(&mut self, rules: &Rules) {
        self.rules = rules.clone();
    }

    fn key(&self) -> u64 {
        self.now.board_key ^ self.now.hand_key
    }

    fn in_check(&self) -> bool {
        self.now.checkers.any()
    }

    fn can_declare(&self) -> bool {
        self.declaration() == Some(Declaration::Win)
    }

    fn placements(&self, mut f: impl FnMut(Placement)) {
        for sq in self.occupied() {
            if let Some((color, kind)) = self.piece_on(sq) {
                f(Piece::new(color, kind).at(sq));
            }
        }
        for color in Color::ALL {
            for &kind in &Kind::ALL[..Kind::HAND] {
                (0..self.hand_count(color, kind)).for_each(|n| f(Hand::placement(color, kind, n)));
            }
        }
    }
}

impl contract::SearchPosition for Position {
    type CheckInfo = CheckInfo;

    // Drops have separate history entries: a drop is a different move from a step to the same square.
    const PIECE_TOS: usize = (Kind::COUNT + Kind::HAND) * SQUARES;
    const VICTIMS: usize = Kind::COUNT + 1;
    const NULL_MOVE: bool = true;

    search_methods!();
    inherent! {
        fn mate_in_one(&self) -> Option<Move>;
        fn check_info(&self) -> CheckInfo;
        fn gives_check_with(&self, info: &CheckInfo, mv: Move) -> bool;
    }

    fn parts(placement: Placement) -> Parts {
        let Some((color, kind)) = on_board(placement) else { return Parts::HANDS };
        match kind {
            Kind::Pawn => Parts::PAWNS,
            Kind::Rook | Kind::Bishop | Kind::Dragon | Kind::Horse | Kind::King => Parts::pieces(color),
            _ => Parts::pieces(color) | Parts::MINORS,
        }
    }

    #[inline]
    fn is_noisy(&self, mv: Move) -> bool {
        if mv.is_drop() {
            return false;
        }
        self.board[mv.to()].is_some()
            || mv.is_promotion() && self.board[mv.from()].is_some_and(|p| p.kind() == Kind::Pawn)
    }

    fn victim(&self, mv: Move) -> usize {
        self.board[mv.to()].map_or(0, |p| p.kind().index() + 1)
    }

    #[inline(always)]
    fn piece_to(&self, mv: Move) -> usize {
        let row =
            if mv.is_drop() { Kind::COUNT + mv.kind() } else { self.kind_after(mv).map_or(0, Kind::index) };
        row * SQUARES + mv.to()
    }
}

impl contract::Checks for Position {
    inherent! {
        fn checks(&self, out: &mut MoveList);
        fn can_interpose(&self) -> bool;
        fn mate_among(&self, checks: &[Move]) -> Option<Move>;
    }

    fn answers(&self) -> usize {
        let mut answers = Answers::default();
        self.generate(self.all_targets(), &mut answers);
        answers.moves + answers.drops.len()
    }

    fn board_key(&self) -> u64 {
        self.now.board_key
    }

    #[inline]
    fn after(&self, mv: Move) -> (u64, u32) {
        let (key, hand) = self.preview(mv);
        (key, hand.bits())
    }

    fn hand(&self, side: Color) -> u32 {
        self.hands[side.index()].bits()
    }

    fn with_hand(&self, side: Color, hand: u32) -> Option<Self> {
        self.redistributed(side, Hand::from_bits(hand))
    }

    fn hand_covers(a: u32, b: u32) -> bool {
        Hand::from_bits(a).covers(Hand::from_bits(b))
    }

    fn hand_union(a: u32, b: u32) -> u32 {
        Hand::from_bits(a).union(Hand::from_bits(b)).bits()
    }

    fn hand_common(a: u32, b: u32) -> u32 {
        Hand::from_bits(a).common(Hand::from_bits(b)).bits()
    }

    fn hand_without(a: u32, b: u32) -> u32 {
        Hand::from_bits(a).without(Hand::from_bits(b)).bits()
    }
}
