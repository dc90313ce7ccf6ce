//! The values of a class, and their file format.
//!
//! The file is a header of 64 bytes (little-endian: 8 bytes magic, version `u32`, pass rule `u32` (0 literal, 1 free),
//! name of the class in 24 bytes, number of values `u64`, checksum of the values `u64`, values per chunk `u32`, number
//! of chunks `u32`), the compressed length of every chunk as `u32`, and the chunks, each a raw deflate stream. The
//! values are in the order of [`Layout`], one byte each: the distance to mate in plies, odd if the side to move wins
//! and even if it loses, or [`DRAW`] or [`BROKEN`].

use super::layout::{Layout, Placement};
use super::material::Class;
use crate::solved::Value;
use miniz_oxide::deflate::compress_to_vec;
use miniz_oxide::inflate::decompress_to_vec_with_limit;
use sanban_rules::janggi::Pass;
use sanban_system::{FileError, begins_with, checksum, read_whole, write_whole};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use thiserror::Error;

/// The byte of a position that neither side wins.
pub const DRAW: u8 = 255;
/// The byte of a number that denotes no legal position.
pub const BROKEN: u8 = 254;
/// The largest distance that a byte can represent.
pub const MAX_DISTANCE: u8 = 250;

const MAGIC: [u8; 8] = *b"SANBANje";
const VERSION: u32 = 1;
const HEADER: usize = 64;
const NAME: usize = 24;
/// Number of values per chunk.
const CHUNK: usize = 1 << 20;
/// Maximum file size in bytes. A chunk that does not compress grows by a few bytes.
const MAX_FILE: u64 = 1 << 30;

/// The value that the byte of a legal position represents; `None` if the byte is invalid.
pub fn value_of(byte: u8) -> Option<Value> {
    match byte {
        DRAW => Some(Value::Draw),
        plies if plies > MAX_DISTANCE => None,
        plies if plies % 2 == 1 => Some(Value::Win(plies)),
        plies => Some(Value::Loss(plies)),
    }
}

/// The error for a table that cannot be used.
#[derive(Debug, Error)]
pub enum TableError {
    /// The file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The content is invalid.
    #[error("{}: {fault}", path.display())]
    Content {
        /// The file.
        path: PathBuf,
        /// The fault.
        fault: TableFault,
    },
}

/// A fault in a table's file.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum TableFault {
    /// The file is not a table.
    #[error("not a table of Janggi endings")]
    NotATable,
    /// The format version is not supported.
    #[error("format version {0}, expected {VERSION}")]
    Version(u32),
    /// The table is for a different class or different rules.
    #[error("the table is for {found}, expected {expected}")]
    Other {
        /// The class and rules named in the file.
        found: String,
        /// The expected content.
        expected: String,
    },
    /// The file is truncated, or bytes have changed.
    #[error("damaged: {0}")]
    Damaged(&'static str),
    /// There is not enough memory for this number of bytes of values.
    #[error("not enough memory for {0} bytes of values")]
    Memory(usize),
}

/// The value of every position of a class.
pub struct Table {
    layout: Arc<Layout>,
    pass: Pass,
    values: Vec<u8>,
}

impl fmt::Debug for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Table({} {})", self.layout.class(), pass_name(self.pass))
    }
}

/// The name of a pass rule in file names and messages.
pub(super) fn pass_name(pass: Pass) -> &'static str {
    match pass {
        Pass::Literal => "literal",
        Pass::Free => "free",
        Pass::Forced => "forced",
    }
}

impl Table {
    /// Creates a table of these values.
    pub(super) fn new(layout: Arc<Layout>, pass: Pass, values: Vec<u8>) -> Self {
        debug_assert_eq!(layout.numbers(), values.len());
        Self { layout, pass, values }
    }

    /// The file name of a class.
    pub fn file_name(class: Class, pass: Pass) -> String {
        format!("{class}.{}", pass_name(pass))
    }

    /// The numbering of the positions.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The pass rule.
    pub fn pass(&self) -> Pass {
        self.pass
    }

    /// All values.
    pub fn values(&self) -> &[u8] {
        &self.values
    }

    /// The byte of a position in which `side` of the class is to move.
    #[inline]
    pub fn byte(&self, placement: &Placement, side: usize) -> u8 {
        self.values[self.layout.index(placement, side)]
    }

