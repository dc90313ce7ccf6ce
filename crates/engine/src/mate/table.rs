//! The solver's table: proof and disproof numbers by board and the attacker's hand.
//!
//! The entries of one board are stored close together, so that hands can be compared: a proof holds for every larger
//! hand of the attacker, a disproof for every smaller one. An entry is four atomic words, the first of which is the key
//! XOR the others (Hyatt and Mann, "A lock-less transposition table implementation for parallel search", 2002): an
//! entry torn by two threads matches no position.
//!
//! The table has no separate garbage collection. When the window of a board is full, the entry with the least work is
//! replaced: the one that garbage collection by subtree size (Nagai's small-tree GC) would remove first.

use sanban_rules::{Checks, Move};
use sanban_system::affordable;
use sanban_system::memory::{Memory, Zeroed};
use sanban_system::prefetch::prefetch;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The proof number of a node without a mate, and the disproof number of a mate.
pub(super) const INFINITE: u32 = 1 << 28;
/// The `reach` of a disproof that does not depend on a repetition. For a number of plies: no limit.
pub(super) const NEVER: u16 = u16::MAX;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Value {
    /// Minimum number of leaves that must be proved; 0: there is a mate.
    pub pn: u32,
    /// Minimum number of leaves that must be disproved; 0: there is no mate.
    pub dn: u32,
    /// The attacker's hand for which this holds: the smallest known for a proof, the largest for a disproof.
    pub hand: u32,
    /// For a disproof: the lowest ply on the current path whose repetition it depends on, or `NEVER`.
    pub reach: u16,
    /// For a proof: plies to mate with this strategy, futile defences included.
    pub plies: u16,
    /// The move to try first; for the attacker's proof, the one that mates.
    pub best: Option<Move>,
}

impl Value {
    /// An unsolved node with these numbers.
    pub const fn open(pn: u32, dn: u32) -> Self {
        Self { pn, dn, hand: 0, reach: NEVER, plies: 0, best: None }
    }

    /// A mate with at least this hand.
    pub const fn mate(hand: u32, plies: u16, best: Option<Move>) -> Self {
        Self { pn: 0, dn: INFINITE, hand, reach: NEVER, plies, best }
    }

    /// No mate with at most this hand, provided that the positions on the path from ply `reach` on are not repeated.
    pub const fn none(hand: u32, reach: u16) -> Self {
        Self { pn: INFINITE, dn: 0, hand, reach, plies: 0, best: None }
    }

    pub const fn solved(&self) -> bool {
        self.pn == 0 || self.dn == 0
    }
}

/// The key of a node: the board with the side to move, and the attacker's hand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Place {
    pub board: u64,
    pub hand: u32,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pub value: Value,
    /// The lowest ply at which the position was searched.
    pub ply: u16,
    /// Whether the position was ever disproved by a repetition, on one path only.
    pub repeats: bool,
}

/// Four words: `key ^ a ^ b ^ c`; `a` = hand, pn; `b` = dn, best move, plies; `c` = ply, repeats, generation, work. An
/// entry is free if its generation differs from the table's.
#[derive(Default)]
struct ProofEntry([AtomicU64; 4]);

// SAFETY: all-zero bits are valid for four integers, which need no drop.
unsafe impl Zeroed for ProofEntry {}

#[derive(Clone, Copy)]
struct Data {
    place: Place,
    pn: u32,
    dn: u32,
    best: Option<Move>,
    plies: u16,
    ply: u16,
    repeats: bool,
    /// Number of nodes searched below this one, at least 1.
    work: u32,
}

impl ProofEntry {
    /// Returns the contents, or `None` if the entry is free.
    fn load(&self, generation: u64) -> Option<Data> {
        let [check, a, b, c] = [0, 1, 2, 3].map(|i| self.0[i].load(Relaxed));
        (c >> 17 & LAST_GENERATION == generation).then(|| Data {
            place: Place { board: check ^ a ^ b ^ c, hand: a as u32 },
            pn: (a >> 32) as u32,
            dn: b as u32,
            best: Move::from_bits((b >> 32) as u16),
            plies: (b >> 48) as u16,
            ply: c as u16,
            repeats: c >> 16 & 1 != 0,
            work: (c >> 32) as u32,
        })
    }

