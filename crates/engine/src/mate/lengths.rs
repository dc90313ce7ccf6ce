//! Mate lengths under the rules of mate problems: the attacker mates as fast as possible, and the defender lasts as
//! long as possible.
//!
//! - Among defences of equal length, the defender prefers one after which the attacker has no piece left in hand; among
//!   attacks of equal length, the attacker prefers one that leaves a piece in hand.
//! - A futile interposition does not count as a defence. It is a drop that a check can capture immediately so that the
//!   mate, with the captured piece back in the defender's hand, takes no longer than against the longest defence
//!   without a drop. If every defence is a drop, the capture must be checkmate.
//!
//! A proof-number search in which captured interpositions take no plies excludes most positions; the remaining small tree is
//! searched by iterative deepening.

use super::questions::{Over, Questions};
use super::table::NEVER;
use sanban_rules::{Checks, Move, MoveList};
use std::collections::HashMap;
use std::fmt;

/// The length of a mate, ordered by the defender's preference.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Length {
    pub plies: u16,
    /// Whether the attacker has no piece in hand at the end of the mate.
    pub full: bool,
}

impl fmt::Display for Length {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.plies, if self.full { "empty" } else { "left" })
    }
}

impl Length {
    fn after_a_move(self) -> Self {
        Self { plies: self.plies + 1, ..self }
    }
}

/// The bounds known for a position.
#[derive(Clone, Copy, Default)]
pub(super) struct Known {
    length: Option<Length>,
    /// There is no mate within this number of plies.
    none_within: u16,
}

/// Finds and caches the exact lengths of mates.
pub(super) struct Lengths<'q, 'a, P> {
    pub questions: &'q mut Questions<'a, P>,
    pub known: HashMap<(u64, u32), Known>,
    /// The positions after captured drops that are being searched, with the limits: board, hand, plies.
    captured: Vec<(u64, u32, u16)>,
}

impl<'q, 'a, P: Checks> Lengths<'q, 'a, P> {
    pub fn new(questions: &'q mut Questions<'a, P>) -> Self {
        Self::with(questions, HashMap::new())
    }

    /// Goes on with lengths that are known.
    pub fn with(questions: &'q mut Questions<'a, P>, known: HashMap<(u64, u32), Known>) -> Self {
        Self { questions, known, captured: Vec::new() }
    }

    fn entry(&mut self, pos: &P) -> &mut Known {
        let place = self.questions.place(pos);
        self.known.entry((place.board, place.hand)).or_default()
    }

    /// Returns the length of the mate with the attacker to move, or `None` if it takes more than `limit` plies.
    pub fn attack(&mut self, pos: &mut P, limit: u16) -> Result<Option<Length>, Over> {
        let known = *self.entry(pos);
        if let Some(length) = known.length {
            return Ok(Some(length).filter(|length| length.plies <= limit));
        }
        if limit <= known.none_within {
            return Ok(None);
        }
        let mut checks = MoveList::new();
        pos.checks(&mut checks);
        for plies in ((known.none_within + 1) | 1..=limit).step_by(2) {
            // Mates in one are found faster directly.
            if plies > 1 && !self.questions.may_mate(pos, plies)? {
                self.entry(pos).none_within = plies;
                continue;
            }
            let first = if plies > 1 { self.questions.best(pos, plies) } else { None };
            let first = first.filter(|mv| checks.contains(mv));
            let mut best: Option<Length> = None;
            for mv in first.into_iter().chain(checks.iter().copied().filter(|&mv| Some(mv) != first)) {
                let length = self.after(pos, mv, plies)?;
                best = [best, length].into_iter().flatten().min();
                // No mate is shorter.
                if best == Some(Length { plies, full: false }) {
                    break;
                }
            }
            if best.is_some() {
                self.entry(pos).length = best;
                return Ok(best);
            }
            self.entry(pos).none_within = plies;
        }
        Ok(None)
    }

    /// Returns the length of the mate that begins with this check, or `None` if it takes more than `limit` plies.
    pub fn after(&mut self, pos: &mut P, mv: Move, limit: u16) -> Result<Option<Length>, Over> {
        pos.make(mv, &mut ());
        let length = self.defence(pos, limit.saturating_sub(1));
        pos.unmake();
        Ok(length?.map(Length::after_a_move))
    }

    /// Returns the length of the mate with the defender to move, or `None` if it takes more than `limit` plies.
    pub fn defence(&mut self, pos: &mut P, limit: u16) -> Result<Option<Length>, Over> {
        let known = *self.entry(pos);
        if let Some(length) = known.length {
            return Ok(Some(length).filter(|length| length.plies <= limit));
        }
        // The comparison is strict because the initial 0 does not exclude an immediate checkmate.
        if known.none_within > limit {
            return Ok(None);
        }
        if limit > 1 && !self.questions.may_mate(pos, limit)? {
            self.entry(pos).none_within = limit + 1;
            return Ok(None);
        }
        let defences = self.defences(pos, limit)?;
        let within = defences.iter().all(|(_, length)| length.is_some());
        let longest = defences.into_iter().filter_map(|(_, length)| length).max();
        let length = within.then(|| longest.unwrap_or(self.mated(pos)));
        let known = self.entry(pos);
        match length {
            Some(_) => known.length = length,
            None => known.none_within = limit + 1,
        }
        Ok(length)
    }

