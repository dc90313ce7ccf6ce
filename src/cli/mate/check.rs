//! Prints soundness checks.

use super::super::bar::bar;
use super::super::failure::Failure;
use super::super::interrupt;
use super::super::text::print;
use super::problems::ProofFile;
use sanban_engine::mate::{
    Finding, FindingKind, MateLimits, MateMonitor, Soundness, Verdict, check_with_proof,
};
use sanban_lab::jobs::texts;
use sanban_rules::shogi::{Kind, Position};
use sanban_rules::{Color, Position as _, Square};
use serde_json::{Value, json};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Whether the check was interrupted.
static STOPPED: AtomicBool = AtomicBool::new(false);

/// Makes an interrupt end the check with a report; a second one does not wait for it.
pub(super) fn stop_on_interrupt() {
    interrupt::instead(|| STOPPED.store(true, Relaxed));
}

struct Interrupts;

impl MateMonitor for Interrupts {
    fn stopped(&self) -> bool {
        STOPPED.load(Relaxed)
    }
}

/// Checks that a position can be a mate problem.
///
/// # Errors
/// The error names the rule that the position breaks.
pub(super) fn accept(pos: &Position) -> Result<(), String> {
    if pos.king(!pos.side()).is_none() {
        return Err("the defender has no king".into());
    }
    for color in [Color::Black, Color::White] {
        let mut files = [false; 9];
        for sq in pos.pieces(color) {
            let Some((_, kind)) = pos.piece_on(sq) else { continue };
            let (file, rank) = (sq / 9, sq % 9);
            let from_edge = if color == Color::Black { rank } else { 8 - rank };
            if kind == Kind::Pawn && std::mem::replace(&mut files[file], true) {
                return Err(format!("two pawns of one side on file {}", file + 1));
            }
            let ranks = match kind {
                Kind::Pawn | Kind::Lance => 1,
                Kind::Knight => 2,
                _ => 0,
            };
            if from_edge < ranks {
                return Err(format!("the piece on {} can never move", Square::at(sq, 9)));
            }
        }
    }
    Ok(())
}

/// Checks a problem, shows the progress on a terminal, and passes the lines of a proof to `proof`. After an interrupt,
/// the report contains what is known.
pub(super) fn examine(
    pos: &Position,
    limits: &MateLimits,
    proof: Option<&mut (dyn FnMut(String) + Send)>,
) -> Soundness {
    let shown = bar(0, "{elapsed_precise} {wide_msg}");
    let mut progress = |report: &Soundness| shown.set_message(progress(report));
    let report = check_with_proof(pos, limits, &Interrupts, &mut progress, proof);
    shown.finish_and_clear();
    report
}

/// Checks whether a problem is sound and prints the verdict, then the results of the other checks. Writes a proof to the
/// file, if there is one.
pub(super) fn check_one(
    sfen: &str,
    pos: &Position,
    limits: &MateLimits,
    proof: Option<&Path>,
    as_json: bool,
) -> Result<(), Failure> {
    let Some(path) = proof else {
        let report = examine(pos, limits, None);
        print(&if as_json { report_json(pos, &report).to_string() } else { text(sfen, &report) })?;
        return answer(report.verdict);
    };
    let mut file = ProofFile::new(path);
    let mut report = examine(pos, limits, Some(&mut |line| file.line(&line)));
    let written = file.finish(report.proof.is_some());
    report.proof = report.proof.filter(|_| written.is_ok());
    if as_json {
        let mut out = report_json(pos, &report);
        out["proof"] = report.proof.into();
        print(&out.to_string())?;
    } else {
        let claim = if report.verdict == Verdict::Open { "exact".into() } else { report.verdict.to_string() };
        let proof = report.proof.map_or("no proof".into(), |lines| format!("proof\t{claim}\t{lines} lines"));
        print(&format!("{}\n  {proof}", text(sfen, &report)))?;
    }
    written?;
    answer(report.verdict)
}

