//! The file of a match: a line that says what is played, then a line a game.
//!
//! Lines are appended, each with one write. A last line without its end was cut off, and is dropped.

use super::record::Record;
use serde_json::{Value, json};
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Seek, Write};
use std::path::{Path, PathBuf};

/// The open file of a match.
pub struct Ledger {
    file: File,
    path: PathBuf,
}

impl Ledger {
    /// Opens or begins the file of a match that `about` describes, and passes on the games that are in it.
    ///
    /// # Errors
    /// A sentence, when the file cannot be used, another process writes to it, it is of another match, or a line of it is
    /// damaged.
    pub fn open(path: &Path, about: &Value, old: impl FnMut(Record)) -> Result<Self, String> {
        Self::open_file(path, about, old).map_err(|error| format!("{}: {error}", path.display()))
    }

    fn open_file(path: &Path, about: &Value, mut old: impl FnMut(Record)) -> Result<Self, String> {
        let text = |error: std::io::Error| error.to_string();
        if path.exists() && !path.is_file() {
            return Err("not a file".into());
        }
        let file = OpenOptions::new().read(true).append(true).create(true).open(path).map_err(text)?;
        file.try_lock().map_err(|_| "another match writes to it")?;
        let mut ledger = Self { file, path: path.to_path_buf() };
        let mut reader = BufReader::new(&ledger.file);
        reader.rewind().map_err(text)?;
        let (mut line, mut number, mut end) = (Vec::new(), 0, 0);
        loop {
            line.clear();
            let read = reader.read_until(b'\n', &mut line).map_err(text)?;
            if !line.ends_with(b"\n") {
                break;
            }
            number += 1;
            end += read as u64;
            let value: Value =
                serde_json::from_slice(&line).map_err(|error| format!("line {number}: {error}"))?;
            match (number, value.get("match")) {
                (1, Some(found)) if found == about => {}
                (1, Some(found)) => return Err(format!("made otherwise: {}", difference(found, about))),
                (1, None) => return Err("line 1: not the file of a match".into()),
                _ => old(serde_json::from_value(value).map_err(|error| format!("line {number}: {error}"))?),
            }
        }
        ledger.file.set_len(end).map_err(text)?;
        if number == 0 {
            ledger.write(&json!({ "match": about })).map_err(text)?;
        }
        Ok(ledger)
    }

    /// Appends a game.
    ///
    /// # Errors
    /// A sentence, when it cannot be written.
    pub fn append(&mut self, record: &Record) -> Result<(), String> {
        self.write(record).map_err(|error| format!("{}: {error}", self.path.display()))
    }

    fn write(&mut self, value: &impl serde::Serialize) -> std::io::Result<()> {
        let mut line = serde_json::to_vec(value)?;
        line.push(b'\n');
        self.file.write_all(&line)
    }
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
        Ledger::open(path, about, |record| pairs.push(record.pair)).map(|_| pairs)
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
