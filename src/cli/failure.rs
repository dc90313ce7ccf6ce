//! How a subcommand can fail.

use sanban_lab::train::TrainError;

/// Why a subcommand ended early, in a sentence where there is one to say.
pub enum Failure {
    /// What was asked for makes no sense: exit code 2.
    Request(String),
    /// It could not be done: exit code 1.
    Work(String),
    /// It was done, and the answer, which was printed, is no: exit code 1.
    No,
}

impl From<TrainError> for Failure {
    fn from(error: TrainError) -> Self {
        Self::Request(error.to_string())
    }
}

impl From<String> for Failure {
    fn from(sentence: String) -> Self {
        Self::Request(sentence)
    }
}
