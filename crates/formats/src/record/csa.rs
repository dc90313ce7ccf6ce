//! CSA 2.2 and 3.0, the format of computer shogi.

use super::board::{Board, HAND_ORDER};
use super::end::End;
use super::error::{Line, RecordError, WriteError, clip, lines};
use super::line::Walk;
use super::names;
use super::tree::{Action, Headers, Record};
use sanban_rules::shogi::square::SQUARES;
use sanban_rules::shogi::{Kind, Piece};
use sanban_rules::{Color, Move};
use std::fmt::Write as _;
use std::time::Duration;

/// Headers of CSA and what they are called elsewhere.
const HEADERS: [(&str, &str); 11] = [
    ("EVENT", Headers::EVENT),
    ("SITE", Headers::SITE),
    ("START_TIME", Headers::STARTED),
    ("END_TIME", Headers::ENDED),
    ("TIME_LIMIT", Headers::TIME),
    ("TIME", Headers::TIME),
    ("TIME+", "先手持ち時間"),
    ("TIME-", "後手持ち時間"),
    ("OPENING", Headers::OPENING),
    ("NOTE", Headers::NOTE),
    ("MAX_MOVES", "最大手数"),
];

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Version {
    V22,
    V30,
}

/// Reads a text: one game, or several with `/` between them.
pub(super) fn read(text: &str) -> Result<Vec<Record>, RecordError> {
    let mut out = Vec::new();
    let mut reader = Reader::default();
    for line in lines(text) {
        if line.text.trim_end() == "/" {
            if reader.told {
                out.push(std::mem::take(&mut reader).finish(&line)?);
            }
            continue;
        }
        reader.line(&line)?;
    }
    let last = Line { number: text.matches('\n').count() + 1, text: "" };
    if reader.told || out.is_empty() {
        out.push(reader.finish(&last)?);
    }
    Ok(out)
}

#[derive(Default)]
struct Reader {
    headers: Headers,
    board: Option<Board>,
    comment: String,
    walk: Option<Walk>,
    /// Anything but comments was seen.
    told: bool,
}

impl Reader {
    fn line(&mut self, line: &Line<'_>) -> Result<(), RecordError> {
        let text = line.text.trim_start_matches('\u{feff}');
        // A statement may share its line with others, but for texts.
        if text.starts_with(['\'', 'N', '$']) {
            return self.statement(line, text.trim_end());
        }
        text.split(',').try_for_each(|part| self.statement(line, part.trim_end()))
    }

    fn statement(&mut self, line: &Line<'_>, text: &str) -> Result<(), RecordError> {
        let mut bytes = text.bytes();
        let (first, second) = (bytes.next(), bytes.next());
        self.told |= first.is_some_and(|first| first != b'\'');
        match (first, second) {
            (None, _) => Ok(()),
            (Some(b'\''), _) => {
                self.remark(&text[1..]);
                Ok(())
            }
            (Some(b'V'), _) => Ok(()),
            (Some(b'N'), Some(sign @ (b'+' | b'-'))) => {
                let name = if sign == b'+' { Headers::BLACK } else { Headers::WHITE };
                if text.len() > 2 {
                    self.headers.set(name, &text[2..]);
                }
                Ok(())
            }
            (Some(b'$'), _) => {
                if let Some((name, value)) = text[1..].split_once(':') {
                    let known = HEADERS.iter().find(|(known, _)| *known == name);
                    self.headers.set(known.map_or(name, |known| known.1), value);
                }
                Ok(())
            }
            // Positions behind the moves are other programs' remarks.
            (Some(b'P'), _) if self.walk.is_some() => Ok(()),
            (Some(b'P'), Some(second)) => self.position(line, text, second),
            (Some(b'+' | b'-'), None) => self.turn(line, first == Some(b'+')),
            (Some(b'+' | b'-'), Some(_)) => self.mv(line, text),
            (Some(b'%'), _) => {
                let walk = self.walk(line)?;
                let end = End::from_csa(&text[1..], walk.side());
                walk.end(end.unwrap_or_else(|| End::Other(text[1..].into())), line)
            }
            (Some(b'T'), _) => self.time(line, &text[1..]),
            _ => Err(line.error_at(text, format!("expected a statement of CSA, found {}", clip(text)))),
        }
    }

