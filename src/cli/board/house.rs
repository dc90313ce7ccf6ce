//! State shared by all connections of a board.

use super::engines::Engines;
use sanban_engine::solved::SolvedTables;
use std::sync::atomic::AtomicUsize;

/// State shared by all connections.
pub(super) struct House {
    /// The port of the server.
    pub port: u16,
    /// The default port, if another program uses it. Browsers store games by port, so games stored for it are not
    /// visible on this one.
    pub usual: Option<u16>,
    /// The engines that the tabs borrow.
    pub engines: Engines,
    /// The tables of solved games.
    pub tables: SolvedTables,
    /// Number of open connections.
    pub connections: AtomicUsize,
    /// Number of open tabs.
    pub tabs: AtomicUsize,
}
