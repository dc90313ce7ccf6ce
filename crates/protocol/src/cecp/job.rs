//! The jobs of the search thread.

use crate::usi::command::{Command, Go};
use crate::usi::task::Task;
use std::sync::Arc;

pub enum Job {
    /// A USI command that needs no answer.
    Run(Command),
    Search {
        position: Command,
        go: Go,
        task: Arc<Task>,
    },
    /// Answer this `ping` when ready for a search.
    Ping(String),
}
