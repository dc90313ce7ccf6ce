//! What earlier nodes taught about moves: tables of small numbers that order the moves of later ones.

use crate::base::{Color, Move};
use crate::game::Position;
use std::marker::PhantomData;

/// Largest absolute value of a history entry.
pub(super) const LIMIT: i32 = 1 << 13;

/// Rows of the butterfly table: origin or hand kind, destination, and whether it is a drop.
const BUTTERFLIES: usize = 1 << 15;

/// The history tables of one thread.
pub(super) struct History<P> {
    /// By side, origin and destination.
    butterfly: Box<[i16]>,
    game: PhantomData<fn(P)>,
}

/// Moves an entry towards the bonus; the nearer it is to the limit, the less.
#[inline]
fn pull(entry: &mut i16, bonus: i32) {
    let bonus = bonus.clamp(-LIMIT, LIMIT);
    *entry += (bonus - i32::from(*entry) * bonus.abs() / LIMIT) as i16;
}

#[inline]
fn butterfly(side: Color, mv: Move) -> usize {
    let bits = mv.bits() as usize;
    side.index() * BUTTERFLIES + ((bits >> 15) << 14) + (bits & 0x3FFF)
}

impl<P: Position> History<P> {
    pub fn new() -> Self {
        Self { butterfly: vec![0; 2 * BUTTERFLIES].into(), game: PhantomData }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.butterfly.fill(0);
    }

    /// How well a quiet move of `side` has done.
    #[inline]
    pub fn quiet(&self, side: Color, mv: Move) -> i32 {
        i32::from(self.butterfly[butterfly(side, mv)])
    }

    /// A quiet move did well (or, with a negative bonus, badly).
    pub fn reward_quiet(&mut self, side: Color, mv: Move, bonus: i32) {
        pull(&mut self.butterfly[butterfly(side, mv)], bonus);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_never_leaves_its_range() {
        let mut entry = 0;
        for _ in 0..1000 {
            pull(&mut entry, 9000);
        }
        assert!(i32::from(entry) <= LIMIT && i32::from(entry) > LIMIT * 9 / 10);
        for _ in 0..1000 {
            pull(&mut entry, -700);
        }
        assert!(i32::from(entry) >= -LIMIT && i32::from(entry) < 0);
    }

    #[test]
    fn board_moves_drops_and_sides_have_rows_of_their_own() {
        let (a, b) = (Move::board(3, 7), Move::drop(3, 7));
        let rows = [
            butterfly(Color::Black, a),
            butterfly(Color::Black, b),
            butterfly(Color::White, a),
            butterfly(Color::White, b),
        ];
        assert!((0..4).all(|i| rows[i] < 2 * BUTTERFLIES && (0..i).all(|j| rows[i] != rows[j])));
    }
}
