//! Searches and static evaluations.

use super::batch::Network;
use super::game::{of_game, other_game, value_error, variant_named};
use super::moves::Move;
use super::position::Position;
use super::value::{bounded, megabytes, thread_count, value};
use super::wait::wait;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use sanban::engine::ladder::FULL;
use sanban::engine::search::{Limits, Line as Thought, Report, Signals};
use sanban::engine::{Evaluator, Game, each_game};
use sanban::rules::score::mate_distance;
use sanban::{Bound as Kind, Clock, Score};
use sanban::{Variant, VariantId};
use std::cell::Cell;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::Duration;

/// Time between two attempts to lock an engine that is searching.
const LOOK: Duration = Duration::from_millis(2);

thread_local! {
    /// Whether a search on this thread is calling `on_line`.
    static CALLING: Cell<bool> = const { Cell::new(false) };
}

/// Searches and evaluates positions of one game. The transposition table and the histories are kept between searches.
#[pyclass(frozen, module = "sanban")]
pub struct Engine {
    game: VariantId,
    engine: Mutex<Box<dyn sanban::Engine>>,
    network: Py<Network>,
    signals: Arc<Signals>,
}

value! {
/// A line reported by a search.
pub struct Line {
    /// Depth in plies.
    depth: u32,
    /// Rank of the line, from 1.
    rank: u32,
    /// Centipawns for the side to move.
    score: Score,
    /// Plies to a mate, negative if the other side mates; `None` without a mate.
    mate: Option<i32>,
    /// `exact`, or `lower` or `upper` if the score is only a bound.
    bound: String,
    /// Number of nodes searched.
    nodes: u64,
    /// Seconds since the search began.
    time: f64,
    /// The principal variation.
    pv: Vec<Py<Move>>,
}

fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
    let moves: PyResult<Vec<String>> =
        self.pv.iter().map(|mv| Ok(mv.bind(py).str()?.to_string())).collect();
    Ok(format!("<Line depth {} score {} pv {}>", self.depth, self.score, moves?.join(" ")))
}
}

value! {
/// The result of a search.
pub struct Outcome {
    /// The best move; `None` if there is no legal move or the game is over.
    best: Option<Py<Move>>,
    /// The expected reply.
    ponder: Option<Py<Move>>,
    /// Centipawns for the side to move: the score of the first line.
    score: Score,
    /// Plies to a mate, negative if the other side mates; `None` without a mate.
    mate: Option<i32>,
    /// The side to move should declare a win instead of moving.
    declare: bool,
    /// Number of nodes searched.
    nodes: u64,
    /// Depth in plies: the depth of the first line.
    depth: u32,
    /// The final lines, best first; empty if there is no move to search.
    lines: Vec<Py<Line>>,
}

fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
    let best =
        self.best.as_ref().map_or(Ok("none".into()), |mv| mv.bind(py).str().map(|s| s.to_string()));
    Ok(format!("<Outcome best {} score {} depth {} nodes {}>", best?, self.score, self.depth, self.nodes))
}
}

/// Keeps the final lines and passes every line to `call`.
struct Listener<'a> {
    position: &'a Position,
    call: Option<&'a Py<PyAny>>,
    lines: Mutex<Vec<Thought>>,
    error: Mutex<Option<PyErr>>,
    signals: &'a Signals,
}

impl Report for Listener<'_> {
    fn line(&self, line: &Thought) {
        if line.last {
            self.lines.lock().unwrap_or_else(PoisonError::into_inner).push(line.clone());
        }
        if let Some(call) = self.call {
            let outer = CALLING.replace(true);
            let told = Python::attach(|py| call.call1(py, (told(py, self.position, line)?,)).map(drop));
            CALLING.set(outer);
            if let Err(error) = told {
                self.error.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                self.signals.stop();
            }
        }
    }

    fn note(&self, _: &str) {}
}

