//! How a subcommand can fail.

/// Why a subcommand ended early, in a sentence.
pub enum Failure {
    /// What was asked for makes no sense: exit code 2.
    Request(String),
    /// It could not be done: exit code 1.
    Work(String),
}

impl From<String> for Failure {
    fn from(sentence: String) -> Self {
        Self::Request(sentence)
    }
}
