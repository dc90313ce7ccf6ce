//! Extracts the main line from a proof.
//!
//! The traversal follows the proof through every legal defence. The table only provides hints; lost entries are
//! searched again. The main line consists of the attacker's moves in the proof and the longest defence, without futile
//! interpositions. An interposition is futile if the proof captures the piece immediately and the mate then continues
//! as if neither move had been played: it takes no longer than without the drop and does not need the captured piece.
//!
//! Each proof in the table is correct, but proofs found at different times may be inconsistent: if the table has lost a
//! proof and another one was found in its place, following both can lead into a cycle. The length of each proof remains
//! a valid upper bound for its position. When the traversal reaches a position that is already on its path, it restarts
//! from the first visit and follows only proofs whose lengths decrease from move to move; missing proofs are searched
//! as a mate within that number of plies. Such a traversal can return to a position only with a smaller bound, so it
//! terminates. A traversal whose lines become too long restarts from the root in the same way.
//!
//! At first, positions that differ only in the hands are traversed separately, so that the defence shown is the longest
//! one. With repeated interpositions this can take too long: proofs of a few thousand positions cover millions that
//! differ only in the attacker's spare pieces. The traversal is then restarted, and each proof is used for every
//! position it covers: the same board with at least the required hand. In this case the defence shown may not be the
//! longest.

use super::dfpn::{MAX_LINE, Solver, carry};
use super::questions::Over;
use super::table::{Place, Value};
use sanban_rules::{Checks, Move, MoveList};
use std::collections::HashMap;

/// Maximum number of positions in a traversal that distinguishes positions by their hands.
const EXACT: usize = 200_000;
/// Number of boards that a longer traversal stores, without the `MORE` boards per megabyte of the table. When the
/// storage is full, the least recently used boards are dropped and traversed again when needed.
const MOST: usize = 400_000;
/// Number of additional boards per megabyte of the table.
const MORE: usize = 4096;
/// Maximum length in plies of a mate, and maximum depth of a traversal on a thread with a large stack. Inconsistent
/// proofs can lead deeper than any line that was searched.
const LONGEST: u16 = 20_000;

/// The result for a position with the attacker to move, or with the defender to move where interpositions are possible.
#[derive(Clone, Copy)]
struct Step {
    /// The move that mates, or the defence to show.
    mv: Move,
    plies: Plies,
    /// The hand that the attacker needs.
    hand: u32,
}

/// Numbers of plies to mate.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
struct Plies {
    /// Plies against the longest defence.
    all: u16,
    /// Plies against the longest defence that is not futile.
    shown: u16,
}

impl Plies {
    fn after_a_move(self) -> Self {
        Self { all: self.all + 1, shown: self.shown + 1 }
    }
}

/// The number of plies within which a position is known to be a mate.
#[derive(Clone, Copy)]
struct Bound {
    plies: u16,
    /// Whether the proof must respect the bound.
    strict: bool,
}

impl Bound {
    /// The bound after a move of a proof that takes `plies` plies.
    fn after_a_move(self, plies: u16) -> Self {
        Self { plies: plies.saturating_sub(1), ..self }
    }
}

type Key = (u64, u32);

enum Stuck {
    Over,
    /// There are too many positions to distinguish them by their hands.
    Long,
    /// The traversal returned to this position on its path, which is a mate within this number of plies.
    Cycle(Key, u16),
}

/// The positions traversed so far.
#[derive(Default)]
struct Steps {
    /// Steps by board and hand.
    exact: HashMap<Key, Step>,
    /// Steps of recently used boards.
    young: HashMap<u64, Vec<Step>>,
    /// Steps of boards used less recently.
    old: HashMap<u64, Vec<Step>>,
    /// Maximum number of boards in each of the two maps; 0 if positions are distinguished by their hands.
    most: usize,
}

impl Steps {
    fn clear(&mut self) {
        *self = Self { most: self.most, ..Self::default() };
    }

    fn get<P: Checks>(&mut self, key: Key) -> Option<Step> {
        if self.most == 0 {
            return self.exact.get(&key).copied();
        }
        if let Some(steps) = self.old.remove(&key.0) {
            steps.into_iter().for_each(|step| self.insert::<P>(key, step));
        }
        let steps = self.young.get(&key.0)?.iter().filter(|step| P::hand_covers(key.1, step.hand));
        steps.min_by_key(|step| step.plies.all).copied()
    }

    fn insert<P: Checks>(&mut self, key: Key, step: Step) {
        if self.most == 0 {
            self.exact.insert(key, step);
            return;
        }
        if self.young.len() >= self.most {
            self.old = std::mem::take(&mut self.young);
        }
        let steps = self.young.entry(key.0).or_default();
        steps.retain(|s| !P::hand_covers(s.hand, step.hand) || s.plies.all < step.plies.all);
        steps.push(step);
    }
}

/// The result for a position with the defender to move.
struct Defence {
    plies: Plies,
    /// The hand that the attacker needs.
    hand: u32,
    /// The move to show.
    mv: Option<Move>,
}

