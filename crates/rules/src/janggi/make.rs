//! Making and unmaking moves.

use super::piece::{Kind, PLACEMENTS, Piece};
use super::position::Position;
use super::square::RANKS;
use crate::contract::{key_methods, mover};
use crate::keys::keys;
use crate::{Bitboard, Color, Move, Observer, Placement};

static KEYS: [u64; PLACEMENTS] = keys(0x4A41_4E47_4749);
/// Part of the key if white is to move.
const SIDE_KEY: u64 = keys::<1>(0x5349_4445)[0];
/// Part of the key after zero, one and two consecutive passes; a second pass ends the game.
const PASS_KEYS: [u64; 3] = {
    let [one, two] = keys::<2>(0x5041_5353);
    [0, one, two]
};

fn key_of(placement: Placement) -> u64 {
    KEYS[placement.index()]
}

impl Position {
    key_methods!(board_key);

    /// Zobrist key of the board, the side to move and the number of consecutive passes before the position.
    pub fn key(&self) -> u64 {
        self.now.board_key ^ PASS_KEYS[usize::from(self.now.passes.min(2))]
    }

    /// The key after a legal move.
    #[inline]
    pub fn key_after(&self, mv: Move) -> u64 {
        let key = self.now.board_key ^ SIDE_KEY;
        if mv.is_pass() {
            return key ^ PASS_KEYS[usize::from(self.now.passes + 1).min(2)];
        }
        let walk =
            self.board[mv.from()].map_or(0, |piece| key_of(piece.at(mv.from())) ^ key_of(piece.at(mv.to())));
        key ^ walk ^ self.board[mv.to()].map_or(0, |victim| key_of(victim.at(mv.to())))
    }

    /// Puts a piece into mailbox and bitboards without updating the key, for `put` and for unmaking (which restores the
    /// old key).
    #[inline]
    fn set(&mut self, sq: usize, piece: Piece) {
        self.board[sq] = Some(piece);
        self.kinds[piece.kind.index()] |= Bitboard::square(sq);
        self.colors[piece.color.index()] |= Bitboard::square(sq);
        if piece.kind == Kind::General {
            self.generals[piece.color.index()] = sq as u8;
        }
    }

    #[inline]
    fn clear(&mut self, sq: usize, piece: Piece) {
        self.board[sq] = None;
        self.kinds[piece.kind.index()] ^= Bitboard::square(sq);
        self.colors[piece.color.index()] ^= Bitboard::square(sq);
    }

    /// Moves a piece to an empty square in mailbox and bitboards, without updating the key.
    #[inline]
    fn shift(&mut self, from: usize, to: usize, piece: Piece) {
        let both = Bitboard::square(from) | Bitboard::square(to);
        self.board[from] = None;
        self.board[to] = Some(piece);
        self.kinds[piece.kind.index()] ^= both;
        self.colors[piece.color.index()] ^= both;
        if piece.kind == Kind::General {
            self.generals[piece.color.index()] = to as u8;
        }
    }

    /// Makes a legal move.
    pub fn make<O: Observer>(&mut self, mv: Move, observer: &mut O) {
        let (us, from, to) = (self.side, mv.from(), mv.to());
        self.history.push(self.now);
        self.now.captured = None;
        self.now.mv = Some(mv);
        self.now.reversible = self.now.reversible.saturating_add(1);
        self.now.quiet = self.now.quiet.saturating_add(1);
        if mv.is_pass() {
            self.now.passes += 1;
        } else {
            self.now.passes = 0;
            let piece = mover(&self.board, from);
            if let Some(victim) = self.board[to] {
                self.take(to, victim, observer);
                self.now.captured = Some(victim);
                (self.now.reversible, self.now.quiet) = (0, 0);
            } else if piece.kind == Kind::Soldier && from.abs_diff(to) != RANKS {
                self.now.reversible = 0;
            }
            self.shift(from, to, piece);
            self.now.board_key ^= key_of(piece.at(from));
            self.now.board_key ^= key_of(piece.at(to));
            observer.take(piece.at(from));
            observer.put(piece.at(to));
        }
        self.turn();
        let checks = &mut self.now.checks[us.index()];
        *checks = if self.now.checkers.any() { checks.saturating_add(1) } else { 0 };
    }

    /// Undoes the last move or null move.
    pub fn unmake(&mut self) {
        let (mv, captured) = (self.now.mv, self.now.captured);
        let Some(before) = self.history.pop() else { return };
        self.now = before;
        self.side = !self.side;
        self.game_ply -= 1;
        let Some(mv) = mv.filter(|mv| !mv.is_pass()) else { return };
        let Some(piece) = self.board[mv.to()] else { return };
        self.shift(mv.to(), mv.from(), piece);
        if let Some(victim) = captured {
            self.set(mv.to(), victim);
        }
    }

    /// Passes the turn to the other side.
    pub fn make_null(&mut self) {
        self.history.push(self.now);
        self.now.mv = None;
        self.now.captured = None;
        self.now.checks = [0; 2];
        self.now.reversible = 0;
        self.now.passes = 0;
        self.turn();
    }

    #[inline]
    fn turn(&mut self) {
        self.side = !self.side;
        self.game_ply += 1;
        self.now.board_key ^= SIDE_KEY;
        self.refresh();
    }

    /// Recomputes the state that depends on board, side to move and rules.
    #[inline]
    pub(super) fn refresh(&mut self) {
        (self.now.checkers, self.now.watchers) = self.watch();
        self.now.facing = self.rules.bikjang && self.generals_face();
    }

    /// Sets side to move and keys after the pieces have been placed.
    pub(super) fn start(&mut self, side: Color) {
        self.side = side;
        if side == Color::White {
            self.now.board_key ^= SIDE_KEY;
        }
        self.refresh();
        if self.now.checkers.any() {
            self.now.checks[(!side).index()] = 1;
        }
    }
}
