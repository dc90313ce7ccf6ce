//! `WriteDebugLog` where the program's own logger is left out: whoever uses the library has one.

/// Refuses every file.
pub fn write_to(path: &str) -> Result<(), String> {
    if path.is_empty() { Ok(()) } else { Err("WriteDebugLog: this build writes no log".into()) }
}
