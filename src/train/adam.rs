//! The optimizer: AdamW (Loshchilov and Hutter, "Decoupled weight decay regularization", 2019).

use super::learn::Worker;
use super::model::{CLIP, Model};
use rayon::prelude::*;

/// AdamW's usual constants.
const BETA: [f32; 2] = [0.9, 0.999];
const EPSILON: f32 = 1e-8;
const DECAY: f32 = 0.01;
/// Parameters that one task updates.
const CHUNK: usize = 1 << 14;

/// Steps of AdamW and the moments they need.
#[derive(Clone)]
pub struct Optimizer {
    /// Steps made.
    pub step: u64,
    /// Running mean of the gradient.
    pub mean: Vec<f32>,
    /// Running mean of its square.
    pub square: Vec<f32>,
}

impl Optimizer {
    /// No step made yet.
    pub fn new(model: &Model) -> Self {
        let n = model.params.len();
        Self { step: 0, mean: vec![0.0; n], square: vec![0.0; n] }
    }

    /// One step along the mean gradient of a batch of `batch` positions.
    pub fn step(&mut self, model: &mut Model, workers: &[Worker], batch: usize, rate: f32) {
        self.step += 1;
        let correction = BETA.map(|beta| 1.0 - f64::from(beta).powi(self.step.min(1 << 20) as i32) as f32);
        let share = 1.0 / batch as f32;
        let bounded =
            [0..model.rows * model.hidden, (model.rows + 1) * model.hidden..(model.rows + 3) * model.hidden];
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
            for (((p, m), s), g) in params.iter_mut().zip(mean).zip(square).zip(&grad) {
                let g = g * share;
                *m = BETA[0] * *m + (1.0 - BETA[0]) * g;
                *s = BETA[1] * *s + (1.0 - BETA[1]) * g * g;
                let direction = (*m / correction[0]) / ((*s / correction[1]).sqrt() + EPSILON);
                *p -= rate * (direction + DECAY * *p);
            }
            for range in &bounded {
                let (from, to) = (range.start.max(start), range.end.min(start + params.len()));
                if from < to {
                    params[from - start..to - start].iter_mut().for_each(|p| *p = p.clamp(-CLIP, CLIP));
                }
            }
        });
    }
}
