//! Functions for `sanban.cluster`: commands, chunks of games, and the standing of a match.

use super::batch::Network;
use super::game::{value_error, variant_named};
use super::wait::wait;
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use sanban::engine::nnue::NetworkChoice;
use sanban::engine::search::{Limits, Signals};
use sanban::engine::{each_game, evaluation_id};
use sanban::formats::book::Collection;
use sanban::lab::arena::{Decision, Played, Record, Sprt, Standing};
use sanban::lab::train::chunks;
use sanban::lab::train::selfplay::Plan;
use sanban::lab::train::shard::{self, Origin};
use sanban::rules::AnyPosition;
use sanban::system::{JournalFault, Signed, begins_with};
use sanban::{Game, VariantId};
use serde_json::{Map, Value};
use std::fs::File;
use std::path::PathBuf;

/// Nodes of each search of [`identity`].
const IDENTITY_NODES: u64 = 2000;

/// Runs a command line, given without the name of the program. Returns the exit code and the message, if any.
#[pyfunction]
#[pyo3(signature = (arguments, program=None))]
pub fn command(py: Python<'_>, arguments: Vec<String>, program: Option<Vec<String>>) -> (u8, Option<String>) {
    let words = std::iter::once("sanban".to_string()).chain(arguments);
    py.detach(|| sanban::cli::run_args(words, program)).err().unwrap_or((0, None))
}

/// Returns the identity that all nodes of a job must share: the version, the fingerprint of the network, and the number
/// of nodes of some searches, which depends on the program.
#[pyfunction]
pub fn identity(py: Python<'_>, network: &Bound<'_, Network>) -> PyResult<(&'static str, String, u64)> {
    let network = network.get();
    let game = network.variant();
    let nodes = wait(py, || fixed_searches(game, &network.weights), || ())?;
    Ok((env!("CARGO_PKG_VERSION"), network.fingerprint()?, nodes))
}

/// Returns the total number of nodes of searches of fixed positions.
fn fixed_searches(game: VariantId, network: &NetworkChoice) -> u64 {
    let mut engine = <dyn sanban::Engine>::new(game);
    engine.set_network(network.clone());
    let limits = Limits { soft_nodes: Some(IDENTITY_NODES), ..Limits::default() };
    let positions = each_game!(game, G => G::BENCH).iter();
    let searched = positions.filter_map(|sfen| {
        engine.clear();
        let pos = AnyPosition::parse(game, sfen).ok()?;
        Some(engine.search(&pos, &limits, &Signals::default(), &()).ok()?.nodes)
    });
    searched.sum()
}

/// Returns the number of games in a full self-play file.
#[pyfunction]
pub fn shard_games(nodes: u32) -> u64 {
    Plan { nodes, ..Plan::default() }.size()
}

/// Returns the name of a self-play file.
#[pyfunction]
pub fn shard_name(game: &str, seed: u64, shard: u64) -> PyResult<String> {
    let plan = Plan { game: variant_named(game)?, seed, ..Plan::default() };
    Ok(plan.path(shard).display().to_string())
}

/// Converts an error to a `ValueError`.
fn wrong(error: impl std::error::Error) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// Plays self-play games of a seed and returns them as a chunk. `first` is the number of the first game.
#[pyfunction]
pub fn play_games<'py>(
    py: Python<'py>,
    network: &Bound<'py, Network>,
    seed: u64,
    nodes: u32,
    first: u64,
    games: u64,
) -> PyResult<Bound<'py, PyBytes>> {
    let network = network.get();
    let numbers = first..first.saturating_add(games);
    let game = network.variant();
    let played = each_game!(game, G => {
        wait(py, || chunks::play::<G>(game, &network.weights, seed, nodes, numbers), || ())?
    });
    Ok(PyBytes::new(py, &played.map_err(wrong)?))
}

/// Checks that a chunk contains the expected games and only legal moves; otherwise returns a message.
#[pyfunction]
pub fn check_games(
    py: Python<'_>,
    piece: &[u8],
    network: &Bound<'_, Network>,
    seed: u64,
    nodes: u32,
    first: u64,
    games: u64,
) -> PyResult<Option<String>> {
    let network = network.get();
    let game = network.variant();
    let evaluation = each_game!(game, G => evaluation_id::<G>(game, &network.weights));
    let origin = Origin { game: game.name().into(), evaluation, seed, nodes, first };
    let checked = py.detach(|| chunks::check(game, piece, &origin, games));
    Ok(checked.err().map(|error| error.to_string()))
}

/// Joins consecutive chunks into a self-play file.
#[pyfunction]
pub fn join_games<'py>(py: Python<'py>, pieces: Vec<Vec<u8>>) -> PyResult<Bound<'py, PyBytes>> {
    let whole = chunks::join(pieces.iter().map(Vec::as_slice)).map_err(wrong)?;
    Ok(PyBytes::new(py, &whole))
}

