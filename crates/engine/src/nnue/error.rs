//! Errors in the bytes of a network.

use thiserror::Error;

/// What was expected of a network and what was read, in a sentence.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0}")]
pub struct FormatError(String);

impl<T: Into<String>> From<T> for FormatError {
    fn from(sentence: T) -> Self {
        Self(sentence.into())
    }
}
