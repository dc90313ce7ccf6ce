//! CSA 2.2 and 3.0, the standard formats of computer shogi.

mod write;

use super::board::{Board, HAND_ORDER};
use super::encoding::Encoding;
use super::end::End;
use super::error::{MoveError, RecordError};
use super::format::{Family, FormatInfo, Sign};
use super::games::{Games, ReadLine};
use super::holds::Holds;
use super::line::Walk;
use super::names;
use super::source::{Line, Source, clip};
use super::summary::Summary;
use super::tree::{Headers, Record};
use sanban_rules::shogi::square::SQUARES;
use sanban_rules::shogi::{Kind, Piece};
use sanban_rules::{Color, Move, VariantId};
use std::time::Duration;
use write::{HEADERS, Version};

/// The rows 1 to 9 as a bit set.
const ALL_ROWS: u16 = 0x3fe;

/// Maximum number of lines of a position.
const POSITION: usize = 40;

static FAMILY: Family = Family {
    text: |_| None,
    first: |byte| b"VNP+-".contains(&byte),
    begins: |line, _| line.trim().len() > 1 && is_csa(line.trim_end()),
    at_once: false,
    braces: false,
    followed: true,
    read: |source, request| request.finish(read(source)),
};

pub(super) static CSA: FormatInfo = FormatInfo {
    names: &[("csa", Encoding::Utf8)],
    extensions: &[],
    suits: |game| game == VariantId::Shogi,
    holds: Holds::all()
        .difference(Holds::VARIATIONS.union(Holds::BOOKMARKS).union(Holds::MILLISECONDS))
        .difference(Holds::ALL_HEADERS.union(Holds::NUMBER)),
    holds_header: |name, _| write::holds_header(name),
    loses: |record| if write::loses_time(record) { Holds::TIMES } else { Holds::empty() },
    between: Some("/\n"),
    streams: true,
    line: |line| is_csa(line).then_some(Sign::Strong),
    family: &FAMILY,
    write: |record, encoding| write::write(record, Version::V22, encoding),
};

pub(super) static CSA3: FormatInfo = FormatInfo {
    names: &[("csa3", Encoding::Utf8)],
    holds: CSA.holds.union(Holds::MILLISECONDS),
    line: |_| None,
    write: |record, encoding| write::write(record, Version::V30, encoding),
    ..CSA
};

fn is_csa(line: &str) -> bool {
    let bytes = line.as_bytes();
    match bytes {
        [b'V', digit, ..] => digit.is_ascii_digit(),
        [b'N', b'+' | b'-', ..] | [b'P', b'I' | b'+' | b'-', ..] => true,
        [b'P', digit, b' ' | b'+' | b'-', ..] => digit.is_ascii_digit(),
        [b'\'', ..] => true,
        [b'$', ..] => line.contains(':'),
        [b'+' | b'-', rest @ ..] => {
            rest.is_empty()
                || rest.len() >= 6
                    && rest[..4].iter().all(u8::is_ascii_digit)
                    && rest[4..6].iter().all(u8::is_ascii_uppercase)
        }
        _ => false,
    }
}

/// Reads one or more games, optionally separated by `/`. An error rejects only the game in which it occurs.
fn read(source: &mut Source<'_>) -> Vec<Result<Record, RecordError>> {
    let mut games = Games::<Game>::default();
    let lines: Vec<Line<'_>> = source.lines().collect();
    for (index, line) in lines.iter().enumerate() {
        let between = line.text.trim() == "/";
        if between || games.game.ends_before(&lines[index..]) {
            games.split(line, source);
        }
        if between {
            source.claim(line.text);
        } else {
            games.line(line, source);
        }
    }
    games.finish(source)
}

