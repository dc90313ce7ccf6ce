//! Diagrams of positions, alone (BOD) or at the head of KIF and KI2.

use super::parts;
use crate::record::board::{Board, HAND_ORDER};
use crate::record::end::side_name;
use crate::record::error::RecordError;
use crate::record::names;
use crate::record::source::{Line, Source, clip, trim};
use sanban_rules::Color;
use sanban_rules::shogi::Piece;
use std::fmt::Write as _;

/// The diagram and the handicap that have been read so far.
#[derive(Debug, Default)]
pub(in crate::record) struct Diagram {
    /// SFEN of the named handicap.
    handicap: Option<&'static str>,
    /// The name of a handicap without a known position, with its line and column.
    unknown: Option<(String, usize, usize)>,
    /// The board with the ranks that have been read, and their number.
    rows: Option<(Board, usize)>,
    /// The hand of each side, if it has been read.
    hands: [Option<Vec<(sanban_rules::shogi::Kind, usize)>>; 2],
    side: Option<Color>,
    ply: Option<usize>,
    /// Destination of the last move, if it has been read.
    pub last: Option<usize>,
}

impl Diagram {
    /// Returns whether anything has been read.
    pub fn told(&self) -> bool {
        let hands = self.hands.iter().any(Option::is_some);
        self.handicap.is_some() || self.rows.is_some() || hands || self.side.is_some() || self.ply.is_some()
    }

    /// Returns whether a line begins another diagram, after this one is complete.
    pub fn begins_anew(&self, text: &str) -> bool {
        let complete = self.rows.as_ref().is_some_and(|(_, count)| *count == 9);
        complete && self.hands[1].is_some() && hand_of(text).is_some_and(|(color, _)| color == Color::White)
    }

    /// The number of rows that have been read, if the diagram is incomplete.
    pub fn rows_of_part(&self) -> Option<usize> {
        self.rows.as_ref().map(|(_, count)| *count).filter(|&count| count < 9)
    }

    /// The error if the start position is unknown because the handicap has no known position and no diagram has been
    /// read.
    pub fn unknown(&self) -> Option<RecordError> {
        let (name, line, column) = self.unknown.as_ref().filter(|_| self.rows.is_none())?;
        let problem = format!("the handicap {name} has no known position: expected a diagram");
        Some(RecordError { line: *line, column: *column, problem })
    }

    /// Sets the side to move from the mark of the first move, unless the diagram states it.
    pub fn moved_by(&mut self, side: Color) {
        if self.rows.is_some() {
            self.side.get_or_insert(side);
        }
    }

    /// Reads a line. Returns false if it does not belong to a diagram.
    pub fn line(
        &mut self,
        line: &Line<'_>,
        text: &str,
        source: &mut Source<'_>,
    ) -> Result<bool, RecordError> {
        if text.starts_with('|') || text.starts_with('｜') {
            return self.row(line, text, source).map(|()| true);
        }
        if text.starts_with("+--") || text.starts_with('９') {
            let frame = text.chars().all(|c| "+-|　 ".contains(c) || names::wide_digit(c).is_some());
            if frame {
                source.claim(line.text);
            }
            return Ok(frame);
        }
        if let Some(value) = after(text, "手合割") {
            // The players may follow on the same line.
            let (_, value, rest) = parts::header(text).unwrap_or(("", value, ""));
            let handicap = names::handicap(value);
            let unknown = self.unknown.as_ref().map(|(name, ..)| name.as_str());
            let is_first = self.handicap.is_none() && unknown.is_none();
            if !is_first && (self.handicap != handicap || unknown.is_some_and(|name| name != clip(value))) {
                source.warn(line, text, "手合割 is already set to a different handicap: ignored");
            } else {
                self.handicap = handicap;
                if handicap.is_none() {
                    let error = line.error_at(value, "");
                    self.unknown = Some((clip(value), error.line, error.column));
                }
            }
            source.claim_until(line, rest);
            return Ok(true);
        }
        if let Some((color, value)) = hand_of(text) {
            let pieces = hand(line, value)?;
            match &self.hands[color.index()] {
                Some(before) if *before != pieces => {
                    source.warn(line, text, "the hand of this side is already set to other pieces: ignored");
                }
                _ => self.hands[color.index()] = Some(pieces),
            }
            source.claim(line.text);
            return Ok(true);
        }
        for (name, color) in
            [("先手", Color::Black), ("下手", Color::Black), ("後手", Color::White), ("上手", Color::White)]
        {
            let is_turn = text.strip_prefix(name).is_some_and(|rest| rest.trim_end() == "番")
                || after(text, "手番").is_some_and(|value| trim(value.trim_end_matches('番')) == name);
            if is_turn {
                self.turn(color, line, text, source);
                source.claim(line.text);
                return Ok(true);
            }
        }
        if let Some(rest) = text.strip_prefix("手数＝").or_else(|| text.strip_prefix("手数=")) {
            let rest = self.count(rest.trim_start(), line, source);
            source.claim_until(line, rest);
            return Ok(true);
        }
        Ok(false)
    }

