//! Distances of pieces on an empty board.

use crate::record::board::Board;
use once_cell::sync::Lazy;
use sanban_rules::shogi::square::SQUARES;
use sanban_rules::shogi::{Kind, Piece};
use sanban_rules::{Bitboard, Color};

/// The largest distance that is distinguished; squares that are farther away also have this distance.
pub(super) const FAR: u8 = 4;

/// For each side, kind and pair of squares, the number of moves from one to the other, and whether one move suffices.
pub(super) struct Reach {
    moves: Vec<u8>,
    to: Vec<Bitboard>,
}

static REACH: Lazy<Reach> = Lazy::new(Reach::new);

impl Reach {
    pub fn get() -> &'static Self {
        &REACH
    }

    fn new() -> Self {
        let mut out = Self {
            moves: vec![FAR; 2 * Kind::COUNT * SQUARES * SQUARES],
            to: vec![Bitboard::EMPTY; 2 * Kind::COUNT * SQUARES],
        };
        let mut board = Board::empty();
        for color in Color::ALL {
            for kind in Kind::ALL {
                let reached: Vec<Vec<usize>> = (0..SQUARES)
                    .map(|from| {
                        board.set(from, Some(Piece::new(color, kind)));
                        let reached = (0..SQUARES).filter(|&to| board.reaches(from, to)).collect();
                        board.set(from, None);
                        reached
                    })
                    .collect();
                for from in 0..SQUARES {
                    for &to in &reached[from] {
                        let set = &mut out.to[Self::index(color, kind, to)];
                        *set |= Bitboard::square(from);
                    }
                    let row = &mut out.moves[Self::index(color, kind, from) * SQUARES..][..SQUARES];
                    row[from] = 0;
                    let mut open = vec![from];
                    for moves in 1..FAR {
                        let mut next = vec![];
                        for &to in open.iter().flat_map(|&at| &reached[at]) {
                            if row[to] > moves {
                                row[to] = moves;
                                next.push(to);
                            }
                        }
                        open = next;
                    }
                }
            }
        }
        out
    }

    fn index(color: Color, kind: Kind, square: usize) -> usize {
        (color.index() * Kind::COUNT + kind.index()) * SQUARES + square
    }

    /// The squares from which a piece reaches this one in one move.
    pub fn to(&self, color: Color, kind: Kind, square: usize) -> Bitboard {
        self.to[Self::index(color, kind, square)]
    }

    /// The number of moves from one square to another, at most [`FAR`].
    pub fn moves(&self, color: Color, kind: Kind, from: usize, to: usize) -> u8 {
        self.moves[Self::index(color, kind, from) * SQUARES + to]
    }
}