#[derive(Default)]
struct Game {
    headers: Headers,
    board: Option<Board>,
    /// The rows of the position that have been read, as a bit set.
    rows: u16,
    /// The line number of the position.
    place: Option<usize>,
    /// The side to move according to `To_Move:`.
    to_move: Option<Color>,
    comment: String,
    walk: Option<Walk>,
    /// Whether anything other than comments has been read.
    told: bool,
    /// The CSA keyword of the end and the winner, which servers write on two lines.
    verdict: (Option<&'static str>, Option<Color>),
    /// Whether a `%MATTA` has been read since the last move. It takes back one or two moves, which the next move shows.
    takes_back: bool,
    /// Whether the next move becomes the main continuation, because it replaces moves that were taken back.
    replaces: bool,
    /// The error for which the game is rejected, if any. The rest of the game is skipped.
    failed: Option<RecordError>,
}

/// The words that 81Dojo and CSA servers write at the end, with the winner, if any, or the CSA keyword of the end.
const SERVER_ENDS: [(&str, Result<Option<Color>, &str>); 14] = [
    ("SENTE_WIN", Ok(Some(Color::Black))),
    ("GOTE_WIN", Ok(Some(Color::White))),
    ("DRAW", Err("HIKIWAKE")),
    ("RESIGN", Err("TORYO")),
    ("TORYO", Err("TORYO")),
    ("TIME_UP", Err("TIME_UP")),
    ("ILLEGAL_MOVE", Err("ILLEGAL_MOVE")),
    ("JISHOGI", Err("JISHOGI")),
    ("KACHI", Err("KACHI")),
    ("DECLARE", Err("KACHI")),
    ("SENNICHITE", Err("SENNICHITE")),
    ("CATCH", Err("SENNICHITE")),
    ("CHUDAN", Err("CHUDAN")),
    ("DISCONNECT", Ok(None)),
];

impl ReadLine for Game {
    fn begun(&self) -> bool {
        self.told
    }

    fn failed(&mut self) -> &mut Option<RecordError> {
        &mut self.failed
    }

    fn line(&mut self, line: &Line<'_>, source: &mut Source<'_>) -> Result<(), RecordError> {
        let text = line.text.trim_start_matches('\u{feff}');
        // A line can have several statements, unless it contains free text.
        if text.starts_with(['\'', 'N', '$', '#']) || text.starts_with("I+") || text.starts_with("I-") {
            return self.statement(line, text.trim_end(), source);
        }
        for part in text.split(',') {
            // Punctuation at the end of a statement is reported, but does not change its meaning.
            let part = part.trim().trim_end_matches(['.', '。', ';', '；']);
            self.statement(line, part, source)?;
        }
        source.claim_commas(text);
        Ok(())
    }

    fn finish(mut self, line: &Line<'_>, source: &mut Source<'_>) -> Result<Record, RecordError> {
        if let Some(error) = self.failed.take() {
            return Err(error);
        }
        if !self.told {
            return Err(line.error(0, "expected CSA statements"));
        }
        let headers = std::mem::take(&mut self.headers);
        self.walk(line)?;
        self.verdict(line, source)?;
        let taken_back = self.takes_back;
        let mut record = self.walk.map(|walk| walk.finish(source)).unwrap_or_default();
        if taken_back {
            source.warn(line, line.text, "%MATTA without a following move is ignored");
        }
        record.headers = headers;
        Ok(record)
    }
}

impl Game {
    fn has_moves(&self) -> bool {
        self.walk.as_ref().is_some_and(|walk| !walk.record.tree.is_empty())
    }

