//! The output of a search. The search itself never prints; it calls a [`Report`].

use sanban_rules::{Move, Score};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Whether a score is exact or a bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// The score is exact.
    Exact,
    /// The true score is at least this (fail high).
    Lower,
    /// The true score is at most this (fail low).
    Upper,
}

impl Bound {
    /// Whether the true score is at least the reported one.
    #[inline]
    pub fn is_lower(self) -> bool {
        matches!(self, Self::Lower | Self::Exact)
    }
}

/// A line of search output: score, depth and principal variation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// Iteration depth in plies.
    pub depth: u32,
    /// Deepest ply reached.
    pub seldepth: u32,
    /// Time since the search began.
    pub time: Duration,
    /// Nodes of all threads.
    pub nodes: u64,
    /// Use of the transposition table in permille.
    pub hashfull: u32,
    /// Rank of the line, from 1, and the number of lines reported.
    pub multipv: (u32, u32),
    /// The score for the side to move at the root.
    pub score: Score,
    /// Whether the score is exact or a bound.
    pub bound: Bound,
    /// The moves, all legal, from the root.
    pub pv: Vec<Move>,
    /// Whether this is one of the last lines of the search, which are printed regardless of the interval between lines.
    pub last: bool,
}

/// Receives the output of a search.
pub trait Report: Sync {
    /// Called when a line has been completed or, if its score is a bound, is still being searched.
    fn line(&self, line: &Line);
    /// Called with a remark for the user.
    fn note(&self, text: &str);
}

/// Discards all reports (self-play, bench).
impl Report for () {
    fn line(&self, _: &Line) {}
    fn note(&self, _: &str) {}
}

/// Keeps the last lines of a search, best first.
#[derive(Default, Debug)]
pub struct LastLines(Mutex<Vec<Line>>);

impl LastLines {
    /// Returns the lines. If the game is over, the only line has no moves.
    pub fn into_lines(self) -> Vec<Line> {
        self.0.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Report for LastLines {
    fn line(&self, line: &Line) {
        if line.last {
            self.0.lock().unwrap_or_else(PoisonError::into_inner).push(line.clone());
        }
    }

    fn note(&self, _: &str) {}
}

/// The result of a search.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Outcome {
    /// The best move; `None` when there is no legal move or the game is over by rule.
    pub best: Option<Move>,
    /// The expected reply, legal after `best`.
    pub ponder: Option<Move>,
    /// Score of the best move in centipawns for the side to move.
    pub score: Score,
    /// Whether the side to move should declare a win instead of moving.
    pub declare: bool,
    /// Nodes of all threads.
    pub nodes: u64,
    /// Depth of the last completed iteration, in plies.
    pub depth: u32,
}
