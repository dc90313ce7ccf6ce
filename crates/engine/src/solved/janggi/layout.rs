//! The numbering of the positions of a class.
//!
//! A number consists of the *block* (the squares of generals and guards, where mirror images count as one), the side to
//! move, and the *spot* (the squares of the attackers). Within a block only attackers move, so most of the work stays
//! within a few kilobytes (729 with three attackers). In blocks that are their own mirror image, both mirror images of
//! the attackers have numbers.

use super::material::{Class, MOST_ATTACKERS};
use super::palace::{Court, POINTS, courts, number, point, square};
use arrayvec::ArrayVec;
use sanban_rules::janggi::square::{FILES, RANKS, SQUARES};
use sanban_rules::janggi::{Kind, Position};
use sanban_rules::{Bitboard, Color};

/// A placement of all pieces. The first side of the class plays up the board, like black.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Placement {
    /// Generals and guards of both sides.
    pub courts: [Court; 2],
    /// Squares of the attackers, in the order of [`Layout::slots`]; squares beyond those have no meaning.
    pub attackers: [u8; MOST_ATTACKERS],
}

/// An arrangement of generals and guards.
#[derive(Clone, Copy, Debug)]
pub struct Block {
    /// The arrangement of each side.
    pub courts: [Court; 2],
    /// Whether the arrangement is its own mirror image.
    pub symmetric: bool,
    /// Squares of the generals.
    pub generals: [usize; 2],
    /// Squares of the guards.
    pub guards: [Bitboard; 2],
    /// Squares of all generals and guards.
    pub occupied: Bitboard,
}

impl Block {
    fn new(courts: [Court; 2]) -> Self {
        let at = |side: usize, set: u16| {
            let points = (0..POINTS as u8).filter(|&at| set >> at & 1 != 0);
            points.fold(Bitboard::EMPTY, |out, at| out | Bitboard::square(square(side, at)))
        };
        let guards = [0, 1].map(|side| at(side, courts[side].guards));
        let generals = [0, 1].map(|side| square(side, courts[side].general));
        let both = Bitboard::square(generals[0]) | Bitboard::square(generals[1]);
        Self {
            courts,
            symmetric: courts.map(Court::mirrored) == courts,
            generals,
            guards,
            occupied: both | guards[0] | guards[1],
        }
    }
}

/// The numbering of the positions of a class.
#[derive(Debug)]
pub struct Layout {
    class: Class,
    slots: ArrayVec<(usize, Kind), MOST_ATTACKERS>,
    /// Whether the first two attackers have the same side and kind.
    alike: bool,
    /// The factors of the attackers' squares in the number of a spot; 0 beyond the attackers of the class.
    strides: [usize; MOST_ATTACKERS],
    /// Number of arrangements of the second side's general and guards.
    second: usize,
    /// For each pair of arrangements: twice the number of its block, plus one if the block contains the mirror image.
    pairs: Vec<u32>,
    blocks: Vec<Block>,
    /// Squares of the attackers for each spot.
    spots: Vec<[u8; MOST_ATTACKERS]>,
    /// The mirror image of each spot.
    mirror: Vec<u32>,
}

impl Layout {
    /// Creates the layout of a class.
    pub fn new(class: Class) -> Self {
        let [a, b] = class.armies();
        let slots: ArrayVec<(usize, Kind), MOST_ATTACKERS> =
            a.kinds().map(|kind| (0, kind)).chain(b.kinds().map(|kind| (1, kind))).collect();
        let alike = slots.len() > 1 && slots[0] == slots[1];
        let strides =
            [1, 2, 3].map(|n| slots.len().checked_sub(n).map_or(0, |after| SQUARES.pow(after as u32)));
        let all = [a, b].map(|army| courts(army.guards()));
        let mut pairs = vec![u32::MAX; all[0].len() * all[1].len()];
        let mut blocks: Vec<Block> = Vec::new();
        for (i, &first) in all[0].iter().enumerate() {
            for (j, &second) in all[1].iter().enumerate() {
                if pairs[i * all[1].len() + j] != u32::MAX {
                    continue;
                }
                let block = (blocks.len() as u32) << 1;
                blocks.push(Block::new([first, second]));
                pairs[number(first.mirrored()) * all[1].len() + number(second.mirrored())] = block | 1;
                pairs[i * all[1].len() + j] = block;
            }
        }
        let [first, second, third] = [0, 1, 2].map(|n| if slots.len() > n { SQUARES as u8 } else { 1 });
        let mut spots = Vec::new();
        for x in 0..first {
            for y in 0..if alike { x } else { second } {
                spots.extend((0..third).map(|z| [x, y, z]));
            }
        }
        let (second, mirror) = (all[1].len(), Vec::new());
        let mut layout = Self { class, slots, alike, strides, second, pairs, blocks, spots, mirror };
        layout.mirror = layout.spots.iter().map(|spot| layout.spot(spot.map(mirrored)) as u32).collect();
        layout
    }

    /// The class.
    pub fn class(&self) -> Class {
        self.class
    }

    /// Side and kind of the attackers, those of the first side first.
    pub fn slots(&self) -> &[(usize, Kind)] {
        &self.slots
    }

    /// All blocks.
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// The squares of the attackers for each spot. Some coincide with each other or with squares of other pieces.
    pub fn spots(&self) -> &[[u8; MOST_ATTACKERS]] {
        &self.spots
    }

    /// The mirror image of a spot.
    #[inline]
    pub fn mirror(&self, spot: usize) -> usize {
        self.mirror[spot] as usize
    }

