//! The path from the root to the current position, and the disproofs that hold on that path only.

use super::table::{Place, Value};
use sanban_rules::Checks;

/// Number of buckets of the filter that speeds up lookups in the path.
const FILTER: usize = 4096;
/// Number of buckets of [`Repetitions`], divided among the threads.
const BUCKETS: usize = 1 << 14;
/// Number of entries per bucket.
const WAYS: usize = 4;

/// The positions from the root to the current one's parent.
pub(super) struct Path {
    places: Vec<Place>,
    /// Element `n` is the sum of the hashes of the first `n` positions.
    sums: Vec<u64>,
    /// Number of positions on the path by bucket. For most lookups it is 0, which ends the lookup.
    filter: Box<[u16; FILTER]>,
}

impl Path {
    pub fn new() -> Self {
        Self { places: Vec::new(), sums: vec![0], filter: Box::new([0; FILTER]) }
    }

    /// Plies from the root to the current position.
    #[inline]
    pub fn ply(&self) -> usize {
        self.places.len()
    }

    pub fn push(&mut self, place: Place) {
        self.sums.push(self.sums[self.ply()].wrapping_add(hash(place)));
        self.filter[place.board as usize % FILTER] += 1;
        self.places.push(place);
    }

    pub fn pop(&mut self) {
        if let Some(place) = self.places.pop() {
            self.sums.pop();
            self.filter[place.board as usize % FILTER] -= 1;
        }
    }

    /// Sum of the hashes of the last `plies` positions before the current one.
    #[inline]
    fn before(&self, plies: usize) -> u64 {
        let ply = self.ply();
        self.sums[ply].wrapping_sub(self.sums[ply - plies])
    }

    /// Returns the ply of a position on the path with this board in which the attacker holds at least this hand. Any
    /// mate from the current position could also be played from that one, so the cycle gains nothing.
    pub fn repeated<P: Checks>(&self, place: Place) -> Option<u16> {
        if self.filter[place.board as usize % FILTER] == 0 {
            return None;
        }
        let same = |p: &Place| p.board == place.board && P::hand_covers(p.hand, place.hand);
        self.places.iter().rposition(same).map(|ply| ply as u16)
    }
}

/// Hashes a table key to a single number with the finaliser of SplitMix64.
#[inline]
fn hash(place: Place) -> u64 {
    let word = place.board.wrapping_add(u64::from(place.hand).wrapping_mul(0x9E37_79B9_7F4A_7C15));
    let z = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// A disproof that holds on every path that ends with the same positions before the node, in any order.
#[derive(Clone, Copy, Default)]
struct Local {
    /// Hash of the node's table key.
    key: u64,
    /// Sum of the hashes of the positions before the node, from the earliest one that the disproof depends on.
    before: u64,
    hand: u32,
    /// Number of these positions; 0 if the entry is free.
    plies: u16,
}

/// Disproofs by repetition, each with the earlier positions that it depends on: the path-dependent half of the solution
/// to the graph-history interaction problem (Kishimoto and Müller, "A solution to the GHI problem for depth-first
/// proof-number search", 2005). In the paper, the whole path from the root must be the same; here, only the part that
/// the disproof depends on, usually one to three plies.
pub(super) struct Repetitions {
    /// Allocated on first use, since most problems need none.
    buckets: Vec<[Local; WAYS]>,
    /// Number of buckets once they are allocated.
    size: usize,
    /// The entry of a full bucket that is replaced next.
    next: usize,
}

impl Repetitions {
    /// Creates the storage of one of `threads` threads.
    pub fn new(threads: usize) -> Self {
        Self { buckets: Vec::new(), size: (BUCKETS / threads).max(1), next: 0 }
    }

    /// Stores a disproof of the current position, whose table key is `place`.
    pub fn put(&mut self, path: &Path, place: Place, value: &Value) {
        let Some(plies) = path.ply().checked_sub(usize::from(value.reach)) else { return };
        let (key, before) = (hash(place), path.before(plies));
        self.buckets.resize(self.size, [Local::default(); WAYS]);
        let index = key as usize % self.size;
        let bucket = &mut self.buckets[index];
        let known = bucket.iter().position(|e| e.plies == 0 || e.key == key && e.before == before);
        self.next = (self.next + 1) % WAYS;
        bucket[known.unwrap_or(self.next)] = Local { key, before, hand: value.hand, plies: plies as u16 };
    }

    /// Returns a stored disproof that holds for the current position on this path. `place` is the position's table key.
    pub fn get(&self, path: &Path, place: Place) -> Option<Value> {
        let key = hash(place);
        let entries = self.buckets.get(key as usize % self.size)?.iter();
        entries.filter(|e| e.key == key && e.plies > 0).find_map(|e| {
            let reach = path.ply().checked_sub(usize::from(e.plies))?;
            (path.before(usize::from(e.plies)) == e.before).then(|| Value::none(e.hand, reach as u16))
        })
    }
}
