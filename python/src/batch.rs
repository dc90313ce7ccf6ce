//! Networks, and the batch evaluation of positions.

use super::game::{of_game, value_error, variant_named};
use super::position::Position;
use super::value::{bounded, thread_count};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use rayon::prelude::*;
use sanban::engine::nnue::{FV_SCALE, NetworkChoice};
use sanban::engine::{Evaluator, Game, NetworkSource, each_game, evaluation_id};
use sanban::lab::train::psv::Entry;
use sanban::rules::AsBoard;
use sanban::{AnyPosition, VariantId};
use sanban::{Score, Shogi};
use std::borrow::Borrow;
use std::path::PathBuf;

/// Number of positions in a chunk, the unit of work of a thread.
const CHUNK: usize = 256;

/// The pickled form of a network: path, game, output divisor and fingerprint.
type Pickled = (Option<PathBuf>, String, i32, String);

/// An evaluation network of one game: a file or, without a path, the embedded one. The path `handwritten` selects the
/// hand-written evaluation.
#[pyclass(frozen, module = "sanban")]
pub struct Network {
    game: VariantId,
    path: Option<PathBuf>,
    fv_scale: i32,
    pub weights: NetworkChoice,
}

impl Network {
    /// Returns the network that an argument specifies: an object, a path, or `None` for the embedded one.
    pub fn given(py: Python<'_>, given: Option<Bound<'_, PyAny>>, game: VariantId) -> PyResult<Py<Self>> {
        let Some(given) = given else { return Py::new(py, Self::load(None, game, FV_SCALE)?) };
        match given.cast::<Self>() {
            Ok(network) => Ok(network.clone().unbind()),
            Err(_) => Py::new(py, Self::load(Some(given.extract()?), game, FV_SCALE)?),
        }
    }

    fn load(path: Option<PathBuf>, game: VariantId, fv_scale: i32) -> PyResult<Self> {
        let source =
            path.as_ref().map_or_else(NetworkSource::default, |path| NetworkSource::named(path, fv_scale));
        let weights = each_game!(game, G => G::load_network(&source)).map_err(value_error)?;
        // Absolute, because the process that unpickles it may have a different working directory.
        let path =
            path.map(|path| if path.exists() { std::path::absolute(&path).unwrap_or(path) } else { path });
        Ok(Self { game, path, fv_scale, weights })
    }
}

#[pymethods]
impl Network {
    #[new]
    #[pyo3(signature = (path=None, game="shogi", *, fv_scale=16))]
    fn new(path: Option<PathBuf>, game: &str, fv_scale: i64) -> PyResult<Self> {
        Self::load(path, variant_named(game)?, bounded("fv_scale", fv_scale, 1..=128)?)
    }

    /// Pickles the path of the file and the fingerprint; unpickling reads the file again.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Pickled)> {
        let restore = py.get_type::<Self>().getattr("_restore")?;
        Ok((restore, (self.path.clone(), self.game.name().into(), self.fv_scale, self.fingerprint()?)))
    }

    /// Restores a pickled network.
    #[staticmethod]
    fn _restore(path: Option<PathBuf>, game: &str, fv_scale: i32, fingerprint: &str) -> PyResult<Self> {
        let network = Self::load(path, variant_named(game)?, fv_scale)?;
        if network.fingerprint()? != fingerprint {
            return Err(PyValueError::new_err(format!(
                "{} is not the network that was pickled",
                network.__repr__()
            )));
        }
        Ok(network)
    }

    /// Networks with the same weights are equal.
    fn __eq__(&self, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        match other.cast::<Self>() {
            Ok(other) => {
                Ok(self.game == other.get().game && self.fingerprint()? == other.get().fingerprint()?)
            }
            Err(_) => Ok(false),
        }
    }

    fn __hash__(&self) -> PyResult<u64> {
        Ok(u64::from_str_radix(&self.fingerprint()?, 16).unwrap_or_default())
    }

    /// The name of the game.
    #[getter]
    fn game(&self) -> &'static str {
        self.game.name()
    }

    /// 16 hexadecimal digits that identify the evaluation, regardless of its source.
    #[getter]
    pub fn fingerprint(&self) -> PyResult<String> {
        Ok(self.described()?.split(' ').next().unwrap_or_default().to_string())
    }

    /// The description of the network.
    #[getter]
    fn name(&self) -> PyResult<String> {
        Ok(self.described()?.split_once(' ').unwrap_or_default().1.to_string())
    }

    fn __repr__(&self) -> String {
        let path =
            self.path.as_ref().map_or("None".into(), |path| format!("{:?}", path.display().to_string()));
        format!("Network({path}, game={:?})", self.game.name())
    }

    /// Evaluates positions, given as SFENs or `Position` objects or as an array of PSV or hcpe entries. Returns
    /// centipawns for the side to move as a NumPy array. Releases the interpreter lock during the evaluation.
    #[pyo3(signature = (positions, *, threads=1))]
    fn evaluate<'py>(
        slf: &Bound<'py, Self>,
        positions: &Bound<'py, PyAny>,
        threads: i64,
    ) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("sanban._arrays")?.call_method1("evaluate", (slf, positions, threads))
    }

    /// Evaluates SFENs or `Position` objects. Returns centipawns for the side to move, 4 bytes each.
    fn evaluate_bytes<'py>(
        &self,
        py: Python<'py>,
        positions: Vec<Bound<'py, PyAny>>,
        threads: i64,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let threads = thread_count(threads)?;
        let boards: PyResult<Vec<_>> = positions.iter().map(|item| board(self.game, item)).collect();
        let boards = boards?;
        let scores = each_game!(self.game, G => {
            py.detach(|| evaluate::<G, _, _>(&self.weights, &boards, threads, AnyPosition::get))
        });
        bytes(py, scores)
    }

    /// Evaluates training positions: PSV entries of 40 bytes, or hcpe entries of 38. Returns centipawns for the side to
    /// move, 4 bytes each. `first` is the number of the first entry, for error messages.
    #[pyo3(signature = (entries, size, threads, first=0))]
    fn evaluate_entries<'py>(
        &self,
        py: Python<'py>,
        entries: &[u8],
        size: usize,
        threads: i64,
        first: usize,
    ) -> PyResult<Bound<'py, PyBytes>> {
        match size {
            40 => self.entries(py, entries, threads, first, Entry::from_bytes),
            38 => self.entries(py, entries, threads, first, Entry::from_hcpe),
            _ => Err(PyValueError::new_err(format!("entries of {size} bytes, expected 40 or 38"))),
        }
    }
}

