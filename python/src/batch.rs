//! Networks, and the evaluation of many positions at once.

use super::game::{held, value_error, variant_named};
use super::position::Position;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use rayon::prelude::*;
use sanban::any::AsBoard;
use sanban::engine::nnue::FV_SCALE;
use sanban::engine::{Evaluator, Game, NetworkSource};
use sanban::lab::train::psv::{Entry, SIZE};
use sanban::lab::train::selfplay::evaluation;
use sanban::{Score, Shogi};
use sanban::{VariantId, with_variant};
use std::any::Any;
use std::borrow::Borrow;
use std::path::{Path, PathBuf};

/// Fewer positions than this are not divided among threads.
const CHUNK: usize = 256;

/// The network of a game; without a path, the embedded one. `handwritten` means the evaluation without a network.
#[pyclass(frozen, module = "sanban")]
pub struct Network {
    game: VariantId,
    path: Option<PathBuf>,
    /// The weights, of the game's type.
    weights: Box<dyn Any + Send + Sync>,
}

impl Network {
    /// The weights as the type of the game.
    pub fn weights<G: Game<Position: AsBoard>>(&self) -> PyResult<&G::Network>
    where
        G::Network: 'static,
    {
        let other =
            || PyValueError::new_err(format!("a network of {}, expected one of {}", self.game, G::NAME));
        self.weights.downcast_ref().ok_or_else(other)
    }

    /// The network of an argument: an object, a path, or `None`.
    pub fn given(py: Python<'_>, given: Option<Bound<'_, PyAny>>, game: VariantId) -> PyResult<Py<Self>> {
        let Some(given) = given else { return Py::new(py, Self::load(None, game, FV_SCALE)?) };
        match given.cast::<Self>() {
            Ok(network) => Ok(network.clone().unbind()),
            Err(_) => Py::new(py, Self::load(Some(given.extract()?), game, FV_SCALE)?),
        }
    }

    fn load(path: Option<PathBuf>, game: VariantId, fv_scale: i32) -> PyResult<Self> {
        let weights = with_variant!(game, G => {
            network::<G>(path.as_deref(), fv_scale).map(|network| Box::new(network) as Box<dyn Any + Send + Sync>)
        });
        Ok(Self { game, path, weights: weights? })
    }
}

/// The weights of a file, or the embedded ones.
fn network<G: Game<Position: AsBoard>>(path: Option<&Path>, fv_scale: i32) -> PyResult<G::Network> {
    let source = path.map_or_else(NetworkSource::default, |path| NetworkSource::named(path, fv_scale));
    G::load_network(&source).map_err(value_error)
}

#[pymethods]
impl Network {
    #[new]
    #[pyo3(signature = (path=None, game="shogi", *, fv_scale=FV_SCALE))]
    fn new(path: Option<PathBuf>, game: &str, fv_scale: i32) -> PyResult<Self> {
        if !(1..=128).contains(&fv_scale) {
            return Err(PyValueError::new_err("fv_scale must be between 1 and 128"));
        }
        Self::load(path, variant_named(game)?, fv_scale)
    }

    /// The name of the game.
    #[getter]
    fn game(&self) -> &'static str {
        self.game.name()
    }

    /// 16 digits that identify an evaluation, whatever its source.
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

    /// Evaluates positions, given as SFEN or Position or as an array of PSV entries. Returns centipawns for the side to
    /// move as a NumPy array. The interpreter lock is released meanwhile.
    #[pyo3(signature = (positions, *, threads=1))]
    fn evaluate<'py>(
        slf: &Bound<'py, Self>,
        positions: &Bound<'py, PyAny>,
        threads: usize,
    ) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("sanban._arrays")?.call_method1("evaluate", (slf, positions, threads))
    }

    /// Evaluates positions, given as SFEN or as Position: centipawns for the side to move, 4 bytes each.
    fn evaluate_bytes<'py>(
        &self,
        py: Python<'py>,
        positions: Vec<Bound<'py, PyAny>>,
        threads: usize,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let scores = with_variant!(self.game, G => {
            let boards: PyResult<Vec<_>> = positions.iter().map(|item| board::<G>(item)).collect();
            let (boards, weights) = (boards?, self.weights::<G>()?);
            py.detach(|| evaluate::<G, _, _>(weights, &boards, threads, Some))
        });
        bytes(py, scores)
    }

    /// The same for training positions, 40 bytes each.
    fn evaluate_psv<'py>(
        &self,
        py: Python<'py>,
        entries: &[u8],
        threads: usize,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let weights = self.weights::<Shogi>()?;
        let (entries, rest) = entries.as_chunks::<SIZE>();
        if !rest.is_empty() {
            return Err(PyValueError::new_err(format!("{} bytes after the last entry", rest.len())));
        }
        let read = |bytes: &[u8; SIZE]| Entry::from_bytes(bytes).map(|entry| entry.pos);
        bytes(py, py.detach(|| evaluate::<Shogi, _, _>(weights, entries, threads, read)))
    }
}

impl Network {
    /// The game.
    pub fn variant(&self) -> VariantId {
        self.game
    }

    fn described(&self) -> PyResult<String> {
        with_variant!(self.game, G => Ok(evaluation::<G>(self.weights::<G>()?)))
    }
}

/// The position of an item of a list.
fn board<G: Game<Position: AsBoard>>(item: &Bound<'_, PyAny>) -> PyResult<G::Position> {
    if let Ok(text) = item.cast::<PyString>() {
        let text = text.to_cow()?;
        let text = text.trim();
        return G::parse(text.strip_prefix("sfen ").unwrap_or(text)).map_err(value_error);
    }
    let position = item.cast::<Position>().map_err(|_| PyTypeError::new_err("expected SFEN or Position"))?;
    let position = position.borrow();
    held::<G>(&position.board).cloned()
}

/// Evaluates many items that `read` converts to positions; the error is the index of the first invalid one.
fn evaluate<'a, G: Game<Position: AsBoard>, T: Sync, P: Borrow<G::Position>>(
    network: &G::Network,
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
        0 | 1 => items.chunks(CHUNK).enumerate().map(one).collect(),
        n => match rayon::ThreadPoolBuilder::new().num_threads(n.min(1024)).build() {
            Ok(pool) => pool.install(|| items.par_chunks(CHUNK).enumerate().map(one).collect()),
            Err(_) => items.chunks(CHUNK).enumerate().map(one).collect(),
        },
    };
    chunks.map(|chunks| chunks.concat())
}

fn bytes<'py>(py: Python<'py>, scores: Result<Vec<Score>, usize>) -> PyResult<Bound<'py, PyBytes>> {
    let scores = scores.map_err(|at| PyValueError::new_err(format!("entry {at} is not a position")))?;
    let bytes: Vec<u8> = scores.into_iter().flat_map(Score::to_ne_bytes).collect();
    Ok(PyBytes::new(py, &bytes))
}
