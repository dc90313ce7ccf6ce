//! The transposition table, shared by all threads without locks.
//!
//! An entry is two atomic words: its data, and half the key XOR both halves of the data (after Hyatt and Mann, "A
//! lock-less transposition table implementation for parallel search", 2002). If a reader sees words of two different
//! writes, the key does not match, and the entry is ignored. So a race can lose an entry, but does not produce a wrong
//! one.

use bitflags::bitflags;
use sanban_rules::score::{from_table, to_table};
use sanban_rules::{Move, Score};
use sanban_system::memory::{Memory, Zeroed};
use sanban_system::{affordable, prefetch};
use std::alloc::{Layout, handle_alloc_error};
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU32, AtomicU64, Ordering::Relaxed};

use super::Bound;

/// Entries per cluster, which fits in one cache line.
const WAYS: usize = 5;
/// Number of searches that the table can distinguish.
const GENERATIONS: u8 = 32;
/// Depth penalty of an entry, in plies, for every search since it was stored.
const AGED: i32 = 4;
/// An entry of this search is kept when its depth exceeds that of the new one by at least this many plies.
const DEEPER: i32 = 4;
/// Added to [`DEEPER`] when the new entry was part of a principal variation.
const WORTH_PV: i32 = 2;
/// Size in megabytes up to which a table fits in the processor's caches.
const CACHE: usize = 8;
/// Marks a missing static evaluation.
const NO_EVAL: i16 = i16::MIN;

bitflags! {
    /// The kind of an entry's score; an exact score is both bounds.
    #[derive(Clone, Copy)]
    struct Flags: u8 {
        const UPPER = 1;
        const LOWER = 2;
        /// The position was once part of a principal variation.
        const PV = 4;
    }
}

/// A cluster of entries, each in two words.
///
/// ```text
/// data: 63 .. 59     58..56   55..48  47..32  31..16  15..0
///       generation   flags    depth   eval    score   move
/// ```
#[derive(Default)]
#[repr(align(64))]
struct Cluster {
    data: [AtomicU64; WAYS],
    check: [AtomicU32; WAYS],
}

impl Cluster {
    /// The data of an entry; 0 if it is empty.
    #[inline]
    fn data(&self, way: usize) -> u64 {
        self.data[way].load(Relaxed)
    }

    /// Whether `data`, as read from this entry, belongs to the position with this key.
    #[inline]
    fn is_of(&self, way: usize, data: u64, key: u64) -> bool {
        self.check[way].load(Relaxed) == check(key, data) && data != 0
    }

    #[inline]
    fn put(&self, way: usize, data: u64, key: u64) {
        self.data[way].store(data, Relaxed);
        self.check[way].store(check(key, data), Relaxed);
    }
}

/// The half of the key that does not select the cluster, XOR both halves of the data.
#[inline]
fn check(key: u64, data: u64) -> u32 {
    key as u32 ^ data as u32 ^ (data >> 32) as u32
}

// SAFETY: the type consists of atomic integers only.
unsafe impl Zeroed for Cluster {}

/// The transposition table entry of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TtEntry {
    /// The best move, or the move that caused a cut-off.
    pub mv: Option<Move>,
    /// The score for the side to move, with mates counted from the root.
    pub score: Score,
    /// The static evaluation; `None` in check.
    pub eval: Option<Score>,
    /// Depth of the search in plies.
    pub depth: i32,
    /// Whether the score is exact or a bound; `None` if only the evaluation is known.
    pub bound: Option<Bound>,
    /// Whether the position was ever part of a principal variation.
    pub pv: bool,
}

impl TtEntry {
    fn pack(self, generation: u8) -> u64 {
        let mut flags = match self.bound {
            None => Flags::empty(),
            Some(Bound::Upper) => Flags::UPPER,
            Some(Bound::Lower) => Flags::LOWER,
            Some(Bound::Exact) => Flags::UPPER | Flags::LOWER,
        };
        flags.set(Flags::PV, self.pv);
        let eval = self.eval.map_or(NO_EVAL, |e| e as i16);
        u64::from(self.mv.map_or(0, Move::bits))
            | u64::from(self.score as u16) << 16
            | u64::from(eval as u16) << 32
            | (self.depth.clamp(0, 255) as u64) << 48
            | u64::from(flags.bits()) << 56
            | u64::from(generation) << 59
    }

