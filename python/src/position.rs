//! Positions.

use super::game::{Family, divide, parse, perft_error, side, value_error, variant_named, word};
use super::moves::{LegalMoves, Move, Moves};
use super::value::{bounded, megabytes, thread_count};
use super::wait::wait;
use pyo3::exceptions::{PyIndexError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};
use sanban::engine::perft::Perft;
use sanban::{AnyPosition, Move as Bits, Square, Symbol, VariantId};
use std::sync::atomic::{AtomicBool, Ordering};

/// A position of one of the games, with the moves that led to it.
///
/// Without arguments, it is the start position of shogi.
#[pyclass(module = "sanban")]
pub struct Position {
    /// Boxed, because Python aligns objects to 16 bytes and a position needs 32.
    pub board: Box<AnyPosition>,
    moves: Moves,
    family: Family,
    /// SFEN of the position before the first move.
    start: String,
    played: Vec<Bits>,
}

impl Position {
    fn new_from(py: Python<'_>, board: AnyPosition) -> PyResult<Self> {
        let family = Family::of(board.variant());
        let start = board.sfen();
        Ok(Self { board: Box::new(board), moves: Moves::of(py, family)?, family, start, played: vec![] })
    }

    /// Parses a shogi position.
    pub fn shogi(py: Python<'_>, sfen: &str) -> PyResult<Self> {
        Self::new_from(py, parse(VariantId::Shogi, Some(sfen))?)
    }

    /// Reads a legal move from a [`Move`] or a USI string.
    #[inline]
    pub fn legal(&self, mv: &Bound<'_, PyAny>) -> PyResult<Bits> {
        let legal = match mv.cast::<Move>() {
            Ok(mv) => mv.get().bits_in(self.family).filter(|&bits| self.board.is_legal(bits)),
            Err(_) => match mv.cast::<PyString>() {
                Ok(text) => self.board.parse_move(&text.to_cow()?).ok(),
                Err(_) => return Err(PyTypeError::new_err("expected a Move or a USI string")),
            },
        };
        legal.ok_or_else(|| self.illegal(mv))
    }

    #[cold]
    fn illegal(&self, mv: &Bound<'_, PyAny>) -> PyErr {
        let text: String = mv.str().map(|text| text.to_string()).unwrap_or_default();
        PyValueError::new_err(format!("illegal move {} in {}", sanban::rules::clip(&text), self.board.sfen()))
    }

    /// Returns the object of a move.
    pub fn object(&self, py: Python<'_>, mv: Bits) -> Py<Move> {
        self.moves.object(py, mv).clone().unbind()
    }
}

/// Formats a piece as in SFEN: `+p` is a promoted white pawn.
fn piece(symbol: Symbol) -> String {
    symbol.to_string()
}

#[pymethods]
impl Position {
    #[new]
    #[pyo3(signature = (sfen=None, game="shogi", moves=None))]
    fn new(
        py: Python<'_>,
        sfen: Option<&str>,
        game: &str,
        moves: Option<Vec<Bound<'_, PyAny>>>,
    ) -> PyResult<Self> {
        let mut position = Self::new_from(py, parse(variant_named(game)?, sfen)?)?;
        for mv in moves.unwrap_or_default() {
            position.push(&mv)?;
        }
        Ok(position)
    }

    /// Reads `startpos [moves ...]` or `[sfen] SFEN [moves ...]`, the arguments of the USI command `position`.
    #[staticmethod]
    #[pyo3(signature = (text, game="shogi"))]
    fn from_usi(py: Python<'_>, text: &str, game: &str) -> PyResult<Self> {
        let text = text.trim();
        let text = text.strip_prefix("position ").unwrap_or(text).trim();
        let (start, moves) = match text.split_once("moves") {
            Some((start, moves)) => (start.trim(), moves),
            None => (text, ""),
        };
        let start = Some(start).filter(|&start| start != "startpos");
        let mut position = Self::new_from(py, parse(variant_named(game)?, start)?)?;
        for text in moves.split_whitespace() {
            let mv = position.board.parse_move(text).ok();
            let mv = mv.ok_or_else(|| position.illegal(PyString::new(py, text).as_any()))?;
            position.board.play(mv);
            position.played.push(mv);
        }
        Ok(position)
    }

