//! Runs every dialogue of `usi_spec.md` and `docs/dialects.md` with the built engine.
//!
//! In a block fenced as `usi`, `uci` or `cecp`, a line that starts with `> ` is sent, and one that starts with `< ` is
//! expected. `*` matches any text within a line, and a line `< ...` matches any number of lines.

use crate::gui::Gui;
use std::time::Duration;

/// Waiting time for output that must not arrive, in milliseconds.
const SILENCE: u64 = 200;

fn matches(pattern: &str, line: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == line,
        Some((start, rest)) => {
            line.starts_with(start)
                && (start.len()..=line.len())
                    .any(|at| line.is_char_boundary(at) && matches(rest, &line[at..]))
        }
    }
}

fn hold(dialogue: &str, number: usize) {
    let mut gui = Gui::start();
    let mut any = false;
    for line in dialogue.lines() {
        if let Some(command) = line.strip_prefix("> ") {
            gui.send(command);
        } else if line == "< ..." {
            any = true;
        } else if let Some(pattern) = line.strip_prefix("< ").or((line == "<").then_some("")) {
            loop {
                let said = gui.line(crate::gui::PATIENCE);
                let Some(said) = said else {
                    panic!("dialogue {number}: '{pattern}' is missing: {:#?}", gui.said)
                };
                if matches(pattern, &said) {
                    break;
                }
                assert!(any, "dialogue {number}: '{said}' instead of '{pattern}'");
            }
            any = false;
        } else {
            panic!("dialogue {number}: a line starts with neither > nor <: {line}");
        }
    }
    if !any && let Some(more) = gui.line(Duration::from_millis(SILENCE)) {
        panic!("dialogue {number}: unexpected output at the end: {more}");
    }
}

/// Runs every dialogue of a document that is fenced with this word, and checks that there are at least `least` of them.
fn hold_all(text: &str, fence: &str, least: usize) {
    let fence = format!("```{fence}\n");
    let blocks: Vec<&str> = text.split(&fence).skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert!(blocks.len() >= least, "only {} dialogues", blocks.len());
    for (number, block) in blocks.into_iter().enumerate() {
        hold(block, number + 1);
    }
}

#[test]
fn every_usi_dialogue_is_held() {
    hold_all(include_str!("../../usi_spec.md"), "usi", 8);
}

#[test]
fn every_uci_dialogue_is_held() {
    hold_all(include_str!("../../docs/dialects.md"), "uci", 5);
}

#[test]
fn every_cecp_dialogue_is_held() {
    hold_all(include_str!("../../docs/dialects.md"), "cecp", 5);
}

#[test]
fn the_options_are_those_of_the_table() {
    let text = include_str!("../../usi_spec.md");
    for setting in sanban::protocol::usi::options::declared() {
        let line = sanban::protocol::usi::options::line(setting);
        assert!(text.contains(&format!("| `{}` |", setting.name)), "usi_spec.md does not document: {line}");
    }
}

#[test]
fn patterns_match_within_a_line() {
    assert!(
        matches("bestmove *", "bestmove 7g7f ponder 3c3d") && matches("a*c*e", "abcde") && matches("x", "x")
    );
    assert!(!matches("a*c", "abcd") && !matches("x", "xy") && !matches("info * pv *", "info depth 1"));
}
