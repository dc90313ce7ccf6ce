//! The events of the client.

use crate::usi::engine::Answer;
use crate::usi::task::Task;
use std::sync::Arc;

/// What a session waits for: lines of the server and the answers of its own searches.
pub enum Event {
    /// A line of the server, with the number of the connection.
    Line(u64, String),
    /// The connection ended.
    Closed(u64, String),
    /// The answer of a search.
    Answer(Arc<Task>, Answer),
}