    /// `*` begins a comment that is to be kept; ratings are headers; everything else is for people who read the file.
    fn remark(&mut self, text: &str) {
        if let Some(comment) = text.strip_prefix('*') {
            match &mut self.walk {
                Some(walk) => walk.record.tree.add_comment(walk.node, comment),
                None if self.comment.is_empty() => comment.clone_into(&mut self.comment),
                None => {
                    self.comment.push('\n');
                    self.comment.push_str(comment);
                }
            }
            return;
        }
        for (word, name) in [("black_rate:", Headers::BLACK_RATE), ("white_rate:", Headers::WHITE_RATE)] {
            if let Some(rate) = text.strip_prefix(word).and_then(|rest| rest.rsplit(':').next()) {
                self.headers.set(name, rate);
            }
        }
    }

    fn position(&mut self, line: &Line<'_>, text: &str, second: u8) -> Result<(), RecordError> {
        let rest = text.get(2..).unwrap_or_default();
        match second {
            b'I' => {
                let mut board = Board::from_start(None).map_err(|problem| line.error(0, problem))?;
                for at in (0..rest.len()).step_by(4) {
                    let (square, kind) = square_and_kind(line, rest, at)?;
                    let square = square.ok_or_else(|| line.error_at(&rest[at..], "expected a square"))?;
                    if board.piece(square).map(Piece::kind) != Some(kind) {
                        return Err(line.error_at(&rest[at..], "expected a piece that stands there"));
                    }
                    board.set(square, None);
                }
                self.board = Some(board);
                Ok(())
            }
            b'1'..=b'9' => self.rank(line, rest, usize::from(second - b'0')),
            b'+' | b'-' => self.pieces(line, rest, if second == b'+' { Color::Black } else { Color::White }),
            _ => Err(line.error_at(text, "expected PI, P1 to P9, P+ or P-")),
        }
    }

    /// `P1-KY-KE ...`, nine cells of three characters; spaces of empty ones may have been lost.
    fn rank(&mut self, line: &Line<'_>, text: &str, rank: usize) -> Result<(), RecordError> {
        let board = self.board.get_or_insert_default();
        let mut rest = text;
        for column in 0..9 {
            let trimmed = rest.trim_start_matches(' ');
            let piece = if let Some(after) = trimmed.strip_prefix('*') {
                rest = after;
                None
            } else if trimmed.is_empty() {
                rest = trimmed;
                None
            } else {
                let color = if trimmed.starts_with('+') { Color::Black } else { Color::White };
                let kind = trimmed.get(1..3).and_then(names::from_csa);
                let kind = kind.filter(|_| trimmed.starts_with(['+', '-'])).ok_or_else(|| {
                    line.error_at(
                        trimmed,
                        format!("expected a cell such as +FU or *, found {}", clip(trimmed)),
                    )
                })?;
                rest = &trimmed[3..];
                Some(Piece::new(color, kind))
            };
            board.set(names::square(9 - column, rank), piece);
        }
        Ok(())
    }

    /// `P+99KY00FU` and `P-00AL`.
    fn pieces(&mut self, line: &Line<'_>, text: &str, color: Color) -> Result<(), RecordError> {
        let board = self.board.get_or_insert_default();
        for at in (0..text.len()).step_by(4) {
            if text.get(at..at + 4) == Some("00AL") {
                for kind in HAND_ORDER {
                    let on_board =
                        |sq: &usize| board.piece(*sq).is_some_and(|piece| piece.kind().base() == kind);
                    let used = (0..SQUARES).filter(on_board).count()
                        + board.in_hand(Color::Black, kind)
                        + board.in_hand(Color::White, kind);
                    board.add_to_hand(color, kind, kind.in_set().saturating_sub(used));
                }
                continue;
            }
            let (square, kind) = square_and_kind(line, text, at)?;
            match square {
                Some(square) => board.set(square, Some(Piece::new(color, kind))),
                None if board.add_to_hand(color, kind, 1) => {}
                None => return Err(line.error_at(&text[at..], "more pieces in hand than a set has")),
            }
        }
        Ok(())
    }

    fn turn(&mut self, line: &Line<'_>, black: bool) -> Result<(), RecordError> {
        let side = if black { Color::Black } else { Color::White };
        if let Some(board) = &mut self.board {
            board.set_side(side);
        } else if side == Color::White {
            return Err(line.error(0, "expected a position (PI or P1) before the side to move"));
        }
        self.walk(line).map(|_| ())
    }

