//! A network during training, in the shapes of the shogi community or Sanban's own (`shape`). The forward
//! pass quantises as in the file, so that training takes all rounding and clipping into account, in the first layer
//! (`batch`, `first`) and in the dense layers (`dense`, `tail`).

mod batch;
mod dense;
mod first;
mod row_index;
mod shape;
mod tail;
#[cfg(test)]
mod tests;

use super::adam::{Step, follow};
use super::comparison::{COMPARED, Comparison};
use super::data::Data;
use super::error::TrainError;
use super::target::{Lesson, Target};
use batch::Batch;
use first::{First, Tile};
use rayon::prelude::*;
use sanban_engine::nnue::{Network, file, halfkp, network};
use sanban_rules::Rng;
pub use shape::Shape;
use tail::{Tail, Work, Worker};

/// Spread of the random weights of the first layer.
const SPREAD: f32 = 0.1;
/// Initial bias of the first layer, and the intended mean of the outputs of the hidden layers.
const MIDDLE: f32 = 0.5;
/// Number of positions evaluated at a time.
const MEASURED: usize = 1 << 14;

pub struct Deep {
    shape: Shape,
    first: First,
    tail: Tail,
    /// The first layer's parameters, then those of the dense layers.
    params: Vec<f32>,
    mean: Vec<f32>,
    square: Vec<f32>,
    /// The number of batches in which each row of the first layer occurred: each row has its own step count.
    seen: Vec<f32>,
    step: u64,
    batch: Batch,
    sums: Vec<Tile>,
    gradients: Vec<f32>,
    workers: Vec<Worker>,
}

impl Deep {
    /// Creates a network with random weights that depend only on the seed. `scale`: centipawns for an output of 1.0.
    pub fn new(shape: Shape, scale: f32, seed: u64, threads: usize) -> Self {
        let (width, groups) = batch::groups(shape.features);
        let first = First { hidden: shape.hidden, width, groups };
        let tail = Tail::new(&shape, shape.one(scale));
        let n = first.size() + tail.size();
        let mut params = vec![0.0; n];
        let mut rng = Rng::new(seed);
        let mut fill = |values: &mut [f32], spread: f32| {
            values.iter_mut().for_each(|v| *v = (2.0 * rng.unit() as f32 - 1.0) * spread);
        };
        let (wide, mut rest) = params.split_at_mut(first.size());
        fill(&mut wide[..first.seeded()], SPREAD);
        let end = wide.len();
        wide[end - first.hidden..].fill(MIDDLE);
        for (at, (inputs, outputs)) in shape.dense().into_iter().enumerate() {
            let (weights, next) = rest.split_at_mut(inputs * outputs);
            let (bias, next) = next.split_at_mut(outputs);
            fill(weights, 1.0 / (inputs as f32).sqrt());
            // These biases centre the outputs if the inputs are centred.
            for (bias, weights) in bias.iter_mut().zip(weights.chunks(inputs)) {
                let middle = if at < 2 { MIDDLE } else { 0.0 };
                let input = if at == 0 && shape.pairs() { MIDDLE * MIDDLE } else { MIDDLE };
                *bias = middle - input * weights.iter().sum::<f32>();
            }
            rest = next;
        }
        let workers = (0..threads.max(1)).map(|_| tail.worker()).collect();
        Self {
            shape,
            first,
            tail,
            params,
            mean: vec![0.0; n],
            square: vec![0.0; n],
            seen: vec![0.0; groups * width],
            step: 0,
            batch: Batch::default(),
            sums: vec![],
            gradients: vec![],
            workers,
        }
    }

    /// Number of parameters of such a network, including the optimiser state.
    pub fn size(shape: Shape) -> usize {
        let (width, groups) = batch::groups(shape.features);
        let first = First { hidden: shape.hidden, width, groups };
        let dense: usize = shape.dense().iter().map(|&(inputs, outputs)| (inputs + 1) * outputs).sum();
        3 * (first.size() + dense) + width * groups
    }

