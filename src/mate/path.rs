//! The way from the root to the current position, and the disproofs that hold on one way only.

use super::table::{Place, Value};
use crate::game::Checks;

/// Buckets of the filter in front of the path.
const FILTER: usize = 4096;
/// Entries of the memory of repetitions.
const MEMORY: usize = 1 << 16;

/// The positions from the root to the current one's parent, and a hash of them.
pub(super) struct Path {
    places: Vec<Place>,
    /// Of the positions up to each ply.
    hashes: Vec<u64>,
    /// How many boards of a bucket are on the path: most questions end here.
    filter: Box<[u16; FILTER]>,
}

impl Path {
    pub fn new() -> Self {
        Self { places: Vec::new(), hashes: vec![0], filter: Box::new([0; FILTER]) }
    }

    /// Plies from the root to the current position.
    #[inline]
    pub fn ply(&self) -> usize {
        self.places.len()
    }

    pub fn push(&mut self, place: Place) {
        let word = place.board ^ u64::from(place.hand) << 32 ^ self.places.len() as u64;
        self.hashes.push(self.hash() ^ mix(word));
        self.filter[place.board as usize % FILTER] += 1;
        self.places.push(place);
    }

    pub fn pop(&mut self) {
        if let Some(place) = self.places.pop() {
            self.hashes.pop();
            self.filter[place.board as usize % FILTER] -= 1;
        }
    }

    #[inline]
    fn hash(&self) -> u64 {
        self.hashes.last().copied().unwrap_or_default()
    }

    /// The ply of a position on the path with this board and at least this hand of the attacker's. If there were a
    /// mate from here, there would be a shorter one from there: going round in circles does not help.
    pub fn repeated<P: Checks>(&self, place: Place) -> Option<u16> {
        if self.filter[place.board as usize % FILTER] == 0 {
            return None;
        }
        let same = |p: &Place| p.board == place.board && P::hand_covers(p.hand, place.hand);
        self.places.iter().rposition(same).map(|ply| ply as u16)
    }
}

/// splitmix64's finish.
#[inline]
fn mix(word: u64) -> u64 {
    let z = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// Positions that were disproved by a repetition of what lies before them, each for its own path: the path-dependent
/// half of the cure for graph-history interaction (Kishimoto and Mueller, "A solution to the GHI problem for depth-first
/// proof-number search", 2005).
pub(super) struct Repetitions(Vec<(u64, u32, u16)>);

impl Repetitions {
    pub fn new() -> Self {
        Self(vec![(0, 0, 0); MEMORY])
    }

    #[inline]
    fn key(path: &Path, place: Place) -> u64 {
        path.hash() ^ mix(place.board.wrapping_add(u64::from(place.hand)))
    }

    pub fn put(&mut self, path: &Path, place: Place, value: &Value) {
        let key = Self::key(path, place);
        self.0[key as usize % MEMORY] = (key, value.hand, value.reach);
    }

    pub fn get(&self, path: &Path, place: Place) -> Option<Value> {
        let key = Self::key(path, place);
        let (known, hand, reach) = self.0[key as usize % MEMORY];
        (known == key).then(|| Value::none(hand, reach))
    }
}
