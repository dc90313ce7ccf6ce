//! SFEN and USI notation. The letters are `L`, `E`, `G`, `C`; a hen is `+C` (`H` is also read). Files 3 to 1 from the
//! left, ranks `a` to `d` from the top.

use super::piece::{FILES, Kind, Piece, RANKS};
use super::position::Position;
use crate::sfen::{FieldError, Fields};
use crate::{Color, Move, SfenError, Square, Symbol, UsiMove, sfen};

impl<const MATE: bool> Position<MATE> {
    /// Reads `board side hands [count]`. The set must be complete: two chicks, two elephants, two giraffes, and a lion
    /// for each side.
    ///
    /// # Errors
    /// The error names the invalid field or explains why the position is impossible.
    pub fn from_sfen(text: &str) -> Result<Self, SfenError> {
        let fields = Fields::split(text)?;
        let mut pos = Self::empty();
        sfen::read_board(fields.board, FILES, RANKS, |sq, letter, promoted| {
            let kind = match (promoted, kind_of(letter)) {
                (false, Some(kind)) => kind,
                (true, Some(Kind::Chick)) => Kind::Hen,
                (true, Some(_)) => return Err(FieldError::Promotion(letter)),
                (_, None) => return Err(FieldError::Unknown(letter)),
            };
            pos.put(sq, Piece { color: sfen::side_of(letter), kind }, &mut ());
            Ok(())
        })?;
        sfen::read_hands(fields.hands, 2, |letter| {
            let kind = kind_of(letter).filter(|kind| kind.index() < Kind::HAND);
            let kind = kind.ok_or(FieldError::UnknownInHand(letter))?;
            if pos.hand_count(sfen::side_of(letter), kind) == 2 {
                return Err(FieldError::MoreThanTwo(name(kind)));
            }
            pos.put_hand(sfen::side_of(letter), kind, &mut ());
            Ok(())
        })?;
        pos.game_ply = fields.game_ply;
        pos.start(fields.side);
        pos.check_material()?;
        Ok(pos)
    }

    /// Checks that a complete set of pieces is present.
    fn check_material(&self) -> Result<(), SfenError> {
        let impossible = |what: &str| SfenError::Impossible(what.into());
        for color in Color::ALL {
            let side = if color == Color::Black { "black" } else { "white" };
            match self.pieces_of(color, Kind::Lion).count_ones() {
                1 => {}
                0 => return Err(impossible(&format!("{side} has no lion"))),
                _ => return Err(impossible(&format!("{side} has more than one lion"))),
            }
        }
        for &kind in &Kind::ALL[..Kind::HAND] {
            let on_board = |color| {
                let promoted = if kind == Kind::Chick { self.pieces_of(color, Kind::Hen) } else { 0 };
                (self.pieces_of(color, kind) | promoted).count_ones() as usize
            };
            let n: usize = Color::ALL.iter().map(|&c| on_board(c) + self.hand_count(c, kind)).sum();
            if n != 2 {
                let name = if n == 1 { name(kind).trim_end_matches('s') } else { name(kind) };
                let set = "all eight animals must be on the board or in hand";
                return Err(impossible(&format!("{n} {name} instead of 2: {set}")));
            }
        }
        if self.has_entered(self.side) {
            return Err(impossible("the lion of the side to move is already on its last row"));
        }
        let takes = self.attacks(self.side) & self.pieces_of(!self.side, Kind::Lion) != 0;
        if takes && MATE {
            return Err(impossible("the lion of the side that has just moved can be captured"));
        }
        if takes && self.has_entered(!self.side) {
            return Err(impossible("a lion cannot enter the last row on an attacked square"));
        }
        Ok(())
    }

    /// The piece on a square.
    pub fn piece_at(&self, square: Square) -> Option<Symbol> {
        self.board[square.number(FILES, RANKS)?].map(symbol)
    }

    /// The kinds of pieces that can be in hand, for both sides and in SFEN order, with their counts (possibly 0).
    pub fn hands(&self) -> Vec<(Symbol, usize)> {
        let kinds = [Kind::Giraffe, Kind::Elephant, Kind::Chick];
        let of = |color| kinds.map(|kind| (symbol(Piece { color, kind }), self.hand_count(color, kind)));
        Color::ALL.into_iter().flat_map(of).collect()
    }

    /// The position as SFEN, with the move count.
    pub fn sfen(&self) -> String {
        sfen::write([FILES, RANKS], |sq| self.board[sq].map(symbol), self.side, self.hands(), self.game_ply)
    }

    /// The move in USI notation: `2c2b`, `2b2a+`, `C*2c`.
    pub fn notation(mv: Move) -> UsiMove {
        let to = Square::at(mv.to(), RANKS);
        match Kind::ALL.get(mv.kind()) {
            Some(kind) if mv.is_drop() => UsiMove::Drop { piece: kind.letter().into(), to },
            _ => UsiMove::Board { from: Square::at(mv.from(), RANKS), to, promotion: mv.is_promotion() },
        }
    }

    /// The move in USI notation.
    pub fn usi(mv: Move) -> String {
        Self::notation(mv).to_string()
    }

    /// Reads a legal move in USI notation. A missing `+` on the last row is accepted, and so is a lion's move to an
    /// attacked square of the last row, which other programs play.
    pub fn parse_usi(&self, text: &str) -> Option<Move> {
        let moves = match text.parse().ok()? {
            UsiMove::Drop { piece, to } => {
                [Some(Move::drop(kind_of(piece as u8)?.index(), to.number(FILES, RANKS)?)), None]
            }
            UsiMove::Board { from, to, .. } if from == to => return None,
            UsiMove::Board { from, to, promotion } => {
                let (from, to) = (from.number(FILES, RANKS)?, to.number(FILES, RANKS)?);
                [(!promotion).then(|| Move::board(from, to)), Some(Move::promotion(from, to))]
            }
        };
        moves.into_iter().flatten().find(|&mv| self.is_legal(mv) || self.is_rash_entry(mv))
    }
}

fn symbol(piece: Piece) -> Symbol {
    Symbol::new(piece.color, piece.kind.letter(), piece.kind == Kind::Hen)
}

fn kind_of(letter: u8) -> Option<Kind> {
    let number = b"CEGLH".iter().position(|&known| known == letter.to_ascii_uppercase())?;
    Some(Kind::ALL[number])
}

fn name(kind: Kind) -> &'static str {
    ["chicks", "elephants", "giraffes", "lions", "hens"][kind.index()]
}
