//! Squares of the 9 × 10 board: `square = file * 10 + rank`, file 0 is USI file `1`, rank 0 is USI rank `a`, so that
//! 1a = 0, 1j = 9, 9j = 89. Black moves towards rank a, that is towards smaller numbers.

use crate::{Bitboard, Color, squares};

/// Number of files.
pub const FILES: usize = 9;
/// Number of ranks.
pub const RANKS: usize = 10;
/// Number of squares.
pub const SQUARES: usize = FILES * RANKS;
/// The whole board.
pub const BOARD: Bitboard = Bitboard::first(SQUARES);

/// All squares on the file of a square.
#[inline]
pub const fn file_of(sq: usize) -> Bitboard {
    Bitboard(Bitboard::first(RANKS).0 << (sq / RANKS * RANKS))
}

/// The rank from a side's point of view: 0 is the far edge.
#[inline]
pub const fn rank_for(color: Color, sq: usize) -> usize {
    match color {
        Color::Black => sq % RANKS,
        Color::White => RANKS - 1 - sq % RANKS,
    }
}

/// The squares with a file and a rank (from a side's point of view) in these inclusive ranges.
const fn area(color: Color, files: (usize, usize), ranks: (usize, usize)) -> Bitboard {
    squares!(SQUARES, |sq| {
        let (file, rank) = (sq / RANKS, rank_for(color, sq));
        file >= files.0 && file <= files.1 && rank >= ranks.0 && rank <= ranks.1
    })
}

/// Each side's palace.
pub const PALACE: [Bitboard; 2] = [area(Color::Black, (3, 5), (7, 9)), area(Color::White, (3, 5), (7, 9))];
/// Each side's far edge, on which its soldiers can only step sideways.
pub const LAST: [Bitboard; 2] = [area(Color::Black, (0, 8), (0, 0)), area(Color::White, (0, 8), (0, 0))];
/// The centre of each side's palace.
pub const CENTRE: [usize; 2] = [4 * RANKS + 8, 4 * RANKS + 1];
