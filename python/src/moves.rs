//! Moves. There is one object per 16-bit value and board, created with the first position of the board, so listing
//! moves creates no objects. Moves with consecutive values are adjacent in memory.

use super::game::{Family, value_error, variant_named};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::pyclass::CompareOp;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyIterator, PyList, PySlice, PyString};
use sanban::{Move as Bits, UsiMove};

/// A move on one of the three boards. Equal moves are the same object. Moves sort by their USI notation.
#[pyclass(frozen, module = "sanban")]
pub struct Move {
    bits: Bits,
    family: Family,
}

/// The move objects of each board. The index of a move is its bits minus one, because 0 is not a move.
static TABLES: [PyOnceLock<Box<[Py<Move>]>>; Family::COUNT] = [const { PyOnceLock::new() }; Family::COUNT];

/// The move objects of one board.
#[derive(Clone, Copy)]
pub struct Moves {
    family: Family,
    objects: &'static [Py<Move>],
}

impl Moves {
    /// Returns the move objects of a family of games.
    pub fn of(py: Python<'_>, family: Family) -> PyResult<Self> {
        let make = || {
            let bits = (1..=u16::MAX).filter_map(Bits::from_bits);
            bits.map(|bits| Py::new(py, Move { bits, family })).collect()
        };
        let objects = TABLES[family as usize].get_or_try_init(py, make)?;
        Ok(Self { family, objects })
    }

    /// Returns the object of a move.
    #[inline]
    pub fn object<'py>(self, py: Python<'py>, bits: Bits) -> &'py Bound<'py, Move> {
        self.objects[usize::from(bits.bits()) - 1].bind(py)
    }

    /// Converts moves to a list of objects.
    pub fn list<'py>(self, py: Python<'py>, moves: &[Bits]) -> PyResult<Bound<'py, PyList>> {
        PyList::new(py, moves.iter().map(|&mv| self.object(py, mv)))
    }
}

/// The pickled form of a list of moves: a game of the board, and the bits of the moves.
type Pickled = (&'static str, Vec<u16>);

/// The legal moves of a position. The sequence does not change when the position does. `in` accepts moves and strings
/// in USI notation; any other string raises `ValueError`.
#[pyclass(frozen, sequence, module = "sanban")]
pub struct LegalMoves {
    moves: Box<[Bits]>,
    table: Moves,
}

impl LegalMoves {
    /// Creates the sequence from moves of a board.
    pub fn new(moves: &[Bits], table: Moves) -> Self {
        Self { moves: moves.into(), table }
    }

    /// Returns the index of a `Move` or USI string in the list, if it is there.
    fn find(&self, item: &Bound<'_, PyAny>) -> PyResult<Option<usize>> {
        let family = self.table.family;
        if let Ok(text) = item.cast::<PyString>() {
            let text = text.to_cow()?.parse::<UsiMove>().map_err(value_error)?.to_string();
            return Ok(self.moves.iter().position(|&mv| family.usi(mv) == text));
        }
        let mv = item.cast::<Move>().ok().and_then(|mv| mv.get().bits_in(family));
        Ok(mv.and_then(|mv| self.moves.iter().position(|&known| known == mv)))
    }
}

#[pymethods]
impl LegalMoves {
    fn __len__(&self) -> usize {
        self.moves.len()
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        self.table.list(py, &self.moves)?.try_iter()
    }

    fn __getitem__<'py>(&self, py: Python<'py>, index: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let Ok(slice) = index.cast::<PySlice>() else {
            let index: isize = index.extract()?;
            let at = if index < 0 {
                self.moves.len().checked_add_signed(index)
            } else {
                usize::try_from(index).ok()
            };
            let mv = at.and_then(|at| self.moves.get(at));
            let mv = mv.ok_or_else(|| PyIndexError::new_err("index out of range"))?;
            return Ok(self.table.object(py, *mv).clone().into_any());
        };
        self.table.list(py, &self.moves)?.as_any().get_item(slice)
    }

    fn __contains__(&self, item: &Bound<'_, PyAny>) -> PyResult<bool> {
        Ok(self.find(item)?.is_some())
    }

    fn __reversed__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        let moves: Vec<Bits> = self.moves.iter().rev().copied().collect();
        self.table.list(py, &moves)?.try_iter()
    }

    /// Returns the index of a move or USI string between `start` and `stop`; raises `ValueError` if it is missing.
    #[pyo3(signature = (value, start=0, stop=None))]
    fn index(
        &self,
        py: Python<'_>,
        value: &Bound<'_, PyAny>,
        start: isize,
        stop: Option<isize>,
    ) -> PyResult<usize> {
        let range =
            PySlice::new(py, start, stop.unwrap_or(isize::MAX), 1).indices(self.moves.len() as isize)?;
        let place = self.find(value)?.filter(|&place| (range.start..range.stop).contains(&(place as isize)));
        place.ok_or_else(|| PyValueError::new_err("the move is not in the list"))
    }

    /// Returns 1 if a move or USI string is in the list, and 0 otherwise.
    fn count(&self, value: &Bound<'_, PyAny>) -> PyResult<usize> {
        Ok(self.find(value)?.map_or(0, |_| 1))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Pickled)> {
        let bits = self.moves.iter().map(|mv| mv.bits()).collect();
        Ok((py.get_type::<Self>().getattr("_restore")?, (self.table.family.game().name(), bits)))
    }

    /// Restores a pickled list of moves.
    #[staticmethod]
    fn _restore(py: Python<'_>, game: &str, bits: Vec<u16>) -> PyResult<Self> {
        let moves: Option<Vec<Bits>> = bits.into_iter().map(Bits::from_bits).collect();
        let moves = moves.ok_or_else(|| PyValueError::new_err("0 is not a move"))?;
        Ok(Self::new(&moves, Moves::of(py, Family::of(variant_named(game)?))?))
    }

    /// Compares the moves with any sequence.
    fn __eq__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        match other.cast::<Self>() {
            Ok(other) => Ok(self.moves == other.get().moves && self.table.family == other.get().table.family),
            Err(_) => self.table.list(py, &self.moves)?.eq(other),
        }
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(self.table.list(py, &self.moves)?.repr()?.to_string())
    }
}

