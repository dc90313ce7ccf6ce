//! Checks whether a mate problem is sound: it has exactly one solution, which uses up all of the attacker's pieces.
//!
//! The main line and all defences equal to it are examined: those of the same length that also leave the attacker no
//! piece in hand (see `lengths`). In each position with the attacker to move, every other check that mates is a cook
//! (余詰), whatever its length. The following are tolerated by composers and reported as such:
//! - another last move;
//! - the same move with or without promotion, if it takes no longer;
//! - a piece dropped nearer or farther away on the same line, if it takes no longer;
//! - a detour, which returns to a later position of the same line and takes longer.
//!
//! A check after which every mate returns to this position or an earlier one is not a solution.

use super::control::{Control, MateLimits, MateMonitor};
use super::dfpn::Solver;
use super::lengths::{Length, Lengths};
use super::questions::{Over, Questions};
use super::stack::with_stack;
use super::table::{NEVER, Place, ProofTable};
use sanban_rules::{Checks, Move, MoveList};
use std::collections::HashSet;
use std::fmt;
use std::sync::atomic::Ordering::Relaxed;

/// Maximum number of attacker positions to examine. An unsound problem can have any number of equal defences.
const MOST: usize = 2000;
/// Node limit for deciding whether another last move mates.
const LAST: u64 = 100_000;
/// Size in MB of the table for deciding whether a mate can avoid certain positions.
const SECOND_TABLE: usize = 16;

/// The verdict on a problem as a whole.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Exactly one solution; all findings are tolerated.
    Sound,
    /// There are cooks.
    Cooked,
    /// No cook, but the attacker has pieces left in hand at the end of the solution.
    Leftover,
    /// There is no mate.
    NoMate,
    /// A limit was reached before the end.
    Unknown,
}

/// The kind of an alternative solution.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FindingKind {
    /// Another attack (余詰).
    Cook,
    /// Another last move (最終手余詰).
    LastMove,
    /// The same move with or without promotion (成不成非限定).
    Promotion,
    /// The same piece dropped nearer or farther away (以遠打).
    Distance,
    /// A longer way to a later position of the line (迂回).
    Detour,
}

impl FindingKind {
    /// Returns whether a problem with such a finding is still sound.
    pub fn is_tolerated(self) -> bool {
        self != Self::Cook
    }
}

impl fmt::Display for FindingKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Cook => "cook",
            Self::LastMove => "last move",
            Self::Promotion => "promotion",
            Self::Distance => "distance",
            Self::Detour => "detour",
        })
    }
}

/// An alternative solution.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// The kind of the finding.
    pub kind: FindingKind,
    /// The moves from the start of the problem to the position of the finding.
    pub before: Vec<Move>,
    /// The alternative check.
    pub mv: Move,
    /// Plies to mate, this move included; `None` if the mate takes longer than the solution.
    pub plies: Option<u16>,
    /// Whether the alternative begins in the main line rather than after another defence of the same length.
    pub in_main_line: bool,
}

/// The result of checking a problem.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Soundness {
    /// The verdict on the problem.
    pub verdict: Verdict,
    /// The main line: the shortest attack against the best defence, futile interpositions left out. Empty if the length
    /// was not proved.
    pub line: Vec<Move>,
    /// Whether the main line leaves the attacker a piece in hand.
    pub leftover: bool,
    /// Alternative solutions, those in the main line first.
    pub findings: Vec<Finding>,
    /// Whether the findings are complete; false if a limit was reached.
    pub complete: bool,
}

