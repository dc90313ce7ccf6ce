//! The report of a whole game: the page's analysis of every position, combined as `sanban analyze` does.

use super::place::Place;
use super::records::record;
use super::shown::Shown;
use super::view::Course;
use crate::analysis;
use crate::analysis::{Analysis, Candidate, Class, Judged, Remark, SideSummary, Summary};
use crate::teach::Teach;
use crate::teach::names::Table;
use sanban_rules::score::{mate_in, mated_in};
use sanban_rules::{Move, Position as _, Score, with_game};
use serde_json::{Value as Json, json};
use std::time::Duration;

/// Evaluates a game. `positions` has the result of each position from the first to the last: `score`, `depth`, `nodes`,
/// `time` and `pv` as the engine reported them, or `null` where the game is over.
pub(super) fn report(question: &Json) -> Result<Json, String> {
    let place = Place::read(question)?;
    with_game!(place.game, G => judge::<G>(&place, question)).ok_or("no such game")?
}

fn judge<G: Teach>(place: &Place, question: &Json) -> Result<Json, String>
where
    G::Position: Shown,
{
    let end = place.course::<G>()?;
    let found = question["positions"].as_array().map(Vec::as_slice).unwrap_or_default();
    if found.len() != place.moves.len() + 1 {
        return Err("a report needs every position of the game".into());
    }
    let mut pos = G::parse(place.sfen.unwrap_or(G::START)).map_err(|error| error.to_string())?;
    let mut positions = Vec::with_capacity(found.len());
    for (n, found) in found.iter().enumerate() {
        let candidate = match found {
            Json::Null if n == place.moves.len() && end.is_over() => at_the_end(&end),
            Json::Null => return Err(format!("nothing was found about the position after {n} moves")),
            found => candidate(&mut pos, found),
        };
        let played = place.moves.get(n).and_then(|text| pos.parse_usi(text));
        positions.push(Judged { sfen: pos.sfen(), side: pos.side(), candidates: vec![candidate], played });
        if let Some(mv) = played {
            pos.make(mv, &mut ());
        }
    }
    let analysis = Analysis { positions, cut: false };
    let summary = Summary::new(&analysis, &[]);
    let record = record::<G>(place, &question["players"])?;
    let remarks = analysis::explain::<G>(&record, &analysis, Table::built_in());
    let remarks = remarks.map_err(|error| error.to_string())?;
    let page = analysis::html::<G>("", &record, &analysis, &summary, &remarks);
    let page = page.map_err(|error| error.to_string())?;
    let moves: Vec<Json> = (0..place.moves.len())
        .map(|n| {
            let class = analysis.class(n).map(Class::english);
            let remark = remarks.get(n).map_or(Json::Null, told);
            json!({ "class": class, "loss": analysis.loss(n), "remark": remark })
        })
        .collect();
    let [black, white] = summary.0.each_ref().map(side);
    Ok(json!({ "moves": moves, "sides": { "b": black, "w": white }, "page": page }))
}

/// The reasons, each in English, Japanese and Korean, and the names with their side, in English and Japanese.
fn told(remark: &Remark) -> Json {
    let texts =
        |reasons: &[analysis::Reason]| reasons.iter().map(|reason| json!(reason.texts)).collect::<Vec<_>>();
    let names =
        remark.names.iter().map(|(side, names)| json!([side.letter().to_string(), names[0], names[1]]));
    json!({ "reasons": texts(&remark.reasons), "better": texts(&remark.better), "names": names.collect::<Vec<_>>() })
}

fn side(side: &SideSummary) -> Json {
    let classes: serde_json::Map<String, Json> = Class::ALL
        .iter()
        .map(|&class| (class.english().into(), json!(side.classes[class as usize])))
        .collect();
    json!({ "moves": side.moves, "agreement": side.agreement(), "loss": side.average_loss(), "classes": classes })
}

/// The line that the engine found.
fn candidate<P: Shown>(pos: &mut P, found: &Json) -> Candidate {
    let number = |name: &str| found[name].as_u64().unwrap_or_default();
    let depth = u32::try_from(number("depth")).unwrap_or_default();
    Candidate {
        score: score(&found["score"]),
        depth,
        seldepth: depth,
        nodes: number("nodes"),
        time: Duration::from_millis(number("time")),
        pv: line(pos, &found["pv"]),
    }
}

/// The moves of a line up to the first illegal one; the position is restored.
fn line<P: Shown>(pos: &mut P, texts: &Json) -> Vec<Move> {
    let mut out = Vec::new();
    for text in texts.as_array().into_iter().flatten().filter_map(Json::as_str) {
        let Some(mv) = pos.parse_usi(text).filter(|&mv| pos.is_legal(mv)) else { break };
        pos.make(mv, &mut ());
        out.push(mv);
    }
    out.iter().for_each(|_| pos.unmake());
    out
}

/// `{"cp": N}` or `{"mate": PLIES}`.
fn score(score: &Json) -> Score {
    let number = |name: &str| score[name].as_i64();
    match number("mate") {
        Some(plies) if plies > 0 => mate_in(plies.min(2_000) as usize),
        Some(plies) => mated_in(plies.unsigned_abs().min(2_000) as usize),
        None => number("cp").unwrap_or_default().clamp(-20_000, 20_000) as Score,
    }
}

/// What the end of a game is worth to the side to move.
fn at_the_end<P: Shown>(end: &Course<P>) -> Candidate {
    let score = match end.winner() {
        None => 0,
        Some(winner) if winner == end.pos.side() => mate_in(0),
        Some(_) => mated_in(0),
    };
    Candidate { score, depth: 0, seldepth: 0, nodes: 0, time: Duration::ZERO, pv: vec![] }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        assert!(report(&question).is_err_and(|error| error.contains("ply 3")));
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
        assert_eq!(missed["sides"]["b"]["classes"]["mistake"], 1);
        assert!(judged("G*1b", Json::Null).is_err_and(|error| error.contains("after 1 moves")));
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
