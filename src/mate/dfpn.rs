//! Depth-first proof-number search.
//!
//! Numbers are kept from the mover's side at every node: `phi` is what the mover has to prove, `delta` what the
//! opponent has. At the attacker's nodes they are the proof and disproof number, at the defender's the reverse.
//!
//! The known cures, and where they come from:
//! - the threshold of a child is a quarter above its best brother's number, not one more (Pawlewicz and Lew,
//!   "Improving Depth-First PN-Search: 1+epsilon Trick", 2006);
//! - moves that differ only in the kind of the piece dropped, or in promotion, wait for one another: the next one
//!   is looked at when the one before is refuted, and they count once;
//! - a disproof by repetition is remembered for its path alone, unless the position repeated lies below the node
//!   it disproves (Kishimoto and Mueller, "A solution to the GHI problem for depth-first proof-number search", 2005).

use super::table::{INFINITE, NEVER, Place, Table, Value};
use super::{Control, MateProgress};
use crate::base::{Move, MoveList};
use crate::game::Checks;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// Longest line in plies.
const MAX_DEPTH: usize = 2000;
/// Nodes between looks at the clock.
const PERIOD: u64 = 64;
/// Finite numbers stay below this.
const LIMIT: u32 = INFINITE - 1;
/// Buckets of the filter in front of the path.
const FILTER: usize = 4096;

/// One thread's search.
pub(super) struct Solver<'a, P> {
    pub(super) pos: P,
    pub(super) table: &'a Table<P>,
    control: &'a Control<'a>,
    report: &'a (dyn Fn(MateProgress) + Sync),
    /// Thread number; 0 reports.
    index: usize,
    attacker: crate::base::Color,
    /// Boards and attacker's hands from the root to here.
    path: Vec<(u64, u32)>,
    /// How often a board's bucket is on the path.
    filter: Box<[u16; FILTER]>,
    nodes: u64,
    told: Instant,
    pub(super) over: bool,
}

/// A move and what is known of the position after it.
struct Child {
    mv: Move,
    value: Value,
    /// The child that must be refuted before this one is looked at.
    after: Option<u16>,
    /// Has it been looked at?
    seen: bool,
}

/// Sums of a node's children, from the mover's side.
struct Sums {
    phi: u32,
    delta: u32,
    /// Child with the least number for its mover to prevent.
    best: usize,
    second: u32,
}

impl<'a, P: Checks> Solver<'a, P> {
    pub fn new(
        root: &P,
        table: &'a Table<P>,
        control: &'a Control<'a>,
        index: usize,
        report: &'a (dyn Fn(MateProgress) + Sync),
    ) -> Self {
        Self {
            pos: root.clone(),
            table,
            control,
            report,
            index,
            attacker: root.side(),
            path: Vec::new(),
            filter: Box::new([0; FILTER]),
            nodes: 0,
            told: Instant::now(),
            over: false,
        }
    }

    /// Searches the position at the root to the end.
    pub fn root(&mut self) -> Value {
        let mut value = self.look();
        while !value.solved() && !self.over && value.pn < LIMIT && value.dn < LIMIT {
            value = self.search(LIMIT, LIMIT);
        }
        if value.dn == 0 && value.reach != NEVER { Value::open(1, 1) } else { value }
    }

    /// Is it the attacker's move?
    pub fn attacking(&self) -> bool {
        self.pos.side() == self.attacker
    }

    fn place(&self) -> Place {
        let (board, hand) = (self.pos.board_key(), self.pos.hand(self.attacker));
        let path = self.path.iter().fold(0_u64, |hash, &(board, hand)| {
            (hash.rotate_left(5) ^ board ^ u64::from(hand) << 32).wrapping_mul(0x9E37_79B9_7F4A_7C15)
        });
        Place { board, hand, path }
    }

    /// The move that proved the current position, if the table still knows.
    pub fn remembered(&self) -> Option<Move> {
        self.table.get(self.place()).and_then(|value| value.best)
    }

    /// What is known of the current position without a search: repetition, table, or a look at the moves.
    pub fn look(&mut self) -> Value {
        let (board, hand) = (self.pos.board_key(), self.pos.hand(self.attacker));
        if self.filter[board as usize % FILTER] > 0
            && let Some(depth) = self.path.iter().rposition(|&(b, h)| b == board && P::hand_covers(h, hand))
        {
            // A shortest mate does not come back with no more in hand.
            return Value::none(depth as u16);
        }
        let place = self.place();
        if let Some(value) = self.table.get(place) {
            return value;
        }
        let value = self.guess();
        if value.solved() {
            self.table.put(place, &value, 1);
        }
        value
    }

    /// First numbers of a position that was never searched.
    fn guess(&self) -> Value {
        if !self.attacking() {
            return match self.pos.count() {
                0 => Value::mate(0, None),
                n => Value::open(n as u32, 1),
            };
        }
        if let Some(mv) = self.pos.mate_in_one() {
            return Value::mate(1, Some(mv));
        }
        let mut checks = MoveList::new();
        self.pos.checks(&mut checks);
        match checks.len() {
            0 => Value::none(NEVER),
            n => Value::open(1, n as u32),
        }
    }

