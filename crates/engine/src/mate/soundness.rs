//! Checks whether a mate problem is sound: it has exactly one solution, which uses up all of the attacker's pieces.
//!
//! The main line and all defences equal to it are examined: those of the same length that also leave the attacker no
//! piece in hand (see `lengths`). In each position with the attacker to move, every other check that mates is a cook
//! (余詰), whatever its length. The following are tolerated by composers and reported as such:
//! - another last move, unless it is also the first;
//! - the same move with or without promotion, if it takes no longer;
//! - a piece dropped nearer or farther away on the same line, if it takes no longer;
//! - a detour, which returns to a later position of the same line and takes longer.
//!
//! A check after which every mate returns to this position or an earlier one is not a solution.
//!
//! The checks are searched in rounds with growing budgets, first those of the main line, so that a few hard ones do not
//! prevent a decision about the others.

use super::certificate::Certificate;
use super::control::{Control, MateLimits, MateMonitor, MateOutcome};
use super::crowd::Crowd;
use super::dfpn::Solver;
use super::lengths::{Length, Lengths};
use super::questions::{Over, Questions};
use super::stack::{LONG, STACK, with_stack};
use super::table::{NEVER, Place, ProofTable};
use sanban_rules::{Checks, Move, MoveList};
use std::collections::HashSet;
use std::fmt;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;

/// Maximum number of attacker positions to examine. An unsound problem can have any number of equal defences.
const MOST: usize = 2000;
/// Node limits for one check of the main line, tried before the other positions are examined.
const FIRST: [u64; 3] = [1_000, 8_000, 64_000];
/// The factor between the node limits of two rounds.
const GROWTH: u64 = 8;
/// Node limit for deciding whether another last move mates.
const LAST: u64 = 16_000;
/// Maximum size in MB of the table for deciding whether a mate can avoid certain positions.
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
    Open,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Sound => "sound",
            Self::Cooked => "cooked",
            Self::Leftover => "leftover",
            Self::NoMate => "nomate",
            Self::Open => "open",
        })
    }
}

/// The result for a check other than the move of the solution.
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
    /// The check does not mate, or only by a return to its own position or an earlier one.
    Refuted,
    /// Not decided within the limits.
    Open,
}

impl FindingKind {
    /// Returns whether a problem with such a finding is still sound.
    pub fn is_tolerated(self) -> bool {
        !matches!(self, Self::Cook | Self::Open)
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
            Self::Refuted => "refuted",
            Self::Open => "open",
        })
    }
}

/// A check other than the move of the solution, with its result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// The result.
    pub kind: FindingKind,
    /// The moves from the start of the problem to the position of the finding.
    pub before: Vec<Move>,
    /// The alternative check.
    pub mv: Move,
    /// For a mate: plies to mate, this move included; `None` if the mate takes longer than the solution.
    pub plies: Option<u16>,
    /// For a mate: the moves after `mv`. Empty if a limit was reached before they were known.
    pub line: Vec<Move>,
    /// Whether the alternative begins in the main line rather than after another defence of the same length.
    pub in_main_line: bool,
    /// Nodes spent on the question whether the check mates.
    pub nodes: u64,
}

/// The result of checking a problem.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Soundness {
    /// The verdict on the problem.
    pub verdict: Verdict,
    /// The main line: the shortest attack against the best defence, futile interpositions left out. Until its length is
    /// proved, the line of the shortest mate found; empty if there is none.
    pub line: Vec<Move>,
    /// There is no mate in fewer plies.
    pub at_least: u16,
    /// Whether the main line leaves the attacker a piece in hand. Only known when the length is proved.
    pub leftover: bool,
    /// The results of the other checks, those in the main line first. Other last moves are left out if it is not known
    /// whether they mate.
    pub findings: Vec<Finding>,
    /// Whether every position of the solution was examined and every check decided.
    pub complete: bool,
    /// Number of lines of the proof, if one was requested and is complete.
    pub proof: Option<usize>,
}

impl Soundness {
    /// Returns whether the main line is proved to be the shortest mate.
    pub fn is_exact(&self) -> bool {
        !self.line.is_empty() && self.line.len() <= usize::from(self.at_least)
    }

