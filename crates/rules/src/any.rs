//! A position of one of the games, for code that learns its game at run time.

use crate::contract::{Position, Rules as _, SearchPosition};
use crate::setting::Setting;
use crate::variants::{DefaultRules, ReplayError, Variant, VariantId};
use crate::{
    Color, IllegalMove, Move, MoveList, RuleError, Score, SfenError, Square, Symbol, UsiMove, Verdict, clip,
    dobutsu, janggi, shogi,
};
use std::fmt;

/// A position of one of the games, with its history and rule settings.
///
/// Two positions are equal if they belong to the same game and are equal as [`Position`] defines it.
///
/// ```
/// use sanban_rules::{AnyPosition, VariantId};
///
/// for &id in VariantId::ALL {
///     let mut pos = AnyPosition::new(id);
///     let mv = pos.legal_moves()[0];
///     let text = pos.display(mv);
///     assert_eq!(pos.parse_move(&text)?, mv);
///     pos.try_play(mv)?;
///     pos.undo();
///     assert_eq!(pos, AnyPosition::new(id));
/// }
/// # Ok::<(), sanban_rules::IllegalMove>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct AnyPosition {
    variant: VariantId,
    board: Board,
}

/// The types of positions. Games that differ only in rule settings share one.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Board {
    /// A shogi position.
    Shogi(shogi::Position),
    /// A position of any variant of Janggi.
    Janggi(janggi::Position),
    /// A position of Dobutsu shogi in which the lion is captured.
    Dobutsu(dobutsu::Original),
    /// A position of Dobutsu shogi with check and mate.
    DobutsuMate(dobutsu::WithMate),
}

macro_rules! boards {
    ($($variant:ident $position:ty;)*) => {
        $(impl From<$position> for Board {
            fn from(pos: $position) -> Self {
                Self::$variant(pos)
            }
        }

        impl AsBoard for $position {
            fn of(board: &Board) -> Option<&Self> {
                match board { Board::$variant(pos) => Some(pos), _ => None }
            }
        })*
    };
}

/// A type of position that a [`Board`] can hold.
pub trait AsBoard: Position + Into<Board> {
    /// The position, if the board holds one of this type.
    fn of(board: &Board) -> Option<&Self>;
}

boards! {
    Shogi shogi::Position;
    Janggi janggi::Position;
    Dobutsu dobutsu::Original;
    DobutsuMate dobutsu::WithMate;
}

/// `each_board!(board, pos => expression)` evaluates the expression with `pos` bound to the position in a [`Board`],
/// whatever its type.
///
/// ```
/// use sanban_rules::{AnyPosition, Position, VariantId, each_board, perft};
///
/// let any = AnyPosition::new(VariantId::Dobutsu);
/// assert_eq!(each_board!(any.board(), pos => perft(&mut pos.clone(), 2)), 17);
/// ```
#[macro_export]
macro_rules! each_board {
    ($board:expr, $pos:ident => $body:expr) => {
        match $board {
            $crate::Board::Shogi($pos) => $body,
            $crate::Board::Janggi($pos) => $body,
            $crate::Board::Dobutsu($pos) => $body,
            $crate::Board::DobutsuMate($pos) => $body,
        }
    };
}

/// Methods of a trait that every position has.
macro_rules! of_board {
    ($trait:ident: $(fn $name:ident(&self $(, $arg:ident: $ty:ty)*) -> $out:ty;)*) => {
        $(#[doc = concat!("See [`", stringify!($trait), "::", stringify!($name), "`].")]
        pub fn $name(&self $(, $arg: $ty)*) -> $out {
            each_board!(&self.board, pos => $trait::$name(pos $(, $arg)*))
        })*
    };
}

impl AnyPosition {
    /// The start position of a game.
    pub fn new(variant: VariantId) -> Self {
        Self::parse(variant, variant.info().start).expect("the start position")
    }

    /// A position of a game whose type is known.
    pub fn of<V: Variant<Position: Into<Board>>>(pos: V::Position) -> Self {
        Self { variant: V::ID, board: pos.into() }
    }