    fn walk(&mut self, line: &Line<'_>) -> Result<&mut Walk, RecordError> {
        if self.walk.is_none() {
            let board = match self.board.take() {
                Some(board) => board,
                None => Board::from_start(None).map_err(|problem| line.error(0, problem))?,
            };
            let mut walk = Walk::new(board);
            let root = walk.record.tree.root();
            walk.record.tree.set_comment(root, std::mem::take(&mut self.comment));
            self.walk = Some(walk);
        }
        self.walk.as_mut().ok_or_else(|| line.error(0, "expected a move"))
    }

    /// `+7776FU`.
    fn mv(&mut self, line: &Line<'_>, text: &str) -> Result<(), RecordError> {
        let walk = self.walk(line)?;
        let side = if text.starts_with('+') { Color::Black } else { Color::White };
        if side != walk.side() {
            let expected = if side == Color::Black { '-' } else { '+' };
            return Err(line.error_at(text, format!("expected a move of {expected}")));
        }
        let squares = text.get(1..5).filter(|squares| squares.bytes().all(|b| b.is_ascii_digit()));
        let kind = text.get(5..7).and_then(names::from_csa);
        let (Some(squares), Some(kind)) = (squares, kind) else {
            return Err(line.error_at(text, format!("expected a move such as +7776FU, found {}", clip(text))));
        };
        let mv = csa_move(&walk.board, squares, kind).map_err(|problem| line.error_at(text, problem))?;
        walk.play(mv, line, text)
    }

    /// `T12` or `T12.345`, of the move before.
    fn time(&mut self, line: &Line<'_>, text: &str) -> Result<(), RecordError> {
        let seconds: f64 = text
            .trim()
            .parse()
            .ok()
            .filter(|seconds| (0.0..4e6).contains(seconds))
            .ok_or_else(|| line.error_at(text, "expected a time in seconds"))?;
        if let Some(walk) = &mut self.walk
            && walk.node != walk.record.tree.root()
        {
            walk.record
                .tree
                .set_time(walk.node, Some(Duration::from_millis((seconds * 1000.0).round() as u64)));
        }
        Ok(())
    }

    fn finish(mut self, line: &Line<'_>) -> Result<Record, RecordError> {
        if !self.told {
            return Err(line.error(0, "expected statements of CSA"));
        }
        let headers = std::mem::take(&mut self.headers);
        self.walk(line)?;
        let mut record = self.walk.map(|walk| walk.record).unwrap_or_default();
        record.headers = headers;
        Ok(record)
    }
}

/// The move that CSA means: it names the piece as it is after the move.
fn csa_move(board: &Board, squares: &str, kind: Kind) -> Result<Move, String> {
    let digit = |at: usize| usize::from(squares.as_bytes()[at] - b'0');
    let square = |at: usize| match (digit(at), digit(at + 1)) {
        (0, 0) => Ok(None),
        (0, _) | (_, 0) => Err(format!("expected a square, found {}", &squares[at..at + 2])),
        (file, rank) => Ok(Some(names::square(file, rank))),
    };
    let to = square(2)?.ok_or("expected a square, found 00")?;
    let Some(from) = square(0)? else {
        if kind.index() >= Kind::HAND {
            return Err(format!("expected a piece that can be in hand, found {}", names::in_csa(kind)));
        }
        return Ok(Move::drop(kind.index(), to));
    };
    if from == to {
        return Err("expected two different squares".into());
    }
    match board.piece(from).map(Piece::kind) {
        Some(before) if before == kind => Ok(Move::board(from, to)),
        Some(before) if before.promoted() == Some(kind) => Ok(Move::promotion(from, to)),
        found => {
            let found = found.map_or("nothing", names::in_csa);
            Err(format!("expected {} on {}, found {found}", names::in_csa(kind), &squares[..2]))
        }
    }
}

/// `77FU`; no square for `00`.
fn square_and_kind(line: &Line<'_>, text: &str, at: usize) -> Result<(Option<usize>, Kind), RecordError> {
    let rest = text.get(at..).unwrap_or_default();
    let wrong =
        || line.error_at(rest, format!("expected a square and a piece such as 77FU, found {}", clip(rest)));
    let &[file, rank, ..] = rest.as_bytes() else { return Err(wrong()) };
    let kind = rest.get(2..4).and_then(names::from_csa).ok_or_else(wrong)?;
    match (file, rank) {
        (b'0', b'0') => Ok((None, kind)),
        (b'1'..=b'9', b'1'..=b'9') => {
            Ok((Some(names::square(usize::from(file - b'0'), usize::from(rank - b'0'))), kind))
        }
        _ => Err(wrong()),
    }
}

