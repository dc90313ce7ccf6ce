//! Analysed games as JSON lines, one per position.

use super::{Analysis, Reason, Remark, Summary, win_rate};
use crate::teach::{Language, Sentences};
use sanban_formats::record::{End, Outcome, Record};
use sanban_rules::score::mate_distance;
use sanban_rules::{AnyPosition, Color};
use serde_json::{Value, json};

/// Formats one line per analysed position, and one with the summary, which has the ply of the `first` position if the
/// analysis was stopped. Scores are for the side to move: `cp` in centipawns, or
/// `mate` in plies; `loss` is the drop in the mover's win rate caused by the played move, in percentage points.
///
/// With `remarks`, a line also has `reasons` for and against the played move, `better` for the best move if it is a
/// different one, each with the `fact`, how it was verified (`proof`), and for a
/// gain why it is possible (`cause`); and `names` of openings and castles.
pub fn json_lines(
    source: &str,
    record: &Record,
    analysis: &Analysis,
    summary: &Summary,
    remarks: &[Remark],
) -> String {
    let mut out = String::new();
    // All positions of a game write moves and squares alike.
    let notation = AnyPosition::new(record.game);
    for (ply, judged) in analysis.positions.iter().enumerate().skip(analysis.first()) {
        let candidates: Vec<Value> = judged
            .candidates
            .iter()
            .map(|candidate| {
                let (name, score) =
                    mate_distance(candidate.score).map_or(("cp", candidate.score), |mate| ("mate", mate));
                json!({
                    name: score,
                    "depth": candidate.depth,
                    "seldepth": candidate.seldepth,
                    "nodes": candidate.nodes,
                    "ms": candidate.time.as_millis() as u64,
                    "pv": candidate.pv.iter().map(|&mv| notation.display(mv)).collect::<Vec<_>>(),
                })
            })
            .collect();
        let mut line = json!({
            "file": source,
            "game": record.game.name(),
            "ply": ply,
            "sfen": judged.sfen,
            "winrate": rounded(win_rate(judged.score())),
            "candidates": candidates,
        });
        if let (Some(mv), Some(class), Some(loss)) = (judged.played, analysis.class(ply), analysis.loss(ply))
        {
            line["move"] = json!(notation.display(mv));
            line["class"] = json!(class.english());
            line["loss"] = json!(rounded(loss));
        }
        if let Some(Remark { reasons, better, names, .. }) = remarks.get(ply) {
            let told =
                |reasons: &[Reason]| reasons.iter().map(|known| reason(&notation, known)).collect::<Vec<_>>();
            line["reasons"] = json!(told(reasons));
            line["better"] = json!(told(better));
            let names = names.iter().map(|(side, [english, japanese])| {
                json!({ "side": side.letter().to_string(), "en": english, "ja": japanese })
            });
            line["names"] = json!(names.collect::<Vec<_>>());
        }
        out.push_str(&line.to_string());
        out.push('\n');
    }
    let side = |color: Color| {
        let side = summary.side(color);
        let classes: serde_json::Map<String, Value> = super::Class::ALL
            .into_iter()
            .zip(side.classes)
            .map(|(class, count)| (class.english().to_string(), json!(count)))
            .collect();
        json!({
            "name": record.headers.player(color),
            "moves": side.moves,
            "classes": classes,
            "agreement": rounded(side.agreement()),
            "loss": rounded(side.average_loss()),
        })
    };
    let winner = match record.outcome() {
        Outcome::Win(Color::Black) => json!("black"),
        Outcome::Win(Color::White) => json!("white"),
        Outcome::Draw => json!("draw"),
        Outcome::Unknown => Value::Null,
    };
    // The moves that decided the game, with their reasons.
    let moments: Vec<Value> = moments(analysis, remarks)
        .into_iter()
        .map(|ply| {
            let mut moment = json!({ "ply": ply, "loss": analysis.loss(ply).map(rounded) });
            add_texts(&mut moment, &remarks[ply].reasons[0].texts);
            moment
        })
        .collect();
    let mut last = json!({
        "file": source,
        "summary": {
            "black": side(Color::Black),
            "white": side(Color::White),
            "moves": record.moves().len(),
            "end": record.end().map(End::western),
            "winner": winner,
            "moments": moments,
        },
    });
    if analysis.first() > 0 {
        last["summary"]["first"] = json!(analysis.first());
    }
    out.push_str(&last.to_string());
    out.push('\n');
    out
}

/// The plies of the three moves that lost the most, at least ten percentage points, in the order of the game.
pub fn moments(analysis: &Analysis, remarks: &[Remark]) -> Vec<usize> {
    let loss = |ply: usize| analysis.loss(ply).unwrap_or(0.0);
    let mut plies: Vec<usize> =
        (0..remarks.len()).filter(|&ply| loss(ply) >= 10.0 && !remarks[ply].reasons.is_empty()).collect();
    plies.sort_by(|&a, &b| loss(b).total_cmp(&loss(a)));
    plies.truncate(3);
    plies.sort_unstable();
    plies
}

/// Adds the sentences, each under the code of its language.
fn add_texts(out: &mut Value, texts: &Sentences) {
    for (language, text) in Language::ALL.into_iter().zip(texts) {
        out[language.code()] = json!(text);
    }
}

/// A reason with everything needed to verify it.
fn reason(notation: &AnyPosition, reason: &Reason) -> Value {
    let mut out = json!({
        "move": notation.display(reason.mv),
        "fact": reason.fact.word(),
        "proof": reason.fact.proof().word(),
        "line": reason.fact.line().iter().map(|&mv| notation.display(mv)).collect::<Vec<_>>(),
    });
    add_texts(&mut out, &reason.texts);
    if let Some(target) = reason.fact.target() {
        out["target"] = json!({ "piece": target.piece.to_string(), "square": notation.square(target.square).to_string(), "gain": target.gain });
    }
    if let Some(cause) = reason.fact.cause() {
        out["cause"] = json!(cause);
    }
    out
}

/// Rounds to two decimal places.
fn rounded(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}
