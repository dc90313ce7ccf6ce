//! YaneuraOu's text format `YANEURAOU-DB2016`, for any game.
//!
//! ```text
//! #YANEURAOU-DB2016 1.00
//! sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1
//! 7g7f 3c3d 40 32 1
//! 2g2f none 38 32
//! ```
//!
//! A move line contains the move (some programs write `none` or `resign`), the expected reply or `none`, and optionally
//! the value of the move in centipawns for the side to move (`none` or an empty field if unknown), the search depth and
//! the number of times that the move was played. Lines that begin with `#` or `//` are comments, in any encoding. The
//! header and the move count of a position may be missing.

use super::{BookError, BookMove, Memory};
use sanban_rules::score::{DECISIVE, MATE};
use sanban_rules::{AnyPosition, Score};
use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::panic::resume_unwind;
use std::thread::{Builder, available_parallelism, scope};

/// The first line of a file.
pub const HEADER: &str = "#YANEURAOU-DB2016 1.00";
/// Maximum length of a line in bytes.
pub(super) const LONGEST_LINE: usize = 1 << 16;
/// Number of bytes that one thread parses at a time.
const BLOCK: usize = 4 << 20;
/// Maximum size of a single position in bytes.
const MOST: usize = 64 << 20;
/// Number of fields of a move line: move, reply, value, depth and count.
const FIELDS: usize = 5;
/// Maximum number of threads that read a book.
const THREADS: usize = 8;

/// Returns whether the file certainly begins like a book: with the header, or with comments and then a position.
pub fn is_certain(file: &mut File) -> bool {
    let mut bytes = Vec::new();
    if file.rewind().and_then(|()| file.take(BLOCK as u64).read_to_end(&mut bytes)).is_err() {
        return false;
    }
    let text = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&bytes);
    if text.starts_with(b"#YANEURAOU-DB") {
        return true;
    }
    let mut lines = text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    let first = lines.find(|line| !line.is_empty() && !line.starts_with(b"#") && !line.starts_with(b"//"));
    first.is_some_and(|line| line.starts_with(b"sfen ") && line.contains(&b'/'))
}

/// The number of skipped lines, with messages for the first ones.
#[derive(Debug, Default)]
pub struct Faults {
    /// The errors of the skipped lines, in order; only the first [`Faults::MOST`].
    pub lines: Vec<BookError>,
    /// Number of skipped lines.
    pub count: usize,
    /// The data that were ignored or changed in other lines; only the first [`Faults::MOST`].
    pub doubts: Vec<BookError>,
    /// Number of lines in which data were ignored or changed.
    pub doubted: usize,
    moves: usize,
}

impl Faults {
    /// Maximum number of messages to keep.
    pub const MOST: usize = 100;

    fn add(&mut self, fault: BookError) {
        self.count += 1;
        if self.lines.len() < Self::MOST {
            self.lines.push(fault);
        }
    }

    fn doubt(&mut self, doubt: BookError) {
        self.doubted += 1;
        if self.doubts.len() < Self::MOST {
            self.doubts.push(doubt);
        }
    }

    fn append(&mut self, other: Self) {
        self.count += other.count;
        self.doubted += other.doubted;
        self.moves += other.moves;
        self.doubts.extend(other.doubts);
        self.doubts.truncate(Self::MOST);
        self.lines.extend(other.lines);
        self.lines.truncate(Self::MOST);
    }

    /// Returns the first error if no move is valid, since the book is then for a different game.
    fn checked(mut self) -> Result<Self, BookError> {
        if self.moves == 0 && !self.lines.is_empty() { Err(self.lines.swap_remove(0)) } else { Ok(self) }
    }

    /// Returns the faults as messages.
    pub fn sentences(&self) -> Vec<String> {
        let mut out: Vec<String> = self.lines.iter().map(|fault| format!("skipped: {fault}")).collect();
        if self.count > self.lines.len() {
            out.push(format!("{} more lines skipped", self.count - self.lines.len()));
        }
        out.extend(self.doubts.iter().map(ToString::to_string));
        if self.doubted > self.doubts.len() {
            out.push(format!("{} more lines with invalid data", self.doubted - self.doubts.len()));
        }
        out
    }
}

