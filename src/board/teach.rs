//! Teaching questions that need no search: levels, names, reasons and problems.

use super::place::Place;
use crate::problems::embedded;
use crate::teach::names::{Namer, Table, janggi_set_up};
use crate::teach::{Language, Teach, Teacher, sentence};
use sanban_engine::ladder::{self, FULL};
use sanban_rules::{Color, Position as _, Shogi, Variant as _, with_game};
use serde_json::{Value as Json, json};

/// The levels, the weakest first, each with its number and its names in English, Japanese and Korean.
pub(super) fn levels() -> Json {
    let names = |level| Language::ALL.map(|language| ladder::name(level, language.code()));
    let levels: Vec<Json> =
        (0..=FULL).map(|level| json!({ "level": level, "names": names(level) })).collect();
    json!({ "levels": levels })
}

/// The names in a game: for shogi, openings and castles with ply and side, in English and Japanese; for Janggi, the
/// set-ups, also in Korean.
pub(super) fn names(question: &Json) -> Result<Json, String> {
    let place = Place::read(question)?;
    let mut out = Vec::new();
    if place.game == Shogi::NAME {
        let mut namer = Namer::new(Table::built_in(), place.sfen).map_err(|error| error.to_string())?;
        let mut pos = Shogi::parse(place.sfen.unwrap_or(Shogi::START)).map_err(|error| error.to_string())?;
        for (ply, text) in place.moves.iter().enumerate() {
            let mv = pos.parse_usi(text).ok_or_else(|| format!("move {} is not legal", ply + 1))?;
            for found in namer.play(mv)? {
                let names = [&found.name.english, &found.name.japanese];
                out.push(json!({ "ply": ply + 1, "side": found.side.letter().to_string(), "names": names }));
            }
            pos.make(mv, &mut ());
        }
    } else if place.game.starts_with("janggi") {
        let start = with_game!(place.game, G => G::START).unwrap_or_default();
        for side in Color::ALL {
            if let Some(names) = janggi_set_up(place.sfen.unwrap_or(start), side) {
                out.push(json!({ "ply": 0, "side": side.letter().to_string(), "names": names }));
            }
        }
    }
    Ok(json!({ "names": out }))
}

/// What `move` does in a position, verified facts only, in English, Japanese and Korean.
pub(super) fn reasons(question: &Json) -> Result<Json, String> {
    let place = Place::read(question)?;
    let text = question["move"].as_str().ok_or("no move to explain")?;
    with_game!(place.game, G => why::<G>(&place, text)).ok_or("no such game")?
}

fn why<G: Teach>(place: &Place, text: &str) -> Result<Json, String> {
    let replay =
        |moves: &[&str]| G::replay(place.sfen, moves.iter().copied()).map_err(|error| error.to_string());
    let pos = replay(&place.moves)?;
    let previous = place.moves.split_last().map(|(_, moves)| replay(moves)).transpose()?;
    let mv = pos.parse_usi(text).ok_or("the move is not legal")?;
    let facts = Teacher::default().merits::<G>(&pos, previous.as_ref(), mv);
    let texts =
        facts.iter().map(|fact| Language::ALL.map(|language| sentence::<G>(&pos, mv, fact, language)));
    Ok(json!({ "reasons": texts.collect::<Vec<_>>() }))
}

/// The embedded problems.
pub(super) fn problems() -> Json {
    let problem = |problem: crate::problems::Problem| {
        let moves: Vec<String> =
            problem.line.iter().map(|&mv| sanban_rules::shogi::Position::usi(mv)).collect();
        json!({ "task": problem.task.word(), "grade": problem.grade, "sfen": problem.sfen, "moves": moves })
    };
    json!({ "problems": embedded().into_iter().map(problem).collect::<Vec<_>>() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_teacher_answers() {
        assert_eq!(levels()["levels"].as_array().map(Vec::len), Some(FULL + 1));
        let game = json!({ "game": "shogi", "moves": ["7g7f", "3c3d", "2h6h"] });
        let found = names(&game).expect("names");
        assert!(
            found["names"]
                .as_array()
                .is_some_and(|names| names.iter().any(|name| name["names"][1] == "四間飛車"))
        );
        let set_ups = names(&json!({ "game": "janggi", "moves": [] })).expect("names");
        assert_eq!(set_ups["names"][0]["names"][2], "안상차림");
        let fork = json!({ "game": "shogi", "sfen": "4k4/9/3g1g3/9/9/9/9/9/4K4 b N 1", "move": "N*5e", "moves": [] });
        let told = reasons(&fork).expect("reasons");
        assert!(told["reasons"].as_array().is_some_and(|reasons| {
            reasons.iter().any(|texts| texts[0].as_str().is_some_and(|text| text.starts_with("Fork")))
        }));
        assert!(reasons(&json!({ "game": "shogi", "move": "1a1b", "moves": [] })).is_err());
        assert!(problems()["problems"].as_array().is_some_and(|problems| !problems.is_empty()));
    }
}