/// Checks whether a problem is sound. Uses one thread and the memory given in the limits.
pub fn check<P: Checks>(root: &P, limits: &MateLimits, monitor: &dyn MateMonitor) -> Soundness {
    let mut report = Soundness {
        verdict: Verdict::Unknown,
        line: Vec::new(),
        leftover: false,
        findings: Vec::new(),
        complete: false,
    };
    let Some(table) = ProofTable::renewed(None, limits.memory) else { return report };
    let done = with_stack(|longest| {
        let control = Control::new(limits, longest, monitor);
        let mut questions = Questions::new(root, &table, &control);
        let inspection = Inspection {
            lengths: Lengths::new(&mut questions),
            control: &control,
            second: None,
            report: &mut report,
            seen: HashSet::new(),
            todo: Vec::new(),
        };
        inspection.run(root)
    });
    report.complete = matches!(done, Some(Ok(_)));
    let is_cooked = report.findings.iter().any(|finding| !finding.kind.is_tolerated());
    report.verdict = match done {
        Some(Ok(false)) => Verdict::NoMate,
        _ if is_cooked => Verdict::Cooked,
        Some(Ok(true)) if report.leftover => Verdict::Leftover,
        Some(Ok(true)) => Verdict::Sound,
        _ => Verdict::Unknown,
    };
    report
}

/// A position to examine, with the attacker to move.
struct Counted<P> {
    pos: P,
    before: Vec<Move>,
    /// The earlier positions of this line with the attacker to move.
    places: Vec<Place>,
    in_main_line: bool,
}

struct Inspection<'i, 'q, 'a, P> {
    lengths: Lengths<'q, 'a, P>,
    control: &'i Control<'i>,
    second: Option<ProofTable>,
    report: &'i mut Soundness,
    /// Keys of the positions examined.
    seen: HashSet<(u64, u32)>,
    todo: Vec<Counted<P>>,
}