/// Reads a whole book of the game of `like`, under its rule settings, on several threads. Invalid lines, such as lines with an illegal move, are
/// skipped.
///
/// # Errors
/// The first invalid line, if no move of the book is legal: the book is then for a different game.
pub fn read(input: impl Read, like: &AnyPosition) -> Result<(Memory, Faults), BookError> {
    let (mut book, mut faults) = (Memory::default(), Faults::default());
    let parse = |block: &Block| {
        let mut part = Memory::default();
        let faults = each_in(block, like, |pos, ply, moves| part.push(pos.key(), ply, moves))?;
        Ok((part, faults))
    };
    in_blocks(input, parse, |(part, some)| {
        faults.append(some);
        book.append(part)
    })?;
    book.complete();
    Ok((book, faults.checked()?))
}

/// Reads every position with its ply and its moves, in the order of the file, on several threads. `make` converts each
/// position. Invalid lines are skipped.
///
/// # Errors
/// See [`read`].
pub(super) fn read_all<T: Send>(
    input: impl Read,
    like: &AnyPosition,
    make: impl Fn(&AnyPosition, Option<usize>, &[BookMove]) -> T + Sync,
) -> Result<(Vec<T>, Faults), BookError> {
    let (mut out, mut faults) = (Vec::new(), Faults::default());
    let parse = |block: &Block| {
        let mut part = Vec::new();
        let faults = each_in(block, like, |pos, ply, moves| {
            part.push(make(pos, ply, moves));
            Ok(())
        })?;
        Ok((part, faults))
    };
    in_blocks(input, parse, |(mut part, some)| {
        faults.append(some);
        out.append(&mut part);
        Ok(())
    })?;
    Ok((out, faults.checked()?))
}

/// Parses the blocks of a book on several threads and passes on the results in order.
fn in_blocks<T: Send>(
    input: impl Read,
    parse: impl Fn(&Block) -> Result<T, BookError> + Sync,
    mut take: impl FnMut(T) -> Result<(), BookError>,
) -> Result<(), BookError> {
    let threads = available_parallelism().map_or(1, |n| n.get().min(THREADS));
    let mut blocks = Blocks::new(input);
    loop {
        let batch: Vec<Block> =
            (0..threads).map_while(|_| blocks.next().transpose()).collect::<Result<_, _>>()?;
        if batch.is_empty() {
            return Ok(());
        }
        let parts: Vec<Result<T, BookError>> = scope(|scope| {
            let parse = &parse;
            let started: Vec<_> = batch
                .iter()
                .map(|block| Builder::new().spawn_scoped(scope, move || parse(block)).map_err(|_| block))
                .collect();
            let finish = |thread: Result<std::thread::ScopedJoinHandle<_>, _>| match thread {
                Ok(thread) => thread.join().unwrap_or_else(|panic| resume_unwind(panic)),
                // The thread could not be started: parse the block on this one.
                Err(block) => parse(block),
            };
            started.into_iter().map(finish).collect()
        });
        for part in parts {
            take(part?)?;
        }
    }
}

/// Calls `visit` for every position of a book, with its ply and its moves, in the order of the file.
///
/// # Errors
/// The first invalid line, or an error of `visit`.
pub fn each(
    input: impl Read,
    like: &AnyPosition,
    mut visit: impl FnMut(&AnyPosition, Option<usize>, &[BookMove]) -> Result<(), BookError>,
) -> Result<(), BookError> {
    let mut blocks = Blocks::new(input);
    while let Some(block) = blocks.next()? {
        let faults = each_in(&block, like, &mut visit)?;
        if let Some(fault) = faults.lines.into_iter().next() {
            return Err(fault);
        }
    }
    Ok(())
}

/// The lines of one or more complete positions.
struct Block {
    bytes: Vec<u8>,
    /// Number of the first line, from 1.
    first: usize,
}

/// Splits a book into blocks, at the lines of positions.
struct Blocks<R> {
    input: R,
    /// Data that have been read but not yet returned.
    rest: Vec<u8>,
    line: usize,
    ended: bool,
}

impl<R: Read> Blocks<R> {
    fn new(input: R) -> Self {
        Self { input, rest: Vec::new(), line: 1, ended: false }
    }

    fn next(&mut self) -> Result<Option<Block>, BookError> {
        let mut bytes = std::mem::take(&mut self.rest);
        loop {
            if !self.ended {
                let read = self.input.by_ref().take(BLOCK as u64).read_to_end(&mut bytes)?;
                self.ended = read < BLOCK;
            }
            if self.ended {
                break;
            }
            if let Some(cut) = last_position(&bytes) {
                self.rest = bytes.split_off(cut);
                break;
            }
            // The parser reports lines that are too long.
            let endless = !bytes[bytes.len().saturating_sub(LONGEST_LINE + 1)..].contains(&b'\n');
            if endless {
                break;
            }
            if bytes.len() > MOST {
                let what = format!("no position within {} megabytes", MOST >> 20);
                return Err(BookError::Line { line: self.line, what });
            }
        }
        if bytes.is_empty() {
            return Ok(None);
        }
        let first = self.line;
        self.line += bytes.iter().filter(|&&byte| byte == b'\n').count();
        Ok(Some(Block { bytes, first }))
    }
}