    /// Returns whether the first of these lines begins another game.
    fn ends_before(&self, lines: &[Line<'_>]) -> bool {
        if !self.has_moves() && self.failed.is_none() {
            return false;
        }
        let text = lines[0].text.trim_start_matches('\u{feff}');
        match text.as_bytes() {
            [b'V', digit, ..] => digit.is_ascii_digit(),
            [b'N', b'+' | b'-', ..] => true,
            // A position that is not followed by the side to move may be a remark by the program that wrote the file.
            [b'P', b'I' | b'1', ..] => {
                let mut rest = lines.iter().take(POSITION).map(|line| line.text.trim_end());
                rest.find(|line| !line.starts_with('P')).is_some_and(|line| matches!(line, "+" | "-"))
            }
            [b'$', ..] => text.starts_with("$EVENT:") || text.starts_with("$START_TIME:"),
            _ => false,
        }
    }

    fn statement(&mut self, line: &Line<'_>, text: &str, source: &mut Source<'_>) -> Result<(), RecordError> {
        let mut bytes = text.bytes();
        let (first, second) = (bytes.next(), bytes.next());
        self.told |= first.is_some_and(|first| first != b'\'');
        let understood = match (first, second) {
            (None, _) => true,
            (Some(b'\''), _) => {
                self.remark(line, text, source)?;
                true
            }
            (Some(b'V'), _) => text[1..].starts_with(|c: char| c.is_ascii_digit()) && text.len() < 8,
            (Some(b'N'), Some(sign @ (b'+' | b'-'))) => {
                let name = if sign == b'+' { Headers::BLACK } else { Headers::WHITE };
                text.len() == 2 || self.header(line, name, &text[2..], source)
            }
            // 81Dojo writes the rating, number of games and country of a player in this form.
            (Some(b'I'), Some(sign @ (b'+' | b'-'))) => {
                let name = if sign == b'+' { "先手情報" } else { "後手情報" };
                self.header(line, name, &text[2..], source)
            }
            (Some(b'$'), _) => match text[1..].split_once(':') {
                Some((name, value)) => {
                    let known = HEADERS.iter().find(|(known, _)| *known == name);
                    self.header(line, known.map_or(name, |known| known.1), value, source)
                }
                None => false,
            },
            (Some(b'#'), _) => self.server_end(&text[1..]),
            // Positions after the start of the game are remarks by other programs.
            (Some(b'P'), _) if self.walk.is_some() => false,
            (Some(b'P'), Some(second)) => {
                self.position(line, text, second, source)?;
                true
            }
            (Some(b'+' | b'-'), None) => self.turn(line, first == Some(b'+'))?,
            (Some(b'+' | b'-'), Some(_)) => {
                self.mv(line, text, source)?;
                true
            }
            (Some(b'%'), _) => {
                self.end(line, &text[1..], source)?;
                true
            }
            (Some(b'T'), Some(b'o')) if text.starts_with("To_Move:") => {
                self.to_move = match &text["To_Move:".len()..] {
                    "+" => Some(Color::Black),
                    "-" => Some(Color::White),
                    _ => None,
                };
                self.to_move.is_some()
            }
            (Some(b'T'), _) => self.time(line, &text[1..], source),
            (Some(b'0'..=b'9'), _) if is_csa(&format!("+{text}")) => {
                return Err(line.error_at(text, "expected + or - before the move"));
            }
            _ => false,
        };
        if understood {
            source.claim(text);
        }
        Ok(())
    }

    /// Sets a header; if it already has a different value, adds a warning instead. Always returns true.
    fn header(&mut self, line: &Line<'_>, name: &str, value: &str, source: &mut Source<'_>) -> bool {
        match self.headers.get(name) {
            Some(before) if before != value => {
                source.warn(line, value, format!("{name} is already set to {}: ignored", clip(before)));
            }
            _ => self.headers.set(name, value),
        }
        true
    }

    fn end(&mut self, line: &Line<'_>, word: &str, source: &mut Source<'_>) -> Result<(), RecordError> {
        if word == "MATTA" {
            self.takes_back = true;
            return self.walk(line).map(|_| ());
        }
        let walk = self.walk(line)?;
        let end = End::from_csa(word, walk.side()).unwrap_or_else(|| End::Other(word.into()));
        walk.end(end, line, word, source)
    }

    /// Reads the end as a server writes it, such as `#ILLEGAL_MOVE` or `#SENTE_WIN`. Returns false if the word is
    /// unknown.
    fn server_end(&mut self, word: &str) -> bool {
        match SERVER_ENDS.iter().find(|(known, _)| *known == word) {
            Some((_, Ok(winner))) => self.verdict.1 = winner.or(self.verdict.1),
            Some((_, Err(word))) => self.verdict.0 = Some(word),
            None => return false,
        }
        true
    }

    /// Reads a remark. Comments (`'*`) and other remarks are kept as comments; ratings become headers; `'まで` states an
    /// end for which CSA has no keyword.
    fn remark(&mut self, line: &Line<'_>, text: &str, source: &mut Source<'_>) -> Result<(), RecordError> {
        let text = &text[1..];
        if text.starts_with("CSA encoding=") {
            return Ok(());
        }
        for (word, name) in [("black_rate:", Headers::BLACK_RATE), ("white_rate:", Headers::WHITE_RATE)] {
            if let Some(rate) = text.strip_prefix(word).and_then(|rest| rest.rsplit(':').next()) {
                self.header(line, name, rate, source);
                return Ok(());
            }
        }
        if text.starts_with("まで")
            && let Some(walk) = &mut self.walk
        {
            let summary = Summary::parse(text, walk.side(), [None; 2]);
            if let (Some(end), Some(_)) = (summary.end, summary.moves) {
                walk.end(end, line, text, source)?;
                if summary.says_more {
                    walk.record.tree.add_comment(walk.node, text);
                }
                return Ok(());
            }
        }
        let comment = text.strip_prefix('*').unwrap_or(text);
        match &mut self.walk {
            Some(walk) => walk.record.tree.add_comment(walk.node, comment),
            None if self.comment.is_empty() => comment.clone_into(&mut self.comment),
            None => {
                self.comment.push('\n');
                self.comment.push_str(comment);
            }
        }
        Ok(())
    }

    fn position(
        &mut self,
        line: &Line<'_>,
        text: &str,
        second: u8,
        source: &mut Source<'_>,
    ) -> Result<(), RecordError> {
        let rest = text.get(2..).unwrap_or_default();
        let rows = match second {
            b'I' => ALL_ROWS,
            b'1'..=b'9' => 1 << (second - b'0'),
            _ => 0,
        };
        let before = self.board.clone().filter(|_| self.rows & rows != 0);
        self.rows |= rows;
        self.place.get_or_insert(line.number);
        match second {
            b'I' => {
                let mut board = Board::from_start(None).map_err(|problem| line.error(0, problem))?;
                for at in (0..rest.len()).step_by(4) {
                    let (square, kind) = square_and_kind(line, rest, at)?;
                    let square = square.ok_or_else(|| line.error_at(&rest[at..], "expected a square"))?;
                    if board.piece(square).map(Piece::kind) != Some(kind) {
                        return Err(line.error_at(&rest[at..], "the square does not have this piece"));
                    }
                    board.set(square, None);
                }
                self.board = Some(board);
            }
            b'1'..=b'9' => self.rank(line, rest, usize::from(second - b'0'), source)?,
            b'+' | b'-' => {
                let color = if second == b'+' { Color::Black } else { Color::White };
                self.pieces(line, rest, color, source)?;
            }
            _ => return Err(line.error_at(text, "expected PI, P1 to P9, P+ or P-")),
        }
        if let Some(before) = before {
            if self.board.as_ref().is_some_and(|board| board.sfen() != before.sfen()) {
                return Err(line.error_at(text, "the position is already set to other pieces"));
            }
            source.warn(line, text, "a row of the position is given twice");
        }
        Ok(())
    }

    /// Reads a row such as `P1-KY-KE ...`: nine cells of three characters; the spaces of empty cells may be missing.
    fn rank(
        &mut self,
        line: &Line<'_>,
        text: &str,
        rank: usize,
        source: &mut Source<'_>,
    ) -> Result<(), RecordError> {
        let board = self.board.get_or_insert_default();
        let mut rest = text;
        for column in 0..9 {
            let trimmed = rest.trim_start_matches(' ');
            let piece = if let Some(after) = trimmed.strip_prefix('*') {
                rest = after;
                None
            } else if trimmed.is_empty() {
                let problem = format!("row {rank}: expected nine squares, found {column}");
                return Err(line.error_at(trimmed, problem));
            } else {
                let color = if trimmed.starts_with('+') { Color::Black } else { Color::White };
                let kind = trimmed.get(1..3).and_then(names::from_csa);
                let kind = kind.filter(|_| trimmed.starts_with(['+', '-'])).ok_or_else(|| {
                    line.error_at(
                        trimmed,
                        format!("row {rank}: expected a cell such as +FU or *, found {}", clip(trimmed)),
                    )
                })?;
                rest = &trimmed[3..];
                Some(Piece::new(color, kind))
            };
            board.set(names::square(9 - column, rank), piece);
        }
        let more = rest.trim();
        let problem = format!("row {rank}: expected nine squares, found {}", clip(more));
        if more.contains(['*', '+', '-']) {
            return Err(line.error_at(more, problem));
        }
        if !more.is_empty() {
            source.warn(line, more, problem);
        }
        Ok(())
    }

    /// Reads single pieces, such as `P+99KY00FU`, or all remaining pieces, `P-00AL`.
    fn pieces(
        &mut self,
        line: &Line<'_>,
        text: &str,
        color: Color,
        source: &mut Source<'_>,
    ) -> Result<(), RecordError> {
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
                Some(square) => {
                    let piece = Piece::new(color, kind);
                    match board.piece(square) {
                        Some(before) if before == piece => {
                            source.warn(line, &text[at..], "the square already has this piece");
                        }
                        Some(_) => {
                            return Err(line.error_at(&text[at..], "the square already has another piece"));
                        }
                        None => board.set(square, Some(piece)),
                    }
                }
                None if board.add_to_hand(color, kind, 1) => {}
                None => return Err(line.error_at(&text[at..], "more pieces in hand than a set has")),
            }
        }
        Ok(())
    }

