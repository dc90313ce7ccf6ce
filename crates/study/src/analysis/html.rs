//! The report as a self-contained HTML page: board, graphs, counts and moves, in every language.

use super::{Analysis, Class, Judged, Reason, Remark, SideSummary, Summary, win_rate};
use crate::teach::notation::move_text;
use crate::teach::{Fact, Language, Sentences, text};
use sanban_formats::record::{Headers, Outcome, Record};
use sanban_rules::score::mate_distance;
use sanban_rules::{AnyPosition, Color, Move, Score, SfenError, Square, VariantId};
use serde_json::{Value, json};
use std::collections::HashMap;
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

/// The text of the page with this name, with its values, in every language.
fn texts(name: &str, values: &[&Sentences]) -> Sentences {
    Language::ALL.map(|language| {
        let values: Vec<&str> = values.iter().map(|value| value[language as usize].as_str()).collect();
        text(language, name, &values)
    })
}

/// The same text in every language.
fn same(text: impl ToString) -> Sentences {
    Language::ALL.map(|_| text.to_string())
}

/// Formats the page of a game.
///
/// # Errors
/// The start position is not valid in this game.
pub fn html(
    source: &str,
    record: &Record,
    analysis: &Analysis,
    summary: &Summary,
    remarks: &[Remark],
) -> Result<String, SfenError> {
    let times: Vec<Option<Duration>> = times(record);
    let start = record.start_position()?;
    let (files, ranks) = start.size();
    let plies = plies(record, analysis, start, ranks);
    let title = title(source, record);
    let data = json!({
        "game": record.game.name(),
        "files": files,
        "ranks": ranks,
        "names": Color::ALL.map(|color| name(record, color)),
        "sides": Color::ALL.map(|color| side(record, color)),
        "words": WORDS.map(|name| (name, texts(&format!("report-{name}"), &[]))).into_iter().collect::<HashMap<_, _>>(),
        "positions": plies.iter().map(|ply| ply.value.clone()).collect::<Vec<_>>(),
    });
    // The data must not contain a tag that closes its script element.
    let data = data.to_string().replace('<', "\\u003c");
    let scores: Vec<f64> =
        analysis.positions.iter().map(|judged| clamped(judged.black_score()) / EDGE).collect();
    let chances: Vec<f64> =
        analysis.positions.iter().map(|judged| win_rate(judged.black_score()) / 50.0 - 1.0).collect();
    let parts = [
        (
            "{{HIDDEN}}",
            Language::ALL
                .map(Language::code)
                .map(|code| format!("html:not([lang={code}]) .{code}"))
                .join(", "),
        ),
        ("{{LANGUAGES}}", format!("{:?}", Language::ALL.map(Language::code))),
        ("{{NEXT}}", label(&next_languages())),
        ("{{TITLE}}", escape(&title)),
        ("{{ABOUT}}", escape(&about(record))),
        ("{{END}}", end_text(record).map_or(String::new(), |end| label(&end))),
        ("{{BLACK}}", label(&side(record, Color::Black))),
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
        if let Some((place, text)) = parts.iter().find(|(place, _)| rest.starts_with(place)) {
            out.push_str(text);
            rest = &rest[place.len()..];
        } else if let Some((name, after)) = rest.strip_prefix("{{=").and_then(|name| name.split_once("}}")) {
            out.push_str(&word(name));
            rest = after;
        } else {
            out.push_str("{{");
            rest = &rest[2..];
        }
    }
    out.push_str(rest);
    Ok(out)
}

/// The words that the script of the page uses.
const WORDS: [&str; 5] = ["nothing-in-hand", "evaluation", "chances", "line", "better"];

struct Ply {
    value: Value,
    mv: Sentences,
    better: Option<Sentences>,
}

