//! Making and unmaking moves.

use super::attacks;
use super::hand::Hand;
use super::piece::{Kind, PLACEMENTS, Piece};
use super::position::Position;
use crate::contract::{key_methods, mover};
use crate::keys::keys;
use crate::{Bitboard, Color, Move, Observer, Placement};

static KEYS: [u64; PLACEMENTS] = keys(0x5A4E_4241_4E21);
/// Part of the key if white is to move.
const SIDE_KEY: u64 = keys::<1>(0x5349_4445)[0];

pub(super) fn key_of(placement: Placement) -> u64 {
    KEYS[placement.index()]
}

impl Position {
    key_methods!(board_key, hand_key);

    /// Moves a piece to an empty square; its kind may change.
    #[inline]
    fn walk<O: Observer>(&mut self, from: usize, to: usize, before: Piece, after: Piece, observer: &mut O) {
        self.shift(from, to, before, after);
        self.now.board_key ^= key_of(before.at(from));
        self.now.board_key ^= key_of(after.at(to));
        observer.take(before.at(from));
        observer.put(after.at(to));
    }

    /// Updates mailbox and bitboards for a moving piece. Each bitboard is written once, because a chain of writes to
    /// the same words would stall.
    #[inline]
    fn shift(&mut self, from: usize, to: usize, before: Piece, after: Piece) {
        let (left, entered) = (Bitboard::square(from), Bitboard::square(to));
        self.board[from] = None;
        self.board[to] = Some(after);
        self.colors[before.color().index()] ^= left | entered;
        if before == after {
            self.kinds[before.kind().index()] ^= left | entered;
            if before.kind() == Kind::King {
                self.kings[before.color().index()] = Some(to as u8);
            }
        } else {
            self.kinds[before.kind().index()] ^= left;
            self.kinds[after.kind().index()] ^= entered;
        }
    }

    /// Adds a piece to a hand.
    #[inline]
    pub(super) fn put_hand<O: Observer>(&mut self, color: Color, kind: Kind, observer: &mut O) {
        let hand = &mut self.hands[color.index()];
        let placement = Hand::placement(color, kind, hand.count(kind));
        hand.add(kind);
        self.now.hand_key ^= key_of(placement);
        observer.put(placement);
    }

    /// Removes a piece from a hand.
    #[inline]
    fn take_hand<O: Observer>(&mut self, color: Color, kind: Kind, observer: &mut O) {
        let hand = &mut self.hands[color.index()];
        hand.remove(kind);
        let placement = Hand::placement(color, kind, hand.count(kind));
        self.now.hand_key ^= key_of(placement);
        observer.take(placement);
    }

    /// The position with the pieces in hand redistributed: `side` gets `hand`, and the other side the rest. `None` if
    /// the two hands together do not contain these pieces.
    pub(super) fn redistributed(&self, side: Color, hand: Hand) -> Option<Self> {
        let [black, white] = self.hands;
        if !Hand::from_bits(black.bits() + white.bits()).covers(hand) {
            return None;
        }
        let mut pos = self.without_history();
        for &kind in &Kind::ALL[..Kind::HAND] {
            while pos.hand_count(side, kind) != hand.count(kind) {
                let gets = if pos.hand_count(side, kind) < hand.count(kind) { side } else { !side };
                pos.take_hand(!gets, kind, &mut ());
                pos.put_hand(gets, kind, &mut ());
            }
        }
        pos.now.black_hand = pos.hands[0];
        Some(pos)
    }

    /// Puts a piece into mailbox and bitboards without updating the keys, for `put` and for unmaking (which restores
    /// the old keys).
    #[inline]
    fn set(&mut self, sq: usize, piece: Piece) {
        let bit = Bitboard::square(sq);
        self.board[sq] = Some(piece);
        self.kinds[piece.kind().index()] |= bit;
        self.colors[piece.color().index()] |= bit;
        if piece.kind() == Kind::King {
            self.kings[piece.color().index()] = Some(sq as u8);
        }
    }

    #[inline]
    fn clear(&mut self, sq: usize, piece: Piece) {
        let bit = Bitboard::square(sq);
        self.board[sq] = None;
        self.kinds[piece.kind().index()] ^= bit;
        self.colors[piece.color().index()] ^= bit;
    }

    /// Makes a legal move.
    pub fn make<O: Observer>(&mut self, mv: Move, observer: &mut O) {
        self.history.push(self.now);
        self.play(mv, observer);
    }

