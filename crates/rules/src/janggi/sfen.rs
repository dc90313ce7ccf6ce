//! SFEN and USI notation.

use super::piece::{Kind, Piece};
use super::position::Position;
use super::square::{FILES, PALACE, RANKS};
use crate::sfen::{FieldError, Fields};
use crate::{Color, Move, SfenError, Square, Symbol, UsiMove, sfen};

impl Position {
    /// Reads `board side - [count]`. The move before the position is assumed not to be a pass.
    ///
    /// # Errors
    /// The error names the invalid field or explains why the position is impossible.
    pub fn from_sfen(text: &str) -> Result<Self, SfenError> {
        let fields = Fields::split(text)?;
        let mut pos = Self::empty();
        sfen::read_board(fields.board, FILES, RANKS, |sq, letter, promoted| pos.read(sq, letter, promoted))?;
        sfen::read_hands(fields.hands, 1, |letter| Err(FieldError::NoHands(letter)))?;
        for color in Color::ALL {
            if pos.pieces_of(color, Kind::General).is_empty() {
                return Err(SfenError::Impossible(format!("{} has no general", name(color))));
            }
        }
        pos.game_ply = fields.game_ply;
        pos.start(fields.side);
        match pos.attackers_of_general(!fields.side).any() {
            true => Err(SfenError::Impossible(
                "the general of the side that has just moved can be captured".into(),
            )),
            false => Ok(pos),
        }
    }

    /// Places a piece; the error is the reason why it cannot be there.
    fn read(&mut self, sq: usize, letter: u8, promoted: bool) -> Result<(), FieldError> {
        let kind = Kind::from_letter(letter).ok_or(FieldError::Unknown(letter))?;
        let color = sfen::side_of(letter);
        let (who, what) = (name(color), kind_name(kind));
        if promoted {
            return Err(FieldError::Promotion(letter));
        }
        let at_home = matches!(kind, Kind::General | Kind::Guard);
        if at_home && !PALACE[color.index()].has(sq) {
            return Err(FieldError::OutsidePalace { piece: what, side: who });
        }
        if kind == Kind::General && self.pieces_of(color, kind).any() {
            return Err(FieldError::SecondGeneral(who));
        }
        // Composed positions may use pieces of the other side's set.
        let most = 2 * kind.in_set();
        if self.of(kind).len() == most {
            return Err(FieldError::TooMany { most, piece: what });
        }
        self.put(sq, Piece { color, kind }, &mut ());
        Ok(())
    }

    /// The piece on a square.
    pub fn piece_at(&self, square: Square) -> Option<Symbol> {
        self.board[square.number(FILES, RANKS)?].map(symbol)
    }

    /// The position as SFEN, with the move count.
    pub fn sfen(&self) -> String {
        sfen::write([FILES, RANKS], |sq| self.board[sq].map(symbol), self.side, [], self.game_ply)
    }

    /// The move in USI notation, such as `8j7h`; a pass names the general's square twice.
    pub fn notation(mv: Move) -> UsiMove {
        let [from, to] = [mv.from(), mv.to()].map(|sq| Square::at(sq, RANKS));
        UsiMove::Board { from, to, promotion: false }
    }

    /// The move in USI notation.
    pub fn usi(mv: Move) -> String {
        Self::notation(mv).to_string()
    }

    /// Reads a pass that some rules allow in any position without check; `None` if the text is not a pass or the side
    /// to move is in check.
    pub fn foreign_pass(&self, text: &str) -> Option<Move> {
        let pass = self.pass();
        let meant = is_pass_word(text) || text == Self::usi(pass);
        (meant && self.now.checkers.is_empty() && !self.is_closed()).then_some(pass)
    }

    /// Reads a legal move in USI notation. Files may have a leading zero (`09a9c`), which one other program writes for
    /// squares on rank a. The usual words for a pass are accepted.
    pub fn parse_usi(&self, text: &str) -> Option<Move> {
        if is_pass_word(text) {
            return Some(self.pass()).filter(|_| self.may_pass());
        }
        let mut text = text.to_string();
        for file in [0, 2] {
            if text.as_bytes().get(file) == Some(&b'0') {
                text.remove(file);
            }
        }
        let UsiMove::Board { from, to, promotion: false } = text.parse().ok()? else { return None };
        let (from, to) = (from.number(FILES, RANKS)?, to.number(FILES, RANKS)?);
        // Square 0 is outside the palaces, so this is never a pass.
        if (from, to) == (0, 0) {
            return None;
        }
        let mv = Move::board(from, to);
        self.is_legal(mv).then_some(mv)
    }
}

/// Returns whether the text is one of the usual words for a pass.
fn is_pass_word(text: &str) -> bool {
    matches!(text, "pass" | "null" | "0000")
}

fn symbol(piece: Piece) -> Symbol {
    Symbol::new(piece.color, piece.kind.letter(), false)
}

fn name(color: Color) -> &'static str {
    ["black", "white"][color.index()]
}

fn kind_name(kind: Kind) -> &'static str {
    ["general", "guard", "chariot", "cannon", "horse", "elephant", "soldier"][kind.index()]
}
