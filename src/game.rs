//! The contract between rules, evaluation and search.
//!
//! A [`Position`] knows the rules and the history of one game. An [`Evaluator`] hears every change of the board as
//! an [`Observer`] and gives a score when asked. A [`Game`] ties the two together and is the search's only type
//! parameter. Nothing here depends on a game, and the search never asks which game it plays: a difference
//! between games is a method of `Position` or a number in `Params`.

use crate::base::setting::Setting;
use crate::base::{Color, FileError, Move, MoveList, Score, SfenError, Square, Symbol, clip};
use crate::params::Params;
use bitflags::bitflags;
use std::cmp::Ordering;
use std::fmt::Display;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Something that is somewhere: a piece on a square, or the n-th piece of its kind in a hand.
///
/// One vocabulary for three things: a position's key is the XOR of its placements' keys, its material the sum of
/// their values, and the first layer of its network the sum of their rows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Placement(pub u16);

impl Placement {
    /// The number as an index, below `Position::PLACEMENTS`.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

bitflags! {
    /// Parts of a position that change slowly, each with a key of its own: the search learns how far the static
    /// evaluation is off where they are the same. A placement can belong to several, or to none.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub struct Parts: u8 {
        /// Pawns on the board.
        const PAWNS = 1;
        /// Minor pieces on the board, of both sides.
        const MINORS = 1 << 1;
        /// Black's pieces on the board, without pawns.
        const BLACK = 1 << 2;
        /// White's pieces on the board, without pawns.
        const WHITE = 1 << 3;
        /// Both hands.
        const HANDS = 1 << 4;
    }
}

impl Parts {
    /// Number of parts.
    pub const COUNT: usize = 5;

    /// The pieces of a side on the board, without pawns.
    #[inline]
    pub const fn pieces(color: Color) -> Self {
        match color {
            Color::Black => Self::BLACK,
            Color::White => Self::WHITE,
        }
    }
}

/// Hears placements come and go while a move is made.
pub trait Observer {
    /// Something is somewhere now.
    fn put(&mut self, placement: Placement);
    /// Something is no longer there.
    fn take(&mut self, placement: Placement);
}

/// Hears nothing and costs nothing: for perft, mate search and unmaking.
impl Observer for () {
    #[inline]
    fn put(&mut self, _: Placement) {}
    #[inline]
    fn take(&mut self, _: Placement) {}
}

/// What a rule says of a position, from the side to move's point of view.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The side to move has won.
    Win,
    /// The side to move has lost.
    Loss,
    /// Nobody wins.
    Draw,
    /// Inside a search only: a position of the current line came back with more in the mover's hand, or a repetition
    /// that the mover will have won is under way.
    Superior,
    /// Inside a search only: it came back with less, or a repetition that will be lost is under way.
    Inferior,
}

impl Verdict {
    /// The verdict on a game that will end so, but has not yet: no mate may be announced for it.
    pub fn foreseen(self) -> Self {
        match self {
            Self::Win => Self::Superior,
            Self::Loss => Self::Inferior,
            other => other,
        }
    }
}

/// How many of the `reach` plies since the last move that cannot be undone are looked through for a repetition, at a ply
/// of a search. Up to the second all, as the rule does, so that a move that ends the game is seen; then those of the
/// search's own line, and 24 at least.
fn lookback(reach: usize, ply: usize) -> usize {
    if ply <= 2 { reach } else { reach.min(ply.max(24)) }
}

/// The verdict on a repetition: the one of a whole `cycle` of so many plies where the position has been there `limit`
/// times before, or inside a search (at `ply`) once within its line. Looked through are the `reach` plies since the last
/// move that cannot be undone. `compare` tells how the present position stands to that of so many plies ago: the
/// same, better or worse for the side to move by what is in hand, or another one. It is not asked to compare hands
/// outside of the line of the search.
#[inline]
pub fn repetition(
    (reach, ply, limit): (usize, usize, usize),
    compare: impl Fn(usize) -> Option<Ordering>,
    cycle: impl Fn(usize) -> Verdict,
) -> Option<Verdict> {
    let reach = lookback(reach, ply);
    let (mut seen, mut distance) = (0, 4);
    while distance <= reach {
        let inside = distance <= ply;
        match compare(distance) {
            Some(Ordering::Equal) => {
                seen += 1;
                if seen == limit {
                    return Some(cycle(distance));
                }
                if inside {
                    return Some(cycle(distance).foreseen());
                }
            }
            Some(Ordering::Greater) if inside => return Some(Verdict::Superior),
            Some(Ordering::Less) if inside => return Some(Verdict::Inferior),
            _ => {}
        }
        distance += 2;
    }
    None
}

