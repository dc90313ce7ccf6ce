//! The report as a self-contained HTML page: board, graphs, counts and moves, in Japanese and English.

use super::speaker::{Both, Speaker, squares};
use super::{Analysis, Class, Judged, Reason, Remark, SideSummary, Summary, win_rate};
use crate::teach::{Fact, Language};
use sanban_formats::record::{Board, Headers, Outcome, Record, WriteError};
use sanban_rules::score::mate_distance;
use sanban_rules::{Color, Move, Score, VariantId};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::time::Duration;

/// The page template, with placeholders.
pub(super) const PAGE: &str = include_str!("report.html");
/// Maximum number of moves shown of a line.
const LINE: usize = 12;
/// Maximum number of lines shown for a position.
const LINES: usize = 5;
/// The plot area in the graphs of 700 by 170 units: left, width, top, height.
const PLOT: (f64, f64, f64, f64) = (10.0, 680.0, 8.0, 130.0);
/// The evaluation at the edge of the graph, in centipawns.
const EDGE: f64 = 2000.0;

/// Formats the page of a game.
///
/// # Errors
///
/// A move cannot be made on the board.
pub fn html(
    source: &str,
    record: &Record,
    analysis: &Analysis,
    summary: &Summary,
    remarks: &[Remark],
) -> Result<String, WriteError> {
    let times: Vec<Option<Duration>> = times(record);
    let start = record.start_position()?;
    let (files, ranks) = start.size();
    let mut speaker: Box<dyn Speaker> = match record.game {
        VariantId::Shogi => Box::new(Board::from_start(record.start.as_deref())?),
        _ => Box::new(start),
    };
    let plies = plies(record, analysis, speaker.as_mut(), ranks)?;
    let title = title(source, record);
    let data = json!({
        "game": record.game.name(),
        "files": files,
        "ranks": ranks,
        "names": Color::ALL.map(|color| name(record, color)),
        "sides": Color::ALL.map(|color| side(record, color)),
        "end": end_text(record),
        "positions": plies.iter().map(|ply| ply.value.clone()).collect::<Vec<_>>(),
    });
    // The data must not contain a tag that closes its script element.
    let data = data.to_string().replace('<', "\\u003c");
    let scores: Vec<f64> =
        analysis.positions.iter().map(|judged| clamped(judged.black_score()) / EDGE).collect();
    let chances: Vec<f64> =
        analysis.positions.iter().map(|judged| win_rate(judged.black_score()) / 50.0 - 1.0).collect();
    let parts = [
        ("{{TITLE}}", escape(&title)),
        ("{{ABOUT}}", escape(&about(record))),
        ("{{END}}", end_text(record).map_or(String::new(), |[ja, en]| label(&escape(&ja), &escape(&en)))),
        ("{{BLACK}}", side(record, Color::Black).into()),
        ("{{SUMMARY}}", summary_table(record, summary)),
        ("{{SCORES}}", graph(&scores, analysis, ["-2000", "0", "2000"])),
        ("{{CHANCES}}", graph(&chances, analysis, ["0 %", "50 %", "100 %"])),
        ("{{TIMES}}", time_chart(&times, analysis)),
        ("{{MOVES}}", move_table(record, &plies, &times, analysis, remarks)),
        ("{{DATA}}", data),
    ];
    // A single pass: inserted text is not scanned for placeholders.
    let mut out = String::with_capacity(PAGE.len() * 4);
    let mut rest = PAGE;
    while let Some(at) = rest.find("{{") {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        match parts.iter().find(|(place, _)| rest.starts_with(place)) {
            Some((place, text)) => {
                out.push_str(text);
                rest = &rest[place.len()..];
            }
            None => {
                out.push_str("{{");
                rest = &rest[2..];
            }
        }
    }
    out.push_str(rest);
    Ok(out)
}

/// The data shown for a position.
struct Ply {
    value: Value,
    mv: Both,
    better: Option<Both>,
}

