//! The hand-written evaluation of shogi: material on the board and in hand.

use crate::base::score::MAX_EVAL;
use crate::base::{Color, Score};
use crate::game::{Evaluator, Observer, Placement, Position as _};
use crate::shogi::piece::{BOARD_PLACEMENTS, Kind, PLACEMENTS};
use crate::shogi::square::SQUARES;
use crate::shogi::{Hand, Position};

/// Centipawns by kind on the board; a piece in hand is worth a little more than on the board.
const ON_BOARD: [Score; Kind::COUNT] = [90, 315, 360, 500, 800, 950, 545, 0, 540, 540, 540, 545, 1060, 1330];
const IN_HAND: [Score; Kind::HAND] = [100, 340, 390, 540, 890, 1050, 590];

/// Value of every placement from black's point of view.
static VALUES: [i16; PLACEMENTS] = {
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

const _: () = assert!(BOARD_PLACEMENTS < PLACEMENTS);

/// Material, kept up to date move by move.
#[derive(Clone, Debug)]
pub struct Handwritten {
    /// Sums before each move, from black's point of view, in centipawns.
    stack: Vec<Score>,
    now: Score,
}

impl Handwritten {
    /// An evaluator that was not told of any position yet.
    pub fn new() -> Self {
        Self { stack: Vec::with_capacity(256), now: 0 }
    }
}

impl Default for Handwritten {
    fn default() -> Self {
        Self::new()
    }
}

impl Observer for Handwritten {
    #[inline]
    fn put(&mut self, placement: Placement) {
        self.now += Score::from(VALUES[placement.index()]);
    }
    #[inline]
    fn take(&mut self, placement: Placement) {
        self.now -= Score::from(VALUES[placement.index()]);
    }
}

impl Evaluator<Position> for Handwritten {
    fn reset(&mut self, pos: &Position) {
        self.stack.clear();
        self.now = 0;
        let mut sum = 0;
        pos.placements(|p| sum += Score::from(VALUES[p.index()]));
        self.now = sum;
    }

    fn push(&mut self) {
        self.stack.push(self.now);
    }

    fn pop(&mut self) {
        self.now = self.stack.pop().unwrap_or(0);
    }

    fn evaluate(&mut self, pos: &Position) -> Score {
        let score = if pos.side() == Color::Black { self.now } else { -self.now };
        score.clamp(-MAX_EVAL, MAX_EVAL)
    }
}
