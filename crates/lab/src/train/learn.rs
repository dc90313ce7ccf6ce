//! The forward and backward passes.
//!
//! Several positions are processed together, tile by tile, so that the data of a tile stay in the L1 and L2 caches. The
//! forward pass goes position by position and keeps the sums in registers while the rows are added. The backward pass
//! goes row by row and keeps the gradient in registers while the positions with this row are added.

use super::model::{Model, Rows, TILE, Target, sigmoid};
use super::row_index::{Entries, RowIndex};
use super::samples::{Label, Samples};
use sanban_engine::nnue::Features;
use sanban_rules::Rng;
use sanban_system::prefetch;

/// Number of positions that are processed together.
const CHUNK: usize = 128;

/// Number of entries: both sides of each position.
const ENTRIES: usize = 2 * CHUNK;

/// Number of values that are summed at once.
const LANES: usize = 8;

/// Number of values in a cache line.
const LINE: usize = 16;

/// One value per neuron of a tile.
type Tile = [f32; TILE];

/// Positions to process, with their target.
#[derive(Clone, Copy)]
pub struct Work<'a> {
    /// The current model.
    pub model: &'a Model,
    /// The inputs.
    pub features: &'a Features,
    /// All positions.
    pub samples: &'a Samples,
    /// The indices of the positions to process.
    pub order: &'a [u32],
    /// The target of the positions.
    pub target: Target,
}

/// The rows of positions. The entry of a side is twice the index of the position, plus the side.
struct Positions<'a>(&'a [Rows]);

impl Entries for Positions<'_> {
    #[inline]
    fn each(&self, mut f: impl FnMut(usize, u16)) {
        for (n, rows) in self.0.iter().enumerate() {
            for &[mine, theirs] in rows.pairs() {
                f(mine.into(), 2 * n as u16);
                f(theirs.into(), 2 * n as u16 + 1);
            }
        }
    }
}

/// Prefetches the rows of a tile. Prefetching all of them takes little longer than waiting for one.
fn fetch(users: &RowIndex, tile: &[Tile]) {
    for &row in users.rows() {
        tile[usize::from(row)].iter().step_by(LINE).for_each(prefetch);
    }
}

/// One thread's share of the work on a batch.
pub struct Worker {
    grad: Vec<f32>,
    rows: Vec<Rows>,
    users: RowIndex,
    labels: Vec<Label>,
    /// The sums of the first layer: `[tile][entry]`.
    sums: Vec<[Tile; ENTRIES]>,
    /// Sum of the squared errors of its positions.
    pub loss: f64,
}

/// The clipped ReLU.
fn clip(x: f32) -> f32 {
    x.clamp(0.0, 1.0)
}

fn tiles(values: &[f32]) -> &[Tile] {
    values.as_chunks().0
}

impl Worker {
    /// Creates a worker for a model of this size.
    pub fn new(model: &Model) -> Self {
        Self {
            grad: vec![0.0; model.params.len()],
            rows: vec![Rows::default(); CHUNK],
            users: RowIndex::default(),
            labels: Vec::with_capacity(CHUNK),
            sums: vec![[[0.0; TILE]; ENTRIES]; model.hidden / TILE],
            loss: 0.0,
        }
    }

    /// Sums the squared errors of positions without learning from them.
    pub fn measure(&mut self, work: Work) {
        self.loss = 0.0;
        for chunk in work.order.chunks(CHUNK) {
            self.find(work, chunk, || 0);
            let out = self.forward(work.model, chunk.len());
            for (out, label) in out.iter().zip(&self.labels) {
                self.loss += f64::from(work.target.error(label, sigmoid(*out))).powi(2);
            }
        }
    }

    /// Sums the gradient of the squared error over some positions.
    pub fn learn(&mut self, work: Work, mut rng: Rng) {
        self.loss = 0.0;
        self.grad.fill(0.0);
        for chunk in work.order.chunks(CHUNK) {
            self.find(work, chunk, || rng.next());
            let mut gradients = self.forward(work.model, chunk.len());
            for (gradient, label) in gradients.iter_mut().zip(&self.labels) {
                let out = sigmoid(*gradient);
                let error = work.target.error(label, out);
                self.loss += f64::from(error).powi(2);
                *gradient = 2.0 * error * out * (1.0 - out);
            }
            self.backward(work.model, &gradients[..chunk.len()]);
        }
    }

