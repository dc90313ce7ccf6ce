//! Writer for PGN as `sanban match` and programs for variants write it: the game in a header, and moves in coordinates.
//! An end is a comment such as `{<resigns>}`, because PGN has only results.

use super::pgn::{FEN, SETUP, VARIANT};
use super::write::{end_word, escape, holds_header as western_holds};
use super::{HEADERS, RESULT, START};
use crate::record::end::{End, Outcome};
use crate::record::error::WriteError;
use crate::record::tree::{Action, Headers, NodeId, Record};
use sanban_rules::uci::{fen, move_text, name_of, sfen};
use sanban_rules::{AnyPosition, Color};
use std::fmt::Write as _;

/// Maximum length of a line of moves.
const WIDTH: usize = 80;

/// Returns whether a header can be read back: PGN names them with Latin letters, digits and `_`.
pub(super) fn holds_header(name: &str, value: &str) -> bool {
    western_holds(name)
        && tag(name).bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        && ![VARIANT, FEN, SETUP].contains(&name)
        && !["", "?"].contains(&value.trim())
}

/// The name of a header in PGN, where White is the first player.
fn tag(name: &str) -> &str {
    match name {
        Headers::BLACK => "White",
        Headers::WHITE => "Black",
        name => HEADERS.iter().find(|(_, known)| *known == name).map_or(name, |known| known.0),
    }
}

pub(super) fn write(record: &Record) -> Result<String, WriteError> {
    let mut out = String::new();
    let mut header = |name: &str, value: &str| {
        // Writing to a string cannot fail.
        let _ = writeln!(out, "[{name} \"{}\"]", escape(value));
    };
    for (name, value) in record.headers.iter().filter(|(name, value)| holds_header(name, value)) {
        header(tag(name), value);
    }
    let result = match record.outcome() {
        Outcome::Win(Color::Black) => "1-0",
        Outcome::Win(Color::White) => "0-1",
        Outcome::Draw => "1/2-1/2",
        Outcome::Unknown => "*",
    };
    header(RESULT, result);
    header(VARIANT, name_of(record.game));
    let invalid = |problem: String| WriteError::Move { number: 0, problem };
    let pos = record.start_position().map_err(|error| invalid(error.to_string()))?;
    if let Some(start) = &record.start {
        let fen = fen(start, !record.game.is_janggi(), 0);
        header(SETUP, "1");
        header(FEN, &fen);
        // A FEN determines the parity of the move number.
        if sfen(&fen).as_ref() != Ok(start) {
            header(START, start);
        }
    }
    out.push('\n');
    let mut writer = Writer { record, pos, out, column: 0, number: true };
    writer.run()?;
    writer.word(result);
    Ok(writer.out + "\n")
}

struct Writer<'a> {
    record: &'a Record,
    pos: AnyPosition,
    out: String,
    /// Number of characters on the current line.
    column: usize,
    /// Whether the next move needs a number even if the second player makes it.
    number: bool,
}

enum Task {
    /// Write a node and everything after it.
    Node(NodeId),
    /// Take back the move of this node.
    Back(NodeId),
    /// Make the move of this node again.
    Again(NodeId),
    /// Write a bracket.
    Bracket(&'static str),
}

impl Writer<'_> {
    fn run(&mut self) -> Result<(), WriteError> {
        let tree = &self.record.tree;
        self.comment(tree.root());
        let mut tasks: Vec<Task> = tree.first(tree.root()).map(Task::Node).into_iter().collect();
        while let Some(task) = tasks.pop() {
            match task {
                Task::Bracket(text) => {
                    self.word(text);
                    self.number = true;
                }
                Task::Back(node) if tree.mv(node).is_some() => self.pos.undo(),
                Task::Again(node) => tree.mv(node).into_iter().for_each(|mv| self.pos.play(mv)),
                Task::Back(_) => {}
                Task::Node(node) => self.node(node, &mut tasks)?,
            }
        }
        Ok(())
    }

    fn node(&mut self, node: NodeId, tasks: &mut Vec<Task>) -> Result<(), WriteError> {
        let tree = &self.record.tree;
        match tree.action(node) {
            Some(&Action::Move(mv)) => {
                let full = self.pos.game_ply() / 2 + 1;
                if !self.pos.is_legal(mv) {
                    let number = self.pos.game_ply() + 1;
                    return Err(WriteError::Move {
                        number,
                        problem: "illegal moves cannot be written as PGN".into(),
                    });
                }
                if self.pos.side() == Color::Black {
                    self.word(&format!("{full}."));
                } else if self.number {
                    self.word(&format!("{full}..."));
                }
                self.number = false;
                self.word(&move_text(&self.pos, mv));
                self.pos.play(mv);
            }
            // The result says all.
            Some(Action::End(end @ End::Won(..))) if end.is_plain() && tree.comment(node).is_empty() => {}
            Some(Action::End(end)) => self.word(&format!("{{<{}>}}", end_word(end))),
            None => {}
        }
        self.comment(node);
        let is_main = tree.parent(node).and_then(|parent| tree.first(parent)) == Some(node);
        let mut next = Vec::new();
        if is_main && tree.next(node).is_some() {
            next.push(Task::Back(node));
            for brother in std::iter::successors(tree.next(node), |&brother| tree.next(brother)) {
                next.extend([Task::Bracket("("), Task::Node(brother), Task::Bracket(")")]);
            }
            next.push(Task::Again(node));
        }
        if let Some(child) = tree.first(node) {
            next.push(Task::Node(child));
        }
        // The moves of a variation are taken back at its end.
        let from = tasks.len();
        tasks.extend(next.into_iter().rev());
        if !tree.is_main(node) {
            tasks.insert(from, Task::Back(node));
        }
        Ok(())
    }

    fn comment(&mut self, node: NodeId) {
        let comment = self.record.tree.comment(node);
        if comment.is_empty() {
            return;
        }
        let text = comment.replace('\\', "\\\\").replace('}', "\\}");
        // Without the space, the comment would be an end.
        let space = if text.starts_with('<') { " " } else { "" };
        self.word(&format!("{{{space}{text}}}"));
        if let Some((_, last)) = text.rsplit_once('\n') {
            self.column = last.chars().count() + 1;
        }
        self.number = true;
    }

    /// Writes a word, on the next line if this one is full.
    fn word(&mut self, word: &str) {
        let width = word.chars().count();
        if self.column > 0 && self.column + 1 + width > WIDTH {
            self.out.push('\n');
            self.column = 0;
        } else if self.column > 0 && word != ")" && !self.out.ends_with('(') {
            self.out.push(' ');
            self.column += 1;
        }
        self.out.push_str(word);
        self.column += width;
    }
}
