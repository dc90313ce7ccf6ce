//! A dense numbering of the positions that a table contains.
//!
//! A [`Slot`] is a position from the point of view of the side to move. Positions are numbered if neither lion has
//! reached its last row and the lions are not adjacent. Of two mirror images only one is numbered, except that both are
//! if both lions are on the middle file. There are 21 pairs of lion squares, and for each pair 11,878,227 ways to place
//! the other pieces: elephants on the ten remaining squares, then giraffes on the squares that are still free, then
//! chicks. Positions with the same lions, elephants and giraffes have consecutive numbers and form a [`Block`].
//!
//! The number of positions is the same as in the tables of R. Clausecker and B. Liou for this game; the numbering is
//! original.

use super::group::Group;
use once_cell::sync::Lazy;
use sanban_rules::Color;
use sanban_rules::dobutsu::piece::{Kind, RANKS, SQUARES, last_row, mirror_square, steps};
use std::ops::Range;

/// Number of lion pairs.
pub const PAIRS: usize = 21;
/// Number of positions of one lion pair.
pub const ARRANGEMENTS: usize = ELEPHANTS.1 as usize;
/// Number of slots.
pub const SLOTS: usize = PAIRS * ARRANGEMENTS;
/// Number of blocks.
pub const BLOCKS: usize = PAIRS * PAIR_BLOCKS;

const _: () = assert!(ARRANGEMENTS == 11_878_227);

/// Number of blocks of one lion pair.
const PAIR_BLOCKS: usize = ELEPHANTS.3 as usize;
/// Number of squares without a lion.
const FREE: usize = SQUARES - 2;
/// Maximum number of codes for two elephants or giraffes.
const CODES: usize = plain_codes(FREE);

/// Number of ways to place two pieces of the same kind, each owned by either side, on `n` squares and in the hands.
const fn plain_codes(n: usize) -> usize {
    n * (n - 1) / 2 * 4 + n * 4 + 3
}

/// The same for chicks, which may be hens on the board.
const fn chick_codes(n: usize) -> usize {
    n * (n - 1) / 2 * 16 + n * 8 + 3
}

/// The number of elephants or giraffes on the board for a code.
const fn on_board(code: usize, n: usize) -> usize {
    let (two, one) = (n * (n - 1) / 2 * 4, n * 4);
    if code < two {
        2
    } else if code < two + one {
        1
    } else {
        0
    }
}

/// For each number of elephants on the board: the first number of each giraffe code, and the total.
const GIRAFFES: [([u32; CODES], u32); 3] = {
    let mut out = [([0; CODES], 0); 3];
    let mut k = 0;
    while k < 3 {
        let (n, mut code, mut sum) = (FREE - k, 0, 0);
        while code < plain_codes(n) {
            out[k].0[code] = sum;
            sum += chick_codes(n - on_board(code, n)) as u32;
            code += 1;
        }
        out[k].1 = sum;
        k += 1;
    }
    out
};

/// The first number of each elephant code and the total, and the same for blocks.
const ELEPHANTS: ([u32; CODES], u32, [u32; CODES], u32) = {
    let mut out = ([0; CODES], 0, [0; CODES], 0);
    let mut code = 0;
    while code < CODES {
        out.0[code] = out.1;
        out.2[code] = out.3;
        let k = on_board(code, FREE);
        out.1 += GIRAFFES[k].1;
        out.3 += plain_codes(FREE - k) as u32;
        code += 1;
    }
    out
};

static GIRAFFE_START: [[u32; CODES]; 3] = [GIRAFFES[0].0, GIRAFFES[1].0, GIRAFFES[2].0];
static ELEPHANT_START: [u32; CODES] = ELEPHANTS.0;
static ELEPHANT_BLOCK: [u32; CODES] = ELEPHANTS.2;