/// The verdict on a cycle of so many plies in which one side (of `side`, to move, and the other) gave check with every
/// move: that side loses. `checks`: checks in a row by each side up to now.
#[inline]
pub fn perpetual_check(checks: [u16; 2], side: Color, distance: usize) -> Option<Verdict> {
    let all_checks = |side: Color| usize::from(checks[side.index()]) >= distance / 2;
    match (all_checks(side), all_checks(!side)) {
        (true, false) => Some(Verdict::Loss),
        (false, true) => Some(Verdict::Win),
        _ => None,
    }
}

/// Rules, board and history of one game.
///
/// A position carries its own history and rule settings; cloning copies them.
pub trait Position: Clone + Send + Sync + Display + 'static {
    /// The settings that change the rules (entering king, passes, longest game ...).
    type Rules: Rules;
    /// What tells checks from other moves of a position.
    type CheckInfo;

    /// Files of the board.
    const FILES: usize;
    /// Ranks of the board.
    const RANKS: usize;
    /// Number of different placements.
    const PLACEMENTS: usize;
    /// Number of piece kinds times number of squares: rows of the history tables, see [`Position::piece_to`].
    const PIECE_TOS: usize;
    /// Number of kinds of victims, see [`Position::victim`].
    const VICTIMS: usize;
    /// May the search try a null move? False where passing is a legal move with consequences, or zugzwang rules.
    const NULL_MOVE: bool;

    /// Reads `board side hands [count]`, under the default rule settings.
    ///
    /// # Errors
    /// The error names the field that is wrong, or says why there is no such position.
    fn from_sfen(text: &str) -> Result<Self, SfenError>;
    /// The position as SFEN, with the move count.
    #[must_use]
    fn sfen(&self) -> String;
    /// What stands on a square; `None` for squares outside the board, too.
    fn piece_at(&self, square: Square) -> Option<Symbol>;
    /// The kinds in the hands and how many there are of each. The default is that of a game without hands.
    fn hands(&self) -> Vec<(Symbol, usize)> {
        Vec::new()
    }
    /// Puts other rule settings in force; board and history stay.
    fn set_rules(&mut self, rules: &Self::Rules);
    /// The side to move.
    fn side(&self) -> Color;
    /// Number of moves made since the start of the game, the move count of the SFEN included (0 at the start).
    fn game_ply(&self) -> usize;
    /// Zobrist key of board, hands, side to move and whatever else changes the legal moves.
    fn key(&self) -> u64;
    /// [`Position::key`] after a legal move, before it is made: memory that it leads to can be asked for.
    fn key_after(&self, mv: Move) -> u64;
    /// The parts of the position that something is in, see [`Parts`].
    fn parts(placement: Placement) -> Parts;
    /// Is the side to move in check?
    fn in_check(&self) -> bool;
    /// Has a rule other than "no legal move" ended the game? `ply` is the distance from the root of the search: a
    /// repetition within the search counts at once, one reaching before the root by the rule. With `ply` 0 the
    /// answer is the rule's alone. Includes wins that are claimed or happen at once (declaration, try).
    #[must_use]
    fn verdict(&self, ply: usize) -> Option<Verdict>;
    /// What having no legal move means.
    fn verdict_without_moves(&self) -> Verdict {
        Verdict::Loss
    }
    /// May the side to move end the game now by declaring a win (`bestmove win`)?
    fn can_declare(&self) -> bool {
        false
    }

    /// Appends the legal captures and other moves that change material (pawn promotions). Moves that are never
    /// better than another one (pointless non-promotions) may be left out.
    fn noisy(&self, out: &mut MoveList);
    /// Appends the other legal moves, with the same licence. Together with [`Position::noisy`]: no move twice.
    fn quiet(&self, out: &mut MoveList);
    /// Appends every legal move, pointless ones included.
    fn legal(&self, out: &mut MoveList);
    /// Every legal move, pointless ones included.
    #[must_use]
    fn legal_moves(&self) -> MoveList {
        let mut out = MoveList::new();
        self.legal(&mut out);
        out
    }
    /// Number of legal moves as [`Position::legal`] lists them; 0 when the game is over for perft's purposes.
    fn count(&self) -> usize;
    /// Number of lines of two legal moves: the answers to all moves, where a game can count them together.
    fn replies(&mut self) -> u64 {
        let moves = self.legal_moves();
        let answers = moves.into_iter().map(|mv| {
            self.make(mv, &mut ());
            let count = self.count();
            self.unmake();
            count as u64
        });
        answers.sum()
    }
    /// Would [`Position::noisy`] (and not `quiet`) list this legal move?
    fn is_noisy(&self, mv: Move) -> bool;
    /// Is it legal here? For any bit pattern whatsoever: table moves are guests.
    fn is_legal(&self, mv: Move) -> bool;
    /// Does this legal move give check?
    fn gives_check(&self, mv: Move) -> bool;
    /// What [`Position::gives_check_with`] wants to know of the position.
    fn check_info(&self) -> Self::CheckInfo;
    /// [`Position::gives_check`], cheaper for many moves of one position.
    fn gives_check_with(&self, info: &Self::CheckInfo, mv: Move) -> bool;
    /// A move that ends the game in the mover's favour at once, if one is found cheaply.
    fn mate_in_one(&self) -> Option<Move> {
        None
    }

    /// The exact value of this position and a best line from it, where the rule settings carry a solution of the
    /// game (a table). The search plays it instead of searching.
    fn solution(&self) -> Option<(Score, Vec<Move>)> {
        None
    }

    /// Static exchange: does this legal move win at least `threshold` centipawns on its target square?
    fn see_ge(&self, mv: Move, threshold: Score) -> bool;
    /// Material in centipawns that a legal move changes at once: victim, plus promotion gain.
    fn gain(&self, mv: Move) -> Score;
    /// Kind of the captured piece, 1-based, or 0: below `VICTIMS`.
    fn victim(&self, mv: Move) -> usize;
    /// Row of the history tables: moving piece kind (after a promotion) and destination, below `PIECE_TOS`.
    fn piece_to(&self, mv: Move) -> usize;

    /// Makes a legal move and tells the observer what came and went.
    fn make<O: Observer>(&mut self, mv: Move, observer: &mut O);
    /// Takes the last move back.
    fn unmake(&mut self);
    /// Passes the turn, though the rules do not allow it. Never when in check.
    fn make_null(&mut self);
    /// Takes a null move back.
    fn unmake_null(&mut self);
    /// Everything on the board and in the hands, in no particular order.
    fn placements(&self, f: impl FnMut(Placement));

    /// The move as USI text.
    fn usi(mv: Move) -> String;
    /// The legal move that a USI text stands for in this position, pointless ones included.
    #[must_use]
    fn parse_usi(&self, text: &str) -> Option<Move>;
    /// The pass that a USI text stands for, where other programs' rules allow it and those in force do not. It can be made
    /// like a legal move. The default is that of a game without passes.
    fn foreign_pass(&self, _text: &str) -> Option<Move> {
        None
    }
}