    fn moves(&self, best: Option<Move>) -> Vec<Child> {
        let mut list = MoveList::new();
        if self.attacking() {
            self.pos.checks(&mut list);
        } else {
            self.pos.legal(&mut list);
        }
        if let Some(i) = list.iter().position(|&mv| Some(mv) == best) {
            list[..=i].rotate_right(1);
        }
        let mut children: Vec<Child> = Vec::with_capacity(list.len());
        for &mv in &list {
            let alike = |c: &Child| {
                c.mv.to() == mv.to()
                    && c.mv.is_drop() == mv.is_drop()
                    && (mv.is_drop() && !self.attacking() || c.mv.from() == mv.from())
            };
            let after = children.iter().rposition(alike).map(|i| i as u16);
            children.push(Child { mv, value: Value::open(1, 1), after, seen: false });
        }
        children
    }

    /// Counts one node and asks whether to go on.
    fn tick(&mut self) {
        self.nodes += 1;
        if !self.nodes.is_multiple_of(PERIOD) {
            return;
        }
        self.over = !self.control.count(PERIOD);
        if self.index == 0 && self.told.elapsed() >= Duration::from_millis(500) {
            self.told = Instant::now();
            (self.report)(MateProgress {
                time: self.control.begin.elapsed(),
                nodes: self.control.nodes.load(Ordering::Relaxed),
                hashfull: self.table.permille(),
            });
        }
    }

    /// Searches the current position until one of its numbers reaches its threshold.
    pub fn search(&mut self, phi_limit: u32, delta_limit: u32) -> Value {
        self.tick();
        let before = self.nodes;
        let place = self.place();
        let known = self.table.get(place);
        let attacking = self.attacking();
        if let Some(value) = known
            && value.solved()
        {
            return value;
        }
        if self.path.len() >= MAX_DEPTH {
            return Value::open(LIMIT, LIMIT);
        }
        let mut children = self.moves(known.and_then(|v| v.best));
        let depth = self.path.len() as u16;
        self.path.push((place.board, place.hand));
        self.filter[place.board as usize % FILTER] += 1;

        let value = loop {
            for i in 0..children.len() {
                let open = children[i].after.is_none_or(|a| refuted(&children[usize::from(a)], attacking));
                if open && !children[i].seen {
                    let mv = children[i].mv;
                    self.pos.make(mv, &mut ());
                    children[i].value = self.look();
                    self.pos.unmake();
                    children[i].seen = true;
                    if children[i].value.solved() && !refuted(&children[i], attacking) {
                        break;
                    }
                }
            }
            let sums = sum(&children, attacking);
            if self.over || sums.phi >= phi_limit || sums.delta >= delta_limit {
                break conclude(&children, attacking, &sums, depth);
            }
            let child = &children[sums.best];
            let (phi, _) = sides(&child.value, !attacking);
            let child_phi = (delta_limit - sums.delta).saturating_add(phi).min(LIMIT);
            let child_delta = phi_limit.min(sums.second.saturating_add(sums.second / 4 + 1)).min(LIMIT);
            self.pos.make(child.mv, &mut ());
            let value = self.search(child_phi, child_delta);
            self.pos.unmake();
            children[sums.best].value = value;
        };

        self.filter[place.board as usize % FILTER] -= 1;
        self.path.pop();
        if !self.over || value.solved() {
            self.table.put(place, &value, (self.nodes - before + 1).min(u64::from(u32::MAX)) as u32);
        }
        value
    }
}

/// `phi` and `delta` of a value.
fn sides(value: &Value, attacking: bool) -> (u32, u32) {
    if attacking { (value.pn, value.dn) } else { (value.dn, value.pn) }
}

/// Does this move lose for the mover?
fn refuted(child: &Child, attacking: bool) -> bool {
    child.seen && sides(&child.value, !attacking).0 == 0
}

fn sum(children: &[Child], attacking: bool) -> Sums {
    let mut sums = Sums { phi: INFINITE, delta: 0, best: 0, second: INFINITE };
    for (i, child) in children.iter().enumerate().filter(|(_, c)| c.seen) {
        let (phi, delta) = sides(&child.value, !attacking);
        if phi == INFINITE {
            return Sums { phi: 0, delta: INFINITE, best: i, second: INFINITE };
        }
        sums.delta = (sums.delta + phi).min(LIMIT);
        if delta < sums.phi {
            sums.second = sums.phi;
            (sums.phi, sums.best) = (delta, i);
        } else {
            sums.second = sums.second.min(delta);
        }
    }
    sums
}

/// The value of a node at `depth` from those of its children.
fn conclude(children: &[Child], attacking: bool, sums: &Sums, depth: u16) -> Value {
    let (pn, dn) = if attacking { (sums.phi, sums.delta) } else { (sums.delta, sums.phi) };
    let best = children.get(sums.best).map(|c| c.mv);
    let values = || children.iter().filter(|c| c.seen).map(|c| &c.value);
    if pn == 0 {
        let plies = if attacking {
            values().filter(|v| v.pn == 0).map(|v| v.plies).min()
        } else {
            values().map(|v| v.plies).max()
        };
        return Value::mate(plies.map_or(0, |n| n.saturating_add(1)), best);
    }
    if dn == 0 {
        let reach = if attacking {
            values().map(|v| v.reach).min().unwrap_or(NEVER)
        } else {
            values().filter(|v| v.dn == 0).map(|v| v.reach).max().unwrap_or(NEVER)
        };
        // What repeats this position or one below it holds on every path.
        return Value { best, ..Value::none(if reach >= depth { NEVER } else { reach }) };
    }
    Value { best, ..Value::open(pn, dn) }
}