/// The lion pairs, the mover's lion first. Of two mirror images, the pair with the smaller sum of files is listed, or
/// if the sums are equal, the one with the mover's lion further right.
const LIONS: [[u8; 2]; PAIRS] = {
    let mut out = [[0; 2]; PAIRS];
    let (mut n, mut i) = (0, 0);
    while i < SQUARES * SQUARES {
        let (own, enemy) = (i / SQUARES, i % SQUARES);
        if numbered(own, enemy) && !is_mirror(own, enemy) {
            out[n] = [own as u8, enemy as u8];
            n += 1;
        }
        i += 1;
    }
    assert!(n == PAIRS);
    out
};

const fn numbered(own: usize, enemy: usize) -> bool {
    let near = steps(Color::Black, Kind::Lion, own) >> enemy & 1 != 0;
    let entered = last_row(Color::Black) >> own & 1 != 0 || last_row(Color::White) >> enemy & 1 != 0;
    own != enemy && !near && !entered
}

const fn is_mirror(own: usize, enemy: usize) -> bool {
    let (a, b) = (own / RANKS, enemy / RANKS);
    a + b > 2 || a + b == 2 && a > b
}

const MIRROR: u8 = 0x80;
const NO_PAIR: u8 = 0xFF;

/// The number of the pair by the squares of the lions, with `MIRROR` set if the board has to be mirrored first.
static PAIR_OF: [[u8; SQUARES]; SQUARES] = {
    let mut out = [[NO_PAIR; SQUARES]; SQUARES];
    let mut n = 0;
    while n < PAIRS {
        let [own, enemy] = LIONS[n];
        // The mirror image is stored first, since a pair on the middle file is its own mirror image.
        out[mirror_square(own as usize)][mirror_square(enemy as usize)] = n as u8 | MIRROR;
        out[own as usize][enemy as usize] = n as u8;
        n += 1;
    }
    out
};

/// Flips a set of squares upside down; files are unchanged.
pub(super) const fn flip_set(set: u16) -> u16 {
    let swapped = set >> 1 & 0x555 | (set & 0x555) << 1;
    swapped >> 2 & 0x333 | (swapped & 0x333) << 2
}

/// A position from the point of view of the side to move, whose pieces move towards rank `a`.
///
/// All sets of squares are stored in two words and the hands in a third, so that a move needs only register arithmetic.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Slot {
    /// The squares of the mover's lion and the enemy lion.
    pub lions: [u8; 2],
    /// Sets of 16 bits: elephants and giraffes, then chicks and hens, for each kind the mover's pieces before the
    /// enemy's.
    words: [u64; 2],
    /// The counts of pieces in hand, four bits each, in the same order.
    hands: u32,
}

/// The index of the mover's elephants, see [`Slot::set`] and [`Slot::hand`]; the enemy's is one higher.
pub const ELEPHANT: usize = 0;
/// The index of the mover's giraffes; the enemy's is one higher.
pub const GIRAFFE: usize = 2;
/// The index of the mover's chicks; the enemy's is one higher.
pub const CHICK: usize = 4;
/// The index of the mover's hens, which are on the board only; the enemy's is one higher.
pub const HEN: usize = 6;

/// The number of a slot and of its block.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Place {
    /// The number of the slot, below [`SLOTS`].
    pub index: u32,
    /// The number of the block, below [`BLOCKS`].
    pub block: u32,
    /// The number of the slot's group within the block, below 64.
    pub group: u8,
}

/// A word with the same set in each quarter.
const fn quarters(set: u16) -> u64 {
    set as u64 * 0x0001_0001_0001_0001
}

impl Slot {
    /// A slot with only the lions.
    pub(super) const fn new(lions: [u8; 2]) -> Self {
        Self { lions, words: [0; 2], hands: 0 }
    }

    /// The squares of the pieces with this index, such as [`ELEPHANT`].
    #[inline]
    pub fn set(&self, place: usize) -> u16 {
        (self.words[place / 4] >> (place % 4 * 16)) as u16
    }

