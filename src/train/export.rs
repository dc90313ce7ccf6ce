//! From trained numbers to the integers that are shipped, and the proof that they are the same network.

use super::model::{Model, Rows};
use super::samples::Samples;
use crate::base::Score;
use crate::nnue::file::Weights;
use crate::nnue::{Features, Network, layers, simd};

/// What 1.0 is in the first layer.
const QA: i16 = 255;
/// What 1.0 may be in the output weights: as fine as the largest weight allows.
const QB: [i16; 5] = [1024, 512, 256, 128, 64];
/// Largest output weight.
const LARGEST: f32 = 127.0;

/// The integers nearest to a model. `scale`: centipawns of an output of 1.0.
pub fn quantise(model: &Model, scale: f32, origin: String) -> Weights {
    let (bias, output, last) = model.rest();
    let largest = output.iter().fold(0.0, |a: f32, w| a.max(w.abs()));
    let qb = QB.into_iter().find(|&qb| largest * f32::from(qb) <= LARGEST).unwrap_or(QB[QB.len() - 1]);
    let weights: Vec<f32> =
        (0..model.rows).flat_map(|row| (0..model.hidden).map(move |j| model.weight(row, j))).collect();
    let round = |values: &[f32], unit: i16, limit: f32| -> Vec<i16> {
        values.iter().map(|v| (v * f32::from(unit)).round().clamp(-limit, limit) as i16).collect()
    };
    Weights {
        hidden: model.hidden,
        // 40 rows of at most 505 and a bias stay within 16 bits.
        bias: round(bias, QA, 12_000.0),
        weights: round(&weights, QA, 505.0),
        output: round(output, qb, LARGEST),
        output_bias: (last * f32::from(QA) * f32::from(qb)).round() as i32,
        qa: QA,
        qb,
        scale: scale.round() as i32,
        origin,
    }
}

/// How the integers compare with the numbers they came from.
#[derive(Clone, Debug, Default)]
pub struct Comparison {
    /// Positions compared.
    pub positions: usize,
    /// Mean difference in centipawns.
    pub mean: f64,
    /// Largest difference in centipawns.
    pub largest: f64,
    /// Smallest and largest sum in the first layer; 16 bits hold ±32767.
    pub range: (i32, i32),
}

/// Compares on some positions: the integers with the floating-point model, and every implementation of the integer
/// arithmetic with the definition, which must agree exactly.
pub fn compare(
    model: &Model,
    network: &Network,
    features: &Features,
    samples: &Samples,
    most: usize,
) -> Result<Comparison, String> {
    let (bias, output, last) = model.rest();
    let hidden = model.hidden;
    let mut out = Comparison::default();
    let mut rows = Rows::default();
    for index in (0..samples.len()).step_by(samples.len().div_ceil(most.max(1)).max(1)) {
        rows.find(features, samples, index, 0);
        let (mut sums, mut value) = ([vec![0i16; hidden], vec![0i16; hidden]], f64::from(last));
        for side in 0..2 {
            let rows = || rows.pairs().iter().map(|pair| usize::from(pair[side]));
            sums[side].copy_from_slice(&network.first.bias);
            rows().for_each(|row| layers::add(&mut sums[side], network.first.row(row)));
            for j in 0..hidden {
                let exact: f32 = bias[j] + rows().map(|row| model.weight(row, j)).sum::<f32>();
                value += f64::from(output[side * hidden + j] * exact.clamp(0.0, 1.0).powi(2));
                let wide: i32 = i32::from(network.first.bias[j])
                    + rows().map(|row| i32::from(network.first.row(row)[j])).sum::<i32>();
                out.range = (out.range.0.min(wide), out.range.1.max(wide));
                if wide != i32::from(sums[side][j]) {
                    return Err(format!("neuron {j} overflows with {wide}"));
                }
            }
        }
        let scores: Vec<Score> =
            simd::available().into_iter().map(|kernels| network.score(kernels, &sums[0], &sums[1])).collect();
        if scores.iter().any(|score| *score != scores[0]) {
            return Err(format!("the implementations disagree: {scores:?}"));
        }
        let difference = (value * f64::from(scale_of(network)) - f64::from(scores[0])).abs();
        out.positions += 1;
        out.mean += difference;
        out.largest = out.largest.max(difference);
    }
    out.mean /= out.positions.max(1) as f64;
    Ok(out)
}

fn scale_of(network: &Network) -> i32 {
    match &network.tail {
        crate::nnue::network::Tail::Own(own) => own.scale,
        crate::nnue::network::Tail::Dense(_) => 0,
    }
}