/// A traversal of a proof.
struct Walk<'s, 'a, P> {
    solver: &'s mut Solver<'a, P>,
    /// The completely traversed positions. Their proofs depend only on one another.
    steps: Steps,
    /// The attacker's positions from the root to the current one, each with its bound.
    open: HashMap<Key, Bound>,
    root: Key,
    /// Maximum depth in plies.
    longest: usize,
}

impl<P: Checks> Solver<'_, P> {
    /// Returns the main line of the root, which is a proved mate within `plies` plies, and the length of the longest
    /// defence, futile interpositions included. Returns `None` if a limit is reached.
    pub fn line(&mut self, plies: u16) -> Option<(Vec<Move>, u16)> {
        self.claimed = true;
        let ply = self.path.ply();
        let longest = self.control.longest;
        let longest = if longest == MAX_LINE { usize::from(LONGEST) } else { longest };
        for most in [0, (MOST + MORE * self.control.limits.memory) / 2] {
            let (mut line, steps) = (Vec::new(), Steps { most, ..Steps::default() });
            let mut walk = Walk { solver: self, steps, open: HashMap::new(), root: (0, 0), longest };
            let found = walk.line(plies, &mut line);
            while self.path.ply() > ply {
                self.unmake();
            }
            match found {
                Ok(plies) => return Some((line, plies)),
                Err(Stuck::Long) => {}
                Err(_) => break,
            }
        }
        None
    }
}

/// Traverses the proofs of single positions, each with only the hand that the attacker needs.
pub(super) struct Proofs<'s, 'a, P>(Walk<'s, 'a, P>);

impl<'s, 'a, P: Checks> Proofs<'s, 'a, P> {
    pub fn new(solver: &'s mut Solver<'a, P>) -> Self {
        let most = (MOST + MORE * solver.control.limits.memory) / 2;
        let steps = Steps { most, ..Steps::default() };
        Self(Walk { solver, steps, open: HashMap::new(), root: (0, 0), longest: usize::from(LONGEST) })
    }

    /// For a position that is known to be a mate within `bound` plies, returns the mating check, the number of plies to
    /// mate, and the hand that the attacker needs.
    pub fn mate(&mut self, pos: &P, bound: u16) -> Result<(Move, u16, u32), Over> {
        self.0.solver.pos = pos.clone();
        self.0.root = self.0.key();
        let step = self.0.step(Bound { plies: bound, strict: true }).map_err(|_| Over)?;
        Ok((step.mv, step.plies.all, step.hand))
    }
}

impl<P: Checks> Walk<'_, '_, P> {
    /// Makes the moves of the main line and appends them to `line`. Returns the length of the longest defence in plies.
    fn line(&mut self, plies: u16, line: &mut Vec<Move>) -> Result<u16, Stuck> {
        self.root = self.key();
        let all = self.attack(Bound { plies, strict: false })?.plies.all;
        let mut bound = Bound { plies: all, strict: true };
        loop {
            let step = self.step(bound)?;
            self.solver.make(step.mv);
            line.push(step.mv);
            bound = bound.after_a_move(step.plies.all);
            let Some(mv) = self.defend(bound)?.mv else { return Ok(all) };
            self.solver.make(mv);
            line.push(mv);
            bound = bound.after_a_move(bound.plies);
        }
    }

    fn key(&self) -> Key {
        let place = self.solver.name(self.solver.place());
        (place.board, place.hand)
    }

    /// Returns the mate within the bound at the current position, with the attacker to move. If no
    /// step within the bound is stored, the position is traversed again.
    fn step(&mut self, bound: Bound) -> Result<Step, Stuck> {
        match self.steps.get::<P>(self.key()).filter(|step| step.plies.all <= bound.plies) {
            Some(step) => Ok(step),
            None => self.walk(bound),
        }
    }

    /// Traverses the proof of the current position, with the attacker to move.
    fn attack(&mut self, bound: Bound) -> Result<Step, Stuck> {
        let key = self.key();
        if let Some(step) = self.steps.get::<P>(key) {
            return Ok(step);
        }
        match self.open.contains_key(&key) {
            true => Err(Stuck::Cycle(key, bound.plies)),
            false => self.walk(bound),
        }
    }

    /// Traverses a proof of the current position that does not return to it.
    fn walk(&mut self, mut bound: Bound) -> Result<Step, Stuck> {
        let key = self.key();
        loop {
            self.solver.tick();
            if self.solver.over {
                return Err(Stuck::Over);
            }
            if self.solver.path.ply() >= self.longest {
                return Err(self.too_long());
            }
            if self.steps.exact.len() >= EXACT {
                return Err(Stuck::Long);
            }
            let found = self.walk_once(key, &mut bound);
            self.open.remove(&key);
            match found {
                Err(Stuck::Cycle(again, plies)) if again == key => {
                    bound = Bound { plies: plies.min(bound.plies), strict: true };
                }
                Err(stuck) => return Err(stuck),
                Ok(step) => {
                    self.steps.insert::<P>(key, step);
                    return Ok(step);
                }
            }
        }
    }