    /// Sets the side to move, unless it is already known.
    fn turn(&mut self, color: Color, line: &Line<'_>, at: &str, source: &mut Source<'_>) {
        if *self.side.get_or_insert(color) != color {
            source.warn(line, at, "the side to move is already set to the other side: ignored");
        }
    }

    /// Reads the text after `手数＝`, as in `手数＝27  ▲７六歩  まで`. Returns the unrecognised rest.
    fn count<'t>(&mut self, text: &'t str, line: &Line<'_>, source: &mut Source<'_>) -> &'t str {
        let (count, rest) = names::read_count(text);
        self.ply = Some(count.min(1_000_000)).filter(|_| rest.len() < text.len());
        let mut rest = rest.trim_start_matches(['手', ' ', '　']);
        if let Some(color) = rest.chars().next().and_then(names::from_mark) {
            self.turn(!color, line, rest, source);
            let mut chars = rest.chars();
            chars.next();
            rest = chars.as_str();
            self.last = names::destination(rest).map(|(square, _)| square);
            if let Ok((_, after)) = super::spoken::Spoken::parse(rest, self.last) {
                rest = after.trim_start_matches([' ', '　']);
            }
        }
        rest.strip_prefix("まで").unwrap_or(rest)
    }

    /// Reads a rank of the diagram: `| ・v香 ・|一`.
    fn row(&mut self, line: &Line<'_>, text: &str, source: &mut Source<'_>) -> Result<(), RecordError> {
        let board = self.handicap.map_or_else(|| Ok(Board::empty()), Board::from_sfen);
        let board = board.map_err(|problem| line.error_at(text, problem))?;
        let (board, count) = self.rows.get_or_insert((board, 0));
        if *count >= 9 {
            return Err(line.error_at(text, "expected nine rows of a diagram, found more"));
        }
        let rank = *count;
        let inner = text.trim_start_matches(['|', '｜']);
        let mut chars = inner.char_indices().peekable();
        let (mut column, mut color) = (0, Color::Black);
        let mut label = "";
        for (at, c) in chars.by_ref() {
            let piece = match c {
                '|' | '｜' => {
                    label = &inner[at + c.len_utf8()..];
                    break;
                }
                ' ' => continue,
                'v' | 'V' | 'ｖ' => {
                    color = Color::White;
                    continue;
                }
                '^' => continue,
                '・' | '　' | '.' | '･' | '．' => None,
                _ => {
                    let kind = names::from_char(c);
                    let kind = kind.ok_or_else(|| {
                        line.error_at(
                            &inner[at..],
                            format!("expected a piece or ・, found {}", clip(&inner[at..])),
                        )
                    })?;
                    Some(Piece::new(color, kind))
                }
            };
            if column >= 9 {
                return Err(line.error_at(&inner[at..], "expected nine squares per row, found more"));
            }
            board.set(names::square(9 - column, rank + 1), piece);
            column += 1;
            color = Color::Black;
        }
        if column != 9 {
            return Err(line.error_at(text, format!("expected nine squares per row, found {column}")));
        }
        *count += 1;
        // The label of the rank follows the row.
        let rank = label.trim_start_matches([' ', '　']);
        let rest = match rank.chars().next().and_then(names::digit) {
            Some(digit) if digit == *count => &rank[rank.chars().next().map_or(0, char::len_utf8)..],
            _ => label,
        };
        source.claim_until(line, if label.is_empty() { &line.text[line.text.len()..] } else { rest });
        Ok(())
    }

    /// The position that was read; missing rows are empty.
    ///
    /// # Errors
    ///
    /// A hand has more pieces than a set.
    pub fn board(&self, line: &Line<'_>) -> Result<Board, RecordError> {
        let start = match &self.rows {
            Some((board, _)) => Ok(board.clone()),
            None => Board::from_start(self.handicap),
        };
        let mut board = start.map_err(|problem| line.error(0, problem))?;
        for (color, hand) in Color::ALL.into_iter().zip(&self.hands) {
            for &(kind, count) in hand.iter().flatten() {
                if !board.add_to_hand(color, kind, count) {
                    let name = names::in_moves(kind);
                    return Err(line.error(0, format!("more {name} in hand than a full set has")));
                }
            }
        }
        if let Some(side) = self.side {
            board.set_side(side);
        }
        if let Some(ply) = self.ply {
            board.set_ply(ply);
        }
        Ok(board)
    }
}

