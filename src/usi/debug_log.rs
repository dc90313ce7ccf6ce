//! `WriteDebugLog`: writes the log to a file.

use super::command::clip;
use super::output::lock;
use sanban_system::FileError;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::sync::Mutex;

static FILE: Mutex<Option<File>> = Mutex::new(None);

/// Writes to the file that is currently open.
struct Sink;

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        lock(&FILE).as_mut().map_or(Ok(bytes.len()), |file| file.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        lock(&FILE).as_mut().map_or(Ok(()), File::flush)
    }
}

/// Appends to this file from now on; an empty name closes it. The error says why the file cannot be used.
pub fn write_to(path: &str) -> Result<(), FileError> {
    let open = || match path {
        "" => Ok(None),
        // Checked first: opening a pipe may block for ever.
        _ if fs::metadata(path).is_ok_and(|about| !about.is_file()) => Err(io::Error::other("not a file")),
        _ => OpenOptions::new().create(true).append(true).open(path).map(Some),
    };
    let file = open().map_err(|source| FileError { path: clip(path).into(), source })?;
    let level = if file.is_some() { log::LevelFilter::Debug } else { log::LevelFilter::Off };
    *lock(&FILE) = file;
    let mut builder = env_logger::Builder::new();
    builder.filter_level(log::LevelFilter::Debug).target(env_logger::Target::Pipe(Box::new(Sink)));
    builder.format(|line, record| writeln!(line, "{} {}", std::process::id(), record.args()));
    // Only the first call installs the logger, which serves every file.
    let _ = builder.try_init();
    log::set_max_level(level);
    Ok(())
}
