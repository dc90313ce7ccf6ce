//! Janggi in the words of the game contract.

use super::piece::{Kind, PLACEMENTS};
use super::position::Position;
use super::rules::Rules;
use super::square::SQUARES;
use crate::base::{Color, Move, MoveList, Score};
use crate::game::{self, Observer, Placement, Verdict};

impl<const CASUAL: bool> game::Position for Position<CASUAL> {
    type Rules = Rules<CASUAL>;

    const PLACEMENTS: usize = PLACEMENTS;
    const PIECE_TOS: usize = Kind::COUNT * SQUARES;
    const VICTIMS: usize = Kind::COUNT + 1;
    // A pass is a legal move most of the time, so a null move claims little that is not true.
    const NULL_MOVE: bool = true;

    fn set_rules(&mut self, rules: &Rules<CASUAL>) {
        self.rules = rules.clone();
        self.refresh();
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
        self.full_key()
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
        self.find_verdict(ply)
    }

    fn verdict_without_moves(&self) -> Verdict {
        Verdict::Loss
    }

    fn noisy(&self, out: &mut MoveList) {
        self.generate(self.pieces(!self.side), out);
    }

    fn quiet(&self, out: &mut MoveList) {
        self.generate_quiet(out);
    }

    fn legal(&self, out: &mut MoveList) {
        self.generate_all(out);
    }

    fn count(&self) -> usize {
        self.count_all()
    }

    #[inline]
    fn is_noisy(&self, mv: Move) -> bool {
        !mv.is_pass() && self.board[mv.to()].is_some()
    }

    fn is_legal(&self, mv: Move) -> bool {
        self.is_legal_move(mv)
    }

    fn gives_check(&self, mv: Move) -> bool {
        self.checks_after(mv.from(), mv.to())
    }

    fn see_ge(&self, mv: Move, threshold: Score) -> bool {
        self.exchange_wins(mv, threshold)
    }

    fn gain(&self, mv: Move) -> Score {
        self.material_gain(mv)
    }

    #[inline]
    fn victim(&self, mv: Move) -> usize {
        if mv.is_pass() { 0 } else { self.board[mv.to()].map_or(0, |piece| piece.kind.index() + 1) }
    }

    #[inline]
    fn piece_to(&self, mv: Move) -> usize {
        self.board[mv.from()].map_or(0, |piece| piece.kind.index()) * SQUARES + mv.to()
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
            if let Some(piece) = self.board[sq] {
                f(piece.at(sq));
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

    fn foreign_pass(&self, text: &str) -> Option<Move> {
        self.read_foreign_pass(text)
    }
}

impl<const CASUAL: bool> game::Checks for Position<CASUAL> {
    fn checks(&self, out: &mut MoveList) {
        self.generate_checks(out);
    }

    #[inline]
    fn board_key(&self) -> u64 {
        self.full_key()
    }

    #[inline]
    fn hand(&self, _: Color) -> u32 {
        0
    }

    #[inline]
    fn hand_covers(_: u32, _: u32) -> bool {
        true
    }
}