/// Converts a line to a Python object.
fn told(py: Python<'_>, position: &Position, line: &Thought) -> PyResult<Py<Line>> {
    let pv = line.pv.iter().map(|&mv| position.object(py, mv)).collect();
    let bound = match line.bound {
        Kind::Exact => "exact",
        Kind::Lower => "lower",
        Kind::Upper => "upper",
    };
    let Thought { depth, score, nodes, .. } = *line;
    let (rank, time, mate) = (line.multipv.0, line.time.as_secs_f64(), mate_distance(score));
    let bound = bound.to_string();
    Py::new(py, Line { depth, rank, score, mate, bound, nodes, time, pv })
}

/// Converts a number of seconds; the error names the argument.
pub fn seconds(name: &str, time: f64) -> PyResult<Duration> {
    let bad =
        |_| PyValueError::new_err(format!("{name} is {time}, expected a non-negative number of seconds"));
    Duration::try_from_secs_f64(time).map_err(bad)
}

#[pymethods]
impl Engine {
    /// Creates an engine with its own transposition table of `hash` megabytes. `network` replaces the embedded
    /// network.
    #[new]
    #[pyo3(signature = (game="shogi", *, threads=1, hash=16, network=None))]
    fn new(
        py: Python<'_>,
        game: &str,
        threads: i64,
        hash: i64,
        network: Option<Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let game = variant_named(game)?;
        let (threads, hash) = (thread_count(threads)?, megabytes(hash, 1)?);
        let network = Network::given(py, network, game)?;
        let chosen = network.get();
        if chosen.variant() != game {
            let found = chosen.variant();
            return Err(PyValueError::new_err(format!("the network is for {found}, not for {game}")));
        }
        let mut engine = <dyn sanban::Engine>::new(game);
        engine.set_threads(threads);
        engine.set_hash(hash);
        engine.set_network(chosen.weights.clone());
        Ok(Self { game, engine: Mutex::new(engine), network, signals: Arc::default() })
    }

    /// The name of the game.
    #[getter]
    fn game(&self) -> &'static str {
        self.game.name()
    }

    /// The network in use.
    #[getter]
    fn network(&self, py: Python<'_>) -> Py<Network> {
        self.network.clone_ref(py)
    }

    /// Searches a position until a limit is reached; without a limit, until `stop` is called from another thread or
    /// Ctrl-C is pressed. Times are in seconds. `clock` is the remaining time of black and white, with `increment` and
    /// `byoyomi`. `multipv` is the number of lines, 1 to 600; `skill` is the level, 0 to 20, where 20 is full strength.
    /// `on_line` is called with every reported line. Releases the interpreter lock during the search.
    #[pyo3(signature = (position, *, nodes=None, depth=None, time=None, multipv=1, moves=None, clock=None,
                        increment=(0.0, 0.0), byoyomi=0.0, skill=20, on_line=None))]
    #[expect(clippy::too_many_arguments, reason = "all arguments except the position are keyword arguments")]
    fn search(
        &self,
        py: Python<'_>,
        position: &Position,
        nodes: Option<i64>,
        depth: Option<i64>,
        time: Option<f64>,
        multipv: i64,
        moves: Option<Vec<Bound<'_, PyAny>>>,
        clock: Option<(f64, f64)>,
        increment: (f64, f64),
        byoyomi: f64,
        skill: i64,
        on_line: Option<Py<PyAny>>,
    ) -> PyResult<Outcome> {
        let byoyomi = seconds("byoyomi", byoyomi)?;
        let increment = [seconds("increment", increment.0)?, seconds("increment", increment.1)?];
        let clock = match clock {
            Some((black, white)) => Some(Clock {
                time: [seconds("clock", black)?, seconds("clock", white)?],
                increment,
                byoyomi,
                moves_to_go: None,
            }),
            None => None,
        };
        let nodes = nodes.map(|nodes| bounded("nodes", nodes, 1..=i64::MAX)).transpose()?;
        let depth = depth.map(|depth| bounded::<u64>("depth", depth, 1..=i64::MAX)).transpose()?;
        let settings = (bounded("multipv", multipv, 1..=600)?, bounded("skill", skill, 0..=FULL as i64)?);
        let search_moves: PyResult<Vec<_>> =
            moves.unwrap_or_default().iter().map(|mv| position.legal(mv)).collect();
        let limits = Limits {
            nodes,
            depth: depth.map(|depth| u32::try_from(depth).unwrap_or(u32::MAX)),
            move_time: time.map(|time| seconds("time", time)).transpose()?,
            clock,
            search_moves: search_moves?,
            ..Limits::default()
        };
        let mut engine =
            self.idle().ok_or_else(|| PyRuntimeError::new_err("this engine is already searching"))?;
        let search = Search { position, limits, settings, on_line: on_line.as_ref(), signals: &self.signals };
        search.run(py, &mut **engine)
    }

    /// The static evaluation in centipawns for the side to move, without a search.
    fn evaluate(&self, py: Python<'_>, position: &Position) -> PyResult<Score> {
        let pos = of_game(self.game, &position.board)?;
        let network = self.network.bind(py).get();
        Ok(each_game!(self.game, G => {
            let pos = pos.get::<<G as Variant>::Position>();
            let pos = pos.ok_or_else(|| other_game(self.game, position.board.variant()))?;
            let mut evaluator = G::evaluator(&network.weights);
            evaluator.reset(pos);
            evaluator.evaluate(pos)
        }))
    }

    /// Stops the running search.
    fn stop(&self) {
        self.signals.stop();
    }

    /// Clears the transposition table and the histories. Waits for a running search with the interpreter lock released;
    /// Ctrl-C interrupts the wait. Raises `RuntimeError` if called from `on_line` of the running search.
    fn clear(&self, py: Python<'_>) -> PyResult<()> {
        let attempt = || self.idle().map(|mut engine| engine.clear()).is_some();
        while !py.detach(attempt) {
            if CALLING.get() {
                return Err(PyRuntimeError::new_err(
                    "clear cannot be called from on_line, because the search is still running",
                ));
            }
            py.check_signals()?;
            py.detach(|| std::thread::sleep(LOOK));
        }
        Ok(())
    }
}