/// Returns the offset of the last line that begins with `sfen `, unless it is the first line.
fn last_position(bytes: &[u8]) -> Option<usize> {
    bytes.windows(6).rposition(|window| window == b"\nsfen ").map(|at| at + 1)
}

/// Calls `visit` for every position of a block. Returns the invalid lines.
fn each_in(
    block: &Block,
    like: &AnyPosition,
    mut visit: impl FnMut(&AnyPosition, Option<usize>, &[BookMove]) -> Result<(), BookError>,
) -> Result<Faults, BookError> {
    let (mut moves, mut faults) = (Vec::new(), Faults::default());
    // The position whose moves follow; the inner `None` means that it is invalid and its moves are skipped.
    let mut current: Option<Option<(AnyPosition, Option<usize>)>> = None;
    for (number, line) in block.bytes.split(|&byte| byte == b'\n').enumerate() {
        let fault = |what: String| BookError::Line { line: block.first + number, what };
        match Row::of(line) {
            Ok(Row::Nothing) => {}
            Ok(Row::Position(sfen)) => {
                if let Some(Some((pos, ply))) = &current {
                    visit(pos, *ply, &moves)?;
                }
                moves.clear();
                current = Some(match like.with_sfen(sfen) {
                    Ok(pos) => {
                        let ply = has_count(sfen).then(|| super::ply(&pos));
                        Some((pos, ply))
                    }
                    Err(error) => {
                        faults.add(fault(error.to_string()));
                        None
                    }
                });
            }
            Ok(Row::Move(text)) => match &mut current {
                Some(Some((pos, _))) => match read_move(pos, text) {
                    Ok(None) => faults.moves += 1,
                    Ok(Some((known, doubt))) => {
                        faults.moves += 1;
                        let again = moves.iter().any(|other: &BookMove| other.mv == known.mv);
                        let twice = || "another line for the same move: ignored".to_string();
                        if let Some(doubt) = again.then(twice).or(doubt) {
                            faults.doubt(fault(doubt));
                        }
                        moves.push(known);
                    }
                    Err(what) => faults.add(fault(what.into())),
                },
                Some(None) => faults.count += 1,
                None => faults.add(fault("move before the first `sfen` line".into())),
            },
            Err(what) => faults.add(fault(what.into())),
        }
    }
    if let Some(Some((pos, ply))) = &current {
        visit(pos, *ply, &moves)?;
    }
    Ok(faults)
}

