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
use super::verdict::{Finding, FindingKind, Soundness, Spot, Verdict, alike};
use sanban_rules::{Checks, Move, MoveList};
use std::collections::HashSet;
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
        let lengths = Lengths::with(&mut questions, known);
        report.proof = Certificate::new(lengths, second.max(1), each).write(root, &report, &spots).ok();
    });
    report
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
