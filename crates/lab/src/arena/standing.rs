//! The standing of two engines: the finished games that count, and their statistics.
//!
//! A game that is equal to an earlier one carries no new information. A pair with such a game does not count.

use super::record::Played;
use super::stats::{Decision, Pentanomial, Sprt};
use std::collections::{BTreeMap, HashSet};

/// The standing of two engines. Only pairs with both games finished count.
#[derive(Clone, Debug, Default)]
pub struct Standing {
    /// Wins, draws and losses of A.
    pub games: [u64; 3],
    /// Number of pairs that do not count because one of their games repeats an earlier one.
    pub repeated: u64,
    /// The number of such pairs since the last one that counts.
    pub repeated_in_a_row: u64,
    /// Games lost through a fault of the program, by A and by B.
    pub faults: [u64; 2],
    /// Nodes searched by A and by B.
    pub nodes: [u64; 2],
    /// Milliseconds used by A and by B.
    pub time: [u64; 2],
    pub pairs: Pentanomial,
    pub decision: Option<Decision>,
    /// Finished games that do not count yet, by the number of their pair.
    waiting: BTreeMap<u64, Vec<Played>>,
    /// Fingerprints of the games of earlier pairs.
    seen: HashSet<u64>,
}

impl Standing {
    /// Adds a finished game of a shard that has every `step`-th pair. Pairs are counted in order, so the order in which
    /// games finish does not matter. Once the test is decided, no further games count.
    pub fn add(&mut self, game: Played, step: u64, sprt: Option<Sprt>) {
        if self.decision.is_some() {
            return;
        }
        self.waiting.entry(game.pair / step.max(1)).or_default().push(game);
        while self.decision.is_none()
            && let Some(first) = self.waiting.first_entry()
            && *first.key() == self.pairs.pairs() + self.repeated
            && first.get().len() >= 2
        {
            let games = first.remove();
            self.count(&games);
            self.decision = sprt.and_then(|sprt| sprt.decision(&self.pairs));
        }
    }

    /// The standing of games that may come from several shards of a match: every complete pair counts, a duplicate game
    /// counts once, and the test is evaluated at the end.
    pub fn tally(games: impl IntoIterator<Item = Played>, sprt: Option<Sprt>) -> Self {
        let mut pairs: BTreeMap<u64, Vec<Played>> = BTreeMap::new();
        for game in games {
            let pair = pairs.entry(game.pair).or_default();
            if pair.iter().all(|other| other.black != game.black) {
                pair.push(game);
            }
        }
        let mut standing = Self::default();
        pairs.values().filter(|pair| pair.len() == 2).for_each(|pair| standing.count(pair));
        standing.decision = sprt.and_then(|sprt| sprt.decision(&standing.pairs));
        standing
    }

    /// Number of finished pairs before the first unfinished one.
    pub fn finished(&self) -> u64 {
        self.pairs.pairs() + self.repeated
    }

    /// Counts the games of a pair, unless one of them was played before.
    fn count(&mut self, pair: &[Played]) {
        if pair.iter().any(|game| self.seen.contains(&game.moves)) {
            self.repeated += 1;
            self.repeated_in_a_row += 1;
            return;
        }
        self.repeated_in_a_row = 0;
        self.seen.extend(pair.iter().map(|game| game.moves));
        self.pairs.add(pair.iter().map(|game| game.result.half_points()).sum());
        for game in pair {
            self.games[2 - game.result.half_points()] += 1;
            if let Some(player) = game.fault {
                self.faults[player.index()] += 1;
            }
            for player in 0..2 {
                self.nodes[player] += game.nodes[player];
                self.time[player] += game.time[player];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::record::{Outcome, Player};
    use super::*;

    fn game(pair: u64, black: Player, result: Outcome) -> Played {
        let fault = (result == Outcome::Loss).then_some(Player::A);
        let moves = 2 * pair + u64::from(black == Player::B);
        Played { moves, engines: [0, 1], pair, black, result, fault, nodes: [3, 5], time: [7, 11] }
    }

    /// Two wins of A for each of these pairs.
    fn games(pairs: &[u64]) -> Vec<Played> {
        let both = |&pair| [Player::A, Player::B].map(|black| game(pair, black, Outcome::Win));
        pairs.iter().flat_map(both).collect()
    }

    #[test]
    fn pairs_count_in_their_order() {
        let mut standing = Standing::default();
        let mut add = |game| {
            standing.add(game, 2, None);
            standing.pairs.0
        };
        // Shard 1 of 2: pairs 1, 3, 5 ...
        assert_eq!(add(game(3, Player::A, Outcome::Win)), [0; 5]);
        assert_eq!(add(game(3, Player::B, Outcome::Draw)), [0; 5]);
        assert_eq!(add(game(1, Player::B, Outcome::Loss)), [0; 5]);
        assert_eq!(add(game(1, Player::A, Outcome::Loss)), [1, 0, 0, 1, 0]);
        assert_eq!(standing.games, [1, 1, 2]);
        assert_eq!(standing.faults, [2, 0]);
        assert_eq!((standing.nodes, standing.time), ([12, 20], [28, 44]));
    }

    #[test]
    fn the_order_of_the_games_does_not_change_what_is_decided() {
        let sprt = Some(Sprt { elo0: 0.0, elo1: 100.0 });
        let mut games: Vec<Played> = (0..300)
            .flat_map(|pair| {
                let second = if pair % 3 == 0 { Outcome::Loss } else { Outcome::Draw };
                [game(pair, Player::A, Outcome::Win), game(pair, Player::B, second)]
            })
            .collect();
        let stand = |games: &[Played]| {
            let mut standing = Standing::default();
            games.iter().for_each(|game| standing.add(*game, 1, sprt));
            (standing.pairs, standing.decision)
        };
        let expected = stand(&games);
        assert_eq!(expected.1, Some(Decision::H1));
        assert!(expected.0.pairs() < 300);
        games.chunks_mut(8).for_each(<[_]>::reverse);
        assert_eq!(stand(&games), expected);
    }

    #[test]
    fn equal_games_count_once() {
        let mut standing = Standing::default();
        for pair in 0..5 {
            for mut game in games(&[pair]) {
                // Pairs 0, 1 and 4 are new, 2 repeats both games of 0, 3 repeats one game of 1.
                game.moves = match (pair, game.black) {
                    (2, _) => game.moves - 4,
                    (3, Player::A) => 2,
                    _ => game.moves,
                };
                standing.add(game, 1, None);
            }
            let repeated = [(1, 0, 0), (2, 0, 0), (2, 1, 1), (2, 2, 2), (3, 2, 0)][pair as usize];
            assert_eq!((standing.pairs.pairs(), standing.repeated, standing.repeated_in_a_row), repeated);
        }
        assert_eq!((standing.games, standing.finished()), ([6, 0, 0], 5));
    }

    #[test]
    fn parts_are_put_together() {
        let mut all = games(&[4, 0, 9]);
        all.extend(games(&[4]));
        all.push(game(7, Player::A, Outcome::Win));
        assert_eq!(Standing::tally(all, None).pairs.0, [0, 0, 0, 0, 3]);
        let sprt = Some(Sprt { elo0: 0.0, elo1: 400.0 });
        let many: Vec<u64> = (0..100).collect();
        assert_eq!(Standing::tally(games(&many), sprt).decision, Some(Decision::H1));
    }
}
