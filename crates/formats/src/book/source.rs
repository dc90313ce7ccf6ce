//! Random access to the bytes of a book, in a file or in memory.

use super::BookError;
use sanban_system::read_whole;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

pub(super) enum Source {
    /// A file on disk and its length in bytes; nothing is cached.
    File(File, u64),
    Bytes(Vec<u8>),
    /// A book that is embedded in the program.
    Static(&'static [u8]),
}

impl Source {
    /// Creates a source for a file that stays on disk.
    pub fn file(file: File) -> Result<Self, BookError> {
        let len = file.metadata()?.len();
        Ok(Self::File(file, len))
    }

    pub fn len(&self) -> u64 {
        match self {
            Self::File(_, len) => *len,
            Self::Bytes(bytes) => bytes.len() as u64,
            Self::Static(bytes) => bytes.len() as u64,
        }
    }

    /// Fills `out` with the bytes starting at `offset`.
    pub fn read(&mut self, offset: u64, out: &mut [u8]) -> Result<(), BookError> {
        let bytes = match self {
            Self::File(file, _) => {
                file.seek(SeekFrom::Start(offset))?;
                return file.read_exact(out).map_err(|error| BookError::at(offset, error.to_string()));
            }
            Self::Bytes(bytes) => bytes.as_slice(),
            Self::Static(bytes) => bytes,
        };
        let from = usize::try_from(offset).ok();
        let part = from.and_then(|from| bytes.get(from..from.checked_add(out.len())?));
        out.copy_from_slice(part.ok_or_else(|| BookError::at(offset, "unexpected end of the book"))?);
        Ok(())
    }
}

/// Reads a whole file of at most `most` bytes.
pub(super) fn whole(path: &Path, most: u64) -> Result<Vec<u8>, BookError> {
    read_whole(path, most).map_err(|error| BookError::Io(error.source))
}
