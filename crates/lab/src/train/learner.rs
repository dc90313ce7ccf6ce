//! The interface of a model for the trainer.

use super::data::Data;
use super::error::TrainError;
use super::export::Comparison;
use super::model::Target;
use super::samples::Samples;

/// Positions and their targets.
#[derive(Clone, Copy)]
pub struct Lesson<'a> {
    /// All positions.
    pub samples: &'a Samples,
    /// The indices of the positions to use.
    pub order: &'a [u32],
    /// The target of the positions.
    pub target: Target,
}

/// A network during training.
pub trait Learner {
    /// Inputs and size, for the fingerprint of a checkpoint.
    fn label(&self) -> String;

    /// Takes one gradient-descent step on the squared error of these positions, and returns the error.
    fn learn(&mut self, lesson: Lesson, rate: f32) -> f64;

    /// The sum of the squared errors of these positions.
    fn measure(&mut self, lesson: Lesson) -> f64;

    /// Number of steps taken.
    fn step(&mut self) -> &mut u64;

    /// The state of the learner: the parameters, then the optimiser state.
    fn numbers(&mut self) -> Vec<&mut [f32]>;

    /// Returns the bytes of the network file, and the comparison of the file with the model on some positions. `scale`:
    /// centipawns for an output of 1.0.
    ///
    /// # Errors
    /// The file differs from the model.
    fn export(&mut self, data: &Data, scale: f32) -> Result<(Vec<u8>, Comparison), TrainError>;
}
