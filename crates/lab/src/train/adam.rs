//! The optimiser: AdamW (Loshchilov and Hutter, "Decoupled weight decay regularization", 2019).

use super::learn::Worker;
use super::model::{CLIP, Model};
use rayon::prelude::*;

/// AdamW's usual constants.
const BETA: [f32; 2] = [0.9, 0.999];
const EPSILON: f32 = 1e-8;
const DECAY: f32 = 0.01;
/// Number of parameters updated by one task.
const CHUNK: usize = 1 << 14;

/// The learning rate and the bias correction of an optimiser step.
#[derive(Clone, Copy)]
pub struct Step {
    /// The learning rate.
    rate: f32,
    /// Factor for the gradients: one over the number of positions.
    share: f32,
    /// Bias correction of the means.
    correction: [f32; 2],
}

impl Step {
    /// Creates the step with this number, from 1, for the mean gradient of `positions` positions.
    pub fn new(step: u64, rate: f32, positions: usize) -> Self {
        let [mean, square] = BETA.map(|beta| 1.0 - f64::from(beta).powi(step.min(1 << 20) as i32));
        Self {
            rate,
            share: 1.0 / positions as f32,
            correction: [1.0 / mean, 1.0 / square.sqrt()].map(|c| c as f32),
        }
    }
}

/// Updates parameters by one step against their gradients and clamps them to `±bound`.
#[inline]
pub fn follow(
    params: &mut [f32],
    mean: &mut [f32],
    square: &mut [f32],
    gradients: &[f32],
    step: Step,
    bound: f32,
) {
    for (((p, m), s), g) in params.iter_mut().zip(mean).zip(square).zip(gradients) {
        let g = g * step.share;
        *m = BETA[0] * *m + (1.0 - BETA[0]) * g;
        *s = BETA[1] * *s + (1.0 - BETA[1]) * g * g;
        let direction = *m * step.correction[0] / (s.sqrt() * step.correction[1] + EPSILON);
        *p = (*p - step.rate * (direction + DECAY * *p)).clamp(-bound, bound);
    }
}

/// AdamW and its moments.
#[derive(Clone)]
pub struct Optimizer {
    /// Number of steps taken.
    pub step: u64,
    /// Running mean of the gradient.
    pub mean: Vec<f32>,
    /// Running mean of the squared gradient.
    pub square: Vec<f32>,
}

impl Optimizer {
    /// An optimiser before the first step.
    pub fn new(parameters: usize) -> Self {
        Self { step: 0, mean: vec![0.0; parameters], square: vec![0.0; parameters] }
    }

    /// Takes one descent step with the mean gradient of a batch of `batch` positions.
    pub fn step(&mut self, model: &mut Model, workers: &[Worker], batch: usize, rate: f32) {
        self.step += 1;
        let step = Step::new(self.step, rate, batch);
        let (bias, output) = (model.rows * model.hidden, (model.rows + 1) * model.hidden);
        let bounds =
            [(0..bias, CLIP), (bias..output, f32::INFINITY), (output..output + 2 * model.hidden, CLIP)];
        let rest = (output + 2 * model.hidden..model.params.len(), f32::INFINITY);
        let chunks = model.params.par_chunks_mut(CHUNK);
        let moments = self.mean.par_chunks_mut(CHUNK).zip(self.square.par_chunks_mut(CHUNK));
        chunks.zip(moments).enumerate().for_each(|(chunk, (params, (mean, square)))| {
            let start = chunk * CHUNK;
            let mut grad = [0.0f32; CHUNK];
            for worker in workers {
                for (g, w) in grad.iter_mut().zip(&worker.gradient()[start..start + params.len()]) {
                    *g += w;
                }
            }
            for (range, bound) in bounds.iter().chain([&rest]) {
                let (from, to) = (range.start.max(start), range.end.min(start + params.len()));
                if from < to {
                    let part = from - start..to - start;
                    let (mean, square) = (&mut mean[part.clone()], &mut square[part.clone()]);
                    follow(&mut params[part.clone()], mean, square, &grad[part], step, *bound);
                }
            }
        });
    }
}