    fn save(&self, d: &Data, generation: u64) {
        let a = u64::from(d.pn) << 32 | u64::from(d.place.hand);
        let best = d.best.map_or(0, Move::bits);
        let b = u64::from(d.plies) << 48 | u64::from(best) << 32 | u64::from(d.dn);
        let c = u64::from(d.work) << 32 | generation << 17 | u64::from(d.repeats) << 16 | u64::from(d.ply);
        for (word, value) in self.0.iter().zip([d.place.board ^ a ^ b ^ c, a, b, c]) {
            word.store(value, Relaxed);
        }
    }
}

impl Data {
    /// The cost of losing the entry. Entries of solved nodes count four times, since they are final and valid for many
    /// hands.
    fn worth(&self) -> u64 {
        u64::from(self.work) * if self.pn == 0 || self.dn == 0 { 4 } else { 1 }
    }
}

/// The highest generation, after which the table is cleared and numbering restarts at 1.
const LAST_GENERATION: u64 = (1 << 15) - 1;
/// Number of slots in which the entries of a board may be stored.
const WINDOW: usize = 24;

/// The table, shared by all threads.
pub(super) struct ProofTable {
    entries: Memory<ProofEntry>,
    /// Number of the current problem, at least 1. Entries of other generations are free.
    generation: u64,
    /// The requested size in MB.
    megabytes: usize,
}

impl ProofTable {
    /// Returns an empty table of `megabytes` MB, or the largest that fits into memory; `None` if none does. Reuses the
    /// memory of `old` if the requested size is the same: allocating memory from the system can take longer than
    /// solving a problem.
    pub fn renewed(old: Option<Self>, megabytes: usize) -> Option<Self> {
        let Some(mut table) = old.filter(|old| old.megabytes == megabytes) else {
            return Self::new(megabytes);
        };
        table.generation += 1;
        if table.generation > LAST_GENERATION {
            table.entries.iter_mut().for_each(|entry| *entry = ProofEntry::default());
            table.generation = 1;
        }
        Some(table)
    }

    fn new(megabytes: usize) -> Option<Self> {
        let mut entries = (affordable(megabytes.max(1) << 20) / size_of::<ProofEntry>()).max(2 * WINDOW);
        loop {
            if let Some(entries) = Memory::lazy(entries) {
                return Some(Self { entries, generation: 1, megabytes });
            }
            entries /= 2;
            if entries < 2 * WINDOW {
                return None;
            }
        }
    }

    /// Estimates the table usage in permille from a sample.
    pub fn permille(&self) -> usize {
        let sample = &self.entries[..self.entries.len().min(4000)];
        sample.iter().filter(|e| e.load(self.generation).is_some()).count() * 1000 / sample.len()
    }

    #[inline]
    fn window(&self, board: u64) -> &[ProofEntry] {
        let mixed = board.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let starts = self.entries.len() - WINDOW;
        let start = ((u128::from(mixed) * starts as u128) >> 64) as usize;
        &self.entries[start..start + WINDOW]
    }

    /// Prefetches the entries that a lookup of this board will read first.
    #[inline]
    pub fn prefetch(&self, board: u64) {
        prefetch(&self.window(board)[0]);
    }

    pub fn get<P: Checks>(&self, place: Place) -> Option<Found> {
        let mut proof: Option<Value> = None;
        let mut exact: Option<Found> = None;
        let (mut pn, mut dn) = (1, 1);
        for entry in self.window(place.board) {
            let Some(e) = entry.load(self.generation) else { break };
            if e.place.board != place.board {
                continue;
            }
            let hand = e.place.hand;
            let (more, less) = (P::hand_covers(place.hand, hand), P::hand_covers(hand, place.hand));
            if e.pn == 0 {
                if more && proof.is_none_or(|known| known.plies > e.plies) {
                    proof = Some(Value::mate(hand, e.plies, e.best));
                }
            } else if e.dn == 0 {
                if less {
                    let value = Value { best: e.best, ..Value::none(hand, NEVER) };
                    return Some(Found { value, ply: e.ply, repeats: false });
                }
            } else {
                // More pieces in hand never make a mate harder, and fewer never make it easier.
                if less {
                    pn = pn.max(e.pn);
                }
                if more {
                    dn = dn.max(e.dn);
                }
                if more && less {
                    let value = Value { best: e.best, ..Value::open(e.pn, e.dn) };
                    exact = Some(Found { value, ply: e.ply, repeats: e.repeats });
                }
            }
        }
        if let Some(value) = proof {
            return Some(Found { value, ply: 0, repeats: false });
        }
        exact.map(|found| {
            let (pn, dn) = (found.value.pn.max(pn), found.value.dn.max(dn));
            Found { value: Value { pn, dn, ..found.value }, ..found }
        })
    }

