//! Depth-first proof-number search.
//!
//! Numbers are from the point of view of the side to move: `phi` is the effort to prove that side's goal, and `delta`
//! the effort to prove its opponent's. At the attacker's nodes they are the proof and disproof numbers, at the
//! defender's nodes the disproof and proof numbers. The phi of a node is the smallest delta of its children; its delta
//! combines their phis.
//!
//! Improvements over plain df-pn:
//! - against double counting, where sums grow without bound, a node's delta is the largest phi of its children plus one
//!   for every other unsolved child (Ueda, Hashimoto, Hashimoto and Iida, "Weak Proof-Number Search", 2008);
//! - interposing drops on the same square, and the same move with and without promotion, are searched one after
//!   another: each is considered only after the previous one has been refuted;
//! - a child's threshold exceeds the delta of its best sibling by a quarter instead of by one (Pawlewicz and Lew,
//!   "Improving Depth-First PN-Search: 1+epsilon Trick", 2006);
//! - checks by board moves to the same square usually have the same refutations, so only the largest of their phis
//!   counts. Since one defence often refutes several checks, every phi except the largest is multiplied by three
//!   quarters;
//! - the initial numbers depend on the number of moves (df-pn+, Nagai 2002): the number of checks, or half the number
//!   of defences, in which moves that are searched one after another count as one. A node is solved immediately if
//!   listing its moves is enough to decide it;
//! - if a child was already searched at the same or a lower ply, the thresholds of the node are raised so that at least
//!   one child is searched (the threshold controlling algorithm: Kishimoto, "Dealing with infinite loops,
//!   underestimation, and overestimation of depth-first proof-number search", 2010);
//! - a thread prefers children that no other thread is searching (`crowd`);
//! - a disproof by repetition is stored for its path only, unless the repeated position is the node itself or below it
//!   (`path`);
//! - a proved node is stored with the smallest hand of the attacker for which the proof holds, a disproved node with
//!   the largest.

use super::control::{Control, MateProgress};
use super::path::{Path, Repetitions};
use super::table::{Found, INFINITE, NEVER, Place, ProofTable, Value};
use sanban_rules::{Checks, Color, Move, MoveList};
use sanban_system::clock::Instant;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

/// Maximum length of a line in plies.
pub(super) const MAX_LINE: usize = 3000;
/// Number of nodes between checks of the limits.
const PERIOD: u64 = 4;
/// The largest finite proof or disproof number.
const LIMIT: u32 = INFINITE - 1;
/// A sum above this value is assumed to count the same leaves many times.
const LARGE: u32 = 1 << 20;

/// The search of one thread.
pub(super) struct Solver<'a, P> {
    pub(super) pos: P,
    pub(super) table: &'a ProofTable,
    pub(super) path: Path,
    pub(super) control: &'a Control<'a>,
    /// Thread number; thread 0 reports progress.
    pub(super) index: usize,
    attacker: Color,
    /// Maximum length of the mate in plies, or `NEVER` for no limit.
    plies: u16,
    /// Whether a drop by the defender and its capture do not count towards `plies`.
    free_drops: bool,
    /// The number of plies on the path that do not count.
    free: u16,
    /// If the defender has just dropped a piece and drops may not count: its square plus one, otherwise 0.
    dropped: u16,
    /// The children of all nodes on the current path, those of deeper nodes last.
    children: Vec<Child>,
    /// The moves from the root to the current position.
    moves: Vec<Move>,
    repetitions: Repetitions,
    nodes: u64,
    /// The solver gives up when its own node count reaches this number.
    pub(super) last_node: u64,
    /// Positions with the attacker to move that count as no mate. They must not change while the table is in use.
    pub(super) forbidden: Vec<Place>,
    told: Instant,
    pub(super) over: bool,
    /// Whether this thread has the answer, so that `Control::answered` does not stop it.
    pub(super) claimed: bool,
}

/// A move and the current value of the position after it.
struct Child {
    mv: Move,
    /// The position after the move.
    place: Place,
    value: Value,
    /// Index of the child that must be refuted before this one is considered.
    after: Option<u16>,
    seen: bool,
    /// The lowest ply at which the position was searched, or `NEVER`.
    ply: u16,
}

