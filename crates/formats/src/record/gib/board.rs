//! Boards of Janggi in this format, as in `[판 "차마상사1사상마차/4장/…/車馬象士1士象馬車 초"]`.

use crate::record::error::RecordError;
use crate::record::source::{Line, clip, is_blank};
use sanban_rules::Color;
use std::fmt::Write as _;

pub(super) const RANKS: usize = 10;
const FILES: usize = 9;
/// The names of the pieces in diagrams, by letter, for black and white.
const ON_BOARD: [(char, [char; 2]); 7] = [
    ('K', ['將', '장']),
    ('A', ['士', '사']),
    ('R', ['車', '차']),
    ('C', ['包', '포']),
    ('N', ['馬', '마']),
    ('B', ['象', '상']),
    ('P', ['兵', '졸']),
];

/// The letter of the piece with this name, in Chinese or Korean characters.
pub(super) fn letter_of(name: char) -> Option<char> {
    Some(match name {
        '楚' | '漢' | '將' | '帥' | '초' | '한' | '장' | '궁' | '왕' => 'K',
        '士' | '사' => 'A',
        '車' | '차' => 'R',
        '包' | '砲' | '포' => 'C',
        '馬' | '마' => 'N',
        '象' | '상' => 'B',
        '卒' | '兵' | '졸' | '병' => 'P',
        _ => return None,
    })
}

/// The diagram of the start position in the header `판`.
pub(super) struct Diagram<'a> {
    /// The rows as in SFEN.
    pub rows: String,
    /// The side to move.
    pub side: Option<Color>,
    line: Line<'a>,
    text: &'a str,
}

impl<'a> Diagram<'a> {
    /// Reads a diagram such as `차마상사1사상마차/4장/… 초 접장기`: the rows from the top, where Han's pieces have Korean
    /// and Cho's Chinese names, then the side to move. Some programs write Cho's pieces at the top, with Korean names.
    pub fn read(line: &Line<'a>, text: &'a str) -> Result<Self, RecordError> {
        let (board, rest) = text.trim().split_once(is_blank).unwrap_or((text.trim(), ""));
        let mut rows = Vec::new();
        for (number, row) in board.split('/').enumerate() {
            let (mut out, mut count, mut empty) = (String::new(), 0, 0);
            for (at, c) in row.char_indices() {
                let wrong = |what: &str| {
                    let found = clip(&row[at..]);
                    line.error_at(
                        &row[at..],
                        format!("row {} of the board: expected {what}, found {found}", number + 1),
                    )
                };
                if let Some(gap) = c.to_digit(10).filter(|&gap| gap > 0) {
                    (count, empty) = (count + gap as usize, empty + gap);
                } else {
                    let letter = letter_of(c).ok_or_else(|| wrong("a piece or a number of empty squares"))?;
                    let han = ('가'..='힣').contains(&c) && c != '초' || c == '漢';
                    if empty > 0 {
                        let _ = write!(out, "{empty}");
                    }
                    (count, empty) = (count + 1, 0);
                    out.push(if han { letter.to_ascii_lowercase() } else { letter });
                }
                if count > FILES {
                    return Err(wrong("nine squares"));
                }
            }
            // The empty squares at the end of a row are left out.
            let gap = empty as usize + FILES - count;
            if gap > 0 {
                let _ = write!(out, "{gap}");
            }
            rows.push(out);
        }
        if rows.len() != RANKS {
            let problem = format!("expected ten rows of the board, found {}", rows.len());
            return Err(line.error_at(&board[board.len()..], problem));
        }
        let side = match rest.split_whitespace().next() {
            Some("초" | "楚") => Some(Color::Black),
            Some("한" | "漢") => Some(Color::White),
            _ => None,
        };
        Ok(Self { rows: rows.join("/"), side, line: *line, text })
    }

    /// The start position, with Han at the top or with Cho at the top. If the diagram does not state the side to move, it
    /// is the owner of the piece on `first`, the origin of the first move.
    pub fn sfen(&self, cho_above: bool, first: Option<usize>) -> Result<String, RecordError> {
        let swap =
            |c: char| if c.is_ascii_lowercase() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() };
        let rows = if cho_above {
            let rows: Vec<String> =
                self.rows.rsplit('/').map(|row| row.chars().map(swap).collect()).collect();
            rows.join("/")
        } else {
            self.rows.clone()
        };
        let mover = || {
            let letter = piece_letter(&rows, first?)?;
            Some(if letter.is_ascii_uppercase() { Color::Black } else { Color::White })
        };
        let side = self.side.or_else(mover).ok_or_else(|| self.error("expected 초 or 한 after the board"))?;
        let side = if side == Color::Black { 'b' } else { 'w' };
        Ok(format!("{rows} {side} - 1"))
    }

    pub fn error(&self, problem: impl Into<String>) -> RecordError {
        self.line.error_at(self.text, problem)
    }
}

/// The diagram of a position, for the header `판`.
pub(super) fn diagram(sfen: &str) -> String {
    let mut words = sfen.split(' ');
    let board = words.next().unwrap_or_default().split('/').map(|row| {
        let name = |letter: char| {
            let side = usize::from(letter.is_ascii_lowercase());
            let known = ON_BOARD.iter().find(|(known, _)| letter.eq_ignore_ascii_case(known));
            known.map_or(letter, |known| known.1[side])
        };
        row.trim_end_matches(|c: char| c.is_ascii_digit()).chars().map(name).collect()
    });
    let board: Vec<String> = board.collect();
    format!("{} {}", board.join("/"), if words.next() == Some("w") { '한' } else { '초' })
}

/// The letter on a square of an SFEN.
pub(super) fn piece_letter(sfen: &str, square: usize) -> Option<char> {
    let row = sfen.split('/').nth(square % RANKS)?;
    let (mut column, wanted) = (0, 8 - square / RANKS);
    for c in row.chars() {
        match c.to_digit(10) {
            Some(gap) => column += gap as usize,
            None if column == wanted => return Some(c),
            None => column += 1,
        }
    }
    None
}
