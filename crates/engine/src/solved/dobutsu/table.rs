//! The values of the solved game, one byte per slot, and their file format.
//!
//! The file is a header of 32 bytes (little-endian: 8 bytes magic, version `u32`, game `u32` (0 original, 1 with mate),
//! number of slots `u64`, checksum `u64`) followed by the bytes in the order of [`super::index`]. A byte is the
//! distance to the end of the game in plies, odd if the side to move wins and even if it loses, or [`DRAW`] or
//! [`TAKE`].

use super::index::{SLOTS, Slot};
use crate::solved::Value;
use sanban_system::open_file;
use std::fmt;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// The byte of a drawn position.
pub const DRAW: u8 = 255;
/// The byte of a position in which the side to move can capture the lion immediately.
pub const TAKE: u8 = 254;
/// Upper limit of distances in plies.
pub const MAX_DISTANCE: u8 = 200;

/// The first bytes of a table file.
pub const MAGIC: [u8; 8] = *b"SANBANdb";
const VERSION: u32 = 1;
/// Length of the header in bytes.
pub const HEADER: usize = 32;

/// The value that a byte of the table represents.
#[inline]
pub fn value_of(byte: u8) -> Value {
    match byte {
        TAKE => Value::Win(1),
        plies if plies > MAX_DISTANCE => Value::Draw,
        plies if plies % 2 == 1 => Value::Win(plies),
        plies => Value::Loss(plies),
    }
}

/// The error for a table file that cannot be used.
#[derive(Debug, Error)]
#[error("{}: {fault}", path.display())]
pub struct TableError {
    /// The file.
    pub path: PathBuf,
    /// The fault.
    pub fault: TableFault,
}

/// A fault in a table file.
#[derive(Debug, Error)]
pub enum TableFault {
    /// The file cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file is not a table.
    #[error("not a table of Dobutsu shogi")]
    NotATable,
    /// The format version is not supported.
    #[error("format version {0}, expected {VERSION}")]
    Version(u32),
    /// The table is for a different game.
    #[error("the table is for {found}, expected {expected}")]
    Game {
        /// The game in the header.
        found: &'static str,
        /// The requested game.
        expected: &'static str,
    },
    /// The file is too short or too long, or its header has the wrong number of slots.
    #[error("{found} bytes of values, expected {expected}")]
    Size {
        /// Number of bytes after the header, or the number that the header states.
        found: u64,
        /// Expected number of bytes.
        expected: u64,
    },
    /// The values are damaged.
    #[error("damaged: checksum is {found:016x}, expected {expected:016x}")]
    Damaged {
        /// The checksum of the values.
        found: u64,
        /// The checksum in the header.
        expected: u64,
    },
    /// There is not enough memory for this number of bytes of values.
    #[error("not enough memory for {0} bytes of values")]
    Memory(usize),
}

/// The value of every slot of one game.
#[derive(PartialEq)]
pub struct Table {
    path: PathBuf,
    checksum: u64,
    values: Vec<u8>,
}

impl fmt::Debug for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Table({})", self.path.display())
    }
}

impl Table {
    /// Reads a whole file into memory and checks it.
    ///
    /// # Errors
    /// The file cannot be read, is not a table of this game, or is damaged.
    pub fn load(path: &Path, mate: bool) -> Result<Self, TableError> {
        let (values, checksum) = read(path, mate, SLOTS)?;
        Ok(Self { path: path.into(), checksum, values })
    }

    /// Parses the contents of a table file.
    ///
    /// # Errors
    /// The file is not a table of this game, or is damaged.
    pub fn from_file(mut file: Vec<u8>, mate: bool) -> Result<Self, TableFault> {
        let Some((header, values)) = file.split_first_chunk() else { return Err(TableFault::NotATable) };
        let checksum = expected_checksum(header, mate, values.len() as u64, SLOTS as u64)?;
        verify(values, checksum)?;
        // The header is removed in place, because there may not be enough memory for two tables.
        file.drain(..HEADER);
        Ok(Self { path: PathBuf::new(), checksum, values: file })
    }

