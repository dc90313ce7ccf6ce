//! Writer for Western notation and PSN.

use super::ends::end_in_comment;
use super::moves::{Style, move_text};
use super::{HEADERS, RESULT, START};
use crate::record::board::Board;
use crate::record::end::{End, Outcome};
use crate::record::error::WriteError;
use crate::record::names;
use crate::record::tree::{Action, Headers, NodeId, Record};
use sanban_rules::{Color, Move};
use std::fmt::Write as _;
use std::time::Duration;

/// The column of the time of a move in PSN.
const TIME_COLUMN: usize = 18;

/// Writes a record: moves in pairs or, in PSN, one move per line.
pub(in crate::record) fn write(record: &Record, style: Style) -> Result<String, WriteError> {
    let mut out = String::new();
    let psn = style == Style::Psn;
    if psn {
        for (name, color) in [("Sente", Color::Black), ("Gote", Color::White)] {
            let _ =
                writeln!(out, "[{name} \"{}\"]", escape(record.headers.player(color).unwrap_or_default()));
        }
    }
    for (name, value) in record.headers.iter().filter(|(name, _)| holds_header(name)) {
        let player = name == Headers::BLACK || name == Headers::WHITE;
        let known = HEADERS.iter().find(|(_, known)| *known == name).map_or(name, |known| known.0);
        let known = if psn && name == Headers::STARTED { "Date" } else { known };
        if !(psn && player) {
            let _ = writeln!(out, "[{known} \"{}\"]", escape(value));
        }
    }
    if let Some(sfen) = &record.start {
        let _ = writeln!(out, "[{START} \"{sfen}\"]");
    }
    let result = match record.outcome() {
        Outcome::Win(Color::Black) => "1-0",
        Outcome::Win(Color::White) => "0-1",
        Outcome::Draw => "1/2-1/2",
        Outcome::Unknown => "",
    };
    if psn && !result.is_empty() {
        let _ = writeln!(out, "[{RESULT} \"{result}\"]");
    }
    if out.is_empty() && record.moves().is_empty() {
        // Without a header and a move, the text would not be a record.
        let _ = writeln!(out, "[{START} \"{}\"]", sanban_rules::shogi::START);
    }
    let board = Board::from_start(record.start.as_deref())?;
    let mut writer = Writer { record, style, board, out, column: 0, number: true, used: vec![] };
    writer.run()?;
    writer.open_end();
    if writer.column > 0 {
        writer.out.push('\n');
    }
    Ok(writer.out)
}

struct Writer<'a> {
    record: &'a Record,
    style: Style,
    board: Board,
    out: String,
    /// Number of characters on the current line.
    column: usize,
    /// Whether the next move must be written with its number even if white makes it.
    number: bool,
    /// Total time of each side after every move of the current line.
    used: Vec<[Duration; 2]>,
}

enum Task {
    /// Write a node that comes after this number of moves, and everything that follows the node.
    Node(NodeId, usize),
    /// After the variations of a move, return to the position after the move.
    Back(Move, usize),
    Open,
    Close,
}

