//! The brinkmate solver. A brinkmate (必至) is a move after which every defence is answered by a mate.
//!
//! A brinkmate in `plies` plies is a move after which every defence is answered either by a mate (checks only) or by a
//! brinkmate in two plies fewer. Only checks and moves that threaten mate are tried, since any waiting move refutes the
//! others. A defence may give check.

use super::control::{Control, MateLimits, MateMonitor};
use super::questions::{Over, Questions};
use super::stack::with_stack;
use super::table::ProofTable;
use sanban_rules::{Checks, Move, MoveList};
use std::collections::HashMap;

/// Node limits for a subproblem (whether a move threatens mate, or whether a defence is mated), tried in ascending
/// order: if a brinkmate is found with easy subproblems only, the hard ones need not be solved.
const BUDGETS: [u64; 4] = [200, 2_000, 20_000, 100_000];
/// Node limit for subproblems that must be solved: a mate at the root, and mates that were proved before.
const LARGE: u64 = 1_000_000;
/// Number of open defences after which the remaining defences to a move are not examined at first.
const MANY: usize = 8;

/// A proved brinkmate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Brink {
    /// The brinkmate move.
    pub mv: Move,
    /// Every legal defence with its answer.
    pub defences: Vec<(Move, Answer)>,
}

impl Brink {
    /// The number of plies up to and including the last brinkmate move of the longest defence; 1 if every defence is
    /// mated.
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
    /// No check or threat of mate is a brinkmate within this number of plies.
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
        Hunt {
            questions,
            budget: 0,
            known: HashMap::new(),
            killers: Default::default(),
            brinks: Recent::default(),
            unsure: false,
        }
        .run(root, plies)
    });
    found.and_then(Result::ok).unwrap_or(BrinkOutcome::Unknown)
}

/// Moves that were successful in other positions, the most recent one last.
#[derive(Default)]
struct Recent(Vec<Move>);

impl Recent {
    const MOST: usize = 64;

    fn add(&mut self, mv: Move) {
        self.0.retain(|&known| known != mv);
        self.0.push(mv);
        if self.0.len() > Self::MOST {
            self.0.remove(0);
        }
    }

    /// The rank of a move: 0 for the most recent one. All moves not in the list have the same rank.
    fn rank(&self, mv: Move) -> usize {
        self.0.iter().rev().position(|&known| known == mv).unwrap_or(Self::MOST)
    }
}

/// The threat of a move by the attacker.
enum Threat {
    Nothing,
    Check,
    /// A mate, with its first move if known.
    Mate(Option<Move>),
}

/// A move that may be a brinkmate, with the defences after it.
struct Try {
    mv: Move,
    /// Defences after which no mate was found.
    open: Vec<Move>,
    /// Defences that were not examined.
    rest: Vec<Move>,
}

struct Hunt<'a, P> {
    questions: Questions<'a, P>,
    /// Node limit for one subproblem.
    budget: u64,
    /// Results by the key of a position with the attacker to move.
    known: HashMap<u64, Known>,
    /// Defences after which no mate was found, and defences after which no brinkmate was found either.
    killers: [Recent; 2],
    /// Moves that were brinkmates.
    brinks: Recent,
    /// Whether a subproblem exceeded its node limit.
    unsure: bool,
}

#[derive(Clone, Copy)]
enum Known {
    /// A brinkmate move, and the number of plies within which it succeeds.
    Brink(Move, u16),
    /// There is no brinkmate within this number of plies.
    NoneWithin(u16),
}

