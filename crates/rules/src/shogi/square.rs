//! Squares of the 9 × 9 board: `square = file * 9 + rank`, file 0 is USI file `1`, rank 0 is USI rank `a`, so that
//! 1a = 0, 1i = 8, 9i = 80. Black moves towards rank a, that is towards smaller numbers.

use crate::{Bitboard, Color, squares};

/// Number of files.
pub const FILES: usize = 9;
/// Number of ranks.
pub const RANKS: usize = 9;
/// Number of squares.
pub const SQUARES: usize = FILES * RANKS;
/// The whole board.
pub const BOARD: Bitboard = Bitboard::first(SQUARES);

/// File of a square, 0..9.
pub const fn file(sq: usize) -> usize {
    sq / RANKS
}

/// Rank of a square, 0..9.
pub const fn rank(sq: usize) -> usize {
    sq % RANKS
}

/// The rank from a side's point of view: 0 is the far edge.
#[inline]
pub const fn rank_for(color: Color, sq: usize) -> usize {
    match color {
        Color::Black => rank(sq),
        Color::White => RANKS - 1 - rank(sq),
    }
}

/// The `n` farthest ranks from a side's point of view.
pub const fn far_ranks(color: Color, n: usize) -> Bitboard {
    squares!(SQUARES, |sq| rank_for(color, sq) < n)
}

/// The promotion zone of each side: the three far ranks.
pub const ZONE: [Bitboard; 2] = [far_ranks(Color::Black, 3), far_ranks(Color::White, 3)];
/// The last rank of each side, on which pawns and lances would have no moves.
pub const LAST: [Bitboard; 2] = [far_ranks(Color::Black, 1), far_ranks(Color::White, 1)];
/// The last two ranks of each side, on which knights could not move.
pub const LAST_TWO: [Bitboard; 2] = [far_ranks(Color::Black, 2), far_ranks(Color::White, 2)];