    /// A copy of these values.
    ///
    /// # Errors
    /// There is not enough memory.
    pub fn of_values(values: &[u8]) -> Result<Self, TableFault> {
        let mut copy = Vec::new();
        copy.try_reserve_exact(values.len()).map_err(|_| TableFault::Memory(values.len()))?;
        copy.extend_from_slice(values);
        Ok(Self { path: PathBuf::new(), checksum: checksum(values), values: copy })
    }

    /// The value of a slot; `None` if it has no number, see [`Slot::place`].
    #[inline]
    pub fn value(&self, slot: &Slot) -> Option<Value> {
        let place = slot.place()?;
        Some(value_of(self.values[place.index as usize]))
    }
}

fn game(mate: bool) -> &'static str {
    if mate { "dobutsumate" } else { "dobutsu" }
}

/// Writes header and values.
///
/// # Errors
/// The error reported by the system.
pub fn write(out: &mut impl Write, mate: bool, values: &[u8]) -> io::Result<()> {
    out.write_all(&header(mate, values))?;
    out.write_all(values)?;
    out.flush()
}

/// The header of a file with these values.
pub fn header(mate: bool, values: &[u8]) -> [u8; HEADER] {
    let mut header = [0; HEADER];
    header[..8].copy_from_slice(&MAGIC);
    header[8..12].copy_from_slice(&VERSION.to_le_bytes());
    header[12..16].copy_from_slice(&u32::from(mate).to_le_bytes());
    header[16..24].copy_from_slice(&(values.len() as u64).to_le_bytes());
    header[24..].copy_from_slice(&checksum(values).to_le_bytes());
    header
}

/// Reads a file written by [`write`](write()). Returns its `count` values and their checksum.
///
/// # Errors
/// See [`Table::load`].
pub fn read(path: &Path, mate: bool, count: usize) -> Result<(Vec<u8>, u64), TableError> {
    read_file(path, mate, count).map_err(|fault| TableError { path: path.into(), fault })
}

fn read_file(path: &Path, mate: bool, count: usize) -> Result<(Vec<u8>, u64), TableFault> {
    let mut file = open_file(path)?;
    let mut header = [0; HEADER];
    match file.read_exact(&mut header) {
        Err(e) if e.kind() == io::ErrorKind::UnexpectedEof => return Err(TableFault::NotATable),
        other => other?,
    }
    let expected = count as u64;
    let length = file.metadata()?.len().saturating_sub(HEADER as u64);
    let checksum = expected_checksum(&header, mate, length, expected)?;
    let mut values = Vec::new();
    values.try_reserve_exact(count).map_err(|_| TableFault::Memory(count))?;
    // One byte more than expected, to detect a file that grows in the meantime.
    file.take(expected + 1).read_to_end(&mut values)?;
    if values.len() != count {
        return Err(TableFault::Size { found: values.len() as u64, expected });
    }
    verify(&values, checksum)?;
    Ok((values, checksum))
}

/// Checks the header of a file of this game with `expected` values, which is followed by `length` bytes. Returns the
/// checksum in the header.
fn expected_checksum(
    header: &[u8; HEADER],
    mate: bool,
    length: u64,
    expected: u64,
) -> Result<u64, TableFault> {
    let u32_at = |at: usize| u32::from_le_bytes([0, 1, 2, 3].map(|i| header[at + i]));
    let u64_at = |at: usize| u64::from(u32_at(at)) | u64::from(u32_at(at + 4)) << 32;
    if header[..8] != MAGIC {
        return Err(TableFault::NotATable);
    }
    if u32_at(8) != VERSION {
        return Err(TableFault::Version(u32_at(8)));
    }
    if u32_at(12) != u32::from(mate) {
        let found = ["dobutsu", "dobutsumate"].get(u32_at(12) as usize).copied().unwrap_or("an unknown game");
        return Err(TableFault::Game { found, expected: game(mate) });
    }
    if let Some(found) = [u64_at(16), length].into_iter().find(|&found| found != expected) {
        return Err(TableFault::Size { found, expected });
    }
    Ok(u64_at(24))
}

