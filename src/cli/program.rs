//! The command line that starts this program again.

use once_cell::sync::OnceCell;

/// Set if the engine is embedded in another program.
static PROGRAM: OnceCell<Vec<String>> = OnceCell::new();

/// For programs that embed the engine: sets the command line that starts it, which a match against itself needs. Only
/// the first call has an effect.
pub fn set_program(words: Vec<String>) {
    let _ = PROGRAM.set(words);
}

/// The command line that starts this program.
///
/// # Errors
/// The path of the program is unknown or is not UTF-8.
pub(super) fn program() -> Result<Vec<String>, String> {
    if let Some(words) = PROGRAM.get() {
        return Ok(words.clone());
    }
    let path = std::env::current_exe().map_err(|error| format!("path of this program: {error}"))?;
    Ok(vec![path.to_str().ok_or("path of this program: not UTF-8")?.to_string()])
}
