//! Solves Dobutsu shogi for the page: in a web worker, or in the server.

use sanban_engine::solved::dobutsu::index::BLOCKS;
use sanban_engine::solved::dobutsu::solve::bytes::Bytes;
use sanban_engine::solved::dobutsu::solve::{SolveError, SolveProgress, retrograde};
use sanban_engine::solved::dobutsu::table::{self, HEADER};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// A solved game, as the two parts of a table file.
pub struct Solved {
    header: [u8; HEADER],
    values: Bytes,
}

impl Solved {
    /// Solves a game; `tell` receives the fraction of the work that is done and returns whether to go on.
    ///
    /// # Errors
    /// There is not enough memory, or `tell` has returned false.
    pub fn new(mate: bool, tell: &(dyn Fn(f64) -> bool + Sync)) -> Result<Self, SolveError> {
        let progress = Progress {
            tell,
            units: AtomicU64::new(0),
            done: AtomicU64::new(0),
            stopped: AtomicBool::new(false),
        };
        let mut values = retrograde::solve(mate, &progress)?;
        Ok(Self { header: table::header(mate, values.values()), values })
    }

    /// Returns the header and the values of the file.
    pub fn parts(&mut self) -> [&[u8]; 2] {
        [&self.header, self.values.values()]
    }
}

/// Approximate number of positions that are won or lost, in either game.
const DECIDED: f64 = 126e6;
/// The fraction of the time that the first phase takes.
const FIRST: f64 = 0.1;

/// Reports the fraction of the work that is done. Positions with larger distances take longer; the square root fits the
/// measured times.
struct Progress<'a> {
    tell: &'a (dyn Fn(f64) -> bool + Sync),
    /// Number of units of the current phase; the first one has as many units as there are blocks.
    units: AtomicU64,
    done: AtomicU64,
    stopped: AtomicBool,
}

impl SolveProgress for Progress<'_> {
    fn phase(&self, _: &'static str, units: u64) {
        self.units.store(units, Relaxed);
        self.done.store(0, Relaxed);
    }

    fn advance(&self, units: u64) {
        let done = (self.done.fetch_add(units, Relaxed) + units) as f64;
        let go_on = (self.tell)(match self.units.load(Relaxed) as usize {
            BLOCKS => FIRST * done / BLOCKS as f64,
            _ => FIRST + (1.0 - FIRST) * (1.0 - (1.0 - done / DECIDED).max(0.0).sqrt()),
        });
        if !go_on {
            self.stopped.store(true, Relaxed);
        }
    }

    fn stopped(&self) -> bool {
        self.stopped.load(Relaxed)
    }
}
