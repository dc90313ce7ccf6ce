//! SFEN and USI notation.

use super::piece::{Kind, Piece};
use super::position::Position;
use super::square::{FILES, RANKS};
use crate::sfen::{FieldError, Fields};
use crate::{Color, Move, SfenError, Square, Symbol, UsiMove, sfen};

impl Position {
    /// Reads `board side hands [count]`. Unusual and missing material is accepted, with at most one king per side and
    /// no more pieces than a set has.
    ///
    /// # Errors
    /// The error names the invalid field or explains why the position is impossible.
    pub fn from_sfen(text: &str) -> Result<Self, SfenError> {
        let fields = Fields::split(text)?;
        let mut pos = Self::empty();
        sfen::read_board(fields.board, FILES, RANKS, |sq, letter, promoted| {
            let piece = pos.read_piece(letter, promoted).ok_or_else(|| Self::refusal(letter, promoted))?;
            pos.put(sq, piece, &mut ());
            Ok(())
        })?;
        sfen::read_hands(fields.hands, Kind::Pawn.in_set(), |letter| {
            let kind = Kind::from_letter(letter).filter(|&kind| kind != Kind::King);
            let kind = kind.ok_or(FieldError::UnknownInHand(letter))?;
            let color = sfen::side_of(letter);
            if pos.hand_count(color, kind) >= kind.in_set() {
                return Err(FieldError::TooManyInHand { most: kind.in_set(), letter });
            }
            pos.put_hand(color, kind, &mut ());
            Ok(())
        })?;
        pos.begin(fields.side, fields.game_ply)
    }

    /// Completes a position whose pieces have been placed.
    pub(super) fn begin(mut self, side: Color, game_ply: usize) -> Result<Self, SfenError> {
        self.check_material()?;
        self.game_ply = game_ply;
        self.handicap = self.missing_points();
        self.start(side);
        match self.king(!side) {
            Some(king) if self.attackers(side, king, self.occupied()).any() => {
                Err(SfenError::Impossible("the king of the side that has just moved can be captured".into()))
            }
            _ => Ok(self),
        }
    }

    /// The piece with this letter, if it may be placed; otherwise [`Position::refusal`] gives the reason.
    #[inline]
    fn read_piece(&self, letter: u8, promoted: bool) -> Option<Piece> {
        let kind = Kind::from_letter(letter)?;
        let kind = if promoted { kind.promoted()? } else { kind };
        let color = sfen::side_of(letter);
        (kind != Kind::King || self.king(color).is_none()).then(|| Piece::new(color, kind))
    }

    #[cold]
    fn refusal(letter: u8, promoted: bool) -> FieldError {
        match Kind::from_letter(letter) {
            None => FieldError::Unknown(letter),
            Some(kind) if promoted && kind.promoted().is_none() => FieldError::Promotion(letter),
            Some(_) => FieldError::SecondKing,
        }
    }

    /// Checks that no kind has more pieces than a set has; captures could otherwise overflow a hand.
    fn check_material(&self) -> Result<(), SfenError> {
        for &kind in &Kind::ALL[..Kind::HAND] {
            let on_board = self.kinds[kind.index()].len()
                + kind.promoted().map_or(0, |promoted| self.kinds[promoted.index()].len());
            let in_hands = self.hand_count(Color::Black, kind) + self.hand_count(Color::White, kind);
            let (found, most) = (on_board + in_hands, kind.in_set());
            if found > most {
                let letter = char::from(kind.letter());
                return Err(SfenError::Impossible(format!(
                    "{found} pieces of kind {letter}, but a set has {most}"
                )));
            }
        }
        Ok(())
    }

    /// The piece on a square.
    pub fn piece_at(&self, square: Square) -> Option<Symbol> {
        self.board[square.number(FILES, RANKS)?].map(symbol)
    }

    /// The kinds of pieces that can be in hand, for both sides and in SFEN order, with their counts (possibly 0).
    pub fn hands(&self) -> Vec<(Symbol, usize)> {
        const ORDER: [Kind; Kind::HAND] =
            [Kind::Rook, Kind::Bishop, Kind::Gold, Kind::Silver, Kind::Knight, Kind::Lance, Kind::Pawn];
        let of = |color| ORDER.map(|kind| (symbol(Piece::new(color, kind)), self.hand_count(color, kind)));
        Color::ALL.into_iter().flat_map(of).collect()
    }

    /// The position as SFEN, with the move count.
    pub fn sfen(&self) -> String {
        sfen::write([FILES, RANKS], |sq| self.board[sq].map(symbol), self.side, self.hands(), self.game_ply)
    }

    /// The move in USI notation, such as `7g7f`, `8h2b+` or `P*5e`.
    pub fn notation(mv: Move) -> UsiMove {
        let to = Square::at(mv.to(), RANKS);
        match mv.is_drop() {
            true => UsiMove::Drop { piece: Kind::ALL[mv.kind() & 7].letter().into(), to },
            false => UsiMove::Board { from: Square::at(mv.from(), RANKS), to, promotion: mv.is_promotion() },
        }
    }

    /// The move in USI notation.
    pub fn usi(mv: Move) -> String {
        Self::notation(mv).to_string()
    }

    /// Reads a legal move in USI notation.
    pub fn parse_usi(&self, text: &str) -> Option<Move> {
        let mv = match text.parse().ok()? {
            UsiMove::Drop { piece, to } => {
                let kind = Kind::from_letter(piece as u8).filter(|&kind| kind != Kind::King)?;
                Move::drop(kind.index(), to.number(FILES, RANKS)?)
            }
            UsiMove::Board { from, to, .. } if from == to => return None,
            UsiMove::Board { from, to, promotion } => {
                let (from, to) = (from.number(FILES, RANKS)?, to.number(FILES, RANKS)?);
                if promotion { Move::promotion(from, to) } else { Move::board(from, to) }
            }
        };
        self.is_legal(mv).then_some(mv)
    }
}

fn symbol(piece: Piece) -> Symbol {
    Symbol::new(piece.color(), piece.kind().letter(), piece.kind().is_promoted())
}
