//! A shogi board for records. Unlike the positions of `sanban-rules`, it accepts illegal moves and positions, because
//! records can contain illegal moves, and problems have positions that cannot occur in a game.

use sanban_rules::sfen::Fields;
use sanban_rules::shogi::square::{FILES, RANKS, SQUARES};
use sanban_rules::shogi::{Kind, Piece, square};
use sanban_rules::{Color, Move, SfenError, Square, Symbol, UsiMove, sfen, shogi};

/// A board with the hands, the side to move, and the moves made, which can be undone.
#[derive(Clone, Debug)]
pub struct Board {
    squares: [Option<Piece>; SQUARES],
    hands: [[u8; Kind::HAND]; 2],
    side: Color,
    /// Number of moves made before the start position, according to the move count of the SFEN.
    before: usize,
    made: Vec<Made>,
}

#[derive(Clone, Copy, Debug)]
struct Made {
    mv: Move,
    piece: Piece,
    captured: Option<Piece>,
    /// Whether the dropped piece was in hand; illegal moves can drop other pieces.
    in_hand: bool,
}

/// The kinds of pieces in hand, in the order in which all formats write them.
pub const HAND_ORDER: [Kind; Kind::HAND] =
    [Kind::Rook, Kind::Bishop, Kind::Gold, Kind::Silver, Kind::Knight, Kind::Lance, Kind::Pawn];

impl Default for Board {
    fn default() -> Self {
        Self::empty()
    }
}

impl Board {
    /// Creates an empty board with empty hands and black to move.
    pub fn empty() -> Self {
        Self {
            squares: [None; SQUARES],
            hands: Default::default(),
            side: Color::Black,
            before: 0,
            made: vec![],
        }
    }

    /// Creates the start position of a record; `None` for the standard start position.
    ///
    /// # Errors
    /// The reason why the SFEN is invalid.
    pub fn from_start(sfen: Option<&str>) -> Result<Self, SfenError> {
        Self::from_sfen(sfen.unwrap_or(shogi::START))
    }

    /// Reads `board side hands [count]`. Any number of pieces and kings on the board is accepted.
    ///
    /// # Errors
    /// The invalid field.
    pub fn from_sfen(sfen: &str) -> Result<Self, SfenError> {
        let fields = Fields::split(sfen)?;
        let mut out = Self { side: fields.side, before: fields.game_ply, ..Self::empty() };
        sfen::read_board(fields.board, FILES, RANKS, |sq, letter, promoted| {
            let kind = Kind::from_letter(letter);
            let kind = if promoted { kind.and_then(Kind::promoted) } else { kind };
            let kind = kind.ok_or(sfen::FieldError::Unknown(letter))?;
            out.squares[sq] = Some(Piece::new(sfen::side_of(letter), kind));
            Ok(())
        })?;
        sfen::read_hands(fields.hands, Kind::Pawn.in_set(), |letter| {
            let kind = Kind::from_letter(letter).filter(|kind| kind.index() < Kind::HAND);
            let kind = kind.ok_or(sfen::FieldError::NotInHand)?;
            let fits = out.add_to_hand(sfen::side_of(letter), kind, 1);
            if fits { Ok(()) } else { Err(sfen::FieldError::MoreThanSet) }
        })?;
        Ok(out)
    }

    /// The position as SFEN. Equal positions have equal SFENs.
    pub fn sfen(&self) -> String {
        let symbol =
            |piece: Piece| Symbol::new(piece.color(), piece.kind().letter(), piece.kind().is_promoted());
        let of = |color| HAND_ORDER.map(|kind| (symbol(Piece::new(color, kind)), self.in_hand(color, kind)));
        let hands = Color::ALL.into_iter().flat_map(of);
        sfen::write([FILES, RANKS], |sq| self.squares[sq].map(symbol), self.side, hands, self.ply())
    }

    /// The value for [`super::Record::start`]: [`Board::sfen`], or `None` for the standard start position.
    pub fn start(&self) -> Option<String> {
        let sfen = self.sfen();
        (sfen != shogi::START).then_some(sfen)
    }

    /// The piece on a square.
    pub fn piece(&self, square: usize) -> Option<Piece> {
        self.squares[square]
    }

    /// Sets or clears a square.
    pub fn set(&mut self, square: usize, piece: Option<Piece>) {
        self.squares[square] = piece;
    }

    /// Number of pieces of a kind in a side's hand.
    pub fn in_hand(&self, color: Color, kind: Kind) -> usize {
        self.hands[color.index()].get(kind.index()).map_or(0, |&n| n.into())
    }

    /// Adds pieces to a hand. Returns false if the hand would have more pieces of the kind than a set.
    pub fn add_to_hand(&mut self, color: Color, kind: Kind, count: usize) -> bool {
        let Some(hand) = self.hands[color.index()].get_mut(kind.index()) else { return false };
        let sum = usize::from(*hand) + count;
        if sum > kind.in_set() {
            return false;
        }
        *hand = sum as u8;
        true
    }

