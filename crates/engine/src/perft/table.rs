//! The table of subtree counts, shared by all threads.

use sanban_system::memory::Memory;
use sanban_system::{affordable, prefetch};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};

/// Number of bits of an entry that hold the count; the remaining bits hold the depth.
const COUNT_BITS: u32 = 56;
/// Entries per bucket, which together fill one cache line.
const BUCKET: usize = 4;
/// Initial number of buckets in use: one megabyte.
const FIRST: usize = 1 << 14;
/// Number of buckets added when a sampled count finds its bucket full. A count is sampled if all key bits from `SOME`
/// up are zero (one in 128).
const STEP: usize = 1 << 10;
const SOME: u32 = 57;

type Entry = [AtomicU64; 2];

/// Subtree counts by key and depth. An entry is two words: `key ^ data` and `data`. An entry torn by two writers does
/// not match its key (Hyatt and Mann, "A lockless transposition table implementation", 2002).
///
/// Allocating a gigabyte takes longer than many counts, so the table starts small and grows bucket by bucket as counts
/// are stored (Litwin, "Linear Hashing", 1980).
pub struct PerftTable {
    words: Memory<AtomicU64>,
    /// Number of buckets in use.
    used: AtomicUsize,
}

impl PerftTable {
    /// Creates a table of this many megabytes; `None` if the memory is not available.
    pub fn new(megabytes: usize) -> Option<Self> {
        let bytes = megabytes.max(1).checked_mul(1 << 20)?;
        if affordable(bytes) < bytes {
            return None;
        }
        let words = Memory::lazy(bytes / size_of::<AtomicU64>())?;
        Some(Self { words, used: AtomicUsize::new(FIRST) })
    }

    /// Prefetches the entries of a position.
    #[inline]
    pub fn prefetch(&self, key: u64, depth: u32) {
        prefetch(&self.bucket(mix(key, depth))[0]);
    }

    /// Returns the count of a subtree, if the table contains it.
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

    /// Stores a count, replacing the smallest count in its bucket. Counts that are too large for an entry are not
    /// stored.
    #[inline]
    pub fn store(&self, key: u64, depth: u32, nodes: u64) {
        if nodes >> COUNT_BITS != 0 || depth > 255 {
            return;
        }
        let key = mix(key, depth);
        let work = |entry: &Entry| entry[1].load(Relaxed) & ((1 << COUNT_BITS) - 1);
        let Some(entry) = self.bucket(key).iter().min_by_key(|entry| work(entry)) else { return };
        let full = work(entry) != 0;
        let value = u64::from(depth) << COUNT_BITS | nodes;
        save(entry, key, value);
        if full && key >> SOME == 0 {
            self.grow();
        }
    }

    #[inline]
    fn buckets(&self) -> &[[Entry; BUCKET]] {
        self.words.as_chunks().0.as_chunks().0
    }

    #[inline]
    fn bucket(&self, key: u64) -> &[Entry; BUCKET] {
        &self.buckets()[place(key, self.used.load(Relaxed))]
    }

    /// Adds buckets, if any are left. Each is split off from an existing one; entries that other threads write at the
    /// same time may be lost.
    #[cold]
    fn grow(&self) {
        let buckets = self.buckets();
        let used = self.used.load(Relaxed);
        let more = (used + STEP).min(buckets.len());
        if self.used.compare_exchange(used, more, Relaxed, Relaxed).is_err() {
            return;
        }
        for new in used..more {
            let old = new - (1 << new.ilog2());
            for (from, to) in buckets[old].iter().zip(&buckets[new]) {
                let [check, data] = from.each_ref().map(|word| word.load(Relaxed));
                if place(check ^ data, more) == new {
                    save(to, check ^ data, data);
                    save(from, 0, 0);
                }
            }
        }
    }
}

#[inline]
fn save([check, data]: &Entry, key: u64, value: u64) {
    data.store(value, Relaxed);
    check.store(key ^ value, Relaxed);
}

/// The index of a key's bucket: the low bits of the key, one bit fewer if the index would not be below `used`.
#[inline]
fn place(key: u64, used: usize) -> usize {
    let half = 1 << used.ilog2();
    let place = key as usize & (2 * half - 1);
    if place < used { place } else { place & (half - 1) }
}

/// Combines key and depth, so that a position has a separate entry for every depth.
#[inline]
fn mix(key: u64, depth: u32) -> u64 {
    key ^ u64::from(depth).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sanban_rules::Rng;

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
        // Keys whose low bits are the same.
        let key = |n: u64| n << 32;
        for n in 0..=BUCKET as u64 {
            table.store(key(n), 2, 100 + n);
        }
        assert_eq!(table.probe(key(0), 2), None);
        assert!((1..=BUCKET as u64).all(|n| table.probe(key(n), 2) == Some(100 + n)));
    }

    #[test]
    fn nothing_is_lost_while_the_table_grows() {
        let table = PerftTable::new(3).unwrap();
        let mut rng = Rng::new(1);
        let keys: Vec<u64> = (0..FIRST).map(|_| rng.next()).collect();
        keys.iter().for_each(|&key| table.store(key, 2, key >> 16 | 1));
        let known = |table: &PerftTable| {
            keys.iter().filter(|&&key| table.probe(key, 2) == Some(key >> 16 | 1)).count()
        };
        let before = known(&table);
        while table.used.load(Relaxed) < table.buckets().len() {
            table.grow();
            assert_eq!(known(&table), before, "{} buckets", table.used.load(Relaxed));
        }
        table.grow();
        assert_eq!((table.used.load(Relaxed), known(&table)), (3 * FIRST, before));
    }
}
