//! What a problem is an example of, and what makes it hard.

use super::{Problem, Task};
use sanban_rules::shogi::{Kind, Position};
use sanban_rules::{Move, MoveList};

/// The most striking feature of a solution; an earlier one in this list hides the later ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Theme {
    /// A rook or bishop, promoted or not, is given up, perhaps for a smaller piece.
    GreatSacrifice,
    /// Another piece except a pawn is given up for nothing.
    Sacrifice,
    /// A piece that could promote does not.
    NonPromotion,
    /// The piece that moves opens the line of the one that gives check.
    DiscoveredCheck,
    /// The move neither captures nor promotes nor gives check.
    Quiet,
}

impl Theme {
    /// The keyword of the theme.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::GreatSacrifice => "great-sacrifice",
            Self::Sacrifice => "sacrifice",
            Self::NonPromotion => "non-promotion",
            Self::DiscoveredCheck => "discovered-check",
            Self::Quiet => "quiet",
        }
    }

    /// How many other checks are as distracting as the feature.
    const fn weight(self) -> usize {
        match self {
            Self::GreatSacrifice | Self::NonPromotion => 12,
            Self::Sacrifice | Self::Quiet => 8,
            Self::DiscoveredCheck => 4,
        }
    }
}

impl Problem {
    /// The theme of the solution, if it has one.
    #[must_use]
    pub fn theme(&self) -> Option<Theme> {
        self.features().0.into_iter().min()
    }

    /// How hard the solution is to find among those of the same length: the checks to choose from at every move, and
    /// the features that people overlook.
    #[must_use]
    pub fn hardness(&self) -> usize {
        let (features, choices) = self.features();
        choices + features.into_iter().map(Theme::weight).sum::<usize>()
    }

    /// The features of the solution, and the number of checks to choose from.
    fn features(&self) -> (Vec<Theme>, usize) {
        let (mut features, mut choices) = (Vec::new(), 0);
        let Ok(mut pos) = Position::from_sfen(&self.sfen) else { return (features, choices) };
        // The continuation of a next move is only an example.
        let length = if self.task == Task::Mate { self.line.len() } else { 1 };
        for (ply, &mv) in self.line.iter().take(length).enumerate() {
            if ply % 2 == 1 {
                pos.make(mv, &mut ());
                continue;
            }
            let (mut checks, mut legal) = (MoveList::new(), MoveList::new());
            pos.checks(&mut checks);
            pos.legal(&mut legal);
            choices += checks.len();
            let could_promote =
                !mv.is_drop() && !mv.is_promotion() && legal.contains(&Move::promotion(mv.from(), mv.to()));
            let captured = pos.piece_on(mv.to()).map(|(_, kind)| kind);
            pos.make(mv, &mut ());
            let is_taken = self.line.get(ply + 1).is_some_and(|reply| reply.to() == mv.to());
            let moved = pos.piece_on(mv.to()).map(|(_, kind)| kind);
            features.extend(match moved.filter(|_| is_taken) {
                Some(kind) if is_great(kind) && !captured.is_some_and(is_great) => {
                    Some(Theme::GreatSacrifice)
                }
                Some(kind) if kind != Kind::Pawn && captured.is_none() => Some(Theme::Sacrifice),
                _ => None,
            });
            features.extend(could_promote.then_some(Theme::NonPromotion));
            let checkers = pos.checkers();
            let opens = !checkers.is_empty() && !checkers.has(mv.to());
            features.extend(opens.then_some(Theme::DiscoveredCheck));
            let is_quiet = captured.is_none() && !mv.is_promotion() && checkers.is_empty();
            features.extend(is_quiet.then_some(Theme::Quiet));
        }
        (features, choices)
    }
}

const fn is_great(kind: Kind) -> bool {
    matches!(kind, Kind::Bishop | Kind::Rook | Kind::Horse | Kind::Dragon)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problems::{embedded, read};

    fn theme(row: &str) -> Option<&'static str> {
        read(row).expect("a problem")[0].theme().map(Theme::word)
    }

    #[test]
    fn themes_are_named() {
        let gold = "mate\t1\t8k/9/8P/9/9/9/9/9/K8 b G 1\tG*1b";
        let dragon = "mate\t2\tln3k1+B1/1rsb5/pppp1pp1p/4p2p1/6L2/2PP5/PPS1PPP1P/+r2G1KS2/1N2g1GNL w GSNlp 68\t\
                      9h6h 7g6h G*5h";
        let knight = "mate\t2\tl+R3g2l/5bsk1/2p1Bpnpp/p1sp5/1p7/2PP5/PPS1PPP1P/2GK1g1r1/LN5NL b GN2Psp 69\t\
                      N*3d 2b1b G*2b";
        assert_eq!([gold, dragon, knight].map(theme), [None, Some("great-sacrifice"), None]);
    }

    #[test]
    fn the_embedded_problems_become_harder() {
        let problems = embedded();
        assert!(problems.is_sorted_by_key(|problem| (problem.task, problem.grade, problem.hardness())));
        let has = |theme| problems.iter().any(|problem| problem.theme() == Some(theme));
        let every = [Theme::GreatSacrifice, Theme::Sacrifice, Theme::NonPromotion, Theme::Quiet];
        assert_eq!(every.map(has), [true; 4]);
    }
}
