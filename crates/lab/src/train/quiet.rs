//! Selects the positions that the evaluation is used for.

use sanban_rules::{Move, Position, Score, SearchPosition};

/// Scores beyond this number of centipawns mean that the game is decided. Such positions are not useful for training.
pub const DECIDED: Score = 2500;

/// Returns whether a position is useful for training: not in check, not decided, and with a best move that neither
/// captures nor promotes.
pub fn is_quiet<P: SearchPosition>(pos: &P, best: Move, score: Score) -> bool {
    is_calm(pos, score) && !pos.is_noisy(best) && !best.is_promotion()
}

/// Like [`is_quiet`], for a position whose best move is unknown.
pub fn is_calm<P: Position>(pos: &P, score: Score) -> bool {
    score.abs() <= DECIDED && !pos.in_check()
}