    /// The gradient of the last positions learned from.
    pub fn gradient(&self) -> &[f32] {
        &self.grad
    }

    fn find(&mut self, work: Work, chunk: &[u32], mut coin: impl FnMut() -> u64) {
        chunk.iter().for_each(|&index| work.samples.prefetch(index as usize));
        self.labels.clear();
        for (&index, rows) in chunk.iter().zip(&mut self.rows) {
            self.labels.push(rows.find(work.features, work.samples, index as usize, coin()));
        }
        self.users.find(work.features.rows, &Positions(&self.rows[..chunk.len()]));
    }

    /// Computes the network's output for the first `positions` positions. The sums of the first layer are kept.
    fn forward(&mut self, model: &Model, positions: usize) -> [f32; CHUNK] {
        let (bias, output, last) = model.rest();
        let (us, them) = output.split_at(model.hidden);
        let mut parts = [[0.0; LANES]; CHUNK];
        for (tile, sums) in self.sums.iter_mut().enumerate() {
            let (bias, output) = (tiles(bias)[tile], [tiles(us)[tile], tiles(them)[tile]]);
            let weights = model.tile(tile);
            fetch(&self.users, weights);
            let places = sums.as_chunks_mut::<2>().0.iter_mut().zip(&mut parts);
            for (rows, (both, part)) in self.rows[..positions].iter().zip(places) {
                let (mut mine, mut theirs) = (bias, bias);
                for &[a, b] in rows.pairs() {
                    let (a, b) = (&weights[usize::from(a)], &weights[usize::from(b)]);
                    for j in 0..TILE {
                        mine[j] += a[j];
                        theirs[j] += b[j];
                    }
                }
                for (sums, output) in [(&mine, &output[0]), (&theirs, &output[1])] {
                    for (sums, output) in
                        sums.as_chunks::<LANES>().0.iter().zip(output.as_chunks::<LANES>().0)
                    {
                        (0..LANES).for_each(|j| part[j] += output[j] * clip(sums[j]).powi(2));
                    }
                }
                *both = [mine, theirs];
            }
        }
        parts.map(|part| part.iter().sum::<f32>() + last)
    }

    /// Adds the gradients of the positions. `gradients`: the gradients of the error with respect to the outputs.
    fn backward(&mut self, model: &Model, gradients: &[f32]) {
        let (_, output, _) = model.rest();
        let (us, them) = output.split_at(model.hidden);
        let (grad_first, rest) = self.grad.split_at_mut(model.rows * model.hidden);
        let (grad_bias, rest) = rest.split_at_mut(model.hidden);
        let (grad_output, grad_last) = rest.split_at_mut(2 * model.hidden);
        grad_last[0] += gradients.iter().sum::<f32>();
        let grad_first = grad_first.as_chunks_mut::<TILE>().0;
        for (tile, (grad, sums)) in grad_first.chunks_mut(model.rows).zip(&mut self.sums).enumerate() {
            fetch(&self.users, grad);
            let output = [tiles(us)[tile], tiles(them)[tile]];
            let (mut by_bias, mut by_output) = ([0.0; TILE], [[0.0; TILE]; 2]);
            // The sums are replaced by their gradients.
            for (both, gradient) in sums.as_chunks_mut::<2>().0.iter_mut().zip(gradients) {
                for side in 0..2 {
                    for j in 0..TILE {
                        let a = clip(both[side][j]);
                        by_output[side][j] += gradient * a * a;
                        // Where the ReLU is clipped, its gradient is zero.
                        let open = if a == both[side][j] { 2.0 * a } else { 0.0 };
                        both[side][j] = gradient * output[side][j] * open;
                        by_bias[j] += both[side][j];
                    }
                }
            }
            self.users.each(|row, entries| {
                let mut sum = grad[row];
                for &entry in entries {
                    let gradient = &sums[usize::from(entry) % ENTRIES];
                    (0..TILE).for_each(|j| sum[j] += gradient[j]);
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
