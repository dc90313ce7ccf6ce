//! How this program is started again.

use std::sync::OnceLock;

/// Where it is part of another one.
static PROGRAM: OnceLock<Vec<String>> = OnceLock::new();

/// For programs that have this one inside: the words that start it, which a match against itself needs. The first call
/// counts.
pub fn set_program(words: Vec<String>) {
    let _ = PROGRAM.set(words);
}

/// The words that start this program.
///
/// # Errors
/// A sentence, where the system does not tell.
pub(super) fn program() -> Result<Vec<String>, String> {
    if let Some(words) = PROGRAM.get() {
        return Ok(words.clone());
    }
    let path = std::env::current_exe().map_err(|error| format!("this program: {error}"))?;
    Ok(vec![path.to_str().ok_or("this program: its path is not UTF-8")?.to_string()])
}