    /// Stores the result of a search of `work` nodes at this ply. A disproof that holds on one path only is stored as
    /// unsolved, with the `repeats` flag.
    pub fn put<P: Checks>(&self, place: Place, value: &Value, ply: u16, work: u32) {
        let window = self.window(place.board);
        let local = value.dn == 0 && value.reach != NEVER;
        let solved = value.solved() && !local;
        // A solved node is stored under the hand of its proof or disproof, so that it covers as many hands as possible.
        let name = if solved { Place { hand: value.hand, ..place } } else { place };
        let mut data = Data {
            place: name,
            pn: if local { 1 } else { value.pn },
            dn: if local { 1 } else { value.dn },
            best: value.best,
            plies: value.plies,
            ply,
            repeats: local,
            work,
        };
        let (mut slot, mut least) = (None, u64::MAX);
        for entry in window {
            let Some(e) = entry.load(self.generation) else {
                slot = Some(entry);
                break;
            };
            if e.place.board == place.board {
                let same = e.place.hand == name.hand;
                let answered = solved
                    && if value.pn == 0 {
                        // The old proof is kept if it is shorter: a line that always follows the shortest proof never
                        // returns to an earlier position.
                        e.dn != 0
                            && P::hand_covers(e.place.hand, name.hand)
                            && (e.pn != 0 || e.plies >= value.plies)
                    } else {
                        e.pn != 0 && P::hand_covers(name.hand, e.place.hand)
                    };
                if answered || same && e.pn != 0 && e.dn != 0 {
                    if same && !solved {
                        if local {
                            (data.pn, data.dn) = (e.pn, e.dn);
                        }
                        data.repeats |= e.repeats;
                        data.ply = data.ply.min(e.ply);
                    }
                    data.work = data.work.saturating_add(e.work);
                    slot = Some(entry);
                    break;
                }
                if same {
                    // Another thread has solved the node or found a shorter mate.
                    return;
                }
            }
            if e.worth() < least {
                (slot, least) = (Some(entry), e.worth());
            }
        }
        if let Some(slot) = slot {
            slot.save(&data, self.generation);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contents_come_back() {
        let entry = ProofEntry([0; 4].map(AtomicU64::new));
        assert!(entry.load(7).is_none());
        let data = Data {
            place: Place { board: 0xFEDC_BA98_7654_3210, hand: 0x1234_5678 },
            pn: INFINITE,
            dn: 7,
            best: Move::from_bits(0xFFFF),
            plies: 999,
            ply: 2000,
            repeats: true,
            work: u32::MAX,
        };
        entry.save(&data, 7);
        assert!(entry.load(6).is_none());
        let e = entry.load(7).expect("entry is in use");
        assert_eq!((e.place, e.pn, e.dn, e.best), (data.place, data.pn, data.dn, data.best));
        assert_eq!((e.plies, e.ply, e.repeats, e.work), (data.plies, data.ply, data.repeats, data.work));
    }

    #[test]
    fn what_other_problems_left_counts_as_nothing() {
        let mut table = ProofTable::renewed(None, 1).expect("1 MB is available");
        let place = Place { board: 5, hand: 0 };
        let data = Data { place, pn: 3, dn: 4, best: None, plies: 0, ply: 0, repeats: false, work: 1 };
        table.entries[9].save(&data, table.generation);
        assert!(table.entries[9].load(table.generation).is_some());
        // After the last generation, numbering restarts at the first.
        for _ in 0..LAST_GENERATION {
            table = ProofTable::renewed(Some(table), 1).expect("table is reused");
            assert!(table.entries[9].load(table.generation).is_none());
        }
        assert_eq!(table.generation, 1);
        assert_eq!(ProofTable::renewed(Some(table), 2).map(|table| table.megabytes), Some(2));
    }
}
