//! The hand-written evaluation of Janggi: a sum of weighted features, each with one weight for the opening and one for
//! the endgame. Piece-square values are updated incrementally (`weights`); the other features are computed from the
//! board (`features`). It is used when no network is loaded.

mod features;
mod weights;

use crate::Evaluator;
use features::features;
use sanban_rules::janggi::Position;
use sanban_rules::janggi::piece::{Kind, PLACEMENTS, piece_of};
use sanban_rules::janggi::square::{RANKS, SQUARES, rank_for};
use sanban_rules::score::MAX_EVAL;
use sanban_rules::{Color, Observer, Placement, Position as _, Score, from_fn};
use weights::{TABLE, Weight};

/// Contribution of each kind of piece to the game phase: its points, or 0 for soldiers and guards.
const PHASE: [i32; Kind::COUNT] = [0, 0, 13, 7, 5, 3, 0];
/// Phase of the start position.
const OPENING: i32 = 112;

/// Opening and endgame sums packed into one word, the opening in the upper half, so that one addition updates both.
type Pair = i32;

const fn pair([opening, ending]: Weight) -> Pair {
    ((opening as i32) << 16) + ending as i32
}

/// Weight row of a piece on a square. The left and right halves of the board share their weights.
const fn place(color: Color, kind: Kind, sq: usize) -> usize {
    let file = sq / RANKS;
    let across = if file < 4 { file } else { 8 - file };
    weights::PLACE + (kind.index() * RANKS + rank_for(color, sq)) * 5 + across
}

/// All weights, each packed into one word.
static WEIGHTS: [Pair; weights::COUNT] = from_fn!(weights::COUNT, |i| pair(TABLE[i]));

/// The contribution of a placement from black's point of view: its weights and its phase.
static VALUES: [(Pair, i32); PLACEMENTS] = from_fn!(PLACEMENTS, |p| {
    let (color, kind) = piece_of(Placement(p as u16));
    let worth = WEIGHTS[place(color, kind, p % SQUARES)];
    (if let Color::Black = color { worth } else { -worth }, PHASE[kind.index()])
});

/// Incrementally updated sums of material and piece-square values.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Standing {
    sum: Pair,
    phase: i32,
}

impl Standing {
    fn of(pos: &Position) -> Self {
        let mut all = Handwritten::default();
        pos.placements(|p| all.put(p));
        all.now
    }
}

/// The hand-written evaluation.
#[derive(Clone, Debug, Default)]
pub struct Handwritten {
    /// The sums before each move.
    stack: Vec<Standing>,
    now: Standing,
}

impl Observer for Handwritten {
    #[inline]
    fn put(&mut self, placement: Placement) {
        let (sum, phase) = VALUES[placement.index()];
        self.now.sum += sum;
        self.now.phase += phase;
    }

    #[inline]
    fn take(&mut self, placement: Placement) {
        let (sum, phase) = VALUES[placement.index()];
        self.now.sum -= sum;
        self.now.phase -= phase;
    }
}

impl Evaluator<Position> for Handwritten {
    fn reset(&mut self, pos: &Position) {
        self.stack.clear();
        self.now = Standing::of(pos);
    }

    fn push(&mut self) {
        self.stack.push(self.now);
    }

    fn pop(&mut self) {
        self.now = self.stack.pop().unwrap_or_default();
    }

    fn evaluate(&mut self, pos: &Position) -> Score {
        debug_assert_eq!(self.now, Standing::of(pos), "{pos}");
        let mut sum = self.now.sum;
        features(pos, |color, row| match color {
            Color::Black => sum += WEIGHTS[row],
            Color::White => sum -= WEIGHTS[row],
        });
        // A negative lower half has borrowed from the upper half.
        let (opening, ending) = ((sum + 0x8000) >> 16, i32::from(sum as i16));
        let phase = self.now.phase.min(OPENING);
        let black = (opening * phase + ending * (OPENING - phase)) / OPENING;
        let own = if pos.side() == Color::Black { black } else { -black };
        own.clamp(-MAX_EVAL, MAX_EVAL)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random_games;
    use sanban_rules::janggi::START;

    #[test]
    fn turning_the_board_changes_nothing() {
        random_games::assert_symmetric::<sanban_rules::Janggi, Handwritten>();
    }

    #[test]
    fn a_chariot_more_is_worth_a_chariot() {
        let pos = Position::from_sfen(&START.replacen("rnba", "1nba", 1)).expect("a valid position");
        let more = random_games::evaluate::<Handwritten, _>(&pos);
        assert!((400..1000).contains(&more), "{more}");
    }
}