    /// The name of the game.
    #[getter]
    fn game(&self) -> &'static str {
        self.board.variant().name()
    }

    /// The position as SFEN.
    #[getter]
    fn sfen(&self) -> String {
        self.board.sfen()
    }

    /// The arguments of the USI command `position`: the initial position and the moves.
    #[getter]
    fn usi(&self) -> PyResult<String> {
        let mut out = match parse(self.board.variant(), None)?.sfen() == self.start {
            true => "startpos".to_string(),
            false => format!("sfen {}", self.start),
        };
        if !self.played.is_empty() {
            out += " moves";
        }
        for &mv in &self.played {
            out += " ";
            out += &self.family.usi(mv);
        }
        Ok(out)
    }

    /// The side to move, `black` or `white`.
    #[getter]
    fn side(&self) -> &'static str {
        side(self.board.side())
    }

    /// Number of moves since the start of the game.
    #[getter]
    fn ply(&self) -> usize {
        self.board.game_ply()
    }

    /// A hash key of the board, side to move and hands.
    #[getter]
    fn key(&self) -> u64 {
        self.board.key()
    }

    /// The legal moves.
    #[getter]
    fn legal_moves(&self) -> LegalMoves {
        LegalMoves::new(&self.board.legal_moves(), self.moves)
    }

    /// The moves made since the initial position.
    #[getter]
    fn moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        self.moves.list(py, &self.played)
    }

    /// Returns the number of legal moves, faster than by listing them.
    fn count(&self) -> usize {
        self.board.count()
    }

    /// Returns whether a `Move` or USI string is a legal move.
    fn is_legal(&self, r#move: &Bound<'_, PyAny>) -> bool {
        self.legal(r#move).is_ok()
    }

    /// Converts a USI string to a legal move.
    fn parse(&self, py: Python<'_>, usi: &Bound<'_, PyString>) -> PyResult<Py<Move>> {
        Ok(self.object(py, self.legal(usi.as_any())?))
    }

    /// Makes a legal move, given as a `Move` or a USI string.
    #[pyo3(signature = (r#move, /))]
    fn push(&mut self, r#move: &Bound<'_, PyAny>) -> PyResult<()> {
        let given = r#move.cast::<Move>().ok().and_then(|mv| mv.get().bits_in(self.family));
        let mv = match given {
            Some(mv) if self.board.try_play(mv).is_ok() => mv,
            _ => {
                let mv = self.legal(r#move)?;
                self.board.play(mv);
                mv
            }
        };
        self.played.push(mv);
        Ok(())
    }

    /// Undoes the last move and returns it.
    fn pop(&mut self, py: Python<'_>) -> PyResult<Py<Move>> {
        let mv = self.played.pop().ok_or_else(|| PyIndexError::new_err("no move to take back"))?;
        self.board.undo();
        Ok(self.object(py, mv))
    }

    /// Whether the side to move is in check.
    #[getter]
    fn in_check(&self) -> bool {
        self.board.in_check()
    }

    /// Returns whether a legal move gives check.
    fn gives_check(&self, r#move: &Bound<'_, PyAny>) -> PyResult<bool> {
        Ok(self.board.gives_check(self.legal(r#move)?))
    }

    /// The result for the side to move by a rule other than "no legal move" (repetition, perpetual check, the try rule,
    /// dead material): `win`, `loss`, `draw`, or `None` while the game continues.
    #[getter]
    fn verdict(&self) -> Option<&'static str> {
        self.board.verdict().map(word)
    }

    /// The result of the game for the side to move, by a rule or because there is no legal move; `None` during the
    /// game.
    #[getter]
    fn outcome(&self) -> Option<&'static str> {
        let verdict = self.board.verdict();
        let ended = || (self.board.count() == 0).then(|| self.board.verdict_without_moves());
        verdict.or_else(ended).map(word)
    }

    /// Whether the side to move may declare a win.
    #[getter]
    fn can_declare(&self) -> bool {
        self.board.can_declare()
    }

    /// Returns the piece on a square such as `7g`, as in SFEN; `None` for an empty square.
    fn piece_at(&self, square: &str) -> PyResult<Option<String>> {
        let square: Square = square.parse().map_err(value_error)?;
        Ok(self.board.piece_at(square).map(piece))
    }

    /// The pieces on the board, by square.
    #[getter]
    fn pieces<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (out, (files, ranks)) = (PyDict::new(py), self.board.size());
        for number in 0..files * ranks {
            let square = Square::at(number, ranks);
            if let Some(symbol) = self.board.piece_at(square) {
                out.set_item(square.to_string(), piece(symbol))?;
            }
        }
        Ok(out)
    }

    /// The number of each piece in both hands. Pieces are named as in SFEN: capital letters are black's.
    #[getter]
    fn hands<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let out = PyDict::new(py);
        for (symbol, count) in self.board.hands() {
            out.set_item(piece(symbol), count)?;
        }
        Ok(out)
    }

    /// The number of files and ranks of the board.
    #[getter]
    fn size(&self) -> (usize, usize) {
        self.board.size()
    }

    /// Returns the number of leaves of the tree of legal moves, `depth` plies deep.
    #[pyo3(signature = (depth, threads=1, hash=0))]
    fn perft(&self, py: Python<'_>, depth: i64, threads: i64, hash: i64) -> PyResult<u64> {
        let (threads, hash) = (thread_count(threads)?, megabytes(hash, 0)?);
        let depth = bounded("depth", depth, 0..=255)?;
        if depth == 0 {
            return Ok(1);
        }
        Ok(self.counts(py, depth, threads, hash)?.iter().map(|&(_, nodes)| nodes).sum())
    }

    /// Returns the number of leaves below each legal move.
    #[pyo3(signature = (depth, threads=1, hash=0))]
    fn divide<'py>(
        &self,
        py: Python<'py>,
        depth: i64,
        threads: i64,
        hash: i64,
    ) -> PyResult<Bound<'py, PyDict>> {
        let (threads, hash) = (thread_count(threads)?, megabytes(hash, 0)?);
        let depth = bounded("depth", depth, 1..=255)?;
        let out = PyDict::new(py);
        for (mv, nodes) in self.counts(py, depth, threads, hash)? {
            out.set_item(self.object(py, mv), nodes)?;
        }
        Ok(out)
    }

    /// Returns an independent copy.
    fn copy(&self) -> Self {
        let (board, start, played) = (self.board.clone(), self.start.clone(), self.played.clone());
        Self { board, start, played, ..*self }
    }

    fn __copy__(&self) -> Self {
        self.copy()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.copy()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String, &'static str))> {
        Ok((py.get_type::<Self>().getattr("from_usi")?, (self.usi()?, self.board.variant().name())))
    }

    /// Two positions are equal if they have the same game, board, side to move and hands.
    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        let alike = |text: String| text.rsplit_once(' ').map(|(sfen, _)| sfen.to_string());
        other.cast::<Self>().is_ok_and(|other| {
            let other = other.borrow();
            self.board.variant().name() == other.board.variant().name()
                && alike(self.sfen()) == alike(other.sfen())
        })
    }

    fn __str__(&self) -> String {
        self.board.to_string()
    }

    fn __repr__(&self) -> String {
        match self.board.variant().name() {
            "shogi" => format!("Position({:?})", self.sfen()),
            game => format!("Position({:?}, game={game:?})", self.sfen()),
        }
    }

    /// Returns the board as SVG, for display in notebooks.
    fn _repr_svg_(slf: &Bound<'_, Self>) -> PyResult<String> {
        slf.py().import("sanban.svg")?.call_method1("draw", (slf,))?.extract()
    }

    /// Returns the board as SVG. `last` is the move to mark, by default the last one.
    #[pyo3(signature = (last=None))]
    fn svg(slf: &Bound<'_, Self>, last: Option<&Bound<'_, PyAny>>) -> PyResult<String> {
        slf.py().import("sanban.svg")?.call_method1("draw", (slf, last))?.extract()
    }
}

impl Position {
    /// Returns the position before the first move as SFEN.
    pub fn start(&self) -> &str {
        &self.start
    }

    /// Returns the moves made since the initial position.
    pub fn played(&self) -> &[Bits] {
        &self.played
    }

    /// Creates a position from an initial position and legal moves.
    pub fn after(py: Python<'_>, game: VariantId, sfen: Option<&str>, moves: &[Bits]) -> PyResult<Self> {
        let mut position = Self::new_from(py, parse(game, sfen)?)?;
        for &mv in moves {
            position.board.play(mv);
            position.played.push(mv);
        }
        Ok(position)
    }

    fn counts(&self, py: Python<'_>, depth: u32, threads: usize, hash: usize) -> PyResult<Vec<(Bits, u64)>> {
        let perft = Perft::new(threads, hash).map_err(perft_error)?;
        let (stopped, board) = (AtomicBool::new(false), self.board.clone());
        let count = || divide(&board, &perft, depth, &|| !stopped.load(Ordering::Relaxed));
        let counts = wait(py, count, || stopped.store(true, Ordering::Relaxed))?;
        Ok(counts.unwrap_or_default())
    }
}