    /// Adds the squares that are not in the set and removes those that are.
    #[inline]
    pub fn toggle(&mut self, place: usize, set: u16) {
        self.words[place / 4] ^= u64::from(set) << (place % 4 * 16);
    }

    /// Number of pieces in hand with this index; not defined for hens.
    #[inline]
    pub fn hand(&self, place: usize) -> u32 {
        self.hands >> (4 * place) & 3
    }

    /// Adds pieces to a hand.
    #[inline]
    pub fn gain(&mut self, place: usize, n: u32) {
        self.hands += n << (4 * place);
    }

    /// Removes one piece from a hand, which must not be empty.
    #[inline]
    pub fn lose(&mut self, place: usize) {
        self.hands -= 1 << (4 * place);
    }

    /// Squares of all pieces of the side to move (0) or of the enemy (1).
    #[inline]
    pub fn side(&self, side: usize) -> u16 {
        let all = self.words[0] | self.words[1];
        let all = (all | all >> 32) as u32;
        (all >> (16 * side)) as u16 | 1 << self.lions[side]
    }

    /// The position from the other side's point of view. The board is flipped instead of rotated, which makes no
    /// difference in this game.
    #[inline]
    pub fn turned(&self) -> Self {
        const EVEN: u64 = 0x0000_FFFF_0000_FFFF;
        let words = self.words.map(|word| {
            let word = word >> 1 & quarters(0x555) | (word & quarters(0x555)) << 1;
            let word = word >> 2 & quarters(0x333) | (word & quarters(0x333)) << 2;
            word >> 16 & EVEN | (word & EVEN) << 16
        });
        Self {
            lions: [self.lions[1] ^ 3, self.lions[0] ^ 3],
            words,
            hands: self.hands >> 4 & 0x000F_0F0F | (self.hands & 0x000F_0F0F) << 4,
        }
    }

    /// The slot with left and right exchanged.
    #[inline]
    pub fn mirrored(&self) -> Self {
        let words = self
            .words
            .map(|word| word >> 8 & quarters(0xF) | word & quarters(0xF0) | (word & quarters(0xF)) << 8);
        Self { lions: self.lions.map(|sq| mirror_square(usize::from(sq)) as u8), words, ..*self }
    }

    /// Returns whether both lions are on the middle file, in which case the mirror image has a separate slot.
    #[inline]
    pub fn is_middle(&self) -> bool {
        self.lions[0] >> 2 == 1 && self.lions[1] >> 2 == 1
    }

    /// Returns whether the board has to be mirrored to be numbered.
    #[inline]
    pub fn is_folded(&self) -> bool {
        self.pair() & MIRROR != 0
    }

    /// The number of this slot; `None` if a lion has reached its last row or the lions are adjacent. All pieces must be
    /// present.
    #[inline]
    pub fn place(&self) -> Option<Place> {
        match self.pair() {
            NO_PAIR => None,
            pair if pair & MIRROR != 0 => Some(self.mirrored().place_of_pair(pair & !MIRROR)),
            pair => Some(self.place_of_pair(pair)),
        }
    }

    #[inline]
    fn place_of_pair(&self, pair: u8) -> Place {
        let group = self.group();
        let first = Head::of_lions(self, pair).elephants(self).giraffes(self).with(&group);
        Place { index: first.index + group.bits.trailing_zeros(), ..first }
    }

    /// The heads of this slot for [`Slot::head_from`]: after the lions, after the elephants and after the giraffes.
    /// `None` if the slot has no number or the board has to be mirrored first.
    #[inline]
    pub fn heads(&self) -> Option<[Head; 3]> {
        let pair = self.pair();
        (pair < MIRROR).then(|| self.heads_of(pair))
    }

    #[inline]
    fn heads_of(&self, pair: u8) -> [Head; 3] {
        let lions = Head::of_lions(self, pair);
        let elephants = lions.elephants(self);
        [lions, elephants, elephants.giraffes(self)]
    }

