//! The file of a match: a line that describes the match, then one line per game.

use super::record::Record;
use sanban_system::{Journal, JournalError};
use serde_json::Value;
use std::path::Path;

const KIND: &str = "match";

pub struct Ledger(Journal);

impl Ledger {
    /// Opens or creates the file of the match that `about` describes, and calls `old` with every game in it.
    pub fn open(path: &Path, about: &Value, mut old: impl FnMut(Record)) -> Result<Self, JournalError> {
        Journal::open(path, KIND, about, |_, game| game.map(&mut old)).map(Self)
    }

    /// Reads the file of any match and calls `old` with every game in it. Returns the description of the match, or
    /// `None` if the file is empty.
    pub fn read(path: &Path, mut old: impl FnMut(Record)) -> Result<Option<Value>, JournalError> {
        Journal::read(path, KIND, |_, game| game.map(&mut old))
    }

    pub fn append(&mut self, record: &Record) -> Result<(), JournalError> {
        self.0.append(record)
    }
}
