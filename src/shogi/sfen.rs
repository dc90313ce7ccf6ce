//! SFEN and USI texts.

use super::piece::{Kind, Piece};
use super::position::Position;
use super::square::{self, FILES, RANKS};
use crate::base::{Color, Move};
use std::fmt;

/// Highest move count that a SFEN may start from.
const MAX_COUNT: usize = 1_000_000;

impl Position {
    /// Reads `board side hands [count]`. Unusual and missing material is fine (one king a side at most, no more
    /// pieces than a set has). The error names the field that is wrong.
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
        pos.check_material()?;
        pos.handicap = pos.missing_points();
        pos.start(side);
        if let Some(king) = pos.king(!side)
            && pos.attackers(side, king, pos.occupied()).any()
        {
            return Err("sfen: the king of the side that has moved can be taken".into());
        }
        Ok(pos)
    }

    fn read_board(&mut self, text: &str) -> Result<(), String> {
        let ranks: Vec<&str> = text.split('/').collect();
        if ranks.len() != RANKS {
            return Err(format!("sfen: the board has {} ranks instead of {RANKS}", ranks.len()));
        }
        for (rank, line) in ranks.iter().enumerate() {
            let bad = |what: &str| format!("sfen: rank {} of the board: {what}", (b'a' + rank as u8) as char);
            let (mut column, mut promoted) = (0, false);
            for &byte in line.as_bytes() {
                if byte == b'+' {
                    if promoted {
                        return Err(bad("two plus signs"));
                    }
                    promoted = true;
                    continue;
                }
                if byte.is_ascii_digit() && byte != b'0' && !promoted {
                    column += usize::from(byte - b'0');
                } else {
                    let shown = byte.escape_ascii();
                    let kind =
                        Kind::from_letter(byte).ok_or_else(|| bad(&format!("no piece is called {shown}")))?;
                    let kind = match promoted {
                        true => kind.promoted().ok_or_else(|| bad(&format!("{shown} does not promote")))?,
                        false => kind,
                    };
                    if column >= FILES {
                        return Err(bad("more than 9 squares"));
                    }
                    let color = if byte.is_ascii_uppercase() { Color::Black } else { Color::White };
                    if kind == Kind::King && self.king(color).is_some() {
                        return Err(bad("a second king of one side"));
                    }
                    self.put((FILES - 1 - column) * RANKS + rank, Piece::new(color, kind), &mut ());
                    column += 1;
                    promoted = false;
                }
                if column > FILES {
                    return Err(bad("more than 9 squares"));
                }
            }
            if promoted {
                return Err(bad("a plus sign without a piece"));
            }
            if column != FILES {
                return Err(bad(&format!("{column} squares instead of 9")));
            }
        }
        Ok(())
    }

    fn read_hands(&mut self, text: &str) -> Result<(), String> {
        if text == "-" {
            return Ok(());
        }
        let mut count: Option<usize> = None;
        for &byte in text.as_bytes() {
            let shown = byte.escape_ascii();
            if byte.is_ascii_digit() {
                let n = count.unwrap_or(0) * 10 + usize::from(byte - b'0');
                if n == 0 || n > 18 {
                    return Err("sfen: hands: a count is 1 to 18".into());
                }
                count = Some(n);
                continue;
            }
            let kind = Kind::from_letter(byte)
                .filter(|&kind| kind != Kind::King)
                .ok_or_else(|| format!("sfen: hands: no piece in hand is called {shown}"))?;
            let color = if byte.is_ascii_uppercase() { Color::Black } else { Color::White };
            for _ in 0..count.take().unwrap_or(1) {
                if self.hand_count(color, kind) >= kind.in_set() {
                    return Err(format!("sfen: hands: more than {} of {shown}", kind.in_set()));
                }
                self.put_hand(color, kind, &mut ());
            }
        }
        if count.is_some() {
            return Err("sfen: hands: a count without a piece".into());
        }
        Ok(())
    }

    /// No more pieces of a kind than a set has: captures could overflow a hand otherwise.
    fn check_material(&self) -> Result<(), String> {
        for &kind in &Kind::ALL[..Kind::HAND] {
            let on_board = self.kinds[kind.index()].len()
                + kind.promoted().map_or(0, |promoted| self.kinds[promoted.index()].len());
            let in_hands = self.hand_count(Color::Black, kind) + self.hand_count(Color::White, kind);
            if on_board + in_hands > kind.in_set() {
                let letter = kind.letter() as char;
                return Err(format!(
                    "sfen: {} pieces of {letter}, a set has {}",
                    on_board + in_hands,
                    kind.in_set()
                ));
            }
        }
        Ok(())
    }

    /// The position as SFEN, with the move count.
    pub fn sfen(&self) -> String {
        let mut out = String::new();
        for rank in 0..RANKS {
            if rank > 0 {
                out.push('/');
            }
            let mut gap = 0;
            for file in (0..FILES).rev() {
                match self.piece_on(file * RANKS + rank) {
                    None => gap += 1,
                    Some((color, kind)) => {
                        flush(&mut out, &mut gap);
                        out.push_str(&symbol(color, kind));
                    }
                }
            }
            flush(&mut out, &mut gap);
        }
        out.push(' ');
        out.push(self.side_to_move().letter());
        out.push(' ');
        out.push_str(&self.hands_text());
        out.push_str(&format!(" {}", self.game_ply + 1));
        out
    }

    fn hands_text(&self) -> String {
        const ORDER: [Kind; Kind::HAND] =
            [Kind::Rook, Kind::Bishop, Kind::Gold, Kind::Silver, Kind::Knight, Kind::Lance, Kind::Pawn];
        let mut out = String::new();
        for color in Color::ALL {
            for kind in ORDER {
                match self.hand_count(color, kind) {
                    0 => {}
                    1 => out.push_str(&symbol(color, kind)),
                    n => out.push_str(&format!("{n}{}", symbol(color, kind))),
                }
            }
        }
        if out.is_empty() { "-".into() } else { out }
    }

    /// USI text of a move, such as `7g7f`, `8h2b+` or `P*5e`.
    pub(super) fn move_text(mv: Move) -> String {
        let to = square::name(mv.to());
        if mv.is_drop() {
            return format!("{}*{to}", Kind::ALL[mv.kind() & 7].letter() as char);
        }
        format!("{}{to}{}", square::name(mv.from()), if mv.is_promotion() { "+" } else { "" })
    }

    /// The legal move that a USI text stands for.
    pub(super) fn read_move(&self, text: &str) -> Option<Move> {
        let mv = match *text.as_bytes() {
            [letter, b'*', file, rank] => {
                let kind = Kind::from_letter(letter).filter(|&kind| kind != Kind::King)?;
                Move::drop(kind.index(), square::parse(file, rank)?)
            }
            [f1, r1, f2, r2] => {
                let (from, to) = (square::parse(f1, r1)?, square::parse(f2, r2)?);
                if from == to {
                    return None;
                }
                Move::board(from, to)
            }
            [f1, r1, f2, r2, b'+'] => {
                let (from, to) = (square::parse(f1, r1)?, square::parse(f2, r2)?);
                if from == to {
                    return None;
                }
                Move::promotion(from, to)
            }
            _ => return None,
        };
        self.is_legal_move(mv).then_some(mv)
    }
}

fn flush(out: &mut String, gap: &mut u32) {
    if *gap > 0 {
        out.push_str(&gap.to_string());
        *gap = 0;
    }
}

fn symbol(color: Color, kind: Kind) -> String {
    let letter = kind.letter() as char;
    let letter = if color == Color::Black { letter } else { letter.to_ascii_lowercase() };
    if kind.is_promoted() { format!("+{letter}") } else { letter.to_string() }
}

/// At most 20 characters of somebody's text, safe to print.
fn clip(text: &str) -> String {
    text.chars().take(20).flat_map(char::escape_default).collect()
}

/// The board as a diagram, then the SFEN.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "  9  8  7  6  5  4  3  2  1")?;
        for rank in 0..RANKS {
            for file in (0..FILES).rev() {
                match self.piece_on(file * RANKS + rank) {
                    None => write!(f, "  .")?,
                    Some((color, kind)) => write!(f, "{:>3}", symbol(color, kind))?,
                }
            }
            writeln!(f, "  {}", (b'a' + rank as u8) as char)?;
        }
        write!(f, "sfen {}", self.sfen())
    }
}
