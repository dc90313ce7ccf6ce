//! The events of the client.

use crate::usi::engine::Answer;
use crate::usi::task::Task;
use std::sync::Arc;

/// An event that a session waits for: a line from the server or the answer of a search.
pub enum Event {
    /// A line from the server, with the number of the connection.
    Line(u64, String),
    /// The connection ended.
    Closed(u64, String),
    Answer(Arc<Task>, Answer),
}