/// Methods of a trait that the type has as inherent methods of the same names.
macro_rules! inherent {
    ($(fn $name:ident(&self $(, $arg:ident: $ty:ty)*) $(-> $out:ty)?;)*) => {
        $(#[inline(always)]
        fn $name(&self $(, $arg: $ty)*) $(-> $out)? {
            Self::$name(self $(, $arg)*)
        })*
    };
}
pub(crate) use inherent;

/// What stands in the same words in `impl Position` of every game: what is a field, and what is an inherent method.
macro_rules! position_methods {
    () => {
        fn side(&self) -> $crate::base::Color {
            self.side
        }
        fn game_ply(&self) -> usize {
            self.game_ply
        }
        fn from_sfen(text: &str) -> Result<Self, $crate::base::SfenError> {
            Self::from_sfen(text)
        }
        #[inline]
        fn make<O: $crate::game::Observer>(&mut self, mv: $crate::base::Move, observer: &mut O) {
            Self::make(self, mv, observer);
            // Not at every move: it takes longer than the move.
            debug_assert!(
                self.game_ply % 16 != 0 || self.keys_are_right(),
                "wrong keys after {mv:?}: {self}"
            );
        }
        fn unmake(&mut self) {
            Self::unmake(self);
        }
        fn make_null(&mut self) {
            Self::make_null(self);
        }
        fn unmake_null(&mut self) {
            Self::unmake(self);
        }
        fn usi(mv: $crate::base::Move) -> String {
            Self::usi(mv)
        }
        $crate::game::inherent! {
            fn sfen(&self) -> String;
            fn piece_at(&self, square: $crate::base::Square) -> Option<$crate::base::Symbol>;
            fn key_after(&self, mv: $crate::base::Move) -> u64;
            fn verdict(&self, ply: usize) -> Option<$crate::game::Verdict>;
            fn noisy(&self, out: &mut $crate::base::MoveList);
            fn quiet(&self, out: &mut $crate::base::MoveList);
            fn legal(&self, out: &mut $crate::base::MoveList);
            fn count(&self) -> usize;
            fn is_legal(&self, mv: $crate::base::Move) -> bool;
            fn gives_check(&self, mv: $crate::base::Move) -> bool;
            fn see_ge(&self, mv: $crate::base::Move, threshold: $crate::base::Score) -> bool;
            fn gain(&self, mv: $crate::base::Move) -> $crate::base::Score;
            fn parse_usi(&self, text: &str) -> Option<$crate::base::Move>;
        }
    };
}
pub(crate) use position_methods;

