//! The network in floating point: forward, backward, and one step of AdamW (Loshchilov and Hutter 2019).

use super::samples::Samples;
use crate::base::Rng;
use crate::game::Placement;
use crate::nnue::Features;
use rayon::prelude::*;

/// Largest first-layer weight: 40 inputs of it and a bias fit 16 bits when 1.0 is 255.
pub const CLIP: f32 = 1.98;
/// AdamW's usual constants.
const BETA: [f32; 2] = [0.9, 0.999];
const EPSILON: f32 = 1e-8;
const DECAY: f32 = 0.01;
/// Parameters that one task updates.
const CHUNK: usize = 1 << 14;

/// All parameters in one row: first-layer weights `[row][neuron]`, first-layer biases, output weights (the side to
/// move's first), output bias.
#[derive(Clone)]
pub struct Model {
    /// Neurons a side, a multiple of 32.
    pub hidden: usize,
    /// Rows of the first layer.
    pub rows: usize,
    /// The parameters.
    pub params: Vec<f32>,
}

/// What a position should be worth.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Centipawns of an output of 1.0.
    pub scale: f32,
    /// Share of the game's result, against the search's score; 0 to 1.
    pub wdl: f32,
}

fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

impl Target {
    /// Expected result for the side to move, 0 to 1.
    fn of(&self, score: i16, result: f32) -> f32 {
        self.wdl * result + (1.0 - self.wdl) * sigmoid(f32::from(score) / self.scale)
    }
}

impl Model {
    /// Random weights that depend on the seed alone.
    pub fn new(features: &Features, hidden: usize, seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        let rows = features.rows;
        let mut params = vec![0.0; rows * hidden + hidden + 2 * hidden + 1];
        let mut fill = |values: &mut [f32], spread: f32| {
            values.iter_mut().for_each(|v| *v = (2.0 * rng.unit() as f32 - 1.0) * spread);
        };
        // About 40 inputs are on in a position.
        fill(&mut params[..rows * hidden], 1.0 / 40f32.sqrt());
        fill(&mut params[rows * hidden + hidden..][..2 * hidden], 1.0 / (2.0 * hidden as f32).sqrt());
        Self { hidden, rows, params }
    }

    /// First-layer weights, their biases, output weights, output bias.
    pub fn split(&self) -> (&[f32], &[f32], &[f32], f32) {
        let (first, rest) = self.params.split_at(self.rows * self.hidden);
        let (bias, rest) = rest.split_at(self.hidden);
        let (output, last) = rest.split_at(2 * self.hidden);
        (first, bias, output, last[0])
    }
}

/// The rows of the side to move and of the other side in a position.
#[derive(Clone, Default)]
pub struct Rows([Vec<u32>; 2]);

impl Rows {
    /// Looks a position up. Where a king stands so that both views are equally right, `coin` decides.
    pub fn find(&mut self, features: &Features, samples: &Samples, index: usize, coin: u64) {
        let (placements, label) = samples.get(index);
        let placements: arrayvec::ArrayVec<Placement, 64> = placements.take(64).collect();
        let mut buckets = [0u8; 2];
        for &p in &placements {
            if let Some((color, bucket)) = features.king(p) {
                let both = features.views == 2 && features.row(color, 0, p) == features.row(color, 1, p);
                let turned = both && coin >> color.index() & 1 != 0;
                buckets[color.index()] = if turned { 1 - bucket } else { bucket };
            }
        }
        for (rows, color) in self.0.iter_mut().zip([label.side, !label.side]) {
            rows.clear();
            let row = |&p: &Placement| features.row(color, buckets[color.index()], p).map(|row| row as u32);
            rows.extend(placements.iter().filter_map(row));
        }
    }

    /// Rows of the side to move, and of the other.
    pub fn sides(&self) -> &[Vec<u32>; 2] {
        &self.0
    }
}

/// One thread's part of the work on a batch.
pub struct Worker {
    grad: Vec<f32>,
    acc: [Vec<f32>; 2],
    rows: Rows,
    /// Sum of the squared errors of its positions.
    pub loss: f64,
}

impl Worker {
    /// A worker for a model of this size.
    pub fn new(model: &Model) -> Self {
        let acc = || vec![0.0; model.hidden];
        Self { grad: vec![0.0; model.params.len()], acc: [acc(), acc()], rows: Rows::default(), loss: 0.0 }
    }