    /// Copies the weights of a network of the same shape, see [`Shape::is_of`].
    pub fn take(&mut self, network: &Network) {
        let network::Tail::Dense(dense) = &network.tail else { return };
        let (first, mut rest) = self.params.split_at_mut(self.first.size());
        self.first.take(first, &network.first);
        for (layer, known) in self.tail.layers().iter().zip(&dense.layers) {
            let (own, next) = rest.split_at_mut(layer.size());
            layer.take(own, known);
            rest = next;
        }
    }

    /// Finds the rows of positions and computes the sums of the first layer.
    fn begin(&mut self, lesson: Lesson, coin: impl Fn(u32) -> u64 + Sync) {
        self.batch.find(self.shape.features, lesson.samples, lesson.order, coin);
        self.first.forward(&self.params[..self.first.size()], &self.batch, &mut self.sums);
        self.tail.set(&self.params[self.first.size()..]);
    }

    /// The outputs for some positions, quantised as in the file, and the sum of the squared errors.
    fn outputs(&mut self, lesson: Lesson) -> (Vec<f32>, f64) {
        self.begin(lesson, |_| 0);
        let Self { tail, batch, sums, workers, .. } = self;
        let work = Work { batch, sums, target: lesson.target };
        let share = batch.len().div_ceil(workers.len());
        workers.iter_mut().for_each(|worker| worker.loss = 0.0);
        let parts: Vec<Vec<f32>> = workers
            .par_iter_mut()
            .enumerate()
            .map(|(index, worker)| {
                let from = (index * share).min(batch.len());
                let mut out = vec![];
                worker.measure(tail, work, from..(from + share).min(batch.len()), &mut out);
                out
            })
            .collect();
        (parts.concat(), workers.iter().map(|worker| worker.loss).sum())
    }

    /// Sums the gradients of the squared error, and returns the error.
    fn gradients(&mut self, lesson: Lesson) -> f64 {
        let step = self.step;
        self.begin(lesson, |index| Rng::new(step << 32 | u64::from(index)).next());
        let Self { tail, batch, sums, gradients, workers, first, .. } = self;
        let width = 2 * first.hidden;
        gradients.resize(batch.len() * width, 0.0);
        let work = Work { batch, sums, target: lesson.target };
        let share = batch.len().div_ceil(workers.len()).max(1);
        workers.par_iter_mut().for_each(Worker::reset);
        let parts = workers.par_iter_mut().zip(gradients.par_chunks_mut(share * width)).enumerate();
        parts.for_each(|(index, (worker, gradients))| {
            let from = index * share;
            worker.learn(tail, work, from..from + gradients.len() / width, gradients);
        });
        workers.iter().map(|worker| worker.loss).sum()
    }

    /// The steps of the rows in use, by group. Counts the batch for each of these rows.
    fn steps(&mut self, rate: f32, positions: usize) -> Vec<Vec<Step>> {
        let groups = self.batch.groups().par_iter().zip(self.seen.par_chunks_mut(self.first.width));
        let steps = groups.map(|(group, seen)| {
            let step = |&row: &u16| {
                let seen = &mut seen[usize::from(row)];
                *seen += 1.0;
                Step::new(*seen as u64, rate, positions)
            };
            group.used.iter().map(step).collect()
        });
        steps.collect()
    }

    fn follow(&mut self, rate: f32) {
        self.step += 1;
        let positions = self.batch.len();
        let step = Step::new(self.step, rate, positions);
        let steps = self.steps(rate, positions);
        let mut dense = vec![0.0; self.tail.size()];
        self.tail.collect(&self.workers, &mut dense);
        let n = self.first.size();
        let (params, mut tail_params) = self.params.split_at_mut(n);
        let (mean, mut tail_mean) = self.mean.split_at_mut(n);
        let (square, mut tail_square) = self.square.split_at_mut(n);
        self.first.learn([params, mean, square], &self.batch, &self.gradients, &steps, step);
        let mut gradients = &dense[..];
        for (layer, (_, outputs)) in self.tail.layers().iter().zip(self.shape.dense()) {
            for (size, bound) in [(layer.size() - outputs, layer.largest()), (outputs, f32::INFINITY)] {
                let (own, rest) = gradients.split_at(size);
                let next = [&mut tail_params, &mut tail_mean, &mut tail_square].map(|numbers| {
                    let (own, rest) = std::mem::take(numbers).split_at_mut(size);
                    *numbers = rest;
                    own
                });
                let [params, mean, square] = next;
                follow(params, mean, square, own, step, bound);
                gradients = rest;
            }
        }
    }

