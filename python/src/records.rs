//! Game records.

use super::game::{Family, parse, value_error, variant_named};
use super::position::Position;
use super::record_state::{State, restored, state};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use sanban::Color;
use sanban::formats::record;
use sanban::formats::record::{Action, Encoding, Format, LARGEST, Outcome, Reader};
use sanban::system::read_whole;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// A game record: headers, start position and moves, with variations, comments and times.
#[pyclass(frozen, module = "sanban")]
pub struct Record(record::Record);

fn format_named(name: &str) -> PyResult<Format> {
    let unknown =
        || PyValueError::new_err(format!("unknown format {name}: expected one of {}", Format::names()));
    Format::from_name(name).ok_or_else(unknown)
}

/// Reads all records of a file, given as a path or as bytes. Format and encoding are detected; `repair` fixes misread
/// moves if exactly one legal move fits.
#[pyfunction]
#[pyo3(signature = (source, *, format=None, game=None, repair=false))]
pub fn read_records(
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    format: Option<&str>,
    game: Option<&str>,
    repair: bool,
) -> PyResult<Vec<Record>> {
    let (format, game) = (format.map(format_named).transpose()?, game.map(variant_named).transpose()?);
    let bytes = match source.cast::<PyBytes>() {
        Ok(bytes) => bytes.as_bytes().to_vec(),
        Err(_) => {
            let path: PathBuf = source
                .extract()
                .map_err(|_| PyTypeError::new_err("expected the path of a file, or its bytes"))?;
            py.detach(|| read_whole(&path, LARGEST))
                .map_err(|error| pyo3::exceptions::PyOSError::new_err(error.to_string()))?
        }
    };
    let reader = Reader { format, game, repair, ..Reader::default() };
    let reading = py.detach(|| reader.read(&bytes)).map_err(value_error)?;
    Ok(reading.records.into_iter().map(Record).collect())
}

#[pymethods]
impl Record {
    /// Creates a record of the moves that led to a position.
    #[new]
    #[pyo3(signature = (position, *, headers=None, comments=None))]
    fn new(
        position: &Position,
        headers: Option<BTreeMap<String, String>>,
        comments: Option<BTreeMap<usize, String>>,
    ) -> PyResult<Self> {
        let usual = parse(position.board.variant(), None)?.sfen();
        let start = Some(position.start().to_string()).filter(|start| *start != usual);
        let mut record = record::Record::new(position.board.variant(), start);
        for (name, value) in headers.unwrap_or_default() {
            record.headers.set(&name, &value);
        }
        let (comments, mut node) = (comments.unwrap_or_default(), record.tree.root());
        for (ply, mv) in (0..).zip(std::iter::once(None).chain(position.played().iter().map(Some))) {
            if let Some(&mv) = mv {
                let added = record.tree.add(node, Action::Move(mv));
                node = added.ok_or_else(|| PyValueError::new_err("too many moves for a record"))?;
            }
            if let Some(comment) = comments.get(&ply) {
                record.tree.set_comment(node, comment.clone());
            }
        }
        Ok(Self(record))
    }

    /// The name of the game.
    #[getter]
    fn game(&self) -> &'static str {
        self.0.game.name()
    }

    /// The headers, by KIF name: `先手` and `後手` are the players.
    #[getter]
    fn headers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let out = PyDict::new(py);
        self.0.headers.iter().try_for_each(|(name, value)| out.set_item(name, value))?;
        Ok(out)
    }

    /// The first player, if the record names one.
    #[getter]
    fn black(&self) -> Option<&str> {
        self.0.headers.player(Color::Black)
    }

    /// The second player, if the record names one.
    #[getter]
    fn white(&self) -> Option<&str> {
        self.0.headers.player(Color::White)
    }

    /// SFEN of the position before the first move.
    #[getter]
    fn start(&self) -> PyResult<String> {
        Ok(parse(self.0.game, self.0.start.as_deref())?.sfen())
    }

    /// The moves of the main line in USI, including an illegal move that ends the game.
    #[getter]
    fn moves(&self) -> Vec<String> {
        let family = Family::of(self.0.game);
        self.0.moves().into_iter().map(|mv| family.usi(mv)).collect()
    }

    /// The comments, by the number of moves before them.
    #[getter]
    fn comments<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (out, tree) = (PyDict::new(py), &self.0.tree);
        for (ply, node) in std::iter::once(tree.root()).chain(tree.main_line()).enumerate() {
            if !tree.comment(node).is_empty() {
                out.set_item(ply, tree.comment(node))?;
            }
        }
        Ok(out)
    }

    /// The times used in seconds, by move number from 1. Moves without a time are missing.
    #[getter]
    fn times<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let out = PyDict::new(py);
        for (ply, node) in (1..).zip(self.0.tree.main_line()) {
            if let Some(time) = self.0.tree.time(node) {
                out.set_item(ply, time.as_secs_f64())?;
            }
        }
        Ok(out)
    }

    /// The KIF keyword for the end of the game, if the record states it.
    #[getter]
    fn end(&self) -> Option<&str> {
        self.0.end().map(record::End::kif)
    }

    /// `black`, `white` or `draw`, if the record gives the result.
    #[getter]
    fn winner(&self) -> Option<&'static str> {
        match self.0.outcome() {
            Outcome::Win(color) => Some(super::game::side(color)),
            Outcome::Draw => Some("draw"),
            Outcome::Unknown => None,
        }
    }

    /// Returns the last position of the main line, with its moves, up to the first illegal move.
    fn position(&self, py: Python<'_>) -> PyResult<Position> {
        let (pos, legal, _) = self.0.legal_moves().map_err(value_error)?;
        debug_assert_eq!(pos.game_ply(), self.0.first_ply());
        Position::after(py, self.0.game, self.0.start.as_deref(), &legal)
    }

    /// Returns the record as text in a format of `sanban convert`, without the data that the format cannot represent.
    fn write(&self, format: &str) -> PyResult<String> {
        record::write(&self.0, format_named(format)?).map_err(value_error)
    }

    /// Returns the record as bytes in the usual encoding of the format, or in `utf-8`, `shift_jis` or `cp949`.
    #[pyo3(signature = (format, encoding=None))]
    fn encode<'py>(
        &self,
        py: Python<'py>,
        format: &str,
        encoding: Option<&str>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let known = format_named(format)?;
        let encoding = match encoding {
            None => known.custom(format),
            Some(name) => Encoding::from_name(name)
                .ok_or_else(|| PyValueError::new_err("encoding: expected utf-8, shift_jis or cp949"))?,
        };
        let text = record::write_as(&self.0, known, encoding).map_err(value_error)?;
        Ok(PyBytes::new(py, &record::encode(&text, encoding).0))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (State,))> {
        Ok((py.get_type::<Self>().getattr("_restore")?, (state(&self.0),)))
    }

    /// Restores a pickled record.
    #[staticmethod]
    fn _restore(state: State) -> PyResult<Self> {
        restored(state).map(Self)
    }

    fn __len__(&self) -> usize {
        self.0.moves().len()
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| self.0 == other.get().0)
    }

    fn __repr__(&self) -> String {
        format!("<Record of {}, {} moves>", self.0.game, self.0.moves().len())
    }
}
