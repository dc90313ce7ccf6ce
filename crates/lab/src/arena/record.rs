//! A finished game as a line of JSON.

use serde::{Deserialize, Serialize};
use std::fmt;

/// One of the two engines of a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Player {
    /// The first engine of the command line.
    A,
    /// The second.
    B,
}

impl Player {
    /// 0 for A, 1 for B.
    pub fn index(self) -> usize {
        self as usize
    }

    /// The other one.
    pub fn other(self) -> Self {
        if self == Self::A { Self::B } else { Self::A }
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if *self == Self::A { "engine A" } else { "engine B" })
    }
}

/// How a game ended, for engine A.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// A lost.
    Loss,
    /// Nobody won.
    Draw,
    /// A won.
    Win,
}

impl Outcome {
    /// The outcome when this player wins.
    pub fn won_by(player: Player) -> Self {
        if player == Player::A { Self::Win } else { Self::Loss }
    }

    /// Points of A, doubled.
    pub fn half_points(self) -> usize {
        self as usize
    }
}

/// Why a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// Mate, or no legal move.
    NoMove,
    /// Another rule: repetition, perpetual check, a try, dead material.
    Rule,
    /// A win was declared.
    Declaration,
    /// The loser resigned.
    Resignation,
    /// Both sides agreed for long enough on who wins.
    Adjudication,
    /// The game was too long.
    MaxMoves,
    /// The loser's move was not legal, or it declared a win that was none.
    IllegalMove,
    /// The loser's time was up.
    Time,
    /// The loser's process ended.
    Crash,
    /// The loser did not answer and was killed.
    Hang,
}

impl Reason {
    /// Is it a fault of the loser's program, and not of its play?
    pub fn is_fault(self) -> bool {
        matches!(self, Self::IllegalMove | Self::Time | Self::Crash | Self::Hang)
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoMove => "mate",
            Self::Rule => "a rule",
            Self::Declaration => "a declaration",
            Self::Resignation => "resignation",
            Self::Adjudication => "adjudication",
            Self::MaxMoves => "its length",
            Self::IllegalMove => "an illegal move",
            Self::Time => "time",
            Self::Crash => "a crash",
            Self::Hang => "a hang",
        })
    }
}

/// A finished game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Record {
    /// Number of its pair, from 0.
    pub pair: u64,
    /// Who had the first side.
    pub black: Player,
    /// How it ended for A.
    pub result: Outcome,
    /// Why it ended.
    pub reason: Reason,
    /// The words that were no legal move, where that was the reason.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// Where it began, as the words after `position`.
    pub opening: String,
    /// The moves of the engines, in USI.
    pub moves: Vec<String>,
    /// Nodes searched by A and by B.
    pub nodes: [u64; 2],
    /// Milliseconds used by A and by B.
    pub time: [u64; 2],
}

impl Record {
    /// Whose program lost the game by a fault.
    pub fn fault(&self) -> Option<Player> {
        let loser = if self.result == Outcome::Win { Player::B } else { Player::A };
        self.reason.is_fault().then_some(loser)
    }
}

/// What counts of a finished game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Played {
    /// Number of its pair.
    pub pair: u64,
    /// Who had the first side.
    pub black: Player,
    /// How it ended for A.
    pub result: Outcome,
    /// Whose program lost it by a fault.
    pub fault: Option<Player>,
    /// Nodes searched by A and by B.
    pub nodes: [u64; 2],
    /// Milliseconds used by A and by B.
    pub time: [u64; 2],
}

impl From<&Record> for Played {
    fn from(record: &Record) -> Self {
        let &Record { pair, black, result, nodes, time, .. } = record;
        Self { pair, black, result, fault: record.fault(), nodes, time }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_come_back() {
        let record = Record {
            pair: 3,
            black: Player::B,
            result: Outcome::Win,
            reason: Reason::IllegalMove,
            detail: Some("7g7e".into()),
            opening: "startpos moves 7g7f".into(),
            moves: vec!["3c3d".into()],
            nodes: [10, 20],
            time: [1, 2],
        };
        let line = serde_json::to_string(&record).expect("a record");
        let expected = r#"{"pair":3,"black":"b","result":"win","reason":"illegal-move","detail":"7g7e","#;
        assert!(line.starts_with(expected), "{line}");
        assert_eq!(serde_json::from_str::<Record>(&line).ok(), Some(record));
    }

    #[test]
    fn points_are_those_of_the_first_engine() {
        let points = [Outcome::Loss, Outcome::Draw, Outcome::Win].map(Outcome::half_points);
        assert_eq!(points, [0, 1, 2]);
        assert_eq!(Outcome::won_by(Player::B), Outcome::Loss);
    }
}
