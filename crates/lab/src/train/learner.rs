//! The model as the trainer sees it: parameters that follow a gradient and can be written to a file.

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
    /// Those that are meant.
    pub order: &'a [u32],
    /// What they should be worth.
    pub target: Target,
}

/// A network while it is trained.
pub trait Learner {
    /// Its inputs and size, for the fingerprint of a checkpoint.
    fn label(&self) -> String;

    /// Makes one step along the slope of the squared error of these positions, and says what the error was.
    fn learn(&mut self, lesson: Lesson, rate: f32) -> f64;

    /// The sum of the squared errors of these positions.
    fn measure(&mut self, lesson: Lesson) -> f64;

    /// Steps made.
    fn step(&mut self) -> &mut u64;

    /// What it consists of: its parameters, and then what the optimizer knows of them.
    fn numbers(&mut self) -> Vec<&mut [f32]>;

    /// The file, read back and compared on some positions. `scale`: centipawns of an output of 1.0.
    ///
    /// # Errors
    /// The file says something else.
    fn export(&mut self, data: &Data, scale: f32) -> Result<(Vec<u8>, Comparison), TrainError>;
}
