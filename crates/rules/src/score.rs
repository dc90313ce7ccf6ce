//! Scores: centipawns from the side to move's point of view, and mates counted in plies.

/// A score in centipawns (100 = a pawn), from the side to move's point of view.
pub type Score = i32;

/// Deepest ply a search may reach.
pub const MAX_PLY: usize = 246;
/// The score of a mate in 0 plies; every score lies within `-MATE..=MATE`.
pub const MATE: Score = 32_000;
/// Larger than every score.
pub const INFINITE: Score = 32_001;
/// Denotes a missing score, for example before the root; larger than any score.
pub const NO_SCORE: Score = 32_002;
/// Scores beyond `±DECISIVE` are mates. The range allows mates of up to 2,000 plies, because mate problems can be long.
pub const DECISIVE: Score = 30_000;
/// The score of a repetition with more pieces in hand (negated: fewer): better than any evaluation, but less than a
/// mate.
pub const SUPERIOR: Score = 28_000;
/// Evaluations are clamped to `±MAX_EVAL`.
pub const MAX_EVAL: Score = 27_000;

/// The score if the side to move gives mate in `ply` plies.
pub const fn mate_in(ply: usize) -> Score {
    MATE - ply as Score
}

/// The score if the side to move is mated in `ply` plies.
pub const fn mated_in(ply: usize) -> Score {
    ply as Score - MATE
}

/// Returns whether this is a mate score.
pub const fn is_decisive(score: Score) -> bool {
    score.abs() > DECISIVE
}

/// Returns whether the score is in the range of evaluations, that is, neither a mate nor a superior or inferior
/// repetition.
pub const fn is_evaluation(score: Score) -> bool {
    score.abs() <= MAX_EVAL
}

/// The number of plies to mate for a mate score, negative if the side to move is mated; `None` for any other score.
pub const fn mate_distance(score: Score) -> Option<i32> {
    if score > DECISIVE {
        Some(MATE - score)
    } else if score < -DECISIVE {
        Some(-MATE - score)
    } else {
        None
    }
}

/// Converts a root-relative mate score to a node-relative one, for the transposition table.
#[inline]
pub const fn to_table(score: Score, ply: usize) -> Score {
    if score > DECISIVE {
        score + ply as Score
    } else if score < -DECISIVE {
        score - ply as Score
    } else {
        score
    }
}

/// The inverse of [`to_table`].
#[inline]
pub const fn from_table(score: Score, ply: usize) -> Score {
    if score > DECISIVE {
        score - ply as Score
    } else if score < -DECISIVE {
        score + ply as Score
    } else {
        score
    }
}
