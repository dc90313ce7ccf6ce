//! What the solver remembers: proof and disproof numbers by board, with hands compared.

use crate::base::Move;
use crate::game::Checks;
use std::marker::PhantomData;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

/// A proof or disproof number that stands for "impossible".
pub(super) const INFINITE: u32 = 1 << 28;
/// The depth that a disproof reaches back to when it rests on no repetition at all.
pub(super) const NEVER: u16 = u16::MAX;

/// What is known of a node: its proof and disproof number, and what they rest on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Value {
    /// Least number of leaves that must be proved; 0: there is a mate.
    pub pn: u32,
    /// Least number of leaves that must be disproved; 0: there is no mate.
    pub dn: u32,
    /// Of a disproof: the least depth of the current path's positions whose repetition it rests on, or `NEVER`.
    pub reach: u16,
    /// Of a proof: an upper bound of the plies to mate.
    pub plies: u16,
    /// The move to try first.
    pub best: Option<Move>,
}

impl Value {
    /// Nothing is known but a first guess.
    pub const fn open(pn: u32, dn: u32) -> Self {
        Self { pn, dn, reach: NEVER, plies: 0, best: None }
    }

    /// A mate in so many plies.
    pub const fn mate(plies: u16, best: Option<Move>) -> Self {
        Self { pn: 0, dn: INFINITE, reach: NEVER, plies, best }
    }

    /// No mate, as far as the positions from depth `reach` on are forbidden.
    pub const fn none(reach: u16) -> Self {
        Self { pn: INFINITE, dn: 0, reach, plies: 0, best: None }
    }

    /// Is it proved or disproved?
    pub const fn solved(&self) -> bool {
        self.pn == 0 || self.dn == 0
    }
}

/// What names a node: the board with the side to move, the attacker's hand, and the way there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub board: u64,
    pub hand: u32,
    /// Hash of all positions from the root to this one, in order.
    pub path: u64,
}

#[derive(Clone, Copy)]
struct Entry {
    board: u64,
    /// The path on which `reach` makes this a disproof.
    path: u64,
    hand: u32,
    pn: u32,
    dn: u32,
    /// Nodes searched below; 0: the entry is free.
    work: u32,
    best: Option<Move>,
    plies: u16,
    /// Not `NEVER`: a disproof that holds on `path` only.
    reach: u16,
}

const FREE: Entry =
    Entry { board: 0, path: 0, hand: 0, pn: 0, dn: 0, work: 0, best: None, plies: 0, reach: NEVER };

impl Entry {
    /// How much would be lost with it.
    fn worth(&self) -> u64 {
        // A solved entry answers for many hands and is never searched again.
        let factor = if self.pn == 0 || self.dn == 0 { 8 } else { 1 };
        u64::from(self.work) * factor
    }
}

const ENTRIES: usize = 12;
const CLUSTERS: usize = 32;
type Cluster = Mutex<[Entry; ENTRIES]>;
type Page = Box<[Cluster]>;

/// Clusters of entries by board, so that hands can be compared: more in the attacker's hand keeps a proof, less
/// keeps a disproof.
///
/// Pages are made when they are first touched, so that short problems do not pay for a large table. A full cluster
/// gives up the entry with the least work in it.
pub(super) struct Table<P> {
    pages: Box<[OnceLock<Page>]>,
    game: PhantomData<fn() -> P>,
}

impl<P: Checks> Table<P> {
    /// A table of at most so many megabytes.
    pub fn new(megabytes: usize) -> Self {
        let page = CLUSTERS * size_of::<Cluster>() + 64;
        let pages = (megabytes.max(1) << 20) / page;
        Self { pages: (0..pages).map(|_| OnceLock::new()).collect(), game: PhantomData }
    }

    /// Thousandths of the pages in use.
    pub fn permille(&self) -> usize {
        let sample = &self.pages[..self.pages.len().min(1000)];
        sample.iter().filter(|page| page.get().is_some()).count() * 1000 / sample.len()
    }

    fn cluster(&self, board: u64) -> MutexGuard<'_, [Entry; ENTRIES]> {
        let mixed = board.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let page = ((u128::from(mixed) * self.pages.len() as u128) >> 64) as usize;
        let page =
            self.pages[page].get_or_init(|| (0..CLUSTERS).map(|_| Mutex::new([FREE; ENTRIES])).collect());
        page[(board >> 7) as usize % CLUSTERS].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is known of a node.
    pub fn get(&self, place: Place) -> Option<Value> {
        let mut found: Option<Value> = None;
        let cluster = self.cluster(place.board);
        for e in cluster.iter().filter(|e| e.board == place.board && e.work > 0) {
            if e.pn == 0 && P::hand_covers(place.hand, e.hand) {
                if found.is_none_or(|v| v.pn != 0 || v.plies > e.plies) {
                    found = Some(Value::mate(e.plies, e.best));
                }
            } else if e.dn == 0 && P::hand_covers(e.hand, place.hand) {
                return Some(Value::none(NEVER));
            } else if e.hand == place.hand && found.is_none() {
                found = Some(if e.reach != NEVER && e.path == place.path {
                    Value::none(e.reach)
                } else {
                    Value { pn: e.pn, dn: e.dn, reach: NEVER, plies: 0, best: e.best }
                });
            }
        }
        found
    }

    /// Remembers what a search of `work` nodes has found.
    pub fn put(&self, place: Place, value: &Value, work: u32) {
        let mut cluster = self.cluster(place.board);
        let work = work.max(1);
        let (proved, disproved) = (value.pn == 0, value.dn == 0 && value.reach == NEVER);
        let mut slot = None;
        for (i, e) in cluster.iter_mut().enumerate().filter(|(_, e)| e.board == place.board && e.work > 0) {
            if e.hand == place.hand {
                slot = Some(i);
            } else if proved && e.pn != 0 && P::hand_covers(e.hand, place.hand)
                || disproved && e.dn != 0 && P::hand_covers(place.hand, e.hand)
            {
                // The new entry answers for it.
                *e = FREE;
            }
        }
        let slot =
            slot.unwrap_or_else(|| (0..ENTRIES).min_by_key(|&i| cluster[i].worth()).unwrap_or_default());
        let e = &mut cluster[slot];
        if e.board != place.board || e.hand != place.hand || e.work == 0 {
            *e = Entry { board: place.board, hand: place.hand, pn: 1, dn: 1, ..FREE };
        }
        e.work = e.work.saturating_add(work);
        let known = e.pn == 0 || e.dn == 0;
        if value.dn == 0 && !disproved {
            // Elsewhere the same position may hold a mate: the numbers stay.
            (e.path, e.reach) = (place.path, value.reach);
        } else if known && !(proved && e.pn == 0 && value.plies < e.plies) {
            // Another thread was faster, or knows a shorter mate.
        } else {
            (e.pn, e.dn, e.best, e.plies, e.reach) = (value.pn, value.dn, value.best, value.plies, NEVER);
        }
    }
}