/// Returns the number of positions in a book; a damaged book is an error.
#[pyfunction]
pub fn book_size(py: Python<'_>, path: PathBuf, game: &str) -> PyResult<usize> {
    let game = variant_named(game)?;
    py.detach(|| Collection::read(&path, game).map(|book| book.len())).map_err(value_error)
}

/// Writes a self-play file or a file of an analysis atomically. An error if another process is writing it, or if the
/// existing file was not written by Sanban.
#[pyfunction]
pub fn write_whole(path: PathBuf, bytes: &[u8]) -> PyResult<()> {
    let extension = path.extension().unwrap_or_default().to_string_lossy().into_owned();
    let is_own = |old: &mut File| match extension.as_str() {
        "games" => begins_with(shard::MAGIC)(old),
        extension => sanban::study::analysis::is_written(extension, false, old),
    };
    sanban::system::write_whole(&path, bytes, is_own).map_err(|error| PyOSError::new_err(error.to_string()))
}

/// Returns the record files in a directory and its subdirectories, in sorted order.
#[pyfunction]
pub fn record_files(folder: PathBuf) -> Vec<PathBuf> {
    sanban::cli::record_files(&folder)
}

/// Returns whether the checksum of a line of JSON matches.
#[pyfunction]
pub fn is_intact(line: &str) -> bool {
    serde_json::from_str::<Signed<Map<String, Value>>>(line).is_ok_and(|signed| signed.is_intact())
}

/// Returns the name of a kind of job, as used in its file.
fn kind_named(kind: &str) -> PyResult<&'static str> {
    let known = ["perft", "mate", "match", "think"].into_iter().find(|known| *known == kind);
    known.ok_or_else(|| PyValueError::new_err(format!("unknown job: {kind}")))
}

/// The file of JSON lines from which a job resumes, locked against other writers. Opening the file of a different job
/// raises `ValueError`.
#[pyclass(module = "sanban")]
pub struct Journal {
    journal: sanban::system::Journal,
    /// The contents of the file, except lines that are not JSON.
    #[pyo3(get)]
    lines: Vec<String>,
}

#[pymethods]
impl Journal {
    #[new]
    fn new(path: PathBuf, kind: &str, about: &str) -> PyResult<Self> {
        let about: Value =
            serde_json::from_str(about).map_err(|error| PyValueError::new_err(error.to_string()))?;
        let mut lines = vec![];
        let journal = sanban::system::Journal::open(&path, kind_named(kind)?, &about, |_, line| {
            lines.extend(line.ok().map(|line: Value| line.to_string()));
            Ok(())
        });
        let journal = journal.map_err(|error| match error.fault {
            JournalFault::System(_) | JournalFault::NoFile | JournalFault::Busy(_) => {
                PyOSError::new_err(error.to_string())
            }
            JournalFault::Foreign(_) | JournalFault::Damaged { .. } | JournalFault::Other(_) => {
                value_error(error)
            }
        })?;
        Ok(Self { journal, lines })
    }

    /// Adds a line of JSON.
    fn append(&mut self, line: &str) -> PyResult<()> {
        let line: Value =
            serde_json::from_str(line).map_err(|error| PyValueError::new_err(error.to_string()))?;
        self.journal.append(&line).map_err(|error| PyOSError::new_err(error.to_string()))
    }
}

/// A lock file that exists as long as this object.
#[pyclass(frozen, module = "sanban")]
pub struct Claim(#[expect(dead_code, reason = "held until it is dropped")] sanban::system::Claim);

#[pymethods]
impl Claim {
    #[new]
    fn new(path: PathBuf) -> PyResult<Self> {
        sanban::system::Claim::new(&path).map(Self).map_err(|error| PyOSError::new_err(error.to_string()))
    }
}

/// Adds up games of a match, given as lines of JSON, in order, until the SPRT reaches a decision. Returns the number of
/// pairs counted, and `H0`, `H1` or `None`.
#[pyfunction]
#[pyo3(signature = (games, sprt=None))]
pub fn match_standing(games: Vec<String>, sprt: Option<(f64, f64)>) -> PyResult<(u64, Option<&'static str>)> {
    let sprt = sprt.map(|(elo0, elo1)| Sprt { elo0, elo1 });
    let mut standing = Standing::default();
    for game in games {
        let record: Record =
            serde_json::from_str(&game).map_err(|error| PyValueError::new_err(error.to_string()))?;
        standing.add(Played::from(&record), 1, sprt);
    }
    let decision = standing.decision.map(|decision| match decision {
        Decision::H0 => "H0",
        Decision::H1 => "H1",
    });
    Ok((standing.finished(), decision))
}