    /// Parses an SFEN, under the default rule settings of the game.
    ///
    /// # Errors
    /// The error names the invalid field, or the reason why the position is impossible.
    pub fn parse(variant: VariantId, sfen: &str) -> Result<Self, SfenError> {
        let board = match &variant.info().rules {
            DefaultRules::Shogi => Board::Shogi(shogi::Position::from_sfen(sfen)?),
            DefaultRules::Janggi(rules) => {
                let mut pos = janggi::Position::from_sfen(sfen)?;
                Position::set_rules(&mut pos, rules);
                Board::Janggi(pos)
            }
            DefaultRules::Dobutsu => Board::Dobutsu(dobutsu::Original::from_sfen(sfen)?),
            DefaultRules::DobutsuMate => Board::DobutsuMate(dobutsu::WithMate::from_sfen(sfen)?),
        };
        Ok(Self { variant, board })
    }

    /// The position after these moves from an SFEN, or from the start position if `sfen` is `None`.
    ///
    /// # Errors
    /// The SFEN cannot be read, or a move is not legal.
    pub fn replay<'a>(
        variant: VariantId,
        sfen: Option<&str>,
        moves: impl IntoIterator<Item = &'a str>,
    ) -> Result<Self, ReplayError> {
        let mut pos = Self::parse(variant, sfen.unwrap_or(variant.info().start))?;
        for (n, text) in moves.into_iter().enumerate() {
            let illegal = || ReplayError::Move { text: clip(text), ply: n + 1 };
            pos.play(pos.parse_usi(text).ok_or_else(illegal)?);
        }
        Ok(pos)
    }

    /// Takes over the rule settings of a position on the same board.
    pub fn copy_rules(&mut self, of: &Self) {
        match (&mut self.board, &of.board) {
            (Board::Shogi(pos), Board::Shogi(of)) => pos.set_rules(of.rules()),
            (Board::Janggi(pos), Board::Janggi(of)) => pos.set_rules(of.rules()),
            (Board::Dobutsu(pos), Board::Dobutsu(of)) => pos.set_rules(of.rules()),
            (Board::DobutsuMate(pos), Board::DobutsuMate(of)) => pos.set_rules(of.rules()),
            _ => {}
        }
    }

    /// All rule settings of the board, including those that the name of the game determines.
    pub fn all_settings(&self) -> &'static [Setting] {
        fn settings<P: Position>(_: &P) -> &'static [Setting] {
            P::Rules::SETTINGS
        }
        each_board!(&self.board, pos => settings(pos))
    }

    /// The start position of a game under rule settings, given as names and values. Unknown settings and invalid values
    /// are ignored.
    pub fn start<'a>(variant: VariantId, settings: impl Iterator<Item = (&'a str, &'a str)>) -> Self {
        let mut pos = Self::new(variant);
        pos.set_rules(settings);
        pos.restarted()
    }

    /// The start position under the rule settings of this position.
    #[must_use]
    pub fn restarted(&self) -> Self {
        let start = each_board!(&self.board, pos => pos.rules().start());
        self.with_sfen(start.as_deref().unwrap_or(self.variant.info().start)).expect("the start position")
    }

    /// Parses an SFEN of the same game, under the rule settings of this position.
    ///
    /// # Errors
    /// See [`AnyPosition::parse`].
    pub fn with_sfen(&self, sfen: &str) -> Result<Self, SfenError> {
        fn parse<P: Position>(like: &P, sfen: &str) -> Result<P, SfenError> {
            let mut pos = P::from_sfen(sfen)?;
            pos.set_rules(like.rules());
            Ok(pos)
        }
        let board = each_board!(&self.board, like => Board::from(parse(like, sfen)?));
        Ok(Self { variant: self.variant, board })
    }

    /// Changes rule settings, given as names and values. Unknown settings and invalid values are ignored.
    pub fn set_rules<'a>(&mut self, settings: impl Iterator<Item = (&'a str, &'a str)>) {
        for (name, value) in settings {
            let _ = self.set_rule(name, value);
        }
    }

    /// The game of the position.
    pub fn variant(&self) -> VariantId {
        self.variant
    }

    /// The position as a value of its concrete type.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The position as this type; `None` if it has a different type.
    pub fn get<P: AsBoard>(&self) -> Option<&P> {
        P::of(&self.board)
    }

    /// Changes one rule setting, by its USI name; board and history are unchanged.
    ///
    /// # Errors
    /// The game does not have this setting, or does not accept the value.
    pub fn set_rule(&mut self, name: &str, value: &str) -> Result<(), RuleError> {
        each_board!(&mut self.board, pos => {
            let mut rules = pos.rules().clone();
            rules.set(name, value)?;
            pos.set_rules(&rules);
            Ok(())
        })
    }

    of_board! { Position:
        fn sfen(&self) -> String;
        fn side(&self) -> Color;
        fn game_ply(&self) -> usize;
        fn key(&self) -> u64;
        fn last_move(&self) -> Option<Move>;
        fn foreign_pass(&self, text: &str) -> Option<Move>;
        fn piece_at(&self, square: Square) -> Option<Symbol>;
        fn hands(&self) -> Vec<(Symbol, usize)>;
        fn legal_moves(&self) -> MoveList;
        fn count(&self) -> usize;
        fn is_legal(&self, mv: Move) -> bool;
        fn gives_check(&self, mv: Move) -> bool;
        fn in_check(&self) -> bool;
        fn verdict_without_moves(&self) -> Verdict;
        fn can_declare(&self) -> bool;
        fn display(&self, mv: Move) -> String;
        fn parse_usi(&self, text: &str) -> Option<Move>;
        fn parse_move(&self, text: &str) -> Result<Move, IllegalMove>;
    }

    of_board! { SearchPosition:
        fn key_after(&self, mv: Move) -> u64;
        fn gain(&self, mv: Move) -> Score;
        fn see_ge(&self, mv: Move, threshold: Score) -> bool;
    }

    /// The number of plies since the last capture, which the rules of Janggi may limit; 0 in other games.
    pub fn quiet_plies(&self) -> u16 {
        if let Board::Janggi(pos) = &self.board { pos.quiet_plies() } else { 0 }
    }

    /// Sets the number of plies since the last capture, as a FEN states it. Other games than Janggi ignore it.
    pub fn set_quiet_plies(&mut self, plies: u16) {
        if let Board::Janggi(pos) = &mut self.board {
            pos.set_quiet_plies(plies);
        }
    }

    /// See [`Position::resumed`].
    #[must_use]
    pub fn resumed(&self) -> Option<Self> {
        let board = each_board!(&self.board, pos => pos.resumed().map(Board::from))?;
        Some(Self { variant: self.variant, board })
    }

    /// The numbers of files and ranks of the board.
    pub fn size(&self) -> (usize, usize) {
        fn size<P: Position>(_: &P) -> (usize, usize) {
            (P::FILES, P::RANKS)
        }
        each_board!(&self.board, pos => size(pos))
    }

    /// The square with this number, as in a [`Move`].
    pub fn square(&self, number: usize) -> Square {
        Square::at(number, self.size().1)
    }

    /// The piece on the square with this number, as in a [`Move`].
    pub fn piece_on(&self, number: usize) -> Option<Symbol> {
        self.piece_at(self.square(number))
    }

    /// The result under a rule other than "no legal move". See [`Position::verdict`].
    pub fn verdict(&self) -> Option<Verdict> {
        each_board!(&self.board, pos => pos.verdict(0))
    }

    /// The legal moves that capture.
    pub fn captures(&self) -> MoveList {
        each_board!(&self.board, pos => {
            let mut out = MoveList::new();
            pos.noisy(&mut out);
            out.retain(|mv| pos.victim(*mv) > 0);
            out
        })
    }

    /// Whether a legal move captures.
    pub fn is_capture(&self, mv: Move) -> bool {
        each_board!(&self.board, pos => pos.victim(mv) > 0)
    }

    /// The move in USI notation.
    pub fn notation(&self, mv: Move) -> UsiMove {
        fn notation<P: Position>(_: &P, mv: Move) -> UsiMove {
            P::notation(mv)
        }
        each_board!(&self.board, pos => notation(pos, mv))
    }

    /// Makes a legal move. See [`Position::play`].
    pub fn play(&mut self, mv: Move) {
        each_board!(&mut self.board, pos => pos.play(mv));
    }

    /// Makes a move if it is legal.
    ///
    /// # Errors
    /// The move is illegal; the position is unchanged.
    pub fn try_play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        each_board!(&mut self.board, pos => pos.try_play(mv))
    }

    /// Makes a null move: passes the turn, whether or not the rules allow it. Must not be called in check.
    pub fn make_null(&mut self) {
        each_board!(&mut self.board, pos => pos.make_null());
    }

    /// Undoes a null move.
    pub fn unmake_null(&mut self) {
        each_board!(&mut self.board, pos => pos.unmake_null());
    }

    /// Undoes the last move, if there is one.
    pub fn undo(&mut self) {
        each_board!(&mut self.board, pos => pos.unmake());
    }
}

impl Default for AnyPosition {
    fn default() -> Self {
        Self::new(VariantId::default())
    }
}

impl fmt::Display for AnyPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        each_board!(&self.board, pos => pos.fmt(f))
    }
}
