//! Groups of positions that differ only in who owns the chicks and which of them are hens.
//!
//! The positions of a group have consecutive numbers: sixteen with two chicks on the board, eight with one, three with
//! none. A subset of a group is a few bits, and most moves map a whole subset at a time.

use sanban_rules::dobutsu::piece::{Kind, SQUARES, mirror_square, steps};
use sanban_rules::{Color, from_fn};

/// Number of states of a chick on the board.
pub const STATES: usize = 4;
/// State bit: the chick belongs to the side to move.
pub const OWN: usize = 1;
/// State bit: the chick is a hen.
pub const HEN: usize = 2;
/// The pseudo-square of a chick in hand.
const NOWHERE: usize = SQUARES;

/// A set of positions with chicks on the same squares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Group {
    /// The squares of the chicks, the lower one first; `NOWHERE` for a chick in hand.
    low: u8,
    high: u8,
    /// The positions in the set. With two chicks on the board: bit `4 * a + b` for states `a` of the lower and `b` of
    /// the higher chick. With one: bit `2 * a + n`, and with none: bit `n`, for `n` chicks in the mover's hand.
    pub bits: u16,
}

/// For one and for two chicks on the board, by the square of the enemy lion and that of the lower (or only) chick: the
/// bits for which this chick attacks the lion.
static LOW: [[[u16; SQUARES + 1]; SQUARES]; 2] =
    from_fn!(2, |two| from_fn!(SQUARES, |lion| from_fn!(SQUARES + 1, |sq| {
        let (width, row) = if two == 1 { (4, 15) } else { (2, 3) };
        let chick = attacks(lion, sq, OWN) * (row << (width * OWN));
        let hen = attacks(lion, sq, OWN | HEN) * (row << (width * (OWN | HEN)));
        chick | hen
    })));

/// The same for the higher chick.
static HIGH: [[u16; SQUARES + 1]; SQUARES] = from_fn!(SQUARES, |lion| from_fn!(SQUARES + 1, |sq| {
    (attacks(lion, sq, OWN) << OWN | attacks(lion, sq, OWN | HEN) << (OWN | HEN)) * 0x1111
}));

/// 1 if a chick of the side to move in this state attacks the square of the lion.
const fn attacks(lion: usize, sq: usize, state: usize) -> u16 {
    let kind = if state & HEN != 0 { Kind::Hen } else { Kind::Chick };
    if sq == NOWHERE { 0 } else { steps(Color::Black, kind, sq) >> lion & 1 }
}

/// Transposes a matrix of four by four bits.
const fn transposed(bits: u16) -> u16 {
    let near = (bits ^ bits >> 3) & 0x0A0A;
    let bits = bits ^ near ^ near << 3;
    let far = (bits ^ bits >> 6) & 0x00CC;
    bits ^ far ^ far << 6
}

/// Spreads the four bits of a row to every second bit.
const fn spread(row: u16) -> u16 {
    row & 1 | (row & 2) << 1 | (row & 4) << 2 | (row & 8) << 3
}

/// The inverse of [`spread`].
const fn gathered(bits: u16) -> u16 {
    bits & 1 | bits >> 1 & 2 | bits >> 2 & 4 | bits >> 3 & 8
}

impl Group {
    /// A group with two chicks on the board: bit `4 * a + b` for the states `a` of the first and `b` of the second.
    #[inline]
    pub fn two(first: usize, second: usize, bits: u16) -> Self {
        if first < second {
            Self { low: first as u8, high: second as u8, bits }
        } else {
            Self { low: second as u8, high: first as u8, bits: transposed(bits) }
        }
    }

    /// A group with one chick on the board.
    #[inline]
    pub fn one(sq: usize, bits: u16) -> Self {
        Self { low: sq as u8, high: NOWHERE as u8, bits }
    }

    /// A group with no chick on the board: both are in hand.
    #[inline]
    pub fn none(bits: u16) -> Self {
        Self { low: NOWHERE as u8, high: NOWHERE as u8, bits }
    }

    /// The squares of the chicks, the lower one first; 12 for a chick in hand.
    #[inline]
    pub fn squares(&self) -> [usize; 2] {
        [self.low, self.high].map(usize::from)
    }

    /// Returns whether a chick is in hand.
    #[inline]
    pub fn has_hand(&self) -> bool {
        self.count() < 2
    }

    /// Number of chicks on the board.
    #[inline]
    fn count(&self) -> usize {
        usize::from(self.low < NOWHERE as u8) + usize::from(self.high < NOWHERE as u8)
    }

    /// Binary logarithm of the number of slots for each square of the lower chick.
    #[inline]
    pub fn shift(&self) -> u32 {
        3 + u32::from(self.high < NOWHERE as u8)
    }

    /// The squares of the chicks as a set; bit 12 for a chick in hand.
    #[inline]
    pub fn covered(&self) -> u16 {
        1 << self.low | 1 << self.high
    }

    /// Returns whether a chick is on one of these squares.
    #[inline]
    pub fn covers(&self, set: u16) -> bool {
        self.covered() & set != 0
    }

    /// The group with left and right exchanged.
    #[inline]
    pub fn mirrored(&self) -> Self {
        let [low, high] = self.squares();
        match self.count() {
            2 => Self::two(mirror_square(low), mirror_square(high), self.bits),
            1 => Self::one(mirror_square(low), self.bits),
            _ => *self,
        }
    }

