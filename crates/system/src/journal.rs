//! Files of JSON lines that a job goes on with where it was stopped: a first line about the job, then a line a piece of
//! work.
//!
//! Lines are appended, each with one write. A last line without its end was cut off, and is dropped.

use super::atomic_file::open_file;
use super::checksum;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, Seek, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Why the file of a job cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{}: {fault}", .path.display())]
pub struct JournalError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub fault: JournalFault,
}

impl JournalError {
    /// Is it only that another process is at work in the file?
    pub fn is_busy(&self) -> bool {
        matches!(self.fault, JournalFault::Busy(_))
    }
}

/// What is wrong with the file of a job.
#[derive(Debug, thiserror::Error)]
pub enum JournalFault {
    /// The system says so.
    #[error(transparent)]
    System(#[from] io::Error),
    /// It is a directory or a device.
    #[error("not a file")]
    NoFile,
    /// Two processes may not write to it. The kind of job.
    #[error("another {0} writes to it")]
    Busy(&'static str),
    /// It begins with something else. The kind of job.
    #[error("line 1: not the file of a {0}")]
    Foreign(&'static str),
    /// A line is damaged.
    #[error("line {line}: {error}")]
    Damaged {
        /// Its number, from 1.
        line: usize,
        /// What was expected.
        error: serde_json::Error,
    },
    /// It is the file of another job.
    #[error("made otherwise: {0}")]
    Other(String),
}

/// The open file of a job, which this process alone writes to.
pub struct Journal {
    file: File,
    path: PathBuf,
}

impl Journal {
    /// Opens or begins the file of the job of a `kind` that `about` describes, and passes on the pieces of work in it, each
    /// with the number of its line; what `old` says of a damaged one decides.
    ///
    /// # Errors
    /// When the file cannot be used, another process writes to it, it is of another job, or `old` refuses a line.
    pub fn open<T: DeserializeOwned>(
        path: &Path,
        kind: &'static str,
        about: &Value,
        old: impl FnMut(usize, serde_json::Result<T>) -> serde_json::Result<()>,
    ) -> Result<Self, JournalError> {
        let open = || {
            if path.exists() && !path.is_file() {
                return Err(JournalFault::NoFile);
            }
            let file = OpenOptions::new().read(true).append(true).create(true).open(path)?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Err(JournalFault::Busy(kind)),
                Err(TryLockError::Error(error)) => return Err(error.into()),
            }
            let (found, end) = read_lines(&file, kind, old)?;
            let mut journal = Self { file, path: path.to_path_buf() };
            match found {
                Some(found) if found != *about => return Err(JournalFault::Other(difference(&found, about))),
                // What was cut off is dropped.
                Some(_) => journal.file.set_len(end)?,
                None => {
                    journal.file.set_len(0)?;
                    journal.write(&Map::from_iter([(kind.to_string(), about.clone())]))?;
                }
            }
            Ok(journal)
        };
        open().map_err(|fault| JournalError { path: path.into(), fault })
    }

    /// Reads the file of a job of a kind, whatever the job, and passes on what was done, as [`Journal::open`] does: what the
    /// job is; `None` for an empty file.
    ///
    /// # Errors
    /// When the file cannot be read, is something else, or `old` refuses a line.
    pub fn read<T: DeserializeOwned>(
        path: &Path,
        kind: &'static str,
        old: impl FnMut(usize, serde_json::Result<T>) -> serde_json::Result<()>,
    ) -> Result<Option<Value>, JournalError> {
        let attempt = || Ok(read_lines(&open_file(path)?, kind, old)?.0);
        attempt().map_err(|fault| JournalError { path: path.into(), fault })
    }

    /// Appends a piece of work.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn append(&mut self, work: &impl Serialize) -> Result<(), JournalError> {
        self.write(work).map_err(|error| JournalError { path: self.path.clone(), fault: error.into() })
    }

    fn write(&mut self, value: &impl Serialize) -> io::Result<()> {
        let mut line = serde_json::to_vec(value)?;
        line.push(b'\n');
        self.file.write_all(&line)
    }
}

/// Reads complete lines from the beginning and passes on the work: what the first line says of the job, if there is one,
/// and the number of bytes.
fn read_lines<T: DeserializeOwned>(
    file: &File,
    kind: &'static str,
    mut old: impl FnMut(usize, serde_json::Result<T>) -> serde_json::Result<()>,
) -> Result<(Option<Value>, u64), JournalFault> {
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
            let mut first: Map<String, Value> =
                serde_json::from_slice(&bytes).map_err(|_| JournalFault::Foreign(kind))?;
            about = Some(first.remove(kind).ok_or(JournalFault::Foreign(kind))?);
        } else {
            old(line, serde_json::from_slice(&bytes))
                .map_err(|error| JournalFault::Damaged { line, error })?;
        }
    }
    Ok((about, end))
}

