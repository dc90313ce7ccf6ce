//! What pieces are worth, by placement.

use crate::base::{Color, Score};
use crate::shogi::Hand;
use crate::shogi::piece::{Kind, PLACEMENTS};
use crate::shogi::square::SQUARES;

/// Centipawns by kind on the board; a piece in hand is worth about a tenth more than on the board.
const ON_BOARD: [Score; Kind::COUNT] = [90, 300, 360, 480, 800, 950, 540, 0, 530, 520, 530, 540, 1050, 1330];
const IN_HAND: [Score; Kind::HAND] = [100, 335, 400, 530, 890, 1050, 600];

/// Value of every placement from black's point of view.
pub(super) static VALUES: [i16; PLACEMENTS] = {
    let mut t = [0; PLACEMENTS];
    let mut c = 0;
    while c < 2 {
        let sign = if c == 0 { 1 } else { -1 };
        let mut k = 0;
        while k < Kind::COUNT {
            let mut sq = 0;
            while sq < SQUARES {
                t[(c * Kind::COUNT + k) * SQUARES + sq] = sign * ON_BOARD[k] as i16;
                sq += 1;
            }
            k += 1;
        }
        let mut k = 0;
        while k < Kind::HAND {
            let mut n = 0;
            while n < Kind::ALL[k].in_set() {
                t[Hand::placement(Color::from_index(c), Kind::ALL[k], n).index()] = sign * IN_HAND[k] as i16;
                n += 1;
            }
            k += 1;
        }
        c += 1;
    }
    t
};
