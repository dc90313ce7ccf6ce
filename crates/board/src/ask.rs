//! Answers the questions that need no search.

use super::engine::{MAX_LINES, Search, Task};
use super::error::BoardError;
use super::game_view::{Why, refusal};
use super::question::{Attempt, Question};
use super::records::{Loaded, Written, load, write};
use super::report::{Report, report};
use super::teach::{self, LevelName, NamedMove, ProblemText};
use super::view::{Course, View};
use super::wire::text;
use sanban_engine::ladder::FULL;
use sanban_engine::solved::SolvedTables;
use sanban_engine::solved::Value;
use sanban_rules::AnyPosition;
use sanban_rules::UsiMove;
use sanban_study::teach::Sentences;
use serde::Serialize;

pub enum Asked {
    Answer(Answer),
    /// The question needs a search: pass it to [`super::BoardEngine::run`].
    Search(Box<Search>),
}

#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum Answer {
    View(Box<View>),
    /// Why a move is not legal.
    Why {
        /// A keyword for which the page has an explanation.
        why: &'static str,
    },
    /// The moves of a solved game.
    Truth {
        /// Every legal move with its value; `None` without a table of the game.
        truth: Option<Vec<SolvedMove>>,
    },
    Loaded(Box<Loaded>),
    Written(Written),
    Report(Box<Report>),
    Levels {
        /// The levels, the weakest first.
        levels: Vec<LevelName>,
    },
    Problems {
        /// The problems that are embedded in the binary.
        problems: Vec<ProblemText>,
    },
    Names {
        /// The names, in the order of the moves.
        names: Vec<NamedMove>,
    },
    Reasons {
        /// The reasons, each in every language.
        reasons: Vec<Sentences>,
    },
}

#[derive(Clone, Debug, Serialize)]
pub struct SolvedMove {
    #[serde(serialize_with = "text")]
    pub usi: UsiMove,
    /// `win`, `loss` or `draw` for the side that makes it.
    pub value: &'static str,
    /// Plies to the end of the game, unless it is a draw.
    pub plies: Option<u8>,
}

/// Answers a question, or returns the search that it needs.
pub fn ask(question: Question, tables: &SolvedTables) -> Result<Asked, BoardError> {
    let answer = match question {
        Question::Go(go) => {
            let task = Task::Move {
                level: go.level.map(|level| level.min(FULL as u64) as u32),
                lines: go.lines.map_or(1, |lines| lines.min(MAX_LINES as u64) as usize),
                limits: go.limits(),
            };
            return Ok(Asked::Search(Box::new(Search { pos: go.place.position()?, task })));
        }
        Question::Mate(mate) => {
            let task = Task::Mate { time: mate.movetime };
            return Ok(Asked::Search(Box::new(Search { pos: mate.place.position()?, task })));
        }
        Question::View(place) => Answer::View(Box::new(Course::play(&place)?.view())),
        Question::Why(attempt) => Answer::Why { why: why(&attempt)? },
        Question::Truth(place) => Answer::Truth { truth: solved_moves(&place.position()?, tables) },
        Question::Read(source) => Answer::Loaded(Box::new(load(&source)?)),
        Question::Write(export) => Answer::Written(write(&export)?),
        Question::Report(review) => Answer::Report(Box::new(report(&review, tables)?)),
        Question::Levels => Answer::Levels { levels: teach::levels() },
        Question::Problems => Answer::Problems { problems: teach::problems() },
        Question::Names(place) => Answer::Names { names: teach::names(&place)? },
        Question::Reasons(attempt) => Answer::Reasons { reasons: teach::reasons(&attempt)? },
    };
    Ok(Asked::Answer(answer))
}

fn why(attempt: &Attempt) -> Result<&'static str, BoardError> {
    let course = Course::play(&attempt.place)?;
    Ok(if course.is_over() {
        "over"
    } else if course.is_legal(&attempt.text) {
        "legal"
    } else {
        attempt.text.parse().map_or(Why::Unreadable, |attempt| refusal(&course.pos, attempt)).name()
    })
}

fn solved_moves(pos: &AnyPosition, tables: &SolvedTables) -> Option<Vec<SolvedMove>> {
    let moves = tables.moves(pos)?.into_iter().map(|(mv, after)| {
        let (value, plies) = match after.of_move() {
            Value::Win(plies) => ("win", Some(plies)),
            Value::Loss(plies) => ("loss", Some(plies)),
            Value::Draw => ("draw", None),
        };
        SolvedMove { usi: pos.notation(mv), value, plies }
    });
    Some(moves.collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::answer_json;
    use serde_json::{Value as Json, json};

    fn answer(question: Json) -> Json {
        let asked = Question::read(&question).and_then(|question| ask(question, &SolvedTables::default()));
        let answer = asked.map(|asked| match asked {
            Asked::Answer(answer) => answer,
            Asked::Search(_) => panic!("a search: {question}"),
        });
        answer_json(&Json::Null, &answer)
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