    #[inline]
    fn pair(&self) -> u8 {
        PAIR_OF[usize::from(self.lions[0])][usize::from(self.lions[1])]
    }

    /// The head of a slot that has the same lions as the slot of `heads`, with `level` 1 also the same elephants, and
    /// with 2 also the same giraffes. The chicks may be missing.
    #[inline(always)]
    pub fn head_from(&self, heads: &[Head; 3], level: usize) -> Head {
        match level {
            0 => heads[0].elephants(self).giraffes(self),
            1 => heads[1].giraffes(self),
            _ => heads[2],
        }
    }

    /// The group that contains only this slot.
    #[inline]
    pub fn group(&self) -> Group {
        let hens = self.set(HEN) | self.set(HEN + 1);
        let own = self.set(CHICK) | self.set(HEN);
        let all = own | self.set(CHICK + 1) | hens;
        let state = |sq: usize| own >> sq & 1 | (hens >> sq & 1) << 1;
        let (low, high) = ends(all);
        match all.count_ones() {
            2 => Group::two(low, high, 1 << (state(low) * 4 + state(high))),
            1 => Group::one(low, 1 << (state(low) * 2 + self.hand(CHICK) as u16)),
            _ => Group::none(1 << self.hand(CHICK)),
        }
    }

    /// The slot with this number, which must be below [`SLOTS`].
    pub fn at(index: u32) -> Self {
        let (block, n) = Block::of(index);
        block.slot(n)
    }
}

/// What the lions, elephants and giraffes contribute to the index of a position.
#[derive(Clone, Copy)]
pub struct Head {
    index: u32,
    block: u32,
    taken: u16,
    /// Number of elephants on the board.
    elephants: u8,
    /// Number of squares that are not taken.
    free: u8,
}

impl Head {
    #[inline]
    fn of_lions(slot: &Slot, pair: u8) -> Self {
        Self {
            index: u32::from(pair) * ARRANGEMENTS as u32,
            block: u32::from(pair) * PAIR_BLOCKS as u32,
            taken: 1 << slot.lions[0] | 1 << slot.lions[1],
            elephants: 0,
            free: FREE as u8,
        }
    }

    #[inline(always)]
    fn elephants(self, slot: &Slot) -> Self {
        let (own, enemy) = (slot.set(ELEPHANT), slot.set(ELEPHANT + 1));
        let (code, n) = plain_code(own, enemy, slot.hand(ELEPHANT), self.taken, FREE);
        Self {
            index: self.index + ELEPHANT_START[code],
            block: self.block + ELEPHANT_BLOCK[code],
            taken: self.taken | own | enemy,
            elephants: n as u8,
            free: self.free - n as u8,
        }
    }

    #[inline(always)]
    fn giraffes(self, slot: &Slot) -> Self {
        let (own, enemy) = (slot.set(GIRAFFE), slot.set(GIRAFFE + 1));
        let (code, n) = plain_code(own, enemy, slot.hand(GIRAFFE), self.taken, usize::from(self.free));
        Self {
            index: self.index + GIRAFFE_START[usize::from(self.elephants)][code],
            block: self.block + code as u32,
            taken: self.taken | own | enemy,
            free: self.free - n as u8,
            ..self
        }
    }

    /// The place of the first position of a group. Pairs of squares are numbered as in `plain_code`.
    #[inline(always)]
    pub fn with(self, group: &Group) -> Place {
        let [low, high] = group.squares();
        let first = rank(low, self.taken) as u32;
        let pairs = PAIRS_ON[rank(high, self.taken)];
        let index = self.index + (first << group.shift()) + u32::from(pairs) * 16;
        Place { index, block: self.block, group: first as u8 + pairs }
    }
}

/// Number of pairs of `n` items.
static PAIRS_ON: [u8; 16] = {
    let (mut out, mut n) = ([0; 16], 2);
    while n < 16 {
        out[n] = (n * (n - 1) / 2) as u8;
        n += 1;
    }
    out
};