/// Returns whether a line is a header that determines the position.
pub(in crate::record) fn is_header(text: &str) -> bool {
    ["手合割", "手番"].iter().any(|name| after(text, name).is_some()) || hand_of(text).is_some()
}

/// Returns whether a header that determines the position agrees with `board`; `None` for other headers.
pub(in crate::record) fn agrees(name: &str, value: &str, board: &Board) -> Option<bool> {
    let text = format!("{name}：{value}");
    if !is_header(&text) {
        return None;
    }
    let line = Line { number: 1, text: &text };
    if let Some((color, value)) = hand_of(&text) {
        let mut found = Board::empty();
        let pieces = hand(&line, value).unwrap_or_default();
        let fits = pieces.into_iter().all(|(kind, count)| found.add_to_hand(color, kind, count));
        let same = |kind| found.in_hand(color, kind) == board.in_hand(color, kind);
        return Some(fits && HAND_ORDER.into_iter().all(same));
    }
    let value = trim(value);
    if name == "手番" {
        let names = [false, true].map(|odds| side_name(board.side(), odds));
        return Some(names.contains(&value.trim_end_matches('番')));
    }
    let start = board.start();
    let named = names::handicap_name(start.as_deref());
    // A handicap without a known position agrees with any position that is not a named handicap.
    let fits =
        names::handicap(value).map_or(named.is_none(), |sfen| named.and_then(names::handicap) == Some(sfen));
    Some(fits)
}

/// The side whose hand a line contains, and the text of the hand.
fn hand_of(text: &str) -> Option<(Color, &str)> {
    let sides = [('先', Color::Black), ('下', Color::Black), ('後', Color::White), ('上', Color::White)];
    let (rest, color) = sides.iter().find_map(|&(first, color)| Some((text.strip_prefix(first)?, color)))?;
    let value = ["手の持駒", "手の持ち駒", "手持駒"].iter().find_map(|word| after(rest, word))?;
    Some((color, value))
}

/// The value of the header at the beginning of `text`, if it has this name.
fn after<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let rest = text.strip_prefix(name)?.trim_start_matches([' ', '　']);
    rest.strip_prefix('：').or_else(|| rest.strip_prefix(':'))
}

/// Reads the pieces in hand: `飛　角　金二　歩十八` or `なし`.
fn hand(line: &Line<'_>, text: &str) -> Result<Vec<(sanban_rules::shogi::Kind, usize)>, RecordError> {
    let mut out = Vec::new();
    let mut rest = text.trim_matches([' ', '　', '\t']);
    if let Some(nothing) = rest.strip_prefix("なし").or_else(|| rest.strip_prefix("無し")) {
        let more = nothing.trim_matches([' ', '　', '\t']);
        let more = Some(more).filter(|more| !more.is_empty());
        return more.map_or(Ok(out), |more| {
            Err(line.error_at(more, format!("expected the end of the line, found {}", clip(more))))
        });
    }
    while let Some(first) = rest.chars().next() {
        let kind = names::from_char(first).filter(|kind| kind.index() < sanban_rules::shogi::Kind::HAND);
        let kind = kind
            .ok_or_else(|| line.error_at(rest, format!("expected a piece in hand, found {}", clip(rest))))?;
        let (count, after) = names::read_count(&rest[first.len_utf8()..]);
        out.push((kind, count));
        rest = after.trim_start_matches([' ', '　', '\t', '枚']);
    }
    Ok(out)
}

/// The lines of a diagram: white's hand, board, black's hand, and the side to move.
pub(in crate::record) fn lines_of(board: &Board, odds: bool) -> String {
    let mut out = String::new();
    let hand = |color: Color| {
        let mut text = String::new();
        for kind in HAND_ORDER {
            let count = board.in_hand(color, kind);
            if count > 0 {
                text.push(names::on_board(kind));
                if count > 1 {
                    text.push_str(&names::count(count));
                }
                text.push('　');
            }
        }
        if text.is_empty() { "なし".into() } else { text }
    };
    let _ = writeln!(out, "{}の持駒：{}", side_name(Color::White, odds), hand(Color::White));
    out.push_str("  ９ ８ ７ ６ ５ ４ ３ ２ １\n+---------------------------+\n");
    for rank in 1..=9 {
        out.push('|');
        for file in (1..=9).rev() {
            out.extend(names::cell(board.piece(names::square(file, rank))));
        }
        let _ = writeln!(out, "|{}", names::KANJI[rank - 1]);
    }
    out.push_str("+---------------------------+\n");
    let _ = writeln!(out, "{}の持駒：{}", side_name(Color::Black, odds), hand(Color::Black));
    if board.ply() > 0 {
        let _ = writeln!(out, "手数＝{}", board.ply());
    }
    if board.side() == Color::White || board.ply() > 0 {
        let _ = writeln!(out, "{}番", side_name(board.side(), odds));
    }
    out
}
