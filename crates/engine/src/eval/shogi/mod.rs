//! The hand-written evaluation of shogi: material, and the squares that each side attacks, weighted by their distance
//! to the kings. It bootstraps the training of networks and is used when no network is loaded.
//!
//! Weighting attacked squares by their distance to both kings is Isozaki's idea (the MATERIAL series of evaluations).
//! The weights were fitted to our own games, and the implementation is our own: two bitboards hold the squares attacked
//! at least once and at least twice, and weighted sums are computed one bit plane at a time.

mod effects;
mod material;
mod numbers;

use crate::Evaluator;
use material::VALUES;
use numbers::TEMPO;
use sanban_rules::score::MAX_EVAL;
use sanban_rules::shogi::Position;
use sanban_rules::{Color, Observer, Placement, Position as _, Score};

/// The hand-written evaluation. Material is updated incrementally; attacks are computed when a score is requested.
#[derive(Clone, Debug, Default)]
pub struct Handwritten {
    /// Material before each move, from black's point of view, in centipawns.
    stack: Vec<Score>,
    material: Score,
}

/// The sum of the values of all pieces on the board and in hand.
fn material(pos: &Position) -> Score {
    let mut sum = 0;
    pos.placements(|p| sum += Score::from(VALUES[p.index()]));
    sum
}

impl Observer for Handwritten {
    fn put(&mut self, placement: Placement) {
        self.material += Score::from(VALUES[placement.index()]);
    }

    fn take(&mut self, placement: Placement) {
        self.material -= Score::from(VALUES[placement.index()]);
    }
}

impl Evaluator<Position> for Handwritten {
    fn reset(&mut self, pos: &Position) {
        self.stack.clear();
        self.material = material(pos);
    }

    fn push(&mut self) {
        self.stack.push(self.material);
    }

    fn pop(&mut self) {
        self.material = self.stack.pop().unwrap_or(0);
    }

    fn evaluate(&mut self, pos: &Position) -> Score {
        debug_assert_eq!(self.material, material(pos), "{pos}");
        let black = self.material + effects::score(pos);
        let own = if pos.side() == Color::Black { black } else { -black };
        (own + TEMPO).clamp(-MAX_EVAL, MAX_EVAL)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random_games;

    #[test]
    fn turning_the_board_changes_nothing() {
        random_games::assert_symmetric::<sanban_rules::Shogi, Handwritten>();
    }
}
