//! The position that a question is about.

use super::shown::Shown;
use super::view::Course;
use sanban_engine::Game;
use sanban_rules::VariantId;
use serde_json::Value as Json;

/// A position of a game, as every question names it: `game`, `sfen` (missing: the start position) and `moves`.
pub(super) struct Place<'a> {
    /// The name of the game.
    pub game: &'a str,
    /// The position that the moves start from.
    pub sfen: Option<&'a str>,
    /// The moves from there.
    pub moves: Vec<&'a str>,
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
        Ok(Self { game, sfen: question["sfen"].as_str(), moves: moves.ok_or("a move is a text")? })
    }

    /// Plays the moves.
    pub fn course<G: Game>(&self) -> Result<Course<G::Position>, String>
    where
        G::Position: Shown,
    {
        Course::play::<G>(self.sfen, &self.moves)
    }
}