    /// The reason why the pieces cannot come from one set, if any: too many of a kind, or two kings of one side.
    pub fn surplus(&self) -> Option<String> {
        let mut counts = [[0usize; Kind::COUNT]; 2];
        for piece in self.squares.iter().flatten() {
            counts[piece.color().index()][piece.kind().base().index()] += 1;
        }
        for kind in Kind::ALL.into_iter().filter(|kind| !kind.is_promoted()) {
            let [black, white] =
                Color::ALL.map(|color| counts[color.index()][kind.index()] + self.in_hand(color, kind));
            if black + white > kind.in_set() || kind == Kind::King && black.max(white) > 1 {
                let name = super::names::in_moves(kind);
                return Some(format!("too many {name} in the position: {}", black + white));
            }
        }
        None
    }

    /// The side to move.
    pub const fn side(&self) -> Color {
        self.side
    }

    /// Sets the side to move.
    pub fn set_side(&mut self, side: Color) {
        self.side = side;
    }

    /// Number of moves made, including the moves before the start position.
    pub fn ply(&self) -> usize {
        self.before + self.made.len()
    }

    /// Sets [`Board::ply`].
    pub fn set_ply(&mut self, ply: usize) {
        self.before = ply.saturating_sub(self.made.len());
    }

    /// Number of moves made on this board.
    pub fn made(&self) -> usize {
        self.made.len()
    }

    /// The last move made.
    pub fn last(&self) -> Option<Move> {
        self.made.last().map(|made| made.mv)
    }

    /// The piece that a move moves or drops, before any promotion. Illegal moves can move a piece of the other side.
    ///
    /// # Errors
    /// The reason why the move is impossible on this board.
    pub fn mover(&self, mv: Move) -> Result<Piece, &'static str> {
        if mv.to() >= SQUARES {
            return Err("the square does not exist");
        }
        if mv.is_drop() {
            let kind = Kind::ALL.get(mv.kind()).copied().filter(|kind| kind.index() < Kind::HAND);
            let kind = kind.ok_or("no such piece")?;
            if self.squares[mv.to()].is_some() {
                return Err("the square of the drop is occupied");
            }
            return Ok(Piece::new(self.side, kind));
        }
        if mv.from() >= SQUARES || mv.from() == mv.to() {
            return Err("no such move");
        }
        let piece = self.squares[mv.from()].ok_or("there is no piece on the origin square")?;
        if mv.is_promotion() && piece.kind().promoted().is_none() {
            return Err("the piece cannot promote");
        }
        Ok(piece)
    }

    /// Like [`Board::mover`], but requires a piece of the side to move and a destination without one of its pieces.
    ///
    /// # Errors
    /// The reason why the move is impossible, as for [`Board::mover`], or why the side to move cannot make it.
    pub fn own_mover(&self, mv: Move) -> Result<Piece, &'static str> {
        let piece = self.mover(mv)?;
        if piece.color() != self.side {
            return Err("the moving piece belongs to the other side");
        }
        if self.squares[mv.to()].is_some_and(|other| other.color() == self.side) {
            return Err("the destination is occupied by a piece of the same side");
        }
        Ok(piece)
    }

    /// Makes a move, legal or not.
    ///
    /// # Errors
    /// The reason why the move is impossible; the board is unchanged.
    pub fn play(&mut self, mv: Move) -> Result<(), &'static str> {
        let piece = self.mover(mv)?;
        let us = self.side.index();
        let captured = self.squares[mv.to()];
        let mut in_hand = true;
        if mv.is_drop() {
            let hand = &mut self.hands[us][piece.kind().index()];
            in_hand = *hand > 0;
            *hand = hand.saturating_sub(1);
        } else {
            self.squares[mv.from()] = None;
            if let Some(count) =
                captured.and_then(|captured| self.hands[us].get_mut(captured.kind().base().index()))
            {
                *count = count.saturating_add(1);
            }
        }
        let kind = if mv.is_promotion() { piece.kind().promoted() } else { None };
        self.squares[mv.to()] = Some(Piece::new(self.side, kind.unwrap_or(piece.kind())));
        self.made.push(Made { mv, piece, captured, in_hand });
        self.side = !self.side;
        Ok(())
    }

    /// Undoes the last move. Returns false if no move has been made.
    pub fn undo(&mut self) -> bool {
        let Some(Made { mv, piece, captured, in_hand }) = self.made.pop() else { return false };
        self.side = !self.side;
        let us = self.side.index();
        self.squares[mv.to()] = captured;
        if mv.is_drop() {
            self.hands[us][piece.kind().index()] += u8::from(in_hand);
        } else {
            self.squares[mv.from()] = Some(piece);
            if let Some(count) =
                captured.and_then(|captured| self.hands[us].get_mut(captured.kind().base().index()))
            {
                *count = count.saturating_sub(1);
            }
        }
        true
    }

    /// Returns whether the piece on `from` can move to `to`. Only the movement of the piece matters, not check or
    /// promotion.
    pub fn reaches(&self, from: usize, to: usize) -> bool {
        let Some(piece) = self.squares[from] else { return false };
        if from == to || self.squares[to].is_some_and(|other| other.color() == piece.color()) {
            return false;
        }
        let step = |a: usize, b: usize| b as i32 - a as i32;
        let side = step(square::file(from), square::file(to));
        // Forward is positive.
        let forward = step(square::rank(from), square::rank(to));
        let forward = if piece.color() == Color::Black { -forward } else { forward };
        let near = side.abs() <= 1 && forward.abs() <= 1;
        let (straight, diagonal) = (side == 0 || forward == 0, side.abs() == forward.abs());
        match piece.kind() {
            Kind::Pawn => side == 0 && forward == 1,
            Kind::Lance => side == 0 && forward > 0 && self.is_open(from, to),
            Kind::Knight => side.abs() == 1 && forward == 2,
            Kind::Silver => near && (diagonal || side == 0 && forward == 1),
            Kind::King => near,
            Kind::Bishop => diagonal && self.is_open(from, to),
            Kind::Rook => straight && self.is_open(from, to),
            Kind::Horse => near || diagonal && self.is_open(from, to),
            Kind::Dragon => near || straight && self.is_open(from, to),
            _ => near && (straight || forward == 1),
        }
    }

    /// Returns whether the squares between two squares on a line are empty.
    fn is_open(&self, from: usize, to: usize) -> bool {
        let step = |a: usize, b: usize| (b as i32 - a as i32).signum();
        let stride = step(square::file(from), square::file(to)) * RANKS as i32
            + step(square::rank(from), square::rank(to));
        let mut at = from as i32 + stride;
        while at != to as i32 {
            if self.squares[at as usize].is_some() {
                return false;
            }
            at += stride;
        }
        true
    }

    /// The squares from which a piece of this kind of the side to move can move to `to`.
    pub fn candidates(&self, kind: Kind, to: usize) -> Vec<usize> {
        let piece = Some(Piece::new(self.side, kind));
        (0..SQUARES).filter(|&from| self.squares[from] == piece && self.reaches(from, to)).collect()
    }

    /// Returns whether a move is legal; false if the position is invalid under the rules.
    pub fn is_legal(&self, mv: Move) -> bool {
        shogi::Position::from_sfen(&self.sfen()).is_ok_and(|pos| pos.is_legal(mv))
    }
}