fn verify(values: &[u8], expected: u64) -> Result<(), TableFault> {
    match checksum(values) {
        found if found == expected => Ok(()),
        found => Err(TableFault::Damaged { found, expected }),
    }
}

/// Computes a checksum with four interleaved streams of multiply and rotate, eight bytes per step; the last bytes are
/// padded with zeros. Each step is a bijection of the state, so a single wrong byte is always detected.
fn checksum(values: &[u8]) -> u64 {
    const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;
    let step = |state: u64, word: u64| (state ^ word).wrapping_mul(FACTOR).rotate_left(29);
    let word = |bytes: &[u8; 8]| u64::from_le_bytes(*bytes);
    let (words, rest) = values.as_chunks::<8>();
    let (fours, words) = words.as_chunks::<4>();
    let mut lanes = [1, 2, 3, 4];
    for four in fours {
        for (lane, bytes) in lanes.iter_mut().zip(four) {
            *lane = step(*lane, word(bytes));
        }
    }
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    let last = (!rest.is_empty()).then_some(&last);
    lanes.into_iter().chain(words.iter().chain(last).map(word)).fold(values.len() as u64, step)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch::Scratch;

    fn sample() -> (Vec<u8>, Vec<u8>) {
        let values: Vec<u8> = (0..1003).map(|i| (i * 7 % 251) as u8).collect();
        let mut file = Vec::new();
        write(&mut file, false, &values).expect("writing to memory succeeds");
        (values, file)
    }

    fn read_bytes(bytes: &[u8], mate: bool) -> Result<Vec<u8>, String> {
        let dir = Scratch::new();
        let path = dir.0.join("table");
        std::fs::write(&path, bytes).expect("file is writable");
        read(&path, mate, 1003).map(|(values, _)| values).map_err(|error| error.to_string())
    }

    #[test]
    fn what_is_written_is_read() {
        let (values, file) = sample();
        assert_eq!(read_bytes(&file, false), Ok(values));
    }

    #[test]
    fn a_file_that_is_not_the_table_is_refused_with_what_was_found() {
        let (_, file) = sample();
        let changed = |at: usize| {
            let mut bytes = file.clone();
            bytes[at] ^= 4;
            bytes
        };
        let refused = |bytes: &[u8], mate: bool, words: &str| {
            assert!(read_bytes(bytes, mate).is_err_and(|error| error.contains(words)), "{words}");
        };
        refused(&file[..1000], false, "968 bytes of values, expected 1003");
        refused(&file[..20], false, "not a table");
        refused(&[], false, "not a table");
        refused(&[&file[..], &[0]].concat(), false, "1004 bytes");
        refused(&changed(0), false, "not a table");
        refused(&changed(8), false, "version 5");
        refused(&file, true, "table is for dobutsu, expected dobutsumate");
        refused(&changed(13), false, "an unknown game");
        refused(&changed(16), false, "1007 bytes");
        for at in [24, HEADER, HEADER + 500, HEADER + 1002] {
            refused(&changed(at), false, "damaged");
        }
        let missing = read(Path::new("/no/such/table"), false, 1003);
        assert!(matches!(missing, Err(TableError { fault: TableFault::Io(_), .. })));
    }

    #[test]
    fn bytes_are_values() {
        assert_eq!(value_of(TAKE), Value::Win(1));
        assert_eq!(value_of(DRAW), Value::Draw);
        assert_eq!(value_of(173).to_string(), "win 173");
        assert_eq!(value_of(0).to_string(), "loss 0");
    }
}
