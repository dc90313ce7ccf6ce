//! Squares, pieces and their steps. `square = file * 4 + rank`; file 0 is USI file 1 (the right one), rank 0 is USI
//! rank `a`. A set of squares is a `u16` with four bits per file, so that rotating and mirroring the board takes only a
//! few shifts.

use crate::{Color, Placement, Score, from_fn};

/// Files of the board.
pub const FILES: usize = 3;
/// Ranks of the board.
pub const RANKS: usize = 4;
/// Squares of the board.
pub const SQUARES: usize = FILES * RANKS;
/// Every square.
pub const BOARD: u16 = 0xFFF;
/// Number of different placements: pieces on squares, then pieces in hands.
pub const PLACEMENTS: usize = 2 * Kind::COUNT * SQUARES + 2 * 2 * Kind::HAND;

/// The square mirrored left to right.
pub const fn mirror_square(sq: usize) -> usize {
    (2 - sq / RANKS) * RANKS + sq % RANKS
}

/// The last row from a side's point of view: its lion wins there, and its chicks promote.
#[inline]
pub const fn last_row(color: Color) -> u16 {
    match color {
        Color::Black => 0x111,
        Color::White => 0x888,
    }
}

/// The squares of a set, lowest first.
#[inline]
pub fn squares(mut set: u16) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let sq = set.trailing_zeros() as usize;
        (set != 0).then(|| {
            set &= set - 1;
            sq
        })
    })
}

/// A piece kind. The first three can be in hand.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[repr(u8)]
pub enum Kind {
    /// Chick: one step forward.
    Chick,
    /// Elephant: one step diagonally.
    Elephant,
    /// Giraffe: one step along a file or rank.
    Giraffe,
    /// Lion: one step in any direction.
    Lion,
    /// Hen, the promoted chick: all but the two backward diagonals.
    Hen,
}

impl Kind {
    /// Number of kinds.
    pub const COUNT: usize = 5;
    /// Number of kinds that can be in a hand.
    pub const HAND: usize = 3;
    /// Every kind, by index.
    pub const ALL: [Self; Self::COUNT] = [Self::Chick, Self::Elephant, Self::Giraffe, Self::Lion, Self::Hen];

    /// The index, below [`Kind::COUNT`].
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The kind that a captured piece becomes in a hand.
    #[inline]
    pub const fn base(self) -> Self {
        if matches!(self, Self::Hen) { Self::Chick } else { self }
    }

    /// The SFEN letter; a hen is a promoted chick.
    pub const fn letter(self) -> u8 {
        b"CEGLC"[self as usize]
    }

    /// Exchange value in centipawns (a chick counts as a pawn); the lion is worth more than all other pieces together.
    #[inline]
    pub const fn value(self) -> Score {
        [100, 250, 300, 5_000, 350][self as usize]
    }
}

/// A piece of one side.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Piece {
    /// The owner.
    pub color: Color,
    /// The kind.
    pub kind: Kind,
}

impl Piece {
    /// The placement of the piece on a square, below [`PLACEMENTS`].
    #[inline]
    pub const fn at(self, sq: usize) -> Placement {
        Placement(((self.color as usize * Kind::COUNT + self.kind as usize) * SQUARES + sq) as u16)
    }
}

/// The piece of a placement on the board; `None` for a piece in hand.
pub const fn on_board(placement: Placement) -> Option<(Color, Kind)> {
    let piece = placement.index() / SQUARES;
    if piece >= 2 * Kind::COUNT {
        return None;
    }
    Some((Color::from_index(piece / Kind::COUNT), Kind::ALL[piece % Kind::COUNT]))
}

/// The n-th piece (from 0) of a kind in a hand.
#[inline]
pub const fn in_hand(color: Color, kind: Kind, n: usize) -> Placement {
    let hands = 2 * Kind::COUNT * SQUARES;
    Placement((hands + (color as usize * Kind::HAND + kind as usize) * 2 + n) as u16)
}

/// Squares that a piece attacks from a square. All pieces move one step, so nothing can block them.
#[inline]
pub const fn steps(color: Color, kind: Kind, sq: usize) -> u16 {
    STEPS[color as usize][kind as usize][sq]
}

static STEPS: [[[u16; SQUARES]; Kind::COUNT]; 2] =
    from_fn!(2, |c| from_fn!(Kind::COUNT, |kind| from_fn!(SQUARES, |from| {
        crate::squares!(SQUARES, |to| goes(c == 0, Kind::ALL[kind], from, to)).0 as u16
    })));

/// Returns whether a piece attacks `to` from `from`. `up`: it belongs to the side that moves up the board.
const fn goes(up: bool, kind: Kind, from: usize, to: usize) -> bool {
    let (df, dr) = ((to / RANKS) as i32 - (from / RANKS) as i32, (to % RANKS) as i32 - (from % RANKS) as i32);
    let ahead = dr == if up { -1 } else { 1 };
    let (straight, near) = ((df == 0) != (dr == 0), df.abs() <= 1 && dr.abs() <= 1);
    near && match kind {
        Kind::Chick => df == 0 && ahead,
        Kind::Elephant => df != 0 && dr != 0,
        Kind::Giraffe => straight,
        Kind::Lion => from != to,
        Kind::Hen => ahead || straight,
    }
}
