//! Virtual proof numbers: threads avoid positions that other threads are searching.

use super::table::Place;
use std::sync::atomic::{AtomicU16, Ordering::Relaxed};

/// Number of counters, a power of two. A position that shares a counter with one being searched is also avoided, which
/// is harmless.
const COUNTERS: usize = 1 << 14;
/// Added to the proof or disproof number of a position that a thread is searching.
const TOLL: u32 = 2;

/// The number of threads below each position, which increases its proof or disproof number (Kaneko, "Parallel Depth
/// First Proof Number Search", 2010). Empty for one thread.
pub(super) struct Crowd(Box<[AtomicU16]>);

impl Crowd {
    pub fn new(threads: usize) -> Self {
        let counters = if threads > 1 { COUNTERS } else { 0 };
        Self((0..counters).map(|_| AtomicU16::new(0)).collect())
    }

    /// Returns whether the search has only one thread.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    #[inline]
    fn counter(&self, place: Place) -> Option<&AtomicU16> {
        let mixed = (place.board ^ u64::from(place.hand)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.0.get((mixed >> (64 - COUNTERS.ilog2())) as usize)
    }

    /// Records that a thread starts searching a position.
    #[inline]
    pub fn enter(&self, place: Place) {
        self.counter(place).map(|n| n.fetch_add(1, Relaxed));
    }

    /// Records that a thread stops searching a position.
    #[inline]
    pub fn leave(&self, place: Place) {
        self.counter(place).map(|n| n.fetch_sub(1, Relaxed));
    }

    /// The amount to add to the proof or disproof number of a position.
    #[inline]
    pub fn toll(&self, place: Place) -> u32 {
        self.counter(place).map_or(0, |n| if n.load(Relaxed) > 0 { TOLL } else { 0 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_costs_more_while_a_thread_is_there() {
        let crowd = Crowd::new(2);
        let (here, there) = (Place { board: 1, hand: 0 }, Place { board: 2, hand: 0 });
        crowd.enter(here);
        crowd.enter(here);
        crowd.leave(here);
        assert_eq!((crowd.toll(here), crowd.toll(there)), (TOLL, 0));
        crowd.leave(here);
        assert_eq!(crowd.toll(here), 0);
    }

    #[test]
    fn one_thread_is_never_in_the_way() {
        let crowd = Crowd::new(1);
        let place = Place { board: 1, hand: 0 };
        crowd.enter(place);
        assert!(crowd.is_empty() && crowd.toll(place) == 0);
    }
}
