//! The table of a match of any number of engines.

use super::record::Played;
use super::standing::Standing;
use super::stats::{Pentanomial, Sprt};
use std::time::Duration;

#[derive(Clone, Debug)]
pub struct Table {
    /// The names of the engines, once they are known.
    pub names: Vec<Option<String>>,
    pub pairings: Vec<([usize; 2], Standing)>,
    /// Number of games finished by this process.
    pub played: u64,
    pub elapsed: Duration,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Score {
    /// The number of the engine, from 0.
    pub engine: usize,
    /// Wins, draws and losses.
    pub games: [u64; 3],
    /// Number of pairs of games by the engine's points.
    pub pairs: Pentanomial,
    pub faults: u64,
}

impl Score {
    pub fn half_points(&self) -> u64 {
        2 * self.games[0] + self.games[1]
    }

    pub fn count(&self) -> u64 {
        self.games.iter().sum()
    }
}

impl Table {
    pub fn new(names: Vec<Option<String>>, pairings: &[[usize; 2]]) -> Self {
        let pairings = pairings.iter().map(|&pairing| (pairing, Standing::default())).collect();
        Self { names, pairings, played: 0, elapsed: Duration::ZERO }
    }

    /// The table of games that may come from several shards.
    pub fn tally(
        names: Vec<Option<String>>,
        pairings: &[[usize; 2]],
        games: &[Played],
        sprt: Option<Sprt>,
    ) -> Self {
        let mut table = Self::new(names, pairings);
        for (pairing, standing) in &mut table.pairings {
            let games = games.iter().filter(|game| game.engines == *pairing).copied();
            *standing = Standing::tally(games, sprt);
        }
        table
    }

    /// Adds a finished game of a shard that has every `step`-th pair, see [`Standing::add`].
    pub fn add(&mut self, game: Played, step: u64, sprt: Option<Sprt>) {
        if let Some((_, standing)) = self.pairings.iter_mut().find(|(pairing, _)| *pairing == game.engines) {
            standing.add(game, step, sprt);
        }
    }

    /// The standing of the first pairing, the only one in a match of two engines.
    pub fn first(&self) -> Option<&Standing> {
        self.pairings.first().map(|(_, standing)| standing)
    }

    /// Returns whether the test of a match of two engines is decided.
    pub fn is_decided(&self) -> bool {
        self.first().is_some_and(|standing| standing.decision.is_some())
    }

    pub fn finished(&self) -> u64 {
        self.pairings.iter().map(|(_, standing)| standing.finished()).sum()
    }

    pub fn name(&self, engine: usize) -> String {
        let name = self.names.get(engine).cloned().flatten();
        name.unwrap_or_else(|| format!("engine {}", engine + 1))
    }

    /// Wins, draws and losses of one engine against another; `None` if they are not paired.
    pub fn between(&self, engine: usize, other: usize) -> Option<[u64; 3]> {
        self.pairings.iter().find_map(|(pairing, standing)| match *pairing {
            [a, b] if a == engine && b == other => Some(standing.games),
            [a, b] if a == other && b == engine => {
                let [wins, draws, losses] = standing.games;
                Some([losses, draws, wins])
            }
            _ => None,
        })
    }

    /// The scores of all engines, the best first. Engines of equal scores keep their order.
    pub fn scores(&self) -> Vec<Score> {
        let mut out: Vec<Score> =
            (0..self.names.len()).map(|engine| Score { engine, ..Score::default() }).collect();
        for ([a, b], standing) in &self.pairings {
            let [wins, draws, losses] = standing.games;
            let reversed = {
                let mut pairs = standing.pairs;
                pairs.0.reverse();
                pairs
            };
            let sides = [
                (*a, [wins, draws, losses], standing.pairs, standing.faults[0]),
                (*b, [losses, draws, wins], reversed, standing.faults[1]),
            ];
            for (engine, games, pairs, faults) in sides {
                let Some(score) = out.get_mut(engine) else { continue };
                (0..3).for_each(|i| score.games[i] += games[i]);
                (0..5).for_each(|i| score.pairs.0[i] += pairs.0[i]);
                score.faults += faults;
            }
        }
        // Compares shares of the points without rounding: a/b > c/d if a*d > c*b.
        out.sort_by(|x, y| {
            let left = u128::from(y.half_points()) * u128::from(x.count().max(1));
            let right = u128::from(x.half_points()) * u128::from(y.count().max(1));
            left.cmp(&right)
        });
        out
    }
}

#[cfg(test)]
mod tests {
    use super::super::record::{Outcome, Player};
    use super::*;

    fn games(engines: [usize; 2], pair: u64, results: [Outcome; 2]) -> [Played; 2] {
        let game = |black, result| Played {
            moves: pair * 100
                + engines[0] as u64 * 10
                + engines[1] as u64 * 2
                + u64::from(black == Player::B),
            engines,
            pair,
            black,
            result,
            fault: None,
            nodes: [1; 2],
            time: [1; 2],
        };
        [game(Player::A, results[0]), game(Player::B, results[1])]
    }

    #[test]
    fn points_are_added_up_over_the_pairings() {
        use Outcome::{Draw, Loss, Win};
        let all =
            [games([0, 1], 0, [Win, Draw]), games([0, 2], 0, [Loss, Loss]), games([1, 2], 0, [Draw, Draw])]
                .concat();
        let pairings = [[0, 1], [0, 2], [1, 2]];
        let table = Table::tally(vec![None; 3], &pairings, &all, None);
        let scores = table.scores();
        let order: Vec<(usize, [u64; 3])> = scores.iter().map(|score| (score.engine, score.games)).collect();
        assert_eq!(order, [(2, [2, 2, 0]), (0, [1, 1, 2]), (1, [0, 3, 1])]);
        assert_eq!(scores[0].pairs.0, [0, 0, 1, 0, 1]);
        assert_eq!(table.between(2, 0), Some([2, 0, 0]));
        assert_eq!(table.between(0, 2), Some([0, 0, 2]));
        assert_eq!(table.between(1, 1), None);
        let mut live = Table::new(vec![None; 3], &pairings);
        all.iter().rev().for_each(|game| live.add(*game, 1, None));
        assert_eq!(live.scores(), scores);
    }
}
