//! Selection of the answer of several threads: each votes for its best move, with a weight that grows with depth and
//! score.

use super::root::RootMove;
use sanban_rules::score::is_decisive;

/// The result of one thread.
pub(super) struct Ballot {
    /// Depth of the last complete iteration, in plies.
    pub depth: u32,
    /// Root moves, best first.
    pub roots: Vec<RootMove>,
}

/// Index of the thread whose answer is used; the first thread wins ties.
pub(super) fn elect(ballots: &[Ballot]) -> usize {
    let score = |b: &Ballot| b.roots[0].reported().0;
    let Some(least) = ballots.iter().map(score).min() else { return 0 };
    let weight = |b: &Ballot| i64::from(score(b) - least + 15) * i64::from(b.depth);
    let votes = |b: &Ballot| -> i64 {
        ballots.iter().filter(|other| other.roots[0].mv == b.roots[0].mv).map(weight).sum()
    };
    let mut elected = 0;
    for (i, ballot) in ballots.iter().enumerate().skip(1) {
        let (old, new) = (score(&ballots[elected]), score(ballot));
        // A mate needs no majority: prefer the shortest mate for this side, or else the longest mate against it.
        let better = if is_decisive(old) || is_decisive(new) {
            new > old
        } else {
            (votes(ballot), weight(ballot)) > (votes(&ballots[elected]), weight(&ballots[elected]))
        };
        if ballot.depth > 0 && better {
            elected = i;
        }
    }
    elected
}

#[cfg(test)]
mod tests {
    use super::*;
    use sanban_rules::score::mate_in;
    use sanban_rules::{Move, Score};

    fn ballot(to: usize, score: Score, depth: u32) -> Ballot {
        Ballot { depth, roots: vec![RootMove { score, ..RootMove::new(Move::board(0, to)) }] }
    }

    #[test]
    fn two_that_agree_outvote_one() {
        assert_eq!(elect(&[ballot(1, 20, 10), ballot(2, 15, 10), ballot(2, 18, 10)]), 2);
    }

    #[test]
    fn the_first_thread_wins_a_tie_and_a_mate_wins_all() {
        assert_eq!(elect(&[ballot(1, 20, 10), ballot(2, 20, 10)]), 0);
        assert_eq!(elect(&[ballot(1, 20, 12), ballot(1, 30, 12), ballot(2, mate_in(7), 9)]), 2);
    }
}
