//! The mate solver: depth-first proof-number search (Nagai, "Df-pn Algorithm for Searching AND/OR Trees and Its
//! Applications", 2002), for any game that can list its checks.
//!
//! `table` stores proof and disproof numbers, `dfpn` is the search, `path` stores the positions from the root and the
//! disproofs by repetition, `crowd` spreads threads over different positions, `control` holds the limits and the state
//! shared between threads, and `line` verifies a proof against every defence and extracts its main line.
//!
//! On top of these: `questions` solves many positions with one table, `lengths` finds exact lengths under the rules of
//! mate problems, `soundness` checks problems, `proof` and `certificate` write proofs that other programs can verify, and
//! `brink` finds brinkmates.

mod brink;
mod certificate;
mod control;
mod crowd;
mod dfpn;
mod lengths;
mod line;
mod path;
mod proof;
mod questions;
mod soundness;
mod stack;
#[allow(unsafe_code)]
mod table;
mod verdict;

pub use brink::{Answer, Brink, BrinkOutcome, brinkmate};
use control::Control;
pub use control::{MateLimits, MateMonitor, MateOutcome, MateProgress};
use crowd::Crowd;
use dfpn::Solver;
pub use proof::{ProofNode, ProofOutcome, prove};
use sanban_rules::{Checks, Move};
pub use soundness::{check, check_with_proof};
use stack::{LONG, SHORT, STACK};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use table::{NEVER, ProofTable};
pub use verdict::{Finding, FindingKind, Soundness, Verdict};

/// Number of nodes to search on the caller's thread with a small table before the large table is allocated and threads
/// are started.
const FEW: u64 = 1024;
/// A number of plies that means the search is complete; no mate takes 0 plies.
const DONE: u16 = 0;

/// The memory of a search, reused by later searches.
#[derive(Default)]
pub struct Workspace {
    /// The small table for the first nodes.
    small: Option<ProofTable>,
    large: Option<ProofTable>,
    /// The state of the last search if it is incomplete.
    paused: Option<Paused>,
    resumes: bool,
}

struct Paused {
    answer: MateOutcome,
    /// Maximum length in plies of the mate being searched for.
    plies: u16,
    /// Whether a line was cut off because it was too long.
    cut: bool,
}

impl Workspace {
    /// Returns whether the last search ended because time ran out or it was stopped.
    pub fn is_paused(&self) -> bool {
        self.paused.is_some()
    }

    /// Makes the next search in this memory continue the last one, which must have the same root.
    pub fn resume(&mut self) {
        self.resumes = true;
    }
}

/// Looks for a mate by the side to move, with checks only.
///
/// A mate is returned only after its proof has been verified against every defence, and `NoMate` only if no limit
/// affected the disproof. The moves before the root are ignored.
pub fn solve<P: Checks>(root: &P, limits: &MateLimits, monitor: &dyn MateMonitor) -> MateOutcome {
    solve_in(&mut Workspace::default(), root, limits, monitor)
}

/// Like [`solve`], with reused memory, which does not affect the answer.
pub fn solve_in<P: Checks>(
    workspace: &mut Workspace,
    root: &P,
    limits: &MateLimits,
    monitor: &dyn MateMonitor,
) -> MateOutcome {
    let resumes = std::mem::take(&mut workspace.resumes);
    let paused = workspace.paused.take().filter(|_| resumes);
    let mut control = Control::new(limits, LONG, monitor);
    let Paused { answer, plies, cut } = match paused {
        Some(paused) => paused,
        None => {
            // Most problems are solved in less time than it takes to allocate the large table.
            let nodes = limits.nodes.map_or(FEW, |n| n.min(FEW));
            control.limits = MateLimits { nodes: Some(nodes), memory: 1, threads: 1, ..*limits };
            control.longest = SHORT;
            workspace.small = ProofTable::renewed(workspace.small.take(), control.limits.memory);
            let Some(table) = &workspace.small else { return MateOutcome::Unknown };
            let (answer, plies) = search(root, table, &control, MateOutcome::Unknown, NEVER);
            if plies == DONE || limits.nodes == Some(nodes) {
                return answer;
            }
            (control.limits, control.longest, control.over) = (*limits, LONG, AtomicBool::new(false));
            workspace.large = ProofTable::renewed(workspace.large.take(), limits.memory);
            if !control.count(0) {
                workspace.paused = Some(Paused { answer: answer.clone(), plies, cut: false });
                return answer;
            }
            Paused { answer, plies, cut: false }
        }
    };
    (control.crowd, control.cut) = (Crowd::new(limits.threads), AtomicBool::new(cut));
    let Some(table) = &workspace.large else { return answer };
    let (answer, plies) = search(root, table, &control, answer, plies);
    if plies != DONE {
        let cut = control.cut.load(Relaxed);
        workspace.paused = Some(Paused { answer: answer.clone(), plies, cut });
    }
    answer
}

/// Searches for a mate within `plies` plies, then for a shorter one if the limits ask for it. `answer` is the best
/// result so far. Returns the new answer and the maximum length of the mate still searched for, `DONE` if the search is
/// complete.
fn search<P: Checks>(
    root: &P,
    table: &ProofTable,
    control: &Control,
    mut answer: MateOutcome,
    mut plies: u16,
) -> (MateOutcome, u16) {
    loop {
        // A mate takes an odd number of plies.
        let threads = control.limits.threads.max(1);
        let found = match within(root, table, control, plies, threads) {
            // The proof of one thread may depend on entries that other threads have replaced, so a single thread
            // searches again.
            Attempt::Unknown if threads > 1 && control.count(0) => within(root, table, control, plies, 1),
            found => found,
        };
        plies = match found {
            Attempt::Mate(line, longest) => {
                // A shorter proof may have a longer main line once futile interpositions are removed.
                if !matches!(&answer, MateOutcome::Mate(known) if known.len() <= line.len()) {
                    answer = MateOutcome::Mate(line);
                }
                if control.limits.shortest && longest >= 3 { longest - 2 } else { DONE }
            }
            Attempt::None => {
                if plies == NEVER {
                    answer = MateOutcome::NoMate;
                }
                DONE
            }
            Attempt::Unknown => break,
        };
        if plies == DONE {
            break;
        }
    }
    (answer, plies)
}

enum Attempt {
    /// A main line, and the length of the longest defence in plies, futile interpositions included.
    Mate(Vec<Move>, u16),
    None,
    Unknown,
}

/// Searches for a mate within `plies` plies with this number of threads.
fn within<P: Checks>(root: &P, table: &ProofTable, control: &Control, plies: u16, threads: usize) -> Attempt {
    control.answered.store(false, Relaxed);
    let work = |index: usize| {
        let mut solver = Solver::new(root, table, control, index, plies);
        let value = solver.root();
        if !value.solved() || control.answered.swap(true, Relaxed) {
            return Attempt::Unknown;
        }
        if value.dn == 0 {
            return Attempt::None;
        }
        let line = solver.line(value.plies);
        line.map_or(Attempt::Unknown, |(line, longest)| Attempt::Mate(line, longest))
    };
    if control.longest == SHORT {
        return work(0);
    }
    thread::scope(|scope| {
        let run = |index| thread::Builder::new().stack_size(STACK).spawn_scoped(scope, move || work(index));
        let threads: Vec<_> = (0..threads).map_while(|index| run(index).ok()).collect();
        // Wait for all threads, even after one has an answer.
        let attempts: Vec<_> = threads.into_iter().filter_map(|thread| thread.join().ok()).collect();
        attempts.into_iter().find(|a| !matches!(a, Attempt::Unknown)).unwrap_or(Attempt::Unknown)
    })
}
