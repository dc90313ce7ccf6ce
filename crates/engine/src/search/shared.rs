//! What the threads of one search share.

use super::settings::Settings;
use super::tt::TranspositionTable;
use super::{Limits, Signals};
use sanban_rules::Move;
use sanban_system::clock::Instant;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// A counter with a pair of cache lines of its own, so that threads do not disturb each other.
#[derive(Default)]
#[repr(align(128))]
pub(super) struct NodeCounter(AtomicU64);

impl NodeCounter {
    /// Its thread tells how many nodes it has made.
    #[inline]
    pub fn set(&self, nodes: u64) {
        self.0.store(nodes, Relaxed);
    }
}

/// One search: what it works on and when it ends.
pub(super) struct Shared<'a> {
    pub tt: &'a TranspositionTable,
    pub signals: &'a Signals,
    pub limits: &'a Limits,
    pub settings: &'a Settings,
    /// Root moves to consider, in the order of generation.
    pub moves: Vec<Move>,
    /// Number of best lines to find.
    pub lines: usize,
    /// Reductions, see [`logarithms`].
    pub logarithms: &'a [i32; 256],
    pub begin: Instant,
    pub counters: Vec<NodeCounter>,
    /// The search has what it wants: all threads come home.
    pub over: AtomicBool,
}

impl Shared<'_> {
    /// Nodes of all threads.
    pub fn nodes(&self) -> u64 {
        self.counters.iter().map(|c| c.0.load(Relaxed)).sum()
    }

    /// Should every thread stop?
    #[inline]
    pub fn is_over(&self) -> bool {
        self.over.load(Relaxed) || self.signals.stopped()
    }
}

/// Natural logarithms of 0..256 in 1024ths (0 for 0): late moves at high depths are reduced by products of these.
pub(super) fn logarithms() -> [i32; 256] {
    std::array::from_fn(|i| ((i.max(1) as f64).ln() * 1024.0) as i32)
}
