//! The 16-bit move type shared by all games, so that the code for tables, lines and histories is compiled only once.

use arrayvec::ArrayVec;
use std::num::NonZeroU16;

/// A move in 16 bits, never zero, so that `Option<Move>` also has 16 bits.
///
/// ```text
///  15     14        13 ....... 7           6 ....... 0
/// drop  promote  from square or hand kind   to square
/// ```
///
/// A pass is a move from a square to itself. A `Move` may be illegal or have squares outside the board; only a position
/// can check this.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub struct Move(NonZeroU16);

const _: () = assert!(size_of::<Option<Move>>() == 2);

const PROMOTE: u16 = 1 << 14;
const DROP: u16 = 1 << 15;

impl Move {
    /// Square numbers are below this limit.
    pub const SQUARES: usize = 128;

    /// A move on the board. Squares are below 128 and not both 0 (no game has a pass on square 0).
    pub const fn board(from: usize, to: usize) -> Self {
        Self::raw(to as u16 | (from as u16) << 7)
    }

    /// A move on the board with promotion.
    pub const fn promotion(from: usize, to: usize) -> Self {
        Self::raw(to as u16 | (from as u16) << 7 | PROMOTE)
    }

    /// A drop from the hand. The number of the piece kind is defined by the game and below 128.
    pub const fn drop(kind: usize, to: usize) -> Self {
        Self::raw(to as u16 | (kind as u16) << 7 | DROP)
    }

    #[inline]
    const fn raw(bits: u16) -> Self {
        match NonZeroU16::new(bits) {
            Some(bits) => Self(bits),
            None => panic!("a move from square 0 to square 0"),
        }
    }

    /// The move with this bit pattern; `None` for 0.
    #[inline]
    pub const fn from_bits(bits: u16) -> Option<Self> {
        match NonZeroU16::new(bits) {
            Some(bits) => Some(Self(bits)),
            None => None,
        }
    }

    /// The bit pattern.
    pub const fn bits(self) -> u16 {
        self.0.get()
    }

    /// Destination square, 0..128.
    pub const fn to(self) -> usize {
        (self.bits() & 127) as usize
    }

    /// Origin square of a board move, 0..128; for a drop, the same as `kind`.
    pub const fn from(self) -> usize {
        (self.bits() >> 7 & 127) as usize
    }

    /// Piece kind of a drop, in the numbering of the game.
    pub const fn kind(self) -> usize {
        self.from()
    }

    /// Returns whether the moving piece promotes.
    pub const fn is_promotion(self) -> bool {
        self.bits() & PROMOTE != 0
    }

    /// Returns whether the move is a drop.
    pub const fn is_drop(self) -> bool {
        self.bits() & DROP != 0
    }

    /// Returns whether the move is a pass, that is, a move from a square to itself.
    pub const fn is_pass(self) -> bool {
        !self.is_drop() && self.from() == self.to()
    }
}

/// A list with room for all legal moves of any position of any game (the known maximum is 593, in shogi).
pub type MoveList = ArrayVec<Move, 600>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_come_back() {
        let m = Move::promotion(80, 3);
        assert_eq!((m.from(), m.to(), m.is_promotion(), m.is_drop()), (80, 3, true, false));
        let d = Move::drop(6, 127);
        assert_eq!((d.kind(), d.to(), d.is_promotion(), d.is_drop()), (6, 127, false, true));
        assert!(Move::board(49, 49).is_pass() && !Move::drop(5, 5).is_pass());
        assert_eq!(Move::from_bits(m.bits()), Some(m));
        assert_eq!(Move::from_bits(0), None);
    }
}