    /// The same group with all owners exchanged.
    #[inline]
    pub fn turned(self) -> Self {
        let bits = self.bits;
        let bits = match self.count() {
            2 => {
                let bits = bits >> 1 & 0x5555 | (bits & 0x5555) << 1;
                bits >> 4 & 0x0F0F | (bits & 0x0F0F) << 4
            }
            1 => {
                let bits = bits >> 1 & 0x55 | (bits & 0x55) << 1;
                bits >> 2 & 0x33 | (bits & 0x33) << 2
            }
            _ => bits >> 2 & 1 | bits & 2 | (bits & 1) << 2,
        };
        Self { bits, ..self }
    }

    /// The group without the positions in which a chick of the side to move attacks the enemy lion.
    #[inline]
    pub fn safe(self, lion: usize) -> Self {
        let [low, high] = self.squares();
        let takes = LOW[usize::from(self.shift() == 4)][lion][low] | HIGH[lion][high];
        Self { bits: self.bits & !takes, ..self }
    }

    /// Iterates over the chicks on the board.
    #[inline]
    pub fn each(&self) -> impl Iterator<Item = One> {
        let group = *self;
        (0..self.count()).map(move |n| group.one_of(n == 0))
    }

    /// The lower or the higher chick.
    #[inline]
    fn one_of(&self, lower: bool) -> One {
        let [low, high] = self.squares();
        if lower {
            One { sq: low, other: high, bits: self.bits }
        } else {
            One { sq: high, other: low, bits: transposed(self.bits) }
        }
    }

    /// The group after the enemy captures the chick on a square, for the positions in which that chick belongs to the
    /// side to move.
    #[inline]
    pub fn captured(&self, sq: usize) -> Self {
        let one = self.one_of(sq == usize::from(self.low));
        one.lifted(one.row(OWN) | one.row(OWN | HEN), 0)
    }

    /// Undoes a capture: puts a chick from the mover's hand on a square as the enemy's chick or hen. A chick of either
    /// side must be in hand.
    #[inline]
    pub fn released(&self, sq: usize) -> Self {
        if self.count() == 1 {
            let row = gathered(self.bits >> 1);
            Self::two(sq, self.low.into(), row | row << (STATES * HEN))
        } else {
            let row = self.bits >> 1 & 3;
            Self::one(sq, row | row << (2 * HEN))
        }
    }

    /// Drops a chick from the enemy's hand on a square. A chick of either side must be in hand.
    #[inline]
    pub fn dropped(&self, sq: usize) -> Self {
        if self.count() == 1 {
            Self::two(sq, self.low.into(), gathered(self.bits))
        } else {
            Self::one(sq, self.bits & 3)
        }
    }
}

/// A group from the point of view of one of the chicks on the board.
pub struct One {
    /// The square of the chick.
    pub sq: usize,
    /// The square of the other chick; 12 if it is in hand.
    pub other: usize,
    bits: u16,
}

impl One {
    /// The possible states of the other chick when this one has a given state.
    #[inline]
    pub fn row(&self, state: usize) -> u16 {
        if self.other < NOWHERE { self.bits >> (STATES * state) & 15 } else { self.bits >> (2 * state) & 3 }
    }

    /// The group with this chick on a square in a state, and the other one in the states of the row.
    #[inline]
    pub fn placed(&self, sq: usize, state: usize, row: u16) -> Group {
        if self.other < NOWHERE {
            Group::two(sq, self.other, row << (STATES * state))
        } else {
            Group::one(sq, row << (2 * state))
        }
    }

    /// The group after this chick, which belongs to the enemy, captures the other one if that belongs to the side to
    /// move.
    #[inline]
    pub fn capturing(&self, state: usize, row: u16) -> Group {
        let captured = row >> OWN & 1 | row >> (OWN | HEN) & 1;
        Group::one(self.other, captured << (2 * state))
    }

    /// The group with this chick in the mover's hand (`own` = 1) or the enemy's (`own` = 0), and the other chick in the
    /// states of `row`.
    #[inline]
    pub fn lifted(&self, row: u16, own: usize) -> Group {
        if self.other < NOWHERE {
            Group::one(self.other, spread(row) << own)
        } else {
            Group::none(row << own)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_done_twice_is_undone() {
        for bits in (0..=u16::MAX).step_by(7) {
            for group in [Group::two(9, 2, bits), Group::one(5, bits & 0xFF), Group::none(bits & 7)] {
                assert_eq!(group.mirrored().mirrored(), group);
                assert_eq!(group.turned().turned(), group);
                assert_eq!(group.turned().bits.count_ones(), group.bits.count_ones());
            }
        }
    }

    #[test]
    fn sides_of_a_group_agree() {
        // A hen of the side to move on square 2, an enemy chick on square 9.
        let group = Group::two(9, 2, 1 << (OWN | HEN));
        assert_eq!(group, Group::two(2, 9, 1 << (STATES * (OWN | HEN))));
        assert_eq!(group.captured(2), Group::one(9, 1));
        assert_eq!(group.captured(9).bits, 0);
        assert_eq!(Group::one(9, 1).dropped(2), Group::two(2, 9, 1));
        assert_eq!(Group::one(9, 2).released(2), Group::two(2, 9, 1 | 1 << (STATES * HEN)));
        // The hen attacks the squares beside it.
        assert_eq!((group.safe(6).bits, group.safe(7).bits), (0, group.bits));
    }
}
