//! Journals: files of JSON lines from which an interrupted job can be resumed. The first line describes the job, and
//! each further line is a piece of finished work.
//!
//! Each line is appended with a single write. An incomplete last line is dropped.

use super::atomic_file::{open_file, sync_directory_of};
use super::checksum;
use super::lock_file::{Locked, try_lock, warn};
use super::same_file::is_at;
use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Longest first line, in bytes.
const LONGEST_HEAD: u64 = 1 << 20;
/// Longest other line, in bytes.
const LONGEST_LINE: u64 = 1 << 24;
/// Number of attempts to open a file that is replaced in the meantime.
const ATTEMPTS: usize = 8;

/// Why a journal cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{}: {fault}", .path.display())]
pub struct JournalError {
    pub path: PathBuf,
    pub fault: JournalFault,
}

/// A problem with a journal.
#[derive(Debug, thiserror::Error)]
pub enum JournalFault {
    #[error(transparent)]
    System(#[from] io::Error),
    #[error("not a file")]
    NoFile,
    /// Another process is writing to the file. Contains the kind of job.
    #[error("another {0} is writing to it")]
    Busy(&'static str),
    /// The file is not a journal of this kind of job. Contains the kind of job.
    #[error("line 1: not a {0} file")]
    Foreign(&'static str),
    #[error("line {line}: {error}")]
    Damaged {
        /// The number of the line, from 1.
        line: usize,
        error: serde_json::Error,
    },
    #[error("a different job: {0}")]
    Other(String),
}

/// An open journal, locked against other writers.
pub struct Journal {
    file: File,
    path: PathBuf,
    /// Length of the complete lines in bytes.
    end: u64,
}

impl Journal {
    /// Opens or creates the journal of a job of this `kind` that `about` describes, and passes every piece of work in
    /// it to `old`, with its line number; `old` also decides how to handle damaged lines.
    ///
    /// A file that is not recognised as a journal of this job is never changed. An incomplete first line is accepted
    /// only if it is the beginning of the line that this job would write.
    ///
    /// # Errors
    /// The file cannot be used, another process is writing to it, it belongs to a different job, or `old` rejects a
    /// line.
    pub fn open<T: DeserializeOwned>(
        path: &Path,
        kind: &'static str,
        about: &Value,
        old: impl FnMut(usize, serde_json::Result<T>) -> serde_json::Result<()>,
    ) -> Result<Self, JournalError> {
        let open = || {
            let mut journal = Self { file: open_locked(path, kind)?, path: path.to_path_buf(), end: 0 };
            let head = line_of(&Map::from_iter([(kind.to_string(), about.clone())]))?;
            let mut reader = BufReader::new(&journal.file);
            let Some(found) = read_head(&mut reader, kind, Some(&head))? else {
                journal.file.set_len(0)?;
                journal.write(&head)?;
                // The name of a new file is part of its directory.
                sync_directory_of(path);
                return Ok(journal);
            };
            if found != *about {
                return Err(JournalFault::Other(difference(&found, about)));
            }
            let (end, tail) = read_work(&mut reader, old)?;
            journal.end = end;
            match tail {
                Tail::Nothing => {}
                Tail::Cut => journal.file.set_len(end)?,
                Tail::Unended => journal.write(b"\n")?,
            }
            Ok(journal)
        };
        open().map_err(|fault| JournalError { path: path.into(), fault })
    }

    /// Reads the journal of any job of a kind and passes the finished work to `old`, as [`Journal::open`] does. Returns
    /// the description of the job; `None` for an empty file.
    ///
    /// # Errors
    /// The file cannot be read, is not the journal of a job of this kind, or `old` rejects a line.
    pub fn read<T: DeserializeOwned>(
        path: &Path,
        kind: &'static str,
        old: impl FnMut(usize, serde_json::Result<T>) -> serde_json::Result<()>,
    ) -> Result<Option<Value>, JournalError> {
        let attempt = || {
            let mut reader = BufReader::new(open_file(path)?);
            let about = read_head(&mut reader, kind, None)?;
            if about.is_some() {
                read_work(&mut reader, old)?;
            }
            Ok(about)
        };
        attempt().map_err(|fault| JournalError { path: path.into(), fault })
    }

    /// Appends a piece of work.
    ///
    /// # Errors
    /// The piece cannot be written; the file then contains no part of it.
    pub fn append(&mut self, work: &impl Serialize) -> Result<(), JournalError> {
        let written = line_of(work).and_then(|line| self.write(&line));
        written.map_err(|error| JournalError { path: self.path.clone(), fault: error.into() })
    }

    fn write(&mut self, line: &[u8]) -> io::Result<()> {
        let written = self.file.write_all(line);
        match &written {
            Ok(()) => self.end += line.len() as u64,
            // If the disk is full, the beginning of the line may have been written.
            Err(_) => drop(self.file.set_len(self.end)),
        }
        written
    }
}

/// Opens or creates a file and locks it against other writers.
fn open_locked(path: &Path, kind: &'static str) -> Result<File, JournalFault> {
    for _ in 0..ATTEMPTS {
        if path.exists() && !path.is_file() {
            return Err(JournalFault::NoFile);
        }
        let file = OpenOptions::new().read(true).append(true).create(true).open(path)?;
        match try_lock(&file, path) {
            Locked::Yes => {}
            Locked::Busy => return Err(JournalFault::Busy(kind)),
            Locked::Unavailable => warn(path),
        }
        // The file may have been deleted or replaced before it was locked.
        if is_at(&file, path) {
            return Ok(file);
        }
    }
    Err(JournalFault::Busy(kind))
}

/// A value as a line of JSON.
fn line_of(value: &impl Serialize) -> io::Result<Vec<u8>> {
    let mut line = serde_json::to_vec(value)?;
    line.push(b'\n');
    Ok(line)
}

/// Reads the first line and returns its description of the job; `None` if the file is empty, or if it consists of an
/// incomplete line that is the beginning of `head`.
fn read_head(
    reader: &mut impl BufRead,
    kind: &'static str,
    head: Option<&[u8]>,
) -> Result<Option<Value>, JournalFault> {
    let mut bytes = Vec::new();
    reader.by_ref().take(LONGEST_HEAD).read_until(b'\n', &mut bytes)?;
    if bytes.is_empty() {
        return Ok(None);
    }
    if !bytes.ends_with(b"\n") {
        // A beginning that does not include the kind of job is not enough to recognise the file.
        let named = format!("{{\"{kind}\":");
        let cut = head.is_some_and(|head| head.starts_with(&bytes) && bytes.starts_with(named.as_bytes()));
        return if cut { Ok(None) } else { Err(JournalFault::Foreign(kind)) };
    }
    let mut first: Map<String, Value> =
        serde_json::from_slice(&bytes).map_err(|_| JournalFault::Foreign(kind))?;
    first.remove(kind).map(Some).ok_or(JournalFault::Foreign(kind))
}

/// The data after the last complete line.
enum Tail {
    Nothing,
    /// An incomplete line: its writer was killed, or the disk was full.
    Cut,
    /// A complete piece of work without a line terminator, as some editors leave it.
    Unended,
}

/// Reads the lines after the first and passes the work to `old`. Returns the number of bytes to keep, and the kind of
/// data after them.
fn read_work<T: DeserializeOwned>(
    reader: &mut (impl BufRead + Seek),
    mut old: impl FnMut(usize, serde_json::Result<T>) -> serde_json::Result<()>,
) -> Result<(u64, Tail), JournalFault> {
    let mut end = reader.stream_position()?;
    let mut bytes = Vec::new();
    for line in 2.. {
        bytes.clear();
        let read = reader.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut bytes)? as u64;
        if read == 0 {
            break;
        }
        let damaged = |error| JournalFault::Damaged { line, error };
        if !bytes.ends_with(b"\n") {
            if read == LONGEST_LINE {
                return Err(damaged(serde_json::Error::custom(format!("more than {LONGEST_LINE} bytes"))));
            }
            let whole = serde_json::from_slice(&bytes);
            if whole.is_ok_and(|value: Value| value.is_object() || value.is_array()) {
                old(line, serde_json::from_slice(&bytes)).map_err(damaged)?;
                return Ok((end + read, Tail::Unended));
            }
            // After a power failure, some systems leave zeros.
            if bytes.starts_with(b"{") || bytes.starts_with(b"[") || bytes.iter().all(|&byte| byte == 0) {
                return Ok((end, Tail::Cut));
            }
            return Err(damaged(serde_json::Error::custom(
                "neither a line of this job nor the beginning of one",
            )));
        }
        end += read;
        old(line, serde_json::from_slice(&bytes)).map_err(damaged)?;
    }
    Ok((end, Tail::Nothing))
}

/// The differences between two descriptions.
fn difference(found: &Value, wanted: &Value) -> String {
    let empty = Map::new();
    let [found, wanted] = [found, wanted].map(|value| value.as_object().unwrap_or(&empty));
    let keys = wanted.keys().chain(found.keys().filter(|&key| !wanted.contains_key(key)));
    let show = |value: Option<&Value>| value.map_or("unset".to_string(), Value::to_string);
    let changed = keys.filter(|&key| found.get(key) != wanted.get(key));
    let words: Vec<String> = changed
        .map(|key| format!("{key} was {}, not {}", show(found.get(key)), show(wanted.get(key))))
        .collect();
    words.join("; ")
}

/// A piece of work with the version of the program, the time, and a checksum.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Signed<T> {
    #[serde(flatten)]
    pub work: T,
    pub version: String,
    /// When the work was done, in seconds since 1970.
    pub at: u64,
    /// Checksum of the fields before it, 16 hexadecimal digits.
    pub sum: String,
}

impl<T: Serialize> Signed<T> {
    /// Signs a piece of work with the current time and the version of the program.
    pub fn new(work: T) -> Self {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let version = env!("CARGO_PKG_VERSION").to_string();
        let mut signed = Self { work, version, at: now.as_secs(), sum: String::new() };
        signed.sum = signed.right_sum();
        signed
    }