impl Writer<'_> {
    fn run(&mut self) -> Result<(), WriteError> {
        let tree = &self.record.tree;
        self.comment(tree.root());
        let mut tasks: Vec<Task> =
            tree.first(tree.root()).map(|node| Task::Node(node, 0)).into_iter().collect();
        while let Some(task) = tasks.pop() {
            match task {
                Task::Open => {
                    self.word("(", true);
                    self.number = true;
                }
                Task::Close => {
                    self.word(")", false);
                    self.number = true;
                }
                Task::Back(mv, before) => {
                    while self.board.made() > before && self.board.undo() {}
                    self.used.truncate(before + 1);
                    self.play(mv, before)?;
                }
                Task::Node(node, before) => self.node(node, before, &mut tasks)?,
            }
        }
        Ok(())
    }

    fn play(&mut self, mv: Move, before: usize) -> Result<(), WriteError> {
        let wrong = |problem: &str| WriteError::Move { number: before + 1, problem: problem.into() };
        self.board.play(mv).map_err(wrong)
    }

    fn node(&mut self, node: NodeId, before: usize, tasks: &mut Vec<Task>) -> Result<(), WriteError> {
        let tree = &self.record.tree;
        while self.board.made() > before && self.board.undo() {}
        self.used.truncate(before);
        let side = self.board.side();
        let mut after = before;
        match tree.action(node) {
            Some(&Action::Move(mv)) => {
                let wrong = |problem: &str| WriteError::Move { number: before + 1, problem: problem.into() };
                let mut text = move_text(&self.board, mv, self.style).map_err(wrong)?;
                if self.style == Style::Psn {
                    text.insert_str(0, &format!("{}.", before + 1));
                    self.end_line();
                } else if before.is_multiple_of(2) {
                    text.insert_str(0, &format!("{}.", before / 2 + 1));
                } else if self.number {
                    text.insert_str(0, &format!("{}...", before / 2 + 1));
                }
                self.number = false;
                self.word(&text, true);
                self.play(mv, before)?;
                after += 1;
            }
            Some(Action::End(end)) => {
                let word = end_word(end);
                let free = matches!(end, End::Other(_) | End::Won(..) | End::Counted(_));
                self.word(&if free { format!("<{word}>") } else { word }, true);
            }
            None => {}
        }
        self.time(node, side, after > before);
        self.comment(node);
        let mut next = vec![];
        let main = tree.parent(node).and_then(|parent| tree.first(parent)) == Some(node);
        if main && tree.next(node).is_some() {
            for brother in std::iter::successors(tree.next(node), |&brother| tree.next(brother)) {
                next.extend([Task::Open, Task::Node(brother, before), Task::Close]);
            }
            if let Some(mv) = tree.mv(node) {
                next.push(Task::Back(mv, before));
            }
        }
        next.extend(tree.first(node).map(|child| Task::Node(child, after)));
        tasks.extend(next.into_iter().rev());
        Ok(())
    }

    /// In PSN, writes the time of the move and the total time of the side.
    fn time(&mut self, node: NodeId, side: Color, made: bool) {
        let mut used = self.used.last().copied().unwrap_or_default();
        if let Some(time) = self.record.tree.time(node).filter(|_| self.style == Style::Psn) {
            used[side.index()] += Duration::from_secs(time.as_secs());
            let (minutes, seconds) = (time.as_secs() / 60, time.as_secs() % 60);
            let (hours, all_minutes, all_seconds) = names::hms(used[side.index()]);
            let gap = TIME_COLUMN.saturating_sub(self.column + 1);
            let text = format!(
                "{:gap$}({minutes:02}:{seconds:02} / {hours:02}:{all_minutes:02}:{all_seconds:02})",
                ""
            );
            self.word(&text, true);
        }
        if made {
            self.used.push(used);
        }
    }

    /// Writes that the result is unknown if the last comment would otherwise be read as the end.
    fn open_end(&mut self) {
        let tree = &self.record.tree;
        let Some(&last) = tree.main_line().last() else { return };
        let comment = tree.comment(last);
        if self.record.end().is_none() && end_in_comment(comment, self.board.side()).is_some() {
            self.word("*", true);
        }
    }

    fn end_line(&mut self) {
        if self.column > 0 {
            self.out.push('\n');
            self.column = 0;
        }
    }

    fn comment(&mut self, node: NodeId) {
        let comment = self.record.tree.comment(node);
        if !comment.is_empty() {
            let text = format!("{{{}}}", comment.replace('\\', "\\\\").replace('}', "\\}"));
            self.word(&text, true);
            if comment.contains('\n') {
                self.column = comment.rsplit('\n').next().map_or(0, |last| last.chars().count() + 1);
            }
        }
    }

    /// Writes a word, on the next line if this one is full.
    fn word(&mut self, word: &str, space: bool) {
        let width = word.chars().count();
        if self.column > 0 && space {
            if self.column + width > 100 {
                self.out.push('\n');
                self.column = 0;
            } else {
                self.out.push(' ');
                self.column += 1;
            }
        }
        self.out.push_str(word);
        self.column += width;
    }
}

/// The word of an end, without characters that would end it.
pub(super) fn end_word(end: &End) -> String {
    match end {
        End::Other(text) | End::Won(_, text) => {
            text.replace(|c: char| c.is_whitespace() || "(){}[]<>".contains(c), "_")
        }
        End::Counted([black, white]) => format!("impasse,_black_{black},_white_{white}"),
        end => end.western().into(),
    }
}

/// Escapes quotes and backslashes in the value of a header; line breaks become spaces.
pub(super) fn escape(value: &str) -> String {
    value.replace(['\n', '\r'], " ").replace('\\', "\\\\").replace('"', "\\\"")
}

/// Returns whether a header can be read back. Some names are reserved for the position and the result, or belong to
/// headers with a different name in KIF.
pub(in crate::record) fn holds_header(name: &str) -> bool {
    let other = HEADERS.iter().any(|(english, known)| *english == name && *known != name);
    !other
        && ![START, RESULT].contains(&name)
        && !name.is_empty()
        && name.trim() == name
        && !name.contains(['"', '[', ']', '\n', '\r'])
}