/// A node's numbers from the point of view of the side to move, and the child to search next.
struct Sums {
    phi: u32,
    delta: u32,
    /// Index of the child with the smallest delta.
    best: usize,
    /// The smallest delta of the other children.
    second: u32,
    /// Number of children that are not solved.
    open: u32,
    /// Whether `delta` is the largest phi plus one for every other unsolved child instead of the sum of the phis.
    weak: bool,
    /// Whether a child was already searched at the same or a lower ply.
    back: bool,
}

impl<'a, P: Checks> Solver<'a, P> {
    pub fn new(root: &P, table: &'a ProofTable, control: &'a Control<'a>, index: usize, plies: u16) -> Self {
        Self {
            pos: root.clone(),
            table,
            path: Path::new(),
            control,
            index,
            attacker: root.side(),
            plies,
            free_drops: false,
            free: 0,
            dropped: 0,
            children: Vec::new(),
            moves: Vec::new(),
            repetitions: Repetitions::new(control.limits.threads.max(1)),
            nodes: 0,
            last_node: u64::MAX,
            forbidden: Vec::new(),
            told: control.begin,
            over: false,
            claimed: false,
        }
    }

    /// Searches the root position until it is solved or the search is over.
    pub fn root(&mut self) -> Value {
        let value = self.solve();
        if value.dn == 0 && self.control.cut.load(Relaxed) { Value::open(1, 1) } else { value }
    }

    /// Searches the current position until it is solved or the search is over.
    pub fn solve(&mut self) -> Value {
        // Numbers at their limit may decrease again when the table has better values.
        loop {
            let value = self.search(LIMIT, LIMIT);
            if value.solved() || self.over {
                return value;
            }
        }
    }

    /// Searches the current position as if it were the root, for a mate within `plies` plies.
    pub fn solve_as_root(&mut self, plies: u16) -> Value {
        let path = std::mem::replace(&mut self.path, Path::new());
        let before = std::mem::replace(&mut self.plies, plies);
        let drops = (std::mem::take(&mut self.free), std::mem::take(&mut self.dropped));
        let value = self.solve();
        (self.path, self.plies, (self.free, self.dropped)) = (path, before, drops);
        value
    }

    /// Searches the current position like [`Self::solve_as_root`], but a drop by the defender and its capture by the
    /// next check take no plies. Without such a mate, there is none within `plies` plies either, whichever
    /// interpositions are futile.
    pub fn solve_with_free_drops(&mut self, plies: u16) -> Value {
        self.free_drops = true;
        let value = self.solve_as_root(plies);
        self.free_drops = false;
        value
    }

    /// Maximum number of plies that a mate from the current position may take.
    #[inline]
    pub fn left(&self) -> u16 {
        match self.plies {
            NEVER => NEVER,
            plies => (plies + self.free).saturating_sub(self.path.ply() as u16),
        }
    }

    /// Looks up a position at the end of the path; `name` is its table key. If the number of plies is limited, an entry
    /// without the limit also counts if it is a disproof or a sufficiently short mate.
    fn known(&self, place: Place, name: Place) -> Option<Found> {
        let found = self.table.get::<P>(name);
        if self.plies == NEVER || found.is_some_and(|found| found.value.solved()) {
            return found;
        }
        let in_time = |value: &Value| value.dn == 0 || value.pn == 0 && value.plies <= self.left();
        self.table.get::<P>(place).filter(|found| in_time(&found.value)).or(found)
    }

    /// The side that gives check.
    pub fn attacker(&self) -> Color {
        self.attacker
    }

    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    #[inline]
    pub fn attacking(&self) -> bool {
        self.pos.side() == self.attacker
    }

    #[inline]
    pub fn place(&self) -> Place {
        Place { board: self.pos.board_key(), hand: self.pos.hand(self.attacker) }
    }

    /// The key of the position after a move.
    #[inline]
    fn place_after(&self, mv: Move) -> Place {
        let (board, hand) = self.pos.after(mv);
        Place { board, hand: if self.attacking() { hand } else { self.pos.hand(self.attacker) } }
    }