/// The lowest and the highest square of a set. For an empty set, the lowest is the square after the last one, whose
/// [`rank`] is the number of free squares.
#[inline]
fn ends(set: u16) -> (usize, usize) {
    ((set | 1 << SQUARES).trailing_zeros() as usize, (set | 1).ilog2() as usize)
}

/// The index of a free square among the free squares.
#[inline]
fn rank(sq: usize, taken: u16) -> usize {
    sq - (taken & ((1 << sq) - 1)).count_ones() as usize
}

/// The code of two elephants or giraffes on the `n` squares that are not taken, and the number of them on the board.
///
/// Codes with two pieces on the board come first: the pair of squares, then the owners. Codes with one piece follow
/// (its square and owner, and the owner of the other piece), then codes with none. All cases are sums of the same
/// terms, which avoids a branch.
#[inline]
fn plain_code(own: u16, enemy: u16, hand: u32, taken: u16, n: usize) -> (usize, usize) {
    let all = own | enemy;
    let (low, high) = ends(all);
    let on_board = all.count_ones() as usize;
    let two = on_board == 2;
    let owner = |sq: usize| usize::from(own >> sq & 1);
    let first = rank(low, taken) * 4 + owner(low) * 2;
    let second = owner(high) & usize::from(two);
    let rest = usize::from(PAIRS_ON[if two { rank(high, taken) } else { n }]) * 4;
    (first + second + rest + hand as usize, on_board)
}

/// Two decoded pieces of the same kind: their squares (indices of free squares; 15 for none), their states, and the
/// numbers of pieces in each hand.
#[derive(Clone, Copy)]
struct Two {
    at: [u8; 2],
    state: [u8; 2],
    hands: [u8; 2],
}

/// Decodes a code. `states` is 2 for elephants and giraffes (owned by the side to move or not) and 4 for chicks (also
/// promoted or not).
fn decode(code: usize, n: usize, states: usize) -> Two {
    let (two, one) = (n * (n - 1) / 2 * states * states, n * states * 2);
    if code < two {
        let (squares, state) = (code / (states * states), code % (states * states));
        let mut j = 1;
        while (j + 1) * j / 2 <= squares {
            j += 1;
        }
        let i = squares - j * (j - 1) / 2;
        Two { at: [i as u8, j as u8], state: [(state / states) as u8, (state % states) as u8], hands: [0, 0] }
    } else if code < two + one {
        let (square, state) = ((code - two) / (states * 2), (code - two) % (states * 2));
        let own = (state % 2) as u8;
        Two { at: [square as u8, 15], state: [(state / 2) as u8, 0], hands: [own, 1 - own] }
    } else {
        let own = (code - two - one) as u8;
        Two { at: [15, 15], state: [0, 0], hands: [own, 2 - own] }
    }
}

/// A block relative to its lion pair.
struct Frame {
    start: u32,
    elephants: Two,
    giraffes: Two,
}

static FRAMES: Lazy<Vec<Frame>> = Lazy::new(|| {
    let mut out = Vec::with_capacity(PAIR_BLOCKS);
    for (elephants, start) in ELEPHANT_START.iter().enumerate() {
        let k = on_board(elephants, FREE);
        let elephants = decode(elephants, FREE, 2);
        for (giraffes, offset) in GIRAFFE_START[k][..plain_codes(FREE - k)].iter().enumerate() {
            out.push(Frame { start: start + offset, elephants, giraffes: decode(giraffes, FREE - k, 2) });
        }
    }
    out
});

/// The decoded chick codes for each number of free squares.
static CHICKS: Lazy<[Vec<Two>; FREE + 1]> = Lazy::new(|| {
    std::array::from_fn(|n| {
        let codes = if n < 2 { 0 } else { chick_codes(n) };
        (0..codes).map(|code| decode(code, n, 4)).collect()
    })
});

