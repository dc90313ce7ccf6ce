//! Piece kinds and pieces.

use super::square::SQUARES;
use crate::{Color, Placement, Score, from_fn};
use std::num::NonZeroU8;

/// A kind of piece. A promoted kind is its base kind plus 8; the first seven can be held in hand.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Kind {
    Pawn,
    Lance,
    Knight,
    Silver,
    Bishop,
    Rook,
    Gold,
    King,
    ProPawn,
    ProLance,
    ProKnight,
    ProSilver,
    Horse,
    Dragon,
}

use Kind::*;

impl Kind {
    /// Number of kinds.
    pub const COUNT: usize = 14;
    /// Number of kinds that can be in hand.
    pub const HAND: usize = 7;
    /// Every kind, by index.
    pub const ALL: [Self; Self::COUNT] = [
        Pawn, Lance, Knight, Silver, Bishop, Rook, Gold, King, ProPawn, ProLance, ProKnight, ProSilver,
        Horse, Dragon,
    ];

    /// The index, below [`Kind::COUNT`].
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns whether the kind moves like a gold.
    pub const fn is_golden(self) -> bool {
        matches!(self, Gold | ProPawn | ProLance | ProKnight | ProSilver)
    }

    /// Returns whether the kind is promoted.
    pub const fn is_promoted(self) -> bool {
        self as u8 >= 8
    }

    /// The kind after promotion; `None` if it cannot promote.
    pub const fn promoted(self) -> Option<Self> {
        if (self as usize) < 6 { Some(Self::ALL[self as usize + 8]) } else { None }
    }

    /// The kind before promotion.
    pub const fn base(self) -> Self {
        Self::ALL[self as usize & 7]
    }

    /// Exchange value in centipawns, between the values on the board and in hand.
    #[inline]
    pub const fn value(self) -> Score {
        const VALUES: [Score; Kind::COUNT] =
            [100, 330, 380, 550, 880, 1040, 600, 15_000, 580, 590, 600, 610, 1180, 1400];
        VALUES[self as usize]
    }

    /// Points in an entering-king count: rook and bishop 5, king 0, others 1.
    pub const fn points(self) -> u32 {
        match self.base() {
            King => 0,
            Bishop | Rook => 5,
            _ => 1,
        }
    }

    /// Number of pieces of a base kind in a set.
    pub const fn in_set(self) -> usize {
        match self.base() {
            Pawn => 18,
            Bishop | Rook | King => 2,
            _ => 4,
        }
    }

    /// The upper-case SFEN letter of the base kind.
    pub const fn letter(self) -> u8 {
        b"PLNSBRGK"[self as usize & 7]
    }

    /// The base kind with this letter, in either case.
    pub fn from_letter(letter: u8) -> Option<Self> {
        Some(match letter.to_ascii_uppercase() {
            b'P' => Pawn,
            b'L' => Lance,
            b'N' => Knight,
            b'S' => Silver,
            b'B' => Bishop,
            b'R' => Rook,
            b'G' => Gold,
            b'K' => King,
            _ => return None,
        })
    }
}

/// A piece of one side.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Piece(NonZeroU8);

impl Piece {
    /// The piece of this side and kind.
    #[inline]
    pub const fn new(color: Color, kind: Kind) -> Self {
        // Bit 7 is always set, so that zero can represent the empty square.
        match NonZeroU8::new(0x80 | (color as u8) << 4 | kind as u8) {
            Some(n) => Self(n),
            None => unreachable!(),
        }
    }

    /// The owner.
    pub const fn color(self) -> Color {
        Color::from_index((self.0.get() >> 4 & 1) as usize)
    }

    /// The kind.
    #[inline]
    pub const fn kind(self) -> Kind {
        // Sixteen entries for a four-bit index avoid a bounds check.
        const KINDS: [Kind; 16] = from_fn!(16, |i| if i < Kind::COUNT { Kind::ALL[i] } else { King });
        KINDS[(self.0.get() & 15) as usize]
    }

    /// The placement of the piece on a square, below 2268.
    #[inline]
    pub const fn at(self, sq: usize) -> Placement {
        let color = (self.0.get() >> 4 & 1) as usize;
        let kind = (self.0.get() & 15) as usize;
        Placement(((color * Kind::COUNT + kind) * SQUARES + sq) as u16)
    }
}

/// The piece of a placement on the board; `None` for a piece in hand.
pub const fn on_board(placement: Placement) -> Option<(Color, Kind)> {
    let piece = placement.index() / SQUARES;
    if placement.index() >= BOARD_PLACEMENTS {
        return None;
    }
    Some((Color::from_index(piece / Kind::COUNT), Kind::ALL[piece % Kind::COUNT]))
}

/// Number of placements on the board.
pub const BOARD_PLACEMENTS: usize = 2 * Kind::COUNT * SQUARES;
/// Number of placements: those on the board, then 38 for each hand.
pub const PLACEMENTS: usize = BOARD_PLACEMENTS + 2 * 38;