    /// The table key of a position at the end of the path. If the number of plies is limited, the key depends on the
    /// plies left.
    #[inline]
    pub fn name(&self, place: Place) -> Place {
        match self.plies {
            NEVER => place,
            plies => {
                // One ply less than none is left where only a capture is free.
                let left = (u64::from(plies) + u64::from(self.free) + 2).wrapping_sub(self.path.ply() as u64);
                let left = left ^ u64::from(self.dropped) << 32;
                let kind = if self.free_drops { 0x9FB2_1C65_1E98_DF25 } else { 0xD6E8_FEB8_6659_FD93 };
                Place { board: place.board ^ left.wrapping_mul(kind), ..place }
            }
        }
    }

    /// The pieces in hand of both sides together.
    #[inline]
    fn hands(&self) -> u32 {
        self.pos.hand(Color::Black) + self.pos.hand(Color::White)
    }

    /// The attacker's pieces in hand of kinds that the defender does not have but could interpose.
    #[inline]
    pub fn withheld(&self) -> u32 {
        match self.pos.can_interpose() {
            true => P::hand_without(self.pos.hand(self.attacker), self.pos.hand(!self.attacker)),
            false => 0,
        }
    }

    /// The plies that do not count because of this move, and what becomes of `dropped`.
    #[inline]
    fn free_plies(&self, mv: Move) -> (u16, u16) {
        match (self.free_drops, self.attacking()) {
            (false, _) => (0, 0),
            (true, false) if mv.is_drop() => (0, mv.to() as u16 + 1),
            (true, true) if !mv.is_drop() && self.dropped == mv.to() as u16 + 1 => (2, 0),
            _ => (0, 0),
        }
    }

    pub fn make(&mut self, mv: Move) {
        let place = self.place();
        let (free, dropped) = self.free_plies(mv);
        (self.free, self.dropped) = (self.free + free, dropped);
        self.path.push(place);
        self.moves.push(mv);
        self.pos.make(mv, &mut ());
    }

    pub fn unmake(&mut self) {
        self.pos.unmake();
        self.path.pop();
        let mv = self.moves.pop();
        if self.free_drops {
            let drop = self.moves.last().filter(|mv| mv.is_drop() && self.attacking());
            self.dropped = drop.map_or(0, |mv| mv.to() as u16 + 1);
            self.free -= mv.map_or(0, |mv| self.free_plies(mv).0);
        }
    }

    /// Returns the value of the position after a move, without a search (from a repetition, the table or the position's
    /// moves), and the lowest ply at which it was searched. The path must already include the current position.
    fn look(&mut self, mv: Move, place: Place, attacking: bool) -> (Value, u16) {
        if let Some(ply) = self.path.repeated::<P>(place) {
            return (Value::none(place.hand, ply), NEVER);
        }
        let forbids = |f: &Place| f.board == place.board && P::hand_covers(f.hand, place.hand);
        if !attacking && self.forbidden.iter().any(forbids) {
            return (Value::none(place.hand, NEVER), NEVER);
        }
        let name = self.name(place);
        if let Some(found) = self.known(place, name) {
            if found.repeats
                && !found.value.solved()
                && let Some(value) = self.repetitions.get(&self.path, name)
            {
                return (value, NEVER);
            }
            return (found.value, found.ply);
        }
        self.pos.make(mv, &mut ());
        let value = if attacking { self.first_defence() } else { self.first_attack() };
        self.pos.unmake();
        if !attacking || value.solved() {
            self.table.put::<P>(name, &value, self.path.ply() as u16, 1);
            // The first write to a huge page takes milliseconds, and every child may be on a different page, so the
            // monitor is polled for every child.
            self.over |= self.control.monitor.stopped();
        }
        (value, NEVER)
    }

    /// Initial numbers of a position with the defender to move.
    fn first_defence(&self) -> Value {
        match self.pos.answers() {
            0 => Value::mate(self.withheld(), 0, None),
            // With other hands the position could be checkmate, so the disproof holds for this hand only.
            _ if self.left() == 0 && !(self.free_drops && self.may_be_futile()) => {
                Value::none(self.pos.hand(self.attacker), NEVER)
            }
            n => Value::open(1 + n as u32 / 2, 1),
        }
    }

