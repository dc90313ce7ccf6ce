//! Questions that are answered immediately.

use super::place::Place;
use super::records;
use super::report::report;
use super::shown::{Shown, Why};
use super::teach;
use super::truth::Truth;
use sanban_rules::with_game;
use serde_json::{Value as Json, json};

/// The outcome of a question.
pub enum Asked {
    /// The answer.
    Answer(Json),
    /// The question needs a search: pass it to [`super::Engine::run`].
    Thought,
}

/// Answers a question, `{"ask": WORD, ...}`, if no search is needed. An invalid question is answered with `{"error":
/// SENTENCE}`.
///
/// - `view`: the position, its legal moves, and the moves that led to it.
/// - `why`: why `move` is not legal, as a keyword that the page explains.
/// - `truth`: every legal move of a solved game with its value.
/// - `read`: the game or position in a text or file.
/// - `write`: the game as text.
/// - `report`: the annotated game, from the analysis of its positions.
/// - `levels`, `problems`: the available levels and problems.
/// - `names`: the names of the game's openings and castles.
/// - `reasons`: what `move` does; verified facts only.
pub fn ask(question: &Json, truth: &Truth) -> Asked {
    let answer = match question["ask"].as_str() {
        Some("go" | "mate") => return Asked::Thought,
        Some("view") => view(question),
        Some("why") => why(question),
        Some("truth") => known(question, truth),
        Some("read") => records::read(question),
        Some("write") => records::write(question),
        Some("report") => report(question),
        Some("levels") => Ok(teach::levels()),
        Some("problems") => Ok(teach::problems()),
        Some("names") => teach::names(question),
        Some("reasons") => teach::reasons(question),
        _ => Err("not a question".into()),
    };
    Asked::Answer(answer.unwrap_or_else(|error: String| json!({ "error": error })))
}

fn view(question: &Json) -> Result<Json, String> {
    let place = Place::read(question)?;
    with_game!(place.game, G => Ok(place.course::<G>()?.view())).unwrap_or_else(|| unknown(place.game))
}

fn why(question: &Json) -> Result<Json, String> {
    let place = Place::read(question)?;
    let text = question["move"].as_str().ok_or("no move to explain")?;
    let word = with_game!(place.game, G => {
        let course = place.course::<G>()?;
        if course.is_over() {
            "over"
        } else if course.is_legal(text) {
            "legal"
        } else {
            text.parse().map_or(Why::Unreadable, |attempt| course.pos.refusal(attempt)).name()
        }
    });
    word.map_or_else(|| unknown(place.game), |word| Ok(json!({ "why": word })))
}

fn known(question: &Json, truth: &Truth) -> Result<Json, String> {
    let place = Place::read(question)?;
    let moves = with_game!(place.game, G => place.course::<G>()?.pos.truth(truth));
    moves.map_or_else(|| unknown(place.game), |moves| Ok(json!({ "truth": moves })))
}

