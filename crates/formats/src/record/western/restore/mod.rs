//! Restores missing moves of a record from the conditions that the later moves impose.
//!
//! The positions that can occur after each move form a graph (`layers`); positions that cannot lead to the known moves
//! after a gap are excluded immediately (`demands`). A complete graph contains every legal completion, and thus proves
//! which moves all completions contain. If the graph is too large, the most promising positions are kept, according to
//! an estimate of the moves that each side still needs (`sketch`). A judge chooses between the completions (`choose`).

mod choose;
mod demands;
mod layers;
mod reach;
mod sketch;
mod words;

use crate::record::board::Board;
use crate::record::judge::Judge;
use layers::{Graph, Task, Way};
use sanban_rules::Move;
use sanban_rules::shogi::Position;
use std::collections::HashMap;
use std::time::Instant;
use words::gap;

pub(super) use words::Slot;

/// The certainty of a restored move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// Every legal completion of the record contains the move at this ply.
    Certain,
    /// Every legal completion contains the move in this gap, but perhaps at another ply.
    Order,
    /// Almost all completions contain the move at this ply.
    Likely,
    /// Other moves are possible, or not all completions have been examined.
    Free,
}

impl Mark {
    /// The word for the mark in comments.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Certain => "certain",
            Self::Order => "certain, order open",
            Self::Likely => "likely",
            Self::Free => "free",
        }
    }
}

/// The share of the completions that must contain a move for [`Mark::Likely`]. Of the moves with this mark, more than
/// 80 % were right in games with one or two pairs of moves removed (`tests/oracles/repair_marks.py`).
const LIKELY: f64 = 0.6;

/// Number of missing moves above which most of the time is spent on finding any completion.
const LONG: usize = 16;

/// The moves of a game; restored moves have a mark.
pub(super) type Moves = Vec<(Move, Option<Mark>)>;

/// The reason why no completion was found.
#[derive(Clone, Copy, Debug)]
pub(super) struct Dead {
    /// The number of moves up to which a completion was found.
    pub made: usize,
    /// Whether it is proved that no completion exists.
    pub proved: bool,
}

