//! The report of a whole game: the page's analysis of every position, combined in the same way as by `sanban analyze`.

use super::error::BoardError;
use super::question::{Review, Reviewed};
use super::records::game_record;
use super::view::Course;
use sanban_engine::solved::SolvedTables;
use sanban_rules::AnyPosition;
use sanban_rules::score::{mate_in, mated_in};
use sanban_rules::{Color, Move, Score};
use sanban_study::analysis;
use sanban_study::analysis::{Analysis, Candidate, Class, Judged, Remark, SideSummary, Solved, Summary};
use sanban_study::teach::Sentences;
use sanban_study::teach::facts::Fact;
use sanban_study::teach::names::Table;
use serde::Serialize;
use std::collections::BTreeMap;
use std::time::Duration;

#[derive(Clone, Debug, Serialize)]
pub struct Report {
    pub moves: Vec<JudgedMove>,
    pub sides: Sides,
    /// The indices of the moves that decided the game.
    pub moments: Vec<usize>,
    /// The report as a self-contained HTML page.
    pub page: String,
}

#[derive(Clone, Debug, Serialize)]
pub struct JudgedMove {
    /// The class of the move, in English.
    pub class: Option<&'static str>,
    /// Loss of winning probability in percentage points.
    pub loss: Option<f64>,
    /// Reasons and names.
    pub remark: Option<RemarkText>,
}

/// Reasons, each in every language, and names with their side, in English and Japanese.
#[derive(Clone, Debug, Serialize)]
pub struct RemarkText {
    reasons: Vec<Sentences>,
    /// The keyword of the first reason, and of the cause of its gain.
    fact: Option<&'static str>,
    cause: Option<&'static str>,
    better: Vec<Sentences>,
    names: Vec<(char, String, String)>,
}

#[derive(Clone, Debug, Serialize)]
pub struct Sides {
    /// The first player.
    pub b: SideReport,
    /// The second player.
    pub w: SideReport,
}

/// Statistics of one side's moves.
#[derive(Clone, Debug, Serialize)]
pub struct SideReport {
    pub moves: usize,
    /// Percentage of moves that were the best move.
    pub agreement: f64,
    /// Average loss of winning probability per move, in percentage points.
    pub loss: f64,
    /// Number of moves of each class.
    pub classes: BTreeMap<&'static str, usize>,
}

pub(super) fn report(review: &Review, tables: &SolvedTables) -> Result<Report, BoardError> {
    let Review { place, positions: found, players } = review;
    let end = Course::play(place)?;
    if found.len() != place.moves.len() + 1 {
        return Err(BoardError::Positions);
    }
    let mut pos = place.start()?;
    let mut positions = Vec::with_capacity(found.len());
    for (n, found) in found.iter().enumerate() {
        let candidate = match found {
            Some(found) => candidate(&mut pos, found),
            None if n == place.moves.len() => at_the_end(&end).ok_or(BoardError::Unsearched(n))?,
            None => return Err(BoardError::Unsearched(n)),
        };
        let played = place.moves.get(n).and_then(|text| pos.parse_usi(text));
        let solved = Solved::look_up(tables, &pos, played);
        positions.push(Judged {
            sfen: pos.sfen(),
            side: pos.side(),
            candidates: vec![candidate],
            played,
            solved,
        });
        if let Some(mv) = played {
            pos.play(mv);
        }
    }
    let mut analysis = Analysis { positions, cut: false, raised: vec![] };
    let record = game_record(place, players)?;
    let remarks = analysis::explain(&record, &analysis, Table::built_in(), None)?;
    analysis.raise(&remarks);
    let summary = Summary::new(&analysis, &[]);
    let page = analysis::html("", &record, &analysis, &summary, &remarks)?;
    let moves = (0..place.moves.len()).map(|n| JudgedMove {
        class: analysis.class(n).map(Class::english),
        loss: analysis.loss(n),
        remark: remarks.get(n).map(RemarkText::from),
    });
    let [b, w] = Color::ALL.map(|color| SideReport::from(summary.side(color)));
    let moments = analysis::moments(&analysis, &remarks);
    Ok(Report { moves: moves.collect(), sides: Sides { b, w }, moments, page })
}

impl From<&Remark> for RemarkText {
    fn from(remark: &Remark) -> Self {
        let texts =
            |reasons: &[analysis::Reason]| reasons.iter().map(|reason| reason.texts.clone()).collect();
        let names = remark
            .names
            .iter()
            .map(|(side, [english, japanese])| (side.letter(), english.clone(), japanese.clone()));
        let first = remark.reasons.first().map(|reason| &reason.fact);
        Self {
            reasons: texts(&remark.reasons),
            fact: first.map(Fact::word),
            cause: first.and_then(Fact::cause),
            better: texts(&remark.better),
            names: names.collect(),
        }
    }
}

