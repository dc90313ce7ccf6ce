//! From a proved root to a line that can be shown.
//!
//! The proof is walked through every defence by the rules, with the table as nothing but a list of hints: what it has
//! forgotten is searched again. Then the main line is read off: against the attack of the proof, the defence that
//! lasts longest, without futile interpositions. A drop between is futile when the proof takes the piece at once and the mate
//! goes on as if neither had happened: no slower than without the drop, and without need of the piece.

use super::dfpn::Solver;
use super::table::Place;
use sanban_rules::{Checks, Move, MoveList};
use std::collections::HashMap;

/// Positions that a walk remembers at most: so many (some 30 MB), and so many more for every megabyte of the table.
const MOST: usize = 900_000;
const MORE: usize = 4096;

/// What the walk has found at a position of the attacker's, or at one of the defender's with interpositions.
#[derive(Clone, Copy)]
struct Step {
    /// The move that mates, `None` while the walk is below this position; or the defence to show.
    mv: Option<Move>,
    plies: Plies,
}

/// Plies to mate.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
struct Plies {
    /// Against every defence.
    all: u16,
    /// Against those that are not futile.
    shown: u16,
}

impl Plies {
    fn after_a_move(self) -> Self {
        Self { all: self.all + 1, shown: self.shown + 1 }
    }
}

/// A walk through a proof.
struct Walk<'s, 'a, P> {
    solver: &'s mut Solver<'a, P>,
    steps: HashMap<(u64, u32), Step>,
}

impl<P: Checks> Solver<'_, P> {
    /// The main line of the proved root, and the plies of the longest defence, futile ones included. `None` if
    /// what the table has forgotten is not found again within the limits, or if the proof has more positions than a
    /// walk remembers.
    pub fn line(&mut self) -> Option<(Vec<Move>, u16)> {
        self.claimed = true;
        let mut line = Vec::new();
        let found = Walk { solver: self, steps: HashMap::new() }.line(&mut line);
        line.iter().for_each(|_| self.unmake());
        Some((line, found?))
    }
}

impl<P: Checks> Walk<'_, '_, P> {
    /// Makes the moves of the main line, and appends them; the plies of the longest defence.
    fn line(&mut self, line: &mut Vec<Move>) -> Option<u16> {
        let plies = self.attack()?;
        loop {
            let (mv, _) = self.step()?;
            self.solver.make(mv);
            line.push(mv);
            let Some(mv) = self.defences()?.1 else { return Some(plies.all) };
            self.solver.make(mv);
            line.push(mv);
        }
    }

    fn key(&self) -> (u64, u32) {
        let place = self.solver.name(self.solver.place());
        (place.board, place.hand)
    }

    /// What was found at the current position of the attacker's.
    fn step(&mut self) -> Option<(Move, Plies)> {
        if !self.steps.contains_key(&self.key()) {
            self.attack()?;
        }
        let step = self.steps.get(&self.key())?;
        step.mv.map(|mv| (mv, step.plies))
    }

    /// Walks through the proof of the current position, the attacker to move.
    fn attack(&mut self) -> Option<Plies> {
        let key = self.key();
        if let Some(step) = self.steps.get(&key) {
            // A whole proof does not come back to where it was; one that was found again in parts may.
            return step.mv.map(|_| step.plies);
        }
        self.solver.tick();
        if self.solver.over
            || self.solver.path.ply() >= self.solver.control.longest
            || self.steps.len() >= MOST + MORE * self.solver.control.limits.memory
        {
            return None;
        }
        self.steps.insert(key, Step { mv: None, plies: Plies::default() });
        let mv = self.hint()?;
        self.solver.make(mv);
        let found = self.defences();
        self.solver.unmake();
        let plies = found?.0.after_a_move();
        self.steps.insert(key, Step { mv: Some(mv), plies });
        Some(plies)
    }

    /// The check that mates, by the table or a new search.
    fn hint(&mut self) -> Option<Move> {
        let solver = &mut *self.solver;
        let mut checks = MoveList::new();
        solver.pos.checks(&mut checks);
        let place = solver.name(solver.place());
        let known = solver.table.get::<P>(place).map(|found| found.value).filter(|value| value.pn == 0);
        let value = known.unwrap_or_else(|| solver.solve());
        value.best.filter(|mv| value.pn == 0 && checks.contains(mv))
    }

    /// Walks through every defence of the current position: the plies they last, and the one to show.
    fn defences(&mut self) -> Option<(Plies, Option<Move>)> {
        let key = self.key();
        if let Some(step) = self.steps.get(&key) {
            return Some((step.plies, step.mv));
        }
        let mut list = MoveList::new();
        self.solver.pos.legal(&mut list);
        let can_interpose = self.solver.pos.can_interpose();
        let (mut plies, mut best, mut futile) = (Plies::default(), None, None);
        let place = self.solver.place();
        // Drops last: whether one is futile depends on how long the others last.
        let (drops, moves): (Vec<Move>, Vec<Move>) = list.iter().partition(|mv| mv.is_drop());
        for mv in moves.into_iter().chain(drops) {
            self.solver.make(mv);
            let after = self.attack();
            let is_futile =
                after.is_some() && mv.is_drop() && can_interpose && self.is_futile(mv, place, plies.shown);
            self.solver.unmake();
            let after = after?.after_a_move();
            plies.all = plies.all.max(after.all);
            if is_futile {
                futile = futile.or(Some(mv));
            } else if best.is_none() || after.shown > plies.shown {
                (best, plies.shown) = (Some(mv), after.shown);
            }
        }
        // A line ends where no move is left at all, so the last futile drops are shown.
        let mv = best.or(futile);
        if can_interpose && mv.is_some() {
            self.steps.insert(key, Step { mv, plies });
        }
        Some((plies, mv))
    }

    /// After the drop `mv` of the defender's: is it taken at once by a mate that needs no more plies than `plies` and no
    /// more in hand than there was at `place` before the drop?
    fn is_futile(&mut self, mv: Move, place: Place, plies: u16) -> bool {
        let Some((reply, _)) = self.step() else { return false };
        if reply.is_drop() || reply.to() != mv.to() {
            return false;
        }
        self.solver.make(reply);
        let solver = &*self.solver;
        let without = solver.name(Place { hand: place.hand, ..solver.place() });
        let enough = solver.table.get::<P>(without).is_some_and(|found| found.value.pn == 0);
        let in_time = enough && self.defences().is_some_and(|(found, _)| found.shown <= plies);
        self.solver.unmake();
        in_time
    }
}
