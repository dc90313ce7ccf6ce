//! Reads lines of text from an untrusted source.

use std::fmt::Display;
use std::io::{self, BufRead, ErrorKind};
use thiserror::Error;

/// Longest line to read, in bytes; a game of 100,000 moves fits.
pub const LONGEST_LINE: usize = 1 << 20;

/// The result of [`read_line`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Input {
    /// A line, without its line feed.
    Line,
    /// A line of more than [`LONGEST_LINE`] bytes, which is skipped.
    TooLong,
    /// The end of the input; nothing was read.
    End,
}

/// Reads up to a line feed or the end of the input, but stores at most [`LONGEST_LINE`] bytes.
pub fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<Input> {
    line.clear();
    let mut too_long = false;
    loop {
        let buffer = match input.fill_buf() {
            Ok(buffer) => buffer,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if buffer.is_empty() {
            return Ok(match (too_long, line.is_empty()) {
                (true, _) => Input::TooLong,
                (false, true) => Input::End,
                (false, false) => Input::Line,
            });
        }
        let end = buffer.iter().position(|&byte| byte == b'\n');
        let part = buffer.get(..end.unwrap_or(buffer.len())).unwrap_or_default();
        too_long |= line.len() + part.len() > LONGEST_LINE;
        if !too_long {
            line.extend_from_slice(part);
        }
        let used = part.len() + usize::from(end.is_some());
        input.consume(used);
        if end.is_some() {
            return Ok(if too_long { Input::TooLong } else { Input::Line });
        }
    }
}

#[derive(Debug, Error)]
#[error("line {line}: {fault}")]
pub struct LineError<E: Display> {
    /// The line number, from 1.
    pub line: usize,
    pub fault: LineFault<E>,
}

/// Why a line is not accepted.
#[derive(Debug, Error)]
pub enum LineFault<E: Display> {
    #[error("{0}")]
    Read(io::Error),
    #[error("more than {} bytes", LONGEST_LINE)]
    TooLong,
    #[error("{0}")]
    Refused(E),
}

/// Calls `f` with every line and its number, counted from 1.
///
/// # Errors
/// A line is too long or cannot be read, or `f` rejects it.
pub fn each_line<E: Display>(
    mut input: impl BufRead,
    mut f: impl FnMut(&[u8], usize) -> Result<(), E>,
) -> Result<(), LineError<E>> {
    let mut line = Vec::new();
    for number in 1.. {
        let done = match read_line(&mut input, &mut line) {
            Ok(Input::Line) => f(&line, number).map(|()| false).map_err(LineFault::Refused),
            Ok(Input::TooLong) => Err(LineFault::TooLong),
            Ok(Input::End) => Ok(true),
            Err(error) => Err(LineFault::Read(error)),
        };
        if done.map_err(|fault| LineError { line: number, fault })? {
            break;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{BufReader, Read};

    #[test]
    fn lines_are_read_and_long_ones_skipped() {
        let text = [b"a\n\n".to_vec(), vec![b'x'; LONGEST_LINE + 1], b"\nb\r\nend".to_vec()].concat();
        let (mut input, mut line) = (BufReader::with_capacity(100, &text[..]), Vec::new());
        let mut next = || (read_line(&mut input, &mut line).expect("memory can be read"), line.clone());
        assert_eq!(next(), (Input::Line, b"a".to_vec()));
        assert_eq!(next(), (Input::Line, vec![]));
        assert_eq!(next().0, Input::TooLong);
        assert_eq!(next(), (Input::Line, b"b\r".to_vec()));
        assert_eq!(next(), (Input::Line, b"end".to_vec()));
        assert_eq!(next(), (Input::End, vec![]));
    }

    #[test]
    fn what_never_ends_is_refused_with_its_line() {
        let endless = BufReader::new(b"short\n".chain(io::repeat(b'x').take(1 << 30)));
        let mut seen = 0;
        let result = each_line(endless, |_, _| {
            seen += 1;
            Ok::<(), String>(())
        });
        let error = result.expect_err("a line that is too long");
        assert_eq!(error.to_string(), "line 2: more than 1048576 bytes");
        assert_eq!(seen, 1);
    }
}
