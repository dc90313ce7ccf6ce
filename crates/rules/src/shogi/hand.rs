//! Pieces in hand, packed in 32 bits.

use super::piece::{BOARD_PLACEMENTS, Kind, on_board};
use super::square::SQUARES;
use crate::{Color, Placement};

/// One side's hand. Each kind has a bit field and a guard bit above it:
///
/// ```text
/// bits  0-4  6-8  10-12  14-16  18-20  22-24  26-28     guards 5, 9, 13, 17, 21, 25, 29
///         P    L      N      S      B      R      G
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Hash)]
pub struct Hand(u32);

const SHIFT: [u32; Kind::HAND] = [0, 6, 10, 14, 18, 22, 26];
const FIELD: [u32; Kind::HAND] = [31, 7, 7, 7, 7, 7, 7];
const GUARDS: u32 = 1 << 5 | 1 << 9 | 1 << 13 | 1 << 17 | 1 << 21 | 1 << 25 | 1 << 29;
/// First index of a kind among a hand's 38 placements.
const PLACE: [usize; Kind::HAND] = [0, 18, 22, 26, 30, 32, 34];

impl Hand {
    /// The empty hand.
    pub const EMPTY: Self = Self(0);

    /// Number of pieces of a kind; 0 for kinds that cannot be in hand.
    #[inline]
    pub const fn count(self, kind: Kind) -> usize {
        let i = kind.index();
        if i < Kind::HAND { (self.0 >> SHIFT[i] & FIELD[i]) as usize } else { 0 }
    }

    /// Returns whether the hand contains a piece of this kind.
    #[inline]
    pub const fn has(self, kind: Kind) -> bool {
        let i = kind.index();
        i < Kind::HAND && self.0 & FIELD[i] << SHIFT[i] != 0
    }

    /// Returns whether the hand is empty.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Adds a piece; the kind must be one that can be in hand.
    pub const fn add(&mut self, kind: Kind) {
        self.0 += 1 << SHIFT[kind.index()];
    }

    /// Removes a piece, which must be in the hand.
    pub const fn remove(&mut self, kind: Kind) {
        self.0 -= 1 << SHIFT[kind.index()];
    }

    /// Returns whether this hand contains at least as many pieces of every kind as the other.
    pub const fn covers(self, other: Self) -> bool {
        (self.0 | GUARDS).wrapping_sub(other.0) & GUARDS == GUARDS
    }

    /// A mask of the fields in which `self` has at least as many pieces as `other`.
    #[inline]
    const fn at_least(self, other: Self) -> u32 {
        // A guard bit that survives the subtraction spreads over the field below it. Fields have five or three bits.
        let kept = (self.0 | GUARDS).wrapping_sub(other.0) & GUARDS;
        let (pawn, others) = (kept & 1 << 5, kept & !(1 << 5));
        (pawn - (pawn >> 5)) | (others - (others >> 3))
    }

    /// The smallest hand that covers both hands.
    #[inline]
    pub const fn union(self, other: Self) -> Self {
        let mask = self.at_least(other);
        Self(self.0 & mask | other.0 & !mask)
    }

    /// The largest hand that both hands cover.
    #[inline]
    pub const fn common(self, other: Self) -> Self {
        let mask = self.at_least(other);
        Self(other.0 & mask | self.0 & !mask)
    }

    /// The pieces of kinds that the other hand does not contain.
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & Self::EMPTY.at_least(other))
    }

    /// The packed bits.
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// A hand from its packed bits.
    pub const fn from_bits(bits: u32) -> Self {
        Self(bits)
    }

    /// The placement of the n-th piece (from 0) of a kind in a side's hand.
    pub const fn placement(color: Color, kind: Kind, n: usize) -> Placement {
        Placement((BOARD_PLACEMENTS + color.index() * 38 + PLACE[kind.index()] + n) as u16)
    }
}

/// A decoded placement: owner, kind and location.
pub enum What {
    /// A piece on this square.
    Board(Color, Kind, usize),
    /// The n-th piece (from 0) of a kind in a hand.
    Hand(Color, Kind, usize),
}

/// Decodes a placement.
pub const fn what(placement: Placement) -> What {
    if let Some((color, kind)) = on_board(placement) {
        return What::Board(color, kind, placement.index() % SQUARES);
    }
    let (place, mut kind) = ((placement.index() - BOARD_PLACEMENTS) % 38, Kind::HAND - 1);
    while PLACE[kind] > place {
        kind -= 1;
    }
    let color = Color::from_index((placement.index() - BOARD_PLACEMENTS) / 38);
    What::Hand(color, Kind::ALL[kind], place - PLACE[kind])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn covering_compares_kind_by_kind() {
        let mut rng = crate::Rng::new(5);
        let hand = |rng: &mut crate::Rng| {
            let mut h = Hand::EMPTY;
            for kind in &Kind::ALL[..Kind::HAND] {
                (0..rng.below(kind.in_set() + 1)).for_each(|_| h.add(*kind));
            }
            h
        };
        let mut covered = 0;
        for _ in 0..20_000 {
            let (a, b) = (hand(&mut rng), hand(&mut rng));
            let plain = Kind::ALL[..Kind::HAND].iter().all(|&k| a.count(k) >= b.count(k));
            assert_eq!(a.covers(b), plain, "{a:?} {b:?}");
            covered += usize::from(plain);
            for &k in &Kind::ALL[..Kind::HAND] {
                let (of_a, of_b) = (a.count(k), b.count(k));
                assert_eq!(a.union(b).count(k), of_a.max(of_b), "{a:?} {b:?}");
                assert_eq!(a.common(b).count(k), of_a.min(of_b), "{a:?} {b:?}");
                assert_eq!(a.without(b).count(k), if of_b == 0 { of_a } else { 0 }, "{a:?} {b:?}");
            }
        }
        assert!(covered > 20);
    }
}
