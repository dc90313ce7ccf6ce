//! The jobs of the search thread.

use crate::usi::command::{Command, Go};
use crate::usi::task::Task;
use std::sync::Arc;

/// A job for the search thread.
pub enum Job {
    /// A USI command that needs no answer.
    Run(Command),
    /// A search.
    Search {
        /// The `position` command.
        position: Command,
        /// The limits.
        go: Go,
        /// The state of the search.
        task: Arc<Task>,
    },
    /// Answer this `ping` when ready for a search.
    Ping(String),
}
