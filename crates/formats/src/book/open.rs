//! Opens book files of any format.

use super::apery::{self, Apery};
use super::on_the_fly::SortedDb;
use super::source::{Source, whole};
use super::ybb::{self, Ybb};
use super::{Book, BookError, db, sbk};
use sanban_rules::{AnyPosition, VariantId};
use sanban_system::open_file;
use std::fmt;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

/// Size in bytes of the largest binary book that is read into memory.
pub(super) const MOST: u64 = 16 << 30;
/// Number of bytes at the start of a file from which its format is detected.
const START: u64 = 4096;

/// Minimum number of keys for which sorted order cannot be a coincidence.
const MANY: u64 = 8;

/// A book format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// YaneuraOu's text format.
    Db,
    /// YaneuraOu's binary format.
    Ybb,
    /// ShogiGUI's format.
    Sbk,
    /// Apery's format.
    Apery,
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Db => "db",
            Self::Ybb => "ybb",
            Self::Sbk => "sbk",
            Self::Apery => "apery",
        })
    }
}

impl Format {
    /// Detects the format of a file from its first bytes and its length.
    ///
    /// # Errors
    /// The file is not a book.
    pub fn of(start: &[u8], len: u64) -> Result<Self, BookError> {
        if start.starts_with(ybb::MAGIC) {
            return Ok(Self::Ybb);
        }
        let text = start.strip_prefix("\u{feff}".as_bytes()).unwrap_or(start).trim_ascii_start();
        let is_text = [&b"sfen "[..], b"#", b"//"].iter().any(|word| text.starts_with(word));
        if is_text || start.is_empty() {
            return Ok(Self::Db);
        }
        let binary = start.iter().any(|&byte| byte < b' ' && !b"\t\n\r".contains(&byte));
        // An Apery book has no header, but its keys are sorted, which cannot be a coincidence if there are many.
        let sorted = len.is_multiple_of(16) && apery::is_sorted(start);
        let by_accident = len < 16 * MANY;
        if sbk::is_message(start, len) && (!sorted || by_accident) {
            return Ok(Self::Sbk);
        }
        if binary && sorted {
            return Ok(Self::Apery);
        }
        let what = "neither a text book, which starts with `sfen`, nor a YaneuraOu, ShogiGUI or Apery book";
        Err(if binary { BookError::at(0, what) } else { BookError::Line { line: 1, what: what.into() } })
    }

    /// Returns an error if the format does not support the game.
    pub(super) fn check(self, game: VariantId) -> Result<(), BookError> {
        if self == Self::Db || game == VariantId::Shogi {
            return Ok(());
        }
        Err(BookError::Unfit(format!("the {self} format supports only shogi, not {game}")))
    }

    /// Detects the format of an open file and rewinds it.
    ///
    /// # Errors
    /// The file is not a book, or cannot be read.
    pub fn of_file(file: &mut File) -> Result<Self, BookError> {
        let mut start = Vec::new();
        file.by_ref().take(START).read_to_end(&mut start)?;
        file.seek(SeekFrom::Start(0))?;
        Self::of(&start, file.metadata()?.len())
    }
}

/// An open book and its format.
pub struct Opened {
    /// The book.
    pub book: Box<dyn Book>,
    /// The format of the book.
    pub format: Format,
    /// Messages about skipped lines.
    pub left_out: Vec<String>,
}

/// Opens a book file of the game of `pos`, whose moves are read under the rule settings of `pos`. With `on_the_fly`, the
/// book stays on disk if the format allows it.
///
/// # Errors
/// The first error, with its line or offset, or a format that does not support the game.
pub fn open(path: &Path, pos: &AnyPosition, on_the_fly: bool) -> Result<Opened, BookError> {
    let mut file = open_file(path)?;
    let format = Format::of_file(&mut file)?;
    format.check(pos.variant())?;
    let source = |file: File| match on_the_fly {
        true => Source::file(file),
        false => whole(path, MOST).map(Source::Bytes),
    };
    let mut left_out = Vec::new();
    let book: Box<dyn Book> = match format {
        Format::Db if on_the_fly => Box::new(SortedDb::new(file, pos)?),
        Format::Db => {
            let (book, faults) = db::read(file, pos)?;
            left_out = faults.sentences();
            Box::new(book)
        }
        Format::Ybb => Box::new(Ybb::new(source(file)?)?),
        Format::Apery => Box::new(Apery::new(source(file)?)?),
        Format::Sbk => Box::new(sbk::read(&whole(path, sbk::MOST)?)?),
    };
    Ok(Opened { book, format, left_out })
}
