//! The table of subtree counts, shared by all threads.

use crate::base::memory::Memory;
use crate::base::{affordable, prefetch};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Bits of an entry that hold the count; the others hold the depth.
const COUNT_BITS: u32 = 56;
/// Entries that a position may be found in: one cache line.
const BUCKET: usize = 4;

/// Counts by (key, depth). An entry is two words: `key ^ data` and `data`. A pair torn by two writers does not match its
/// key (Hyatt and Mann, "A lockless transposition table implementation", 2002).
pub struct PerftTable(Memory<AtomicU64>);

impl PerftTable {
    /// A table of this many megabytes; `None` when the memory cannot be had.
    pub fn new(megabytes: usize) -> Option<Self> {
        let bytes = megabytes.max(1).checked_mul(1 << 20)?;
        if affordable(bytes) < bytes {
            return None;
        }
        Some(Self(Memory::new(bytes / size_of::<AtomicU64>())?))
    }

    /// Says that a position will be looked for soon.
    #[inline]
    pub fn prefetch(&self, key: u64, depth: u32) {
        prefetch(&self.bucket(mix(key, depth))[0]);
    }

    /// The count of a subtree, if it is known.
    #[inline]
    pub fn probe(&self, key: u64, depth: u32) -> Option<u64> {
        let key = mix(key, depth);
        for [check, data] in self.bucket(key) {
            let data = data.load(Relaxed);
            if check.load(Relaxed) ^ data == key && (data >> COUNT_BITS) as u32 == depth {
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
        let work = |entry: &[AtomicU64; 2]| entry[1].load(Relaxed) & ((1 << COUNT_BITS) - 1);
        let Some([check, data]) = self.bucket(key).iter().min_by_key(|entry| work(entry)) else { return };
        let value = u64::from(depth) << COUNT_BITS | nodes;
        data.store(value, Relaxed);
        check.store(key ^ value, Relaxed);
    }

    #[inline]
    fn bucket(&self, key: u64) -> &[[AtomicU64; 2]] {
        let entries = self.0.as_chunks().0;
        let buckets = entries.len() / BUCKET;
        let first = ((u128::from(key) * buckets as u128) >> 64) as usize * BUCKET;
        &entries[first..first + BUCKET]
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
