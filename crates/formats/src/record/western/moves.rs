//! Single moves in Western notation.

use crate::record::board::{Board, may_promote};
use sanban_rules::shogi::Kind;
use sanban_rules::shogi::square::{self, RANKS};
use sanban_rules::{Move, Square};

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// `P2f`, `G'5f`.
    Apostrophe,
    /// `P-2f`, `G*5f`.
    Hodges,
    /// `P2g-2f`, `G*5f`: always with the origin.
    Psn,
}

/// The part of the origin that a move states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Nothing: the piece may come from any square.
    Any,
    /// The square: `G6i-5h`.
    Square(usize),
    /// The file: `G65h`.
    File(usize),
    /// The rank: `Gi5h`.
    Rank(usize),
}

impl Origin {
    pub fn fits(self, from: usize) -> bool {
        match self {
            Self::Any => true,
            Self::Square(wanted) => from == wanted,
            Self::File(file) => square::file(from) == file,
            Self::Rank(rank) => square::rank(from) == rank,
        }
    }
}

/// A written move that has not been matched to the board yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Written {
    pub kind: Kind,
    pub from: Origin,
    pub to: usize,
    pub drop: bool,
    pub captures: bool,
    /// Whether the piece promotes; `None` if this is not stated.
    pub promotes: Option<bool>,
    /// Whether the move captures on the destination of the previous move: `xP`, `Px`. The named piece may be the
    /// captured one.
    pub again: bool,
}

/// Characters that mark a drop in print and in scans.
const DROPS: [char; 10] = ['*', '\'', '’', '‘', '′', '´', '`', '‛', 'ʼ', '＊'];
/// Marks of a capture.
const CAPTURES: [char; 4] = ['x', 'X', '×', '✕'];
/// Dashes between origin and destination.
const DASHES: [char; 6] = ['-', '–', '—', '−', '‐', '‑'];

/// A string that is consumed from its beginning.
struct Cursor<'a>(&'a str);

impl Cursor<'_> {
    fn next(&self) -> Option<char> {
        self.0.chars().next()
    }

    fn take(&mut self, wanted: &[char]) -> bool {
        let found = self.next().filter(|c| wanted.contains(c));
        self.0 = &self.0[found.map_or(0, char::len_utf8)..];
        found.is_some()
    }

    fn digit(&mut self) -> Option<usize> {
        let digit = self.next()?.to_digit(10).filter(|&digit| digit > 0)?;
        self.0 = &self.0[1..];
        Some(digit as usize - 1)
    }

    fn letter(&mut self) -> Option<usize> {
        let rank = "abcdefghi".find(self.next()?)?;
        self.0 = &self.0[1..];
        Some(rank)
    }

    fn square(&mut self) -> Option<usize> {
        Some(at(self.digit()?, self.letter()?))
    }
}

impl Written {
    /// Parses a word; `last` is the destination of the previous move.
    pub fn parse(word: &str, last: Option<usize>) -> Option<Self> {
        let mut rest = Cursor(word);
        let recaptures = rest.take(&CAPTURES);
        let promoted = rest.take(&['+']);
        let letter = u8::try_from(rest.next()?).ok().filter(u8::is_ascii_uppercase)?;
        rest.0 = &rest.0[1..];
        let kind = Kind::from_letter(letter)?;
        let kind = if promoted { kind.promoted()? } else { kind };
        let mut out = Self {
            kind,
            from: Origin::Any,
            to: 0,
            drop: false,
            captures: recaptures,
            promotes: None,
            again: true,
        };
        // The origin, or the destination if no other square follows.
        let mut to = None;
        if let Some(rank) = rest.letter() {
            out.from = Origin::Rank(rank);
        } else if let Some(file) = rest.digit() {
            match rest.letter() {
                Some(rank) => to = Some(at(file, rank)),
                None => out.from = Origin::File(file),
            }
        }
        let mark = if rest.take(&DROPS) {
            out.drop = true;
            true
        } else if rest.take(&CAPTURES) {
            out.captures = true;
            true
        } else {
            rest.take(&DASHES)
        };
        let next = rest.square();
        match (to, next) {
            (Some(from), Some(_)) => {
                out.from = Origin::Square(from);
                to = next;
            }
            (None, Some(_)) => to = next,
            (Some(from), None) if out.captures => {
                // `P4fx` captures on the destination of the previous move.
                out.from = Origin::Square(from);
                to = None;
            }
            (Some(_), None) if mark => return None,
            _ => {}
        }
        out.promotes = if rest.take(&['+', '＋']) {
            Some(true)
        } else if rest.take(&['=', '＝']) {
            Some(false)
        } else {
            None
        };
        out.again = to.is_none();
        out.to = to.or(last.filter(|_| out.captures))?;
        let fits = rest.0.is_empty()
            && out.from != Origin::Square(out.to)
            && !(out.drop && (out.from != Origin::Any || out.captures || out.promotes.is_some()));
        fits.then_some(out)
    }

