//! `WriteDebugLog`: everything that is said, written to a file.

use super::command::clip;
use super::output::lock;
use log::{Log, Metadata, Record};
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::sync::Mutex;

static FILE: Mutex<Option<File>> = Mutex::new(None);

/// Writes every record, with the number of the process, to whatever file is open now.
struct Logger;

impl Log for Logger {
    fn enabled(&self, _: &Metadata) -> bool {
        true
    }

    fn log(&self, record: &Record) {
        if let Some(file) = lock(&FILE).as_mut() {
            // A log that cannot be written must not end a game.
            let _ = writeln!(file, "{} {}", std::process::id(), record.args());
        }
    }

    fn flush(&self) {}
}

/// Appends to this file from now on; an empty name ends it. The error says why that is not possible.
pub fn write_to(path: &str) -> Result<(), String> {
    let file = match path {
        "" => None,
        // Asked before: to open a pipe may take for ever.
        _ if fs::metadata(path).is_ok_and(|about| !about.is_file()) => {
            return Err(format!("WriteDebugLog: {}: not a file", clip(path)));
        }
        _ => {
            let file = OpenOptions::new().create(true).append(true).open(path);
            Some(file.map_err(|e| format!("WriteDebugLog: {}: {e}", clip(path)))?)
        }
    };
    let level = if file.is_some() { log::LevelFilter::Debug } else { log::LevelFilter::Off };
    *lock(&FILE) = file;
    // Only the first call installs the logger; it serves every file.
    let _ = log::set_logger(&Logger);
    log::set_max_level(level);
    Ok(())
}
