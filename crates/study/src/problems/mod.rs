//! Shogi problems from games: mates with a unique solution, and positions in which one move is far better than all
//! others.
//!
//! `mates` proves uniqueness, `next` verifies by searches, and `text` reads and writes problems as lines of text. The
//! binary contains a collection ([`embedded`]).

mod mates;
mod next;
mod text;

pub use mates::unique_mate;
pub use next::{mistake, next_move};
pub use text::{ProblemError, RowError, embedded, read};

use sanban_rules::Move;
use sanban_rules::shogi::Position;
use std::fmt;

/// The kind of problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Task {
    /// Mate the opponent, with checks only.
    Mate,
    /// Find the best move.
    Next,
}

impl Task {
    const ALL: [Self; 2] = [Self::Mate, Self::Next];

    /// The keyword for the task in files.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Mate => "mate",
            Self::Next => "next",
        }
    }
}

/// A problem with its solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The kind of problem.
    pub task: Task,
    /// Difficulty, from 1: half the plies of a mate, rounded up; for a next move, by the number of nodes needed to find
    /// it.
    pub grade: u32,
    /// SFEN of the position.
    pub sfen: String,
    /// The solution: the whole mate, or the move and its continuation.
    pub line: Vec<Move>,
}

/// Formats the problem as one line: task, grade, SFEN and moves, separated by tabs.
impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let moves: Vec<String> = self.line.iter().map(|&mv| Position::usi(mv)).collect();
        write!(f, "{}\t{}\t{}\t{}", self.task.word(), self.grade, self.sfen, moves.join(" "))
    }
}
