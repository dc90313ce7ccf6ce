//! The layers after the first during training: three dense layers, quantised as in the file. Gradients pass through the
//! rounding unchanged (Bengio, Leonard and Courville, "Estimating or propagating gradients through stochastic neurons",
//! 2013).

use super::batch::Batch;
use super::dense::{Gradients, LANES, Lanes, Layer, ONE};
use super::first::{LINE, TILE, Tile};
use super::shape::Shape;
use crate::train::samples::sigmoid;
use crate::train::target::Target;
use sanban_system::prefetch;
use std::ops::Range;

/// The fixed-point value of 1.0 in the weights of the layers before the last.
const UNIT: f32 = 64.0;
/// Divisor of products of two neurons.
const PRODUCT: f32 = 128.0;

#[derive(Clone)]
pub struct Tail {
    layers: [Layer; 3],
    /// Whether the first dense layer reads products of pairs of neurons.
    pairs: bool,
    /// Number of neurons of both sides.
    neurons: usize,
    /// The value of an output of 1.0 in the file.
    one: f32,
}

/// One thread's share of the work on a batch.
pub struct Worker {
    /// The neurons of both sides after the clipped ReLU.
    neurons: Vec<Lanes>,
    /// Inputs and sums of the layers, and their gradients.
    inputs: [Vec<Lanes>; 3],
    sums: [Vec<Lanes>; 3],
    input_gradients: [Vec<Lanes>; 3],
    sum_gradients: [Vec<Lanes>; 3],
    gradients: [Gradients; 3],
    /// Sum of the squared errors of its positions.
    pub loss: f64,
}

/// A batch with the sums of its first layer.
#[derive(Clone, Copy)]
pub struct Work<'a> {
    pub batch: &'a Batch,
    /// The sums of the first layer: `[tile][batch index]`.
    pub sums: &'a [Tile],
    pub target: Target,
}

impl Work<'_> {
    /// Prefetches the sums of the first [`LANES`] positions, which are scattered in memory.
    fn prefetch(&self, positions: Range<usize>) {
        for position in positions.take(LANES) {
            for place in self.batch.places(position) {
                for tile in self.sums.chunks_exact(2 * self.batch.len()) {
                    tile[place].as_chunks::<LINE>().0.iter().for_each(prefetch);
                }
            }
        }
    }
}

impl Tail {
    /// Creates the layers of a shape with zero weights; an output of 1.0 is `one` in the file.
    pub fn new(shape: &Shape, one: f32) -> Self {
        let dense = shape.dense();
        let units = [UNIT, UNIT, one / ONE];
        Self {
            layers: [0, 1, 2].map(|at| Layer::new(dense[at], units[at])),
            pairs: shape.pairs(),
            neurons: 2 * shape.hidden,
            one,
        }
    }

    pub fn layers(&self) -> &[Layer; 3] {
        &self.layers
    }

    pub fn size(&self) -> usize {
        self.layers.iter().map(Layer::size).sum()
    }

    pub fn set(&mut self, mut params: &[f32]) {
        for layer in &mut self.layers {
            let (own, rest) = params.split_at(layer.size());
            layer.set(own);
            params = rest;
        }
    }

    pub fn worker(&self) -> Worker {
        let inputs = || [0, 1, 2].map(|at: usize| self.layers[at].inputs());
        let sums = || [0, 1, 2].map(|at: usize| self.layers[at].outputs());
        Worker {
            neurons: vec![[0.0; LANES]; self.neurons],
            inputs: inputs(),
            sums: sums(),
            input_gradients: inputs(),
            sum_gradients: sums(),
            gradients: [0, 1, 2].map(|at: usize| self.layers[at].gradients()),
            loss: 0.0,
        }
    }

    /// Adds the gradients of the workers, in the order of the parameters.
    pub fn collect(&self, workers: &[Worker], out: &mut [f32]) {
        for worker in workers {
            let mut rest = &mut *out;
            for (layer, gradients) in self.layers.iter().zip(&worker.gradients) {
                let (own, next) = rest.split_at_mut(layer.size());
                layer.collect(gradients, own);
                rest = next;
            }
        }
    }
}

impl Worker {
    pub fn reset(&mut self) {
        self.loss = 0.0;
        self.gradients.iter_mut().for_each(Gradients::clear);
    }

    /// Sums the squared error of positions, without learning from them, and appends the outputs, quantised as in the
    /// file.
    pub fn measure(&mut self, tail: &Tail, work: Work, positions: Range<usize>, out: &mut Vec<f32>) {
        for first in positions.clone().step_by(LANES) {
            let count = LANES.min(positions.end - first);
            work.prefetch(first + LANES..positions.end);
            self.forward(tail, work, first, count);
            for p in 0..count {
                let value = self.sums[2][0][p];
                let error = work.target.error(work.batch.label(first + p), sigmoid(value / tail.one));
                self.loss += f64::from(error).powi(2);
                out.push(value);
            }
        }
    }

