//! Piece values by placement.

use super::numbers::{IN_HAND, ON_BOARD};
use sanban_rules::shogi::hand::{What, what};
use sanban_rules::shogi::piece::PLACEMENTS;
use sanban_rules::shogi::square::{FILES, file, rank_for};
use sanban_rules::{Color, Placement, from_fn};

/// Value of every placement from black's point of view.
pub(super) static VALUES: [i16; PLACEMENTS] = from_fn!(PLACEMENTS, |p| {
    let (color, value) = match what(Placement(p as u16)) {
        What::Board(color, kind, sq) => {
            let from_edge = if file(sq) < FILES / 2 { file(sq) } else { FILES - 1 - file(sq) };
            (color, ON_BOARD[kind.index()][rank_for(color, sq)][from_edge])
        }
        What::Hand(color, kind, n) => (color, IN_HAND[kind.index()][n]),
    };
    if let Color::Black = color { value } else { -value }
});
