//! Which positions are learned from: those that the evaluation is asked about.

use sanban_rules::{Move, Position, Score, SearchPosition};

/// Scores beyond this many centipawns teach little: the game is decided.
pub const DECIDED: Score = 2500;

/// Is this a position to learn from: not in check, not decided, and the best move neither captures nor promotes?
pub fn is_quiet<P: SearchPosition>(pos: &P, best: Move, score: Score) -> bool {
    is_calm(pos, score) && !pos.is_noisy(best) && !best.is_promotion()
}

/// The same of a position whose best move is not known.
pub fn is_calm<P: Position>(pos: &P, score: Score) -> bool {
    score.abs() <= DECIDED && !pos.in_check()
}
