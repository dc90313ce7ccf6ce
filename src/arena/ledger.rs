//! The file of a match: a line that says what is played, then a line a game.
//!
//! Lines are appended, each with one write. A last line without its end was cut off, and is dropped.

use super::record::Record;
use crate::base::open_file;
use serde::Deserialize;
use serde_json::{Value, json};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{BufRead, BufReader, Seek, Write};
use std::path::{Path, PathBuf};

/// Why the file of a match cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{}: {fault}", .path.display())]
pub struct LedgerError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub fault: LedgerFault,
}

/// What is wrong with the file of a match.
#[derive(Debug, thiserror::Error)]
pub enum LedgerFault {
    /// The system says so.
    #[error(transparent)]
    System(#[from] std::io::Error),
    /// It is a directory or a device.
    #[error("not a file")]
    NoFile,
    /// Two matches may not write to it.
    #[error("another match writes to it")]
    Busy,
    /// It begins with something else.
    #[error("line 1: not the file of a match")]
    NoMatch,
    /// A line is damaged.
    #[error("line {line}: {error}")]
    Damaged {
        /// Its number, from 1.
        line: usize,
        /// What was expected.
        error: serde_json::Error,
    },
    /// It is the file of another match.
    #[error("made otherwise: {0}")]
    Other(String),
}

/// The open file of a match.
pub struct Ledger {
    file: File,
    path: PathBuf,
}

impl Ledger {
    /// Opens or begins the file of a match that `about` describes, and passes on the games that are in it.
    ///
    /// # Errors
    /// When the file cannot be used, another process writes to it, it is of another match, or a line of it is damaged.
    pub fn open(path: &Path, about: &Value, old: impl FnMut(Record)) -> Result<Self, LedgerError> {
        Self::open_file(path, about, old).map_err(|fault| LedgerError { path: path.into(), fault })
    }

    fn open_file(path: &Path, about: &Value, old: impl FnMut(Record)) -> Result<Self, LedgerFault> {
        if path.exists() && !path.is_file() {
            return Err(LedgerFault::NoFile);
        }
        let file = OpenOptions::new().read(true).append(true).create(true).open(path)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(LedgerFault::Busy),
            Err(TryLockError::Error(error)) => return Err(error.into()),
        }
        let (found, end) = read_lines(&file, old)?;
        let mut ledger = Self { file, path: path.to_path_buf() };
        match found {
            Some(found) if found != *about => return Err(LedgerFault::Other(difference(&found, about))),
            // What was cut off is dropped.
            Some(_) => ledger.file.set_len(end)?,
            None => {
                ledger.file.set_len(0)?;
                ledger.write(&json!({ "match": about }))?;
            }
        }
        Ok(ledger)
    }

    /// Reads the file of a match, whatever it is, and passes on its games: what the match is; `None` for an empty file.
    ///
    /// # Errors
    /// When the file cannot be read, is something else, or a line of it is damaged.
    pub fn read(path: &Path, old: impl FnMut(Record)) -> Result<Option<Value>, LedgerError> {
        let attempt = || Ok(read_lines(&open_file(path)?, old)?.0);
        attempt().map_err(|fault| LedgerError { path: path.into(), fault })
    }

    /// Appends a game.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn append(&mut self, record: &Record) -> Result<(), LedgerError> {
        self.write(record).map_err(|error| LedgerError { path: self.path.clone(), fault: error.into() })
    }

    fn write(&mut self, value: &impl serde::Serialize) -> std::io::Result<()> {
        let mut line = serde_json::to_vec(value)?;
        line.push(b'\n');
        self.file.write_all(&line)
    }
}

