//! Forward and backward through the network.
//!
//! Some positions are worked on together, tile by tile and, within a tile, row by row: the row stays in registers while
//! all positions that have it pass, and what belongs to the positions stays in the processor's nearest cache.

use super::model::{Model, Rows, TILE, Target, sigmoid};
use super::samples::{Label, Samples};
use crate::base::Rng;
use crate::nnue::Features;

/// Positions that are worked on together.
const CHUNK: usize = 128;

/// Two sides of each.
const ENTRIES: usize = 2 * CHUNK;

/// One number for each neuron of a tile.
type Tile = [f32; TILE];

/// Who has which row: the entries (twice the position, plus the side) of the positions of a chunk, by row.
#[derive(Default)]
struct Users {
    /// Where the entries of each row end.
    ends: Vec<u32>,
    entries: Vec<u16>,
}

impl Users {
    /// Sorts by counting.
    fn find(&mut self, rows: usize, positions: &[Rows]) {
        self.ends.clear();
        self.ends.resize(rows, 0);
        let all = || {
            let pairs =
                positions.iter().enumerate().flat_map(|(n, rows)| rows.pairs().iter().map(move |p| (n, p)));
            pairs.flat_map(|(n, pair)| {
                (0..2).map(move |side| (usize::from(pair[side]), (2 * n + side) as u16))
            })
        };
        all().for_each(|(row, _)| self.ends[row] += 1);
        let mut sum = 0;
        for end in &mut self.ends {
            // Where they begin, at first; every entry moves it on.
            sum += std::mem::replace(end, sum);
        }
        self.entries.resize(sum as usize, 0);
        for (row, entry) in all() {
            let at = &mut self.ends[row];
            self.entries[*at as usize] = entry;
            *at += 1;
        }
    }

    /// Calls `f` with every row that somebody has, and who.
    #[inline]
    fn each(&self, mut f: impl FnMut(usize, &[u16])) {
        let mut start = 0;
        for (row, &end) in self.ends.iter().enumerate() {
            let entries = &self.entries[start..end as usize];
            if !entries.is_empty() {
                f(row, entries);
            }
            start = end as usize;
        }
    }
}

/// One thread's part of the work on a batch.
pub struct Worker {
    grad: Vec<f32>,
    rows: Vec<Rows>,
    users: Users,
    labels: Vec<Label>,
    /// What the first layer says: `[tile][entry]`.
    sums: Vec<[Tile; ENTRIES]>,
    /// Sum of the squared errors of its positions.
    pub loss: f64,
}

/// The clipped ReLU.
#[inline]
fn clip(x: f32) -> f32 {
    x.clamp(0.0, 1.0)
}

/// The tiles of a row of numbers.
fn tiles(values: &[f32]) -> &[Tile] {
    values.as_chunks().0
}

impl Worker {
    /// A worker for a model of this size.
    pub fn new(model: &Model) -> Self {
        Self {
            grad: vec![0.0; model.params.len()],
            rows: vec![Rows::default(); CHUNK],
            users: Users::default(),
            labels: Vec::with_capacity(CHUNK),
            sums: vec![[[0.0; TILE]; ENTRIES]; model.hidden / TILE],
            loss: 0.0,
        }
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
        for chunk in order.chunks(CHUNK) {
            self.find(features, samples, chunk, || 0);
            let out = self.forward(model);
            for (out, label) in out.iter().zip(&self.labels) {
                self.loss += f64::from(sigmoid(*out) - target.of(label)).powi(2);
            }
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
        for chunk in order.chunks(CHUNK) {
            self.find(features, samples, chunk, || rng.next());
            let mut slopes = self.forward(model);
            for (slope, label) in slopes.iter_mut().zip(&self.labels) {
                let out = sigmoid(*slope);
                let error = out - target.of(label);
                self.loss += f64::from(error).powi(2);
                *slope = 2.0 * error * out * (1.0 - out);
            }
            self.backward(model, &slopes[..chunk.len()]);
        }
    }

    /// The gradient of the last positions learned from.
    pub fn gradient(&self) -> &[f32] {
        &self.grad
    }

    fn find(&mut self, features: &Features, samples: &Samples, chunk: &[u32], mut coin: impl FnMut() -> u64) {
        self.labels.clear();
        for (&index, rows) in chunk.iter().zip(&mut self.rows) {
            self.labels.push(rows.find(features, samples, index as usize, coin()));
        }
        self.users.find(features.rows, &self.rows[..chunk.len()]);
    }

    /// The network's output for each position; leaves the sums of the first layer behind.
    fn forward(&mut self, model: &Model) -> [f32; CHUNK] {
        let (bias, output, last) = model.rest();
        let (us, them) = output.split_at(model.hidden);
        let mut parts = [[0.0; TILE]; CHUNK];
        for (tile, sums) in self.sums.iter_mut().enumerate() {
            sums.fill(tiles(bias)[tile]);
            let weights = model.tile(tile);
            self.users.each(|row, entries| {
                let row = weights[row];
                for &entry in entries {
                    let sum = &mut sums[usize::from(entry) % ENTRIES];
                    (0..TILE).for_each(|j| sum[j] += row[j]);
                }
            });
            let output = [tiles(us)[tile], tiles(them)[tile]];
            for (both, part) in sums.as_chunks::<2>().0.iter().zip(&mut parts) {
                for side in 0..2 {
                    (0..TILE).for_each(|j| part[j] += output[side][j] * clip(both[side][j]).powi(2));
                }
            }
        }
        parts.map(|part| part.iter().sum::<f32>() + last)
    }

    /// Adds the gradients of the positions; `slopes` are those of the error by the output.
    fn backward(&mut self, model: &Model, slopes: &[f32]) {
        let (_, output, _) = model.rest();
        let (us, them) = output.split_at(model.hidden);
        let (grad_first, rest) = self.grad.split_at_mut(model.rows * model.hidden);
        let (grad_bias, rest) = rest.split_at_mut(model.hidden);
        let (grad_output, grad_last) = rest.split_at_mut(2 * model.hidden);
        grad_last[0] += slopes.iter().sum::<f32>();
        let grad_first = grad_first.as_chunks_mut::<TILE>().0;
        for (tile, (grad, sums)) in grad_first.chunks_mut(model.rows).zip(&mut self.sums).enumerate() {
            let output = [tiles(us)[tile], tiles(them)[tile]];
            let (mut by_bias, mut by_output) = ([0.0; TILE], [[0.0; TILE]; 2]);
            // The sums become their slopes.
            for (both, slope) in sums.as_chunks_mut::<2>().0.iter_mut().zip(slopes) {
                for side in 0..2 {
                    for j in 0..TILE {
                        let a = clip(both[side][j]);
                        by_output[side][j] += slope * a * a;
                        // Where the ReLU is clipped, nothing passes.
                        let open = if a == both[side][j] { 2.0 * a } else { 0.0 };
                        both[side][j] = slope * output[side][j] * open;
                        by_bias[j] += both[side][j];
                    }
                }
            }
            self.users.each(|row, entries| {
                let mut sum = grad[row];
                for &entry in entries {
                    let slope = &sums[usize::from(entry) % ENTRIES];
                    (0..TILE).for_each(|j| sum[j] += slope[j]);
                }
                grad[row] = sum;
            });
            let at = tile * TILE;
            (0..TILE).for_each(|j| grad_bias[at + j] += by_bias[j]);
            for side in 0..2 {
                (0..TILE).for_each(|j| grad_output[side * model.hidden + at + j] += by_output[side][j]);
            }
        }
    }
}
