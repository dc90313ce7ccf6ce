//! Writes an analysis as comments of KIF, CSA and GIB records, from which other programs can draw graphs.

use super::{Analysis, Candidate, Judged, Reason, Remark};
use crate::teach::Language;
use sanban_formats::record::{Board, Record, WriteError, csa_text, gib_text, ki2_text, kif_text, mark};
use sanban_rules::score::mate_distance;
use sanban_rules::{Color, Move, Score};
use std::fmt::Write as _;

/// The engine name shown by these programs.
const ENGINE: &str = concat!("Sanban ", env!("CARGO_PKG_VERSION"));
/// Score of a mate in formats that require a number.
const MATE: Score = 30_000;

/// Returns whether every position of the main line except the last already has a comment with a score.
pub fn is_analysed(record: &Record) -> bool {
    let told = told(record);
    let before_last = &told[..told.len().saturating_sub(1)];
    !before_last.is_empty() && before_last.iter().all(|&told| told)
}

/// Returns whether a position of the main line after the first has a comment with a score.
pub fn is_partly_analysed(record: &Record) -> bool {
    told(record).contains(&true)
}

/// For each move of the main line, whether it has a comment with a score.
fn told(record: &Record) -> Vec<bool> {
    let told = |text: &str| text.contains("*解析 ") || text.contains("#評価値=") || text.starts_with("* ");
    let moves = record.tree.main_line().into_iter().filter(|&node| record.tree.mv(node).is_some());
    moves.map(|node| told(record.tree.comment(node))).collect()
}

/// The record with a block of comments after every evaluated move, in the formats of ShogiGUI and ShogiHome. `remarks`
/// are added in the given language.
///
/// # Errors
/// The start position cannot be read.
pub fn kif_comments(
    record: &Record,
    analysis: &Analysis,
    remarks: Option<(&[Remark], Language)>,
) -> Result<Record, WriteError> {
    annotate(record, analysis, |board, index| {
        let judged = &analysis.positions[index];
        let mut out = Vec::new();
        if index == 0 {
            out.push(format!("*Engines 0 {ENGINE}"));
        }
        let sign = judged_rank(analysis, index);
        for (rank, candidate) in judged.candidates.iter().enumerate() {
            let sign = if rank == 0 { sign } else { "" };
            out.push(shogigui(board, judged, candidate, rank + 1, sign));
        }
        if let Some(class) =
            index.checked_sub(1).and_then(|before| analysis.class(before)).filter(|c| c.is_bad())
        {
            let language = remarks.map_or(Language::Japanese, |(_, language)| language);
            let name = class.name(language);
            out.push(format!("【{name}】"));
        }
        out.extend(shogihome(board, judged));
        if let Some((remarks, language)) = remarks
            && let Some(remark) = index.checked_sub(1).and_then(|before| remarks.get(before))
        {
            out.extend(said(remark, language));
        }
        out
    })
}

/// Names and reasons, one per line.
fn said(remark: &Remark, language: Language) -> Vec<String> {
    let name = |(side, names): &(Color, [String; 2])| {
        format!("{}{}", mark(*side), names[usize::from(language == Language::Japanese)])
    };
    let text = |reason: &Reason| reason.texts[language as usize].clone();
    let reasons = remark.reasons.iter().chain(&remark.better).map(text);
    remark.names.iter().map(name).chain(reasons).collect()
}

/// The record with a comment `* SCORE MOVES` after every evaluated move, as on Floodgate.
///
/// # Errors
/// See [`kif_comments`].
pub fn csa_comments(record: &Record, analysis: &Analysis) -> Result<Record, WriteError> {
    annotate(record, analysis, |board, index| {
        let judged = &analysis.positions[index];
        if !judged.is_known() {
            return vec![];
        }
        let score = number(judged);
        let pv = judged.candidates.first().map_or(&[][..], |best| &best.pv);
        vec![format!(
            "* {score}{}",
            line(board, pv, |board, mv| Some(format!(" {}", csa_text(board, mv).ok()?)))
        )]
    })
}

/// The score for black as a number, also for mates.
fn number(judged: &Judged) -> Score {
    match mate_distance(judged.black_score()) {
        Some(distance) => MATE * distance.signum(),
        None => judged.black_score(),
    }
}

