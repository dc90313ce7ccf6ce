//! What is wrong with a record.

use sanban_rules::SfenError;

/// Why text is not read as a record, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {problem}")]
pub struct RecordError {
    /// The line, from 1.
    pub line: usize,
    /// The character in the line, from 1.
    pub column: usize,
    /// What was expected and found.
    pub problem: String,
}

/// Why a record is not written in a format.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WriteError {
    /// The format is made for another game.
    #[error("{format} is no format for {game}")]
    Game {
        /// The format's name.
        format: &'static str,
        /// The game of the record.
        game: &'static str,
    },
    /// The start position cannot be read.
    #[error("the start position: {0}")]
    Start(String),
    /// A move cannot be made on the board.
    #[error("move {number}: {problem}")]
    Move {
        /// The number of the move, from 1.
        number: usize,
        /// Why not.
        problem: String,
    },
}

impl From<SfenError> for WriteError {
    fn from(error: SfenError) -> Self {
        Self::Start(error.to_string())
    }
}

/// One line of a text, with its number.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line<'a> {
    /// From 1.
    pub number: usize,
    /// Without its end.
    pub text: &'a str,
}

impl Line<'_> {
    /// An error at the byte offset `at` of the line.
    pub fn error(&self, at: usize, problem: impl Into<String>) -> RecordError {
        let before = self.text.get(..at).unwrap_or(self.text);
        RecordError { line: self.number, column: before.chars().count() + 1, problem: problem.into() }
    }

    /// An error where `rest`, a part of this line, begins.
    pub fn error_at(&self, rest: &str, problem: impl Into<String>) -> RecordError {
        let offset = (rest.as_ptr() as usize).checked_sub(self.text.as_ptr() as usize);
        self.error(offset.filter(|&at| at <= self.text.len()).unwrap_or(0), problem)
    }
}

/// The lines of a text, whatever ends them.
pub(super) fn lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    text.split('\n')
        .enumerate()
        .map(|(index, text)| Line { number: index + 1, text: text.strip_suffix('\r').unwrap_or(text) })
}

/// At most 30 characters of somebody's text, to be shown in an error.
pub(super) fn clip(text: &str) -> String {
    let text = text.trim();
    let mut out: String = text.chars().take(30).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if text.chars().nth(30).is_some() {
        out.push('…');
    }
    out
}
