//! Moves: one object for every 16 bits and board, made when it is first asked for, so that a list of moves costs no new
//! objects.

use super::erased::{Family, game_named};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use sanban::{Move as Bits, UsiMove};

/// Number of different moves of 16 bits.
const MOVES: usize = 1 << 16;

/// A move on one of the three boards. Equal moves are the same object.
#[pyclass(frozen, module = "sanban")]
pub struct Move {
    bits: Bits,
    family: Family,
}

type Table = PyOnceLock<Box<[PyOnceLock<Py<Move>>]>>;

static TABLES: [Table; Family::COUNT] = [const { PyOnceLock::new() }; Family::COUNT];

/// The objects of one board.
#[derive(Clone, Copy)]
pub struct Moves {
    family: Family,
    objects: &'static [PyOnceLock<Py<Move>>],
}

impl Moves {
    /// Those of a family of games.
    pub fn of(py: Python<'_>, family: Family) -> Self {
        let table = &TABLES[family as usize];
        let objects = table.get_or_init(py, || (0..MOVES).map(|_| PyOnceLock::new()).collect());
        Self { family, objects }
    }

    /// The object of a move.
    #[inline]
    pub fn object<'py>(self, py: Python<'py>, bits: Bits) -> PyResult<&'py Bound<'py, Move>> {
        let family = self.family;
        let object = &self.objects[usize::from(bits.bits())];
        object.get_or_try_init(py, || Py::new(py, Move { bits, family })).map(|object| object.bind(py))
    }
}

impl Move {
    /// The move, if it is one of this family.
    #[inline]
    pub fn bits_in(&self, family: Family) -> Option<Bits> {
        (self.family == family).then_some(self.bits)
    }
}

#[pymethods]
impl Move {
    /// The move as USI text.
    #[getter]
    fn usi(&self) -> String {
        self.family.usi(self.bits)
    }

    /// The square that the piece comes from; `None` for a drop.
    #[getter(from_square)]
    fn origin(&self) -> Option<String> {
        match self.usi().parse().ok()? {
            UsiMove::Board { from, .. } => Some(from.to_string()),
            UsiMove::Drop { .. } => None,
        }
    }

    /// The square that the piece comes to.
    #[getter]
    fn to_square(&self) -> Option<String> {
        let (UsiMove::Board { to, .. } | UsiMove::Drop { to, .. }) = self.usi().parse().ok()?;
        Some(to.to_string())
    }

    /// Does the piece come from the hand?
    #[getter]
    fn is_drop(&self) -> bool {
        self.bits.is_drop()
    }

    /// Does the piece promote?
    #[getter]
    fn is_promotion(&self) -> bool {
        self.bits.is_promotion()
    }

    /// Is it a pass?
    #[getter]
    fn is_pass(&self) -> bool {
        self.bits.is_pass()
    }

    /// The 16 bits that the engine keeps of a move.
    fn __int__(&self) -> u16 {
        self.bits.bits()
    }

    fn __str__(&self) -> String {
        self.usi()
    }

    fn __repr__(&self) -> String {
        format!("<Move {}>", self.usi())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (&'static str, u16))> {
        let maker = py.get_type::<Self>().getattr("from_bits")?;
        Ok((maker, (self.family.game(), self.bits.bits())))
    }

    /// The move of 16 bits in a game.
    #[staticmethod]
    fn from_bits(py: Python<'_>, game: &str, bits: u16) -> PyResult<Py<Self>> {
        let family = Family::of(game_named(game)?);
        let bits = Bits::from_bits(bits).ok_or_else(|| PyValueError::new_err("0 is no move"))?;
        Moves::of(py, family).object(py, bits).map(|object| object.clone().unbind())
    }
}
