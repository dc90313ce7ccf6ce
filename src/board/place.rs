//! The position that a question is about.

use super::shown::Shown;
use super::view::Course;
use sanban_engine::Game;
use sanban_rules::{Rules as _, VariantId};
use serde_json::Value as Json;

/// A position of a game, as every question names it: `game`, `sfen` (missing: the start position), `moves`,
/// and `rules` (an object of USI options, `{"EnteringKingRule": "CSARule24"}`).
pub(super) struct Place<'a> {
    /// The name of the game.
    pub game: &'a str,
    /// The position before the first move.
    pub sfen: Option<&'a str>,
    /// The moves from that position.
    pub moves: Vec<&'a str>,
    /// Rule settings that differ from the game's defaults, by their USI names.
    pub rules: Vec<(&'a str, &'a str)>,
}

impl<'a> Place<'a> {
    /// Reads the fields of a question.
    pub fn read(question: &'a Json) -> Result<Self, String> {
        let game = question["game"].as_str().ok_or("a question names its game")?;
        if !VariantId::NAMES.contains(&game) {
            return Err(format!("no game is called {game:.20}"));
        }
        let moves = question["moves"].as_array().map(Vec::as_slice).unwrap_or_default();
        let moves: Option<Vec<&str>> = moves.iter().map(Json::as_str).collect();
        let rules = question["rules"].as_object().into_iter().flatten();
        let rules = rules.map(|(name, value)| Some((name.as_str(), value.as_str()?))).collect::<Option<_>>();
        Ok(Self {
            game,
            sfen: question["sfen"].as_str(),
            moves: moves.ok_or("a move is a text")?,
            rules: rules.ok_or("a rule setting is a text")?,
        })
    }

    /// Plays the moves.
    pub fn course<G: Game>(&self) -> Result<Course<G::Position>, String>
    where
        G::Position: Shown,
    {
        let mut rules = G::rules();
        for (name, value) in &self.rules {
            if rules.set(name, value).is_err() {
                return Err(format!("no rule setting {name:.30} = {value:.30}"));
            }
        }
        Course::play::<G>(self.sfen, &self.moves, &rules)
    }
}