    /// Sums the gradients of the squared error over positions. The gradients of the first layer's sums are written to
    /// `out`, `[position][side][neuron]`.
    pub fn learn(&mut self, tail: &Tail, work: Work, positions: Range<usize>, out: &mut [f32]) {
        let width = out.len() / positions.len().max(1);
        let parts = positions.clone().step_by(LANES).zip(out.chunks_mut(LANES * width));
        for (first, out) in parts {
            let count = LANES.min(positions.end - first);
            work.prefetch(first + LANES..positions.end);
            self.forward(tail, work, first, count);
            self.sum_gradients[2].fill([0.0; LANES]);
            for p in 0..count {
                let value = sigmoid(self.sums[2][0][p] / tail.one);
                let error = work.target.error(work.batch.label(first + p), value);
                self.loss += f64::from(error).powi(2);
                self.sum_gradients[2][0][p] = 2.0 * error * value * (1.0 - value);
            }
            for at in [2, 1, 0] {
                let layer = &tail.layers[at];
                layer.learn(&self.inputs[at], &self.sum_gradients[at], &mut self.gradients[at]);
                layer.back(&self.sum_gradients[at], &mut self.input_gradients[at]);
                if at == 0 && tail.pairs {
                    break;
                }
                // Where the ReLU is clipped, its gradient is zero.
                for (gradients, inputs) in self.input_gradients[at].iter_mut().zip(&self.inputs[at]) {
                    for p in 0..LANES {
                        gradients[p] = if inputs[p] > 0.0 && inputs[p] < ONE { gradients[p] } else { 0.0 };
                    }
                }
                if at > 0 {
                    self.sum_gradients[at - 1]
                        .copy_from_slice(&self.input_gradients[at][..tail.layers[at - 1].padded()]);
                }
            }
            if tail.pairs {
                self.divide();
            }
            let gradients = if tail.pairs { &self.neurons } else { &self.input_gradients[0] };
            for (p, out) in out.chunks_mut(width).enumerate() {
                for (out, gradients) in out.iter_mut().zip(gradients) {
                    *out = gradients[p];
                }
            }
        }
    }

    /// Replaces the gradients of products with those of the neurons.
    fn divide(&mut self) {
        let half = self.neurons.len() / 4;
        for (side, gradients) in
            self.neurons.chunks_exact_mut(2 * half).zip(self.input_gradients[0].chunks_exact(half))
        {
            let (first, second) = side.split_at_mut(half);
            for ((a, b), gradients) in first.iter_mut().zip(second).zip(gradients) {
                for p in 0..LANES {
                    let (x, y, gradient) = (a[p], b[p], gradients[p] * (1.0 / PRODUCT));
                    a[p] = if x > 0.0 && x < ONE { gradient * y } else { 0.0 };
                    b[p] = if y > 0.0 && y < ONE { gradient * x } else { 0.0 };
                }
            }
        }
    }

    /// Computes the sums of all layers for up to eight positions.
    fn forward(&mut self, tail: &Tail, work: Work, first: usize, count: usize) {
        let entries = 2 * work.batch.len();
        // Values beyond the last position are computed but not used.
        let places: [_; LANES] = std::array::from_fn(|p| work.batch.places(first + p.min(count - 1)));
        let neurons = if tail.pairs { &mut self.neurons } else { &mut self.inputs[0] };
        let inputs = neurons.as_chunks_mut::<TILE>().0;
        let tiles = inputs.len() / 2;
        for (at, inputs) in inputs.iter_mut().enumerate() {
            let sums: [_; LANES] =
                std::array::from_fn(|p| &work.sums[at % tiles * entries + places[p][at / tiles]]);
            for (j, inputs) in inputs.iter_mut().enumerate() {
                *inputs = std::array::from_fn(|p| sums[p][j]).map(|sum: f32| sum.clamp(0.0, ONE));
            }
        }
        if tail.pairs {
            let half = self.neurons.len() / 4;
            let sides = self.neurons.chunks_exact(2 * half).zip(self.inputs[0].chunks_exact_mut(half));
            for (side, inputs) in sides {
                let (first, second) = side.split_at(half);
                for ((a, b), input) in first.iter().zip(second).zip(inputs) {
                    *input = std::array::from_fn(|p| (a[p] * b[p] * (1.0 / PRODUCT)).floor());
                }
            }
        }
        for (at, layer) in tail.layers.iter().enumerate() {
            layer.run(&self.inputs[at], &mut self.sums[at]);
            if let Some(inputs) = self.inputs.get_mut(at + 1) {
                for (inputs, sums) in inputs.iter_mut().zip(&self.sums[at]) {
                    *inputs = sums.map(|sum| (sum * (1.0 / UNIT)).floor().clamp(0.0, ONE));
                }
            }
        }
    }
}
