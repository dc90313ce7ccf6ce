//! Dobutsu shogi in the words of the game contract.

use super::piece::{Kind, PLACEMENTS, SQUARES, in_hand, steps};
use super::position::Position;
use super::rules::Rules;
use crate::base::{Color, Move, MoveList, Score};
use crate::game::{self, Observer, Placement, Verdict};

impl<const MATE: bool> game::Position for Position<MATE> {
    type Rules = Rules<MATE>;

    const PLACEMENTS: usize = PLACEMENTS;
    // Drops have rows of their own: a dropped piece has another history than one that walks there.
    const PIECE_TOS: usize = (Kind::COUNT + Kind::HAND) * SQUARES;
    const VICTIMS: usize = Kind::COUNT + 1;
    // On twelve squares a move is often a burden (zugzwang).
    const NULL_MOVE: bool = false;

    fn set_rules(&mut self, rules: &Rules<MATE>) {
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
        self.now.key
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
        self.checkers() != 0
    }

    fn verdict(&self, ply: usize) -> Option<Verdict> {
        self.find_verdict(ply)
    }

    fn verdict_without_moves(&self) -> Verdict {
        Verdict::Loss
    }

    fn noisy(&self, out: &mut MoveList) {
        self.generate_noisy(out);
    }

    fn quiet(&self, out: &mut MoveList) {
        self.generate_quiet(out);
    }

    fn legal(&self, out: &mut MoveList) {
        self.generate_legal(out);
    }

    fn count(&self) -> usize {
        self.count_to(self.targets(MATE))
    }

    #[inline]
    fn is_noisy(&self, mv: Move) -> bool {
        !mv.is_drop() && (mv.is_promotion() || self.board[mv.to()].is_some())
    }

    fn is_legal(&self, mv: Move) -> bool {
        self.is_legal_move(mv)
    }

    fn gives_check(&self, mv: Move) -> bool {
        let Some(lion) = self.lion(!self.side) else { return false };
        // In the original game the enemy may have ignored an attack on the lion: it goes on.
        let from = if mv.is_drop() { 0 } else { 1 << mv.from() };
        self.attackers(self.side, lion) & !from != 0
            || steps(self.side, self.kind_after(mv), mv.to()) >> lion & 1 != 0
    }

    fn mate_in_one(&self) -> Option<Move> {
        self.winning_move()
    }

    fn solution(&self) -> Option<(Score, Vec<Move>)> {
        self.solved_line()
    }

    fn see_ge(&self, mv: Move, threshold: Score) -> bool {
        self.exchange_wins(mv, threshold)
    }

    fn gain(&self, mv: Move) -> Score {
        self.material_gain(mv)
    }

    #[inline]
    fn victim(&self, mv: Move) -> usize {
        self.board[mv.to()].map_or(0, |piece| piece.kind.index() + 1)
    }

    #[inline]
    fn piece_to(&self, mv: Move) -> usize {
        let row = if mv.is_drop() {
            Kind::COUNT + mv.kind()
        } else {
            self.board[mv.from()].map_or(0, |piece| piece.kind.index())
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
