//! Proofs that another program can verify without trusting this one.
//!
//! A proof of a mate is a set of positions with the attacker to move, each with a check and a number of plies. After
//! the check and any legal defence, the resulting position is covered by one in the set whose number is at least two
//! plies smaller. A proof that there is no mate is a set of positions with the attacker to move, each with a defence
//! against every check; after the check and the defence, the resulting position is covered by one in the set. A
//! position in a proof of a mate covers all positions with the same board in which the attacker holds at least the same
//! hand; a position in a proof of no mate covers those in which the attacker holds at most the same hand. All other
//! pieces in hand belong to the defender.

use super::control::{Control, MateLimits, MateMonitor};
use super::dfpn::Solver;
use super::line::Proofs;
use super::questions::{Over, Questions};
use super::stack::with_stack;
use super::table::{NEVER, ProofTable};
use sanban_rules::{Checks, Move, MoveList};
use std::collections::HashMap;

/// A position of a proof, with the attacker to move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ProofNode {
    /// A mate by this check, in at most this number of plies.
    Mate(Move, u16),
    /// No mate: each check with a defence against it.
    NoMate(Vec<(Move, Move)>),
}

/// The result that was proved.
#[must_use]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProofOutcome {
    /// A mate; its proof has this number of positions.
    Mate(usize),
    /// There is no mate; the proof has this number of positions.
    NoMate(usize),
    /// A limit was reached.
    Unknown,
}

/// Solves a problem and calls `each` for every position of a proof, starting with the root. Uses one thread and the
/// memory given in the limits.
pub fn prove<P: Checks>(
    root: &P,
    limits: &MateLimits,
    monitor: &dyn MateMonitor,
    each: &mut (dyn FnMut(&P, &ProofNode) + Send),
) -> ProofOutcome {
    let Some(table) = ProofTable::renewed(None, limits.memory) else { return ProofOutcome::Unknown };
    let found = with_stack(|longest| {
        let control = Control::new(limits, longest, monitor);
        let mut questions = Questions::new(root, &table, &control);
        let mut nodes = Nodes { each, covered: HashMap::new(), count: 0 };
        match questions.is_mate(root)? {
            true => mates(root, &mut questions.solver, &mut nodes)?,
            false => refutations(root, &mut questions, &mut nodes)?,
        }
        let is_mate = questions.is_mate(root)?;
        Ok(if is_mate { ProofOutcome::Mate(nodes.count) } else { ProofOutcome::NoMate(nodes.count) })
    });
    found.and_then(|found: Result<_, Over>| found.ok()).unwrap_or(ProofOutcome::Unknown)
}

/// Outputs the positions of a proof.
struct Nodes<'e, P> {
    each: &'e mut (dyn FnMut(&P, &ProofNode) + Send),
    /// For each board, the attacker's hands and the plies of the positions in the proof.
    covered: HashMap<u64, Vec<(u32, u16)>>,
    count: usize,
}

impl<P: Checks> Nodes<'_, P> {
    fn add(&mut self, pos: &P, hand: u32, plies: u16, node: &ProofNode) {
        self.covered.entry(pos.board_key()).or_default().push((hand, plies));
        self.count += 1;
        (self.each)(pos, node);
    }

    fn has(&self, pos: &P, mut covers: impl FnMut(u32, u16) -> bool) -> bool {
        self.covered.get(&pos.board_key()).is_some_and(|hands| hands.iter().any(|&(h, p)| covers(h, p)))
    }
}

fn mates<P: Checks>(root: &P, solver: &mut Solver<'_, P>, nodes: &mut Nodes<'_, P>) -> Result<(), Over> {
    solver.pos = root.clone();
    let attacker = solver.attacker();
    let plies = solver.solve_as_root(NEVER).plies;
    let mut proofs = Proofs::new(solver);
    let mut todo = vec![(root.clone(), plies)];
    while let Some((pos, bound)) = todo.pop() {
        let hand = pos.hand(attacker);
        if nodes.has(&pos, |needed, plies| plies <= bound && P::hand_covers(hand, needed)) {
            continue;
        }
        let (mv, plies, needed) = proofs.mate(&pos, bound)?;
        // If the proof holds with a smaller hand, the position with that hand is output and followed instead. The root
        // is output unchanged.
        let mut pos = match nodes.count {
            0 => pos,
            _ => pos.with_hand(attacker, needed).ok_or(Over)?,
        };
        nodes.add(&pos, pos.hand(attacker), plies, &ProofNode::Mate(mv, plies));
        pos.make(mv, &mut ());
        let mut replies = MoveList::new();
        pos.legal(&mut replies);
        for &reply in &replies {
            let mut after = pos.clone();
            after.make(reply, &mut ());
            todo.push((after, plies.saturating_sub(2)));
        }
    }
    Ok(())
}

fn refutations<P: Checks>(
    root: &P,
    questions: &mut Questions<'_, P>,
    nodes: &mut Nodes<'_, P>,
) -> Result<(), Over> {
    let attacker = questions.solver.attacker();
    let mut todo = vec![root.clone()];
    while let Some(mut pos) = todo.pop() {
        let hand = pos.hand(attacker);
        if nodes.has(&pos, |most, _| P::hand_covers(most, hand)) {
            continue;
        }
        let mut checks = MoveList::new();
        pos.checks(&mut checks);
        let mut answers = Vec::new();
        for &check in &checks {
            pos.make(check, &mut ());
            let mut replies = MoveList::new();
            pos.legal(&mut replies);
            let mut found = None;
            // A reply that leads to a position already in the proof needs no search.
            for &reply in &replies {
                pos.make(reply, &mut ());
                let hand = pos.hand(attacker);
                let known = nodes.has(&pos, |most, _| P::hand_covers(most, hand));
                pos.unmake();
                if known {
                    found = Some(reply);
                    break;
                }
            }
            let best = match found {
                Some(_) => None,
                None => questions.refutation(&pos),
            };
            let tried = best.into_iter().chain(replies.iter().copied().filter(|&reply| Some(reply) != best));
            for reply in tried.take(if found.is_some() { 0 } else { usize::MAX }) {
                pos.make(reply, &mut ());
                let is_mate = questions.is_mate(&pos);
                let after = pos.clone();
                pos.unmake();
                if !is_mate? {
                    todo.push(after);
                    found = Some(reply);
                    break;
                }
            }
            pos.unmake();
            answers.push((check, found.ok_or(Over)?));
        }
        nodes.add(&pos, hand, 0, &ProofNode::NoMate(answers));
    }
    Ok(())
}
