//! Compares a network file with the trained parameters.

use super::error::TrainError;
use sanban_engine::nnue::network::Sides;
use sanban_engine::nnue::{Between, FeatureTransformer, Network, layers, simd};
use sanban_rules::Score;

/// Number of positions on which the quantised network is compared with the trained parameters.
pub const COMPARED: usize = 20_000;

/// The comparison of the quantised network with the trained parameters.
#[derive(Clone, Debug, Default)]
pub struct Comparison {
    pub positions: usize,
    /// Mean difference in centipawns.
    pub mean: f64,
    /// Largest difference in centipawns.
    pub largest: f64,
    /// Smallest and largest sum in the first layer; 16 bits hold ±32767.
    pub range: (i32, i32),
}

impl Comparison {
    /// Computes the sums of the first layer for one perspective, which must fit into 16 bits.
    ///
    /// # Errors
    /// A sum does not fit.
    pub fn sums(
        &mut self,
        first: &FeatureTransformer,
        rows: impl Iterator<Item = usize>,
    ) -> Result<Vec<i16>, TrainError> {
        let mut sums = first.bias.to_vec();
        let mut wide: Vec<i32> = sums.iter().map(|&bias| bias.into()).collect();
        for row in rows.map(|row| first.row(row)) {
            layers::add(&mut sums, &row);
            wide.iter_mut().zip(&row).for_each(|(sum, &w)| *sum += i32::from(w));
        }
        for (neuron, (&wide, &sum)) in wide.iter().zip(&sums).enumerate() {
            self.range = (self.range.0.min(wide), self.range.1.max(wide));
            if wide != i32::from(sum) {
                return Err(TrainError::Overflow { neuron, sum: wide });
            }
        }
        Ok(sums)
    }

    /// Compares one more position: the network's output for these sums with the expected centipawns, and every
    /// implementation of the integer arithmetic with the reference, which must agree exactly.
    ///
    /// # Errors
    /// The implementations differ.
    pub fn add(
        &mut self,
        network: &Network,
        [us, them]: &[Vec<i16>; 2],
        exact: f64,
    ) -> Result<(), TrainError> {
        let sides = Sides { us, them, set: 0 };
        let score = |kernels| network.score(kernels, sides, &mut Between::default());
        let scores: Vec<Score> = simd::available().into_iter().map(score).collect();
        if scores.iter().any(|score| *score != scores[0]) {
            return Err(TrainError::Disagreement(scores));
        }
        let difference = (exact - f64::from(scores[0])).abs();
        self.mean = (self.mean * self.positions as f64 + difference) / (self.positions + 1) as f64;
        self.positions += 1;
        self.largest = self.largest.max(difference);
        Ok(())
    }
}