    /// The length of the mate in a checkmate position.
    fn mated(&self, pos: &P) -> Length {
        Length { plies: 0, full: pos.hand(self.questions.solver.attacker()) == 0 }
    }

    /// Returns the defences that are not futile, each with the length of the mate from `pos`. A length of `None` means
    /// more than `limit` plies; such a defence ends the list.
    pub fn defences(&mut self, pos: &mut P, limit: u16) -> Result<Vec<(Move, Option<Length>)>, Over> {
        let mut list = MoveList::new();
        pos.legal(&mut list);
        let (drops, moves): (Vec<Move>, Vec<Move>) = list.iter().partition(|mv| mv.is_drop());
        let mut out = Vec::new();
        for mv in moves {
            let length = self.reply(pos, mv, limit)?;
            out.push((mv, length));
            if length.is_none() {
                return Ok(out);
            }
        }
        let longest =
            out.iter().filter_map(|&(_, length)| length).map(|length| length.plies).max().unwrap_or(0);
        let mut futile: Vec<(usize, bool)> = Vec::new();
        for mv in drops {
            // The kind of the dropped piece makes no difference, since it is captured and returned to the defender.
            let is_futile = match futile.iter().find(|(to, _)| *to == mv.to()) {
                Some(&(_, is_futile)) => is_futile,
                None => {
                    let is_futile = self.is_futile(pos, mv, longest)?;
                    futile.push((mv.to(), is_futile));
                    is_futile
                }
            };
            if is_futile {
                continue;
            }
            let length = self.reply(pos, mv, limit)?;
            out.push((mv, length));
            if length.is_none() {
                return Ok(out);
            }
        }
        Ok(out)
    }

    /// Returns the length of the mate after a defence, or `None` if it takes more than `limit` plies.
    pub fn reply(&mut self, pos: &mut P, mv: Move, limit: u16) -> Result<Option<Length>, Over> {
        if limit < 2 {
            return Ok(None);
        }
        pos.make(mv, &mut ());
        let length = self.attack(pos, limit - 1);
        pos.unmake();
        Ok(length?.map(Length::after_a_move))
    }

    /// Returns whether an interposed drop is futile: a check captures it and, with the piece back in the defender's
    /// hand, mates within `longest` more plies.
    fn is_futile(&mut self, pos: &mut P, mv: Move, longest: u16) -> Result<bool, Over> {
        for mut without in self.captures(pos, mv) {
            let place = self.questions.place(&without);
            let place = (place.board, place.hand, longest);
            // A piece that captures on two lines in turn returns to where it was: the length stays open.
            if self.captured.contains(&place) {
                return Err(Over);
            }
            self.captured.push(place);
            let length = self.defence(&mut without, longest);
            self.captured.pop();
            if length?.is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns the positions after an interposed drop and each check that captures it, with the piece back in the
    /// defender's hand.
    pub fn captures(&self, pos: &mut P, drop: Move) -> Vec<P> {
        let attacker = self.questions.solver.attacker();
        let hand = pos.hand(attacker);
        pos.make(drop, &mut ());
        let mut checks = MoveList::new();
        pos.checks(&mut checks);
        let captures = checks.iter().filter(|check| !check.is_drop() && check.to() == drop.to());
        let after = captures.filter_map(|&capture| {
            let mut after = pos.clone();
            after.make(capture, &mut ());
            after.with_hand(attacker, hand)
        });
        let after = after.collect();
        pos.unmake();
        after
    }

    /// Returns the attacker's move in the solution, one of the shortest mates.
    pub fn solution(&mut self, pos: &mut P) -> Result<Option<(Move, Length)>, Over> {
        let Some(length) = self.attack(pos, NEVER - 2)? else { return Ok(None) };
        let mut checks = MoveList::new();
        pos.checks(&mut checks);
        // If promotion makes no difference, the piece promotes.
        let promoting = checks.iter().copied().filter(|mv| mv.is_promotion());
        let others = checks.iter().copied().filter(|mv| !mv.is_promotion());
        for mv in promoting.chain(others) {
            if self.after(pos, mv, length.plies)? == Some(length) {
                return Ok(Some((mv, length)));
            }
        }
        Err(Over)
    }

    /// Returns the best defences after a move of the solution; `length` is the length of the mate before the move.
    pub fn counted(&mut self, pos: &mut P, length: Length) -> Result<Vec<Move>, Over> {
        let left = Length { plies: length.plies - 1, ..length };
        let defences = self.defences(pos, left.plies)?;
        Ok(defences.into_iter().filter(|&(_, length)| length == Some(left)).map(|(mv, _)| mv).collect())
    }

    /// Returns the solution against the first of the best defences.
    pub fn main_line(&mut self, root: &P) -> Result<Vec<Move>, Over> {
        let (mut pos, mut line) = (root.clone(), Vec::new());
        while let Some((mv, length)) = self.solution(&mut pos)? {
            pos.make(mv, &mut ());
            line.push(mv);
            if length.plies == 1 {
                break;
            }
            let Some(&defence) = self.counted(&mut pos, length)?.first() else { break };
            pos.make(defence, &mut ());
            line.push(defence);
        }
        Ok(line)
    }
}
