//! SFEN and USI texts. Letters are `L`, `E`, `G`, `C`; a hen is `+C` (`H` is read too). Files 3 to 1 from the left,
//! ranks `a` to `d` from the top.

use super::piece::{FILES, Kind, Piece, RANKS};
use super::position::Position;
use crate::base::{Color, Move};
use std::fmt;

/// Highest move count that a SFEN may start from.
const MAX_COUNT: usize = 1_000_000;

impl<const MATE: bool> Position<MATE> {
    /// Reads `board side hands [count]`. The error names the field that is wrong, or why there is no such position:
    /// the set is always complete (two chicks, elephants and giraffes, a lion each).
    pub fn from_sfen(text: &str) -> Result<Self, String> {
        let mut fields = text.split_ascii_whitespace();
        let mut pos = Self::empty();
        pos.read_board(fields.next().ok_or("sfen: the board is missing")?)?;
        let side = match fields.next() {
            Some("b") => Color::Black,
            Some("w") => Color::White,
            Some(other) => return Err(format!("sfen: side to move is b or w, not {}", clip(other))),
            None => return Err("sfen: the side to move is missing".into()),
        };
        pos.read_hands(fields.next().ok_or("sfen: the hands are missing")?)?;
        if let Some(count) = fields.next() {
            let n = count.parse().ok().filter(|&n| n <= MAX_COUNT);
            let n: usize = n.ok_or_else(|| format!("sfen: not a move count: {}", clip(count)))?;
            pos.game_ply = n.saturating_sub(1);
        }
        if let Some(extra) = fields.next() {
            return Err(format!("sfen: unexpected text after the move count: {}", clip(extra)));
        }
        pos.start(side);
        pos.check()?;
        Ok(pos)
    }

    fn read_board(&mut self, text: &str) -> Result<(), String> {
        let ranks = text.split('/').count();
        if ranks != RANKS {
            return Err(format!("sfen: the board has {ranks} ranks instead of {RANKS}"));
        }
        for (rank, line) in text.split('/').enumerate() {
            let bad = |what: &str| format!("sfen: rank {} of the board: {what}", (b'a' + rank as u8) as char);
            let (mut column, mut promoted) = (0, false);
            for &byte in line.as_bytes() {
                match byte {
                    b'+' if promoted => return Err(bad("two plus signs")),
                    b'+' => promoted = true,
                    b'1'..=b'3' if !promoted => column += usize::from(byte - b'0'),
                    _ => {
                        let shown = byte.escape_ascii();
                        let kind =
                            kind_of(byte).ok_or_else(|| bad(&format!("no piece is called {shown}")))?;
                        let kind = match (promoted, kind) {
                            (false, kind) => kind,
                            (true, Kind::Chick) => Kind::Hen,
                            (true, _) => return Err(bad(&format!("{shown} does not promote"))),
                        };
                        if column >= FILES {
                            return Err(bad("more than 3 squares"));
                        }
                        let sq = (FILES - 1 - column) * RANKS + rank;
                        self.put(sq, Piece { color: color_of(byte), kind }, &mut ());
                        column += 1;
                        promoted = false;
                    }
                }
                if column > FILES {
                    return Err(bad("more than 3 squares"));
                }
            }
            if promoted {
                return Err(bad("a plus sign without a piece"));
            }
            if column < FILES {
                return Err(bad("fewer than 3 squares"));
            }
        }
        Ok(())
    }

    fn read_hands(&mut self, text: &str) -> Result<(), String> {
        if text == "-" {
            return Ok(());
        }
        let mut number = None;
        for &byte in text.as_bytes() {
            if byte.is_ascii_digit() {
                if number.is_some() || !matches!(byte, b'1' | b'2') {
                    return Err("sfen: a hand has one or two pieces of a kind".into());
                }
                number = Some(byte - b'0');
                continue;
            }
            let kind = kind_of(byte).filter(|kind| kind.index() < Kind::HAND);
            let kind =
                kind.ok_or_else(|| format!("sfen: no piece called {} in a hand", byte.escape_ascii()))?;
            for _ in 0..number.take().unwrap_or(1) {
                if self.hand_count(color_of(byte), kind) == 2 {
                    return Err(format!("sfen: more than two {} in a hand", name(kind)));
                }
                self.put_hand(color_of(byte), kind, &mut ());
            }
        }
        match number {
            Some(n) => Err(format!("sfen: the hands end with a {n} without a piece")),
            None => Ok(()),
        }
    }

    /// Why this position cannot be.
    fn check(&self) -> Result<(), String> {
        for color in Color::ALL {
            let side = if color == Color::Black { "black" } else { "white" };
            match self.pieces_of(color, Kind::Lion).count_ones() {
                1 => {}
                0 => return Err(format!("sfen: {side} has no lion")),
                _ => return Err(format!("sfen: {side} has more than one lion")),
            }
        }
        for &kind in &Kind::ALL[..Kind::HAND] {
            let on_board = |color| {
                let promoted = if kind == Kind::Chick { self.pieces_of(color, Kind::Hen) } else { 0 };
                (self.pieces_of(color, kind) | promoted).count_ones() as usize
            };
            let n: usize = Color::ALL.iter().map(|&c| on_board(c) + self.hand_count(c, kind)).sum();
            if n != 2 {
                return Err(format!("sfen: {n} {} instead of 2", name(kind)));
            }
        }
        if self.has_entered(self.side) {
            return Err("sfen: the lion of the side to move is on its last row already".into());
        }
        let takes = self.attacks(self.side) & self.pieces_of(!self.side, Kind::Lion) != 0;
        if takes && MATE {
            return Err("sfen: the lion of the side that has moved can be taken".into());
        }
        if takes && self.has_entered(!self.side) {
            return Err("sfen: a lion that can be taken does not enter the last row".into());
        }
        Ok(())
    }

