//! Diagrams of positions, alone (BOD) or at the head of KIF and KI2.

use super::board::{Board, HAND_ORDER};
use super::end::side_name;
use super::error::{Line, RecordError, clip};
use super::names;
use sanban_rules::Color;
use sanban_rules::shogi::Piece;
use std::fmt::Write as _;

/// What the lines of a diagram and the name of a handicap have told so far.
#[derive(Debug, Default)]
pub struct Diagram {
    /// The position of a handicap's name.
    handicap: Option<&'static str>,
    /// The handicap has no name of its own.
    other: bool,
    /// The rows read, and how many.
    rows: Option<(Board, usize)>,
    /// What each side has in hand, if that is told.
    hands: [Option<Vec<(sanban_rules::shogi::Kind, usize)>>; 2],
    side: Option<Color>,
    ply: Option<usize>,
    /// Destination of the move that led here, if that is told.
    pub last: Option<usize>,
}

impl Diagram {
    /// Has anything been told?
    pub fn told(&self) -> bool {
        let hands = self.hands.iter().any(Option::is_some);
        self.handicap.is_some() || self.rows.is_some() || hands || self.side.is_some() || self.ply.is_some()
    }

    /// Takes a line of a diagram; false when it is none.
    pub fn line(&mut self, line: &Line<'_>, text: &str) -> Result<bool, RecordError> {
        if text.starts_with('|') || text.starts_with('｜') {
            return self.row(line, text).map(|()| true);
        }
        if text.starts_with("+--") || text.starts_with("９") {
            return Ok(true);
        }
        if let Some(value) = after(text, "手合割") {
            self.handicap = names::handicap(value);
            self.other = self.handicap.is_none();
            return Ok(true);
        }
        for (first, color) in
            [('先', Color::Black), ('下', Color::Black), ('後', Color::White), ('上', Color::White)]
        {
            let Some(rest) = text.strip_prefix(first) else { continue };
            if rest.trim_end() == "手番" {
                self.side = Some(color);
                return Ok(true);
            }
            let value = ["手の持駒", "手の持ち駒", "手持駒"].iter().find_map(|word| after(rest, word));
            if let Some(value) = value {
                self.hands[color.index()] = Some(hand(line, value)?);
                return Ok(true);
            }
        }
        if let Some(rest) = text.strip_prefix("手数＝").or_else(|| text.strip_prefix("手数=")) {
            self.count(rest.trim_start());
            return Ok(true);
        }
        Ok(false)
    }

    /// `手数＝27  ▲７六歩  まで`.
    fn count(&mut self, text: &str) {
        let (count, rest) = names::read_count(text);
        self.ply = Some(count.min(1_000_000)).filter(|_| rest.len() < text.len());
        let rest = rest.trim_start_matches(['手', ' ', '　']);
        if let Some(color) = rest.chars().next().and_then(names::from_mark) {
            self.side.get_or_insert(!color);
            let mut chars = rest.chars();
            chars.next();
            self.last = names::destination(chars.as_str()).map(|(square, _)| square);
        }
    }

    /// `| ・v香 ・|一`.
    fn row(&mut self, line: &Line<'_>, text: &str) -> Result<(), RecordError> {
        let board = self.handicap.map_or_else(|| Ok(Board::empty()), Board::from_sfen);
        let board = board.map_err(|problem| line.error_at(text, problem))?;
        let (board, count) = self.rows.get_or_insert((board, 0));
        if *count >= 9 {
            return Err(line.error_at(text, "expected nine rows, found another one"));
        }
        let rank = *count;
        let inner = text.trim_start_matches(['|', '｜']);
        let mut chars = inner.char_indices().peekable();
        let (mut column, mut color) = (0, Color::Black);
        for (at, c) in chars.by_ref() {
            let piece = match c {
                '|' | '｜' => break,
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
                return Err(line.error_at(&inner[at..], "expected nine squares in a row, found more"));
            }
            board.set(names::square(9 - column, rank + 1), piece);
            column += 1;
            color = Color::Black;
        }
        if column != 9 {
            return Err(line.error_at(text, format!("expected nine squares in a row, found {column}")));
        }
        *count += 1;
        Ok(())
    }

    /// The position that was told.
    ///
    /// # Errors
    ///
    /// The diagram is not complete.
    pub fn board(&self, line: &Line<'_>) -> Result<Board, RecordError> {
        let start = match &self.rows {
            Some((board, 9)) => Ok(board.clone()),
            Some((_, count)) => {
                return Err(line.error(0, format!("expected nine rows of a diagram, found {count}")));
            }
            None => Board::from_start(self.handicap),
        };
        let mut board = start.map_err(|problem| line.error(0, problem))?;
        for (color, hand) in Color::ALL.into_iter().zip(&self.hands) {
            for &(kind, count) in hand.iter().flatten() {
                if !board.add_to_hand(color, kind, count) {
                    let name = names::in_moves(kind);
                    return Err(line.error(0, format!("a hand has more of {name} than a set")));
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

/// The value of a header.
fn after<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let rest = text.strip_prefix(name)?.trim_start_matches([' ', '　']);
    rest.strip_prefix('：').or_else(|| rest.strip_prefix(':'))
}

/// `飛　角　金二　歩十八` or `なし`.
fn hand(line: &Line<'_>, text: &str) -> Result<Vec<(sanban_rules::shogi::Kind, usize)>, RecordError> {
    let mut out = Vec::new();
    let mut rest = text.trim_matches([' ', '　', '\t']);
    if rest.starts_with("なし") || rest.starts_with("無し") {
        return Ok(out);
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

/// The lines of a diagram: white's hand, board, black's hand, and whose turn it is.
pub(super) fn lines_of(board: &Board, odds: bool) -> String {
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
