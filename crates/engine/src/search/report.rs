//! The output of a search while it runs and when it ends. The search never prints: it calls a [`Report`].

use sanban_rules::{Move, Score};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// The meaning of a score.
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
    /// Is the true score at least this?
    #[inline]
    pub fn is_lower(self) -> bool {
        matches!(self, Self::Lower | Self::Exact)
    }
}

/// A line of the search: score, depth and principal variation.
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
    /// Rank of the line, from 1, and how many lines the search shows.
    pub multipv: (u32, u32),
    /// The score for the side to move at the root.
    pub score: Score,
    /// Whether the score is exact or a bound.
    pub bound: Bound,
    /// The moves, all legal, from the root.
    pub pv: Vec<Move>,
    /// The last line(s) of this search: printed regardless of the interval between lines.
    pub last: bool,
}

/// Receives the output of a search.
pub trait Report: Sync {
    /// A line was completed or, if it has a bound, is still being searched.
    fn line(&self, line: &Line);
    /// A remark in words.
    fn note(&self, text: &str);
}

/// Discards all reports (self-play, bench).
impl Report for () {
    fn line(&self, _: &Line) {}
    fn note(&self, _: &str) {}
}

/// Keeps the last lines of a search, the best first.
#[derive(Default, Debug)]
pub struct LastLines(Mutex<Vec<Line>>);

impl LastLines {
    /// The lines; none if the position has no legal move or its game is over.
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

/// The answer of a search.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Outcome {
    /// The best move; `None` when there is no legal move or the game is over by rule.
    pub best: Option<Move>,
    /// The expected reply, legal after `best`.
    pub ponder: Option<Move>,
    /// Score of the best move in centipawns for the side to move.
    pub score: Score,
    /// The side to move should declare a win instead of moving.
    pub declare: bool,
    /// Nodes of all threads.
    pub nodes: u64,
    /// Last completed iteration in plies.
    pub depth: u32,
}