    fn unpack(data: u64) -> Self {
        let eval = (data >> 32) as i16;
        let flags = Flags::from_bits_truncate((data >> 56) as u8);
        Self {
            mv: Move::from_bits(data as u16),
            score: Score::from((data >> 16) as i16),
            eval: (eval != NO_EVAL).then_some(Score::from(eval)),
            depth: depth_of(data),
            bound: match (flags.contains(Flags::LOWER), flags.contains(Flags::UPPER)) {
                (false, false) => None,
                (false, true) => Some(Bound::Upper),
                (true, false) => Some(Bound::Lower),
                (true, true) => Some(Bound::Exact),
            },
            pv: flags.contains(Flags::PV),
        }
    }

    /// Whether the score decides a null window at `beta` without a search.
    #[inline]
    pub fn cuts(&self, beta: Score) -> bool {
        match self.bound {
            Some(Bound::Exact) => true,
            Some(Bound::Lower) => self.score >= beta,
            Some(Bound::Upper) => self.score < beta,
            None => false,
        }
    }
}

fn depth_of(data: u64) -> i32 {
    (data >> 48 & 255) as i32
}

/// The transposition table.
pub(super) struct TranspositionTable {
    clusters: Memory<Cluster>,
    generation: AtomicU8,
    /// Whether the table may contain entries.
    used: AtomicBool,
}

impl TranspositionTable {
    /// Creates a table of this many megabytes, or the largest that fits in memory; at least one cluster.
    pub fn new(megabytes: usize) -> Self {
        let mut n = (affordable(megabytes.saturating_mul(1 << 20)) / size_of::<Cluster>()).max(1);
        let clusters = loop {
            match Memory::new(n) {
                Some(clusters) => break clusters,
                // Not even one cluster fits: abort, as for any other failed allocation.
                None if n == 1 => handle_alloc_error(Layout::new::<Cluster>()),
                None => n /= 2,
            }
        };
        Self { clusters, generation: AtomicU8::new(0), used: AtomicBool::new(false) }
    }

    /// The size in whole megabytes, rounded up.
    pub fn megabytes(&self) -> usize {
        (self.clusters.len() * size_of::<Cluster>()).div_ceil(1 << 20)
    }

    /// Whether the table is too large for the processor's caches, so that [`TranspositionTable::probe`] waits for
    /// memory.
    #[inline]
    pub fn is_far(&self) -> bool {
        self.megabytes() > CACHE
    }

    /// Clears the table; does nothing if it is empty.
    pub fn clear(&mut self) {
        if std::mem::take(self.used.get_mut()) {
            self.clusters.renew();
            *self.generation.get_mut() = 0;
        }
    }

    /// Starts a new generation. Must be called before each search; existing entries then count as older.
    pub fn age(&self) {
        self.generation.store((self.generation.load(Relaxed) + 1) % GENERATIONS, Relaxed);
        self.used.store(true, Relaxed);
    }

    #[inline]
    fn cluster(&self, key: u64) -> &Cluster {
        &self.clusters[((u128::from(key) * self.clusters.len() as u128) >> 64) as usize]
    }

