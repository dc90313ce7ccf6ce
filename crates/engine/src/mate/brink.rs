//! Brinkmate (必至): a move after which every defence is answered by a mate.
//!
//! A brinkmate in `plies` is a move after which every defence is answered either by a mate (checks only) or by a
//! brinkmate in two plies fewer. Only checks and moves that threaten mate are tried: against any other move, a waiting
//! move is enough for the defender. A defence by check counts like any other.

use super::control::{Control, MateLimits, MateMonitor};
use super::questions::{Over, Questions};
use super::stack::with_stack;
use super::table::ProofTable;
use sanban_rules::{Checks, Move, MoveList};
use std::collections::HashMap;

/// Nodes for one subproblem: whether a move threatens mate, or whether a defence is mated. All are first tried with few
/// nodes, since one easy proof makes the others unnecessary.
const BUDGETS: [u64; 3] = [1_000, 10_000, 100_000];

/// A proved brinkmate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Brink {
    /// The move.
    pub mv: Move,
    /// Every legal defence with its answer.
    pub defences: Vec<(Move, Answer)>,
}

impl Brink {
    /// Plies up to the last brinkmate move of the longest defence, this move included: 1 if every defence is mated.
    pub fn plies(&self) -> u16 {
        let after = self.defences.iter().map(|(_, answer)| match answer {
            Answer::Mate(_) => 1,
            Answer::Brink(brink) => 2 + brink.plies(),
        });
        after.max().unwrap_or(1)
    }
}

/// The answer to a defence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// A mate.
    Mate(Vec<Move>),
    /// Another brinkmate.
    Brink(Brink),
}

/// The answer to a brinkmate problem.
#[must_use]
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BrinkOutcome {
    /// There is an immediate mate.
    Mate(Vec<Move>),
    /// The shortest brinkmate found, with its proof.
    Brink(Brink),
    /// No check or threat of mate is a brinkmate in this number of plies.
    None,
    /// A limit was reached, or a subproblem was too hard.
    Unknown,
}

/// Looks for a brinkmate in at most `plies` plies (1, 3, 5 …), the shortest first. Uses one thread and the memory given
/// in the limits.
pub fn brinkmate<P: Checks>(
    root: &P,
    plies: u16,
    limits: &MateLimits,
    monitor: &dyn MateMonitor,
) -> BrinkOutcome {
    let Some(table) = ProofTable::renewed(None, limits.memory) else { return BrinkOutcome::Unknown };
    let found = with_stack(|longest| {
        let control = Control::new(limits, longest, monitor);
        let questions = Questions::new(root, &table, &control);
        Hunt { questions, budget: 0, known: HashMap::new(), killers: Vec::new(), unsure: false }
            .run(root, plies)
    });
    found.and_then(Result::ok).unwrap_or(BrinkOutcome::Unknown)
}

struct Hunt<'a, P> {
    questions: Questions<'a, P>,
    /// Nodes for one subproblem.
    budget: u64,
    /// By the key of a position with the attacker to move: the brinkmate, or a distance in plies within which none
    /// exists.
    known: HashMap<u64, Known>,
    /// Defences that saved the king, the latest last.
    killers: Vec<Move>,
    /// Was a subproblem too hard?
    unsure: bool,
}

#[derive(Clone, Copy)]
enum Known {
    Brink(Move, u16),
    NoneWithin(u16),
}

