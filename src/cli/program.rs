//! The command line that starts this program again.

use std::sync::OnceLock;

/// Set if the engine is embedded in another program.
static PROGRAM: OnceLock<Vec<String>> = OnceLock::new();

/// For programs that embed the engine: sets the command line that starts it, which a match against itself needs. Only
/// the first call has an effect.
pub fn set_program(words: Vec<String>) {
    let _ = PROGRAM.set(words);
}

/// The command line that starts this program.
///
/// # Errors
/// A message, if the system does not provide the path.
pub(super) fn program() -> Result<Vec<String>, String> {
    if let Some(words) = PROGRAM.get() {
        return Ok(words.clone());
    }
    let path = std::env::current_exe().map_err(|error| format!("this program: {error}"))?;
    Ok(vec![path.to_str().ok_or("this program: its path is not UTF-8")?.to_string()])
}