impl<P: Checks> Inspection<'_, '_, '_, P> {
    /// Checks the problem. Returns false if there is no mate.
    fn run(mut self, root: &P) -> Result<bool, Over> {
        let mut pos = root.clone();
        if !self.lengths.questions.is_mate(&pos)? {
            return Ok(false);
        }
        let Some(length) = self.lengths.attack(&mut pos, NEVER - 2)? else { return Err(Over) };
        self.report.leftover = !length.full;
        self.report.line = self.main_line(root)?;
        let start = Counted { pos, before: Vec::new(), places: Vec::new(), in_main_line: true };
        self.todo.push(start);
        while let Some(counted) = self.todo.pop() {
            let place = self.lengths.questions.place(&counted.pos);
            if !self.seen.insert((place.board, place.hand)) {
                continue;
            }
            if self.seen.len() > MOST {
                return Err(Over);
            }
            self.inspect(counted)?;
        }
        Ok(true)
    }

    /// Returns the attacker's move in the solution, one of the shortest mates.
    fn solution(&mut self, pos: &mut P) -> Result<Option<(Move, Length)>, Over> {
        let Some(length) = self.lengths.attack(pos, NEVER - 2)? else { return Ok(None) };
        let mut checks = MoveList::new();
        pos.checks(&mut checks);
        // If promotion makes no difference, the piece promotes.
        let promoting = checks.iter().copied().filter(|mv| mv.is_promotion());
        let others = checks.iter().copied().filter(|mv| !mv.is_promotion());
        for mv in promoting.chain(others) {
            if self.lengths.after(pos, mv, length.plies)? == Some(length) {
                return Ok(Some((mv, length)));
            }
        }
        Err(Over)
    }

    /// Returns the best defences after a move of the solution; `length` is the length of the mate before the move.
    fn counted(&mut self, pos: &mut P, length: Length) -> Result<Vec<Move>, Over> {
        let left = Length { plies: length.plies - 1, ..length };
        let defences = self.lengths.defences(pos, left.plies)?;
        Ok(defences.into_iter().filter(|&(_, length)| length == Some(left)).map(|(mv, _)| mv).collect())
    }

    fn main_line(&mut self, root: &P) -> Result<Vec<Move>, Over> {
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

    /// Looks for alternative solutions in a position and adds the positions after the best defences to the list.
    fn inspect(&mut self, counted: Counted<P>) -> Result<(), Over> {
        let Counted { mut pos, before, mut places, in_main_line } = counted;
        let Some((main, length)) = self.solution(&mut pos)? else { return Err(Over) };
        places.push(self.lengths.questions.place(&pos));
        let mut checks = MoveList::new();
        pos.checks(&mut checks);
        for &mv in checks.iter().filter(|&&mv| mv != main) {
            pos.make(mv, &mut ());
            let mates = match length.plies {
                // Another last move is tolerated, so cases that are too hard to decide are left out.
                1 => self.lengths.questions.is_mate_within(&pos, LAST).map(|found| found == Some(true)),
                _ => self.lengths.questions.is_mate(&pos),
            };
            pos.unmake();
            if !mates? {
                continue;
            }
            let plies = self.lengths.after(&mut pos, mv, length.plies)?.map(|length| length.plies);
            if let Some(kind) = self.kind(&mut pos, main, mv, plies, length, &places)? {
                let before = before.clone();
                self.report.findings.push(Finding { kind, before, mv, plies, in_main_line });
            }
        }
        if length.plies == 1 {
            return Ok(());
        }
        pos.make(main, &mut ());
        let defences = self.counted(&mut pos, length)?;
        // The position added last is examined first.
        for (i, &defence) in defences.iter().enumerate().rev() {
            let mut pos = pos.clone();
            pos.make(defence, &mut ());
            let before = before.iter().copied().chain([main, defence]).collect();
            let in_main_line = in_main_line && i == 0;
            self.todo.push(Counted { pos, before, places: places.clone(), in_main_line });
        }
        Ok(())
    }

    /// Classifies another check that mates. Returns `None` if every mate after it returns to an earlier position.
    fn kind(
        &mut self,
        pos: &mut P,
        main: Move,
        mv: Move,
        plies: Option<u16>,
        length: Length,
        places: &[Place],
    ) -> Result<Option<FindingKind>, Over> {
        if length.plies == 1 {
            return Ok(Some(FindingKind::LastMove));
        }
        if plies.is_some() {
            let same_way = !mv.is_drop() && !main.is_drop() && mv.from() == main.from();
            if same_way && mv.to() == main.to() {
                return Ok(Some(FindingKind::Promotion));
            }
            let same_piece = mv.is_drop() && main.is_drop() && mv.kind() == main.kind();
            if same_piece && (stands_between(pos, main, mv) || stands_between(pos, mv, main)) {
                return Ok(Some(FindingKind::Distance));
            }
        }
        if !self.can_avoid(pos, mv, places)? {
            return Ok(None);
        }
        if plies.is_some() {
            return Ok(Some(FindingKind::Cook));
        }
        // The check may also lead to a later position of the line.
        let mut all = places.to_vec();
        let mut later = pos.clone();
        while let Some((mv, length)) = self.solution(&mut later)? {
            if length.plies == 1 {
                break;
            }
            later.make(mv, &mut ());
            let Some(&defence) = self.counted(&mut later, length)?.first() else { break };
            later.make(defence, &mut ());
            all.push(self.lengths.questions.place(&later));
        }
        Ok(Some(if self.can_avoid(pos, mv, &all)? { FindingKind::Cook } else { FindingKind::Detour }))
    }

    /// Returns whether a mate after this check can avoid these positions with the attacker to move.
    fn can_avoid(&mut self, pos: &mut P, mv: Move, places: &[Place]) -> Result<bool, Over> {
        self.second = ProofTable::renewed(self.second.take(), SECOND_TABLE);
        let Some(table) = &self.second else { return Err(Over) };
        let mut solver = Solver::new(pos, table, self.control, 0, NEVER);
        solver.claimed = true;
        solver.forbidden = places.to_vec();
        solver.pos.make(mv, &mut ());
        let value = solver.solve();
        let cut = value.dn == 0 && self.control.cut.load(Relaxed);
        if !value.solved() || cut { Err(Over) } else { Ok(value.pn == 0) }
    }
}

/// Returns whether the square of the drop `near` lies between the square of the drop `far` and the king, and the
/// defender can interpose there by a drop.
fn stands_between<P: Checks>(pos: &mut P, far: Move, near: Move) -> bool {
    pos.make(far, &mut ());
    let found = pos.can_interpose() && {
        let mut replies = MoveList::new();
        pos.legal(&mut replies);
        replies.iter().any(|reply| reply.is_drop() && reply.to() == near.to())
    };
    pos.unmake();
    found
}
