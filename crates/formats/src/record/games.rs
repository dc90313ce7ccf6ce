//! Texts with several games, which are read line by line.

use super::error::RecordError;
use super::source::{Line, Source};
use super::tree::Record;

/// The state of a reader within one game.
pub(super) trait ReadLine: Default {
    /// Has any part of a game been read?
    fn begun(&self) -> bool;
    /// Why the game is rejected.
    fn failed(&mut self) -> &mut Option<RecordError>;
    fn line(&mut self, line: &Line<'_>, source: &mut Source<'_>) -> Result<(), RecordError>;
    /// The record, or the reason of its rejection. `line` is the first one after the game.
    fn finish(self, line: &Line<'_>, source: &mut Source<'_>) -> Result<Record, RecordError>;
}

/// The games of a text so far.
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

    /// Another game begins at this line.
    pub fn split(&mut self, line: &Line<'_>, source: &mut Source<'_>) {
        if self.game.begun() || self.game.failed().is_some() {
            self.finished.push(std::mem::take(&mut self.game).finish(line, source));
        }
    }

    /// All games, at the end of the text; a text without any is one rejected game.
    pub fn finish(mut self, source: &mut Source<'_>) -> Vec<Result<Record, RecordError>> {
        let end = source.end();
        self.split(&end, source);
        if self.finished.is_empty() {
            self.finished.push(self.game.finish(&end, source));
        }
        self.finished
    }
}
