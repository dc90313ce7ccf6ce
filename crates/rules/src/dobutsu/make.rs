//! Making and unmaking moves.

use super::piece::{Kind, PLACEMENTS, Piece, in_hand};
use super::position::{Position, State};
use crate::contract::{key_methods, mover};
use crate::keys::keys;
use crate::{Color, Move, Observer, Placement};

static KEYS: [u64; PLACEMENTS] = keys(0x444F_4255_5453);
/// Part of the key if white is to move.
const SIDE_KEY: u64 = keys::<1>(0x5349_4445)[0];

#[inline]
fn key_of(placement: Placement) -> u64 {
    KEYS[placement.index()]
}

impl<const MATE: bool> Position<MATE> {
    key_methods!(key);

    /// Adds a piece to a hand.
    #[inline]
    pub(super) fn put_hand<O: Observer>(&mut self, color: Color, kind: Kind, observer: &mut O) {
        let placement = in_hand(color, kind, self.hand_count(color, kind));
        self.hands[color.index()][kind.index()] += 1;
        self.now.key ^= key_of(placement);
        observer.put(placement);
    }

    /// Removes a piece from a hand.
    #[inline]
    fn take_hand<O: Observer>(&mut self, color: Color, kind: Kind, observer: &mut O) {
        self.hands[color.index()][kind.index()] -= 1;
        let placement = in_hand(color, kind, self.hand_count(color, kind));
        self.now.key ^= key_of(placement);
        observer.take(placement);
    }

    /// Puts a piece on the board without updating the key, for `put` and for unmaking (which restores the old key).
    #[inline]
    fn set(&mut self, sq: usize, piece: Piece) {
        self.board[sq] = Some(piece);
        self.pieces[piece.color.index()][piece.kind.index()] |= 1 << sq;
    }

    #[inline]
    fn clear(&mut self, sq: usize, piece: Piece) {
        self.board[sq] = None;
        self.pieces[piece.color.index()][piece.kind.index()] &= !(1 << sq);
    }

    /// Makes a legal move. A captured lion does not go to a hand.
    pub fn make<O: Observer>(&mut self, mv: Move, observer: &mut O) {
        let (us, to) = (self.side, mv.to());
        self.history.push(self.now);
        self.now.captured = None;
        let kind = if mv.is_drop() {
            let kind = Kind::ALL[mv.kind()];
            self.take_hand(us, kind, observer);
            kind
        } else {
            let from = mv.from();
            let piece = mover(&self.board, from);
            if let Some(victim) = self.board[to] {
                self.take(to, victim, observer);
                if victim.kind != Kind::Lion {
                    self.put_hand(us, victim.kind.base(), observer);
                }
                self.now.captured = Some(victim);
            }
            self.take(from, piece, observer);
            if mv.is_promotion() { Kind::Hen } else { piece.kind }
        };
        self.put(to, Piece { color: us, kind }, observer);
        self.now.mv = Some(mv);
        self.now.since_null = self.now.since_null.saturating_add(1);
        self.turn();
    }

    /// The key after a legal move.
    #[inline]
    pub fn key_after(&self, mv: Move) -> u64 {
        let (us, to, key) = (self.side, mv.to(), self.now.key ^ SIDE_KEY);
        if mv.is_drop() {
            let kind = Kind::ALL[mv.kind()];
            let piece = Piece { color: us, kind };
            return key ^ key_of(in_hand(us, kind, self.hand_count(us, kind) - 1)) ^ key_of(piece.at(to));
        }
        let Some(piece) = self.board[mv.from()] else { return key };
        let after = Piece { kind: if mv.is_promotion() { Kind::Hen } else { piece.kind }, ..piece };
        let victim = self.board[to].map_or(0, |victim| {
            let kind = victim.kind.base();
            let hand =
                if kind == Kind::Lion { 0 } else { key_of(in_hand(us, kind, self.hand_count(us, kind))) };
            key_of(victim.at(to)) ^ hand
        });
        key ^ victim ^ key_of(piece.at(mv.from())) ^ key_of(after.at(to))
    }

    /// Undoes the last move or null move.
    pub fn unmake(&mut self) {
        let Some(before) = self.history.pop() else { return };
        let State { mv, captured, .. } = std::mem::replace(&mut self.now, before);
        self.side = !self.side;
        self.game_ply -= 1;
        let us = self.side.index();
        let Some(mv) = mv else { return };
        let to = mv.to();
        let Some(piece) = self.board[to] else { return };
        self.clear(to, piece);
        if mv.is_drop() {
            self.hands[us][piece.kind.index()] += 1;
            return;
        }
        let kind = if mv.is_promotion() { Kind::Chick } else { piece.kind };
        self.set(mv.from(), Piece { kind, ..piece });
        if let Some(victim) = captured {
            if victim.kind != Kind::Lion {
                self.hands[us][victim.kind.base().index()] -= 1;
            }
            self.set(to, victim);
        }
    }

    /// Passes the turn to the other side.
    pub fn make_null(&mut self) {
        self.history.push(self.now);
        self.now = State { mv: None, captured: None, since_null: 0, ..self.now };
        self.turn();
    }

    #[inline]
    fn turn(&mut self) {
        self.start(!self.side);
        self.game_ply += 1;
    }

    /// Sets the side to move and updates the key.
    #[inline]
    pub(super) fn start(&mut self, side: Color) {
        if side != self.side {
            self.now.key ^= SIDE_KEY;
        }
        self.side = side;
    }
}
