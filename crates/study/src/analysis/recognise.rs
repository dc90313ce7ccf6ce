//! Recognises files written by an earlier analysis; only these may be overwritten.

use super::comments::{is_analysed, is_partly_analysed};
use super::html::PAGE;
use sanban_formats::record::{self, LARGEST};
use serde_json::Value;
use std::fs::File;
use std::io::{Read, Seek};

/// Number of bytes inspected at the start of a file.
const START: u64 = 1 << 16;

/// Returns whether this file was written by an analysis, which was stopped if `is_part`. `extension` is the extension of
/// its name.
pub fn is_written(extension: &str, is_part: bool, file: &mut File) -> bool {
    let mut bytes = Vec::new();
    let most = if matches!(extension, "html" | "jsonl" | "sfen") { START } else { LARGEST };
    if file.rewind().and_then(|()| file.take(most).read_to_end(&mut bytes)).is_err() {
        return false;
    }
    let text = || String::from_utf8_lossy(&bytes);
    match extension {
        "html" => is_page(&text()),
        "jsonl" => text().lines().next().is_some_and(is_judged),
        // The last line may be truncated.
        "sfen" => {
            text().lines().rev().skip(1).all(is_problem) && text().lines().next().is_some_and(is_problem)
        }
        _ => record::read(&bytes).is_ok_and(|records| {
            let is_analysed = if is_part { is_partly_analysed } else { is_analysed };
            !records.is_empty() && records.iter().all(is_analysed)
        }),
    }
}

/// Returns whether the page begins like the template, apart from its title.
fn is_page(text: &str) -> bool {
    let (before, after) = PAGE.split_once("{{TITLE}}").unwrap_or((PAGE, ""));
    let style = after.split_inclusive(";").next().unwrap_or_default();
    text.strip_prefix(before).is_some_and(|rest| rest.contains(style))
}

/// Returns whether this is a line about a position or a game.
fn is_judged(line: &str) -> bool {
    let line: Value = serde_json::from_str(line).unwrap_or_default();
    line["file"].is_string() && (line["candidates"].is_array() || line["summary"].is_object())
}

/// Returns whether this is a line of a problem file.
fn is_problem(line: &str) -> bool {
    line.split_once('\t').is_some_and(|(sfen, answer)| {
        sfen.contains('/') && (answer.starts_with("moves ") || answer.starts_with("mate "))
    })
}
