//! Scores: centipawns from the side to move's point of view, and mates counted in plies.

/// A score in centipawns (100 = a pawn), from the side to move's point of view.
pub type Score = i32;

/// Deepest ply a search may reach.
pub const MAX_PLY: usize = 246;
/// The score of being mated at once, negated; every score lies within `-MATE..=MATE`.
pub const MATE: Score = 32_000;
/// Larger than every score.
pub const INFINITE: Score = 32_001;
/// The absence of a score, as before the root; larger than any score.
pub const NO_SCORE: Score = 32_002;
/// Scores beyond `±DECISIVE` are mates. The range has room for 2,000 plies, because mate problems can be long.
pub const DECISIVE: Score = 30_000;
/// A repetition with more (or fewer) pieces in hand: better than any evaluation, less than a mate.
pub const SUPERIOR: Score = 28_000;
/// Evaluations are clamped to `±MAX_EVAL`.
pub const MAX_EVAL: Score = 27_000;

/// The side to move gives mate after `ply` plies.
pub const fn mate_in(ply: usize) -> Score {
    MATE - ply as Score
}

/// The side to move is mated after `ply` plies.
pub const fn mated_in(ply: usize) -> Score {
    ply as Score - MATE
}

/// Is this score a mate for one side?
pub const fn is_decisive(score: Score) -> bool {
    score.abs() > DECISIVE
}

/// Is it in the range of evaluations, and so neither a mate nor a repetition with a better hand?
pub const fn is_evaluation(score: Score) -> bool {
    score.abs() <= MAX_EVAL
}

/// Plies to mate of a decisive score, with the sign of the side that wins; `None` for an ordinary score.
pub const fn mate_distance(score: Score) -> Option<i32> {
    if score > DECISIVE {
        Some(MATE - score)
    } else if score < -DECISIVE {
        Some(-MATE - score)
    } else {
        None
    }
}

/// Root-relative mate scores become node-relative for the transposition table.
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
