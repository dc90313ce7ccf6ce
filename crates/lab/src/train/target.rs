//! The training target: a blend of search scores and game results.

use super::samples::{Label, LabelKind, Samples, sigmoid};
use sanban_engine::search::Bound;

/// Positions and their targets.
#[derive(Clone, Copy)]
pub struct Lesson<'a> {
    pub samples: &'a Samples,
    /// The indices of the positions to use.
    pub order: &'a [u32],
    pub target: Target,
}

#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Centipawns for an output of 1.0.
    pub scale: f32,
    /// Weight of the game's result relative to the search score, 0 to 1.
    pub wdl: f32,
}

impl Target {
    /// Expected result for the side to move, 0 to 1.
    pub fn of(&self, label: &Label) -> f32 {
        let score = sigmoid(f32::from(label.score) / self.scale);
        match label.kind {
            LabelKind::Game { result } => self.wdl * result + (1.0 - self.wdl) * score,
            LabelKind::Score(_) => score,
        }
    }

    /// The error of an output, which is an expected result. An output that satisfies a bound has no error.
    pub fn error(&self, label: &Label, out: f32) -> f32 {
        let error = out - self.of(label);
        match label.kind {
            LabelKind::Score(Bound::Lower) => error.min(0.0),
            LabelKind::Score(Bound::Upper) => error.max(0.0),
            LabelKind::Game { .. } | LabelKind::Score(Bound::Exact) => error,
        }
    }
}
