//! Writers for KIF, KI2 and BOD.

use super::bod;
use super::parts;
use super::spoken::{HINTS, Spoken};
use crate::record::board::Board;
use crate::record::encoding::Encoding;
use crate::record::end::{End, Outcome};
use crate::record::error::WriteError;
use crate::record::handicaps;
use crate::record::names;
use crate::record::source::trim;
use crate::record::tree::{Action, Headers, NodeId, Record};
use sanban_rules::{Color, Move};
use std::fmt::Write as _;
use std::time::Duration;

/// Width of a move in KIF, in columns; a Japanese character takes two columns.
const MOVE_WIDTH: usize = 13;
/// Maximum number of moves on a line in KI2.
const PER_LINE: usize = 6;

/// The format to write.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    Kif,
    Ki2,
}

/// Writes KIF; the first line names the encoding.
pub(in crate::record) fn write(record: &Record, encoding: Encoding) -> Result<String, WriteError> {
    let mut out = format!("#KIF version=2.0 encoding={}\n", encoding.name());
    Writer::new(record, Style::Kif)?.run(&mut out)?;
    Ok(out)
}

/// Writes KI2; the first line names the encoding.
pub(in crate::record) fn write_ki2(record: &Record, encoding: Encoding) -> Result<String, WriteError> {
    let mut out = format!("#KI2 version=2.0 encoding={}\n", encoding.name());
    Writer::new(record, Style::Ki2)?.run(&mut out)?;
    Ok(out)
}

fn headers(out: &mut String, record: &Record, odds: bool) {
    for (name, value) in record.headers.iter().filter(|(name, value)| holds_header(name, value)) {
        let name = match name {
            Headers::BLACK if odds => "下手",
            Headers::WHITE if odds => "上手",
            other => other,
        };
        let _ = writeln!(out, "{name}：{}", value.replace(['\n', '\r'], " "));
    }
}

/// Returns whether a header can be read back; some names begin other lines of the format.
pub(in crate::record) fn holds_header(name: &str, value: &str) -> bool {
    let value = value.replace(['\n', '\r'], " ");
    let line = format!("{name}：{value}");
    let others = ["下手", "上手", "まで", "以上", "変化", "手数"];
    parts::header(&line) == Some((name, trim(&value), ""))
        && !name.starts_with(['#', '*', '&', '|', '｜', '+'])
        && !others.iter().any(|other| name.starts_with(other))
        && !bod::is_header(&line)
}

/// Writes the headers and a diagram of the position at the end of the main line.
pub(in crate::record) fn write_bod(record: &Record) -> Result<String, WriteError> {
    let mut board = Board::from_start(record.start.as_deref())?;
    for (index, mv) in record.moves().into_iter().enumerate() {
        let wrong = |problem: &str| WriteError::Move { number: index + 1, problem: problem.into() };
        board.play(mv).map_err(wrong)?;
    }
    let mut out = String::new();
    headers(&mut out, record, false);
    out.push_str(&bod::lines_of(&board, false));
    Ok(out)
}

struct Writer<'a> {
    record: &'a Record,
    style: Style,
    board: Board,
    /// Total time of each side after every move of the current line.
    used: Vec<[Duration; 2]>,
    odds: bool,
    /// Number of moves on the current line in KI2.
    column: usize,
}

impl<'a> Writer<'a> {
    fn new(record: &'a Record, style: Style) -> Result<Self, WriteError> {
        let board = Board::from_start(record.start.as_deref())?;
        let odds = record.gives_odds();
        Ok(Self { record, style, board, used: vec![], odds, column: 0 })
    }