    fn weights(&self) -> halfkp::Weights {
        let (params, mut rest) = self.params.split_at(self.first.size());
        let round = |values: Vec<f32>| values.into_iter().map(|v| v as i16).collect();
        let mut weights = Vec::with_capacity(self.first.groups * self.first.width * self.first.hidden);
        for group in 0..self.first.groups {
            for row in 0..self.first.width {
                weights.extend(self.first.row(params, group, row).map(|v| v as i16));
            }
        }
        let layers = self.tail.layers().each_ref().map(|layer| {
            let (own, next) = rest.split_at(layer.size());
            rest = next;
            layer.integers(own)
        });
        halfkp::Weights { bias: round(self.first.bias(params)), weights, layers }
    }

    /// Compares a file with the parameters it was made from, and every implementation of the integer arithmetic with
    /// the reference.
    fn compare(&mut self, network: &Network, data: &Data, scale: f32) -> Result<Comparison, TrainError> {
        let samples = &data.validation;
        let step = samples.len().div_ceil(COMPARED).max(1);
        let order: Vec<u32> = (0..samples.len() as u32).step_by(step).collect();
        let mut out = Comparison::default();
        for order in order.chunks(MEASURED) {
            let target = Target { scale, wdl: 0.0 };
            let (outputs, _) = self.outputs(Lesson { samples, order, target });
            for (position, output) in outputs.into_iter().enumerate() {
                let mut sums = |place| {
                    let first = self.batch.group(place) * self.first.width;
                    out.sums(
                        &network.first,
                        self.batch.rows(place).iter().map(|&row| first + usize::from(row)),
                    )
                };
                let [us, them] = self.batch.places(position);
                let sums = [sums(us)?, sums(them)?];
                let exact = f64::from(output) / f64::from(self.shape.one(scale)) * f64::from(scale);
                out.add(network, &sums, exact)?;
            }
        }
        Ok(out)
    }
}

impl Deep {
    /// Shape, inputs and size, for the fingerprint of a checkpoint.
    pub fn label(&self) -> String {
        format!("{} {} {}", self.shape.name, self.shape.features.id, self.shape.hidden)
    }

    /// Takes one gradient-descent step on the squared error of these positions, and returns the error.
    pub fn learn(&mut self, lesson: Lesson, rate: f32) -> f64 {
        let loss = self.gradients(lesson);
        if loss.is_finite() {
            self.follow(rate);
        }
        loss
    }

    /// The sum of the squared errors of these positions.
    pub fn measure(&mut self, lesson: Lesson) -> f64 {
        let chunks = lesson.order.chunks(MEASURED);
        chunks.map(|order| self.outputs(Lesson { order, ..lesson }).1).sum()
    }

    pub fn step(&mut self) -> &mut u64 {
        &mut self.step
    }

    /// The state of the network: the parameters, then the optimiser state.
    pub fn numbers(&mut self) -> Vec<&mut [f32]> {
        vec![&mut self.params, &mut self.mean, &mut self.square, &mut self.seen]
    }

    /// Returns the bytes of the network file, and the comparison of the file with the parameters on some positions.
    /// `scale`: centipawns for an output of 1.0.
    ///
    /// # Errors
    /// The file differs from the parameters.
    pub fn export(&mut self, data: &Data, scale: f32) -> Result<(Vec<u8>, Comparison), TrainError> {
        let bytes = self.shape.to_bytes(&self.weights(), scale, data.origin());
        let network = match self.shape.file {
            Some(_) => halfkp::parse(&bytes, halfkp::FV_SCALE, "exported"),
            None => file::parse(&bytes, self.shape.features, "exported"),
        };
        let network = network.map_err(TrainError::Network)?;
        let comparison = self.compare(&network, data, scale)?;
        Ok((bytes, comparison))
    }
}