    /// The move as USI text: `2c2b`, `2b2a+`, `C*2c`.
    pub(super) fn move_text(mv: Move) -> String {
        let square = |sq: usize| format!("{}{}", sq / RANKS + 1, (b'a' + (sq % RANKS) as u8) as char);
        let plus = if mv.is_promotion() { "+" } else { "" };
        match Kind::ALL.get(mv.kind()) {
            Some(kind) if mv.is_drop() => format!("{}*{}", kind.letter(), square(mv.to())),
            _ => format!("{}{}{plus}", square(mv.from()), square(mv.to())),
        }
    }

    /// The move of this USI text, if it is legal. A missing `+` on the last row is forgiven, and so is a lion's
    /// entry of an attacked square, which other programs play.
    pub(super) fn read_move(&self, text: &str) -> Option<Move> {
        let plain = text.strip_suffix('+');
        let (mv, promotion) = match *plain.unwrap_or(text).as_bytes() {
            [piece, b'*', file, rank] if plain.is_none() => {
                (Move::drop(kind_of(piece)?.index(), square_of(file, rank)?), None)
            }
            [file, rank, to_file, to_rank] => {
                let (from, to) = (square_of(file, rank)?, square_of(to_file, to_rank)?);
                if from == to {
                    return None;
                }
                (Move::board(from, to), Some(Move::promotion(from, to)))
            }
            _ => return None,
        };
        let given = plain.is_none().then_some(mv);
        [given, promotion].into_iter().flatten().find(|&mv| self.is_legal_move(mv) || self.is_rash_entry(mv))
    }

    /// The position as SFEN, with the move count.
    pub fn sfen(&self) -> String {
        let mut out = String::new();
        // Writing to a string does not fail.
        let _ = self.write_sfen(&mut out);
        out
    }

    fn write_sfen(&self, f: &mut impl fmt::Write) -> fmt::Result {
        for rank in 0..RANKS {
            if rank > 0 {
                f.write_str("/")?;
            }
            let mut gap = 0;
            for file in (0..FILES).rev() {
                let Some(piece) = self.board[file * RANKS + rank] else {
                    gap += 1;
                    continue;
                };
                if gap > 0 {
                    write!(f, "{gap}")?;
                    gap = 0;
                }
                let plus = if piece.kind == Kind::Hen { "+" } else { "" };
                write!(f, "{plus}{}", letter(piece.color, piece.kind))?;
            }
            if gap > 0 {
                write!(f, "{gap}")?;
            }
        }
        write!(f, " {} ", self.side.letter())?;
        let mut empty = true;
        for color in Color::ALL {
            for kind in [Kind::Giraffe, Kind::Elephant, Kind::Chick] {
                let n = self.hand_count(color, kind);
                match n {
                    0 => continue,
                    1 => write!(f, "{}", letter(color, kind))?,
                    _ => write!(f, "{n}{}", letter(color, kind))?,
                }
                empty = false;
            }
        }
        write!(f, "{} {}", if empty { "-" } else { "" }, self.game_ply + 1)
    }
}

impl<const MATE: bool> fmt::Display for Position<MATE> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "  3  2  1")?;
        for rank in 0..RANKS {
            for file in (0..FILES).rev() {
                let piece = self.board[file * RANKS + rank];
                let plus = if piece.is_some_and(|piece| piece.kind == Kind::Hen) { '+' } else { ' ' };
                write!(f, " {plus}{}", piece.map_or('.', |piece| letter(piece.color, piece.kind)))?;
            }
            writeln!(f, "  {}", (b'a' + rank as u8) as char)?;
        }
        f.write_str("sfen ")?;
        self.write_sfen(f)
    }
}

fn kind_of(letter: u8) -> Option<Kind> {
    Some(match letter.to_ascii_uppercase() {
        b'C' => Kind::Chick,
        b'E' => Kind::Elephant,
        b'G' => Kind::Giraffe,
        b'L' => Kind::Lion,
        b'H' => Kind::Hen,
        _ => return None,
    })
}

fn color_of(letter: u8) -> Color {
    if letter.is_ascii_uppercase() { Color::Black } else { Color::White }
}

fn letter(color: Color, kind: Kind) -> char {
    let letter = kind.letter();
    if color == Color::White { letter.to_ascii_lowercase() } else { letter }
}

fn name(kind: Kind) -> &'static str {
    ["chicks", "elephants", "giraffes", "lions", "hens"][kind.index()]
}

fn square_of(file: u8, rank: u8) -> Option<usize> {
    let file = usize::from(file.checked_sub(b'1')?);
    let rank = usize::from(rank.checked_sub(b'a')?);
    (file < FILES && rank < RANKS).then_some(file * RANKS + rank)
}

/// The first characters of a text, for messages.
fn clip(text: &str) -> String {
    text.chars().take(20).flat_map(char::escape_default).collect()
}
