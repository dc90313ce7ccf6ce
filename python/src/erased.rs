//! Games whose type is known by their name alone, behind one interface.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use sanban::engine::Game;
use sanban::engine::perft::{Perft, PerftError};
use sanban::rules::with_game;
use sanban::{Color, Dobutsu, Janggi, Move, MoveList, Position, Shogi, Square, Symbol, Variant, Verdict};
use std::any::Any;
use std::ops::ControlFlow;

/// Games that share a board and its moves.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Family {
    /// 9 by 9.
    Shogi,
    /// 9 by 10.
    Janggi,
    /// 3 by 4.
    Dobutsu,
}

impl Family {
    /// Number of families.
    pub const COUNT: usize = 3;

    /// The family of a game.
    pub fn of(game: &str) -> Self {
        match game {
            "shogi" => Self::Shogi,
            "dobutsu" | "dobutsumate" => Self::Dobutsu,
            _ => Self::Janggi,
        }
    }

    /// A game of the family.
    pub fn game(self) -> &'static str {
        match self {
            Self::Shogi => Shogi::NAME,
            Self::Janggi => Janggi::NAME,
            Self::Dobutsu => Dobutsu::NAME,
        }
    }

    /// A move as USI text.
    pub fn usi(self, mv: Move) -> String {
        match self {
            Self::Shogi => <Shogi as Variant>::Position::usi(mv),
            Self::Janggi => <Janggi as Variant>::Position::usi(mv),
            Self::Dobutsu => <Dobutsu as Variant>::Position::usi(mv),
        }
    }
}

/// The name of a game, as the library has it.
pub fn game_named(name: &str) -> PyResult<&'static str> {
    sanban::VariantId::NAMES.iter().copied().find(|known| *known == name).ok_or_else(|| {
        PyValueError::new_err(format!(
            "no game is called {name}, but {}",
            sanban::VariantId::NAMES.join(", ")
        ))
    })
}

/// The name of a word of the rules, for the side to move.
pub fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Win | Verdict::Superior => "win",
        Verdict::Loss | Verdict::Inferior => "loss",
        Verdict::Draw => "draw",
    }
}

/// The name of a side.
pub fn side(color: Color) -> &'static str {
    if color == Color::Black { "black" } else { "white" }
}

/// A position of some game.
pub trait Board: Any + Send + Sync {
    fn game(&self) -> &'static str;
    fn copy(&self) -> Box<dyn Board>;
    fn sfen(&self) -> String;
    fn text(&self) -> String;
    fn side(&self) -> Color;
    fn ply(&self) -> usize;
    fn key(&self) -> u64;
    fn legal(&self, out: &mut MoveList);
    fn count(&self) -> usize;
    fn is_legal(&self, mv: Move) -> bool;
    fn parse(&self, usi: &str) -> Option<Move>;
    fn make(&mut self, mv: Move);
    /// Makes a move if it is legal; was it?
    fn try_make(&mut self, mv: Move) -> bool;
    fn unmake(&mut self);
    fn in_check(&self) -> bool;
    fn gives_check(&self, mv: Move) -> bool;
    fn verdict(&self) -> Option<Verdict>;
    fn verdict_without_moves(&self) -> Verdict;
    fn can_declare(&self) -> bool;
    fn piece_at(&self, square: Square) -> Option<Symbol>;
    fn hands(&self) -> Vec<(Symbol, usize)>;
    fn size(&self) -> (usize, usize);
    fn divide(
        &self,
        perft: &Perft,
        depth: u32,
        go_on: &(dyn Fn() -> bool + Sync),
    ) -> Option<Vec<(Move, u64)>>;
}

/// A position with its game.
pub struct Held<G: Game>(pub G::Position);

impl<G: Game> Board for Held<G> {
    fn game(&self) -> &'static str {
        G::NAME
    }
    fn copy(&self) -> Box<dyn Board> {
        Box::new(Self(self.0.clone()))
    }
    fn sfen(&self) -> String {
        self.0.sfen()
    }
    fn text(&self) -> String {
        self.0.to_string()
    }
    fn side(&self) -> Color {
        self.0.side()
    }
    fn ply(&self) -> usize {
        self.0.game_ply()
    }
    fn key(&self) -> u64 {
        self.0.key()
    }
    fn legal(&self, out: &mut MoveList) {
        self.0.legal(out);
    }
    fn count(&self) -> usize {
        self.0.count()
    }
    fn is_legal(&self, mv: Move) -> bool {
        self.0.is_legal(mv)
    }
    fn parse(&self, usi: &str) -> Option<Move> {
        self.0.parse_usi(usi)
    }
    fn make(&mut self, mv: Move) {
        self.0.make(mv, &mut ());
    }
    fn try_make(&mut self, mv: Move) -> bool {
        let legal = self.0.is_legal(mv);
        if legal {
            self.0.make(mv, &mut ());
        }
        legal
    }
    fn unmake(&mut self) {
        self.0.unmake();
    }
    fn in_check(&self) -> bool {
        self.0.in_check()
    }
    fn gives_check(&self, mv: Move) -> bool {
        self.0.gives_check(mv)
    }
    fn verdict(&self) -> Option<Verdict> {
        self.0.verdict(0)
    }
    fn verdict_without_moves(&self) -> Verdict {
        self.0.verdict_without_moves()
    }
    fn can_declare(&self) -> bool {
        self.0.can_declare()
    }
    fn piece_at(&self, square: Square) -> Option<Symbol> {
        self.0.piece_at(square)
    }
    fn hands(&self) -> Vec<(Symbol, usize)> {
        self.0.hands()
    }
    fn size(&self) -> (usize, usize) {
        (G::Position::FILES, G::Position::RANKS)
    }
    fn divide(
        &self,
        perft: &Perft,
        depth: u32,
        go_on: &(dyn Fn() -> bool + Sync),
    ) -> Option<Vec<(Move, u64)>> {
        let progress = |_, _| if go_on() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) };
        perft.divide(&self.0, depth, progress)
    }
}

/// The position of a game that a board holds.
pub fn held<G: Game>(board: &dyn Board) -> PyResult<&G::Position> {
    let held = (board as &dyn Any).downcast_ref::<Held<G>>();
    held.map(|held| &held.0).ok_or_else(|| other_game(G::NAME, board.game()))
}

/// Two things are of different games.
pub fn other_game(wanted: &str, found: &str) -> PyErr {
    PyValueError::new_err(format!("a position of {found}, expected one of {wanted}"))
}

/// A position of a game: its start position, or an SFEN.
pub fn parse(game: &str, sfen: Option<&str>) -> PyResult<Box<dyn Board>> {
    let game = game_named(game)?;
    let board = with_game!(game, G => {
        let text = sfen.unwrap_or(G::START);
        let text = text.trim();
        G::parse(text.strip_prefix("sfen ").unwrap_or(text)).map(|pos| Box::new(Held::<G>(pos)) as Box<dyn Board>)
    });
    board.transpose().map_err(value_error)?.ok_or_else(|| PyValueError::new_err("no such game"))
}

/// An error of the library as one of Python.
pub fn value_error(error: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// Counts that cannot be begun.
pub fn perft_error(error: PerftError) -> PyErr {
    match error {
        PerftError::Memory(_) => pyo3::exceptions::PyMemoryError::new_err(error.to_string()),
        PerftError::Threads(..) => pyo3::exceptions::PyOSError::new_err(error.to_string()),
    }
}
