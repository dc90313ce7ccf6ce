//! Reads input with several games line by line.

use super::error::RecordError;
use super::source::{Line, Source};
use super::tree::Record;

/// The state of a reader within one game.
pub(super) trait ReadLine: Default {
    /// Returns whether any part of a game has been read.
    fn begun(&self) -> bool;
    /// The error for which the game is rejected, if any.
    fn failed(&mut self) -> &mut Option<RecordError>;
    fn line(&mut self, line: &Line<'_>, source: &mut Source<'_>) -> Result<(), RecordError>;
    /// Returns the record, or the reason why it is rejected. `line` is the first line after the game.
    fn finish(self, line: &Line<'_>, source: &mut Source<'_>) -> Result<Record, RecordError>;
}

/// The games that have been read so far.
#[derive(Default)]
pub(super) struct Games<G> {
    finished: Vec<Result<Record, RecordError>>,
    pub game: G,
}

impl<G: ReadLine> Games<G> {
    /// Reads a line of the current game. The rest of a rejected game is skipped.
    pub fn line(&mut self, line: &Line<'_>, source: &mut Source<'_>) {
        if self.game.failed().is_some() {
            source.claim(line.text);
        } else {
            *self.game.failed() = self.game.line(line, source).err();
        }
    }

    /// Finishes the current game, if any, since another game begins at this line.
    pub fn split(&mut self, line: &Line<'_>, source: &mut Source<'_>) {
        if self.game.begun() || self.game.failed().is_some() {
            self.finished.push(std::mem::take(&mut self.game).finish(line, source));
        }
    }

    /// Returns all games at the end of the text. If there are no games, the result is one rejected game.
    pub fn finish(mut self, source: &mut Source<'_>) -> Vec<Result<Record, RecordError>> {
        let end = source.end();
        self.split(&end, source);
        if self.finished.is_empty() {
            self.finished.push(self.game.finish(&end, source));
        }
        self.finished
    }
}
