//! The schedule of games.

use super::record::Player;
use sanban_system::Part;
use std::collections::HashSet;
use std::fmt;
use std::str::FromStr;

/// The format of a tournament.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Format {
    #[default]
    RoundRobin,
    /// The first engine plays all others.
    Gauntlet,
}

impl Format {
    pub const NAMES: [&'static str; 2] = ["round-robin", "gauntlet"];
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(Self::NAMES[*self as usize])
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("expected {}", Format::NAMES.join(" or "))]
pub struct UnknownFormat;

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(text: &str) -> Result<Self, UnknownFormat> {
        match text {
            "round-robin" => Ok(Self::RoundRobin),
            "gauntlet" => Ok(Self::Gauntlet),
            _ => Err(UnknownFormat),
        }
    }
}

/// The pairings of engines, by their numbers from 0.
pub fn pairings(format: Format, engines: usize) -> Vec<[usize; 2]> {
    let firsts = match format {
        Format::RoundRobin => 0..engines,
        Format::Gauntlet => 0..engines.min(1),
    };
    firsts.flat_map(|a| (a + 1..engines).map(move |b| [a, b])).collect()
}

/// A game to play: the pairing, the number of its pair of games, and the player with the first side.
pub type Slot = ([usize; 2], u64, Player);

/// The games that are still to be played, in order. In each round every pairing plays a pair of games.
pub struct Queue {
    next: u64,
    rounds: u64,
    pairings: Vec<[usize; 2]>,
    part: Part,
    /// Games of earlier runs.
    done: HashSet<Slot>,
}

impl Queue {
    pub fn new(pairings: Vec<[usize; 2]>, rounds: u64, part: Part, done: HashSet<Slot>) -> Self {
        Self { next: 0, rounds, pairings, part, done }
    }
}

impl Iterator for Queue {
    type Item = Slot;

    fn next(&mut self) -> Option<Slot> {
        loop {
            let black = if self.next.is_multiple_of(2) { Player::A } else { Player::B };
            let pair = self.next / 2;
            let at = pair.checked_rem(self.pairings.len() as u64)?;
            let round = self.part.piece(pair / self.pairings.len() as u64)?;
            if round >= self.rounds {
                return None;
            }
            self.next += 1;
            let slot = (self.pairings[at as usize], round, black);
            if !self.done.remove(&slot) {
                return Some(slot);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_meets_everybody_or_the_first() {
        assert_eq!(pairings(Format::RoundRobin, 3), [[0, 1], [0, 2], [1, 2]]);
        assert_eq!(pairings(Format::Gauntlet, 3), [[0, 1], [0, 2]]);
        assert_eq!(pairings(Format::Gauntlet, 2), pairings(Format::RoundRobin, 2));
        assert_eq!(pairings(Format::RoundRobin, 5).len(), 10);
    }

    #[test]
    fn shards_share_the_rounds() {
        let all = |part: &str, done: &[Slot]| {
            let part = part.parse().expect("valid shard");
            let done = done.iter().copied().collect();
            Queue::new(pairings(Format::RoundRobin, 3), 3, part, done).collect::<Vec<Slot>>()
        };
        let whole = all("0/1", &[]);
        assert_eq!(whole.len(), 18);
        assert_eq!(whole[0], ([0, 1], 0, Player::A));
        assert_eq!(whole[3], ([0, 2], 0, Player::B));
        let shards: HashSet<Slot> = all("0/2", &[]).into_iter().chain(all("1/2", &[])).collect();
        assert_eq!(shards, whole.iter().copied().collect());
        assert_eq!(all("0/1", &whole[..5]), whole[5..]);
        assert_eq!(all("0/1", &[whole[17]]).len(), 17);
    }
}