/// Reads a shogi move in USI notation, legal or not.
pub fn parse_move(text: &str) -> Option<Move> {
    let number = |square: Square| square.number(FILES, RANKS);
    match text.parse().ok()? {
        UsiMove::Drop { piece, to } => {
            let kind =
                Kind::from_letter(u8::try_from(piece).ok()?).filter(|kind| kind.index() < Kind::HAND)?;
            Some(Move::drop(kind.index(), number(to)?))
        }
        UsiMove::Board { from, to, promotion } => {
            let (from, to) = (number(from)?, number(to)?);
            if from == to {
                return None;
            }
            Some(if promotion { Move::promotion(from, to) } else { Move::board(from, to) })
        }
    }
}

/// Returns whether a piece of this kind may promote with a move.
pub fn may_promote(color: Color, kind: Kind, mv: Move) -> bool {
    let zone = |sq| square::rank_for(color, sq) < 3;
    kind.promoted().is_some() && !mv.is_drop() && (zone(mv.from()) || zone(mv.to()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use sanban_rules::{Position as _, Rng};

    /// In random games, the board can make and undo legal moves, and `reaches` allows them.
    #[test]
    fn it_agrees_with_the_rules() {
        let mut rng = Rng::new(7);
        for _ in 0..50 {
            let mut pos = shogi::Position::from_sfen(shogi::START).expect("the start position");
            let mut board = Board::from_start(None).expect("the start position");
            for _ in 0..150 {
                let list = pos.legal_moves();
                let Some(&mv) = list.get(rng.below(list.len().max(1))) else { break };
                for &mv in &list {
                    assert!(mv.is_drop() || board.reaches(mv.from(), mv.to()));
                    assert!(board.mover(mv).is_ok());
                }
                let before = board.sfen();
                assert_eq!(board.play(mv), Ok(()));
                assert!(board.undo());
                assert_eq!(board.sfen(), before);
                assert_eq!(board.play(mv), Ok(()));
                pos.make(mv, &mut ());
                assert_eq!(board.sfen(), pos.sfen());
            }
            while board.undo() {}
            assert_eq!(board.start(), None);
        }
    }

    #[test]
    fn problems_without_kings_are_positions() {
        let sfen = "4k4/9/4P4/9/9/9/9/9/9 b 2G2r2b2g4s4n4l17p 1";
        assert_eq!(Board::from_sfen(sfen).expect("a problem").sfen(), sfen);
        assert!(Board::from_sfen("4k4/9 b - 1").is_err());
        assert!(Board::from_sfen("9/9/9/9/9/9/9/9/9 b 99P 1").is_err());
    }
}
