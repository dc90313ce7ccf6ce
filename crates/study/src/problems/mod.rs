//! Shogi problems from games: mates with a unique solution, and positions in which one move is far better than all
//! others.
//!
//! `mates` proves uniqueness, `next` verifies by searches, and `text` reads and writes problems as lines of text. The
//! binary contains a collection ([`embedded`]).

mod mates;
mod next;
mod text;
mod theme;

pub use mates::unique_mate;
pub use next::{Mistakes, next_move};
pub use text::{ProblemError, RowError, embedded, read};
pub use theme::Theme;

use sanban_rules::shogi::square::SQUARES;
use sanban_rules::shogi::{Kind, Position};
use sanban_rules::{Color, Move};
use std::fmt;

/// Maximum number of squares in which near copies differ.
pub const NEAR: usize = 8;

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

/// The squares of a board.
type Squares = [Option<(Color, Kind)>; SQUARES];

/// Problems without near copies: those of one kind whose boards differ in few squares.
pub struct Distinct {
    /// The problems in the order in which they were added.
    pub problems: Vec<Problem>,
    boards: Vec<Squares>,
    /// Maximum number of squares in which near copies differ.
    near: usize,
}

impl Distinct {
    /// No problems yet, of which near copies differ in at most `near` squares.
    #[must_use]
    pub const fn new(near: usize) -> Self {
        Self { problems: Vec::new(), boards: Vec::new(), near }
    }

    /// Adds a problem, unless it is a near copy of another one.
    pub fn add(&mut self, problem: Problem) {
        let Ok(pos) = Position::from_sfen(&problem.sfen) else { return };
        let board: Squares = std::array::from_fn(|square| pos.piece_on(square));
        let is_near = |(known, other): (&Problem, &Squares)| {
            let differing = board.iter().zip(other).filter(|(a, b)| a != b).count();
            known.task == problem.task && differing <= self.near
        };
        if !self.problems.iter().zip(&self.boards).any(is_near) {
            self.problems.push(problem);
            self.boards.push(board);
        }
    }
}

/// Formats the problem as one line: task, grade, SFEN and moves, separated by tabs.
impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let moves: Vec<String> = self.line.iter().map(|&mv| Position::usi(mv)).collect();
        write!(f, "{}\t{}\t{}\t{}", self.task.word(), self.grade, self.sfen, moves.join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_copies_are_dropped() {
        let problem = |sfen: &str| read(&format!("next\t1\t{sfen}\t7g7f\n")).expect("a problem").remove(0);
        let start = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
        let edge = "lnsgkgsnl/1r5b1/pppppppp1/8p/8P/9/PPPPPPPP1/1B5R1/LNSGKGSNL b - 5";
        let bare = "4k4/9/9/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
        for (near, kept) in [(NEAR, 2), (0, 3)] {
            let mut distinct = Distinct::new(near);
            [start, edge, edge, bare].into_iter().for_each(|sfen| distinct.add(problem(sfen)));
            assert_eq!(distinct.problems.len(), kept);
        }
    }
}
