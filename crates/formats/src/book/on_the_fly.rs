//! A sorted text book that stays on disk: a lookup is a binary search, and no memory is used, however large the file
//! is.

use super::db::{LONGEST_LINE, Row, read_move};
use super::source::Source;
use super::{Book, BookError, BookMove};
use sanban_rules::{Position, Variant};
use std::cmp::Ordering;
use std::fs::File;
use std::marker::PhantomData;

/// Bytes read at once.
const PIECE: usize = 4096;
/// Maximum number of bytes between two positions.
const GAP: u64 = 1 << 20;
/// Bytes at the start of the file that are checked at once.
const CHECKED: u64 = 1 << 16;

/// A text book on disk whose positions are sorted by their SFEN, as YaneuraOu and ShogiHome write them.
pub struct SortedDb<G> {
    source: Source,
    game: PhantomData<fn() -> G>,
}

/// A line and where it begins.
struct Line {
    at: u64,
    bytes: Vec<u8>,
    /// Where the next one begins.
    next: u64,
}

impl<G: Variant> SortedDb<G> {
    /// Opens a book. Its first positions are checked at once, the others when a lookup reads them.
    ///
    /// # Errors
    /// The location of the first fault.
    pub fn new(file: File) -> Result<Self, BookError> {
        let mut book = Self { source: Source::file(file)?, game: PhantomData };
        let mut last = String::new();
        let mut at = 0;
        while at < CHECKED
            && let Some((line, sfen)) = book.position_from(at)?
        {
            let pos = G::parse(&sfen).map_err(|error| BookError::at(line.at, error.to_string()))?;
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

    /// The line that begins here; `None` at the end.
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
                return Err(BookError::at(at, format!("a line longer than {LONGEST_LINE} bytes")));
            }
        }
        Ok((!bytes.is_empty()).then_some(Line { at, bytes, next: end }))
    }

    /// The first position whose line begins at or after this offset, with its SFEN. An offset within a line belongs to
    /// that line.
    fn position_from(&mut self, place: u64) -> Result<Option<(Line, String)>, BookError> {
        // The search begins at the end of the previous line.
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
                return Err(BookError::at(place, format!("{GAP} bytes without a position")));
            }
        }
        Ok(None)
    }

    /// The moves after the line of a position.
    fn moves(&mut self, pos: &G::Position, line: &Line) -> Result<Vec<BookMove>, BookError> {
        let (mut pos, mut out, begin) = (pos.clone(), Vec::new(), line.next);
        let mut at = begin;
        while let Some(line) = self.line(at)? {
            let fault = |what: String| BookError::at(at, what);
            match Row::of(&line.bytes).map_err(|what| fault(what.into()))? {
                Row::Nothing => {}
                Row::Position(_) => break,
                // An illegal entry is skipped, and the others are used.
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
                return Err(BookError::at(begin, format!("{GAP} bytes without a position")));
            }
        }
        Ok(out)
    }
}

/// Board, side and hands of an SFEN, by which positions are sorted.
fn key_of(sfen: &str) -> String {
    let fields: Vec<&str> = sfen.split_ascii_whitespace().take(3).collect();
    fields.join(" ")
}

fn unsorted(offset: u64) -> BookError {
    BookError::at(offset, "the positions are not sorted: this book cannot be read on the fly")
}

impl<G: Variant> Book<G::Position> for SortedDb<G> {
    fn find(&mut self, pos: &G::Position, ply: Option<usize>) -> Result<Vec<BookMove>, BookError> {
        let wanted = key_of(&pos.sfen());
        // The first position that is not smaller begins in low..=high.
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
        // The same position may occur several times, with different plies.
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
