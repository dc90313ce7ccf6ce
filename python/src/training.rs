//! Shogi training positions: entries of 40 bytes (`PackedSfenValue`) or 38 bytes (hcpe).

use super::game::held;
use super::moves::Move;
use super::position::Position;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use sanban::Shogi;
use sanban::lab::train::psv::{Entry, HCPE_SIZE, SIZE, export};
use sanban::lab::train::shard;
use std::path::PathBuf;

/// The fields of an entry: position, score, move and result; score and result are for the side to move.
type Parts = (Position, i16, Option<Py<Move>>, i8);

/// Encodes a position with its labels in 40 bytes.
#[pyfunction]
#[pyo3(signature = (position, score=0, r#move=None, result=0))]
pub fn pack_entry<'py>(
    py: Python<'py>,
    position: &Position,
    score: i16,
    r#move: Option<&Bound<'py, PyAny>>,
    result: i8,
) -> PyResult<Bound<'py, PyBytes>> {
    if !(-1..=1).contains(&result) {
        return Err(PyValueError::new_err("the result must be 1, 0 or -1"));
    }
    let mv = r#move.map(|mv| position.legal(mv)).transpose()?;
    let pos = held::<Shogi>(&position.board)?.clone();
    Ok(PyBytes::new(py, &Entry { pos, score, mv, result }.to_bytes()))
}

/// Decodes an entry of 40 bytes into position, score, move and result.
#[pyfunction]
pub fn unpack_entry(py: Python<'_>, entry: &[u8]) -> PyResult<Parts> {
    parts(py, <&[u8; SIZE]>::try_from(entry).ok().and_then(Entry::from_bytes))
}

/// Decodes an hcpe entry of 38 bytes into position, score, move and result.
#[pyfunction]
pub fn unpack_hcpe(py: Python<'_>, entry: &[u8]) -> PyResult<Parts> {
    parts(py, <&[u8; HCPE_SIZE]>::try_from(entry).ok().and_then(Entry::from_hcpe))
}

fn parts(py: Python<'_>, entry: Option<Entry>) -> PyResult<Parts> {
    let entry = entry.ok_or_else(|| PyValueError::new_err("the entry is not a position"))?;
    let position = Position::shogi(py, &entry.pos.sfen())?;
    let mv = entry.mv.map(|mv| position.object(py, mv));
    Ok((position, entry.score, mv, entry.result))
}

/// Encodes the searched positions of a file of self-play games in 40 bytes each.
#[pyfunction]
pub fn pack_games(py: Python<'_>, path: PathBuf) -> PyResult<Bound<'_, PyBytes>> {
    let packed = py.detach(|| {
        let (origin, records) = shard::read(&path).map_err(|error| error.to_string())?;
        if origin.game != "shogi" {
            return Err(format!("{}: expected shogi games, found {} games", path.display(), origin.game));
        }
        let mut out = vec![];
        for (game, record) in records.iter().enumerate() {
            export(record, &mut out).map_err(|ply| {
                format!("{}: game {game}: the move at ply {ply} is illegal", path.display())
            })?;
        }
        Ok(out)
    });
    packed.map(|packed| PyBytes::new(py, &packed)).map_err(PyValueError::new_err)
}