/// What is different between two descriptions.
fn difference(found: &Value, wanted: &Value) -> String {
    let empty = Map::new();
    let [found, wanted] = [found, wanted].map(|value| value.as_object().unwrap_or(&empty));
    let keys = wanted.keys().chain(found.keys().filter(|&key| !wanted.contains_key(key)));
    let show = |value: Option<&Value>| value.map_or("nothing".to_string(), Value::to_string);
    let changed = keys.filter(|&key| found.get(key) != wanted.get(key));
    let words: Vec<String> = changed
        .map(|key| format!("{key} was {}, not {}", show(found.get(key)), show(wanted.get(key))))
        .collect();
    words.join("; ")
}

/// A piece of work with the program that did it, the time, and a checksum over all.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Signed<T> {
    /// The work.
    #[serde(flatten)]
    pub work: T,
    /// Version of the program.
    pub version: String,
    /// When it was done, in seconds since 1970.
    pub at: u64,
    /// Of what stands before it, 16 hexadecimal digits.
    pub sum: String,
}

impl<T: Serialize> Signed<T> {
    /// Signs a piece of work that is done now by this version.
    pub fn new(work: T) -> Self {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let version = env!("CARGO_PKG_VERSION").to_string();
        let mut signed = Self { work, version, at: now.as_secs(), sum: String::new() };
        signed.sum = signed.right_sum();
        signed
    }

    /// Is it what was signed?
    pub fn is_intact(&self) -> bool {
        self.sum == self.right_sum()
    }

    fn right_sum(&self) -> String {
        // What was read from JSON can be written as JSON.
        let text = serde_json::to_vec(&(&self.work, &self.version, self.at)).unwrap_or_default();
        format!("{:016x}", checksum(&text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch::Scratch;
    use serde_json::json;

    fn pieces(path: &Path, about: &Value) -> Result<Vec<Value>, String> {
        let mut found = vec![];
        let opened = Journal::open(path, "job", about, |_, piece| {
            found.push(piece?);
            Ok(())
        });
        opened.map(|_| found).map_err(|error| error.to_string())
    }

    #[test]
    fn a_job_goes_on_where_it_was_cut_off() {
        let dir = Scratch::new();
        let path = dir.0.join("job.jsonl");
        let about = json!({ "seed": 1, "game": "shogi" });
        let fresh = |_: usize, _: serde_json::Result<Value>| panic!("nothing there");
        let mut journal = Journal::open(&path, "job", &about, fresh).expect("a new file");
        journal.append(&json!([0])).expect("room");
        assert!(pieces(&path, &about).is_err_and(|error| error.ends_with("another job writes to it")));
        journal.append(&json!([1])).expect("room");
        drop(journal);
        let whole = std::fs::read(&path).expect("the file");
        // Cut anywhere inside of the last line, that one is dropped and the next begins where it began.
        for end in whole.len() - 4..whole.len() {
            std::fs::write(&path, &whole[..end]).expect("the file is ours");
            assert_eq!(pieces(&path, &about), Ok(vec![json!([0])]), "{end}");
            let mut journal = Journal::open(&path, "job", &about, |_, _: serde_json::Result<Value>| Ok(()))
                .expect("the same job");
            journal.append(&json!([1])).expect("room");
            drop(journal);
            assert_eq!(std::fs::read(&path).ok(), Some(whole.clone()));
        }
        let other = json!({ "seed": 2, "game": "shogi" });
        assert!(
            pieces(&path, &other).is_err_and(|error| error.ends_with("made otherwise: seed was 1, not 2"))
        );
        std::fs::write(&path, [&whole[..], b"{\n"].concat()).expect("the file is ours");
        assert!(pieces(&path, &about).is_err_and(|error| error.contains("line 4: ")));
        std::fs::write(&path, "{\"pair\":1}\n").expect("the file is ours");
        assert!(pieces(&path, &about).is_err_and(|error| error.ends_with("line 1: not the file of a job")));
    }

    #[test]
    fn what_was_changed_after_it_was_signed_shows() {
        #[derive(Clone, Serialize, Deserialize)]
        struct Work {
            unit: u64,
            nodes: u64,
        }
        let signed = Signed::new(Work { unit: 3, nodes: u64::MAX });
        let text = serde_json::to_string(&signed).expect("JSON");
        assert!(text.starts_with(r#"{"unit":3,"nodes":18446744073709551615,"version":"#), "{text}");
        let read = |text: &str| serde_json::from_str::<Signed<Work>>(text).expect("JSON");
        assert!(read(&text).is_intact());
        assert!(!read(&text.replace("\"unit\":3", "\"unit\":4")).is_intact());
        assert!(!read(&text.replace("\"at\":1", "\"at\":2")).is_intact());
    }
}
