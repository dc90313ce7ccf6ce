//! A sorted text book that stays on disk: a lookup is a binary search in the file, and memory use does not depend on
//! the size of the file.

use super::db::{LONGEST_LINE, Row, read_move};
use super::source::Source;
use super::{Book, BookError, BookMove};
use sanban_rules::AnyPosition;
use std::cmp::Ordering;
use std::fs::File;

/// Number of bytes to read at a time.
const PIECE: usize = 4096;
/// Maximum distance in bytes between two positions.
const GAP: u64 = 1 << 20;
/// Number of bytes at the start of the file that are checked when it is opened.
const CHECKED: u64 = 1 << 16;

/// A text book on disk whose positions are sorted by their SFEN, as YaneuraOu and ShogiHome write them.
pub struct SortedDb {
    source: Source,
}

struct Line {
    at: u64,
    bytes: Vec<u8>,
    /// Offset of the next line.
    next: u64,
}

impl SortedDb {
    /// Opens a book of the game of `pos`, under its rule settings. The first positions are checked immediately, the
    /// others when a lookup reads them.
    ///
    /// # Errors
    /// The location of the first error.
    pub fn new(file: File, pos: &AnyPosition) -> Result<Self, BookError> {
        let mut book = Self { source: Source::file(file)? };
        let mut last = String::new();
        let mut at = 0;
        while at < CHECKED
            && let Some((line, sfen)) = book.position_from(at)?
        {
            let pos = pos.with_sfen(&sfen).map_err(|error| BookError::at(line.at, error.to_string()))?;
            book.moves(&pos, &line)?;
            let key = key_of(&sfen);
            if key < last {
                return Err(unsorted(line.at));
            }
            (last, at) = (key, line.next);
        }
        if last.is_empty() {
            return Err(BookError::at(0, "no position"));
        }
        Ok(book)
    }

    /// Returns the line that begins at this offset; `None` at the end of the file.
    fn line(&mut self, at: u64) -> Result<Option<Line>, BookError> {
        let (mut bytes, end) = (Vec::new(), self.source.len());
        let mut read = at;
        while read < end {
            let piece = (end - read).min(PIECE as u64) as usize;
            let old = bytes.len();
            bytes.resize(old + piece, 0);
            self.source.read(read, &mut bytes[old..])?;
            read += piece as u64;
            if let Some(found) = bytes[old..].iter().position(|&byte| byte == b'\n') {
                bytes.truncate(old + found);
                let next = at + bytes.len() as u64 + 1;
                return Ok(Some(Line { at, bytes, next }));
            }
            if bytes.len() > LONGEST_LINE {
                return Err(BookError::at(at, format!("line longer than {LONGEST_LINE} bytes")));
            }
        }
        Ok((!bytes.is_empty()).then_some(Line { at, bytes, next: end }))
    }

    /// Returns the first position whose line begins at or after this offset, with its SFEN.
    fn position_from(&mut self, place: u64) -> Result<Option<(Line, String)>, BookError> {
        // Start one byte earlier to find out whether a line begins at this offset.
        let mut at = place;
        if place > 0 {
            match self.line(place - 1)? {
                Some(line) => at = line.next,
                None => return Ok(None),
            }
        }
        while let Some(line) = self.line(at)? {
            if let Row::Position(sfen) = Row::of(&line.bytes).map_err(|what| BookError::at(at, what))? {
                let sfen = sfen.to_string();
                return Ok(Some((line, sfen)));
            }
            at = line.next;
            if at - place > GAP {
                return Err(BookError::at(place, format!("no position within {GAP} bytes")));
            }
        }
        Ok(None)
    }

    /// Returns the moves that follow the line of a position.
    fn moves(&mut self, pos: &AnyPosition, line: &Line) -> Result<Vec<BookMove>, BookError> {
        let (mut pos, mut out, begin) = (pos.clone(), Vec::new(), line.next);
        let mut at = begin;
        while let Some(line) = self.line(at)? {
            let fault = |what: String| BookError::at(at, what);
            match Row::of(&line.bytes).map_err(|what| fault(what.into()))? {
                Row::Nothing => {}
                Row::Position(_) => break,
                // Skip only the invalid entry.
                Row::Move(text) => match read_move(&mut pos, text) {
                    Ok(known) => out.extend(known.map(|(known, doubt)| {
                        if let Some(doubt) = doubt {
                            log::warn!("{}", fault(doubt));
                        }
                        known
                    })),
                    Err(what) => log::warn!("skipped: {}", fault(what.into())),
                },
            }
            at = line.next;
            if at - begin > GAP {
                return Err(BookError::at(begin, format!("no position within {GAP} bytes")));
            }
        }
        Ok(out)
    }
}

/// Returns the board, side to move and hands of an SFEN, by which the positions are sorted.
fn key_of(sfen: &str) -> String {
    let fields: Vec<&str> = sfen.split_ascii_whitespace().take(3).collect();
    fields.join(" ")
}

fn unsorted(offset: u64) -> BookError {
    BookError::at(offset, "the positions are not sorted, so this book cannot be read on the fly")
}

impl Book for SortedDb {
    fn find(&mut self, pos: &AnyPosition, ply: Option<usize>) -> Result<Vec<BookMove>, BookError> {
        let wanted = key_of(&pos.sfen());
        // Invariant: the first position that is not less than the wanted one begins in low..=high.
        let (mut low, mut high) = (0, self.source.len());
        let (mut least, mut most) = (String::new(), None::<String>);
        while low < high {
            let middle = low + (high - low) / 2;
            let Some((line, sfen)) = self.position_from(middle)? else {
                high = middle;
                continue;
            };
            let key = key_of(&sfen);
            if key < least || most.as_ref().is_some_and(|most| key > *most) {
                return Err(unsorted(line.at));
            }
            match key.cmp(&wanted) {
                Ordering::Less => (low, least) = (line.next, key),
                _ => (high, most) = (middle, Some(key)),
            }
        }
        // A position may occur several times, with different plies.
        let (mut out, mut at) = (Vec::<BookMove>::new(), low);
        while let Some((line, sfen)) = self.position_from(at)?
            && key_of(&sfen) == wanted
        {
            at = line.next;
            let count = sfen.split_ascii_whitespace().nth(3).and_then(|count| count.parse::<usize>().ok());
            if ply.is_some() && count.is_some() && ply != count {
                continue;
            }
            for known in self.moves(pos, &line)? {
                if out.iter().all(|other| other.mv != known.mv) {
                    out.push(known);
                }
            }
        }
        Ok(out)
    }

    fn len(&self) -> Option<u64> {
        None
    }
}
