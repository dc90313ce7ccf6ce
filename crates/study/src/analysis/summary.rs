//! Statistics of a game for each side.

use super::{Analysis, Class};
use sanban_rules::Color;
use std::time::Duration;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct SideSummary {
    /// Number of moves evaluated.
    pub moves: usize,
    /// Moves of each class, in the order of [`Class::ALL`].
    pub classes: [usize; Class::ALL.len()],
    /// Sum of the losses in percentage points.
    lost: f64,
    /// Time used, if the record contains it.
    pub time: Option<Duration>,
}

impl SideSummary {
    /// Percentage of moves that were the best move.
    pub fn agreement(&self) -> f64 {
        100.0 * self.classes[Class::Best as usize] as f64 / self.moves.max(1) as f64
    }

    /// Average loss of a move, in percentage points.
    pub fn average_loss(&self) -> f64 {
        self.lost / self.moves.max(1) as f64
    }
}

/// Both sides, black first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary(pub [SideSummary; 2]);

impl Summary {
    /// Summarises an analysed game; `times` contains the times of its moves.
    pub fn new(analysis: &Analysis, times: &[Option<Duration>]) -> Self {
        let mut out = Self::default();
        for (index, position) in analysis.positions.iter().enumerate() {
            let (Some(class), Some(loss)) = (analysis.class(index), analysis.loss(index)) else { continue };
            let side = &mut out.0[position.side.index()];
            side.moves += 1;
            side.classes[class as usize] += 1;
            side.lost += loss;
            if let Some(time) = times.get(index).copied().flatten() {
                *side.time.get_or_insert_default() += time;
            }
        }
        out
    }

    pub fn side(&self, color: Color) -> &SideSummary {
        &self.0[color.index()]
    }
}