    /// The moves on the board that match.
    pub fn moves(&self, board: &Board) -> Vec<Move> {
        if self.drop {
            // If the piece is not in hand, the move is illegal but identified.
            return if self.kind.index() < Kind::HAND && board.piece(self.to).is_none() {
                vec![Move::drop(self.kind.index(), self.to)]
            } else {
                vec![]
            };
        }
        if self.captures && board.piece(self.to).is_none() {
            return vec![];
        }
        let from = board.candidates(self.kind, self.to).into_iter().filter(|&from| self.from.fits(from));
        let moves = self.legal(board, from.map(|from| self.mv(from)).collect());
        match self.from {
            // If the piece does not move like this, the move is illegal but identified.
            Origin::Square(from) if moves.is_empty() && !self.again => {
                let own = board.piece(from).is_some_and(|piece| piece.kind() == self.kind);
                let mv = self.mv(from);
                if own && board.own_mover(mv).is_ok() { vec![mv] } else { vec![] }
            }
            _ => moves,
        }
    }

    /// The moves that match if the named piece is the captured one, or if the mark of a drop is missing.
    pub fn other_moves(&self, board: &Board) -> Vec<Move> {
        let captured = board.piece(self.to);
        if self.again {
            if captured.is_none_or(|captured| captured.kind().base() != self.kind.base()) {
                return vec![];
            }
            let movers = Kind::ALL.into_iter().flat_map(|kind| board.candidates(kind, self.to));
            return self.legal(board, movers.map(|from| self.mv(from)).collect());
        }
        let dropped = Self { drop: true, ..*self };
        let held = board.in_hand(board.side(), self.kind) > 0;
        let plain =
            held && !self.drop && !self.captures && self.from == Origin::Any && self.promotes.is_none();
        if plain && board.candidates(self.kind, self.to).is_empty() { dropped.moves(board) } else { vec![] }
    }

    /// Removes the illegal ones of several moves, unless all of them are illegal.
    fn legal(&self, board: &Board, mut moves: Vec<Move>) -> Vec<Move> {
        if moves.len() > 1 {
            let legal: Vec<Move> = moves.iter().copied().filter(|&mv| board.is_legal(mv)).collect();
            if !legal.is_empty() {
                moves = legal;
            }
        }
        moves
    }

    fn mv(&self, from: usize) -> Move {
        if self.promotes == Some(true) { Move::promotion(from, self.to) } else { Move::board(from, self.to) }
    }
}

/// Writes a move in a style. On error, returns the reason why the move cannot be written.
pub fn move_text(board: &Board, mv: Move, style: Style) -> Result<String, &'static str> {
    let piece = board.mover(mv)?;
    let kind = piece.kind();
    let mut out = String::new();
    if kind.is_promoted() {
        out.push('+');
    }
    out.push(kind.letter() as char);
    let capture = board.piece(mv.to()).is_some();
    let others = || board.candidates(kind, mv.to());
    let told = !mv.is_drop() && (style == Style::Psn || others() != [mv.from()]);
    if told {
        out.push_str(&Square::at(mv.from(), RANKS).to_string());
    }
    match (mv.is_drop(), capture) {
        (true, _) => out.push(if style == Style::Apostrophe { '\'' } else { '*' }),
        (false, true) => out.push('x'),
        (false, false) if told || style == Style::Hodges => out.push('-'),
        (false, false) => {}
    }
    out.push_str(&Square::at(mv.to(), RANKS).to_string());
    if mv.is_promotion() {
        out.push('+');
    } else if may_promote(piece.color(), kind, mv) {
        out.push('=');
    }
    // Check that the text is read as this move.
    match Written::parse(&out, None).map(|written| written.moves(board)) {
        Some(found) if found == [mv] => Ok(out),
        _ => Err("the piece cannot make this move"),
    }
}

/// The square of a file and a rank from 0 to 8.
const fn at(file: usize, rank: usize) -> usize {
    file * RANKS + rank
}

#[cfg(test)]
mod tests {
    use super::*;
    use sanban_rules::shogi::Position;

    fn meant(sfen: &str, word: &str) -> Vec<String> {
        let board = Board::from_sfen(sfen).expect("a position");
        let last = Some(at(1, 1));
        let moves = Written::parse(word, last).map_or(vec![], |written| written.moves(&board));
        moves.into_iter().map(Position::usi).collect()
    }

    #[test]
    fn words_of_every_kind() {
        let start = sanban_rules::shogi::START;
        for (word, mv) in [
            ("P7f", "7g7f"),
            ("P-7f", "7g7f"),
            ("P7g-7f", "7g7f"),
            ("P7g–7f", "7g7f"),
            ("G65h", "6i5h"),
            ("G6i5h", "6i5h"),
            ("Gi3h", "4i3h"),
        ] {
            assert_eq!(meant(start, word), [mv], "{word}");
        }
        let taken = "lnsgkgsnl/1r5+B1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/7R1/LNSGKGSNL w B 4";
        for (word, mv) in
            [("xS", "3a2b"), ("Sx", "3a2b"), ("S3ax", "3a2b"), ("Sx2b", "3a2b"), ("S×2b", "3a2b")]
        {
            assert_eq!(meant(taken, word), [mv], "{word}");
        }
        let drop = "4k4/9/9/9/9/9/9/9/4K4 b G 1";
        for word in ["G*5f", "G'5f", "G’5f", "G‘5f", "G′5f", "G´5f"] {
            assert_eq!(meant(drop, word), ["G*5f"], "{word}");
        }
        for word in ["", "x", "P", "P7", "7f", "p7f", "P7f7", "P7j", "G65", "P*7f+", "P7f-7f", "Px", "P7f-"] {
            assert_eq!(meant(drop, word), [""; 0], "{word}");
        }
    }
}
