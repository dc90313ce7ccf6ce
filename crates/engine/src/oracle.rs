//! The interface between the search and solved tables.

use sanban_rules::{Move, Position, Score};
use std::path::Path;
use thiserror::Error;

/// A solved table that replaces the search for the positions that it contains.
///
/// `()` is the implementation for games without tables.
pub trait Oracle<P: Position>: Clone + Default + Send + Sync + 'static {
    /// Name of the option that sets the table's file, if the game has tables.
    const OPTION: Option<&'static str> = None;

    /// Opens a table for this game.
    ///
    /// # Errors
    /// The file cannot be read, is damaged, or is not a table of this game.
    fn open(path: &Path) -> Result<Self, OracleError> {
        Err(OracleError::new(format!("{}: this game has no solved tables", path.display())))
    }

    /// Returns the exact score of the position and a best line from it, if the table contains the position.
    fn solution(&self, _pos: &P) -> Option<(Score, Vec<Move>)> {
        None
    }
}

impl<P: Position> Oracle<P> for () {}

/// An error that occurred while opening a solved table. The message names the file.
#[derive(Debug, Error)]
#[error(transparent)]
pub struct OracleError(Box<dyn std::error::Error + Send + Sync>);

impl OracleError {
    /// Wraps the error of a specific kind of table.
    pub fn new(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self(error.into())
    }
}