    /// Number of positions, including impossible ones.
    pub fn numbers(&self) -> usize {
        self.blocks.len() * 2 * self.spots.len()
    }

    /// The spot of these squares of the attackers.
    #[inline]
    pub fn spot(&self, squares: [u8; MOST_ATTACKERS]) -> usize {
        let ([x, y, z], [first, second, third]) = (squares.map(usize::from), self.strides);
        let pair = if self.alike {
            let (low, high) = (x.min(y), x.max(y));
            // Equal squares, which are impossible, share a spot with other squares.
            (high * high.saturating_sub(1) / 2 + low.min(high.saturating_sub(1))) * second
        } else {
            x * first + y * second
        };
        pair + z * third
    }

    /// The spot of these squares, which is `spot`, after the attacker of a slot has moved.
    #[inline]
    pub fn moved(&self, spot: usize, mut squares: [u8; MOST_ATTACKERS], slot: usize, to: usize) -> usize {
        if self.alike && slot < 2 {
            squares[slot] = to as u8;
            return self.spot(squares);
        }
        spot - usize::from(squares[slot]) * self.strides[slot] + to * self.strides[slot]
    }

    /// The block of an arrangement of generals and guards, and whether the block contains its mirror image.
    #[inline]
    pub fn block(&self, [a, b]: [Court; 2]) -> (usize, bool) {
        let pair = self.pairs[number(a) * self.second + number(b)];
        (pair as usize >> 1, pair & 1 != 0)
    }

    /// The number of a position; `side` (0 or 1) is to move.
    #[inline]
    pub fn index(&self, placement: &Placement, side: usize) -> usize {
        let (block, mirror) = self.block(placement.courts);
        let spot = self.spot(placement.attackers);
        let spot = if mirror { self.mirror(spot) } else { spot };
        (block * 2 + side) * self.spots.len() + spot
    }

    /// The position with this number, and the side to move.
    pub fn placement(&self, index: usize) -> (Placement, usize) {
        let (row, spot) = (index / self.spots.len(), index % self.spots.len());
        (Placement { courts: self.blocks[row / 2].courts, attackers: self.spots[spot] }, row % 2)
    }

    /// Returns whether two pieces share a square. Such numbers denote no position.
    pub fn spots_overlap(&self, placement: &Placement) -> bool {
        let mut set = Block::new(placement.courts).occupied;
        placement.attackers[..self.slots.len()].iter().any(|&sq| {
            let taken = set.has(usize::from(sq));
            set |= Bitboard::square(usize::from(sq));
            taken
        })
    }

    /// The position with this number as SFEN.
    pub fn sfen(&self, index: usize) -> String {
        let (placement, side) = self.placement(index);
        let mut board = [None; SQUARES];
        let mut put = |side: usize, kind: Kind, sq: usize| {
            let letter = char::from(kind.letter());
            board[sq] = Some(if side == 0 { letter } else { letter.to_ascii_lowercase() });
        };
        for (side, court) in placement.courts.iter().enumerate() {
            put(side, Kind::General, square(side, court.general));
            court.pieces().skip(1).for_each(|at| put(side, Kind::Guard, square(side, at)));
        }
        for (&(side, kind), &sq) in self.slots.iter().zip(&placement.attackers) {
            put(side, kind, usize::from(sq));
        }
        let mut text = String::new();
        for rank in 0..RANKS {
            let mut empty = 0;
            for file in (0..FILES).rev() {
                match board[file * RANKS + rank] {
                    None => empty += 1,
                    Some(letter) => {
                        if empty > 0 {
                            text += &empty.to_string();
                        }
                        text.push(letter);
                        empty = 0;
                    }
                }
            }
            if empty > 0 {
                text += &empty.to_string();
            }
            text.push(if rank + 1 < RANKS { '/' } else { ' ' });
        }
        text + if side == 0 { "b - 1" } else { "w - 1" }
    }
}

impl Placement {
    /// The placement of a position whose class has these slots. `swapped`: white is the first side.
    pub fn of(pos: &Position, swapped: bool) -> Self {
        let colors = if swapped { [Color::White, Color::Black] } else { [Color::Black, Color::White] };
        let turned = |sq: usize| if swapped { SQUARES - 1 - sq } else { sq };
        let courts = [0, 1].map(|side| Court {
            general: point(side, turned(pos.general(colors[side]))),
            guards: pos
                .pieces_of(colors[side], Kind::Guard)
                .fold(0, |set, sq| set | 1 << point(side, turned(sq))),
        });
        let mut attackers = [0; MOST_ATTACKERS];
        let all = colors.into_iter().flat_map(|color| {
            super::material::ATTACKERS.into_iter().flat_map(move |kind| pos.pieces_of(color, kind))
        });
        for (slot, sq) in attackers.iter_mut().zip(all) {
            *slot = turned(sq) as u8;
        }
        Self { courts, attackers }
    }

    /// The placement with the sides exchanged, which have `first` and `second` attackers.
    #[must_use]
    pub fn turned(self, first: usize, second: usize) -> Self {
        let turn = |court: Court| Court {
            general: POINTS as u8 - 1 - court.general,
            guards: court.guards.reverse_bits() >> (u16::BITS as usize - POINTS),
        };
        let [a, b] = self.courts;
        let mut attackers = self.attackers.map(|sq| SQUARES as u8 - 1 - sq);
        attackers[..first + second].rotate_left(first);
        Self { courts: [turn(b), turn(a)], attackers }
    }
}

/// A square with left and right exchanged.
const fn mirrored(sq: u8) -> u8 {
    (FILES as u8 - 1 - sq / RANKS as u8) * RANKS as u8 + sq % RANKS as u8
}
