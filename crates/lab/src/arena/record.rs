//! A finished game as a line of JSON.

use sanban_rules::Score;
use sanban_system::checksum;
use serde::{Deserialize, Serialize};
use std::fmt;

/// One of the two engines of a pairing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Player {
    A,
    B,
}

impl Player {
    pub fn index(self) -> usize {
        self as usize
    }

    pub fn other(self) -> Self {
        if self == Self::A { Self::B } else { Self::A }
    }
}

/// How a game ended, for engine A.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    Loss,
    Draw,
    Win,
}

impl Outcome {
    pub fn won_by(player: Player) -> Self {
        if player == Player::A { Self::Win } else { Self::Loss }
    }

    pub fn half_points(self) -> usize {
        self as usize
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// Mate, or no legal move.
    NoMove,
    /// Another rule: repetition, perpetual check, a try, dead material.
    Rule,
    Declaration,
    Resignation,
    /// The scores of the engines or a solved table decided the game.
    Adjudication,
    MaxMoves,
    /// The loser's move was not legal, or it declared a win without being entitled to.
    IllegalMove,
    Time,
    /// The loser's process ended.
    Crash,
    /// The loser did not answer and was killed.
    Hang,
}

impl Reason {
    /// Returns whether the reason is a fault of the loser's program rather than of its play.
    pub fn is_fault(self) -> bool {
        matches!(self, Self::IllegalMove | Self::Time | Self::Crash | Self::Hang)
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoMove => "mate",
            Self::Rule => "rule",
            Self::Declaration => "declaration",
            Self::Resignation => "resignation",
            Self::Adjudication => "adjudication",
            Self::MaxMoves => "move limit",
            Self::IllegalMove => "an illegal move",
            Self::Time => "a timeout",
            Self::Crash => "a crash",
            Self::Hang => "a hang",
        })
    }
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Record {
    /// Number of the pair, from 0.
    pub pair: u64,
    /// Which player moves first.
    pub black: Player,
    pub result: Outcome,
    pub reason: Reason,
    /// The illegal move, if that was the reason.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// The opening, as the words after `position`.
    pub opening: String,
    /// The moves of the engines, in USI.
    pub moves: Vec<String>,
    /// Nodes searched by A and by B.
    pub nodes: [u64; 2],
    /// Milliseconds used by A and by B.
    pub time: [u64; 2],
    /// The engines of the pairing, from 0, in a match of more than two.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engines: Option<[usize; 2]>,
    /// The score of each move, for the side that made it; `None` if the engine reported none.
    #[serde(default)]
    pub scores: Vec<Option<Score>>,
    #[serde(default)]
    pub depths: Vec<u32>,
    /// The milliseconds of each move.
    #[serde(default)]
    pub times: Vec<u64>,
    #[serde(default)]
    pub move_nodes: Vec<u64>,
}

impl Record {
    /// A record without moves.
    pub fn new(pair: u64, engines: Option<[usize; 2]>, black: Player, opening: String) -> Self {
        Self {
            pair,
            black,
            result: Outcome::Draw,
            reason: Reason::Rule,
            detail: None,
            opening,
            moves: Vec::new(),
            nodes: [0; 2],
            time: [0; 2],
            engines,
            scores: Vec::new(),
            depths: Vec::new(),
            times: Vec::new(),
            move_nodes: Vec::new(),
        }
    }

    /// A hash of start position, moves and the players' sides. The length of the opening does not matter.
    fn fingerprint(&self) -> u64 {
        let (start, opening) = self.opening.split_once("moves").unwrap_or((&self.opening, ""));
        // A position without its move count is the same position.
        let start: Vec<&str> = start.split_whitespace().filter(|word| *word != "sfen").take(3).collect();
        let moves = opening.split_whitespace().chain(self.moves.iter().map(String::as_str));
        let text = format!("{:?} {start:?} {:?}", self.black, moves.collect::<Vec<_>>());
        checksum(text.as_bytes())
    }

    /// The player whose program lost the game by a fault.
    pub fn fault(&self) -> Option<Player> {
        let loser = if self.result == Outcome::Win { Player::B } else { Player::A };
        self.reason.is_fault().then_some(loser)
    }
}

/// The part of a finished game that the statistics need.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Played {
    /// Fingerprint of start position, moves and colours: equal for equal games.
    pub moves: u64,
    pub engines: [usize; 2],
    pub pair: u64,
    pub black: Player,
    pub result: Outcome,
    pub fault: Option<Player>,
    pub nodes: [u64; 2],
    pub time: [u64; 2],
}

impl From<&Record> for Played {
    fn from(record: &Record) -> Self {
        let &Record { pair, black, result, nodes, time, .. } = record;
        let engines = record.engines.unwrap_or([0, 1]);
        Self { moves: record.fingerprint(), engines, pair, black, result, fault: record.fault(), nodes, time }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_come_back() {
        let record = Record {
            result: Outcome::Win,
            reason: Reason::IllegalMove,
            detail: Some("7g7e".into()),
            moves: vec!["3c3d".into()],
            nodes: [10, 20],
            time: [1, 2],
            scores: vec![None],
            ..Record::new(3, Some([2, 4]), Player::B, "startpos moves 7g7f".into())
        };
        let line = serde_json::to_string(&record).expect("record is serialisable");
        let expected = r#"{"pair":3,"black":"b","result":"win","reason":"illegal-move","detail":"7g7e","#;
        assert!(line.starts_with(expected), "{line}");
        assert_eq!(serde_json::from_str::<Record>(&line).ok(), Some(record));
        // A file of an earlier version.
        let old = r#"{"pair":0,"black":"a","result":"draw","reason":"rule","opening":"startpos","moves":[],"nodes":[0,0],
            "time":[0,0]}"#;
        let begun = Record::new(0, None, Player::A, "startpos".into());
        assert_eq!(serde_json::from_str::<Record>(old).ok(), Some(begun));
    }

    #[test]
    fn equal_games_are_recognised() {
        let record = |black, opening: &str, moves: &[&str]| Record {
            result: Outcome::Win,
            reason: Reason::NoMove,
            moves: moves.iter().map(|mv| mv.to_string()).collect(),
            ..Record::new(3, None, black, opening.into())
        };
        let moves = |record: Record| Played::from(&record).moves;
        let game = moves(record(Player::A, "startpos moves 7g7f", &["3c3d", "2g2f"]));
        assert_eq!(game, moves(record(Player::A, "startpos moves 7g7f 3c3d", &["2g2f"])));
        assert_eq!(game, moves(record(Player::A, "startpos", &["7g7f", "3c3d", "2g2f"])));
        assert_ne!(game, moves(record(Player::B, "startpos", &["7g7f", "3c3d", "2g2f"])));
        assert_ne!(game, moves(record(Player::A, "startpos", &["7g7f", "3c3d"])));
        let sfen = |text: &str| moves(record(Player::A, text, &["1a1b"]));
        assert_eq!(sfen("sfen 4k4/9 b - 1"), sfen("4k4/9 b - 7"));
        assert_ne!(sfen("sfen 4k4/9 b - 1"), sfen("sfen 4k4/9 w - 1"));
    }

    #[test]
    fn points_are_those_of_the_first_engine() {
        let points = [Outcome::Loss, Outcome::Draw, Outcome::Win].map(Outcome::half_points);
        assert_eq!(points, [0, 1, 2]);
        assert_eq!(Outcome::won_by(Player::B), Outcome::Loss);
    }
}