    fn run(mut self, out: &mut String) -> Result<(), WriteError> {
        self.head(out);
        let tree = &self.record.tree;
        self.texts(out, tree.root());
        // Lines that have not been written yet: the number of moves before the line, and its first node. The deepest
        // line is written first, and siblings in order.
        let mut waiting: Vec<(usize, NodeId)> =
            tree.first(tree.root()).map(|node| (0, node)).into_iter().collect();
        let mut main = true;
        while let Some((before, first)) = waiting.pop() {
            while self.board.made() > before && self.board.undo() {}
            self.used.truncate(before);
            if !main {
                self.line_end(out);
                let _ = write!(out, "\n変化：{}手\n", before + 1);
            }
            main = false;
            self.line(out, before, first, &mut waiting)?;
        }
        self.line_end(out);
        Ok(())
    }

    fn head(&mut self, out: &mut String) {
        match handicaps::of_start(self.record.start.as_deref()) {
            Some(handicap) => {
                let _ = writeln!(out, "手合割：{}", handicap.name);
                if !handicap.common {
                    out.push_str(&bod::lines_of(&self.board, self.odds));
                }
            }
            None => out.push_str(&bod::lines_of(&self.board, false)),
        }
        headers(out, self.record, self.odds);
        if self.style == Style::Kif {
            out.push_str("手数----指手---------消費時間--\n");
        }
    }

    /// Writes one line from its first node to its end, and queues its branches.
    fn line(
        &mut self,
        out: &mut String,
        before: usize,
        first: NodeId,
        waiting: &mut Vec<(usize, NodeId)>,
    ) -> Result<(), WriteError> {
        let tree = &self.record.tree;
        let (mut next, mut moves) = (Some(first), before);
        while let Some(node) = next {
            // The siblings of a variation's first node are already queued.
            if tree.parent(node).and_then(|parent| tree.first(parent)) == Some(node) {
                let brothers: Vec<NodeId> =
                    std::iter::successors(tree.next(node), |&n| tree.next(n)).collect();
                waiting.extend(brothers.into_iter().rev().map(|brother| (moves, brother)));
            }
            match tree.action(node) {
                Some(&Action::Move(mv)) => {
                    self.mv(out, node, mv, moves + 1)?;
                    moves += 1;
                }
                Some(Action::End(end)) => self.end(out, node, end, moves),
                None => {}
            }
            next = tree.first(node);
        }
        Ok(())
    }

    fn mv(&mut self, out: &mut String, node: NodeId, mv: Move, number: usize) -> Result<(), WriteError> {
        let wrong = |problem: &str| WriteError::Move { number, problem: problem.into() };
        let side = self.board.side();
        match self.style {
            Style::Kif => {
                let _ = write!(out, "{number:>4} ");
                let text = out.len();
                kif_move(out, &self.board, mv).map_err(wrong)?;
                // Every non-ASCII character takes three bytes and two columns.
                let bytes = out.len() - text;
                let ascii = out[text..].bytes().filter(u8::is_ascii).count();
                let width = ascii + (bytes - ascii) / 3 * 2;
                self.time(out, node, side, MOVE_WIDTH.saturating_sub(width).max(1));
                if self.record.tree.next(node).is_some() {
                    out.push('+');
                }
                out.push('\n');
            }
            Style::Ki2 => {
                if self.column == PER_LINE {
                    self.line_end(out);
                }
                if self.column > 0 {
                    out.push(' ');
                }
                out.push(names::mark(side));
                ki2_move(out, &self.board, mv).map_err(wrong)?;
                self.column += 1;
            }
        }
        self.board.play(mv).map_err(wrong)?;
        self.texts(out, node);
        Ok(())
    }

    /// Writes `( 0:16/00:00:16)` if the time is known.
    fn time(&mut self, out: &mut String, node: NodeId, side: Color, gap: usize) {
        let mut used = self.used.last().copied().unwrap_or_default();
        let time = self.record.tree.time(node);
        if let Some(time) = time {
            used[side.index()] += Duration::from_secs(time.as_secs());
            let (hours, minutes, seconds) = names::hms(used[side.index()]);
            let _ = write!(
                out,
                "{:gap$}({:>2}:{:02}/{hours:02}:{minutes:02}:{seconds:02})",
                "",
                time.as_secs() / 60,
                time.as_secs() % 60
            );
        }
        self.used.push(used);
    }