fn unknown(game: &str) -> Result<Json, String> {
    Err(format!("no game is called {game:.20}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(question: Json) -> Json {
        match ask(&question, &Truth::default()) {
            Asked::Answer(answer) => answer,
            Asked::Thought => json!("thought"),
        }
    }

    fn reason(game: &str, sfen: &str, text: &str) -> String {
        let answer = answer(json!({ "ask": "why", "game": game, "sfen": sfen, "move": text }));
        answer["why"].as_str().map(str::to_string).unwrap_or_else(|| answer.to_string())
    }

    #[test]
    fn a_position_is_shown_with_its_moves() {
        let view = answer(json!({ "ask": "view", "game": "shogi", "moves": ["7g7f", "3c3d", "8h2b+"] }));
        assert_eq!((view["side"].as_str(), view["files"].as_u64()), (Some("w"), Some(9)));
        assert_eq!(view["board"]["2b"], "+B");
        assert_eq!(view["hands"]["b"]["B"], 1);
        assert_eq!(view["moves"][2]["captured"], "b");
        assert_eq!(view["moves"][2]["piece"], "B");
        assert!(view["legal"].as_array().is_some_and(|legal| legal.contains(&json!("3a2b"))));
        assert_eq!(view["over"], Json::Null);
    }

    #[test]
    fn the_end_of_a_game_has_a_reason() {
        let end = |game: &str, sfen: &str, moves: &[&str]| {
            let view = answer(json!({ "ask": "view", "game": game, "sfen": sfen, "moves": moves }));
            assert!(view["error"].is_null(), "{view}");
            (view["over"]["winner"].clone(), view["over"]["reason"].as_str().unwrap_or_default().to_string())
        };
        let mate = end("shogi", "4k4/9/4P4/9/9/9/9/9/4K4 b G 1", &["G*5b"]);
        assert_eq!(mate, (json!("b"), "mate".into()));
        let turn = ["5i5h", "5a5b", "5h5i", "5b5a"];
        let thrice: Vec<&str> = turn.iter().cycle().take(12).copied().collect();
        let sfen = "4k4/9/9/9/9/9/9/9/4K3R b - 1";
        assert_eq!(end("shogi", sfen, &thrice), (Json::Null, "repetition".into()));
        assert_eq!(end("shogi", sfen, &thrice[..8]).1, "");
        let passes = ["5i5i", "5b5b"];
        let start = sanban_rules::janggi::START;
        assert_eq!(end("janggicasual", start, &passes), (Json::Null, "passes".into()));
        assert_eq!(end("janggimodern", start, &passes), (json!("w"), "count".into()));
        let facing = "4k4/9/r8/9/9/9/R3P4/9/4K4/9 b - 1";
        assert_eq!(end("janggitraditional", facing, &["5g6g", "5a5a"]), (Json::Null, "facing".into()));
        assert_eq!(end("dobutsu", "1l1/1C1/3/1L1 b 2E2Gc 1", &["2b2a+"]), (json!("b"), "captured".into()));
        assert_eq!(end("dobutsu", "3/L2/2l/3 b 2E2G2C 1", &["3b3a"]), (json!("b"), "try".into()));
    }

    #[test]
    fn every_refusal_has_its_reason() {
        let shogi = sanban_rules::shogi::START;
        for (sfen, text, why) in [
            (shogi, "7g7f", "legal"),
            (shogi, "5e5d", "nothing-there"),
            (shogi, "3c3d", "not-yours"),
            (shogi, "P*5e", "not-in-hand"),
            (shogi, "9i9g", "own-piece"),
            (shogi, "2g2e", "geometry"),
            (shogi, "8h2b", "blocked"),
            (shogi, "2g2f+", "no-promotion"),
            (shogi, "zzzz", "unreadable"),
            (shogi, "hello", "unreadable"),
            ("4k4/9/9/9/9/9/4P4/9/4K4 b P 1", "P*5e", "two-pawns"),
            ("4k4/9/9/9/9/9/4P4/9/4K4 b P 1", "P*5g", "occupied"),
            ("4k4/9/9/9/9/9/9/9/4K4 b P 1", "P*1a", "no-way-on"),
            ("4k4/9/9/9/9/9/9/9/4K4 b N 1", "N*1b", "no-way-on"),
            ("4k4/P8/9/9/9/9/9/9/4K4 b - 1", "9b9a", "no-way-on"),
            ("3rkr3/9/4P4/9/9/9/9/9/K8 b P 1", "P*5b", "two-pawns"),
            ("3rkr3/9/3GG4/9/9/9/9/9/K8 b P 1", "P*5b", "pawn-mate"),
            ("4k4/9/9/9/4r4/9/9/9/4K4 b G 1", "G*1e", "in-check"),
            ("4k4/9/9/9/3r5/9/9/9/4K4 b - 1", "5i6i", "into-check"),
            ("4k4/9/9/9/4r4/9/4G4/9/4K4 b - 1", "5g6g", "exposes"),
        ] {
            assert_eq!(reason("shogi", sfen, text), why, "{sfen} {text}");
        }
        let janggi = sanban_rules::janggi::START;
        for (sfen, text, why) in [
            (janggi, "5i5h", "legal"),
            (janggi, "5i5i", "pass-not-needed"),
            (janggi, "8h8e", "screen"),
            (janggi, "8h8c", "screen"),
            (janggi, "9j9f", "blocked"),
            (janggi, "8j7h", "legal"),
            (janggi, "9g9h", "geometry"),
            (janggi, "P*5e", "unreadable"),
            ("4k4/9/1c6r/9/1P7/9/9/1C7/9/4K4 b - 1", "8h8c", "cannon-takes"),
            ("4k4/9/1r6r/9/1c7/9/9/1C7/9/4K4 b - 1", "8h8c", "cannon-jump"),
            ("4k4/9/r8/9/9/9/R8/4K4/9/9 b - 1", "5h5g", "palace"),
            ("3k5/9/9/9/4r4/9/9/R8/4K4/9 b - 1", "5i5i", "pass-in-check"),
        ] {
            assert_eq!(reason("janggi", sfen, text), why, "{sfen} {text}");
        }
        for (game, sfen, text, why) in [
            ("dobutsu", "1g1/1l1/3/L2 b 2EG2C 1", "3d3c", "legal"),
            ("dobutsu", "1g1/L1l/3/3 b 2EG2C 1", "3b3a", "rash-try"),
            ("dobutsumate", "1g1/1l1/3/L2 b 2EG2C 1", "3d3c", "into-check"),
            ("dobutsumate", "3/1l1/3/L2 b C2e2gc 1", "C*1a", "last-row"),
            ("dobutsu", "3/1l1/3/L2 b C2e2gc 1", "E*1a", "not-in-hand"),
        ] {
            assert_eq!(reason(game, sfen, text), why, "{sfen} {text}");
        }
    }

    #[test]
    fn nonsense_is_answered_with_a_sentence() {
        for question in [
            json!(null),
            json!({ "ask": "view" }),
            json!({ "ask": "view", "game": "chess" }),
            json!({ "ask": "view", "game": "shogi", "sfen": "9/9 b - 1" }),
            json!({ "ask": "view", "game": "shogi", "moves": [1] }),
            json!({ "ask": "view", "game": "shogi", "moves": ["7g7e"] }),
            json!({ "ask": "view", "game": "shogi", "moves": vec!["7g7f"; 100_000] }),
        ] {
            assert!(answer(question.clone())["error"].is_string(), "{question:.60}");
        }
    }
}
