//! Training of networks of one layer.

use super::adam::Optimizer;
use super::data::Data;
use super::error::TrainError;
use super::export::{self, Comparison};
use super::learn::{Work, Worker};
use super::learner::{Learner, Lesson};
use super::model::Model;
use rayon::prelude::*;
use sanban_engine::nnue::{Features, file};
use sanban_rules::Rng;

/// Number of positions on which the quantised network is compared with the trained parameters.
pub const COMPARED: usize = 20_000;

/// A network of one layer during training.
pub struct Flat {
    features: &'static Features,
    model: Model,
    optimizer: Optimizer,
    workers: Vec<Worker>,
}

impl Flat {
    /// Creates the learner for a model with these inputs, to be trained by this number of threads.
    pub fn new(features: &'static Features, model: Model, threads: usize) -> Self {
        let optimizer = Optimizer::new(model.params.len());
        let workers = (0..threads.max(1)).map(|_| Worker::new(&model)).collect();
        Self { features, model, optimizer, workers }
    }

    /// Distributes the positions among the workers, and sums their errors.
    fn deal(&mut self, lesson: Lesson, work: impl Fn(usize, &mut Worker, Work) + Sync) -> f64 {
        let Lesson { samples, order, target } = lesson;
        let (model, features) = (&self.model, self.features);
        let share = order.len().div_ceil(self.workers.len());
        self.workers.par_iter_mut().enumerate().for_each(|(index, worker)| {
            let from = (index * share).min(order.len());
            let order = &order[from..(from + share).min(order.len())];
            work(index, worker, Work { model, features, samples, order, target });
        });
        self.workers.iter().map(|worker| worker.loss).sum()
    }
}

impl Learner for Flat {
    fn label(&self) -> String {
        format!("{} {}", self.features.id, self.model.hidden)
    }

    fn learn(&mut self, lesson: Lesson, rate: f32) -> f64 {
        let step = self.optimizer.step;
        let loss =
            self.deal(lesson, |index, worker, work| worker.learn(work, Rng::new(step << 8 | index as u64)));
        if loss.is_finite() {
            self.optimizer.step(&mut self.model, &self.workers, lesson.order.len(), rate);
        }
        loss
    }

    fn measure(&mut self, lesson: Lesson) -> f64 {
        self.deal(lesson, |_, worker, work| worker.measure(work))
    }

    fn step(&mut self) -> &mut u64 {
        &mut self.optimizer.step
    }

    fn numbers(&mut self) -> Vec<&mut [f32]> {
        vec![&mut self.model.params, &mut self.optimizer.mean, &mut self.optimizer.square]
    }

    fn export(&mut self, data: &Data, scale: f32) -> Result<(Vec<u8>, Comparison), TrainError> {
        let bytes = export::quantise(&self.model, scale, data.origin()).to_bytes(self.features);
        let network = file::parse(&bytes, self.features, "exported").map_err(TrainError::Network)?;
        let (model, samples) = (&self.model, &data.validation);
        let comparison = export::compare(model, &network, self.features, samples, COMPARED, scale)?;
        Ok((bytes, comparison))
    }
}
