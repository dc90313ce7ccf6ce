//! Teaching questions that need no search: levels, names, reasons and problems.

use super::error::BoardError;
use super::question::{Attempt, Place};
use super::wire::texts;
use sanban_engine::ladder::FULL;
use sanban_rules::shogi;
use sanban_rules::{AnyPosition, Color, UsiMove, VariantId};
use sanban_study::problems::{Theme, embedded};
use sanban_study::teach::names::{Namer, Table, janggi_set_up};
use sanban_study::teach::{Language, Sentences, Teacher, level_name, sentence};
use serde::Serialize;

#[derive(Clone, Debug, Serialize)]
pub struct LevelName {
    /// The number of the level, from 0, the weakest.
    pub level: usize,
    /// The name in every language.
    pub names: Sentences,
}

/// The name of an opening or castle that a move completes, or of a Janggi set-up.
#[derive(Clone, Debug, Serialize)]
pub struct NamedMove {
    /// The ply of the move; 0 for a set-up.
    pub ply: usize,
    /// The side, `b` or `w`.
    pub side: char,
    /// The names in English and Japanese, and for Janggi also in Korean.
    pub names: Vec<String>,
}

#[derive(Clone, Debug, Serialize)]
pub struct ProblemText {
    pub task: &'static str,
    pub grade: u32,
    pub theme: Option<&'static str>,
    pub sfen: String,
    #[serde(serialize_with = "texts")]
    pub moves: Vec<UsiMove>,
}

pub(super) fn levels() -> Vec<LevelName> {
    let names = |level| Language::ALL.map(|language| level_name(level, language));
    (0..=FULL).map(|level| LevelName { level, names: names(level) }).collect()
}

/// The names in a game: for shogi, openings and castles; for Janggi, the set-ups.
pub(super) fn names(place: &Place) -> Result<Vec<NamedMove>, BoardError> {
    let mut out = Vec::new();
    let mut pos = place.start()?;
    if place.game == VariantId::Shogi {
        let mut namer = Namer::new(Table::built_in(), place.sfen.as_deref())?;
        for (n, text) in place.moves.iter().enumerate() {
            let ply = n + 1;
            let illegal = || BoardError::Move { text: text.clone(), ply };
            let mv = pos.parse_usi(text).ok_or_else(illegal)?;
            for found in namer.play(mv).map_err(|_| illegal())? {
                let names = vec![found.name.english.clone(), found.name.japanese.clone()];
                out.push(NamedMove { ply, side: found.side.letter(), names });
            }
            pos.play(mv);
        }
    } else if place.game.is_janggi() {
        let sfen = pos.sfen();
        for side in Color::ALL {
            if let Some(names) = janggi_set_up(&sfen, side) {
                let names = names.map(str::to_string).to_vec();
                out.push(NamedMove { ply: 0, side: side.letter(), names });
            }
        }
    }
    Ok(out)
}

/// Returns verified facts about a move, in every language.
pub(super) fn reasons(attempt: &Attempt) -> Result<Vec<Sentences>, BoardError> {
    let place = &attempt.place;
    let replay = |moves: &[String]| {
        AnyPosition::replay(place.game, place.sfen.as_deref(), moves.iter().map(String::as_str))
    };
    let pos = replay(&place.moves)?;
    let previous = place.moves.split_last().map(|(_, moves)| replay(moves)).transpose()?;
    let mv = pos.parse_usi(&attempt.text).ok_or_else(|| BoardError::Attempt(attempt.text.clone()))?;
    let facts = Teacher::default().merits(&pos, previous.as_ref(), mv);
    let texts = |fact| Language::ALL.map(|language| sentence(&pos, mv, fact, language));
    Ok(facts.iter().map(texts).collect())
}

pub(super) fn problems() -> Vec<ProblemText> {
    let problem = |problem: sanban_study::problems::Problem| ProblemText {
        task: problem.task.word(),
        grade: problem.grade,
        theme: problem.theme().map(Theme::word),
        moves: problem.line.iter().map(|&mv| shogi::Position::notation(mv)).collect(),
        sfen: problem.sfen,
    };
    embedded().into_iter().map(problem).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn place(game: VariantId, sfen: Option<&str>, moves: &[&str]) -> Place {
        let moves = moves.iter().map(|&mv| mv.into()).collect();
        Place { game, sfen: sfen.map(str::to_string), moves, rules: BTreeMap::new() }
    }

    #[test]
    fn a_teacher_answers() {
        assert_eq!(levels().len(), FULL + 1);
        let found = names(&place(VariantId::Shogi, None, &["7g7f", "3c3d", "2h6h"])).expect("names");
        assert!(found.iter().any(|found| found.names[1] == "四間飛車"));
        let set_ups = names(&place(VariantId::Janggi, None, &[])).expect("names");
        assert_eq!(set_ups[0].names[2], "안상차림");
        let sfen = "4k4/9/3g1g3/9/9/9/9/9/4K4 b N 1";
        let fork = Attempt { place: place(VariantId::Shogi, Some(sfen), &[]), text: "N*5e".into() };
        let told = reasons(&fork).expect("reasons");
        assert!(told.iter().any(|[english, ..]| english.starts_with("Fork")));
        let illegal = Attempt { place: place(VariantId::Shogi, None, &[]), text: "1a1b".into() };
        assert!(reasons(&illegal).is_err());
        assert!(!problems().is_empty());
    }
}