    /// Restarts the traversal at the root. A strict traversal from there is never longer than the proof of the root, as
    /// long as it does not use what was found before.
    fn too_long(&mut self) -> Stuck {
        match self.open.get(&self.root) {
            Some(bound) if !bound.strict => {
                self.steps.clear();
                Stuck::Cycle(self.root, bound.plies)
            }
            _ => Stuck::Over,
        }
    }

    fn walk_once(&mut self, key: Key, bound: &mut Bound) -> Result<Step, Stuck> {
        let (mv, plies) = self.hint(*bound)?;
        bound.plies = bound.plies.min(plies);
        self.open.insert(key, *bound);
        let before = self.solver.place().hand;
        self.solver.make(mv);
        let found = self.defences(bound.after_a_move(plies));
        let after = self.solver.place().hand;
        self.solver.unmake();
        let found = found?;
        let plies = found.plies.after_a_move();
        if plies.all > LONGEST {
            return Err(self.too_long());
        }
        Ok(Step { mv, plies, hand: carry::<P>(found.hand, after, before) })
    }

    /// Returns the mating check and the number of plies to mate, from the table or a new search.
    fn hint(&mut self, bound: Bound) -> Result<(Move, u16), Stuck> {
        let solver = &mut *self.solver;
        let mut checks = MoveList::new();
        solver.pos.checks(&mut checks);
        let mate = |value: Value| {
            let in_time = !bound.strict || value.plies <= bound.plies;
            let best = value.best.filter(|mv| value.pn == 0 && in_time && checks.contains(mv));
            best.map(|mv| (mv, value.plies))
        };
        let place = solver.name(solver.place());
        if let Some(found) = solver.table.get::<P>(place).and_then(|found| mate(found.value)) {
            return Ok(found);
        }
        // The search ignores the path to this position, because all known mates may pass through one of its positions.
        let left = if bound.strict { bound.plies } else { solver.left() };
        mate(solver.solve_as_root(left)).ok_or(Stuck::Over)
    }

    /// Traverses every defence in the current position.
    fn defences(&mut self, bound: Bound) -> Result<Defence, Stuck> {
        let key = self.key();
        if let Some(Step { mv, plies, hand }) = self.steps.get::<P>(key) {
            return Ok(Defence { plies, hand, mv: Some(mv) });
        }
        let found = self.defend(bound)?;
        // Without interpositions there are too few defences to be worth storing.
        if let Some(mv) = found.mv.filter(|_| self.solver.pos.can_interpose()) {
            self.steps.insert::<P>(key, Step { mv, plies: found.plies, hand: found.hand });
        }
        Ok(found)
    }

    fn defend(&mut self, bound: Bound) -> Result<Defence, Stuck> {
        let mut list = MoveList::new();
        self.solver.pos.legal(&mut list);
        let can_interpose = self.solver.pos.can_interpose();
        let (mut plies, mut best, mut futile) = (Plies::default(), None, None);
        let (place, mut hand) = (self.solver.place(), self.solver.withheld());
        // Drops come last, since whether a drop is futile depends on the length of the other defences.
        let (drops, moves): (Vec<Move>, Vec<Move>) = list.iter().partition(|mv| mv.is_drop());
        for mv in moves.into_iter().chain(drops) {
            self.solver.make(mv);
            let found = self.attack(bound.after_a_move(bound.plies));
            let is_futile = match &found {
                Ok(step) if mv.is_drop() && can_interpose => {
                    self.is_futile(mv, place, plies.shown, step.plies.all)
                }
                _ => Ok(false),
            };
            self.solver.unmake();
            let (found, is_futile) = (found?, is_futile?);
            hand = P::hand_union(hand, found.hand);
            let after = found.plies.after_a_move();
            plies.all = plies.all.max(after.all);
            if is_futile {
                futile = futile.or(Some(mv));
            } else if best.is_none() || after.shown > plies.shown {
                (best, plies.shown) = (Some(mv), after.shown);
            }
        }
        // A main line ends only when there is no legal move, so if all defences are futile drops, one is shown.
        Ok(Defence { plies, hand, mv: best.or(futile) })
    }

    /// Returns whether the drop `mv` that the defender has just made, which loses in `all` plies, is futile: the mate
    /// captures the piece immediately, takes at most `plies` more plies, and needs no more than the hand that the
    /// attacker had before the drop. `place` is the table key before the drop.
    fn is_futile(&mut self, mv: Move, place: Place, plies: u16, all: u16) -> Result<bool, Stuck> {
        let bound = Bound { plies: all, strict: true };
        let step = self.step(bound)?;
        if step.mv.is_drop() || step.mv.to() != mv.to() {
            return Ok(false);
        }
        self.solver.make(step.mv);
        let solver = &*self.solver;
        let without = solver.name(Place { hand: place.hand, ..solver.place() });
        let enough = solver.table.get::<P>(without).is_some_and(|found| found.value.pn == 0);
        let in_time = match enough {
            true => self.defences(bound.after_a_move(step.plies.all)).map(|found| found.plies.shown <= plies),
            false => Ok(false),
        };
        self.solver.unmake();
        in_time
    }
}
