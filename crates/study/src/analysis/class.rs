//! Win rates, and the classification of moves by their loss.

use crate::teach::{Language, text};
use sanban_rules::Score;
use sanban_rules::score::mate_distance;

/// The win rate in percent of the side to which the score applies, a logistic function with a scale of 600 centipawns.
pub fn win_rate(score: Score) -> f64 {
    match mate_distance(score) {
        Some(_) => {
            if score > 0 {
                100.0
            } else {
                0.0
            }
        }
        None => 100.0 / (1.0 + (-f64::from(score) / 600.0).exp()),
    }
}

/// The class of a move. The thresholds are those of ShogiHome.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// The best move found.
    Best,
    /// Another good move.
    Good,
    /// The win rate drops by at least 5 percentage points.
    Inaccuracy,
    /// The win rate drops by at least 10 percentage points.
    Dubious,
    /// The win rate drops by at least 20 percentage points.
    Mistake,
    /// The win rate drops by at least 50 percentage points.
    Blunder,
}

impl Class {
    /// Every class, the best first.
    pub const ALL: [Self; 6] =
        [Self::Best, Self::Good, Self::Inaccuracy, Self::Dubious, Self::Mistake, Self::Blunder];

    /// The class of a move other than the best, by its loss in percentage points.
    pub fn of_loss(loss: f64) -> Self {
        match loss {
            loss if loss >= 50.0 => Self::Blunder,
            loss if loss >= 20.0 => Self::Mistake,
            loss if loss >= 10.0 => Self::Dubious,
            loss if loss >= 5.0 => Self::Inaccuracy,
            _ => Self::Good,
        }
    }

    pub fn name(self, language: Language) -> String {
        text(language, &format!("class-{}", self.english()), &[])
    }

    pub const fn english(self) -> &'static str {
        ["best", "good", "inaccuracy", "dubious", "mistake", "blunder"][self as usize]
    }

    /// Returns whether moves of this class are marked as bad.
    pub fn is_bad(self) -> bool {
        self >= Self::Inaccuracy
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sanban_rules::score::mate_in;

    #[test]
    fn chances() {
        assert_eq!(win_rate(0), 50.0);
        assert!((win_rate(600) - 73.1).abs() < 0.1);
        assert_eq!((win_rate(mate_in(3)), win_rate(-mate_in(3))), (100.0, 0.0));
    }

    #[test]
    fn bounds_of_the_classes() {
        let classes = [0.0, 4.9, 5.0, 10.0, 20.0, 50.0].map(Class::of_loss);
        use Class::*;
        assert_eq!(classes, [Good, Good, Inaccuracy, Dubious, Mistake, Blunder]);
        assert!(!Good.is_bad() && Inaccuracy.is_bad());
    }
}