impl Move {
    /// Returns the bits of the move, if it belongs to this family.
    #[inline]
    pub fn bits_in(&self, family: Family) -> Option<Bits> {
        (self.family == family).then_some(self.bits)
    }
}

#[pymethods]
impl Move {
    /// Returns the move with this USI notation on the board of a game.
    #[new]
    #[pyo3(signature = (usi, game="shogi"))]
    fn new(py: Python<'_>, usi: &str, game: &str) -> PyResult<Py<Self>> {
        let family = Family::of(variant_named(game)?);
        let bits = family.bits(usi.parse().map_err(value_error)?);
        let bits = bits.ok_or_else(|| PyValueError::new_err(format!("not a move of {game}: {usi}")))?;
        Ok(Moves::of(py, family)?.object(py, bits).clone().unbind())
    }

    /// The move in USI notation.
    #[getter]
    fn usi(&self) -> String {
        self.family.usi(self.bits)
    }

    /// The origin square; `None` for a drop.
    #[getter(from_square)]
    fn origin(&self) -> Option<String> {
        match self.usi().parse().ok()? {
            UsiMove::Board { from, .. } => Some(from.to_string()),
            UsiMove::Drop { .. } => None,
        }
    }

    /// The destination square.
    #[getter]
    fn to_square(&self) -> PyResult<String> {
        let (UsiMove::Board { to, .. } | UsiMove::Drop { to, .. }) =
            self.usi().parse().map_err(value_error)?;
        Ok(to.to_string())
    }

    /// Whether the move is a drop.
    #[getter]
    fn is_drop(&self) -> bool {
        self.bits.is_drop()
    }

    /// Whether the piece promotes.
    #[getter]
    fn is_promotion(&self) -> bool {
        self.bits.is_promotion()
    }

    /// Whether the move is a pass.
    #[getter]
    fn is_pass(&self) -> bool {
        self.bits.is_pass()
    }

    /// The 16-bit encoding of the move in the engine.
    fn __int__(&self) -> u16 {
        self.bits.bits()
    }

    /// Moves are ordered by their USI notation, then by board.
    fn __richcmp__(&self, other: &Bound<'_, Self>, op: CompareOp) -> bool {
        let other = other.get();
        let key = |mv: &Self| (mv.usi(), mv.family as usize);
        match op {
            CompareOp::Eq => self.bits == other.bits && self.family == other.family,
            CompareOp::Ne => self.bits != other.bits || self.family != other.family,
            op => op.matches(key(self).cmp(&key(other))),
        }
    }

    fn __hash__(&self) -> u64 {
        u64::from(self.bits.bits()) | (self.family as u64) << 16
    }

    fn __str__(&self) -> String {
        self.usi()
    }

    fn __repr__(&self) -> String {
        match self.family.game().name() {
            "shogi" => format!("Move('{}')", self.usi()),
            game => format!("Move('{}', game='{game}')", self.usi()),
        }
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (&'static str, u16))> {
        let maker = py.get_type::<Self>().getattr("from_bits")?;
        Ok((maker, (self.family.game().name(), self.bits.bits())))
    }

    /// Returns the move of a game with this 16-bit encoding.
    #[staticmethod]
    fn from_bits(py: Python<'_>, game: &str, bits: u16) -> PyResult<Py<Self>> {
        let family = Family::of(variant_named(game)?);
        let bits = Bits::from_bits(bits).ok_or_else(|| PyValueError::new_err("0 is not a move"))?;
        Ok(Moves::of(py, family)?.object(py, bits).clone().unbind())
    }
}
