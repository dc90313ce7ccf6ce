//! Tables of the solved Dobutsu shogi.

use super::game::{held, other_game, value_error, variant_named};
use super::position::Position;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use sanban::engine::solved::Value;
use sanban::engine::solved::dobutsu::solved;
use sanban::engine::solved::dobutsu::table::Table;
use sanban::{Dobutsu, DobutsuMate, VariantId};
use std::path::PathBuf;

/// A table written by `sanban solve`: the result of perfect play for every position.
#[pyclass(frozen, module = "sanban")]
pub struct DobutsuTable {
    table: Table,
    mate: bool,
    path: PathBuf,
}

#[pymethods]
impl DobutsuTable {
    /// Reads a table of `dobutsu`, or of `dobutsumate`.
    #[new]
    #[pyo3(signature = (path, game="dobutsu"))]
    fn new(py: Python<'_>, path: PathBuf, game: &str) -> PyResult<Self> {
        let mate = match variant_named(game)? {
            VariantId::Dobutsu => false,
            VariantId::DobutsuMate => true,
            other => return Err(other_game("dobutsu or dobutsumate", other)),
        };
        let table = py.detach(|| Table::load(&path, mate)).map_err(value_error)?;
        let path = std::path::absolute(&path).unwrap_or(path);
        Ok(Self { table, mate, path })
    }

    /// Pickles the path of the file; unpickling reads the file again.
    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyAny>, (PathBuf, &'static str)) {
        let game = if self.mate { VariantId::DobutsuMate } else { VariantId::Dobutsu };
        (py.get_type::<Self>().into_any(), (self.path.clone(), game.name()))
    }

    /// Returns `("win", plies)`, `("loss", plies)` or `("draw", None)` for the side to move.
    fn probe(&self, position: &Position) -> PyResult<(&'static str, Option<u8>)> {
        let value = match self.mate {
            true => solved(held::<DobutsuMate>(&position.board)?, &self.table),
            false => solved(held::<Dobutsu>(&position.board)?, &self.table),
        };
        Ok(match value.ok_or_else(|| PyValueError::new_err("the position is not in the table"))? {
            Value::Win(plies) => ("win", Some(plies)),
            Value::Loss(plies) => ("loss", Some(plies)),
            Value::Draw => ("draw", None),
        })
    }
}