    /// The network's output for the position in `self.rows`; leaves the sums in `self.acc`.
    fn forward(&mut self, model: &Model) -> f32 {
        if model.hidden.is_multiple_of(64) {
            self.forward_by::<64>(model)
        } else {
            self.forward_by::<32>(model)
        }
    }

    /// `TILE` neurons are worked on at once: they stay in the vector registers.
    fn forward_by<const TILE: usize>(&mut self, model: &Model) -> f32 {
        let (first, bias, output, last) = model.split();
        let hidden = model.hidden;
        let mut sums = [0.0f32; TILE];
        for (side, acc) in self.acc.iter_mut().enumerate() {
            let output = &output[side * hidden..][..hidden];
            for at in (0..hidden).step_by(TILE) {
                let mut tile = [0.0f32; TILE];
                tile.copy_from_slice(&bias[at..at + TILE]);
                for &row in &self.rows.0[side] {
                    let weights = &first[row as usize * hidden + at..][..TILE];
                    for j in 0..TILE {
                        tile[j] += weights[j];
                    }
                }
                acc[at..at + TILE].copy_from_slice(&tile);
                let output = &output[at..at + TILE];
                for j in 0..TILE {
                    let a = tile[j].clamp(0.0, 1.0);
                    sums[j] += output[j] * a * a;
                }
            }
        }
        sums.iter().sum::<f32>() + last
    }

    /// Squared error of positions, without learning from them.
    pub fn measure(
        &mut self,
        model: &Model,
        features: &Features,
        samples: &Samples,
        order: &[u32],
        target: Target,
    ) {
        self.loss = 0.0;
        for &index in order {
            self.rows.find(features, samples, index as usize, 0);
            let out = self.forward(model);
            let label = samples.get(index as usize).1;
            self.loss += f64::from(sigmoid(out) - target.of(label.score, label.result)).powi(2);
        }
    }

    /// Sums the gradient of the squared error over some positions.
    pub fn learn(
        &mut self,
        model: &Model,
        features: &Features,
        samples: &Samples,
        order: &[u32],
        target: Target,
        mut rng: Rng,
    ) {
        self.loss = 0.0;
        self.grad.fill(0.0);
        for &index in order {
            self.rows.find(features, samples, index as usize, rng.next());
            let out = sigmoid(self.forward(model));
            let label = samples.get(index as usize).1;
            let error = out - target.of(label.score, label.result);
            self.loss += f64::from(error).powi(2);
            let delta = 2.0 * error * out * (1.0 - out);
            if model.hidden.is_multiple_of(64) {
                self.backward::<64>(model, delta);
            } else {
                self.backward::<32>(model, delta);
            }
        }
    }

    /// Adds the gradient of one position; `delta` is the error's slope by the output.
    fn backward<const TILE: usize>(&mut self, model: &Model, delta: f32) {
        let hidden = model.hidden;
        let (_, _, output, _) = model.split();
        let (grad_first, rest) = self.grad.split_at_mut(model.rows * hidden);
        let (grad_bias, rest) = rest.split_at_mut(hidden);
        let (grad_output, grad_last) = rest.split_at_mut(2 * hidden);
        grad_last[0] += delta;
        for (side, acc) in self.acc.iter().enumerate() {
            for at in (0..hidden).step_by(TILE) {
                let acc = &acc[at..at + TILE];
                let weights = &output[side * hidden + at..][..TILE];
                let grad = &mut grad_output[side * hidden + at..][..TILE];
                let mut back = [0.0f32; TILE];
                for j in 0..TILE {
                    let a = acc[j].clamp(0.0, 1.0);
                    grad[j] += delta * a * a;
                    let open = if acc[j] > 0.0 && acc[j] < 1.0 { 2.0 * a } else { 0.0 };
                    back[j] = delta * weights[j] * open;
                }
                let grad = &mut grad_bias[at..at + TILE];
                for j in 0..TILE {
                    grad[j] += back[j];
                }
                for &row in &self.rows.0[side] {
                    let grad = &mut grad_first[row as usize * hidden + at..][..TILE];
                    for j in 0..TILE {
                        grad[j] += back[j];
                    }
                }
            }
        }
    }
}

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
                for (g, w) in grad.iter_mut().zip(&worker.grad[start..start + params.len()]) {
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

#[cfg(test)]
impl Worker {
    /// The gradient of the last positions learned from.
    pub fn gradient(&self) -> &[f32] {
        &self.grad
    }
}
