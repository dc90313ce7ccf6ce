//! Quantises trained parameters for a network file, converts them back, and compares both.

use super::error::TrainError;
use super::model::{Model, Rows};
use super::samples::Samples;
use sanban_engine::nnue::file::{MAX_SHIFT, MAX_UNIT, MOST_OUTPUT, Weights};
use sanban_engine::nnue::network::{Sides, Tail};
use sanban_engine::nnue::{Between, FeatureTransformer, Features, Network, layers, simd};
use sanban_rules::Score;

/// Maximum number of pieces in any game, and thus of rows summed in the first layer.
const PIECES: usize = 40;

/// Rounds a model to the nearest integers. `scale`: centipawns for an output of 1.0.
pub fn quantise(model: &Model, scale: f32, origin: String) -> Weights {
    let (bias, output, last) = model.rest();
    let total: f32 = output.iter().map(|w| w.abs()).sum();
    let largest = output.iter().fold(0.0, |a: f32, w| a.max(w.abs()));
    // The largest unit for which the sum fits into 32 bits and each weight into 16 bits. Rounding may add one half to
    // every weight.
    let fits = |unit: i32| {
        let unit = unit as f32;
        total * unit + output.len() as f32 / 2.0 <= MOST_OUTPUT as f32
            && largest * unit <= f32::from(i16::MAX)
    };
    let unit = (0..=MAX_UNIT.ilog2()).rev().map(|bits| 1 << bits).find(|&unit| fits(unit)).unwrap_or(1);
    let highest = (0..model.hidden).map(|j| highest_sum(model, j)).fold(0.0, f32::max);
    let shift = (0..=MAX_SHIFT)
        .rev()
        .find(|&shift| highest * one(shift) + PIECES as f32 / 2.0 + 128.0 <= f32::from(i16::MAX));
    let shift = shift.unwrap_or(0);
    let first = (0..model.rows)
        .flat_map(|row| (0..model.hidden).map(move |j| model.weight(row, j)))
        .collect::<Vec<_>>();
    let round =
        |values: &[f32], unit: f32| values.iter().map(|v| (v * unit).round() as i16).collect::<Vec<_>>();
    Weights {
        hidden: model.hidden,
        bias: round(bias, one(shift)).into_iter().map(|b| b.saturating_add(half(shift))).collect(),
        weights: round(&first, one(shift)),
        output: round(output, unit as f32),
        output_bias: (last * one(0) * one(0) * unit as f32).round() as i32,
        shift,
        unit,
        scale: scale.round() as i32,
        origin,
    }
}

/// Creates a model with the same outputs as a network in Sanban's own format, with `scale` centipawns for an output of
/// 1.0. `None` if the network has a different format or more than `hidden` neurons per side; if it has fewer, the
/// additional neurons start with random weights and zero output weights.
pub fn widened(network: &Network, hidden: usize, scale: f32, seed: u64) -> Option<Model> {
    let Tail::Own(own) = &network.tail else { return None };
    let (first, known) = (&network.first, network.first.hidden);
    if known > hidden {
        return None;
    }
    let mut model = Model::new(network.features, hidden, seed);
    for row in 0..model.rows {
        for (neuron, &weight) in first.row(row).iter().enumerate() {
            *model.weight_mut(row, neuron) = f32::from(weight) / one(own.shift);
        }
    }
    let (bias, output, last) = model.rest_mut();
    for (bias, &known) in bias.iter_mut().zip(&first.bias[..]) {
        *bias = f32::from(known - half(own.shift)) / one(own.shift);
    }
    output.fill(0.0);
    let share = own.scale as f32 / scale / own.unit as f32;
    for (output, weights) in output.chunks_mut(hidden).zip(own.weights.chunks(known)) {
        output.iter_mut().zip(weights).for_each(|(o, &w)| *o = f32::from(w) * share);
    }
    *last = own.bias as f32 / one(0).powi(2) * share;
    Some(model)
}

/// Half a unit before the shift, which is added so that the shift rounds to the nearest integer instead of down.
fn half(shift: u32) -> i16 {
    if shift == 0 { 0 } else { 1 << (shift - 1) }
}

/// The fixed-point value of 1.0 in the first layer.
fn one(shift: u32) -> f32 {
    f32::from(layers::ONE) * (1 << shift) as f32
}

/// The largest absolute sum of a neuron for the largest number of pieces.
fn highest_sum(model: &Model, neuron: usize) -> f32 {
    let mut weights: Vec<f32> = (0..model.rows).map(|row| model.weight(row, neuron).abs()).collect();
    weights.sort_by(|a, b| b.total_cmp(a));
    model.rest().0[neuron].abs() + weights[..PIECES.min(weights.len())].iter().sum::<f32>()
}

/// The comparison of the quantised network with the trained parameters.
#[derive(Clone, Debug, Default)]
pub struct Comparison {
    /// Number of positions compared.
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

/// Compares the quantised network with the floating-point model on at most `most` positions. `scale`: centipawns for an
/// output of 1.0.
///
/// # Errors
/// A trained weight does not fit into its integer, or the implementations differ.
pub fn compare(
    model: &Model,
    network: &Network,
    features: &Features,
    samples: &Samples,
    most: usize,
    scale: f32,
) -> Result<Comparison, TrainError> {
    let (bias, output, last) = model.rest();
    let (mut out, mut found) = (Comparison::default(), Rows::default());
    for index in (0..samples.len()).step_by(samples.len().div_ceil(most.max(1)).max(1)) {
        found.find(features, samples, index, 0);
        let rows = |side: usize| found.pairs().iter().map(move |pair| usize::from(pair[side]));
        let mut value = f64::from(last);
        for (at, weight) in output.iter().enumerate() {
            let (side, j) = (at / model.hidden, at % model.hidden);
            let exact: f32 = bias[j] + rows(side).map(|row| model.weight(row, j)).sum::<f32>();
            value += f64::from(weight * exact.clamp(0.0, 1.0).powi(2));
        }
        let sums = [out.sums(&network.first, rows(0))?, out.sums(&network.first, rows(1))?];
        out.add(network, &sums, value * f64::from(scale.round()))?;
    }
    Ok(out)
}