fn plies(
    record: &Record,
    analysis: &Analysis,
    board: &mut dyn Speaker,
    ranks: usize,
) -> Result<Vec<Ply>, WriteError> {
    let mut nodes = vec![record.tree.root()];
    nodes.extend(record.tree.main_line());
    let mut out = Vec::new();
    for (index, judged) in analysis.positions.iter().enumerate() {
        let mut mv = Both::default();
        let (mut better, mut marks) = (None, vec![]);
        let before = index.checked_sub(1);
        let class = before.and_then(|before| analysis.class(before));
        if let Some(before) = before.map(|before| &analysis.positions[before])
            && let Some(played) = before.played
        {
            let wrong = |problem: &str| WriteError::Move { number: index, problem: problem.into() };
            mv = board.say(played).map_err(wrong)?;
            if class.is_some_and(Class::is_bad) {
                better = before.candidates.first().map(|best| words(board, &best.pv));
            }
            marks = squares(played, ranks);
            board.play(played).map_err(wrong)?;
        }
        let lines: Vec<Value> = judged
            .candidates
            .iter()
            .take(LINES)
            .filter(|candidate| !candidate.pv.is_empty())
            .map(|candidate| {
                json!({ "score": score_text(record, judged, candidate.score), "moves": words(board, &candidate.pv) })
            })
            .collect();
        let value = json!({
            "sfen": board.sfen(),
            "marks": marks,
            "move": mv,
            "kind": class.map(|class| format!("{class:?}")),
            "label": class.map(|class| [Language::Japanese, Language::English].map(|language| class.name(language))),
            "bad": class.is_some_and(Class::is_bad),
            "score": score_text(record, judged, judged.score()),
            "chances": win_rate(judged.black_score()).round(),
            "lines": lines,
            "better": better,
            "comment": nodes.get(index).map_or("", |&node| record.tree.comment(node)),
        });
        out.push(Ply { value, mv, better });
    }
    Ok(out)
}

/// Formats a line in both languages; the board is restored.
fn words(board: &mut dyn Speaker, pv: &[Move]) -> Both {
    let mut out = [vec![], vec![]];
    let mut made = 0;
    for &mv in pv.iter().take(LINE) {
        let Ok([japanese, english]) = board.say(mv) else { break };
        if board.play(mv).is_err() {
            break;
        }
        out[0].push(japanese);
        out[1].push(english);
        made += 1;
    }
    for _ in 0..made {
        board.undo();
    }
    out.map(|words| words.join(" "))
}

/// Formats a score from black's point of view.
fn score_text(record: &Record, judged: &Judged, score: Score) -> Both {
    let score = if judged.side == Color::Black { score } else { -score };
    match mate_distance(score) {
        Some(distance) => {
            let (winner, english) =
                if distance > 0 { (Color::Black, "black") } else { (Color::White, "white") };
            let winner = side(record, winner);
            [
                format!("{winner}勝ち({}手詰)", distance.abs()),
                format!("{english} mates in {}", distance.abs()),
            ]
        }
        None => [format!("{score:+}"), format!("{score:+}")],
    }
}

fn clamped(score: Score) -> f64 {
    f64::from(score).clamp(-EDGE, EDGE)
}

fn times(record: &Record) -> Vec<Option<Duration>> {
    record.tree.main_line().into_iter().map(|node| record.tree.time(node)).collect()
}

/// The Japanese name of a side.
fn side(record: &Record, color: Color) -> &'static str {
    let names = match record.gives_odds() {
        _ if record.game.is_janggi() => ["楚", "漢"],
        true if record.game == VariantId::Shogi => ["下手", "上手"],
        _ => ["先手", "後手"],
    };
    names[color.index()]
}

fn name(record: &Record, color: Color) -> String {
    let name = record.headers.player(color).filter(|name| !name.is_empty());
    name.unwrap_or(side(record, color)).into()
}

/// How the game ended and who won, if the record contains it.
fn end_text(record: &Record) -> Option<Both> {
    let outcome = record.outcome();
    let moves = record.moves().len();
    let japanese = match record.end() {
        Some(end) if record.game == VariantId::Shogi => {
            let told = end.summary(moves, record.last_side(), record.gives_odds());
            match outcome {
                Outcome::Win(winner) if !told.contains('勝') => {
                    format!("{told}、{}の勝ち", side(record, winner))
                }
                _ => told,
            }
        }
        _ => match outcome {
            Outcome::Win(winner) => format!("まで{moves}手で{}の勝ち", side(record, winner)),
            Outcome::Draw => format!("まで{moves}手で引き分け"),
            Outcome::Unknown => return None,
        },
    };
    let result = match outcome {
        Outcome::Win(Color::Black) => "Black wins",
        Outcome::Win(Color::White) => "White wins",
        Outcome::Draw => "Drawn",
        Outcome::Unknown => "No result",
    };
    let how = record.end().map_or(String::new(), |end| format!(" ({})", end.western()));
    Some([japanese, format!("{result} after {moves} moves{how}")])
}