/// The answer of a check as the result of the command.
pub(super) fn answer(verdict: Verdict) -> Result<(), Failure> {
    match verdict {
        _ if STOPPED.load(Relaxed) => Err(Failure::Interrupted),
        Verdict::Sound => Ok(()),
        Verdict::Open => Err(Failure::Open),
        Verdict::Cooked | Verdict::Leftover | Verdict::NoMate => Err(Failure::No),
    }
}

/// The length of the mate: `N` or, if it is not proved, `LEAST-MOST`.
fn length(report: &Soundness) -> String {
    match report.is_exact() {
        true => report.line.len().to_string(),
        false => format!("{}-{}", report.at_least, report.line.len()),
    }
}

/// The state of an unfinished check on one line.
fn progress(report: &Soundness) -> String {
    let count = |kind| report.count(kind);
    let (refuted, cooks, open) =
        (count(FindingKind::Refuted), count(FindingKind::Cook), count(FindingKind::Open));
    format!("mate {}: {refuted} checks refuted, {cooks} cooks, {open} open", length(report))
}

fn text(sfen: &str, report: &Soundness) -> String {
    let mut text = format!("{sfen}\t{}", report.verdict);
    if !report.line.is_empty() {
        text += &format!("\tmate {} {}", length(report), texts::<Position>(&report.line).join(" "));
        text += if report.leftover { "\tpieces left over" } else { "" };
    }
    if report.verdict == Verdict::Cooked && !report.complete {
        text += "\tnot searched to the end";
    }
    // The refuted and the open checks of a position share a line.
    let is_mate = |f: &Finding| !matches!(f.kind, FindingKind::Refuted | FindingKind::Open);
    for position in report.findings.chunk_by(|a, b| a.before == b.before) {
        for kind in [FindingKind::Refuted, FindingKind::Open] {
            let moves: Vec<_> = position.iter().filter(|f| f.kind == kind).collect();
            if let Some(first) = moves.first() {
                let list = moves.iter().map(|f| Position::usi(f.mv)).collect::<Vec<_>>().join(" ");
                text += &line(first, &list, "");
            }
        }
        for finding in position.iter().filter(|&finding| is_mate(finding)) {
            let plies = finding.plies.map_or("longer".into(), |plies| format!("mate {plies}"));
            text += &line(finding, &Position::usi(finding.mv), &plies);
        }
    }
    text
}

fn line(finding: &Finding, moves: &str, plies: &str) -> String {
    let place = if finding.in_main_line { "main line" } else { "equal defence" };
    let (before, ply) = (texts::<Position>(&finding.before).join(" "), finding.before.len() + 1);
    let after = texts::<Position>(&finding.line).join(" ");
    let line = format!("\n  {}\tply {ply}\t{moves}\t{plies}\t{place}\t{before}\t{after}", finding.kind);
    line.trim_end_matches('\t').into()
}

pub(super) fn report_json(pos: &Position, report: &Soundness) -> Value {
    let mut out = json!({ "sfen": pos.sfen(), "result": report.verdict.to_string() });
    if !report.line.is_empty() {
        out["moves"] = texts::<Position>(&report.line).into();
        out["at_least"] = report.at_least.into();
        out["at_most"] = report.line.len().into();
        out["leftover"] = report.is_exact().then_some(report.leftover).into();
    }
    out["complete"] = report.complete.into();
    let finding = |f: &Finding| {
        let mut out = json!({
            "result": f.kind.to_string(),
            "before": texts::<Position>(&f.before),
            "move": Position::usi(f.mv),
            "main_line": f.in_main_line,
            "nodes": f.nodes,
        });
        if !matches!(f.kind, FindingKind::Refuted | FindingKind::Open) {
            out["plies"] = f.plies.into();
            out["line"] = texts::<Position>(&f.line).into();
        }
        out
    };
    out["checks"] = report.findings.iter().map(finding).collect();
    out
}