pub(super) fn write(record: &Record, version: Version) -> Result<String, WriteError> {
    let mut out = String::new();
    out.push_str(if version == Version::V30 { "'CSA encoding=UTF-8\nV3.0\n" } else { "V2.2\n" });
    let mut board = Board::from_start(record.start.as_deref())?;
    write_headers(&mut out, record, version);
    write_position(&mut out, record, &board);
    let tree = &record.tree;
    comment(&mut out, tree.comment(tree.root()));
    for node in tree.main_line() {
        match tree.action(node) {
            Some(&Action::Move(mv)) => {
                let number = board.made() + 1;
                let wrong = |problem: &str| WriteError::Move { number, problem: problem.into() };
                let piece = board.mover(mv).map_err(wrong)?;
                let kind = piece.kind().promoted().filter(|_| mv.is_promotion()).unwrap_or(piece.kind());
                let sign = if board.side() == Color::Black { '+' } else { '-' };
                let from = if mv.is_drop() { "00".into() } else { square_text(mv.from()) };
                let _ = writeln!(out, "{sign}{from}{}{}", square_text(mv.to()), names::in_csa(kind));
                board.play(mv).map_err(wrong)?;
            }
            Some(Action::End(end)) => match end.csa(board.side()) {
                Some(word) => {
                    let _ = writeln!(out, "%{word}");
                }
                None => {
                    // CSA has no word for it.
                    let _ = writeln!(out, "'{}", end.kif());
                }
            },
            None => {}
        }
        if let Some(time) = tree.time(node) {
            let millis = time.subsec_millis();
            if version == Version::V30 && millis > 0 {
                let _ = writeln!(out, "T{}.{millis:03}", time.as_secs());
            } else {
                let _ = writeln!(out, "T{}", time.as_secs());
            }
        }
        comment(&mut out, tree.comment(node));
    }
    Ok(out)
}

fn square_text(square: usize) -> String {
    format!("{}{}", square / 9 + 1, square % 9 + 1)
}

fn comment(out: &mut String, text: &str) {
    if !text.is_empty() {
        for line in text.split('\n') {
            let _ = writeln!(out, "'*{line}");
        }
    }
}

fn write_headers(out: &mut String, record: &Record, version: Version) {
    let clean = |value: &str| value.replace(['\n', '\r'], " ");
    for (sign, color) in [('+', Color::Black), ('-', Color::White)] {
        if let Some(name) = record.headers.player(color) {
            let _ = writeln!(out, "N{sign}{}", clean(name));
        }
    }
    for (name, value) in record.headers.iter() {
        let mut known = HEADERS.iter().filter(|(_, known)| *known == name);
        // Of two words for a time control, that of the version.
        let word = if version == Version::V30 { known.next_back() } else { known.next() };
        if let Some((word, _)) = word {
            let _ = writeln!(out, "${word}:{}", clean(value));
        }
    }
}

fn write_position(out: &mut String, record: &Record, board: &Board) {
    let sign = if board.side() == Color::Black { '+' } else { '-' };
    if record.start.is_none() {
        out.push_str("PI\n+\n");
        return;
    }
    for rank in 1..=9 {
        let _ = write!(out, "P{rank}");
        for file in (1..=9).rev() {
            match board.piece(names::square(file, rank)) {
                None => out.push_str(" * "),
                Some(piece) => {
                    let sign = if piece.color() == Color::Black { '+' } else { '-' };
                    let _ = write!(out, "{sign}{}", names::in_csa(piece.kind()));
                }
            }
        }
        out.push('\n');
    }
    for (sign, color) in [('+', Color::Black), ('-', Color::White)] {
        let held: Vec<Kind> = HAND_ORDER.into_iter().filter(|&kind| board.in_hand(color, kind) > 0).collect();
        if !held.is_empty() {
            let _ = write!(out, "P{sign}");
            for kind in held {
                let piece = format!("00{}", names::in_csa(kind));
                out.push_str(&piece.repeat(board.in_hand(color, kind)));
            }
            out.push('\n');
        }
    }
    let _ = writeln!(out, "{sign}");
}