impl<P: Checks> Hunt<'_, P> {
    fn run(mut self, root: &P, most: u16) -> Result<BrinkOutcome, Over> {
        let mut pos = root.clone();
        let mate = self.questions.is_mate_within(&pos, LARGE)?;
        if mate == Some(true) {
            return Ok(self.questions.mate(&pos)?.map_or(BrinkOutcome::Unknown, BrinkOutcome::Mate));
        }
        for budget in BUDGETS {
            (self.budget, self.unsure) = (budget, mate.is_none());
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

    /// Returns a brinkmate move within `plies` plies.
    fn brink(&mut self, pos: &mut P, plies: u16) -> Result<Option<Move>, Over> {
        let start = match self.known.get(&pos.key()) {
            Some(&Known::Brink(mv, within)) => return Ok(Some(mv).filter(|_| within <= plies)),
            Some(&Known::NoneWithin(within)) => within + 2,
            None => 1,
        };
        for plies in (start..=plies).step_by(2) {
            let mut list = MoveList::new();
            pos.legal(&mut list);
            let mut moves: Vec<Move> = list.iter().copied().collect();
            moves.sort_by_key(|&mv| self.brinks.rank(mv));
            let found = if plies == 1 { self.last(pos, &moves)? } else { self.long(pos, &moves, plies)? };
            if let Some(mv) = found {
                self.brinks.add(mv);
                self.known.insert(pos.key(), Known::Brink(mv, plies));
                return Ok(found);
            }
            self.known.insert(pos.key(), Known::NoneWithin(plies));
        }
        Ok(None)
    }

    /// Returns the first of these moves after which every defence allows a mate. Checks are skipped: if every answer to
    /// a check allowed a mate, the position would be a mate itself.
    fn last(&mut self, pos: &mut P, moves: &[Move]) -> Result<Option<Move>, Over> {
        for &mv in moves {
            let Threat::Mate(threat) = self.threat(pos, mv)? else { continue };
            let found = self.defences(pos, mv, threat, 1)?;
            if found.is_some_and(|found| found.open.is_empty() && found.rest.is_empty()) {
                return Ok(Some(mv));
            }
        }
        Ok(None)
    }

    /// Returns the first of these moves after which every defence is answered by a mate or by a brinkmate in at most
    /// two plies fewer. Moves with few open defences are tried first.
    fn long(&mut self, pos: &mut P, moves: &[Move], plies: u16) -> Result<Option<Move>, Over> {
        let mut tries = Vec::new();
        for &mv in moves {
            let threat = match self.threat(pos, mv)? {
                Threat::Nothing => continue,
                Threat::Check => None,
                Threat::Mate(threat) => threat,
            };
            tries.extend(self.defences(pos, mv, threat, MANY)?);
        }
        tries.sort_by_key(|found| found.open.len());
        for found in tries {
            let mv = found.mv;
            if self.holds(pos, found, plies - 2)? {
                return Ok(Some(mv));
            }
        }
        Ok(None)
    }

    fn threat(&mut self, pos: &mut P, mv: Move) -> Result<Threat, Over> {
        pos.make(mv, &mut ());
        let found = if pos.in_check() {
            Ok(Threat::Check)
        } else {
            pos.make_null();
            let found = self.mates(pos).map(|mates| match mates {
                true => Threat::Mate(self.questions.known_move()),
                false => Threat::Nothing,
            });
            pos.unmake_null();
            found
        };
        pos.unmake();
        found
    }

    /// Returns whether a position with the attacker to move is a mate. A position that exceeds the node limit counts as
    /// no mate.
    fn mates(&mut self, pos: &P) -> Result<bool, Over> {
        let found = self.questions.is_mate_within(pos, self.budget)?;
        self.unsure |= found.is_none();
        Ok(found == Some(true))
    }

    /// Returns up to `most` open defences after a move, and the defences that were not examined. Returns `None` if
    /// there is no legal move.
    fn defences(
        &mut self,
        pos: &mut P,
        mv: Move,
        threat: Option<Move>,
        most: usize,
    ) -> Result<Option<Try>, Over> {
        pos.make(mv, &mut ());
        let mut list = MoveList::new();
        pos.legal(&mut list);
        // The order is: defences that prevented a mate elsewhere, moves to the square of the threat, board moves,
        // drops. Most drops change little.
        let rank = |&mv: &Move| {
            let elsewhere = threat.is_none_or(|threat| threat.to() != mv.to());
            (self.killers[0].rank(mv), elsewhere, mv.is_drop())
        };
        let mut rest: Vec<Move> = list.iter().copied().collect();
        rest.sort_by_key(rank);
        let (mut open, mut examined, mut over) = (Vec::new(), 0, Ok(()));
        for &reply in &rest {
            if open.len() >= most {
                break;
            }
            examined += 1;
            pos.make(reply, &mut ());
            match self.mates(pos) {
                Ok(true) => {}
                Ok(false) => {
                    open.push(reply);
                    self.killers[0].add(reply);
                }
                Err(Over) => over = Err(Over),
            }
            pos.unmake();
            if over.is_err() {
                break;
            }
        }
        pos.unmake();
        rest.drain(..examined);
        over.map(|()| (!list.is_empty()).then_some(Try { mv, open, rest }))
    }

    /// Returns whether every defence is answered by a mate or by a brinkmate within `plies` plies.
    fn holds(&mut self, pos: &mut P, found: Try, plies: u16) -> Result<bool, Over> {
        let Try { mv, mut open, rest } = found;
        pos.make(mv, &mut ());
        let held = self.all_answered(pos, &mut open, &rest, plies);
        pos.unmake();
        held
    }

    fn all_answered(
        &mut self,
        pos: &mut P,
        open: &mut Vec<Move>,
        rest: &[Move],
        plies: u16,
    ) -> Result<bool, Over> {
        open.sort_by_key(|&reply| self.killers[1].rank(reply));
        // Shorter brinkmates are tried first, so that only the hard defences remain for the longer ones.
        for within in (1..=plies).step_by(2) {
            let mut left = Vec::new();
            for &reply in open.iter() {
                if self.is_answered(pos, reply, within)? {
                    continue;
                }
                if within == plies {
                    self.killers[1].add(reply);
                    return Ok(false);
                }
                left.push(reply);
            }
            *open = left;
        }
        for &reply in rest {
            pos.make(reply, &mut ());
            let mates = self.mates(pos);
            pos.unmake();
            if !mates? && !self.is_answered(pos, reply, plies)? {
                self.killers[1].add(reply);
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn is_answered(&mut self, pos: &mut P, reply: Move, plies: u16) -> Result<bool, Over> {
        pos.make(reply, &mut ());
        let found = self.brink(pos, plies);
        pos.unmake();
        found.map(|mv| mv.is_some())
    }

    /// Builds the proof of a brinkmate that was found, with the mates against all defences.
    fn proof(&mut self, pos: &mut P, plies: u16) -> Result<Brink, Over> {
        let mv = self.brink(pos, plies)?.ok_or(Over)?;
        pos.make(mv, &mut ());
        let mut list = MoveList::new();
        pos.legal(&mut list);
        let mut defences = Vec::new();
        for &reply in &list {
            pos.make(reply, &mut ());
            let nodes = match self.known.get(&pos.key()) {
                Some(Known::Brink(..)) => self.budget,
                _ => LARGE,
            };
            let answer = match self.questions.is_mate_within(pos, nodes)? {
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