impl From<&SideSummary> for SideReport {
    fn from(side: &SideSummary) -> Self {
        let classes = Class::ALL.iter().map(|&class| (class.english(), side.classes[class as usize]));
        let (agreement, loss) = (side.agreement(), side.average_loss());
        Self { moves: side.moves, agreement, loss, classes: classes.collect() }
    }
}

/// Converts the line that the engine found.
fn candidate(pos: &mut AnyPosition, found: &Reviewed) -> Candidate {
    Candidate {
        score: found.score.map_or(0, Score::from),
        depth: found.depth,
        seldepth: found.depth,
        nodes: found.nodes,
        time: found.time.unwrap_or_default(),
        pv: line(pos, &found.pv),
    }
}

/// The moves of a line up to the first illegal one; the position is restored.
fn line(pos: &mut AnyPosition, texts: &[String]) -> Vec<Move> {
    let mut out = Vec::new();
    for text in texts {
        let Some(mv) = pos.parse_usi(text).filter(|&mv| pos.is_legal(mv)) else { break };
        pos.play(mv);
        out.push(mv);
    }
    out.iter().for_each(|_| pos.undo());
    out
}

/// The score of a finished game for the side to move; `None` if the game is not over.
fn at_the_end(course: &Course) -> Option<Candidate> {
    let score = match course.end()?.winner {
        None => 0,
        Some(winner) if winner == course.pos.side() => mate_in(0),
        Some(_) => mated_in(0),
    };
    Some(Candidate { score, depth: 0, seldepth: 0, nodes: 0, time: Duration::ZERO, pv: vec![] })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::question::Question;
    use serde_json::{Value as Json, json};

    fn report(question: &Json) -> Result<Json, BoardError> {
        let mut question = question.clone();
        question["ask"] = json!("report");
        let Question::Report(review) = Question::read(&question)? else { panic!("no review") };
        Ok(serde_json::to_value(super::report(&review, &SolvedTables::default())?)?)
    }

    fn found(cp: i32, pv: &str) -> Json {
        json!({ "score": { "cp": cp }, "depth": 9, "pv": pv.split(' ').collect::<Vec<_>>() })
    }

    #[test]
    fn moves_are_judged_by_what_they_lose() {
        let question = json!({
            "game": "shogi", "moves": ["7g7f", "4a3b", "8h2b+"], "players": { "b": "Nobody <b>" },
            "positions": [
                found(50, "7g7f 3c3d"), found(-40, "3c3d"), found(1500, "8h2b+"),
                json!({ "score": { "mate": -4 }, "pv": ["3a2b", "not a move"] }),
            ],
        });
        // The diagonal is still closed after the second move, so the third is illegal.
        assert!(report(&question).is_err_and(|error| error.to_string().contains("ply 3")));
        let mut question = question;
        question["moves"][1] = json!("3c3d");
        let report = report(&question).expect("a report");
        let classes: Vec<&str> =
            report["moves"].as_array().into_iter().flatten().filter_map(|mv| mv["class"].as_str()).collect();
        assert_eq!(classes, ["best", "best", "best"]);
        assert_eq!(report["sides"]["b"]["moves"], 2);
        let page = report["page"].as_str().expect("a page");
        assert!(page.contains("Nobody &lt;b&gt;"));
    }

    #[test]
    fn the_end_of_the_game_is_worth_its_result() {
        let sfen = "4k4/9/4P4/9/9/9/9/9/4K4 b 2G 1";
        let judged = |mv: &str, last: Json| {
            let positions = json!([{ "score": { "mate": 1 }, "pv": ["G*5b"] }, last]);
            report(&json!({ "game": "shogi", "sfen": sfen, "moves": [mv], "positions": positions }))
        };
        let mate = judged("G*5b", Json::Null).expect("a report");
        assert_eq!((&mate["moves"][0]["class"], &mate["moves"][0]["loss"]), (&json!("best"), &json!(0.0)));
        let missed = judged("G*1b", found(-300, "5a4a")).expect("a report");
        assert_eq!(missed["moves"][0]["class"], "mistake");
        assert_eq!(
            (&missed["moves"][0]["remark"]["fact"], &missed["moments"]),
            (&json!("missed"), &json!([0]))
        );
        assert_eq!(missed["sides"]["b"]["classes"]["mistake"], 1);
        assert!(judged("G*1b", Json::Null).is_err_and(|error| error.to_string().contains("after 1 moves")));
    }

    #[test]
    fn every_game_has_a_report() {
        for (game, mv, reply) in [("dobutsu", "2c2b", "1a2b"), ("janggicasual", "5i5i", "5b5b")] {
            let positions = json!([found(0, mv), found(10, reply)]);
            let question = json!({ "game": game, "moves": [mv], "positions": positions });
            let report = report(&question).expect("a report");
            assert_eq!(report["sides"]["b"]["agreement"], 100.0, "{game}");
            assert!(
                report["page"].as_str().is_some_and(|page| page.starts_with("<!DOCTYPE html>")),
                "{game}"
            );
        }
    }
}
