//! The questions that the page asks.

use super::error::BoardError;
use super::tree::Study;
use super::wire::{WireScore, parse, parse_optional, read_count, read_millis};
use sanban_engine::search::{Clock, Limits};
use sanban_rules::AnyPosition;
use sanban_rules::VariantId;
use serde::Deserialize;
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::time::Duration;

/// Maximum length of a game, in moves.
pub(super) const LONGEST_GAME: usize = 5_000;

/// A question, `{"ask": WORD, ...}`.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "ask", rename_all = "lowercase")]
#[non_exhaustive]
pub enum Question {
    /// A position, its legal moves, and the moves that led to it.
    View(Place),
    /// Why a move is not legal, as a keyword for which the page has an explanation.
    Why(Attempt),
    /// Every legal move of a solved game with its value.
    Truth(Place),
    /// The game or position in pasted text or a file.
    Read(Source),
    /// A game as text.
    Write(Export),
    /// The annotated game, from the analysis of its positions.
    Report(Review),
    /// The available levels.
    Levels,
    /// The available problems.
    Problems,
    /// The names of the game's openings and castles.
    Names(Place),
    /// What a move does; verified facts only.
    Reasons(Attempt),
    /// The next move; lines are reported as they are found.
    Go(Go),
    /// A mate, found with checks only.
    Mate(MateQuestion),
}

impl Question {
    /// Reads a question.
    pub fn read(json: &Json) -> Result<Self, BoardError> {
        Ok(Self::deserialize(json)?)
    }
}

/// A position of a game, as given in a question.
#[derive(Clone, Debug, Deserialize)]
pub struct Place {
    #[serde(deserialize_with = "parse")]
    pub game: VariantId,
    /// The position before the first move; missing: the start position.
    pub sfen: Option<String>,
    /// The moves from that position.
    #[serde(default)]
    pub moves: Vec<String>,
    /// Rule settings that differ from the game's defaults, by their USI names: `{"EnteringKingRule": "CSARule24"}`.
    #[serde(default)]
    pub rules: BTreeMap<String, String>,
}

impl Place {
    /// The position before the first move.
    pub fn start(&self) -> Result<AnyPosition, BoardError> {
        if self.moves.len() > LONGEST_GAME {
            return Err(BoardError::LongGame(LONGEST_GAME));
        }
        let mut pos = match &self.sfen {
            Some(sfen) => AnyPosition::parse(self.game, sfen)?,
            None => AnyPosition::new(self.game),
        };
        for (name, value) in &self.rules {
            pos.set_rule(name, value)
                .map_err(|_| BoardError::Rule { name: name.clone(), value: value.clone() })?;
        }
        Ok(pos)
    }

    /// The position after the moves.
    pub fn position(&self) -> Result<AnyPosition, BoardError> {
        let mut pos = self.start()?;
        for (n, text) in self.moves.iter().enumerate() {
            let illegal = || BoardError::Move { text: text.clone(), ply: n + 1 };
            pos.play(pos.parse_usi(text).ok_or_else(illegal)?);
        }
        Ok(pos)
    }
}

/// A move in a position, legal or not.
#[derive(Clone, Debug, Deserialize)]
pub struct Attempt {
    #[serde(flatten)]
    pub place: Place,
    #[serde(rename = "move")]
    pub text: String,
}

/// Pasted text, or the bytes of a file.
#[derive(Clone, Debug, Deserialize)]
pub struct Source {
    pub text: Option<String>,
    /// The bytes, as one character per byte.
    pub bytes: Option<String>,
    /// The game that the page shows.
    #[serde(default, deserialize_with = "parse_optional")]
    pub game: Option<VariantId>,
    /// The index of the game to read, if there are several.
    #[serde(default)]
    pub index: usize,
}

#[derive(Clone, Debug, Default, Deserialize)]
pub struct Players {
    /// The first player.
    pub b: Option<String>,
    /// The second player.
    pub w: Option<String>,
}

#[derive(Clone, Debug, Deserialize)]
pub struct Export {
    /// The start position and the moves; the moves are ignored if there is a `record`.
    #[serde(flatten)]
    pub place: Place,
    pub format: String,
    pub record: Option<Study>,
    /// The players; ignored if there is a `record`.
    #[serde(default)]
    pub players: Players,
}