    /// Sets the verdict. `done`: every position of the solution was examined.
    fn judge(&mut self, done: bool) {
        self.complete = done && self.count(FindingKind::Open) == 0;
        self.verdict = match self.complete {
            _ if self.count(FindingKind::Cook) > 0 => Verdict::Cooked,
            true if self.leftover => Verdict::Leftover,
            true => Verdict::Sound,
            false => Verdict::Open,
        };
    }

    /// Number of findings of this kind.
    pub fn count(&self, kind: FindingKind) -> usize {
        self.findings.iter().filter(|finding| finding.kind == kind).count()
    }
}

/// Checks whether a problem is sound, on the number of threads and within the memory given in the limits. Calls
/// `progress` with what is known whenever that changes.
pub fn check<P: Checks>(
    root: &P,
    limits: &MateLimits,
    monitor: &dyn MateMonitor,
    progress: &mut (dyn FnMut(&Soundness) + Send),
) -> Soundness {
    check_with_proof(root, limits, monitor, progress, None)
}

/// Like [`check`]. Then writes the lines of a proof of the verdict or, if that is open, of the exact length, and stores
/// their number in the report. The limits apply to the proof once more. `None` in the report means that the lines are
/// none or incomplete.
pub fn check_with_proof<P: Checks>(
    root: &P,
    limits: &MateLimits,
    monitor: &dyn MateMonitor,
    progress: &mut (dyn FnMut(&Soundness) + Send),
    proof: Option<&mut (dyn FnMut(String) + Send)>,
) -> Soundness {
    let mut report = Soundness {
        verdict: Verdict::Open,
        line: Vec::new(),
        at_least: 1,
        leftover: false,
        findings: Vec::new(),
        complete: false,
        proof: None,
    };
    let second = (limits.memory / 4).min(SECOND_TABLE);
    let Some(table) = ProofTable::renewed(None, limits.memory - second) else { return report };
    let mut control = Control::new(&MateLimits { shortest: false, ..*limits }, LONG, monitor);
    control.crowd = Crowd::new(limits.threads);
    match super::search(root, &table, &control, MateOutcome::Unknown, NEVER).0 {
        MateOutcome::Mate(line) => report.line = line,
        MateOutcome::NoMate => (report.verdict, report.complete) = (Verdict::NoMate, true),
        MateOutcome::Unknown => return report,
    }
    progress(&report);
    with_stack(|_| {
        let mut questions = Questions::new(root, &table, &control);
        let mut inspection = Inspection {
            lengths: Lengths::new(&mut questions),
            table: &table,
            control: &control,
            second: (second.max(1), None),
            report: &mut report,
            progress,
            seen: HashSet::new(),
            spots: Vec::new(),
            tasks: Vec::new(),
        };
        if inspection.report.verdict != Verdict::NoMate {
            let done = inspection.run(root);
            inspection.leave_out_last_moves();
            inspection.report.judge(done.is_ok());
        }
        let Some(each) = proof else { return };
        let (known, spots) = (inspection.lengths.known, inspection.spots);
        let control = Control::new(limits, LONG, monitor);
        let mut questions = Questions::new(root, &table, &control);
        let lengths = Lengths { questions: &mut questions, known };
        report.proof = Certificate::new(lengths, second.max(1), each).write(root, &report, &spots).ok();
    });
    report
}

/// A position of the solution, with the attacker to move.
#[derive(Clone)]
pub(super) struct Spot<P> {
    pub pos: P,
    pub before: Vec<Move>,
    /// The earlier positions of this line with the attacker to move, and this one.
    pub places: Vec<Place>,
    in_main_line: bool,
}

/// A check that is not decided.
struct Task<P> {
    spot: Spot<P>,
    /// The move of the solution, and the length of the mate with it.
    main: Move,
    length: Length,
    mv: Move,
    /// Index among the findings.
    index: usize,
    /// Whether the check is known to mate.
    mates: bool,
}

impl<P> Task<P> {
    /// Whether the check is an alternative to the last move of a longer solution, which is tolerated.
    fn is_last_move(&self) -> bool {
        self.length.plies == 1 && !self.spot.before.is_empty()
    }
}