    /// Makes a legal move that will not be undone.
    #[inline]
    pub(super) fn play<O: Observer>(&mut self, mv: Move, observer: &mut O) {
        let (us, to) = (self.side, mv.to());
        self.now.captured = None;
        let moved = if mv.is_drop() {
            let kind = Kind::ALL[mv.kind()];
            self.take_hand(us, kind, observer);
            let piece = Piece::new(us, kind);
            self.put(to, piece, observer);
            piece
        } else {
            let from = mv.from();
            let piece = mover(&self.board, from);
            if let Some(victim) = self.board[to] {
                self.take(to, victim, observer);
                self.put_hand(us, victim.kind().base(), observer);
                self.now.captured = Some(victim);
            }
            let moved = match piece.kind().promoted() {
                Some(kind) if mv.is_promotion() => Piece::new(us, kind),
                _ => piece,
            };
            self.walk(from, to, piece, moved, observer);
            moved
        };
        self.now.mv = Some(mv);
        self.now.since_null = self.now.since_null.saturating_add(1);
        self.turn();
        // Only the moved piece can give check by a step; checks by sliders are found with the pins.
        self.now.checkers = Bitboard::EMPTY;
        self.now.pinned = Bitboard::EMPTY;
        if let Some(king) = self.king(!us) {
            (self.now.checkers, self.now.pinned) = self.sliders_at(!us, king);
            let step = attacks::step(us, moved.kind(), to);
            if step.has(king) {
                self.now.checkers |= Bitboard::square(to);
            }
        }
        let checks = &mut self.now.checks[us.index()];
        *checks = if self.now.checkers.any() { checks.saturating_add(1) } else { 0 };
    }

    /// The key of the board and the mover's hand after a legal move.
    #[inline]
    pub(super) fn preview(&self, mv: Move) -> (u64, Hand) {
        let (us, to) = (self.side, mv.to());
        let mut hand = self.hands[us.index()];
        let mut key = self.now.board_key ^ SIDE_KEY;
        let Some(kind) = self.kind_after(mv) else { return (key, hand) };
        key ^= key_of(Piece::new(us, kind).at(to));
        if mv.is_drop() {
            hand.remove(kind);
        } else if let Some(piece) = self.board[mv.from()] {
            key ^= key_of(piece.at(mv.from()));
            if let Some(victim) = self.board[to] {
                hand.add(victim.kind().base());
                key ^= key_of(victim.at(to));
            }
        }
        (key, hand)
    }

    /// The key after a legal move.
    #[inline]
    pub fn key_after(&self, mv: Move) -> u64 {
        let hand = &self.hands[self.side.index()];
        let changed = if mv.is_drop() {
            let kind = Kind::ALL[mv.kind()];
            Some((kind, hand.count(kind) - 1))
        } else {
            self.board[mv.to()].map(|victim| {
                let kind = victim.kind().base();
                (kind, hand.count(kind))
            })
        };
        let key = changed.map_or(0, |(kind, n)| key_of(Hand::placement(self.side, kind, n)));
        self.preview(mv).0 ^ self.now.hand_key ^ key
    }

    /// Undoes the last move.
    pub fn unmake(&mut self) {
        let (mv, captured) = (self.now.mv, self.now.captured);
        let Some(before) = self.history.last() else { return };
        self.now = *before;
        self.history.pop();
        self.side = !self.side;
        self.game_ply -= 1;
        let us = self.side;
        let Some(mv) = mv else { return };
        let to = mv.to();
        let Some(piece) = self.board[to] else { return };
        if mv.is_drop() {
            self.clear(to, piece);
            self.hands[us.index()].add(piece.kind());
            return;
        }
        let before = if mv.is_promotion() { Piece::new(us, piece.kind().base()) } else { piece };
        self.shift(to, mv.from(), piece, before);
        if let Some(victim) = captured {
            self.hands[us.index()].remove(victim.kind().base());
            self.set(to, victim);
        }
    }

    /// Passes the turn to the other side.
    pub fn make_null(&mut self) {
        self.history.push(self.now);
        self.now.mv = None;
        self.now.captured = None;
        self.now.since_null = 0;
        self.now.checks = [0; 2];
        self.turn();
        self.refresh();
    }

    #[inline]
    fn turn(&mut self) {
        self.side = !self.side;
        self.game_ply += 1;
        self.now.board_key ^= SIDE_KEY;
        self.now.black_hand = self.hands[0];
    }

    /// Recomputes the checkers and pins of the side to move.
    pub(super) fn refresh(&mut self) {
        self.now.checkers = Bitboard::EMPTY;
        self.now.pinned = Bitboard::EMPTY;
        if let Some(king) = self.king(self.side) {
            self.now.checkers = self.attackers(!self.side, king, self.occupied());
            self.now.pinned = self.sliders_at(self.side, king).1;
        }
    }

    /// Sets side to move and keys after the pieces have been placed.
    pub(super) fn start(&mut self, side: Color) {
        self.side = side;
        if side == Color::White {
            self.now.board_key ^= SIDE_KEY;
        }
        self.now.black_hand = self.hands[0];
        self.refresh();
        if self.now.checkers.any() {
            self.now.checks[(!side).index()] = 1;
        }
    }
}