fn plies(record: &Record, analysis: &Analysis, mut pos: AnyPosition, ranks: usize) -> Vec<Ply> {
    let mut nodes = vec![record.tree.root()];
    nodes.extend(record.tree.main_line());
    let mut out = Vec::new();
    for (index, judged) in analysis.positions.iter().enumerate() {
        let (mut mv, mut better, mut marks) = (Sentences::default(), None, vec![]);
        let before = index.checked_sub(1);
        let class = before.and_then(|before| analysis.class(before));
        if let Some(before) = before.map(|before| &analysis.positions[before])
            && let Some(played) = before.played
        {
            mv = line(&pos, &[played]);
            if class.is_some_and(Class::is_bad) {
                better = before.candidates.first().map(|best| line(&pos, &best.pv));
            }
            marks = squares(played, ranks);
            pos.play(played);
        }
        let lines: Vec<Value> = judged
            .candidates
            .iter()
            .take(LINES)
            .filter(|candidate| !candidate.pv.is_empty())
            .map(|candidate| {
                json!({ "score": score_text(record, judged, candidate.score), "moves": line(&pos, &candidate.pv) })
            })
            .collect();
        let value = json!({
            "sfen": pos.sfen(),
            "marks": marks,
            "move": mv,
            "kind": class.map(|class| format!("{class:?}")),
            "label": class.map(class_name),
            "bad": class.is_some_and(Class::is_bad),
            "score": score_text(record, judged, judged.score()),
            "chances": if judged.is_known() { json!(win_rate(judged.black_score()).round()) } else { json!("–") },
            "lines": lines,
            "better": better,
            "comment": nodes.get(index).map_or("", |&node| record.tree.comment(node)),
        });
        out.push(Ply { value, mv, better });
    }
    out
}

/// Formats the legal moves of a line.
fn line(pos: &AnyPosition, pv: &[Move]) -> Sentences {
    Language::ALL.map(|language| {
        let mut pos = pos.clone();
        let mut out = Vec::new();
        for &mv in pv.iter().take(LINE) {
            if !pos.is_legal(mv) {
                break;
            }
            let last = pos.last_move().filter(|last| !last.is_pass()).map(Move::to);
            out.push(move_text(&pos, mv, last, language));
            pos.play(mv);
        }
        out.join(" ")
    })
}

/// The target square and the origin of a move, as file and rank from 1.
fn squares(mv: Move, ranks: usize) -> Vec<[usize; 2]> {
    if mv.is_pass() {
        return vec![];
    }
    let origin = (!mv.is_drop()).then(|| mv.from());
    let place = |square: usize| {
        let Square { file, rank } = Square::at(square, ranks);
        [file.into(), 1 + rank as usize - 'a' as usize]
    };
    std::iter::once(mv.to()).chain(origin).map(place).collect()
}

fn class_name(class: Class) -> Sentences {
    Language::ALL.map(|language| class.name(language))
}

/// Formats a score from black's point of view.
fn score_text(record: &Record, judged: &Judged, score: Score) -> Sentences {
    if !judged.is_known() {
        return same('–');
    }
    let score = if judged.side == Color::Black { score } else { -score };
    match mate_distance(score) {
        Some(distance) => {
            let winner = if distance > 0 { Color::Black } else { Color::White };
            texts("report-mates", &[&side(record, winner), &same(distance.abs())])
        }
        None => same(format_args!("{score:+}")),
    }
}

fn clamped(score: Score) -> f64 {
    f64::from(score).clamp(-EDGE, EDGE)
}

fn times(record: &Record) -> Vec<Option<Duration>> {
    record.tree.main_line().into_iter().map(|node| record.tree.time(node)).collect()
}

/// The name of a side.
fn side(record: &Record, color: Color) -> Sentences {
    let kind = match record.gives_odds() {
        _ if record.game.is_janggi() => "-janggi",
        true if record.game == VariantId::Shogi => "-odds",
        _ => "",
    };
    let color = ["black", "white"][color.index()];
    texts(&format!("side-{color}{kind}"), &[])
}

fn name(record: &Record, color: Color) -> Sentences {
    let name = record.headers.player(color).filter(|name| !name.is_empty());
    name.map_or_else(|| side(record, color), same)
}

/// How the game ended and who won, if the record contains it.
fn end_text(record: &Record) -> Option<Sentences> {
    let outcome = record.outcome();
    let moves = same(record.moves().len());
    let mut out = match outcome {
        Outcome::Win(winner) => texts("report-wins", &[&side(record, winner), &moves]),
        Outcome::Draw => texts("report-drawn", &[&moves]),
        Outcome::Unknown => texts("report-no-result", &[&moves]),
    };
    let end = match record.end() {
        Some(end) => end,
        None if outcome == Outcome::Unknown => return None,
        None => return Some(out),
    };
    out[Language::English as usize] += &format!(" ({})", end.western());
    if record.game == VariantId::Shogi {
        let japanese = &mut out[Language::Japanese as usize];
        let told = end.summary(record.moves().len(), record.last_side(), record.gives_odds());
        *japanese = match outcome {
            Outcome::Win(winner) if !told.contains('勝') => {
                format!("{told}、{}の勝ち", side(record, winner)[Language::Japanese as usize])
            }
            _ => told,
        };
    }
    Some(out)
}

