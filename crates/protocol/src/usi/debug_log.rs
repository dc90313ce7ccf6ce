//! The log of a session: `WriteDebugLog` writes it to a file, and `RUST_LOG` shows it on standard error.
//!
//! A GUI sets the option after the first lines of the dialogue, so these are kept until `isready`.

use super::command::clip;
use super::output::lock;
use log::{LevelFilter, Log, Metadata, Record};
use once_cell::sync::OnceCell;
use sanban_system::FileError;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::sync::Mutex;
use std::time::Instant;

/// Maximum size of the early lines that are kept, in bytes.
const EARLY: usize = 1 << 20;

struct Sink {
    file: Option<File>,
    /// The lines logged so far, while the option may still be set; `None` after that.
    early: Option<Vec<u8>>,
}

static SINK: Mutex<Sink> = Mutex::new(Sink { file: None, early: None });
static LOGGER: OnceCell<Logger> = OnceCell::new();

struct Logger {
    start: Instant,
    /// The logger for the lines that `RUST_LOG` selects, if it is set.
    shown: Option<env_logger::Logger>,
}

impl Log for Logger {
    fn enabled(&self, _: &Metadata) -> bool {
        true
    }

    fn log(&self, record: &Record) {
        if let Some(shown) = self.shown.as_ref().filter(|shown| shown.matches(record)) {
            shown.log(record);
        }
        let mut sink = lock(&SINK);
        if sink.file.is_none() && sink.early.is_none() || record.level() > LevelFilter::Debug {
            return;
        }
        let (time, id) = (self.start.elapsed().as_secs_f64(), std::process::id());
        let line = format!("{time:.3} {id} {}\n", record.args());
        if let Some(file) = &mut sink.file {
            // A full disk must not end the session.
            let _ = file.write_all(line.as_bytes());
        } else if let Some(early) = &mut sink.early
            && early.len() + line.len() <= EARLY
        {
            early.extend_from_slice(line.as_bytes());
        }
    }

    fn flush(&self) {}
}

/// Starts keeping the early lines of a session.
pub fn begin() {
    lock(&SINK).early = Some(Vec::new());
    install();
}

/// Called after the options are set. Without a log file, the early lines are dropped.
pub fn settle() {
    let mut sink = lock(&SINK);
    if sink.early.take().is_some() {
        log::set_max_level(level(&sink));
    }
}

/// Appends to this file from now on, early lines first; an empty name closes the current file. The error is the reason
/// why the file cannot be used.
pub fn write_to(path: &str) -> Result<(), FileError> {
    let open = || match path {
        "" => Ok(None),
        // Checked first, because opening a pipe can block forever.
        _ if fs::metadata(path).is_ok_and(|about| !about.is_file()) => Err(io::Error::other("not a file")),
        _ => OpenOptions::new().create(true).append(true).open(path).map(Some),
    };
    let file_error = |source| FileError { path: clip(path).into(), source };
    if !path.is_empty() && fs::metadata(path).is_ok_and(|about| about.is_file()) {
        check(path).map_err(file_error)?;
    }
    let mut file = open().map_err(file_error)?;
    install();
    let mut sink = lock(&SINK);
    if let Some(file) = &mut file {
        let early = sink.early.take().unwrap_or_default();
        file.write_all(&early).map_err(file_error)?;
    }
    sink.file = file;
    log::set_max_level(level(&sink));
    Ok(())
}

/// Checks that an existing file is empty or a log, which begins with a time and a process ID and ends with a complete
/// line.
fn check(path: &str) -> io::Result<()> {
    let mut file = File::open(path)?;
    let mut start = Vec::new();
    (&mut file).take(64).read_to_end(&mut start)?;
    if start.is_empty() {
        return Ok(());
    }
    let start = String::from_utf8_lossy(&start);
    let mut words = start.split(' ');
    let mut word = || words.next().unwrap_or_default();
    let is_log = word().parse::<f64>().is_ok() && word().parse::<u32>().is_ok();
    let mut last = [0];
    file.seek(SeekFrom::End(-1))?;
    file.read_exact(&mut last)?;
    if is_log && last == *b"\n" { Ok(()) } else { Err(io::Error::other("not a log; left unchanged")) }
}

/// Returns the level that the log file and `RUST_LOG` need.
fn level(sink: &Sink) -> LevelFilter {
    let shown = LOGGER.get().and_then(|logger| logger.shown.as_ref());
    let shown = shown.map_or(LevelFilter::Off, env_logger::Logger::filter);
    if sink.file.is_some() || sink.early.is_some() { shown.max(LevelFilter::Debug) } else { shown }
}

/// Installs the logger once. If a program that embeds the engine has its own logger, no log file can be written.
fn install() {
    let make = || Logger {
        start: Instant::now(),
        shown: std::env::var_os("RUST_LOG").map(|_| env_logger::Builder::from_default_env().build()),
    };
    if log::set_logger(LOGGER.get_or_init(make)).is_ok() {
        log::set_max_level(level(&lock(&SINK)));
    }
}
