//! Rays and lines of a rectangular board, for tables computed at compile time.
//!
//! A board has `FILES` files of `RANKS` squares and `square = file * RANKS + rank`, so a step is a fixed stride: 1
//! along a file, `RANKS` along a rank, `RANKS ± 1` along a diagonal. One multiplication by a magic number gathers the
//! relevant squares of a line into an index. The stride alone determines this number, so no search for magics is
//! needed.

/// The four lines through a square, as steps (files, ranks): file, rank, and the two diagonals.
pub const LINES: [(i32, i32); 4] = [(0, 1), (1, 0), (1, 1), (1, -1)];

/// Returns whether this file and rank are on a board of `FILES` × `RANKS` squares.
pub const fn on_board<const FILES: usize, const RANKS: usize>(file: i32, rank: i32) -> bool {
    file >= 0 && file < FILES as i32 && rank >= 0 && rank < RANKS as i32
}

/// The squares in one direction from `sq` (exclusive) to the first occupied square (inclusive).
pub const fn ray<const FILES: usize, const RANKS: usize>(occ: u128, sq: usize, df: i32, dr: i32) -> u128 {
    let (mut f, mut r, mut out) = ((sq / RANKS) as i32 + df, (sq % RANKS) as i32 + dr, 0u128);
    while on_board::<FILES, RANKS>(f, r) {
        let bit = 1u128 << (f as usize * RANKS + r as usize);
        out |= bit;
        if occ & bit != 0 {
            break;
        }
        f += df;
        r += dr;
    }
    out
}

/// The squares of a line through a square (exclusive) to the first occupied square on either side (inclusive). `forth`
/// and `back` are the rays to higher and to lower squares on an empty board.
pub const fn reach(forth: u128, back: u128, occ: u128) -> u128 {
    let (ahead, behind) = (forth & occ, back & occ);
    let up_to_first = ahead ^ ahead.wrapping_sub(1);
    let down_to_first = if behind == 0 { u128::MAX } else { u128::MAX << (127 - behind.leading_zeros()) };
    forth & up_to_first | back & down_to_first
}

/// Turns the occupancy of one line through one square into a table index of `BITS` bits. `BITS` is the largest number
/// of relevant squares on any line of the board: the length of its longer side minus two.
#[derive(Clone, Copy, Debug)]
pub struct Magic<const BITS: u32> {
    shift: u32,
    mask: u64,
    multiplier: u64,
}

impl<const BITS: u32> Magic<BITS> {
    /// Placeholder for tables under construction.
    pub const NONE: Self = Self { shift: 0, mask: 0, multiplier: 0 };

    /// The magic of line `LINES[line]` through a square.
    pub const fn new<const FILES: usize, const RANKS: usize>(sq: usize, line: usize) -> Self {
        let (df, dr) = LINES[line];
        let stride = (df * RANKS as i32 + dr) as u32;
        let relevant = inner::<FILES, RANKS>(sq, line);
        if relevant == 0 {
            return Self::NONE;
        }
        // From the first relevant square, square i of the line is at bit i*stride. Bit i of the index goes to bit 64 -
        // BITS + i. With strides of 9 and more, the partial products do not overlap.
        let shift = relevant.trailing_zeros();
        let (mut multiplier, mut i) = (0, 0);
        while i < BITS && i * stride < 64 - BITS + i {
            multiplier |= 1 << (64 - BITS + i - stride * i);
            if stride == 1 {
                break;
            }
            i += 1;
        }
        Self { shift, mask: (relevant >> shift) as u64, multiplier }
    }

    /// The index of an occupancy, below `1 << BITS`.
    pub const fn index(self, occ: u128) -> usize {
        (((occ >> self.shift) as u64 & self.mask).wrapping_mul(self.multiplier) >> (64 - BITS)) as usize
    }
}

/// The squares of a line through `sq` that can stop a slider before the edge.
pub const fn inner<const FILES: usize, const RANKS: usize>(sq: usize, line: usize) -> u128 {
    let (df, dr) = LINES[line];
    let (forth, back) = (ray::<FILES, RANKS>(0, sq, df, dr), ray::<FILES, RANKS>(0, sq, -df, -dr));
    // The edge squares are the highest bit of `forth` and the lowest bit of `back`.
    let highest = if forth == 0 { 0 } else { 1 << (127 - forth.leading_zeros()) };
    forth ^ highest | back & back.wrapping_sub(1)
}
