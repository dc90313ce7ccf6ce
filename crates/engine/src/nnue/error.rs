//! Errors in the bytes of a network.

use thiserror::Error;

/// The expected and the actual content of a network.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0}")]
pub struct FormatError(String);

impl<T: Into<String>> From<T> for FormatError {
    fn from(sentence: T) -> Self {
        Self(sentence.into())
    }
}