fn title(source: &str, record: &Record) -> String {
    match (record.headers.player(Color::Black), record.headers.player(Color::White)) {
        (None, None) => source.into(),
        _ => {
            let [black, white] = Color::ALL.map(|color| name(record, color)[0].clone());
            format!("☗{black} – ☖{white}")
        }
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

/// A text that the page shows in its language.
fn label(texts: &Sentences) -> String {
    if texts.iter().all(|text| *text == texts[0]) {
        return escape(&texts[0]);
    }
    let spans = Language::ALL.iter().zip(texts);
    spans
        .map(|(language, text)| format!("<span class=\"{}\">{}</span>", language.code(), escape(text)))
        .collect()
}

fn word(name: &str) -> String {
    label(&texts(&format!("report-{name}"), &[]))
}

fn summary_table(record: &Record, summary: &Summary) -> String {
    let sides = [summary.side(Color::Black), summary.side(Color::White)];
    let [black, white] = Color::ALL.map(|color| label(&name(record, color)));
    let mut out = format!("<table><tr><th></th><th>☗ {black}</th><th>☖ {white}</th></tr>");
    let mut row = |head: String, cell: &dyn Fn(&SideSummary) -> String| {
        let [black, white] = sides.map(cell);
        let _ = write!(out, "<tr><td>{head}</td><td>{black}</td><td>{white}</td></tr>");
    };
    row(word("moves"), &|side| side.moves.to_string());
    row(word("agreement"), &|side| format!("{:.1} %", side.agreement()));
    row(word("average-loss"), &|side| format!("{:.2} %", side.average_loss()));
    for class in Class::ALL {
        let head = format!("<span class=\"{class:?}\">{}</span>", label(&class_name(class)));
        row(head, &|side| side.classes[class as usize].to_string());
    }
    if sides.iter().any(|side| side.time.is_some_and(|time| !time.is_zero())) {
        row(word("time"), &|side| side.time.map_or("–".into(), clock));
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
    let first = analysis.first();
    for (index, &value) in values.iter().enumerate().skip(first) {
        let letter = if index == first { 'M' } else { 'L' };
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
        word("time-used"),
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

/// In every language, the own name of the language after it.
fn next_languages() -> Sentences {
    let mut names = Language::ALL.map(|language| text(language, "own-name", &[]));
    names.rotate_left(1);
    names
}

/// Names and reasons, one per line.
fn remark_text(remark: &Remark) -> String {
    let line = |texts: &Sentences| format!("<div class=\"reason\">{}</div>", label(texts));
    let names = remark.names.iter().map(|(side, [english, japanese])| {
        let mark = ['☗', '☖'][side.index()];
        line(&Language::ALL.map(|language| match language {
            Language::Japanese => format!("{mark}{japanese}"),
            // The names in Korean exist on the page only.
            _ => format!("{mark} {english}"),
        }))
    });
    // The table shows the engine's line after every bad move.
    let shown = |reason: &&Reason| !matches!(reason.fact, Fact::Preferred { .. });
    let reasons = remark.reasons.iter().chain(&remark.better).filter(shown);
    names.chain(reasons.map(|reason| line(&reason.texts))).collect()
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
        word("move"),
        word("score"),
        word("loss"),
        if timed { format!("<th>{}</th>", word("time")) } else { String::new() },
        word("verdict")
    );
    for (index, ply) in plies.iter().enumerate().skip(1) {
        let judged = &analysis.positions[index];
        let score = score_text(record, judged, judged.score());
        let class = analysis.class(index - 1);
        let kind = class.map_or(String::new(), |class| format!("{class:?}"));
        let loss = analysis.loss(index - 1).map_or(String::new(), |loss| format!("{loss:.1}"));
        let time = times.get(index - 1).copied().flatten().map_or(String::new(), clock);
        let verdict = class.map_or(String::new(), |class| label(&class_name(class)));
        let better = ply
            .better
            .as_ref()
            .map_or(String::new(), |better| format!("<div class=\"better\">{}</div>", label(better)));
        let better = better + &remarks.get(index - 1).map_or_else(String::new, remark_text);
        let _ = write!(
            out,
            "<tr data-ply=\"{index}\"><td>{index}</td><td class=\"left move\">{}</td><td>{}</td><td>{loss}</td>{}<td class=\"left {kind}\">{verdict}{better}</td></tr>",
            label(&ply.mv),
            label(&score),
            if timed { format!("<td>{time}</td>") } else { String::new() },
        );
    }
    out + "</tbody></table>"
}