/// What moves a piece and its key together, in the same words in `impl Position` of every game. The names are
/// those of its state's keys; the module has `key_of` and `SIDE_KEY`.
macro_rules! key_methods {
    ($board:ident $(, $hand:ident)?) => {
        /// Are the keys those of everything on the board and in the hands, and of the side to move? For assertions.
        pub(super) fn keys_are_right(&self) -> bool {
            let mut key = if self.side == $crate::base::Color::White { SIDE_KEY } else { 0 };
            $crate::game::Position::placements(self, |placement| key ^= key_of(placement));
            key == self.now.$board $(^ self.now.$hand)?
        }

        /// A piece appears on an empty square.
        #[inline]
        pub(super) fn put<O: $crate::game::Observer>(&mut self, sq: usize, piece: Piece, observer: &mut O) {
            self.set(sq, piece);
            self.now.$board ^= key_of(piece.at(sq));
            observer.put(piece.at(sq));
        }

        /// The piece on a square disappears.
        #[inline]
        pub(super) fn take<O: $crate::game::Observer>(&mut self, sq: usize, piece: Piece, observer: &mut O) {
            self.clear(sq, piece);
            self.now.$board ^= key_of(piece.at(sq));
            observer.take(piece.at(sq));
        }
    };
}
pub(crate) use key_methods;

/// What a mate solver needs beyond the rules.
pub trait Checks: Position {
    /// Appends every legal move that gives check.
    fn checks(&self, out: &mut MoveList);
    /// Key of the board and the side to move, without the hands.
    fn board_key(&self) -> u64;
    /// [`Checks::board_key`] after a legal move, and the mover's hand.
    fn after(&self, mv: Move) -> (u64, u32) {
        let mut pos = self.clone();
        pos.make(mv, &mut ());
        (pos.board_key(), pos.hand(self.side()))
    }
    /// A side's hand, packed. Hands add up: the bits of two hands together are the sum of their bits, as long as no
    /// more pieces than the game has are in it.
    fn hand(&self, side: Color) -> u32;
    /// Does hand `a` hold at least everything that hand `b` holds?
    fn hand_covers(a: u32, b: u32) -> bool;
    /// The smallest hand that covers both. The defaults of this and the next methods are those of a game without
    /// drops.
    fn hand_union(_a: u32, _b: u32) -> u32 {
        0
    }
    /// The largest hand that both cover.
    fn hand_common(_a: u32, _b: u32) -> u32 {
        0
    }
    /// What hand `a` holds of the kinds that `b` has none of.
    fn hand_without(_a: u32, _b: u32) -> u32 {
        0
    }
    /// Can a check against the side to move be answered by a piece dropped between? True when in doubt.
    fn can_interpose(&self) -> bool {
        false
    }
    /// Number of answers to a check, 0 for checkmate. Drops on one square count once, and so do a move with and without
    /// promotion: the solver looks at the second only when the first has failed. The default is that of a game
    /// without drops and promotions.
    fn answers(&self) -> usize {
        self.count()
    }
    /// One of these legal checks after which the other side has no legal move, if that is found cheaply.
    fn mate_among(&self, _checks: &[Move]) -> Option<Move> {
        None
    }
}

/// Why a rule setting is not changed.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum RuleError {
    /// The game has no setting of this name.
    #[error("no rule setting is called {0}")]
    Unknown(String),
    /// The setting does not take this value.
    #[error("not a value it takes: {0}")]
    Value(String),
    /// The file that it names is not used.
    #[error("{0}")]
    File(String),
}

/// The number of a value among the words of a setting.
pub(crate) fn word_index(words: &[&str], value: &str) -> Result<usize, RuleError> {
    words.iter().position(|&word| word == value).ok_or_else(|| RuleError::Value(value.into()))
}

/// Why a game cannot be replayed.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ReplayError {
    /// The first position cannot be read.
    #[error(transparent)]
    Sfen(#[from] SfenError),
    /// A move is not legal.
    #[error("illegal move {text} at ply {ply}")]
    Move {
        /// The move as it was given, made printable.
        text: String,
        /// Which of the moves, from 1.
        ply: usize,
    },
}