struct Inspection<'i, 'q, 'a, P> {
    lengths: Lengths<'q, 'a, P>,
    table: &'i ProofTable,
    control: &'i Control<'i>,
    /// The size in MB of the second table, and the table.
    second: (usize, Option<ProofTable>),
    report: &'i mut Soundness,
    progress: &'i mut (dyn FnMut(&Soundness) + Send),
    /// Keys of the positions examined.
    seen: HashSet<(u64, u32)>,
    /// The positions examined, in the same order.
    spots: Vec<Spot<P>>,
    tasks: Vec<Task<P>>,
}

impl<P: Checks> Inspection<'_, '_, '_, P> {
    /// Checks a problem that is known to be a mate.
    fn run(&mut self, root: &P) -> Result<(), Over> {
        let mut pos = root.clone();
        let length = loop {
            let plies = self.report.at_least;
            self.together(root, |questions| questions.may_mate(root, plies).ok());
            if let Some(length) = self.lengths.attack(&mut pos, plies)? {
                break length;
            }
            self.report.at_least += 2;
            (self.progress)(self.report);
        };
        self.report.leftover = !length.full;
        self.report.line = self.lengths.main_line(root)?;
        (self.progress)(self.report);
        let start = Spot { pos, before: Vec::new(), places: Vec::new(), in_main_line: true };
        let (mut todo, mut others) = (vec![start], Vec::new());
        while let Some(spot) = todo.pop() {
            let (main, rest): (Vec<_>, _) =
                self.inspect(spot)?.into_iter().partition(|spot| spot.in_main_line);
            todo.extend(main);
            others.extend(rest);
        }
        for nodes in FIRST {
            self.round(nodes)?;
        }
        others.reverse();
        while let Some(spot) = others.pop() {
            // The position added last is examined first.
            let next = self.inspect(spot)?;
            others.extend(next.into_iter().rev());
        }
        let mut nodes = FIRST[0];
        while self.tasks.iter().any(|task| !task.is_last_move()) {
            self.round(nodes)?;
            nodes = nodes.saturating_mul(GROWTH);
        }
        // The verdict does not depend on the others.
        let _ = self.round(LAST);
        Ok(())
    }

    /// Removes other last moves that are not decided from the report.
    fn leave_out_last_moves(&mut self) {
        let open: HashSet<usize> =
            self.tasks.iter().filter(|task| task.is_last_move()).map(|task| task.index).collect();
        let mut index = 0..;
        self.report.findings.retain(|_| index.next().is_some_and(|index| !open.contains(&index)));
    }

    /// Adds the other checks in a position to the tasks, unless it was examined before. Returns the positions after the
    /// best defences, the main line first.
    fn inspect(&mut self, mut spot: Spot<P>) -> Result<Vec<Spot<P>>, Over> {
        let place = self.lengths.questions.place(&spot.pos);
        if !self.seen.insert((place.board, place.hand)) {
            return Ok(Vec::new());
        }
        if self.seen.len() > MOST {
            return Err(Over);
        }
        spot.places.push(place);
        self.spots.push(spot.clone());
        let Some((main, length)) = self.lengths.solution(&mut spot.pos)? else { return Err(Over) };
        let mut checks = MoveList::new();
        spot.pos.checks(&mut checks);
        for &mv in checks.iter().filter(|&&mv| mv != main) {
            let index = self.report.findings.len();
            self.tasks.push(Task { spot: spot.clone(), main, length, mv, index, mates: false });
            self.report.findings.push(Finding {
                kind: FindingKind::Open,
                before: spot.before.clone(),
                mv,
                plies: None,
                line: Vec::new(),
                in_main_line: spot.in_main_line,
                nodes: 0,
            });
        }
        if length.plies == 1 {
            return Ok(Vec::new());
        }
        let Spot { mut pos, before, places, in_main_line } = spot;
        pos.make(main, &mut ());
        let defences = self.lengths.counted(&mut pos, length)?;
        let after = |(i, &defence): (usize, &Move)| {
            let mut pos = pos.clone();
            pos.make(defence, &mut ());
            let before = before.iter().copied().chain([main, defence]).collect();
            Spot { pos, before, places: places.clone(), in_main_line: in_main_line && i == 0 }
        };
        Ok(defences.iter().enumerate().map(after).collect())
    }

    /// Searches every undecided check for a number of nodes.
    fn round(&mut self, nodes: u64) -> Result<(), Over> {
        let (tasks, later) = std::mem::take(&mut self.tasks)
            .into_iter()
            .partition(|task| !task.is_last_move() || nodes <= LAST);
        self.tasks = later;
        let mut tasks: Vec<Task<P>> = tasks;
        self.ask(&mut tasks, nodes);
        let mut over = self.control.over.load(Relaxed);
        for task in tasks {
            if !over && task.mates {
                over = self.classify(&task, nodes.max(LAST)).is_err();
            }
            if self.report.findings[task.index].kind == FindingKind::Open {
                self.tasks.push(task);
            }
        }
        (self.progress)(self.report);
        if over { Err(Over) } else { Ok(()) }
    }

    /// Searches for a mate after each check for a number of nodes. Notes which checks mate and which are refuted.
    fn ask(&mut self, tasks: &mut [Task<P>], nodes: u64) {
        let (table, control) = (self.table, self.control);
        let threads = control.limits.threads.clamp(1, tasks.len().max(1));
        let shared = Mutex::new((&mut *self.report, &mut *self.progress));
        let (next, open) = (AtomicUsize::new(0), tasks.iter_mut().filter(|task| !task.mates));
        let open: Vec<Mutex<&mut Task<P>>> = open.map(Mutex::new).collect();
        let work = |index: usize| {
            while let Some(task) = open.get(next.fetch_add(1, Relaxed))
                && let Ok(mut task) = task.lock()
                && !control.over.load(Relaxed)
            {
                let mut questions = Questions::new(&task.spot.pos, table, control);
                questions.solver.index = index;
                let mut pos = task.spot.pos.clone();
                pos.make(task.mv, &mut ());
                let found = questions.is_mate_within(&pos, nodes);
                task.mates = found == Ok(Some(true));
                let Ok(mut shared) = shared.lock() else { return };
                let (report, progress) = &mut *shared;
                let finding = &mut report.findings[task.index];
                finding.nodes += questions.solver.nodes();
                if found == Ok(Some(false)) {
                    finding.kind = FindingKind::Refuted;
                }
                progress(report);
            }
        };
        on_threads(threads, &work);
    }

    /// Asks the same question on all threads, which share the table.
    fn together(&self, root: &P, ask: impl Fn(&mut Questions<'_, P>) -> Option<bool> + Sync) {
        let (table, control) = (self.table, self.control);
        if control.limits.threads < 2 {
            return;
        }
        control.answered.store(false, Relaxed);
        on_threads(control.limits.threads, &|index| {
            let mut questions = Questions::new(root, table, control);
            (questions.solver.index, questions.solver.claimed) = (index, false);
            if ask(&mut questions).is_some() {
                control.answered.store(true, Relaxed);
            }
        });
    }

    /// Runs `work` with a limit on nodes; `None` if they are not enough.
    fn limited<T>(
        &mut self,
        nodes: u64,
        work: impl FnOnce(&mut Self) -> Result<T, Over>,
    ) -> Result<Option<T>, Over> {
        let solver = &mut self.lengths.questions.solver;
        solver.last_node = solver.nodes() + nodes;
        let found = work(self);
        let solver = &mut self.lengths.questions.solver;
        solver.last_node = u64::MAX;
        if found.is_err() && self.control.over.load(Relaxed) {
            return Err(Over);
        }
        solver.over = false;
        Ok(found.ok())
    }

    /// Classifies another check that mates, if the nodes are enough.
    fn classify(&mut self, task: &Task<P>, nodes: u64) -> Result<(), Over> {
        let found = self.limited(nodes, |this| {
            let mut pos = task.spot.pos.clone();
            let plies = this.lengths.after(&mut pos, task.mv, task.length.plies)?;
            Ok((this.kind(task, plies.is_some(), nodes)?, plies))
        })?;
        let Some((kind, length)) = found else { return Ok(()) };
        let line = match kind {
            FindingKind::Refuted => None,
            _ => self.limited(nodes, |this| this.line_after(task, length))?,
        };
        let finding = &mut self.report.findings[task.index];
        (finding.kind, finding.plies) = (kind, length.map(|length| length.plies));
        finding.line = line.unwrap_or_default();
        Ok(())
    }

    /// Returns the kind of another check that mates; `in_time`: in no more plies than the solution.
    fn kind(&mut self, task: &Task<P>, in_time: bool, nodes: u64) -> Result<FindingKind, Over> {
        let (main, mv) = (task.main, task.mv);
        let mut pos = task.spot.pos.clone();
        if task.is_last_move() {
            return Ok(FindingKind::LastMove);
        }
        if in_time {
            // The positions of a shortest mate are closer to the mate than this one and all before it.
            return Ok(alike(&mut pos, main, mv).unwrap_or(FindingKind::Cook));
        }
        if !self.can_avoid(&mut pos, mv, &task.spot.places, nodes)? {
            return Ok(FindingKind::Refuted);
        }
        // The check may also lead to a later position of the line.
        let mut all = task.spot.places.clone();
        let mut later = pos.clone();
        while let Some((mv, length)) = self.lengths.solution(&mut later)? {
            if length.plies == 1 {
                break;
            }
            later.make(mv, &mut ());
            let Some(&defence) = self.lengths.counted(&mut later, length)?.first() else { break };
            later.make(defence, &mut ());
            all.push(self.lengths.questions.place(&later));
        }
        Ok(match self.can_avoid(&mut pos, mv, &all, nodes)? {
            true => FindingKind::Cook,
            false => FindingKind::Detour,
        })
    }

    /// Returns whether a mate after this check can avoid these positions with the attacker to move.
    fn can_avoid(&mut self, pos: &mut P, mv: Move, places: &[Place], nodes: u64) -> Result<bool, Over> {
        let (size, table) = &mut self.second;
        *table = ProofTable::renewed(table.take(), *size);
        let Some(table) = table else { return Err(Over) };
        let mut solver = Solver::new(pos, table, self.control, 1, NEVER);
        solver.claimed = true;
        solver.last_node = nodes;
        solver.forbidden = places.to_vec();
        solver.pos.make(mv, &mut ());
        let value = solver.solve();
        let cut = value.dn == 0 && self.control.cut.load(Relaxed);
        if !value.solved() || cut { Err(Over) } else { Ok(value.pn == 0) }
    }

    /// Returns the moves after another check that mates, in as many plies as its length if that is known.
    fn line_after(&mut self, task: &Task<P>, length: Option<Length>) -> Result<Vec<Move>, Over> {
        let mut pos = task.spot.pos.clone();
        pos.make(task.mv, &mut ());
        let mut replies = MoveList::new();
        match length {
            Some(length) if length.plies > 1 => {
                replies.extend(self.lengths.counted(&mut pos, length)?.into_iter().take(1))
            }
            Some(_) => {}
            None => pos.legal(&mut replies),
        }
        let mut longest = Vec::new();
        for &reply in &replies {
            let mut after = pos.clone();
            after.make(reply, &mut ());
            let line = match length {
                Some(_) => self.lengths.main_line(&after)?,
                None => self.lengths.questions.mate(&after)?.ok_or(Over)?,
            };
            if line.len() + 1 > longest.len() {
                longest = [vec![reply], line].concat();
            }
        }
        Ok(longest)
    }
}

/// Runs `work` with every thread number from 1.
fn on_threads(threads: usize, work: &(impl Fn(usize) + Sync)) {
    if threads < 2 {
        return work(1);
    }
    thread::scope(|scope| {
        let run = |index| thread::Builder::new().stack_size(STACK).spawn_scoped(scope, move || work(index));
        let started = (1..=threads).filter_map(|index| run(index).ok()).count();
        if started == 0 {
            work(1);
        }
    });
}

/// Returns why composers tolerate the check `mv` beside `main`, provided that it takes no longer.
pub(super) fn alike<P: Checks>(pos: &mut P, main: Move, mv: Move) -> Option<FindingKind> {
    let same_way = !mv.is_drop() && !main.is_drop() && mv.from() == main.from();
    if same_way && mv.to() == main.to() {
        return Some(FindingKind::Promotion);
    }
    let same_piece = mv.is_drop() && main.is_drop() && mv.kind() == main.kind();
    let on_one_line = same_piece && (stands_between(pos, main, mv) || stands_between(pos, mv, main));
    on_one_line.then_some(FindingKind::Distance)
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