#[derive(Debug, thiserror::Error)]
pub(super) enum RowError {
    #[error("longer than {} bytes", LONGEST_LINE)]
    TooLong,
    #[error("not valid UTF-8")]
    NotText,
    #[error("illegal move {0}")]
    Illegal(String),
    #[error("{what} is not a number: {text}")]
    NotNumber { what: &'static str, text: String },
}

impl From<RowError> for String {
    fn from(error: RowError) -> Self {
        error.to_string()
    }
}

pub(super) enum Row<'a> {
    /// An empty line or a comment.
    Nothing,
    Position(&'a str),
    Move(&'a str),
}

impl<'a> Row<'a> {
    /// Classifies a line, with or without its line terminator.
    pub(super) fn of(line: &'a [u8]) -> Result<Self, RowError> {
        let line = line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(line).trim_ascii();
        if line.len() > LONGEST_LINE {
            return Err(RowError::TooLong);
        }
        if line.is_empty() || line.starts_with(b"#") || line.starts_with(b"//") {
            return Ok(Self::Nothing);
        }
        let text = std::str::from_utf8(line).map_err(|_| RowError::NotText)?;
        Ok(text.strip_prefix("sfen ").map_or(Self::Move(text), Self::Position))
    }
}

fn has_count(sfen: &str) -> bool {
    sfen.split_ascii_whitespace().nth(3).is_some()
}

/// Reads a move line. Returns the move with a message about ignored or changed data, if any; `None` if the line has no
/// move.
pub(super) fn read_move(
    pos: &mut AnyPosition,
    line: &str,
) -> Result<Option<(BookMove, Option<String>)>, RowError> {
    // ShogiHome writes an empty field between two spaces. If there are more columns than fields, the spaces only align
    // the text.
    let empty_fields =
        line.as_bytes().windows(2).any(|pair| pair == b"  ") && line.split(' ').count() <= FIELDS;
    let (mut columns, mut words) = (line.split(' '), line.split_ascii_whitespace());
    let mut next = || if empty_fields { columns.next() } else { words.next() };
    let text = next().unwrap_or_default();
    if ["none", "resign"].contains(&text) {
        return Ok(None);
    }
    let mv = pos.parse_usi(text).ok_or_else(|| RowError::Illegal(clip(text)))?;
    let mut doubt = None;
    let reply = next().filter(|text| !["none", "resign", ""].contains(text)).and_then(|text| {
        pos.play(mv);
        let reply = pos.parse_usi(text);
        pos.undo();
        if reply.is_none() {
            doubt = Some(format!("illegal reply {}: ignored", clip(text)));
        }
        reply
    });
    let mut number = |what: &'static str, fit: fn(i64) -> i64| match next() {
        None | Some("none" | "") => Ok(0),
        Some(text) => {
            let number = text.parse().map_err(|_| RowError::NotNumber { what, text: clip(text) })?;
            let read = fit(number);
            if read != number {
                doubt = Some(format!("{what} {number} is out of range: read as {read}"));
            }
            Ok(read)
        }
    };
    let unsigned = |n: i64| n.clamp(0, u32::MAX.into());
    let score = number("the value", |n| usual(n).into())? as Score;
    let depth = number("the depth", unsigned)? as u32;
    let count = number("the count", unsigned)? as u32;
    if let Some(text) = next().filter(|text| !text.is_empty()) {
        doubt = Some(format!("expected at most five fields, found {}", clip(text)));
    }
    Ok(Some((BookMove { mv, reply, score, depth, count }, doubt)))
}

/// Converts a value to a score; values beyond the range of evaluations are clamped unless they are mate scores.
pub(super) fn usual(value: i64) -> Score {
    let mate = i64::from(MATE);
    let most = i64::from(DECISIVE);
    let value = if (-mate..=mate).contains(&value) { value } else { value.clamp(-most, most) };
    value as Score
}

/// Returns at most 20 characters of external text, escaped for printing.
fn clip(text: &str) -> String {
    text.chars().take(20).flat_map(char::escape_default).collect()
}

/// Writes one position with its moves; `like` is any position of the same game.
///
/// # Errors
/// An I/O error.
pub fn write(
    out: &mut impl Write,
    like: &AnyPosition,
    sfen: &str,
    ply: Option<usize>,
    moves: &[BookMove],
) -> io::Result<()> {
    write!(out, "sfen {sfen}")?;
    if let Some(ply) = ply {
        write!(out, " {ply}")?;
    }
    writeln!(out)?;
    for known in moves {
        let reply = known.reply.map_or_else(|| "none".into(), |reply| like.display(reply));
        let (mv, BookMove { score, depth, count, .. }) = (like.display(known.mv), known);
        writeln!(out, "{mv} {reply} {score} {depth} {count}")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_ignored_or_changed_is_reported() {
        let sentences = |lines: &str| {
            let text = format!("{HEADER}\nsfen {}\n{lines}", sanban_rules::shogi::START);
            let (_, faults) = read(text.as_bytes(), &AnyPosition::default()).expect("a book of shogi");
            faults.sentences()
        };
        assert_eq!(sentences("7g7f 3c3d 40 32 5\n2g2f none none\n2h7h  5\nnone\n"), [""; 0]);
        for (line, expected) in [
            ("7g7f 8c8d -70 3 9", "line 4: another line for the same move: ignored"),
            ("2g2f foo 40", "line 4: illegal reply foo: ignored"),
            ("2g2f 7g7f 40", "line 4: illegal reply 7g7f: ignored"),
            ("2g2f none 4000000", "line 4: the value 4000000 is out of range: read as 30000"),
            ("2g2f none 4 -1", "line 4: the depth -1 is out of range: read as 0"),
            ("2g2f none 4 1 2 more", "line 4: expected at most five fields, found more"),
            ("2g2f none x", "skipped: line 4: the value is not a number: x"),
            ("9a9b", "skipped: line 4: illegal move 9a9b"),
        ] {
            assert_eq!(sentences(&format!("7g7f 3c3d 40 32 5\n{line}\n")), [expected]);
        }
    }
}