    fn end(&mut self, out: &mut String, node: NodeId, end: &End, moves: usize) {
        let side = self.board.side();
        // The summary line describes these ends completely.
        let line_says_it = match end {
            End::Won(..) => true,
            End::Counted(_) => end.outcome(side) != Outcome::Draw,
            _ => false,
        };
        let listed = !line_says_it || self.record.tree.time(node).is_some();
        if self.style == Style::Kif && listed {
            let _ = write!(out, "{:>4} {}", moves + 1, end.kif());
            self.time(out, node, side, 9);
            self.used.pop();
            if self.record.tree.next(node).is_some() {
                out.push('+');
            }
            out.push('\n');
            self.texts(out, node);
        } else {
            self.line_end(out);
        }
        let _ = writeln!(out, "{}", end.summary(moves, side, self.odds));
        if self.style == Style::Ki2 || !listed {
            self.texts(out, node);
        }
    }

    fn texts(&mut self, out: &mut String, node: NodeId) {
        let tree = &self.record.tree;
        let (comment, bookmark) = (tree.comment(node), tree.bookmark(node));
        if comment.is_empty() && bookmark.is_empty() {
            return;
        }
        self.line_end(out);
        if !comment.is_empty() {
            for line in comment.split('\n') {
                let _ = writeln!(out, "*{line}");
            }
        }
        if !bookmark.is_empty() {
            let _ = writeln!(out, "&{bookmark}");
        }
    }

    fn line_end(&mut self, out: &mut String) {
        if self.column > 0 {
            out.push('\n');
            self.column = 0;
        }
    }
}

fn is_same(board: &Board, mv: Move) -> bool {
    board.last().is_some_and(|last| last.to() == mv.to())
}

fn destination(out: &mut String, spoken: &Spoken, same: bool, space: bool) {
    if same {
        out.push('同');
        if space {
            out.push('　');
        }
    } else {
        out.extend(names::square_name(spoken.to));
    }
    out.push_str(names::in_moves(spoken.kind));
}

/// Writes a move in KIF: `７六歩(77)`. On error, returns the reason why the move is impossible.
pub fn kif_move(out: &mut String, board: &Board, mv: Move) -> Result<(), &'static str> {
    let spoken = &Spoken::of(board, mv)?;
    destination(out, spoken, is_same(board, mv), true);
    if spoken.promotes == Some(true) {
        out.push('成');
    }
    match spoken.from {
        Some(from) => {
            let _ = write!(out, "({}{})", from / 9 + 1, from % 9 + 1);
        }
        None => out.push('打'),
    }
    Ok(())
}

/// Writes a move in KI2: `５八金右`. On error, returns the reason why the move is impossible.
pub fn ki2_move(out: &mut String, board: &Board, mv: Move) -> Result<(), &'static str> {
    let spoken = &Spoken::of(board, mv)?;
    let drop = spoken.needs_drop_word(board);
    // The move as it will be read, without the origin.
    let heard = Spoken { drop, from: None, ..*spoken };
    if heard.resolve(board) != Ok(mv) {
        // An illegal move can only be identified by its origin square.
        return kif_move(out, board, mv);
    }
    // No space is needed between 同 and a name of two characters.
    let short = names::in_moves(spoken.kind).chars().count() == 1 && spoken.hints.is_empty();
    destination(out, spoken, is_same(board, mv), short && spoken.promotes.is_none());
    for (hint, word, _) in HINTS {
        if spoken.hints.contains(hint) {
            out.push(word);
        }
    }
    match spoken.promotes {
        Some(true) => out.push('成'),
        Some(false) => out.push_str("不成"),
        None => {}
    }
    if drop {
        out.push('打');
    }
    Ok(())
}