impl Engine {
    /// Returns the engine, unless a search is using it. Blocking here could deadlock, because the search needs the
    /// interpreter lock, which the caller may hold.
    fn idle(&self) -> Option<MutexGuard<'_, Box<dyn sanban::Engine>>> {
        match self.engine.try_lock() {
            Ok(engine) => Some(engine),
            Err(TryLockError::Poisoned(engine)) => Some(engine.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        }
    }
}

struct Search<'a> {
    position: &'a Position,
    limits: Limits,
    /// Number of lines, and skill level.
    settings: (usize, u32),
    on_line: Option<&'a Py<PyAny>>,
    signals: &'a Signals,
}

impl Search<'_> {
    fn run(&self, py: Python<'_>, engine: &mut dyn sanban::Engine) -> PyResult<Outcome> {
        let pos = of_game(engine.variant(), &self.position.board)?;
        let settings = engine.settings();
        (settings.multi_pv, settings.skill_level) = self.settings;
        let listener = Listener {
            position: self.position,
            call: self.on_line,
            lines: Mutex::default(),
            error: Mutex::default(),
            signals: self.signals,
        };
        self.signals.arm(false);
        let search = || engine.search(pos, &self.limits, self.signals, &listener);
        let found = wait(py, search, || self.signals.stop())?.map_err(value_error)?;
        if let Some(error) = listener.error.into_inner().unwrap_or_else(PoisonError::into_inner) {
            return Err(error);
        }
        let object = |mv: Option<sanban::Move>| mv.map(|mv| self.position.object(py, mv));
        let lines = listener.lines.into_inner().unwrap_or_else(PoisonError::into_inner);
        // Taken from the reported lines, because the search itself returns other values if it ends during an
        // iteration.
        let (score, depth) =
            lines.first().map_or((found.score, found.depth), |line| (line.score, line.depth));
        let lines: PyResult<Vec<_>> = lines.iter().map(|line| told(py, self.position, line)).collect();
        Ok(Outcome {
            best: object(found.best),
            ponder: object(found.ponder),
            score,
            mate: mate_distance(score),
            declare: found.declare,
            nodes: found.nodes,
            depth,
            lines: lines?,
        })
    }
}