impl Network {
    /// Returns the game.
    pub fn variant(&self) -> VariantId {
        self.game
    }

    /// Evaluates training positions of `N` bytes each.
    fn entries<'py, const N: usize>(
        &self,
        py: Python<'py>,
        entries: &[u8],
        threads: i64,
        first: usize,
        read: fn(&[u8; N]) -> Option<Entry>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        if self.game != VariantId::Shogi {
            return Err(PyValueError::new_err(format!("the network is for {}, not for shogi", self.game)));
        }
        let threads = thread_count(threads)?;
        let (entries, rest) = entries.as_chunks::<N>();
        if !rest.is_empty() {
            return Err(PyValueError::new_err(format!("{} bytes after the last entry", rest.len())));
        }
        let position = |bytes| read(bytes).map(|entry| entry.pos);
        let scores = py.detach(|| evaluate::<Shogi, _, _>(&self.weights, entries, threads, position));
        bytes(py, scores.map_err(|at| first.saturating_add(at)))
    }

    fn described(&self) -> PyResult<String> {
        each_game!(self.game, G => Ok(evaluation_id::<G>(self.game, &self.weights)))
    }
}

/// Returns the position of a list item, which is an SFEN or a `Position`.
fn board(game: VariantId, item: &Bound<'_, PyAny>) -> PyResult<AnyPosition> {
    if let Ok(text) = item.cast::<PyString>() {
        let text = text.to_cow()?;
        let text = text.trim();
        return AnyPosition::parse(game, text.strip_prefix("sfen ").unwrap_or(text)).map_err(value_error);
    }
    let position = item.cast::<Position>().map_err(|_| PyTypeError::new_err("expected SFEN or Position"))?;
    let position = position.borrow();
    of_game(game, &position.board).cloned()
}

/// Evaluates many items, which `read` converts to positions; the error is the index of an invalid item.
fn evaluate<'a, G: Game<Position: AsBoard>, T: Sync, P: Borrow<G::Position>>(
    network: &NetworkChoice,
    items: &'a [T],
    threads: usize,
    read: impl Fn(&'a T) -> Option<P> + Sync,
) -> Result<Vec<Score>, usize> {
    let one = |(chunk, items): (usize, &'a [T])| {
        let mut evaluator = G::evaluator(network);
        let mut scores = Vec::with_capacity(items.len());
        for (at, item) in items.iter().enumerate() {
            let pos = read(item).ok_or(chunk * CHUNK + at)?;
            evaluator.reset(pos.borrow());
            scores.push(evaluator.evaluate(pos.borrow()));
        }
        Ok(scores)
    };
    let chunks: Result<Vec<Vec<Score>>, usize> = match threads {
        1 => items.chunks(CHUNK).enumerate().map(one).collect(),
        n => match rayon::ThreadPoolBuilder::new().num_threads(n).build() {
            Ok(pool) => pool.install(|| items.par_chunks(CHUNK).enumerate().map(one).collect()),
            Err(_) => items.chunks(CHUNK).enumerate().map(one).collect(),
        },
    };
    chunks.map(|chunks| chunks.concat())
}

fn bytes<'py>(py: Python<'py>, scores: Result<Vec<Score>, usize>) -> PyResult<Bound<'py, PyBytes>> {
    let scores = scores.map_err(|at| PyValueError::new_err(format!("entry {at} is not a valid position")))?;
    let bytes: Vec<u8> = scores.into_iter().flat_map(Score::to_ne_bytes).collect();
    Ok(PyBytes::new(py, &bytes))
}