/// Why a network file is not used.
#[derive(Debug, Error)]
pub enum NetworkError {
    /// It cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// It is not a network of this game, or damaged.
    #[error("{}: {problem}", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// What was expected and what was found.
        problem: String,
    },
}

/// The rule settings of a game, adjustable by name.
pub trait Rules: Clone + Default + PartialEq + Send + Sync + std::fmt::Debug + 'static {
    /// The settings this game offers, as they are declared over USI.
    const SETTINGS: &'static [Setting];
    /// Changes one setting. The caller has checked the value against the declared kind (range, words).
    ///
    /// # Errors
    /// There is no such setting, or the value is not usable.
    fn set(&mut self, name: &str, value: &str) -> Result<(), RuleError>;
    /// SFEN of the start position under these settings, where it is another one than [`Game::START`].
    fn start(&self) -> Option<String> {
        None
    }
}

/// An evaluation that rides along: told of placements while moves are made, asked for a score when one is needed.
pub trait Evaluator<P: Position>: Observer + Send {
    /// Forgets everything and starts from this position.
    fn reset(&mut self, pos: &P);
    /// A move is about to be made.
    fn push(&mut self);
    /// The last move was taken back.
    fn pop(&mut self);
    /// Does now what [`Evaluator::evaluate`] would have to do first; for a moment in which memory is waited for anyway.
    fn update(&mut self, _pos: &P) {}
    /// The score in centipawns for the side to move, within `±MAX_EVAL`. Not asked when in check, in general.
    fn evaluate(&mut self, pos: &P) -> Score;
    /// The same before it is turned into centipawns, where there is such a number (networks made elsewhere).
    fn raw(&mut self, pos: &P) -> Score {
        self.evaluate(pos)
    }
}

/// One game: its rules, evaluation and numbers.
pub trait Game: Send + Sync + 'static {
    /// The name for `USI_Variant` and `--game`.
    const NAME: &'static str;
    /// SFEN of the start position, without the word `sfen`.
    const START: &'static str;
    /// The search parameters this game plays with.
    const PARAMS: Params;
    /// Positions for `bench`, as SFEN.
    const BENCH: &'static [&'static str];
    /// The rule settings that a user may change, as they are declared over USI.
    const SETTINGS: &'static [Setting] = <Self::Position as Position>::Rules::SETTINGS;
    /// Can [`Game::load_network`] read files?
    const NETWORK_FILES: bool = false;

    /// The game whose search plays this one: itself, or the one that it differs from in rule settings alone.
    type Played: Game<Position = Self::Position, Evaluator = Self::Evaluator, Network = Self::Network>;
    /// Rules and history.
    type Position: Position;
    /// Evaluation.
    type Evaluator: Evaluator<Self::Position>;
    /// The weights an evaluator reads, shared between threads (cheap to clone). The default is what is embedded in
    /// the binary.
    type Network: Clone + Default + Send + Sync;

    /// The rule settings that the game starts with.
    fn rules() -> <Self::Position as Position>::Rules {
        Default::default()
    }
    /// A position from SFEN, under [`Game::rules`].
    ///
    /// # Errors
    /// As [`Position::from_sfen`].
    fn parse(sfen: &str) -> Result<Self::Position, SfenError> {
        let mut pos = Self::Position::from_sfen(sfen)?;
        pos.set_rules(&Self::rules());
        Ok(pos)
    }
    /// The position after these moves, from an SFEN (`None`: the start position), under [`Game::rules`].
    ///
    /// # Errors
    /// The SFEN cannot be read, or a move is not legal.
    fn replay<'a>(
        sfen: Option<&str>,
        moves: impl IntoIterator<Item = &'a str>,
    ) -> Result<Self::Position, ReplayError> {
        let mut pos = Self::parse(sfen.unwrap_or(Self::START))?;
        for (n, text) in moves.into_iter().enumerate() {
            let illegal = || ReplayError::Move { text: clip(text), ply: n + 1 };
            pos.make(pos.parse_usi(text).ok_or_else(illegal)?, &mut ());
        }
        Ok(pos)
    }
    /// A fresh evaluator that reads these weights.
    fn evaluator(network: &Self::Network) -> Self::Evaluator;
    /// Reads weights from a file. `fv_scale`: divisor of files that do not carry their own.
    ///
    /// # Errors
    /// The file cannot be read, or is no network of this game.
    fn load_network(path: &Path, _fv_scale: i32) -> Result<Self::Network, NetworkError> {
        Err(NetworkError::Format {
            path: path.into(),
            problem: format!("{} has no network files", Self::NAME),
        })
    }
    /// One line about the weights in use.
    fn describe(network: &Self::Network) -> String;
}