    /// Reads the side to move. Returns false if the game has already begun.
    fn turn(&mut self, line: &Line<'_>, black: bool) -> Result<bool, RecordError> {
        if self.walk.is_some() {
            return Ok(false);
        }
        let side = if black { Color::Black } else { Color::White };
        if let Some(board) = &mut self.board {
            board.set_side(side);
        } else if side == Color::White {
            return Err(line.error(0, "expected a position (PI or P1) before the side to move"));
        }
        self.walk(line).map(|_| true)
    }

    fn walk(&mut self, line: &Line<'_>) -> Result<&mut Walk, RecordError> {
        if self.walk.is_none() {
            let board = match self.board.take() {
                Some(board) => board,
                None => Board::from_start(None).map_err(|problem| line.error(0, problem))?,
            };
            let place = Line { number: self.place.unwrap_or(line.number), text: "" };
            if let Some(row) = (1..=9).find(|row| self.rows != 0 && self.rows & 1 << row == 0) {
                return Err(place.error(0, format!("row P{row} of the position is missing")));
            }
            if self.to_move.is_some_and(|side| side != board.side()) {
                return Err(place.error(0, "To_Move: differs from the side to move of the position"));
            }
            let mut walk = Walk::new(board, &place)?;
            let root = walk.record.tree.root();
            walk.record.tree.set_comment(root, std::mem::take(&mut self.comment));
            self.walk = Some(walk);
        }
        self.walk.as_mut().ok_or_else(|| line.error(0, "expected a move"))
    }

