//! Reads and writes problems as lines of text.

use super::{Problem, Task};
use sanban_rules::SfenError;
use sanban_rules::shogi::Position;
use thiserror::Error;

/// The embedded problems, from games of the engine and of people.
const EMBEDDED: &str = include_str!("problems.tsv");

/// Why problems cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {problem}")]
pub struct ProblemError {
    /// The line number, from 1.
    pub line: usize,
    /// The error in this line.
    pub problem: RowError,
}

/// Why a row is not a valid problem.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum RowError {
    /// Too few or too many columns.
    #[error("expected 4 columns separated by tabs, found {0}")]
    Columns(usize),
    /// The first column is not a task.
    #[error("expected mate or next")]
    Task,
    /// The second column is not a number.
    #[error("expected a grade")]
    Grade,
    /// The position cannot be read.
    #[error(transparent)]
    Position(#[from] SfenError),
    /// A move of the solution is illegal.
    #[error("{0} is not legal")]
    Illegal(String),
    /// The problem has no solution.
    #[error("the problem has no solution")]
    Unsolved,
}

/// The embedded problems: mates and next-move problems, each from easy to hard.
#[must_use]
pub fn embedded() -> Vec<Problem> {
    read(EMBEDDED).unwrap_or_default()
}

/// Parses problems, one per line. Empty lines and lines that begin with `#` are skipped.
///
/// # Errors
/// A line cannot be parsed or has an illegal move; the error describes the first such line.
pub fn read(text: &str) -> Result<Vec<Problem>, ProblemError> {
    let rows = text.lines().enumerate().filter(|(_, row)| !row.trim().is_empty() && !row.starts_with('#'));
    rows.map(|(number, row)| problem(row).map_err(|problem| ProblemError { line: number + 1, problem }))
        .collect()
}

fn problem(row: &str) -> Result<Problem, RowError> {
    let columns: Vec<&str> = row.split('\t').collect();
    let [task, grade, sfen, moves] = columns[..] else {
        return Err(RowError::Columns(columns.len()));
    };
    let task = Task::ALL.into_iter().find(|known| known.word() == task);
    let task = task.ok_or(RowError::Task)?;
    let grade = grade.parse().map_err(|_| RowError::Grade)?;
    let mut pos = Position::from_sfen(sfen)?;
    let mut line = Vec::new();
    for text in moves.split_whitespace() {
        let mv = pos.parse_usi(text).ok_or_else(|| RowError::Illegal(text.into()))?;
        pos.make(mv, &mut ());
        line.push(mv);
    }
    if line.is_empty() {
        return Err(RowError::Unsolved);
    }
    Ok(Problem { task, grade, sfen: sfen.into(), line })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problems::{Distinct, NEAR};

    #[test]
    fn problems_come_back() {
        let text = "# a comment\n\nmate\t1\t8k/9/8P/9/9/9/9/9/K8 b G 1\tG*1b\n";
        let problems = read(text).expect("a problem");
        assert_eq!(problems.len(), 1);
        assert_eq!(format!("# a comment\n\n{}\n", problems[0]), text);
    }

    #[test]
    fn mistakes_are_reported_with_their_line() {
        let good = "mate\t1\t8k/9/8P/9/9/9/9/9/K8 b G 1\tG*1b";
        for bad in [
            good.replace("mate", "draw"),
            good.replace("\t1\t", "\tone\t"),
            good.replace("8k", "8x"),
            good.replace("G*1b", "G*1a"),
            good.replace("G*1b", ""),
            good.replace('\t', " "),
        ] {
            let error = read(&format!("{good}\n{bad}\n")).expect_err("a mistake");
            assert_eq!(error.line, 2, "{bad}: {error}");
        }
    }

    #[test]
    fn the_embedded_problems_are_many_small_and_graded() {
        let problems = read(EMBEDDED).expect("the problems");
        assert!(EMBEDDED.len() <= 200_000);
        let of = |task| problems.iter().filter(move |problem| problem.task == task);
        assert!(of(Task::Mate).count() >= 145 && of(Task::Next).count() >= 90);
        let mut distinct = Distinct::new(NEAR);
        problems.iter().cloned().for_each(|problem| distinct.add(problem));
        assert_eq!(distinct.problems.len(), problems.len(), "near copies");
        assert!((1..=5).all(|grade| of(Task::Mate).any(|problem| problem.grade == grade)));
        for problem in of(Task::Mate) {
            assert_eq!(problem.line.len().div_ceil(2) as u32, problem.grade);
        }
    }
}
