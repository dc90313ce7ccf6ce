//! Mate problems.

use super::engine::seconds;
use super::game::held;
use super::moves::Move;
use super::position::Position;
use super::value::{bounded, megabytes, thread_count, value};
use super::wait::wait;
use pyo3::prelude::*;
use sanban::Shogi;
use sanban::engine::mate::{MateLimits, MateMonitor, MateOutcome, solve};
use std::sync::atomic::{AtomicBool, Ordering};

value! {
/// The answer to a mate problem; true if a mate was found.
pub struct Mate {
    /// `mate`, `nomate` or, when a limit was reached first, `timeout`.
    status: String,
    /// The moves of the mate.
    moves: Vec<Py<Move>>,
}

fn __bool__(&self) -> bool {
    self.status == "mate"
}

fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
    let moves: PyResult<Vec<String>> =
        self.moves.iter().map(|mv| Ok(mv.bind(py).str()?.to_string())).collect();
    Ok(format!("<Mate {} {}>", self.status, moves?.join(" ")).replace(" >", ">"))
}
}

struct Monitor(AtomicBool);

impl MateMonitor for Monitor {
    fn stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Searches for a shogi mate by the side to move, with checks only. `time` is in seconds, `hash` in megabytes. Releases
/// the interpreter lock during the search.
#[pyfunction]
#[pyo3(signature = (position, *, time=None, nodes=None, threads=1, hash=64, shortest=false))]
pub fn mate(
    py: Python<'_>,
    position: &Position,
    time: Option<f64>,
    nodes: Option<i64>,
    threads: i64,
    hash: i64,
    shortest: bool,
) -> PyResult<Mate> {
    let pos = held::<Shogi>(&position.board)?;
    let limits = MateLimits {
        time: time.map(|time| seconds("time", time)).transpose()?,
        nodes: nodes.map(|nodes| bounded("nodes", nodes, 1..=i64::MAX)).transpose()?,
        memory: megabytes(hash, 1)?,
        threads: thread_count(threads)?,
        shortest,
    };
    let monitor = Monitor(AtomicBool::new(false));
    let outcome = wait(py, || solve(pos, &limits, &monitor), || monitor.0.store(true, Ordering::Relaxed))?;
    let (status, line) = match outcome {
        MateOutcome::Mate(line) => ("mate", line),
        MateOutcome::NoMate => ("nomate", vec![]),
        MateOutcome::Unknown => ("timeout", vec![]),
    };
    let moves = line.into_iter().map(|mv| position.object(py, mv)).collect();
    Ok(Mate { status: status.to_string(), moves })
}
