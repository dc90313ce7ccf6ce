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
use super::table::{NEVER, Place, ProofTable};
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

impl ProofNode {
    /// The second line of the file, if this is the first node of a proof.
    pub fn claim<P: Checks>(&self, root: &P) -> String {
        match self {
            Self::Mate(_, plies) => format!("mate {plies} {}", plain(root)),
            Self::NoMate(_) => format!("nomate {}", plain(root)),
        }
    }

    /// The line of the file, which `docs/mate.md` describes.
    pub fn line<P: Checks>(&self, pos: &P) -> String {
        match self {
            Self::Mate(mv, plies) => format!("{plies}\t{}\t{}", plain(pos), P::usi(*mv)),
            Self::NoMate(answers) => {
                let moves = answers.iter().flat_map(|&(check, reply)| [P::usi(check), P::usi(reply)]);
                format!("{}\t{}", plain(pos), moves.collect::<Vec<_>>().join(" "))
            }
        }
    }
}

/// The SFEN without the move number, which a proof does not need.
pub(super) fn plain<P: Checks>(pos: &P) -> String {
    let sfen = pos.sfen();
    sfen.rsplit_once(' ').map_or(sfen.clone(), |(plain, _)| plain.to_string())
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
        let mut nodes = Nodes::new(each);
        match questions.is_mate(root)? {
            true => mates(root, &mut questions.solver, &mut nodes)?,
            false => refutations(vec![root.clone()], &mut questions, &mut nodes)?,
        }
        let is_mate = questions.is_mate(root)?;
        Ok(if is_mate { ProofOutcome::Mate(nodes.count) } else { ProofOutcome::NoMate(nodes.count) })
    });
    found.and_then(|found: Result<_, Over>| found.ok()).unwrap_or(ProofOutcome::Unknown)
}

/// For each board, the attacker's hands and the plies of the positions in a proof.
#[derive(Clone, Default)]
pub(super) struct Covered(HashMap<u64, Vec<(u32, u16)>>);

impl Covered {
    pub fn add(&mut self, place: Place, plies: u16) {
        self.0.entry(place.board).or_default().push((place.hand, plies));
    }

    fn any(&self, board: u64, mut covers: impl FnMut(u32, u16) -> bool) -> bool {
        self.0.get(&board).is_some_and(|hands| hands.iter().any(|&(hand, plies)| covers(hand, plies)))
    }

    /// Returns whether a position is covered in a proof that there is no mate within `plies` plies.
    pub fn has<P: Checks>(&self, place: Place, plies: u16) -> bool {
        self.any(place.board, |most, known| known >= plies && P::hand_covers(most, place.hand))
    }
}

/// Outputs the positions of a proof.
pub(super) struct Nodes<'e, P> {
    each: &'e mut (dyn FnMut(&P, &ProofNode) + Send),
    pub covered: Covered,
    count: usize,
}

impl<'e, P: Checks> Nodes<'e, P> {
    pub fn new(each: &'e mut (dyn FnMut(&P, &ProofNode) + Send)) -> Self {
        Self { each, covered: Covered::default(), count: 0 }
    }

    fn add(&mut self, pos: &P, hand: u32, plies: u16, node: &ProofNode) {
        self.covered.add(Place { board: pos.board_key(), hand }, plies);
        self.count += 1;
        (self.each)(pos, node);
    }
}

/// Outputs a proof of the mate at `root`, which avoids the forbidden positions of the solver.
pub(super) fn mates<P: Checks>(
    root: &P,
    solver: &mut Solver<'_, P>,
    nodes: &mut Nodes<'_, P>,
) -> Result<(), Over> {
    solver.pos = root.clone();
    let (attacker, forbidden) = (solver.attacker(), solver.forbidden.clone());
    let plies = solver.solve_as_root(NEVER).plies;
    let mut proofs = Proofs::new(solver);
    let mut todo = vec![(root.clone(), plies)];
    while let Some((pos, bound)) = todo.pop() {
        let (board, hand) = (pos.board_key(), pos.hand(attacker));
        if nodes.covered.any(board, |needed, plies| plies <= bound && P::hand_covers(hand, needed)) {
            continue;
        }
        if forbidden.iter().any(|place| place.board == board && P::hand_covers(place.hand, hand)) {
            return Err(Over);
        }
        let (mv, plies, needed) = proofs.mate(&pos, bound)?;
        // If the proof holds with a smaller hand, the position with that hand is output and followed instead, unless it
        // could lead to a forbidden position. The root is output unchanged.
        let mut pos = match nodes.count {
            0 => pos,
            _ if !forbidden.is_empty() => pos,
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

/// Outputs a proof that these positions are no mate.
pub(super) fn refutations<P: Checks>(
    mut todo: Vec<P>,
    questions: &mut Questions<'_, P>,
    nodes: &mut Nodes<'_, P>,
) -> Result<(), Over> {
    while let Some(mut pos) = todo.pop() {
        let place = questions.place(&pos);
        if nodes.covered.has::<P>(place, NEVER) {
            continue;
        }
        let mut checks = MoveList::new();
        pos.checks(&mut checks);
        let mut answers = Vec::new();
        for &check in &checks {
            pos.make(check, &mut ());
            let (reply, next) = defence(&mut pos, questions, nodes)?;
            pos.unmake();
            answers.push((check, reply));
            todo.extend(next);
        }
        nodes.add(&pos, place.hand, NEVER, &ProofNode::NoMate(answers));
    }
    Ok(())
}

/// Returns a defence against a check that does not mate and, unless the proof covers it, the position after it.
pub(super) fn defence<P: Checks>(
    pos: &mut P,
    questions: &mut Questions<'_, P>,
    nodes: &Nodes<'_, P>,
) -> Result<(Move, Option<P>), Over> {
    let mut replies = MoveList::new();
    pos.legal(&mut replies);
    // A reply that leads to a position already in the proof needs no search.
    for &reply in &replies {
        pos.make(reply, &mut ());
        let known = nodes.covered.has::<P>(questions.place(pos), NEVER);
        pos.unmake();
        if known {
            return Ok((reply, None));
        }
    }
    let best = questions.best(pos, NEVER);
    for reply in best.into_iter().chain(replies.iter().copied().filter(|&reply| Some(reply) != best)) {
        let mut after = pos.clone();
        after.make(reply, &mut ());
        if !questions.is_mate(&after)? {
            return Ok((reply, Some(after)));
        }
    }
    Err(Over)
}