    /// Prefetches the cluster that [`TranspositionTable::probe`] will read.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        prefetch(self.cluster(key));
    }

    /// Returns the entry of the position with this key, for a node `ply` plies from the root.
    #[inline]
    pub fn probe(&self, key: u64, ply: usize) -> Option<TtEntry> {
        let cluster = self.cluster(key);
        for way in 0..WAYS {
            let data = cluster.data(way);
            if cluster.is_of(way, data, key) {
                let mut entry = TtEntry::unpack(data);
                entry.score = from_table(entry.score, ply);
                return Some(entry);
            }
        }
        None
    }

    /// Stores an entry, replacing that of the same position or else the least valuable one in the cluster.
    pub fn store(&self, key: u64, ply: usize, mut entry: TtEntry) {
        let generation = self.generation.load(Relaxed);
        entry.score = to_table(entry.score, ply);
        // The depth minus the age penalty; an empty slot has the lowest value.
        let worth = |data: u64| {
            let age = (GENERATIONS + generation - (data >> 59) as u8) % GENERATIONS;
            if data == 0 { i32::MIN } else { depth_of(data) - AGED * i32::from(age) }
        };
        let cluster = self.cluster(key);
        let mut least = (i32::MAX, 0);
        for way in 0..WAYS {
            let data = cluster.data(way);
            if cluster.is_of(way, data, key) {
                entry.mv = entry.mv.or(Move::from_bits(data as u16));
                let fresh = data >> 59 == u64::from(generation);
                let shallow = entry.depth + WORTH_PV * i32::from(entry.pv) + DEEPER <= depth_of(data);
                if fresh && shallow && entry.bound != Some(Bound::Exact) {
                    // Keep the stored entry except for the move.
                    cluster.put(way, data & !0xFFFF | u64::from(entry.mv.map_or(0, Move::bits)), key);
                    return;
                }
                least.1 = way;
                break;
            }
            least = least.min((worth(data), way));
        }
        cluster.put(least.1, entry.pack(generation), key);
    }

    /// The share of sampled entries that the current search has written, in permille.
    pub fn hashfull(&self) -> u32 {
        let generation = u64::from(self.generation.load(Relaxed));
        let sample = &self.clusters[..self.clusters.len().min(1000 / WAYS)];
        let used = |data: &&AtomicU64| {
            let data = data.load(Relaxed);
            data != 0 && data >> 59 == generation
        };
        let count = sample.iter().flat_map(|c| &c.data).filter(used).count();
        (count * 1000 / (sample.len() * WAYS)) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sanban_rules::score::mate_in;

    fn entry(depth: i32) -> TtEntry {
        let mv = Move::from_bits(77);
        TtEntry { mv, score: -1234, eval: Some(-5), depth, bound: Some(Bound::Lower), pv: true }
    }

    #[test]
    fn what_is_stored_comes_back_and_foreign_keys_do_not() {
        let table = TranspositionTable::new(1);
        table.store(5 << 32, 3, entry(9));
        assert_eq!(table.probe(5 << 32, 3), Some(entry(9)));
        assert_eq!(table.probe((5 << 32) + 1, 3), None);
    }

    #[test]
    fn a_torn_entry_is_not_read() {
        let table = TranspositionTable::new(1);
        table.store(7, 0, entry(9));
        table.cluster(7).data[0].store(entry(8).pack(0), Relaxed);
        assert_eq!(table.probe(7, 0), None);
    }

    #[test]
    fn mates_are_counted_from_the_node() {
        let table = TranspositionTable::new(1);
        table.store(7, 4, TtEntry { score: mate_in(9), ..entry(9) });
        assert_eq!(table.probe(7, 2).map(|e| e.score), Some(mate_in(7)));
    }

    #[test]
    fn a_full_cluster_gives_up_its_shallowest_entry_and_old_ones_first() {
        let table = TranspositionTable::new(1);
        for key in 1..=WAYS as u64 {
            table.store(key, 0, entry(10 + key as i32));
        }
        table.store(8, 0, entry(1));
        assert_eq!(table.probe(1, 0), None);
        table.age();
        table.store(9, 0, entry(0));
        assert_eq!(table.probe(8, 0), None);
        assert!(table.probe(9, 0).is_some() && table.probe(4, 0).is_some());
    }

    #[test]
    fn a_size_beyond_all_memory_is_cut_down() {
        let table = TranspositionTable::new(usize::MAX >> 20);
        assert!((1..1 << 30).contains(&table.megabytes()));
    }

    #[test]
    fn clearing_forgets() {
        let mut table = TranspositionTable::new(1);
        table.age();
        for key in 0..100_000u64 {
            table.store(key.wrapping_mul(0x9E37_79B9_7F4A_7C15), 0, entry(3));
        }
        assert_eq!(table.hashfull(), 1000);
        table.clear();
        assert_eq!((table.hashfull(), table.probe(3, 0)), (0, None));
    }
}