pub(super) fn restore(
    start: &Board,
    slots: &[Slot<'_>],
    judge: &mut dyn Judge,
    until: Instant,
) -> Result<Moves, Dead> {
    let start = Position::from_sfen(&start.sfen()).map_err(|_| Dead { made: 0, proved: false })?;
    let task = Task::new(start, words::words(slots));
    let part = |share: f64| {
        let now = Instant::now();
        now + until.saturating_duration_since(now).mul_f64(share)
    };
    let mut graph = Graph::build(&task, part(if task.lost_from(0) > LONG { 0.8 } else { 0.4 }));
    let dead = Dead { made: graph.layers.len() - 1, proved: !graph.cut };
    let complete = dead.made == slots.len();
    if !complete && !graph.cut {
        return Err(dead);
    }
    graph.prune();
    let evidence = (complete && !graph.cut).then(|| Evidence::of(&task, &graph));
    // The completions that an incomplete graph lacks may be more probable than the others.
    let mut chosen = if graph.cut && task.lost_from(0) <= LONG {
        choose::choose(&task, None, judge, part(0.7))
    } else {
        None
    };
    if complete && chosen.is_none() {
        // A search is not needed if there is no choice, and of no use if anything is possible.
        let decided = evidence.as_ref().is_some_and(|evidence| evidence.is_decided(&task));
        let judge: &mut dyn Judge = if decided { &mut () } else { judge };
        chosen = choose::choose(&task, Some(&graph), judge, until);
    }
    let chosen = chosen.ok_or(dead)?;
    let mark = |(at, &mv): (usize, &Move)| {
        task.words[at]
            .is_none()
            .then(|| evidence.as_ref().map_or(Mark::Free, |evidence| evidence.mark(&task, at, mv)))
    };
    let marks: Vec<Option<Mark>> = chosen.iter().enumerate().map(mark).collect();
    Ok(chosen.into_iter().zip(marks).collect())
}

/// What the completions in a complete graph have in common.
struct Evidence {
    /// The moves, with their gaps, that all completions contain.
    certain: Vec<(usize, Move)>,
    /// For each ply, the moves with their shares of the completions.
    shares: Vec<HashMap<Move, f64>>,
}

impl Evidence {
    fn of(task: &Task, graph: &Graph) -> Self {
        // The weights of the completions before and after each position, scaled to a sum of 1 in each layer.
        let scaled = |mut weights: Vec<f64>| {
            let sum: f64 = weights.iter().sum();
            weights.iter_mut().for_each(|weight| *weight /= sum);
            weights
        };
        let weight = |way: &Way| f64::from(-way.cost).exp();
        let mut before = vec![vec![1.0]];
        for layer in &graph.layers[1..] {
            let mut next = vec![0.0; layer.len()];
            let last = &before[before.len() - 1];
            layer
                .ways
                .iter()
                .for_each(|way| next[way.child as usize] += last[way.parent as usize] * weight(way));
            before.push(scaled(next));
        }
        let mut shares = vec![HashMap::new(); task.words.len()];
        let mut behind = vec![1.0; graph.layers[task.words.len()].len()];
        for at in (0..task.words.len()).rev() {
            let mut now = vec![0.0; graph.layers[at].len()];
            let mut total = 0.0;
            for way in &graph.layers[at + 1].ways {
                let rest = weight(way) * behind[way.child as usize];
                now[way.parent as usize] += rest;
                let share = before[at][way.parent as usize] * rest;
                total += share;
                *shares[at].entry(way.mv).or_default() += share;
            }
            shares[at].values_mut().for_each(|share: &mut f64| *share /= total);
            behind = scaled(now);
        }
        Self { certain: certain(task, graph), shares }
    }

    /// The mark of a move at a ply.
    fn mark(&self, task: &Task, at: usize, mv: Move) -> Mark {
        let shares = &self.shares[at];
        match shares.get(&mv) {
            Some(_) if shares.len() == 1 => Mark::Certain,
            _ if self.certain.contains(&(gap(&task.words, at), mv)) => Mark::Order,
            Some(&share) if share > LIKELY => Mark::Likely,
            _ => Mark::Free,
        }
    }

    /// Returns whether there is only one completion, or no move that most of them have in common.
    fn is_decided(&self, task: &Task) -> bool {
        let lost = || (0..task.words.len()).filter(|&at| task.words[at].is_none());
        let all_free =
            || lost().all(|at| self.shares[at].keys().all(|&mv| self.mark(task, at, mv) == Mark::Free));
        lost().all(|at| self.shares[at].len() == 1) || all_free()
    }
}

/// The moves, with their gaps, that every path of a complete graph contains.
fn certain(task: &Task, graph: &Graph) -> Vec<(usize, Move)> {
    // For each position, the moves that every path to it contains.
    let mut sets: Vec<Vec<(usize, Move)>> = vec![vec![]];
    for (at, layer) in graph.layers.iter().skip(1).enumerate() {
        let mut next: Vec<Option<Vec<(usize, Move)>>> = vec![None; layer.len()];
        for way in &layer.ways {
            let own = task.words[at].is_none().then(|| (gap(&task.words, at), way.mv));
            let has =
                |entry: &(usize, Move)| Some(*entry) == own || sets[way.parent as usize].contains(entry);
            match &mut next[way.child as usize] {
                Some(set) => set.retain(has),
                empty => {
                    let mut set = sets[way.parent as usize].clone();
                    set.extend(own.filter(|own| !set.contains(own)));
                    *empty = Some(set);
                }
            }
        }
        sets = next.into_iter().map(Option::unwrap_or_default).collect();
    }
    let mut sets = sets.into_iter();
    let first = sets.next().unwrap_or_default();
    sets.fold(first, |mut common, set| {
        common.retain(|entry| set.contains(entry));
        common
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn restored(text: &str) -> Option<Vec<(String, Option<Mark>)>> {
        let slots: Vec<Slot<'_>> = text
            .split_whitespace()
            .map(|word| if word == "?" { Slot::Lost } else { Slot::Known(word) })
            .collect();
        let start = Board::from_start(None).expect("the start position");
        let until = Instant::now() + Duration::from_secs(10);
        let moves = restore(&start, &slots, &mut (), until).ok()?;
        Some(moves.into_iter().map(|(mv, mark)| (Position::usi(mv), mark)).collect())
    }

    #[test]
    fn what_every_completion_has_is_certain() {
        let moves = restored("? ? Bx2b+ Sx2b B'4e").expect("a game");
        assert_eq!(moves[0], ("7g7f".into(), Some(Mark::Certain)));
        assert_eq!(moves[1], ("3c3d".into(), Some(Mark::Certain)));
        assert_eq!(moves[2], ("8h2b+".into(), None));
        let moves = restored("P7f ? Bx2b+ ? B'4e").expect("a game");
        assert_eq!(moves[1], ("3c3d".into(), Some(Mark::Certain)));
        assert!(
            moves[3].1.is_some_and(|mark| !matches!(mark, Mark::Certain | Mark::Order)),
            "the silver, the rook or no piece may capture: {moves:?}"
        );
        assert_eq!(restored("? ? Bx9i+"), None, "no two moves make this move legal");
    }
}
