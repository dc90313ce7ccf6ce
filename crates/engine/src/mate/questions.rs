//! Solves many positions of one attacker with a shared table.

use super::control::Control;
use super::dfpn::Solver;
use super::table::{NEVER, Place, ProofTable};
use sanban_rules::{Checks, Move, MoveList};
use std::sync::atomic::Ordering::Relaxed;

/// The error returned when a limit is reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Over;

/// A solver for a sequence of positions.
pub(super) struct Questions<'a, P> {
    pub solver: Solver<'a, P>,
}

impl<'a, P: Checks> Questions<'a, P> {
    /// Creates a solver for positions in which the attacker is the side to move at `root`.
    pub fn new(root: &P, table: &'a ProofTable, control: &'a Control<'a>) -> Self {
        let mut solver = Solver::new(root, table, control, 0, NEVER);
        solver.claimed = true;
        Self { solver }
    }

    /// Returns whether the attacker mates; either side may be to move. Earlier moves are ignored.
    pub fn is_mate(&mut self, pos: &P) -> Result<bool, Over> {
        self.solver.pos = pos.clone();
        let value = self.solver.solve_as_root(NEVER);
        // A line that was not searched to its end may be a mate.
        let cut = value.dn == 0 && self.solver.control.cut.load(Relaxed);
        if !value.solved() || cut { Err(Over) } else { Ok(value.pn == 0) }
    }

    /// Returns false if the attacker cannot mate within `plies` plies, whichever interpositions are futile.
    pub fn may_mate(&mut self, pos: &P, plies: u16) -> Result<bool, Over> {
        self.solver.pos = pos.clone();
        let value = self.solver.solve_with_free_drops(plies);
        let cut = value.dn == 0 && self.solver.control.cut.load(Relaxed);
        if !value.solved() || cut { Err(Over) } else { Ok(value.pn == 0) }
    }

    /// Like [`Self::is_mate`] with a limit on nodes. Returns `None` if they are not enough.
    pub fn is_mate_within(&mut self, pos: &P, nodes: u64) -> Result<Option<bool>, Over> {
        self.solver.last_node = self.solver.nodes() + nodes;
        let found = self.is_mate(pos);
        self.solver.last_node = u64::MAX;
        match found {
            Err(Over) if !self.solver.control.over.load(Relaxed) => {
                self.solver.over = false;
                Ok(None)
            }
            found => found.map(Some),
        }
    }

    /// Returns the best move in the table for the position searched last.
    pub fn known_move(&self) -> Option<Move> {
        self.solver.table.get::<P>(self.solver.place()).and_then(|found| found.value.best)
    }

    /// Returns the main line of the mate with the attacker to move, or `None` if there is no mate.
    pub fn mate(&mut self, pos: &P) -> Result<Option<Vec<Move>>, Over> {
        if !self.is_mate(pos)? {
            return Ok(None);
        }
        let value = self.solver.solve_as_root(NEVER);
        self.solver.line(value.plies).map(|(line, _)| Some(line)).ok_or(Over)
    }

    pub fn place(&self, pos: &P) -> Place {
        Place { board: pos.board_key(), hand: pos.hand(self.solver.attacker()) }
    }

    /// Returns the move that decides whether the attacker mates (within `plies` plies, whichever interpositions are
    /// futile, unless they are `NEVER`), if the solver has one.
    pub fn best(&mut self, pos: &P, plies: u16) -> Option<Move> {
        self.solver.pos = pos.clone();
        let mut replies = MoveList::new();
        pos.legal(&mut replies);
        let value = match plies {
            NEVER => self.solver.solve_as_root(NEVER),
            _ => self.solver.solve_with_free_drops(plies),
        };
        value.best.filter(|mv| replies.contains(mv))
    }
}
