//! Errors of the solver.

use thiserror::Error;

/// The error that the game cannot be solved.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum SolveError {
    /// This number of bytes is not available.
    #[error("not enough memory for {0} bytes")]
    Memory(usize),
    /// The caller gave up.
    #[error("stopped")]
    Stopped,
    /// A value does not follow from the values of the position's children.
    #[error("slot {slot} has value {found}, but its children imply {derived:?}")]
    Wrong {
        /// The number of the position.
        slot: usize,
        /// The byte in the table.
        found: u8,
        /// The derived byte; `None` if none can be derived.
        derived: Option<u8>,
    },
}