    /// Returns whether the defender, when no plies are left, has no moves but drops, whose captures may be mate.
    fn may_be_futile(&self) -> bool {
        let mut list = MoveList::new();
        self.pos.legal(&mut list);
        self.path.ply() <= usize::from(self.plies + self.free) && list.iter().all(|mv| mv.is_drop())
    }

    /// Initial numbers of a position with the attacker to move.
    fn first_attack(&mut self) -> Value {
        let mut checks = MoveList::new();
        self.pos.checks(&mut checks);
        if let Some(mv) = self.pos.mate_among(&checks) {
            let before = self.pos.hand(self.attacker);
            self.pos.make(mv, &mut ());
            let hand = carry::<P>(self.withheld(), self.pos.hand(self.attacker), before);
            self.pos.unmake();
            return Value::mate(hand, 1, Some(mv));
        }
        if checks.is_empty() {
            return Value::none(self.no_new_kinds(self.hands()), NEVER);
        }
        if self.left() <= 1 && !self.free_drops {
            return Value::none(self.pos.hand(self.attacker), NEVER);
        }
        Value::open(2, checks.len() as u32)
    }

    /// Removes from a hand the kinds that the attacker does not hold, since they would allow other checks.
    #[inline]
    fn no_new_kinds(&self, hand: u32) -> u32 {
        hand - P::hand_without(hand, self.pos.hand(self.attacker))
    }

    /// Appends the moves of the current position to the children, starting with `best`.
    fn expand(&mut self, best: Option<Move>) {
        let attacking = self.attacking();
        let mut list = MoveList::new();
        if attacking {
            self.pos.checks(&mut list);
        } else {
            self.pos.legal(&mut list);
        }
        if let Some(i) = list.iter().position(|&mv| Some(mv) == best) {
            list[..=i].rotate_right(1);
        }
        let base = self.children.len();
        for &mv in &list {
            let alike = |c: &Child| {
                let same_way = mv.is_drop() || c.mv.from() == mv.from();
                c.mv.to() == mv.to() && c.mv.is_drop() == mv.is_drop() && same_way
            };
            let after = match attacking && mv.is_drop() {
                true => None,
                false => self.children[base..].iter().rposition(alike).map(|i| i as u16),
            };
            let (place, value) = (self.place_after(mv), Value::open(1, 1));
            if self.plies == NEVER {
                self.table.prefetch(place.board);
            }
            self.children.push(Child { mv, place, value, after, seen: false, ply: NEVER });
        }
    }

    /// Evaluates the children that do not have to wait for the refutation of another one. Stops at a child that decides
    /// the node or when the search is over.
    fn look_at_children(&mut self, base: usize, attacking: bool) {
        let here = self.place();
        self.path.push(here);
        for i in base..self.children.len() {
            let child = &self.children[i];
            if child.seen {
                continue;
            }
            if let Some(after) = child.after
                && !refuted(&self.children[base + usize::from(after)], attacking)
            {
                continue;
            }
            let (mv, place) = (child.mv, child.place);
            let before = (self.free, self.dropped);
            let (free, dropped) = self.free_plies(mv);
            (self.free, self.dropped) = (self.free + free, dropped);
            let (value, ply) = self.look(mv, place, attacking);
            (self.free, self.dropped) = before;
            let child = &mut self.children[i];
            (child.value, child.ply, child.seen) = (value, ply, true);
            if self.over || value.solved() && !refuted(child, attacking) {
                break;
            }
        }
        self.path.pop();
    }

    /// Counts one node, checks the limits and reports progress.
    pub fn tick(&mut self) {
        self.nodes += 1;
        if !self.nodes.is_multiple_of(PERIOD) {
            return;
        }
        self.over |= self.nodes >= self.last_node;
        self.over |= !self.control.count(PERIOD) || self.control.answered.load(Relaxed) && !self.claimed;
        if self.index == 0 && self.told.elapsed() >= Duration::from_secs(1) {
            self.told = Instant::now();
            self.control.monitor.progress(&MateProgress {
                time: self.control.begin.elapsed(),
                nodes: self.control.nodes.load(Relaxed),
                hashfull: self.table.permille(),
                line: self.moves.clone(),
            });
        }
    }