    /// Returns whether the checksum matches.
    pub fn is_intact(&self) -> bool {
        self.sum == self.right_sum()
    }

    fn right_sum(&self) -> String {
        // Cannot fail, because the values are plain JSON data.
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
        let fresh = |_: usize, _: serde_json::Result<Value>| panic!("a new file has no work");
        let mut journal = Journal::open(&path, "job", &about, fresh).expect("a new file");
        journal.append(&json!([0])).expect("enough disk space");
        assert!(pieces(&path, &about).is_err_and(|error| error.ends_with("another job is writing to it")));
        journal.append(&json!([1])).expect("enough disk space");
        drop(journal);
        let whole = std::fs::read(&path).expect("the file");
        // If the last line is cut off anywhere, it is dropped and the next one replaces it.
        for end in whole.len() - 4..whole.len() - 1 {
            std::fs::write(&path, &whole[..end]).expect("a writable file");
            assert_eq!(pieces(&path, &about), Ok(vec![json!([0])]), "{end}");
            let mut journal = Journal::open(&path, "job", &about, |_, _: serde_json::Result<Value>| Ok(()))
                .expect("the same job");
            journal.append(&json!([1])).expect("enough disk space");
            drop(journal);
            assert_eq!(std::fs::read(&path).ok(), Some(whole.clone()));
        }
        // A complete piece of work without a line end is kept, and the first line may be cut off as well.
        std::fs::write(&path, whole.trim_ascii_end()).expect("a writable file");
        assert_eq!(pieces(&path, &about), Ok(vec![json!([0]), json!([1])]));
        assert_eq!(std::fs::read(&path).ok(), Some(whole.clone()));
        let head = whole.iter().position(|&byte| byte == b'\n').expect("a line");
        for end in [0, 8, 20, head] {
            std::fs::write(&path, &whole[..end]).expect("a writable file");
            assert_eq!(pieces(&path, &about), Ok(vec![]));
            assert_eq!(std::fs::read(&path).ok().as_deref(), Some(&whole[..=head]));
        }
        std::fs::write(&path, &whole).expect("a writable file");
        let other = json!({ "seed": 2, "game": "shogi" });
        assert!(
            pieces(&path, &other).is_err_and(|error| error.ends_with("a different job: seed was 1, not 2"))
        );
        std::fs::write(&path, [&whole[..], b"{\n"].concat()).expect("a writable file");
        assert!(pieces(&path, &about).is_err_and(|error| error.contains("line 4: ")));
        std::fs::write(&path, "{\"pair\":1}\n").expect("a writable file");
        assert!(pieces(&path, &about).is_err_and(|error| error.ends_with("line 1: not a job file")));
    }

    #[test]
    fn files_of_others_stay() {
        let dir = Scratch::new();
        let path = dir.0.join("job.jsonl");
        let about = json!({ "seed": 1, "game": "shogi" });
        let long = "x".repeat(3 << 20);
        for content in [
            "precious",
            "precious\nlines",
            "\n",
            "{",
            "{\"job\"",
            "{\"job\":{\"seed\":2",
            "{\"job\":{\"seed\":1,\"game\":\"shogi\"}} ",
            "{\"job\":{\"seed\":1,\"game\":\"shogi\"}}\nnotes",
            "{\"job\":{\"seed\":1,\"game\":\"shogi\"}}\n[1]\nnotes\n",
            "{\"pair\":1}",
            &long,
        ] {
            std::fs::write(&path, content).expect("a writable directory");
            assert!(pieces(&path, &about).is_err(), "{content:.60}");
            assert_eq!(std::fs::read_to_string(&path).ok().as_deref(), Some(content));
        }
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
