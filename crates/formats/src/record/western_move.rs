//! Single moves of Western notation.

use super::board::{Board, may_promote};
use sanban_rules::shogi::Kind;
use sanban_rules::shogi::square::{FILES, RANKS};
use sanban_rules::{Move, Square};

/// Which of the two is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Family {
    /// `P2f`, `G'5f`.
    Apostrophe,
    /// `P-2f`, `G*5f`.
    Hodges,
}

/// A move in words, before it is looked for on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Written {
    pub kind: Kind,
    pub from: Option<usize>,
    pub to: usize,
    pub drop: bool,
    pub captures: bool,
    pub promotes: Option<bool>,
}

impl Written {
    pub fn parse(word: &str) -> Option<Self> {
        let mut rest = word.trim_end_matches(['.', '!', '?']).as_bytes();
        let promoted = rest.first() == Some(&b'+');
        rest = if promoted { &rest[1..] } else { rest };
        let (&letter, mut rest) = rest.split_first()?;
        let kind = Kind::from_letter(letter).filter(|_| letter.is_ascii_uppercase())?;
        let kind = if promoted { kind.promoted()? } else { kind };
        let mut squares = Vec::new();
        let (mut drop, mut captures) = (false, false);
        let mut take = |rest: &mut &[u8]| -> Option<()> {
            let [file, rank, after @ ..] = *rest else { return None };
            let square = Square { file: file.checked_sub(b'0')?, rank: char::from(*rank) };
            squares.push(square.number(FILES, RANKS)?);
            *rest = after;
            Some(())
        };
        if !matches!(rest.first()?, b'-' | b'x' | b'*' | b'\'') {
            take(&mut rest)?;
        }
        // Apostrophes as printers set them are three bytes.
        for quote in ["\u{2019}", "\u{2018}", "\u{b4}"] {
            if let Some(after) = rest.strip_prefix(quote.as_bytes()) {
                drop = true;
                rest = after;
                take(&mut rest)?;
            }
        }
        match rest.first() {
            Some(b'-') => {
                rest = &rest[1..];
                take(&mut rest)?;
            }
            Some(b'x') => {
                captures = true;
                rest = &rest[1..];
                take(&mut rest)?;
            }
            Some(b'*' | b'\'') => {
                drop = true;
                rest = &rest[1..];
                take(&mut rest)?;
            }
            _ => {}
        }
        let promotes = match rest {
            [] => None,
            [b'+'] => Some(true),
            [b'='] => Some(false),
            _ => return None,
        };
        let (from, to) = match squares[..] {
            [to] => (None, to),
            [from, to] if !drop && from != to => (Some(from), to),
            _ => return None,
        };
        Some(Self { kind, from, to, drop, captures, promotes })
    }

    /// The moves on the board that it can mean.
    pub fn moves(&self, board: &Board) -> Vec<Move> {
        if self.drop {
            let held = self.kind.index() < Kind::HAND && board.in_hand(board.side(), self.kind) > 0;
            return if held && board.piece(self.to).is_none() {
                vec![Move::drop(self.kind.index(), self.to)]
            } else {
                vec![]
            };
        }
        if self.captures && board.piece(self.to).is_none() {
            return vec![];
        }
        let mut from = board.candidates(self.kind, self.to);
        from.retain(|&from| self.from.is_none_or(|wanted| wanted == from));
        if from.len() > 1 {
            let legal: Vec<usize> =
                from.iter().copied().filter(|&from| board.is_legal(self.mv(from))).collect();
            if !legal.is_empty() {
                from = legal;
            }
        }
        from.into_iter().map(|from| self.mv(from)).collect()
    }

    fn mv(&self, from: usize) -> Move {
        if self.promotes == Some(true) { Move::promotion(from, self.to) } else { Move::board(from, self.to) }
    }
}

/// A move in one of the families. The error says why it has no name there.
pub fn move_text(board: &Board, mv: Move, family: Family) -> Result<String, &'static str> {
    let piece = board.mover(mv)?;
    let kind = piece.kind();
    let mut out = String::new();
    if kind.is_promoted() {
        out.push('+');
    }
    out.push(kind.letter() as char);
    let capture = board.piece(mv.to()).is_some();
    let ambiguous = !mv.is_drop() && board.candidates(kind, mv.to()).len() > 1;
    if ambiguous {
        out.push_str(&Square::at(mv.from(), RANKS).to_string());
    }
    match (mv.is_drop(), capture) {
        (true, _) => out.push(if family == Family::Hodges { '*' } else { '\'' }),
        (false, true) => out.push('x'),
        (false, false) if ambiguous || family == Family::Hodges => out.push('-'),
        (false, false) => {}
    }
    out.push_str(&Square::at(mv.to(), RANKS).to_string());
    if mv.is_promotion() {
        out.push('+');
    } else if may_promote(piece.color(), kind, mv) {
        out.push('=');
    }
    // Readers look for a piece that can.
    match Written::parse(&out).map(|written| written.moves(board)) {
        Some(found) if found == [mv] => Ok(out),
        _ => Err("the piece does not move so"),
    }
}
