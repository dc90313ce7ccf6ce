//! Diagrams of positions, alone (BOD) or at the head of KIF and KI2.

use super::parts;
use crate::record::board::{Board, HAND_ORDER};
use crate::record::end::side_name;
use crate::record::error::RecordError;
use crate::record::handicaps;
use crate::record::names;
use crate::record::source::{Line, Source, clip, trim};
use sanban_rules::Color;
use sanban_rules::shogi::square::{RANKS, SQUARES};
use sanban_rules::shogi::{Kind, Piece, START};
use std::fmt::Write as _;

/// The diagram and the handicap that have been read so far.
#[derive(Debug, Default)]
pub(in crate::record) struct Diagram {
    /// The name of the handicap and its SFEN, if its position is known, with the line and column.
    handicap: Option<(String, Option<&'static str>, usize, usize)>,
    /// The board with the ranks that have been read.
    board: Option<Board>,
    /// The line number of each rank that has been read.
    rows: Vec<usize>,
    /// The hand of each side, if it has been read.
    hands: [Option<Vec<(Kind, usize)>>; 2],
    side: Option<Color>,
    ply: Option<usize>,
    /// Whether the sides have the names of handicap games, 下手 and 上手.
    odds: bool,
    /// Destination of the last move, if it has been read.
    pub last: Option<usize>,
}

impl Diagram {
    /// Returns whether anything has been read.
    pub fn told(&self) -> bool {
        let hands = self.hands.iter().any(Option::is_some);
        let named = self.handicap.as_ref().is_some_and(|handicap| handicap.1.is_some());
        named || self.board.is_some() || hands || self.side.is_some() || self.ply.is_some()
    }

    pub fn has_board(&self) -> bool {
        self.board.is_some()
    }

    pub fn is_named(&self) -> bool {
        self.handicap.is_some()
    }

    /// Returns whether a line begins another diagram, after this one is complete.
    pub fn begins_anew(&self, text: &str) -> bool {
        let complete = self.rows.len() == RANKS;
        complete && self.hands[1].is_some() && hand_of(text).is_some_and(|(color, ..)| color == Color::White)
    }

    /// Sets the side to move from the first move, unless the diagram states it.
    pub fn moved_by(&mut self, side: Color) {
        if self.board.is_some() {
            self.side.get_or_insert(side);
        }
    }

    /// Sets the side to move to the owner of the piece on the origin of the first move, unless the diagram states it.
    pub fn moved_from(&mut self, square: usize) {
        if let Some(piece) = self.board.as_ref().and_then(|board| board.piece(square)) {
            self.moved_by(piece.color());
        }
    }

    /// Records that the players have the names of handicap games.
    pub fn gives_odds(&mut self) {
        self.odds = true;
    }