impl<P: Checks> Hunt<'_, P> {
    fn run(mut self, root: &P, most: u16) -> Result<BrinkOutcome, Over> {
        let mut pos = root.clone();
        if let Some(line) = self.questions.mate(&pos)? {
            return Ok(BrinkOutcome::Mate(line));
        }
        for budget in BUDGETS {
            (self.budget, self.unsure) = (budget, false);
            for plies in (1..=most).step_by(2) {
                if self.brink(&mut pos, plies)?.is_some() {
                    return Ok(BrinkOutcome::Brink(self.proof(&mut pos, plies)?));
                }
            }
            if !self.unsure {
                break;
            }
            self.known.retain(|_, known| matches!(known, Known::Brink(..)));
        }
        Ok(if self.unsure { BrinkOutcome::Unknown } else { BrinkOutcome::None })
    }

    /// The move that brings about a brinkmate within `plies`.
    fn brink(&mut self, pos: &mut P, plies: u16) -> Result<Option<Move>, Over> {
        let start = match self.known.get(&pos.key()) {
            Some(&Known::Brink(mv, within)) => return Ok(Some(mv).filter(|_| within <= plies)),
            Some(&Known::NoneWithin(within)) => within + 2,
            None => 1,
        };
        for plies in (start..=plies).step_by(2) {
            let mut list = MoveList::new();
            pos.legal(&mut list);
            for &mv in &list {
                if self.threatens(pos, mv)? && self.holds(pos, mv, plies)? {
                    self.known.insert(pos.key(), Known::Brink(mv, plies));
                    return Ok(Some(mv));
                }
            }
            self.known.insert(pos.key(), Known::NoneWithin(plies));
        }
        Ok(None)
    }

    /// Does a move give check or threaten mate?
    fn threatens(&mut self, pos: &mut P, mv: Move) -> Result<bool, Over> {
        pos.make(mv, &mut ());
        let found = if pos.in_check() {
            Ok(true)
        } else {
            pos.make_null();
            let found = self.mates(pos);
            pos.unmake_null();
            found
        };
        pos.unmake();
        found
    }

    /// Is the attacker's position a mate? A position that is too hard to solve counts as no mate.
    fn mates(&mut self, pos: &P) -> Result<bool, Over> {
        let found = self.questions.is_mate_within(pos, self.budget)?;
        self.unsure |= found.is_none();
        Ok(found == Some(true))
    }

    /// Is every defence after a move mated, or answered by a brinkmate within `plies` less two?
    fn holds(&mut self, pos: &mut P, mv: Move, plies: u16) -> Result<bool, Over> {
        pos.make(mv, &mut ());
        let mut list = MoveList::new();
        pos.legal(&mut list);
        // First the defences that saved the king elsewhere, then moves on the board: drops usually change little.
        let rank = |mv: &Move| match self.killers.iter().rposition(|killer| killer == mv) {
            Some(index) => (0, self.killers.len() - index),
            None => (1 + usize::from(mv.is_drop()), 0),
        };
        let mut replies: Vec<Move> = list.iter().copied().collect();
        replies.sort_by_key(rank);
        let mut found = Ok(!replies.is_empty());
        // Easy defences first: a hard one is examined only after all others are refuted.
        let mut open = Vec::new();
        for reply in replies {
            pos.make(reply, &mut ());
            let mates = self.mates(pos);
            pos.unmake();
            match mates {
                Ok(true) => {}
                Ok(false) if plies >= 3 => open.push(reply),
                Ok(false) => {
                    found = Ok(false);
                    self.saved(reply);
                    break;
                }
                Err(Over) => {
                    found = Err(Over);
                    break;
                }
            }
        }
        for reply in open {
            if found != Ok(true) {
                break;
            }
            pos.make(reply, &mut ());
            let brink = self.brink(pos, plies - 2);
            pos.unmake();
            found = brink.map(|mv| mv.is_some());
            if found == Ok(false) {
                self.saved(reply);
            }
        }
        pos.unmake();
        found
    }

    fn saved(&mut self, reply: Move) {
        self.killers.retain(|&killer| killer != reply);
        self.killers.push(reply);
        if self.killers.len() > 64 {
            self.killers.remove(0);
        }
    }

    /// The proof of a brinkmate that was found, with the mates against all defences.
    fn proof(&mut self, pos: &mut P, plies: u16) -> Result<Brink, Over> {
        let mv = self.brink(pos, plies)?.ok_or(Over)?;
        pos.make(mv, &mut ());
        let mut list = MoveList::new();
        pos.legal(&mut list);
        let mut defences = Vec::new();
        for &reply in &list {
            pos.make(reply, &mut ());
            let answer = match self.questions.is_mate_within(pos, self.budget)? {
                Some(true) => Answer::Mate(self.questions.mate(pos)?.ok_or(Over)?),
                _ => Answer::Brink(self.proof(pos, plies.saturating_sub(2))?),
            };
            pos.unmake();
            defences.push((reply, answer));
        }
        pos.unmake();
        Ok(Brink { mv, defences })
    }
}