/// The record of a Janggi game with a comment `* SCORE MOVES` after every evaluated move. `remarks` are added in the given
/// language.
///
/// # Errors
/// The start position cannot be read.
pub fn gib_comments(
    record: &Record,
    analysis: &Analysis,
    remarks: Option<(&[Remark], Language)>,
) -> Result<Record, WriteError> {
    let mut out = record.clone();
    let mut pos = record.start_position()?;
    let line = record.tree.main_line();
    let nodes = std::iter::once(record.tree.root()).chain(line);
    for (index, (node, judged)) in nodes.zip(&analysis.positions).enumerate() {
        if let Some(best) = judged.candidates.first() {
            let mut text = format!("* {}", number(judged));
            let mut after = pos.clone();
            for &mv in &best.pv {
                let _ = write!(text, " {}", gib_text(&after, mv));
                after.play(mv);
            }
            out.tree.add_comment(node, &text);
        }
        if let Some((remarks, language)) = remarks
            && let Some(remark) = index.checked_sub(1).and_then(|before| remarks.get(before))
        {
            said(remark, language).iter().for_each(|text| out.tree.add_comment(node, text));
        }
        if let Some(mv) = judged.played {
            pos.play(mv);
        }
    }
    Ok(out)
}

fn annotate(
    record: &Record,
    analysis: &Analysis,
    block: impl Fn(&mut Board, usize) -> Vec<String>,
) -> Result<Record, WriteError> {
    let mut out = record.clone();
    let mut board = Board::from_start(record.start.as_deref())?;
    let line = record.tree.main_line();
    let nodes = std::iter::once(record.tree.root()).chain(line);
    for (index, node) in nodes.enumerate().take(analysis.positions.len()) {
        if let Some(mv) = record.tree.mv(node) {
            let wrong = |problem: &str| WriteError::Move { number: index, problem: problem.into() };
            board.play(mv).map_err(wrong)?;
        }
        for text in block(&mut board, index) {
            out.tree.add_comment(node, &text);
        }
    }
    Ok(out)
}

/// `○` if the move that led to this position was the best, `△` if it was among the candidates.
fn judged_rank(analysis: &Analysis, index: usize) -> &'static str {
    match index.checked_sub(1).and_then(|before| analysis.positions[before].rank()) {
        Some(0) => "○ ",
        Some(_) => "△ ",
        None => "",
    }
}

/// Formats the moves of a line; the board is restored.
fn line(board: &mut Board, pv: &[Move], say: impl Fn(&Board, Move) -> Option<String>) -> String {
    let mut out = String::new();
    let mut made = 0;
    for &mv in pv {
        let Some(text) = say(board, mv) else { break };
        if board.play(mv).is_err() {
            break;
        }
        out.push_str(&text);
        made += 1;
    }
    for _ in 0..made {
        board.undo();
    }
    out
}

/// Formats a comment of ShogiGUI. Scores are from black's point of view; only mates have a plus sign. An example:
/// `*解析 0 ○ 候補1 時間 00:01.0 深さ 20/30 ノード数 1000000 評価値 35 読み筋 ▲７六歩(77) △８四歩(83)`
fn shogigui(board: &mut Board, judged: &Judged, candidate: &Candidate, rank: usize, sign: &str) -> String {
    let Candidate { depth, seldepth, nodes, time, .. } = candidate;
    let tenths = time.as_millis() / 100;
    let (minutes, seconds, tenth) = (tenths / 600, tenths / 10 % 60, tenths % 10);
    let mut out = format!(
        "*解析 0 {sign}候補{rank} 時間 {minutes:02}:{seconds:02}.{tenth} 深さ {depth}/{seldepth} ノード数 {nodes} 評価値 "
    );
    let score = if judged.side == Color::Black { candidate.score } else { -candidate.score };
    let _ = match mate_distance(score) {
        Some(distance) => write!(out, "{}詰 {}", if distance > 0 { '+' } else { '-' }, distance.abs()),
        None => write!(out, "{score}"),
    };
    out.push_str(" 読み筋");
    out += &line(board, &candidate.pv, |board, mv| {
        Some(format!(" {}{}", mark(board.side()), kif_text(board, mv).ok()?))
    });
    out
}

/// Formats the comment lines of ShogiHome: `#評価値=40` and the lines that belong to it.
fn shogihome(board: &mut Board, judged: &Judged) -> Vec<String> {
    let Some(best) = judged.candidates.first() else { return vec![] };
    let score = judged.black_score();
    let mut out = match mate_distance(score) {
        Some(distance) => {
            let winner = if distance > 0 { "先手" } else { "後手" };
            vec![format!("#詰み={winner}勝ち:{}手", distance.abs())]
        }
        None => vec![format!("#評価値={score}")],
    };
    let pv = line(board, &best.pv, |board, mv| ki2_text(board, mv).ok());
    if !pv.is_empty() {
        out.push(format!("#読み筋={pv}"));
    }
    out.push(format!("#深さ={}", best.depth));
    out.push(format!("#ノード数={}", best.nodes));
    out.push(format!("#エンジン={ENGINE}"));
    out
}