    /// Reads a move: `+7776FU`.
    fn mv(&mut self, line: &Line<'_>, text: &str, source: &mut Source<'_>) -> Result<(), RecordError> {
        let takes_back = std::mem::take(&mut self.takes_back);
        self.replaces |= takes_back;
        let replaces = self.replaces;
        let walk = self.walk(line)?;
        let side = if text.starts_with('+') { Color::Black } else { Color::White };
        if takes_back {
            // If the next move is made by the side to move, two moves have been taken back; otherwise, one move.
            let moves = if side == walk.side() { 2 } else { 1 };
            let left = walk.board.made().checked_sub(moves).filter(|&left| walk.back_to(left));
            left.ok_or_else(|| line.error_at(text, "expected a move before %MATTA"))?;
        }
        if side != walk.side() {
            let expected = if side == Color::Black { '-' } else { '+' };
            return Err(line.error_at(text, format!("expected a move that begins with {expected}")));
        }
        let squares = text.get(1..5).filter(|squares| squares.bytes().all(|b| b.is_ascii_digit()));
        let kind = text.get(5..7).filter(|_| text.len() == 7).and_then(names::from_csa);
        let (Some(squares), Some(kind)) = (squares, kind) else {
            return Err(line.error_at(text, format!("expected a move such as +7776FU, found {}", clip(text))));
        };
        let mv = csa_move(&walk.board, squares, kind).map_err(|problem| line.error_at(text, problem))?;
        walk.play(mv, line, text, source)?;
        if replaces {
            // The game continued here; the moves that were taken back become a variation.
            walk.record.tree.promote(walk.node);
            self.replaces = false;
        }
        Ok(())
    }

