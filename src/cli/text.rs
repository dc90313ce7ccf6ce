//! Reads and writes lines, with readable error messages.

use super::failure::Failure;
use sanban_rules::printable::printable;
use sanban_system::line_reader::{Input, LONGEST_LINE, each_line as each_line_of, read_line};
use sanban_system::open_file;
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;

pub(super) fn print(line: &str) -> Result<(), Failure> {
    writeln!(io::stdout(), "{line}").map_err(unprinted)
}

pub(super) fn print_bytes(bytes: &[u8]) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    out.write_all(bytes).and_then(|()| out.flush()).map_err(unprinted)
}

/// Maximum length of a message in characters.
const LONGEST_NOTE: usize = 10_000;

/// Prints a message on standard error; a write error is ignored. Words from outside cannot steer the terminal.
pub(super) fn note(sentence: &str) {
    let _ = writeln!(io::stderr(), "{}", printable(sentence, LONGEST_NOTE));
}

/// The result of a command that goes on after failures: the last one, after notes about the others.
pub(super) fn conclude(mut failures: Vec<String>) -> Result<(), Failure> {
    let Some(last) = failures.pop() else { return Ok(()) };
    failures.iter().for_each(|failure| note(&format!("sanban: {failure}")));
    Err(Failure::Work(last))
}

/// The failure for an error while writing to standard output; none of the rest is wanted if its reader has left.
pub(super) fn unprinted(error: io::Error) -> Failure {
    if error.kind() == io::ErrorKind::BrokenPipe {
        return Failure::Printed;
    }
    Failure::Work(format!("standard output: {error}"))
}

/// Calls `f` with the lines of standard input and their numbers from 1, skipping empty lines and comments (`#`).
pub(super) fn each_line(mut f: impl FnMut(&str, usize) -> Result<(), Failure>) -> Result<(), Failure> {
    let mut input = BufReader::with_capacity(1 << 16, io::stdin().lock());
    let (mut bytes, mut number) = (Vec::new(), 0);
    loop {
        number += 1;
        match read_line(&mut input, &mut bytes) {
            Ok(Input::Line) => {}
            Ok(Input::End) => return Ok(()),
            Ok(Input::TooLong) => {
                return Err(format!("line {number}: more than {LONGEST_LINE} bytes").into());
            }
            Err(error) => return Err(Failure::Work(format!("standard input: {error}"))),
        }
        if let Some(line) = line(&bytes).map_err(|e| Failure::Request(format!("line {number}: {e}")))? {
            f(line, number)?;
        }
    }
}

/// Calls `f` with each position of a command line and its location for error messages. Without positions, or with `-`,
/// they are read from standard input, one per line.
pub(super) fn each_sfen(
    words: &[String],
    mut f: impl FnMut(&str, &str) -> Result<(), Failure>,
) -> Result<(), Failure> {
    match words {
        [] => each_line(|sfen, number| f(sfen, &format!("line {number}"))),
        [dash] if dash == "-" => each_line(|sfen, number| f(sfen, &format!("line {number}"))),
        // An unquoted position is split into several arguments.
        words if words.iter().all(|word| !word.contains(' ')) => {
            let sfen = words.join(" ");
            f(&sfen, &sfen)
        }
        sfens => sfens.iter().try_for_each(|sfen| f(sfen, sfen)),
    }
}

/// Parses each line of a file of positions with `read`, with line numbers from 1. Empty lines and comments (`#`) are
/// skipped. Errors name the file and the line.
pub(super) fn read_lines<T>(
    path: &Path,
    read: impl Fn(&str) -> Result<T, String>,
) -> Result<Vec<(usize, T)>, Failure> {
    let file = open_file(path).map_err(|error| Failure::file(path, &error))?;
    match read_lines_of(path, BufReader::new(file), read)? {
        lines if lines.is_empty() => Err(format!("{}: contains no positions", path.display()).into()),
        lines => Ok(lines),
    }
}

/// Like [`read_lines`], for the content of a file.
pub(super) fn read_lines_of<T>(
    path: &Path,
    content: impl BufRead,
    read: impl Fn(&str) -> Result<T, String>,
) -> Result<Vec<(usize, T)>, Failure> {
    let mut out = Vec::new();
    let result = each_line_of(content, |bytes, number| -> Result<(), String> {
        let item = line(bytes).and_then(|line| line.map(&read).transpose())?;
        out.extend(item.map(|item| (number, item)));
        Ok(())
    });
    result.map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(out)
}

/// The trimmed text of a line; `None` for empty lines and comments.
fn line(bytes: &[u8]) -> Result<Option<&str>, String> {
    let text = str::from_utf8(bytes).map_err(|_| "not UTF-8 text")?.trim();
    Ok((!text.is_empty() && !text.starts_with('#')).then_some(text))
}
