//! What pieces are worth, by placement.

use super::numbers::{IN_HAND, ON_BOARD};
use crate::base::{Color, from_fn};
use crate::game::Placement;
use crate::shogi::hand::{What, what};
use crate::shogi::piece::PLACEMENTS;
use crate::shogi::square::{FILES, file, rank_for};

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