    /// Chooses the position of a handicap with two meanings according to the place where the game was played.
    pub fn played_at(&mut self, site: &str) {
        if let Some((_, sfen @ Some(_), ..)) = self.handicap.as_mut().filter(|_| site.contains("lishogi"))
            && *sfen == handicaps::named("三枚落ち")
        {
            *sfen = Some(handicaps::LISHOGI_THREE);
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
        if !text.starts_with(['手', '先', '後', '下', '上']) {
            return Ok(false);
        }
        if let Some(value) = after(text, "手合割") {
            // The players may follow on the same line.
            let (_, value, rest) = parts::header(text).unwrap_or(("", value, ""));
            let sfen = handicaps::named(value);
            if handicaps::is_other_game(value) {
                let problem = format!("{} is another game: only shogi is supported", clip(value));
                return Err(line.error_at(value, problem));
            }
            let place = line.error_at(value, "");
            match &self.handicap {
                Some((name, before, ..)) if *before != sfen || sfen.is_none() && *name != clip(value) => {
                    return Err(line.error_at(value, format!("手合割 is already set to {name}")));
                }
                Some(_) => {}
                None => self.handicap = Some((clip(value), sfen, place.line, place.column)),
            }
            source.claim_until(line, rest);
            return Ok(true);
        }
        if let Some((color, odds, value)) = hand_of(text) {
            let pieces = hand(line, value)?;
            self.odds |= odds;
            match &self.hands[color.index()] {
                Some(before) if *before != pieces => {
                    return Err(line.error_at(value, "the hand of this side is already set to other pieces"));
                }
                _ => self.hands[color.index()] = Some(pieces),
            }
            source.claim(line.text);
            return Ok(true);
        }
        let turn = after(text, "手番").map(|value| trim(value.trim_end_matches('番')));
        for (name, color) in
            [("先手", Color::Black), ("下手", Color::Black), ("後手", Color::White), ("上手", Color::White)]
        {
            let is_turn = text.strip_prefix(name).is_some_and(|rest| rest.trim_end() == "番")
                || turn.is_some_and(|turn| turn == name);
            if is_turn {
                self.turn(color, line, text)?;
                source.claim(line.text);
                return Ok(true);
            }
        }
        if let Some(rest) = text.strip_prefix("手数＝").or_else(|| text.strip_prefix("手数=")) {
            let rest = self.count(rest.trim_start(), line)?;
            source.claim_until(line, rest);
            return Ok(true);
        }
        Ok(false)
    }

    fn turn(&mut self, color: Color, line: &Line<'_>, at: &str) -> Result<(), RecordError> {
        let same = *self.side.get_or_insert(color) == color;
        if same {
            Ok(())
        } else {
            Err(line.error_at(at, "the side to move is already set to the other side"))
        }
    }

    /// Reads the text after `手数＝`, as in `手数＝27  ▲７六歩  まで`. Returns the unrecognised rest.
    fn count<'t>(&mut self, text: &'t str, line: &Line<'_>) -> Result<&'t str, RecordError> {
        let (count, rest) = names::read_count(text);
        self.ply = Some(count.min(1_000_000)).filter(|_| rest.len() < text.len());
        let mut rest = rest.trim_start_matches(['手', ' ', '　']);
        if let Some(color) = rest.chars().next().and_then(names::from_mark) {
            self.turn(!color, line, rest)?;
            let mut chars = rest.chars();
            chars.next();
            rest = chars.as_str();
            self.last = names::destination(rest).map(|(square, _)| square);
            if let Ok((_, after)) = super::spoken::Spoken::parse(rest, self.last) {
                rest = after.trim_start_matches([' ', '　']);
            }
        }
        Ok(rest.strip_prefix("まで").unwrap_or(rest))
    }

    /// Reads a rank of the diagram: `| ・v香 ・|一`.
    fn row(&mut self, line: &Line<'_>, text: &str, source: &mut Source<'_>) -> Result<(), RecordError> {
        let rank = self.rows.len();
        if rank >= RANKS {
            return Err(line.error_at(text, "expected nine rows of a diagram, found more"));
        }
        let board = self.board.get_or_insert_with(Board::empty);
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
        // The label of the rank follows the row.
        let name = label.trim_start_matches([' ', '　']);
        let digit = name.chars().next().and_then(names::digit);
        if column != 9 {
            let end = &inner[inner.len() - label.len()..];
            let problem = format!("row {} of the diagram: expected nine squares, found {column}", rank + 1);
            return Err(line.error_at(end, problem));
        }
        if let Some(digit) = digit.filter(|&digit| digit != rank + 1) {
            return Err(
                line.error_at(name, format!("expected row {} of the diagram, found {digit}", rank + 1))
            );
        }
        self.rows.push(line.number);
        let rest =
            if digit.is_some() { &name[name.chars().next().map_or(0, char::len_utf8)..] } else { label };
        source.claim_until(line, if label.is_empty() { &line.text[line.text.len()..] } else { rest });
        Ok(())
    }

    /// The start position.
    ///
    /// # Errors
    /// The diagram is incomplete, the pieces are more than a set, the handicap has no known position, or the handicap and
    /// the diagram differ.
    pub fn board(&self, line: &Line<'_>) -> Result<Board, RecordError> {
        let at = |line: usize, problem: String| RecordError { line, column: 1, problem };
        let named = match &self.handicap {
            Some((_, Some(sfen), ..)) => Some(*sfen),
            Some((name, None, line, column)) if self.board.is_none() => {
                let problem = format!("the handicap {name} has no known position: expected a diagram");
                return Err(RecordError { line: *line, column: *column, problem });
            }
            _ => None,
        };
        let start = Board::from_start(named).map_err(|problem| line.error(0, problem))?;
        let mut board = self.board.clone().unwrap_or_else(|| start.clone());
        if let (Some(&last), 1..RANKS) = (self.rows.last(), self.rows.len()) {
            let problem = format!("expected nine rows of a diagram, found {}", self.rows.len());
            return Err(at(last, problem));
        }
        if self.hands.iter().all(Option::is_none) {
            for (color, kind) in Color::ALL.into_iter().flat_map(|color| HAND_ORDER.map(|kind| (color, kind)))
            {
                board.add_to_hand(color, kind, start.in_hand(color, kind) - board.in_hand(color, kind));
            }
        }
        for (color, hand) in Color::ALL.into_iter().zip(&self.hands) {
            if let Some(hand) = hand.as_ref().filter(|_| self.board.is_none()) {
                let same = |kind| {
                    hand.iter().filter(|(held, _)| *held == kind).map(|(_, count)| count).sum::<usize>()
                        == start.in_hand(color, kind)
                };
                if !HAND_ORDER.into_iter().all(same) {
                    return Err(
                        line.error(0, "the pieces in hand are not those of the handicap: expected a diagram")
                    );
                }
                continue;
            }
            for &(kind, count) in hand.iter().flatten() {
                if !board.add_to_hand(color, kind, count) {
                    let name = names::in_moves(kind);
                    return Err(line.error(0, format!("more {name} in hand than a full set has")));
                }
            }
        }
        if let Some(&first) = self.rows.first() {
            if let Some(problem) = board.surplus() {
                return Err(at(first, problem));
            }
            // Positions that are not from a handicap are often headed 平手, and diagrams of later positions by the
            // handicap of their game.
            let odds = named.filter(|&sfen| sfen != START && self.ply.unwrap_or(0) == 0);
            let same = |square: usize| board.piece(square) == start.piece(square);
            if let Some(square) = odds.and_then(|_| (0..SQUARES).find(|&square| !same(square))) {
                let (name, row) = (self.handicap.as_ref().map_or("", |handicap| &handicap.0), square % 9);
                let square: String = names::square_name(square).iter().collect();
                let problem = format!("the diagram differs from the handicap {name} on {square}");
                return Err(at(self.rows[row], problem));
            }
            // In handicap games, 上手 moves first.
            let first = named.filter(|_| odds.is_some()).map(|_| start.side());
            let even = named == Some(START);
            let side = if self.odds && !even { Color::White } else { Color::Black };
            board.set_side(first.unwrap_or(side));
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
    if let Some((color, _, value)) = hand_of(&text) {
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
    // A handicap without a known position agrees with any position that is not a handicap, and 平手 with any position
    // that is not from a handicap.
    let handicap = handicaps::of_start(start.as_deref());
    Some(match (handicaps::named(value), handicap) {
        (Some(START), None) | (None, None) => true,
        (sfen, handicap) => handicap.map(|handicap| handicap.sfen) == sfen,
    })
}

/// The side whose hand a line contains, whether it has its name in handicap games, and the text of the hand.
fn hand_of(text: &str) -> Option<(Color, bool, &str)> {
    let first = text.chars().next()?;
    let (color, odds) = match first {
        '先' => (Color::Black, false),
        '下' => (Color::Black, true),
        '後' => (Color::White, false),
        '上' => (Color::White, true),
        _ => return None,
    };
    let rest = &text[first.len_utf8()..];
    let value = ["手の持駒", "手の持ち駒", "手持駒"].iter().find_map(|word| after(rest, word))?;
    Some((color, odds, value))
}

/// The value of the header at the beginning of `text`, if it has this name.
fn after<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let rest = text.strip_prefix(name)?.trim_start_matches([' ', '　']);
    rest.strip_prefix('：').or_else(|| rest.strip_prefix(':'))
}

/// Reads the pieces in hand: `飛　角　金二　歩十八` or `なし`.
fn hand(line: &Line<'_>, text: &str) -> Result<Vec<(Kind, usize)>, RecordError> {
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
        let kind = names::from_char(first).filter(|kind| kind.index() < Kind::HAND);
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
