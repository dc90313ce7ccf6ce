//! What pieces are worth, by placement.

use super::numbers::{IN_HAND, ON_BOARD};
use crate::base::Color;
use crate::shogi::Hand;
use crate::shogi::piece::{Kind, PLACEMENTS};
use crate::shogi::square::{FILES, SQUARES, file, rank_for};

/// Value of every placement from black's point of view.
pub(super) static VALUES: [i16; PLACEMENTS] = {
    let mut t = [0; PLACEMENTS];
    let mut c = 0;
    while c < 2 {
        let (color, sign) = (Color::from_index(c), if c == 0 { 1 } else { -1 });
        let mut k = 0;
        while k < Kind::COUNT {
            let mut sq = 0;
            while sq < SQUARES {
                let from_edge = if file(sq) < FILES / 2 { file(sq) } else { FILES - 1 - file(sq) };
                t[(c * Kind::COUNT + k) * SQUARES + sq] = sign * ON_BOARD[k][rank_for(color, sq)][from_edge];
                sq += 1;
            }
            k += 1;
        }
        let mut k = 0;
        while k < Kind::HAND {
            let mut n = 0;
            while n < Kind::ALL[k].in_set() {
                t[Hand::placement(color, Kind::ALL[k], n).index()] = sign * IN_HAND[k][n];
                n += 1;
            }
            k += 1;
        }
        c += 1;
    }
    t
};
