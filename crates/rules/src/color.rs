//! The two sides.

use std::ops::Not;

/// A side. Black (sente, Cho, the first player) moves up the board, towards rank `a`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Color {
    /// The first player; `b` in SFEN, upper-case pieces.
    Black,
    /// The second player; `w` in SFEN, lower-case pieces.
    White,
}

impl Color {
    /// Both sides, first player first.
    pub const ALL: [Self; 2] = [Self::Black, Self::White];

    /// 0 for black, 1 for white.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The side with this index: 0 is black, any other number is white.
    pub const fn from_index(index: usize) -> Self {
        if index == 0 { Self::Black } else { Self::White }
    }

    /// The other side (`!color`, usable in constants).
    #[inline]
    pub const fn other(self) -> Self {
        match self {
            Self::Black => Self::White,
            Self::White => Self::Black,
        }
    }

    /// The SFEN letter, `b` or `w`.
    pub const fn letter(self) -> char {
        match self {
            Self::Black => 'b',
            Self::White => 'w',
        }
    }
}

impl Not for Color {
    type Output = Self;
    fn not(self) -> Self {
        self.other()
    }
}
