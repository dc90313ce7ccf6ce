//! `WriteDebugLog` where the program's own logger is left out: whoever uses the library has one.

use super::command::clip;
use sanban_system::FileError;
use std::io;

/// Refuses every file.
pub fn write_to(path: &str) -> Result<(), FileError> {
    let refused =
        || FileError { path: clip(path).into(), source: io::Error::other("this build writes no log") };
    if path.is_empty() { Ok(()) } else { Err(refused()) }
}
