//! Piece kinds and pieces.

use super::square::SQUARES;
use crate::{Color, Placement, Score};

/// A kind of piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Kind {
    General,
    Guard,
    Chariot,
    Cannon,
    Horse,
    Elephant,
    Soldier,
}

use Kind::*;

impl Kind {
    /// Number of kinds.
    pub const COUNT: usize = 7;
    /// Every kind, by index.
    pub const ALL: [Self; Self::COUNT] = [General, Guard, Chariot, Cannon, Horse, Elephant, Soldier];

    /// The index, below [`Kind::COUNT`].
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Points when material is counted: chariot 13, cannon 7, horse 5, elephant and guard 3, soldier 2, general 0.
    pub const fn points(self) -> i32 {
        [0, 3, 13, 7, 5, 3, 2][self as usize]
    }

    /// Exchange value in centipawns, proportional to the points; a soldier is worth 100.
    #[inline]
    pub const fn value(self) -> Score {
        match self {
            General => 15_000,
            kind => kind.points() * 50,
        }
    }

    /// Number of pieces of the kind that each side starts with.
    pub const fn in_set(self) -> usize {
        match self {
            General => 1,
            Soldier => 5,
            _ => 2,
        }
    }

    /// The upper-case SFEN letter.
    pub const fn letter(self) -> u8 {
        b"KARCNBP"[self as usize]
    }

    /// The kind with this letter, in either case; the horse is `N` or `H`, the elephant `B` or `E`.
    pub fn from_letter(letter: u8) -> Option<Self> {
        let upper = match letter.to_ascii_uppercase() {
            b'H' => b'N',
            b'E' => b'B',
            other => other,
        };
        Self::ALL.into_iter().find(|kind| kind.letter() == upper)
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
    pub const fn at(self, sq: usize) -> Placement {
        Placement(((self.color.index() * Kind::COUNT + self.kind.index()) * SQUARES + sq) as u16)
    }
}

/// The piece of a placement.
pub const fn piece_of(placement: Placement) -> (Color, Kind) {
    let piece = placement.index() / SQUARES;
    (Color::from_index(piece / Kind::COUNT), Kind::ALL[piece % Kind::COUNT])
}

/// Number of placements.
pub const PLACEMENTS: usize = 2 * Kind::COUNT * SQUARES;