/// Reads complete lines from the beginning and passes on the games: what the first line says is played, if there is one,
/// and the number of bytes.
fn read_lines(file: &File, mut old: impl FnMut(Record)) -> Result<(Option<Value>, u64), LedgerFault> {
    #[derive(Deserialize)]
    struct First {
        #[serde(rename = "match")]
        about: Value,
    }
    let mut reader = BufReader::new(file);
    reader.rewind()?;
    let (mut bytes, mut about, mut end) = (Vec::new(), None, 0);
    for line in 1.. {
        bytes.clear();
        let read = reader.read_until(b'\n', &mut bytes)?;
        if !bytes.ends_with(b"\n") {
            break;
        }
        end += read as u64;
        if line == 1 {
            let first: First = serde_json::from_slice(&bytes).map_err(|_| LedgerFault::NoMatch)?;
            about = Some(first.about);
        } else {
            old(serde_json::from_slice(&bytes).map_err(|error| LedgerFault::Damaged { line, error })?);
        }
    }
    Ok((about, end))
}

/// What is different between two descriptions.
fn difference(found: &Value, wanted: &Value) -> String {
    let empty = serde_json::Map::new();
    let [found, wanted] = [found, wanted].map(|value| value.as_object().unwrap_or(&empty));
    let keys = wanted.keys().chain(found.keys().filter(|&key| !wanted.contains_key(key)));
    let show = |value: Option<&Value>| value.map_or("nothing".to_string(), Value::to_string);
    let changed = keys.filter(|&key| found.get(key) != wanted.get(key));
    let words: Vec<String> = changed
        .map(|key| format!("{key} was {}, not {}", show(found.get(key)), show(wanted.get(key))))
        .collect();
    words.join("; ")
}

#[cfg(test)]
mod tests {
    use super::super::record::{Outcome, Player, Reason};
    use super::*;

    fn record(pair: u64) -> Record {
        Record {
            pair,
            black: Player::A,
            result: Outcome::Draw,
            reason: Reason::Rule,
            detail: None,
            opening: "startpos".into(),
            moves: vec!["7g7f".into()],
            nodes: [1, 2],
            time: [3, 4],
        }
    }

    fn games(path: &Path, about: &Value) -> Result<Vec<u64>, String> {
        let mut pairs = vec![];
        let opened = Ledger::open(path, about, |record| pairs.push(record.pair));
        opened.map(|_| pairs).map_err(|error| error.to_string())
    }

    #[test]
    fn a_match_goes_on_where_it_was_cut_off() {
        let path = std::env::temp_dir().join(format!("sanban-ledger-{}.jsonl", std::process::id()));
        let about = json!({ "seed": 1, "game": "shogi" });
        let mut ledger = Ledger::open(&path, &about, |_| panic!("nothing there")).expect("a new file");
        ledger.append(&record(0)).expect("room");
        assert!(games(&path, &about).is_err_and(|error| error.contains("another match writes")));
        ledger.append(&record(1)).expect("room");
        drop(ledger);
        let whole = std::fs::read(&path).expect("the file");
        // Cut anywhere inside of the last line, that one is dropped and the next begins where it began.
        let second = whole[..whole.len() - 1].iter().rposition(|&b| b == b'\n').expect("three lines") + 1;
        for end in [second, second + 1, whole.len() - 1] {
            std::fs::write(&path, &whole[..end]).expect("the file is ours");
            assert_eq!(games(&path, &about), Ok(vec![0]), "{end}");
            let mut ledger = Ledger::open(&path, &about, |_| ()).expect("the same match");
            ledger.append(&record(1)).expect("room");
            drop(ledger);
            assert_eq!(std::fs::read(&path).ok(), Some(whole.clone()));
        }
        let other = json!({ "seed": 2, "game": "shogi" });
        assert!(
            games(&path, &other).is_err_and(|error| error.ends_with("made otherwise: seed was 1, not 2"))
        );
        let damaged = [&whole[..second], b"{}\n", &whole[second..]].concat();
        std::fs::write(&path, damaged).expect("the file is ours");
        assert!(games(&path, &about).is_err_and(|error| error.contains("line 3: ")));
        std::fs::write(&path, "{\"pair\":1}\n").expect("the file is ours");
        assert!(games(&path, &about).is_err_and(|error| error.contains("line 1: ")));
        std::fs::remove_file(&path).expect("the file is ours");
    }
}