fn title(source: &str, record: &Record) -> String {
    match (record.headers.player(Color::Black), record.headers.player(Color::White)) {
        (None, None) => source.into(),
        _ => format!("☗{} – ☖{}", name(record, Color::Black), name(record, Color::White)),
    }
}

fn about(record: &Record) -> String {
    let names = [Headers::STARTED, Headers::EVENT, Headers::SITE, Headers::TIME, Headers::OPENING];
    let known: Vec<&str> = names.iter().filter_map(|name| record.headers.get(name)).collect();
    known.join(" · ")
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

fn label(japanese: &str, english: &str) -> String {
    format!("<span class=\"ja\">{japanese}</span><span class=\"en\">{english}</span>")
}

fn summary_table(record: &Record, summary: &Summary) -> String {
    let sides = [summary.side(Color::Black), summary.side(Color::White)];
    let mut out = format!(
        "<table><tr><th></th><th>☗ {}</th><th>☖ {}</th></tr>",
        escape(&name(record, Color::Black)),
        escape(&name(record, Color::White))
    );
    let mut row = |head: String, cell: &dyn Fn(&SideSummary) -> String| {
        let [black, white] = sides.map(cell);
        let _ = write!(out, "<tr><td>{head}</td><td>{black}</td><td>{white}</td></tr>");
    };
    row(label("指し手", "moves"), &|side| side.moves.to_string());
    row(label("一致率", "agreement"), &|side| format!("{:.1} %", side.agreement()));
    row(label("平均損失", "average loss"), &|side| format!("{:.2} %", side.average_loss()));
    for class in Class::ALL {
        row(
            format!(
                "<span class=\"{class:?}\">{}</span>",
                label(&class.name(Language::Japanese), class.english())
            ),
            &|side| side.classes[class as usize].to_string(),
        );
    }
    if sides.iter().any(|side| side.time.is_some_and(|time| !time.is_zero())) {
        row(label("消費時間", "time"), &|side| side.time.map_or("–".into(), clock));
    }
    out + "</table>"
}

fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

/// Horizontal coordinate of position `index` of `count`.
fn across(index: usize, count: usize) -> f64 {
    PLOT.0 + PLOT.1 * index as f64 / (count.max(2) - 1) as f64
}

/// Draws a curve of values from -1 to 1, with bad moves marked.
fn graph(values: &[f64], analysis: &Analysis, ticks: [&str; 3]) -> String {
    let (left, width, top, height) = PLOT;
    let y = |value: f64| top + height * (1.0 - value) / 2.0;
    let mut out = String::from("<svg class=\"graph\" viewBox=\"0 0 700 170\" role=\"img\">");
    for (tick, value) in ticks.iter().zip([-1.0, 0.0, 1.0]) {
        let y = y(value);
        let right = left + width;
        // The top label is below its line and the other labels are above their lines, so that no label is cut off at
        // any width.
        let place = if value > 0.0 { "class=\"top\"" } else { "" };
        let _ = write!(
            out,
            "<line class=\"axis\" x1=\"{left}\" x2=\"{right}\" y1=\"{y}\" y2=\"{y}\"/><text {place} x=\"{}\" y=\"{}\">{tick}</text>",
            left + 2.0,
            y - 3.0
        );
    }
    let step = match values.len() {
        0..=12 => 1,
        13..=40 => 5,
        41..=120 => 20,
        _ => 50,
    };
    for ply in (0..values.len()).step_by(step) {
        let x = across(ply, values.len());
        let anchor = match x {
            _ if ply == 0 => "start",
            x if x > left + width - 20.0 => "end",
            _ => "middle",
        };
        let _ = write!(out, "<text x=\"{x:.1}\" y=\"164\" text-anchor=\"{anchor}\">{ply}</text>");
    }
    out.push_str("<path class=\"curve\" d=\"");
    for (index, &value) in values.iter().enumerate() {
        let letter = if index == 0 { 'M' } else { 'L' };
        let _ = write!(out, "{letter}{:.1} {:.1}", across(index, values.len()), y(value));
    }
    out.push_str("\"/>");
    for (index, &value) in values.iter().enumerate().skip(1) {
        if let Some(class) = analysis.class(index - 1).filter(|class| class.is_bad()) {
            let _ = write!(
                out,
                "<circle class=\"{class:?}\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"4\"><title>{index}</title></circle>",
                across(index, values.len()),
                y(value)
            );
        }
    }
    let _ = write!(
        out,
        "<line class=\"cursor\" x1=\"{left}\" x2=\"{left}\" y1=\"{top}\" y2=\"{}\"/></svg>",
        top + height
    );
    out
}

/// Draws a bar for the time of every move whose time is recorded.
fn time_chart(times: &[Option<Duration>], analysis: &Analysis) -> String {
    let moves = analysis.positions.len().saturating_sub(1);
    let times = &times[..moves.min(times.len())];
    let longest = times.iter().flatten().max().copied().unwrap_or_default();
    if longest.is_zero() {
        return String::new();
    }
    let (left, width, top, height) = PLOT;
    let bar = (width / moves.max(1) as f64 * 0.8).max(0.8);
    let mut out = format!(
        "<section class=\"card\"><h2>{}</h2><svg class=\"graph\" viewBox=\"0 0 700 170\" role=\"img\"><line class=\"axis\" x1=\"{left}\" x2=\"{}\" y1=\"{}\" y2=\"{}\"/><text class=\"top\" x=\"{}\" y=\"{}\">{}</text>",
        label("消費時間", "Time used"),
        left + width,
        top + height,
        top + height,
        left + 2.0,
        top - 3.0,
        format_args!("{}:{:02}", longest.as_secs() / 60, longest.as_secs() % 60)
    );
    for (index, time) in times.iter().enumerate() {
        let Some(time) = time else { continue };
        let tall = height * time.as_secs_f64() / longest.as_secs_f64();
        let color = if analysis.positions[index].side == Color::Black { "black" } else { "white" };
        let _ = write!(
            out,
            "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{bar:.1}\" height=\"{tall:.1}\" fill=\"var(--{color})\"/>",
            across(index + 1, moves + 1) - bar / 2.0,
            top + height - tall
        );
    }
    out + "<line class=\"cursor\" x1=\"10\" x2=\"10\" y1=\"8\" y2=\"138\"/></svg></section>"
}

/// Names and reasons, one per line.
fn remark_text(remark: &Remark) -> String {
    let line = |[english, japanese]: [&str; 2]| {
        format!("<div class=\"reason\">{}</div>", label(&escape(japanese), &escape(english)))
    };
    let names = remark.names.iter().map(|(side, [english, japanese])| {
        let mark = ['☗', '☖'][side.index()];
        line([&format!("{mark} {english}"), &format!("{mark}{japanese}")])
    });
    // The table shows the engine's line after every bad move.
    let shown = |reason: &&Reason| !matches!(reason.fact, Fact::Preferred { .. });
    let reasons = remark.reasons.iter().chain(&remark.better).filter(shown);
    names.chain(reasons.map(|reason| line([&reason.texts[0], &reason.texts[1]]))).collect()
}

fn move_table(
    record: &Record,
    plies: &[Ply],
    times: &[Option<Duration>],
    analysis: &Analysis,
    remarks: &[Remark],
) -> String {
    let timed = times.iter().flatten().any(|time| !time.is_zero());
    let mut out = format!(
        "<table><thead><tr><th></th><th class=\"left\">{}</th><th>{}</th><th>{}</th>{}<th class=\"left\">{}</th></tr></thead><tbody>",
        label("指し手", "move"),
        label("評価値", "score"),
        label("損失", "loss"),
        if timed { format!("<th>{}</th>", label("時間", "time")) } else { String::new() },
        label("判定", "verdict")
    );
    for (index, ply) in plies.iter().enumerate().skip(1) {
        let judged = &analysis.positions[index];
        let [japanese, english] = score_text(record, judged, judged.score());
        let class = analysis.class(index - 1);
        let kind = class.map_or(String::new(), |class| format!("{class:?}"));
        let loss = analysis.loss(index - 1).map_or(String::new(), |loss| format!("{loss:.1}"));
        let time = times.get(index - 1).copied().flatten().map_or(String::new(), clock);
        let verdict =
            class.map_or(String::new(), |class| label(&class.name(Language::Japanese), class.english()));
        let better = ply.better.as_ref().map_or(String::new(), |[japanese, english]| {
            format!("<div class=\"better\">{}</div>", label(&escape(japanese), &escape(english)))
        });
        let better = better + &remarks.get(index - 1).map_or_else(String::new, remark_text);
        let _ = write!(
            out,
            "<tr data-ply=\"{index}\"><td>{index}</td><td class=\"left move\">{}</td><td>{}</td><td>{loss}</td>{}<td class=\"left {kind}\">{verdict}{better}</td></tr>",
            label(&escape(&ply.mv[0]), &escape(&ply.mv[1])),
            label(&japanese, &english),
            if timed { format!("<td>{time}</td>") } else { String::new() },
        );
    }
    out + "</tbody></table>"
}