    /// Reads the time of the previous move, `T12` or `T12.345`. Returns false if there is no previous move, if it already
    /// has a time, or if this is not a time.
    fn time(&mut self, line: &Line<'_>, text: &str, source: &mut Source<'_>) -> bool {
        let seconds: Option<f64> = text.trim().parse().ok();
        let Some(seconds) = seconds.filter(|seconds| (0.0..4e6).contains(seconds)) else {
            source.warn(line, text, format!("expected a time in seconds, found {}: ignored", clip(text)));
            return true;
        };
        let Some(walk) = self.walk.as_mut().filter(|walk| walk.node != walk.record.tree.root()) else {
            return false;
        };
        if walk.record.tree.time(walk.node).is_some() {
            return false;
        }
        let time = Duration::from_millis((seconds * 1000.0).round() as u64);
        walk.record.tree.set_time(walk.node, Some(time));
        true
    }

    /// Adds the end that a server wrote on two lines.
    fn verdict(&mut self, line: &Line<'_>, source: &mut Source<'_>) -> Result<(), RecordError> {
        let (cause, winner) = self.verdict;
        if cause.is_none() && winner.is_none() {
            return Ok(());
        }
        let walk = self.walk(line)?;
        let side = walk.side();
        let own = winner == Some(side);
        let plain = cause.and_then(|word| End::from_csa(word, side));
        let words = || {
            let name = end_side(winner.unwrap_or(side));
            format!("{name}の勝ち").into()
        };
        let end = match (cause, winner) {
            (Some("ILLEGAL_MOVE"), Some(_)) => {
                if own {
                    End::FoulWin
                } else {
                    End::FoulLoss
                }
            }
            (_, Some(winner)) => match plain {
                Some(end) if end.outcome(side) == super::end::Outcome::Win(winner) => end,
                None if !own => End::Resign,
                _ => End::Won(winner, words()),
            },
            (_, None) => plain.unwrap_or(End::Interrupt),
        };
        walk.end(end, line, line.text, source)
    }
}

/// The name of a side, as in KIF.
fn end_side(color: Color) -> &'static str {
    super::end::side_name(color, false)
}

/// Reads a CSA move, which names the piece after the move.
fn csa_move(board: &Board, squares: &str, kind: Kind) -> Result<Move, MoveError> {
    let digit = |at: usize| usize::from(squares.as_bytes()[at] - b'0');
    let square = |at: usize| match (digit(at), digit(at + 1)) {
        (0, 0) => Ok(None),
        (0, _) | (_, 0) => Err(MoveError::Square(squares[at..at + 2].into())),
        (file, rank) => Ok(Some(names::square(file, rank))),
    };
    let to = square(2)?.ok_or_else(|| MoveError::Square("00".into()))?;
    let Some(from) = square(0)? else {
        if kind.index() >= Kind::HAND {
            return Err(MoveError::NotInHand(names::in_csa(kind)));
        }
        return Ok(Move::drop(kind.index(), to));
    };
    if from == to {
        return Err(MoveError::SameSquare);
    }
    match board.piece(from).map(Piece::kind) {
        Some(before) if before == kind => Ok(Move::board(from, to)),
        Some(before) if before.promoted() == Some(kind) => Ok(Move::promotion(from, to)),
        found => {
            let found = found.map_or("nothing", names::in_csa);
            Err(MoveError::OtherPiece { expected: names::in_csa(kind), square: squares[..2].into(), found })
        }
    }
}

/// Reads a square and a piece, such as `77FU`; the square `00`, a hand, becomes `None`.
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