    /// Writes the file, which appears under its name only when it is complete. Returns its size in bytes.
    ///
    /// # Errors
    /// The error reported by the system, with the file's name.
    pub fn write(&self, path: &Path) -> Result<u64, FileError> {
        let chunks: Vec<Vec<u8>> = self.values.chunks(CHUNK).map(|chunk| compress_to_vec(chunk, 6)).collect();
        let mut bytes =
            Vec::with_capacity(HEADER + chunks.iter().map(|chunk| chunk.len() + 4).sum::<usize>());
        bytes.extend(MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend(u32::from(self.pass == Pass::Free).to_le_bytes());
        bytes.extend(padded(&self.layout.class().to_string()));
        bytes.extend((self.values.len() as u64).to_le_bytes());
        bytes.extend(checksum(&self.values).to_le_bytes());
        bytes.extend((CHUNK as u32).to_le_bytes());
        bytes.extend((chunks.len() as u32).to_le_bytes());
        for chunk in &chunks {
            bytes.extend((chunk.len() as u32).to_le_bytes());
        }
        bytes.extend(chunks.iter().flatten());
        write_whole(path, &bytes, begins_with(&MAGIC))?;
        Ok(bytes.len() as u64)
    }

    /// Reads the file of a class and checks it.
    ///
    /// # Errors
    /// The file cannot be read, is not a table of this class under this pass rule, or is damaged.
    pub fn read(path: &Path, class: Class, pass: Pass) -> Result<Self, TableError> {
        let bytes = read_whole(path, MAX_FILE)?;
        let fault = |fault| TableError::Content { path: path.into(), fault };
        Self::decode(&bytes, class, pass).map_err(fault)
    }

    fn decode(bytes: &[u8], class: Class, pass: Pass) -> Result<Self, TableFault> {
        let (head, rest) = bytes.split_at_checked(HEADER).ok_or(TableFault::NotATable)?;
        if head[..8] != MAGIC {
            return Err(TableFault::NotATable);
        }
        if u32_at(head, 8) != VERSION {
            return Err(TableFault::Version(u32_at(head, 8)));
        }
        let name = padded(&class.to_string());
        if u32_at(head, 12) != u32::from(pass == Pass::Free) || head[16..16 + NAME] != name {
            let rule = ["literal", "free"].get(u32_at(head, 12) as usize).unwrap_or(&"unknown");
            let found = head[16..16 + NAME].split(|&b| b == 0).next().unwrap_or_default().escape_ascii();
            return Err(TableFault::Other {
                found: format!("{found} with {rule} passes"),
                expected: format!("{class} with {} passes", pass_name(pass)),
            });
        }
        let layout = Layout::new(class);
        let len = layout.numbers();
        let count = len.div_ceil(CHUNK);
        let stated = [u64_at(head, 40), u32_at(head, 56).into(), u32_at(head, 60).into()];
        if stated != [len as u64, CHUNK as u64, count as u64] {
            return Err(TableFault::Damaged("wrong number of values"));
        }
        let (lengths, mut rest) = rest.split_at_checked(count * 4).ok_or(TableFault::Damaged("too short"))?;
        let mut values = Vec::new();
        values.try_reserve_exact(len).map_err(|_| TableFault::Memory(len))?;
        for n in 0..count {
            let stated = u32_at(lengths, n * 4) as usize;
            let (chunk, more) = rest.split_at_checked(stated).ok_or(TableFault::Damaged("too short"))?;
            let plain = decompress_to_vec_with_limit(chunk, CHUNK)
                .map_err(|_| TableFault::Damaged("a chunk cannot be decompressed"))?;
            values.extend(plain);
            rest = more;
        }
        if !rest.is_empty() {
            return Err(TableFault::Damaged("too long"));
        }
        if values.len() != len || checksum(&values) != u64_at(head, 48) {
            return Err(TableFault::Damaged("wrong checksum"));
        }
        Ok(Self { layout: Arc::new(layout), pass, values })
    }
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([0, 1, 2, 3].map(|i| bytes[at + i]))
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from(u32_at(bytes, at)) | u64::from(u32_at(bytes, at + 4)) << 32
}

/// A name, padded with zeros.
fn padded(name: &str) -> [u8; NAME] {
    let mut out = [0; NAME];
    for (to, from) in out.iter_mut().zip(name.bytes()) {
        *to = from;
    }
    out
}