    /// Searches the current position until one of its numbers reaches its limit.
    fn search(&mut self, mut phi_limit: u32, mut delta_limit: u32) -> Value {
        self.tick();
        let before = self.nodes;
        let place = self.place();
        let name = self.name(place);
        let ply = self.path.ply();
        if ply >= self.control.longest {
            self.control.cut.store(true, Relaxed);
            return Value::none(place.hand, 0);
        }
        let found = self.known(place, name).map(|found| found.value);
        let attacking = self.attacking();
        if let Some(value) = found {
            // A sibling's search or another thread may have searched this position since the parent looked it up.
            let (phi, delta) = sides(&value, attacking);
            let phi_reached = phi >= phi_limit && phi < LIMIT;
            if value.solved() || phi_reached || delta >= delta_limit && delta < LIMIT {
                return value;
            }
        }
        let best = found.and_then(|value| value.best);
        let base = self.children.len();
        self.expand(best);
        let mut first = true;
        let value = loop {
            self.look_at_children(base, attacking);
            if self.over {
                // The sums are unknown because not all children were evaluated.
                self.children.truncate(base);
                return Value::open(1, 1);
            }
            let sums = sum(&self.children[base..], attacking, ply as u16);
            if std::mem::take(&mut first) && sums.back {
                phi_limit = phi_limit.max(sums.phi.saturating_add(1)).min(LIMIT);
                delta_limit = delta_limit.max(sums.delta.saturating_add(1)).min(LIMIT);
            }
            if sums.phi >= phi_limit || sums.delta >= delta_limit {
                break self.conclude(base, attacking, &sums);
            }
            let (next, second) = self.apart(&self.children[base..], attacking, &sums, phi_limit);
            let child = &self.children[base + next];
            let place = child.place;
            let child_phi = if sums.weak {
                delta_limit - (sums.open - 1)
            } else {
                (delta_limit - sums.delta).saturating_add(sides(&child.value, !attacking).0).min(LIMIT)
            };
            let child_delta = phi_limit.min(second.saturating_add(second / 4 + 1)).min(LIMIT);
            self.make(child.mv);
            self.control.crowd.enter(place);
            let value = self.search(child_phi, child_delta);
            self.control.crowd.leave(place);
            self.unmake();
            let child = &mut self.children[base + next];
            child.value = value;
            child.ply = NEVER;
        };
        self.children.truncate(base);
        let work = u32::try_from(self.nodes - before + 1).unwrap_or(u32::MAX);
        self.table.put::<P>(name, &value, ply as u16, work);
        if value.dn == 0 && value.reach != NEVER {
            self.repetitions.put(&self.path, name, &value);
        }
        value
    }

    /// Returns the child to search and the smallest delta of the others. Deltas include the penalty for children that
    /// other threads are searching.
    #[inline]
    fn apart(&self, children: &[Child], attacking: bool, sums: &Sums, phi_limit: u32) -> (usize, u32) {
        let crowd = &self.control.crowd;
        if crowd.is_empty() {
            return (sums.best, sums.second);
        }
        let (mut best, mut least, mut second) = (sums.best, INFINITE, INFINITE);
        for (i, child) in children.iter().enumerate().filter(|(_, c)| c.seen && !refuted(c, attacking)) {
            let delta = sides(&child.value, !attacking).1;
            let tolled = delta.saturating_add(crowd.toll(child.place));
            // The search of a child that has reached the limit would return immediately.
            if tolled < least && (delta < phi_limit || i == sums.best) {
                (best, least, second) = (i, tolled, least);
            } else {
                second = second.min(tolled);
            }
        }
        (best, second)
    }

