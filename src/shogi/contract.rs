//! Shogi in the words of the game contract.

use super::declare::Declaration;
use super::hand::Hand;
use super::movegen::{Answers, Counter};
use super::piece::{Kind, PLACEMENTS, Piece};
use super::position::Position;
use super::rules::Rules;
use super::square::SQUARES;
use crate::base::{Color, Move, MoveList, Score};
use crate::game::{self, Observer, Placement, Verdict};

impl game::Position for Position {
    type Rules = Rules;

    const PLACEMENTS: usize = PLACEMENTS;
    // Drops have rows of their own: a dropped piece has another history than one that walks there.
    const PIECE_TOS: usize = (Kind::COUNT + Kind::HAND) * SQUARES;
    const VICTIMS: usize = Kind::COUNT + 1;
    const NULL_MOVE: bool = true;

    fn set_rules(&mut self, rules: &Rules) {
        self.rules = rules.clone();
    }

    #[inline]
    fn side(&self) -> Color {
        self.side
    }

    #[inline]
    fn game_ply(&self) -> usize {
        self.game_ply
    }

    #[inline]
    fn key(&self) -> u64 {
        self.now.board_key ^ self.now.hand_key
    }

    #[inline]
    fn key_after(&self, mv: Move) -> u64 {
        self.full_key_after(mv)
    }

    #[inline]
    fn structure_key(&self) -> u64 {
        self.now.structure_key
    }

    #[inline]
    fn in_check(&self) -> bool {
        self.now.checkers.any()
    }

    fn verdict(&self, ply: usize) -> Option<Verdict> {
        if self.was_tried() {
            return Some(Verdict::Loss);
        }
        if let Some(verdict) = self.repetition(ply) {
            return Some(verdict);
        }
        if self.can_declare() {
            return Some(Verdict::Win);
        }
        // A mate on the last move still counts.
        let over = self.rules.max_moves > 0 && self.game_ply >= self.rules.max_moves;
        (over && !(self.in_check() && self.count() == 0)).then_some(Verdict::Draw)
    }

    fn verdict_without_moves(&self) -> Verdict {
        Verdict::Loss
    }

    fn can_declare(&self) -> bool {
        self.declaration() == Some(Declaration::Win)
    }

    fn noisy(&self, out: &mut MoveList) {
        self.generate(self.noisy_targets(), out);
    }

    fn quiet(&self, out: &mut MoveList) {
        self.generate(self.quiet_targets(), out);
    }

    fn legal(&self, out: &mut MoveList) {
        self.generate(self.all_targets(), out);
    }

    fn count(&self) -> usize {
        let mut counter = Counter::default();
        self.generate(self.all_targets(), &mut counter);
        counter.0
    }

    #[inline]
    fn is_noisy(&self, mv: Move) -> bool {
        if mv.is_drop() {
            return false;
        }
        self.board[mv.to()].is_some()
            || mv.is_promotion() && self.board[mv.from()].is_some_and(|p| p.kind() == Kind::Pawn)
    }

    fn is_legal(&self, mv: Move) -> bool {
        self.is_legal_move(mv)
    }

    fn gives_check(&self, mv: Move) -> bool {
        self.is_check(mv)
    }

    fn mate_in_one(&self) -> Option<Move> {
        self.find_mate_in_one()
    }

    fn see_ge(&self, mv: Move, threshold: Score) -> bool {
        self.exchange_wins(mv, threshold)
    }

    fn gain(&self, mv: Move) -> Score {
        self.material_gain(mv)
    }

    #[inline]
    fn victim(&self, mv: Move) -> usize {
        self.board[mv.to()].map_or(0, |p| p.kind().index() + 1)
    }

    #[inline]
    fn piece_to(&self, mv: Move) -> usize {
        let row = if mv.is_drop() {
            Kind::COUNT + mv.kind()
        } else {
            self.board[mv.from()].map_or(0, |p| p.kind().index())
        };
        row * SQUARES + mv.to()
    }

    fn make<O: Observer>(&mut self, mv: Move, observer: &mut O) {
        self.make_move(mv, observer);
    }

    fn unmake(&mut self) {
        self.unmake_move();
    }

    fn make_null(&mut self) {
        self.make_null_move();
    }

    fn unmake_null(&mut self) {
        self.unmake_move();
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

    fn sfen(&self) -> String {
        self.sfen()
    }

    fn usi(mv: Move) -> String {
        Self::move_text(mv)
    }

    fn parse_usi(&self, text: &str) -> Option<Move> {
        self.read_move(text)
    }
}

impl game::Checks for Position {
    fn checks(&self, out: &mut MoveList) {
        self.generate_checks(out);
    }

    fn answers(&self) -> usize {
        let mut answers = Answers::default();
        self.generate(self.all_targets(), &mut answers);
        answers.moves + answers.drops.len()
    }

    #[inline]
    fn board_key(&self) -> u64 {
        self.now.board_key
    }

    #[inline]
    fn after(&self, mv: Move) -> (u64, u32) {
        let (key, hand) = self.preview(mv);
        (key, hand.bits())
    }

    #[inline]
    fn hand(&self, side: Color) -> u32 {
        self.hands[side.index()].bits()
    }

    #[inline]
    fn hand_covers(a: u32, b: u32) -> bool {
        Hand::from_bits(a).covers(Hand::from_bits(b))
    }

    #[inline]
    fn hand_union(a: u32, b: u32) -> u32 {
        Hand::from_bits(a).union(Hand::from_bits(b)).bits()
    }

    #[inline]
    fn hand_common(a: u32, b: u32) -> u32 {
        Hand::from_bits(a).common(Hand::from_bits(b)).bits()
    }

    #[inline]
    fn hand_without(a: u32, b: u32) -> u32 {
        Hand::from_bits(a).without(Hand::from_bits(b)).bits()
    }

    #[inline]
    fn can_interpose(&self) -> bool {
        self.has_room_between()
    }

    fn mate_among(&self, checks: &[Move]) -> Option<Move> {
        self.find_mate_among(checks)
    }
}
