//! The table of subtree counts, shared by all threads.

use crate::base::affordable;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Bits of an entry that hold the count; the others hold the depth.
const COUNT_BITS: u32 = 56;
/// Entries that a position may be found in: one cache line.
const BUCKET: usize = 4;

/// A subtree and its count: `key ^ data` and `data`. A pair torn by two writers does not match its key (Hyatt and
/// Mann, "A lockless transposition table implementation", 2002).
#[derive(Default)]
struct Entry {
    check: AtomicU64,
    data: AtomicU64,
}

/// Entries of one cache line.
#[derive(Default)]
#[repr(align(64))]
struct Bucket([Entry; BUCKET]);

/// Counts by (key, depth).
pub struct PerftTable(Vec<Bucket>);

impl PerftTable {
    /// A table of this many megabytes; `None` when the memory cannot be had.
    pub fn new(megabytes: usize) -> Option<Self> {
        let bytes = megabytes.max(1).checked_mul(1 << 20)?;
        if affordable(bytes) < bytes {
            return None;
        }
        let buckets = bytes / size_of::<Bucket>();
        let mut table = Vec::new();
        table.try_reserve_exact(buckets).ok()?;
        table.resize_with(buckets, Bucket::default);
        Some(Self(table))
    }

    /// The count of a subtree, if it is known.
    #[inline]
    pub fn probe(&self, key: u64, depth: u32) -> Option<u64> {
        let key = mix(key, depth);
        for entry in &self.bucket(key).0 {
            let data = entry.data.load(Relaxed);
            if entry.check.load(Relaxed) ^ data == key && (data >> COUNT_BITS) as u32 == depth {
                return Some(data & ((1 << COUNT_BITS) - 1));
            }
        }
        None
    }

    /// Remembers a count, in place of the smallest subtree of its bucket. Counts too large for an entry are not kept.
    #[inline]
    pub fn store(&self, key: u64, depth: u32, nodes: u64) {
        if nodes >> COUNT_BITS != 0 || depth > 255 {
            return;
        }
        let key = mix(key, depth);
        let bucket = self.bucket(key);
        let work = |entry: &Entry| entry.data.load(Relaxed) & ((1 << COUNT_BITS) - 1);
        let Some(entry) = bucket.0.iter().min_by_key(|entry| work(entry)) else { return };
        let data = u64::from(depth) << COUNT_BITS | nodes;
        entry.data.store(data, Relaxed);
        entry.check.store(key ^ data, Relaxed);
    }

    #[inline]
    fn bucket(&self, key: u64) -> &Bucket {
        &self.0[((u128::from(key) * self.0.len() as u128) >> 64) as usize]
    }
}

/// One position has an entry for every depth, in different places.
#[inline]
fn mix(key: u64, depth: u32) -> u64 {
    key ^ u64::from(depth).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_come_back_by_key_and_depth() {
        let table = PerftTable::new(1).unwrap();
        table.store(0x1234_5678_9ABC_DEF0, 3, 77);
        table.store(0x1234_5678_9ABC_DEF0, 4, 1 << 50);
        table.store(0x1234_5678_9ABC_DEF0, 5, u64::MAX);
        assert_eq!(table.probe(0x1234_5678_9ABC_DEF0, 3), Some(77));
        assert_eq!(table.probe(0x1234_5678_9ABC_DEF0, 4), Some(1 << 50));
        assert_eq!(table.probe(0x1234_5678_9ABC_DEF0, 5), None);
        assert_eq!(table.probe(0x1234_5678_9ABC_DEF1, 3), None);
    }

    #[test]
    fn the_smallest_subtree_makes_room() {
        let table = PerftTable::new(1).unwrap();
        for key in 0..=BUCKET as u64 {
            table.store(key, 2, 100 + key);
        }
        assert_eq!(table.probe(0, 2), None);
        assert!((1..=BUCKET as u64).all(|key| table.probe(key, 2) == Some(100 + key)));
    }
}
