//! The verdict on a mate problem, and what was found besides its solution.

use super::table::Place;
use sanban_rules::{Checks, Move, MoveList};
use std::fmt;

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
    pub(super) fn judge(&mut self, done: bool) {
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

/// A position of the solution, with the attacker to move.
#[derive(Clone)]
pub(super) struct Spot<P> {
    pub pos: P,
    pub before: Vec<Move>,
    /// The earlier positions of this line with the attacker to move, and this one.
    pub places: Vec<Place>,
    pub in_main_line: bool,
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