/// The slots with the same lions, elephants and giraffes, which have consecutive numbers.
pub struct Block {
    /// The number of the first slot.
    pub start: u32,
    /// The slot without the chicks.
    pub base: Slot,
    free: &'static [u16; 16],
    /// Number of free squares.
    n: usize,
    codes: &'static [Two],
    /// `base` from the other side's point of view in the numbered orientation, and whether it was mirrored for that.
    turned: (Slot, bool),
    heads: [Head; 3],
}

impl Block {
    /// The block with this number, which must be below [`BLOCKS`].
    pub fn new(number: usize) -> Self {
        let (pair, nth) = (number / PAIR_BLOCKS, number % PAIR_BLOCKS);
        let frame = &FRAMES[nth];
        let mut base = Slot::new(LIONS[pair]);
        let mut taken: u16 = 1 << base.lions[0] | 1 << base.lions[1];
        for (kind, two) in [(ELEPHANT, frame.elephants), (GIRAFFE, frame.giraffes)] {
            let free = &FREE_SQUARES[usize::from(taken)];
            for i in 0..2 {
                let bit = free[usize::from(two.at[i])];
                base.toggle(kind + usize::from(1 - two.state[i]), bit);
                base.gain(kind + i, u32::from(two.hands[i]));
                taken |= bit;
            }
        }
        let n = SQUARES - taken.count_ones() as usize;
        let start = pair as u32 * ARRANGEMENTS as u32 + frame.start;
        let folded = base.turned().is_folded();
        let turned = if folded { base.turned().mirrored() } else { base.turned() };
        let heads = turned.heads_of(turned.pair() & !MIRROR);
        Self {
            start,
            base,
            free: &FREE_SQUARES[usize::from(taken)],
            n,
            codes: &CHICKS[n],
            turned: (turned, folded),
            heads,
        }
    }

    /// The block of a slot, and the index of the slot in the block.
    pub fn of(index: u32) -> (Self, usize) {
        let (pair, rest) = (index as usize / ARRANGEMENTS, index % ARRANGEMENTS as u32);
        let nth = FRAMES.partition_point(|frame| frame.start <= rest) - 1;
        let block = Self::new(pair * PAIR_BLOCKS + nth);
        let n = (index - block.start) as usize;
        (block, n)
    }

    /// The numbers of the slots of the block.
    #[inline]
    pub fn range(&self) -> Range<usize> {
        self.start as usize..self.start as usize + self.codes.len()
    }

    /// The `n`-th slot of the block.
    #[inline]
    pub fn slot(&self, n: usize) -> Slot {
        let (mut out, two) = (self.base, &self.codes[n]);
        for i in 0..2 {
            // State bits: 1 own, 2 hen. Lanes: own chick, enemy chick, own hen, enemy hen.
            let lane = u32::from(two.state[i] ^ 1);
            out.words[1] |= u64::from(self.free[usize::from(two.at[i] & 15)]) << (lane * 16);
            out.gain(CHICK + i, u32::from(two.hands[i]));
        }
        out
    }

    /// The part that all slots share, from the other side's point of view: the position without the chicks, and what
    /// its other pieces contribute to the indices.
    pub fn turned_base(&self) -> (Slot, [Head; 3]) {
        (self.turned.0, self.heads)
    }

    /// The number of slots with two chicks on the board, and the number with one.
    fn parts(&self) -> (usize, usize) {
        let n = self.n;
        (usize::from(PAIRS_ON[n]) * 16, n * 8)
    }

    /// The first slot of the group of the `n`-th slot, and the bit of the `n`-th slot in the group.
    #[inline]
    pub fn group_of(&self, n: usize) -> (usize, u16) {
        let (two, one) = self.parts();
        let first = match n {
            _ if n < two => n & !15,
            _ if n < two + one => two + (n - two) / 8 * 8,
            _ => two + one,
        };
        (first, 1 << (n - first))
    }

