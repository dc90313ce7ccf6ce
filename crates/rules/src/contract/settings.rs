//! Rule settings, adjustable by name.

use crate::setting::Setting;
use std::fmt::Debug;
use std::hash::Hash;
use thiserror::Error;

/// Why a rule setting was rejected.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum RuleError {
    /// The game has no setting of this name.
    #[error("unknown rule setting: {0}")]
    Unknown(String),
    /// The setting does not take this value.
    #[error("invalid value: {0}")]
    Value(String),
}

/// The index of a value in the words of a setting.
pub(crate) fn word_index(words: &[&str], value: &str) -> Result<usize, RuleError> {
    words.iter().position(|&word| word == value).ok_or_else(|| RuleError::Value(value.into()))
}

/// The rule settings of a game, adjustable by name.
pub trait Rules: Clone + Debug + Default + PartialEq + Eq + Hash + Send + Sync + 'static {
    /// The settings of the game, as declared over USI.
    const SETTINGS: &'static [Setting];
    /// Changes one setting. The caller must have validated the value against the declared kind (range, words).
    ///
    /// # Errors
    /// The setting does not exist, or the value is invalid.
    fn set(&mut self, name: &str, value: &str) -> Result<(), RuleError>;
    /// SFEN of the start position under these settings, if it differs from that of the game.
    fn start(&self) -> Option<String> {
        None
    }
}
