//! A set of squares in 128 bits.

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

/// A set of squares: bit `n` is square `n` in the numbering of the game. Boards have at most 90 squares. Bits beyond
/// the game's board are never set, so the result of `!` must be masked.
#[derive(Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct Bitboard(pub u128);

impl Bitboard {
    /// No square.
    pub const EMPTY: Self = Self(0);

    /// The set of one square.
    pub const fn square(sq: usize) -> Self {
        Self(1 << sq)
    }

    /// Squares `0..n`.
    pub const fn first(n: usize) -> Self {
        Self((1 << n) - 1)
    }

    /// Returns whether the square is in the set.
    #[inline]
    pub const fn has(self, sq: usize) -> bool {
        // One half at a time is cheaper than a 128-bit shift.
        let half = if sq < 64 { self.0 as u64 } else { (self.0 >> 64) as u64 };
        half >> (sq & 63) & 1 != 0
    }

    /// Returns whether the set is empty.
    #[inline]
    pub const fn is_empty(self) -> bool {
        // Tests the two halves, because a vector test would stall on the two scalar stores just before it.
        self.0 as u64 | (self.0 >> 64) as u64 == 0
    }

    /// Returns whether the set is not empty.
    pub const fn any(self) -> bool {
        !self.is_empty()
    }

    /// Returns whether the set contains more than one square.
    pub const fn many(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// Number of squares.
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Squares of both sets (`&`, usable in constants).
    #[inline]
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Squares of either set (`|`, usable in constants).
    #[inline]
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Squares of this set that are not in the other.
    #[inline]
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// The lowest square; 128 for the empty set.
    pub const fn lowest(self) -> usize {
        self.0.trailing_zeros() as usize
    }

    /// Removes the lowest square and returns it.
    #[inline]
    pub const fn pop(&mut self) -> Option<usize> {
        if self.is_empty() {
            return None;
        }
        let sq = self.lowest();
        self.0 &= self.0 - 1;
        Some(sq)
    }
}

impl Iterator for Bitboard {
    type Item = usize;
    fn next(&mut self) -> Option<usize> {
        self.pop()
    }
}

macro_rules! operator {
    ($trait:ident $method:ident $assign_trait:ident $assign:ident $op:tt) => {
        impl $trait for Bitboard {
            type Output = Self;
            fn $method(self, other: Self) -> Self {
                Self(self.0 $op other.0)
            }
        }
        impl $assign_trait for Bitboard {
            fn $assign(&mut self, other: Self) {
                self.0 = self.0 $op other.0;
            }
        }
    };
}
operator!(BitAnd bitand BitAndAssign bitand_assign &);
operator!(BitOr bitor BitOrAssign bitor_assign |);
operator!(BitXor bitxor BitXorAssign bitxor_assign ^);

impl Not for Bitboard {
    type Output = Self;
    fn not(self) -> Self {
        Self(!self.0)
    }
}

impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_of_squares() {
        let mut b = Bitboard::square(3) | Bitboard::square(63) | Bitboard::square(64) | Bitboard::square(89);
        assert!(b.has(3) && b.has(63) && b.has(64) && b.has(89) && !b.has(0) && !b.has(65));
        assert_eq!((b.len(), b.many(), b.lowest()), (4, true, 3));
        assert_eq!(b.collect::<Vec<_>>(), [3, 63, 64, 89]);
        assert_eq!(b.pop(), Some(3));
        assert_eq!(b.without(Bitboard::first(64)).len(), 2);
        let mut empty = Bitboard::EMPTY;
        assert_eq!(empty.pop(), None);
        assert_eq!(Bitboard::EMPTY.lowest(), 128);
    }
}
