//! What all connections of a board share.

use super::engines::Engines;
use crate::board::Truth;
use std::sync::atomic::AtomicUsize;

/// What all connections share.
pub(super) struct House {
    /// The port that is listened on.
    pub port: u16,
    /// The usual port when another program has it: games that were kept there belong to another address.
    pub usual: Option<u16>,
    /// The engines, lent to the tabs.
    pub engines: Engines,
    /// The solved games.
    pub truth: Truth,
    /// Connections that are open.
    pub connections: AtomicUsize,
    /// Tabs that are open.
    pub tabs: AtomicUsize,
}
