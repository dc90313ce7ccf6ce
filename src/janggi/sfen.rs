//! SFEN and USI texts.

use super::piece::{Kind, Piece};
use super::position::Position;
use super::square::{self, FILES, PALACE, RANKS};
use crate::base::{Color, Move};
use std::fmt;

/// Highest move count that a SFEN may start from.
const MAX_COUNT: usize = 1_000_000;

impl<const CASUAL: bool> Position<CASUAL> {
    /// Reads `board side - [count]`. The move before the position counts as no pass. The error names the field that is
    /// wrong.
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
        match fields.next() {
            Some("-") => {}
            Some(other) => return Err(format!("sfen: janggi has no hands but -, not {}", clip(other))),
            None => return Err("sfen: the hands (-) are missing".into()),
        }
        if let Some(count) = fields.next() {
            let n = count.parse().ok().filter(|&n| n <= MAX_COUNT);
            let n: usize = n.ok_or_else(|| format!("sfen: not a move count: {}", clip(count)))?;
            pos.game_ply = n.saturating_sub(1);
        }
        if let Some(extra) = fields.next() {
            return Err(format!("sfen: unexpected text after the move count: {}", clip(extra)));
        }
        for color in Color::ALL {
            if pos.pieces_of(color, Kind::General).is_empty() {
                return Err(format!("sfen: {} has no general", name(color)));
            }
        }
        pos.start(side);
        if pos.attackers_of_general(!side).any() {
            return Err("sfen: the general of the side that has moved can be taken".into());
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
            let mut column = 0;
            for &byte in line.as_bytes() {
                if (b'1'..=b'9').contains(&byte) {
                    column += usize::from(byte - b'0');
                } else {
                    let shown = byte.escape_ascii();
                    let kind =
                        Kind::from_letter(byte).ok_or_else(|| bad(&format!("no piece is called {shown}")))?;
                    if column >= FILES {
                        return Err(bad("more than 9 squares"));
                    }
                    let color = if byte.is_ascii_uppercase() { Color::Black } else { Color::White };
                    let sq = (FILES - 1 - column) * RANKS + rank;
                    self.place(sq, Piece { color, kind }).map_err(|what| bad(&what))?;
                    column += 1;
                }
                if column > FILES {
                    return Err(bad("more than 9 squares"));
                }
            }
            if column != FILES {
                return Err(bad(&format!("{column} squares instead of 9")));
            }
        }
        Ok(())
    }

    /// Puts a piece where it may be; the error says why it may not.
    fn place(&mut self, sq: usize, piece: Piece) -> Result<(), String> {
        let Piece { color, kind } = piece;
        let (who, what) = (name(color), kind_name(kind));
        let at_home = matches!(kind, Kind::General | Kind::Guard);
        if at_home && !PALACE[color.index()].has(sq) {
            return Err(format!("a {what} of {who} outside its palace"));
        }
        if kind == Kind::General && self.pieces_of(color, kind).any() {
            return Err(format!("a second general of {who}"));
        }
        // Composed positions borrow from the other side's set.
        let most = 2 * kind.in_set();
        if self.of(kind).len() == most {
            return Err(format!("more than {most} {what}s"));
        }
        self.put(sq, piece, &mut ());
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
                let piece = self.board[file * RANKS + rank];
                if gap > 0 && piece.is_some() {
                    out.push_str(&gap.to_string());
                    gap = 0;
                }
                match piece {
                    Some(piece) => out.push(letter(piece)),
                    None => gap += 1,
                }
            }
            if gap > 0 {
                out.push_str(&gap.to_string());
            }
        }
        out.push_str(&format!(" {} - {}", self.side.letter(), self.game_ply + 1));
        out
    }

    /// USI text of a move, such as `8j7h`; a pass names the general's square twice.
    pub(super) fn move_text(mv: Move) -> String {
        square::name(mv.from()) + &square::name(mv.to())
    }

    /// The pass, if the text is one and the side to move is not in check: some rules always allow it.
    pub(super) fn read_foreign_pass(&self, text: &str) -> Option<Move> {
        let pass = self.pass();
        let meant = is_pass_word(text) || text == Self::move_text(pass);
        (meant && self.now.checkers.is_empty() && !self.is_closed()).then_some(pass)
    }

    /// The legal move that a USI text stands for. Files may have a leading zero (`09a9c`), as one other program writes
    /// them on rank a. The pass has the common words for it, too.
    pub(super) fn read_move(&self, text: &str) -> Option<Move> {
        if is_pass_word(text) {
            return Some(self.pass()).filter(|_| self.may_pass());
        }
        let (from, rest) = read_square(text.as_bytes())?;
        let (to, rest) = read_square(rest)?;
        if !rest.is_empty() || (from, to) == (0, 0) {
            return None;
        }
        let mv = Move::board(from, to);
        self.is_legal_move(mv).then_some(mv)
    }
}

/// The words for a pass that all games share.
fn is_pass_word(text: &str) -> bool {
    matches!(text, "pass" | "null" | "0000")
}

fn read_square(text: &[u8]) -> Option<(usize, &[u8])> {
    match text.strip_prefix(b"0").unwrap_or(text) {
        [file, rank, rest @ ..] => Some((square::parse(*file, *rank)?, rest)),
        _ => None,
    }
}

fn letter(piece: Piece) -> char {
    let letter = char::from(piece.kind.letter());
    if piece.color == Color::Black { letter } else { letter.to_ascii_lowercase() }
}

fn name(color: Color) -> &'static str {
    ["black", "white"][color.index()]
}

fn kind_name(kind: Kind) -> &'static str {
    ["general", "guard", "chariot", "cannon", "horse", "elephant", "soldier"][kind.index()]
}

/// At most 20 characters of somebody's text, safe to print.
fn clip(text: &str) -> String {
    text.chars().take(20).flat_map(char::escape_default).collect()
}

/// The board as a diagram, then the SFEN.
impl<const CASUAL: bool> fmt::Display for Position<CASUAL> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "  9  8  7  6  5  4  3  2  1")?;
        for rank in 0..RANKS {
            for file in (0..FILES).rev() {
                write!(f, "{:>3}", self.board[file * RANKS + rank].map_or('.', letter))?;
            }
            writeln!(f, "  {}", (b'a' + rank as u8) as char)?;
        }
        write!(f, "sfen {}", self.sfen())
    }
}