/// A game with the results of its analysis.
#[derive(Clone, Debug, Deserialize)]
pub struct Review {
    #[serde(flatten)]
    pub place: Place,
    /// The result of each position from the first to the last; `None` where the game is over.
    #[serde(default)]
    pub positions: Vec<Option<Reviewed>>,
    #[serde(default)]
    pub players: Players,
}

/// The analysis of a position, as the engine reported it.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Reviewed {
    /// The score for the side to move.
    pub score: Option<WireScore>,
    /// Iteration depth in plies.
    pub depth: u32,
    pub nodes: u64,
    /// Time of the search.
    #[serde(deserialize_with = "read_millis")]
    pub time: Option<Duration>,
    /// The best line.
    pub pv: Vec<String>,
}

/// A search for the next move. Without any limit it takes one second.
#[derive(Clone, Debug, Deserialize)]
pub struct Go {
    #[serde(flatten)]
    pub place: Place,
    /// Playing strength, from 0 (a beginner) to 20; missing: full strength.
    #[serde(default, deserialize_with = "read_count")]
    pub level: Option<u64>,
    /// Number of best lines.
    #[serde(default, deserialize_with = "read_count")]
    pub lines: Option<u64>,
    /// Time for this move.
    #[serde(default, deserialize_with = "read_millis")]
    pub movetime: Option<Duration>,
    /// Maximum iteration depth in plies.
    #[serde(default, deserialize_with = "read_count")]
    pub depth: Option<u64>,
    #[serde(default, deserialize_with = "read_count")]
    pub nodes: Option<u64>,
    /// Search until stopped.
    #[serde(default)]
    pub infinite: bool,
    pub clock: Option<GameClock>,
}

/// The game clock, with times in milliseconds.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct GameClock {
    #[serde(deserialize_with = "read_millis")]
    b: Option<Duration>,
    #[serde(deserialize_with = "read_millis")]
    w: Option<Duration>,
    #[serde(deserialize_with = "read_millis")]
    increment: Option<Duration>,
    #[serde(deserialize_with = "read_millis")]
    byoyomi: Option<Duration>,
}

impl From<&GameClock> for Clock {
    fn from(clock: &GameClock) -> Self {
        Self {
            time: [clock.b, clock.w].map(Option::unwrap_or_default),
            increment: [clock.increment.unwrap_or_default(); 2],
            byoyomi: clock.byoyomi.unwrap_or_default(),
            moves_to_go: None,
        }
    }
}

impl Go {
    pub(super) fn limits(&self) -> Limits {
        let mut limits = Limits {
            depth: self.depth.map(|depth| depth.clamp(1, 100) as u32),
            nodes: self.nodes,
            move_time: self.movetime,
            clock: self.clock.as_ref().map(Clock::from),
            infinite: self.infinite,
            ..Limits::default()
        };
        let unlimited = limits.depth.is_none() && limits.nodes.is_none() && limits.clock.is_none();
        if unlimited && limits.move_time.is_none() && !limits.infinite {
            limits.move_time = Some(Duration::from_secs(1));
        }
        limits
    }
}

#[derive(Clone, Debug, Deserialize)]
pub struct MateQuestion {
    #[serde(flatten)]
    pub place: Place,
    /// Time limit.
    #[serde(default, deserialize_with = "read_millis")]
    pub movetime: Option<Duration>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn limits_may_have_fractions() {
        let us = |n| Duration::from_micros(n);
        let clock = json!({ "b": 200.5, "w": "?", "increment": 1.5, "byoyomi": 1e2 });
        let question = json!({
            "ask": "go", "game": "shogi", "movetime": 50.5, "nodes": 2e3, "depth": 5.0, "clock": clock,
        });
        let Ok(Question::Go(go)) = Question::read(&question) else { panic!("not read") };
        let read = go.limits();
        assert_eq!((read.move_time, read.nodes, read.depth), (Some(us(50_500)), Some(2000), Some(5)));
        let clock = read.clock.expect("a clock");
        assert_eq!((clock.time, clock.byoyomi), ([us(200_500), us(0)], us(100_000)));
        assert_eq!(clock.increment, [us(1_500); 2]);
    }
}