    /// Computes the value of the current position from its children.
    fn conclude(&mut self, base: usize, attacking: bool, sums: &Sums) -> Value {
        let (pn, dn) = if attacking { (sums.phi, sums.delta) } else { (sums.delta, sums.phi) };
        let best = self.children.get(base + sums.best).map(|c| c.mv);
        if pn != 0 && dn != 0 {
            return Value { best, ..Value::open(pn, dn) };
        }
        let here = self.pos.hand(self.attacker);
        let hands = self.hands();
        if attacking == (pn == 0) {
            // One child decides.
            let Child { place, value, .. } = self.children[base + sums.best];
            if attacking {
                return Value::mate(
                    carry::<P>(value.hand, place.hand, here),
                    value.plies.saturating_add(1),
                    best,
                );
            }
            return Value { best, ..Value::none(P::hand_common(value.hand, hands), self.reach(value.reach)) };
        }
        let children = &self.children[base..];
        if pn == 0 {
            let plies = children.iter().map(|c| c.value.plies).max().map_or(0, |n| n.saturating_add(1));
            let hand = children.iter().fold(self.withheld(), |hand, c| P::hand_union(hand, c.value.hand));
            return Value::mate(hand, plies, best);
        }
        let reach = children.iter().map(|c| c.value.reach).min().unwrap_or(NEVER);
        let mut hand = self.no_new_kinds(hands);
        for child in children {
            hand = P::hand_common(hand, carry::<P>(child.value.hand, child.place.hand, here));
        }
        Value { best, ..Value::none(hand, self.reach(reach)) }
    }

    /// Returns `NEVER` instead of `reach` if the disproof depends only on repetitions of the current position or
    /// positions below it, since it then holds on every path.
    #[inline]
    fn reach(&self, reach: u16) -> u16 {
        if usize::from(reach) >= self.path.ply() { NEVER } else { reach }
    }
}

/// Returns the hand that the attacker needs (or may have at most) before a move that changes the hand from `before` to
/// `after`, given the `hand` that is needed (or allowed) after it. A captured piece that is not needed does not change
/// the result.
#[inline]
pub(super) fn carry<P: Checks>(hand: u32, after: u32, before: u32) -> u32 {
    if P::hand_covers(before, after) {
        return hand + (before - after);
    }
    let captured = after - before;
    if P::hand_covers(hand, captured) { hand - captured } else { hand }
}

/// Returns `phi` and `delta` of a value. `attacking`: the attacker is to move.
#[inline]
fn sides(value: &Value, attacking: bool) -> (u32, u32) {
    if attacking { (value.pn, value.dn) } else { (value.dn, value.pn) }
}

#[inline]
fn refuted(child: &Child, attacking: bool) -> bool {
    child.seen && sides(&child.value, !attacking).0 == 0
}

/// Computes the numbers of a node at this ply from its children.
fn sum(children: &[Child], attacking: bool, ply: u16) -> Sums {
    let mut sums =
        Sums { phi: INFINITE, delta: 0, best: 0, second: INFINITE, open: 0, weak: false, back: false };
    let (mut hardest, mut total) = (0, 0_u32);
    // For each target square, the largest disproof number so far among the checks by board moves to it.
    let mut most = [0_u32; Move::SQUARES];
    for (i, child) in children.iter().enumerate().filter(|(_, c)| c.seen) {
        let (phi, delta) = sides(&child.value, !attacking);
        if delta == 0 {
            return Sums { phi: 0, delta: INFINITE, best: i, ..sums };
        }
        if phi == 0 {
            continue;
        }
        sums.open += 1;
        hardest = hardest.max(phi);
        let mut added = phi;
        if attacking && !child.mv.is_drop() {
            let most = &mut most[child.mv.to()];
            added = phi.saturating_sub(*most);
            *most = phi.max(*most);
        }
        total = total.saturating_add(added);
        sums.back |= child.ply <= ply;
        if delta < sums.phi {
            sums.second = sums.phi;
            (sums.phi, sums.best) = (delta, i);
        } else {
            sums.second = sums.second.min(delta);
        }
    }
    sums.weak = total > LARGE;
    let others = sums.open.saturating_sub(1);
    sums.delta = match total - hardest {
        _ if sums.weak => (hardest + others).min(LIMIT),
        rest if attacking => hardest + (rest * 3 / 4).max(rest.min(others)),
        _ => total,
    };
    sums
}
