//! Errors in the content of a network file.

use thiserror::Error;

/// An error in the content of a network file. The message describes the expected and the actual content.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0}")]
pub struct FormatError(String);

impl<T: Into<String>> From<T> for FormatError {
    fn from(sentence: T) -> Self {
        Self(sentence.into())
    }
}
