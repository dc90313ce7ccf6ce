//! Errors of the solver.

use thiserror::Error;

/// Why the game is not solved.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum SolveError {
    /// This number of bytes is not available.
    #[error("not enough memory for {0} bytes")]
    Memory(usize),
    /// A value cannot be derived from those of the position's children.
    #[error("slot {slot} has {found}, but its children give {derived:?}")]
    Wrong {
        /// The number of the position.
        slot: usize,
        /// The byte in the table.
        found: u8,
        /// The derived byte; `None` if none can be derived.
        derived: Option<u8>,
    },
}