    /// The first slot and the length of every group whose bit is set; bits are group numbers.
    #[inline]
    pub fn groups_of(&self, mut bits: u64) -> impl Iterator<Item = (usize, usize)> {
        let (two, one) = self.parts();
        let (twos, ones) = (two / 16, one / 8);
        bits &= (2 << (twos + ones)) - 1;
        std::iter::from_fn(move || {
            let group = bits.trailing_zeros() as usize;
            bits &= bits.wrapping_sub(1);
            match group {
                64 => None,
                _ if group < twos => Some((16 * group, 16)),
                _ if group < twos + ones => Some((two + 8 * (group - twos), 8)),
                _ => Some((two + one, 3)),
            }
        })
    }

    /// The first slot and the length of every group.
    #[inline]
    pub fn groups(&self) -> impl Iterator<Item = (usize, usize)> {
        self.groups_of(u64::MAX)
    }

    /// The subset `bits` of the group that begins with the `n`-th slot, from the other side's point of view, and
    /// mirrored if only the mirror images are numbered.
    #[inline]
    pub fn turned(&self, n: usize, bits: u16) -> Group {
        let at = |i: usize| {
            let sq = self.free[usize::from(self.codes[n].at[i] & 15)].trailing_zeros() as usize ^ 3;
            if self.turned.1 { mirror_square(sq) } else { sq }
        };
        let (two, one) = self.parts();
        let group = match n {
            _ if n < two => Group::two(at(0), at(1), bits),
            _ if n < two + one => Group::one(at(0), bits),
            _ => Group::none(bits),
        };
        group.turned()
    }
}

/// For each set of taken squares: the free squares in order, each as a set of one square. The remaining entries are
/// empty sets.
static FREE_SQUARES: [[u16; 16]; 1 << SQUARES] = {
    let (mut out, mut taken) = ([[0; 16]; 1 << SQUARES], 0);
    while taken < 1 << SQUARES {
        let (mut n, mut sq) = (0, 0);
        while sq < SQUARES {
            if taken >> sq & 1 == 0 {
                out[taken][n] = 1 << sq;
                n += 1;
            }
            sq += 1;
        }
        taken += 1;
    }
    out
};

#[cfg(test)]
mod tests {
    use super::*;
    use sanban_rules::Rng;

    #[test]
    fn numbers_and_slots_are_one_to_one() {
        let mut rng = Rng::new(1);
        let edges = [0, ARRANGEMENTS - 1, ARRANGEMENTS, SLOTS - 1];
        let indices: Vec<usize> = (0..200_000).map(|_| rng.below(SLOTS)).chain(edges).collect();
        for index in indices {
            let slot = Slot::at(index as u32);
            assert_eq!(slot.place().map(|place| place.index as usize), Some(index), "{slot:?}");
            let mirror = slot.mirrored().place().map(|place| place.index as usize);
            assert!(slot.is_middle() || mirror == Some(index), "{slot:?}");
            assert_eq!(slot.turned().turned(), slot);
            assert_eq!(slot.mirrored().mirrored(), slot);
            let sets: Vec<u16> = (0..8).map(|place| slot.set(place)).collect();
            let all = slot.side(0) | slot.side(1);
            let pieces = 2 + sets.iter().map(|set| set.count_ones()).sum::<u32>();
            assert_eq!(all.count_ones(), pieces, "two pieces on a square: {slot:?}");
            assert_eq!(pieces + (0..6).map(|place| slot.hand(place)).sum::<u32>(), 8, "{slot:?}");
        }
    }

    #[test]
    fn blocks_follow_one_another() {
        let mut next = 0;
        for number in 0..BLOCKS {
            let block = Block::new(number);
            assert_eq!(block.start, next, "block {number}");
            assert_eq!(block.slot(0).place(), Some(Place { index: next, block: number as u32, group: 0 }));
            next = block.range().end as u32;
        }
        assert_eq!(next as usize, SLOTS);
    }
}
