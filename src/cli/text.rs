//! Lines in and lines out, with errors in sentences.

use super::failure::Failure;
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;

/// Prints a line, on standard output.
pub(super) fn print(line: &str) -> Result<(), Failure> {
    writeln!(io::stdout(), "{line}").map_err(unprinted)
}

/// Tells something on the side, on standard error. Nobody to read it is no reason to end.
pub(super) fn note(sentence: &str) {
    let _ = writeln!(io::stderr(), "{sentence}");
}

/// Nobody reads the answers any more.
pub(super) fn unprinted(error: io::Error) -> Failure {
    Failure::Work(format!("standard output: {error}"))
}

/// Calls `f` with the lines of standard input and their numbers from 1, but for empty ones and comments (`#`).
pub(super) fn each_line(mut f: impl FnMut(&str, usize) -> Result<(), Failure>) -> Result<(), Failure> {
    let mut input = BufReader::with_capacity(1 << 16, io::stdin().lock());
    let (mut bytes, mut number) = (Vec::new(), 0);
    loop {
        bytes.clear();
        let read = input.read_until(b'\n', &mut bytes);
        if read.map_err(|error| Failure::Work(format!("standard input: {error}")))? == 0 {
            return Ok(());
        }
        number += 1;
        if let Some(line) = line(&bytes).map_err(|e| Failure::Request(format!("line {number}: {e}")))? {
            f(line, number)?;
        }
    }
}

/// Calls `f` with the positions of a command line and the place to name in an error: with none or `-` those of standard
/// input, one a line.
pub(super) fn each_sfen(
    words: &[String],
    mut f: impl FnMut(&str, &str) -> Result<(), Failure>,
) -> Result<(), Failure> {
    match words {
        [] => each_line(|sfen, number| f(sfen, &format!("line {number}"))),
        [dash] if dash == "-" => each_line(|sfen, number| f(sfen, &format!("line {number}"))),
        // One position without quotes comes as several words.
        words if words.iter().all(|word| !word.contains(' ')) => {
            let sfen = words.join(" ");
            f(&sfen, &sfen)
        }
        sfens => sfens.iter().try_for_each(|sfen| f(sfen, sfen)),
    }
}

/// What `read` makes of each line of a file that is neither empty nor a comment (`#`), with the line's number from 1. An
/// error names file and line.
pub(super) fn read_lines<T>(
    path: &Path,
    read: impl Fn(&str) -> Result<T, String>,
) -> Result<Vec<(usize, T)>, Failure> {
    let shown = path.display();
    let bytes = std::fs::read(path).map_err(|error| format!("{shown}: {error}"))?;
    let mut out = Vec::new();
    for (index, bytes) in bytes.split(|&byte| byte == b'\n').enumerate() {
        let item = line(bytes).and_then(|line| line.map(&read).transpose());
        let item = item.map_err(|error| format!("{shown}: line {}: {error}", index + 1))?;
        out.extend(item.map(|item| (index + 1, item)));
    }
    Ok(out)
}

/// The text of a line, if there is any.
fn line(bytes: &[u8]) -> Result<Option<&str>, String> {
    let text = str::from_utf8(bytes).map_err(|_| "not UTF-8 text")?.trim();
    Ok((!text.is_empty() && !text.starts_with('#')).then_some(text))
}
