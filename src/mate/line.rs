//! The moves of a proved mate, read from the table and replayed by the rules.

use super::dfpn::Solver;
use crate::base::{Move, MoveList};
use crate::game::Checks;

/// Longest line in plies.
const LONGEST: usize = 4000;

impl<P: Checks> Solver<'_, P> {
    /// A line from the proved root to mate: the shortest known attack against the longest known defence. None if
    /// what the table has forgotten is not found again within the limits.
    pub fn line(&mut self) -> Option<Vec<Move>> {
        let root = self.pos.clone();
        let mut line = Vec::new();
        while let Some(mv) = self.step()? {
            if line.len() >= LONGEST {
                return None;
            }
            self.pos.make(mv, &mut ());
            line.push(mv);
        }
        self.pos = root.clone();
        is_mate(root, &line).then_some(line)
    }

    /// The next move of the line; `Some(None)` at the end.
    fn step(&mut self) -> Option<Option<Move>> {
        let attacking = self.attacking();
        let mut list = MoveList::new();
        if attacking {
            if let Some(mv) = self.pos.mate_in_one() {
                return Some(Some(mv));
            }
            self.pos.checks(&mut list);
        } else {
            self.pos.legal(&mut list);
        }
        let mut chosen: Option<(u16, Move)> = None;
        for mv in list.iter().copied() {
            self.pos.make(mv, &mut ());
            let mut value = self.look();
            if !attacking && value.pn != 0 {
                value = self.root();
            }
            self.pos.unmake();
            if value.pn != 0 {
                if attacking {
                    continue;
                }
                return None;
            }
            let better = chosen.is_none_or(
                |(plies, _)| {
                    if attacking { value.plies < plies } else { value.plies > plies }
                },
            );
            if better {
                chosen = Some((value.plies, mv));
            }
        }
        if attacking && chosen.is_none() {
            // The table has forgotten the moves below: find them again.
            let mv = self.remembered().filter(|mv| list.contains(mv))?;
            self.pos.make(mv, &mut ());
            let value = self.root();
            self.pos.unmake();
            return (value.pn == 0).then_some(Some(mv));
        }
        Some(chosen.map(|(_, mv)| mv))
    }
}

/// Is this line a mate by the rules: every attacking move a legal check, every defence legal, no move left at the
/// end?
pub(super) fn is_mate<P: Checks>(mut pos: P, line: &[Move]) -> bool {
    for (i, &mv) in line.iter().enumerate() {
        let mut list = MoveList::new();
        if i % 2 == 0 {
            pos.checks(&mut list);
        } else {
            pos.legal(&mut list);
        }
        if !list.contains(&mv) {
            return false;
        }
        pos.make(mv, &mut ());
    }
    line.len() % 2 == 1 && pos.in_check() && pos.count() == 0
}
