//! The solved game: one byte a slot, and the file they are kept in.
//!
//! The file is a header of 32 bytes (little-endian: 8 bytes magic, version `u32`, game `u32` (0 original, 1 with
//! mate), number of slots `u64`, checksum `u64`) and the bytes in the order of [`super::index`]. A byte is the
//! distance to the end of the game in plies, odd where the side to move wins, even where it loses; or [`DRAW`], or
//! [`TAKE`].

use super::index::{SLOTS, Slot};
use crate::base::open_file;
use std::fmt;
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// The byte of a position that nobody wins.
pub const DRAW: u8 = 255;
/// The byte of a position in which the side to move captures the lion at once.
pub const TAKE: u8 = 254;
/// Larger distances do not occur.
pub const MAX_DISTANCE: u8 = 200;

const MAGIC: [u8; 8] = *b"SANBANdb";
const VERSION: u32 = 1;
/// Bytes that are written at once.
const BUFFER: usize = 1 << 20;
/// Length of the header in bytes.
pub const HEADER: usize = 32;

/// What perfect play leads to, for the side to move, with the plies to the end of the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value {
    /// It wins.
    Win(u8),
    /// It loses; 0 when it is mated or has no move.
    Loss(u8),
    /// Neither side can win.
    Draw,
}

impl Value {
    /// The value of a table's byte.
    #[inline]
    pub fn from_byte(byte: u8) -> Self {
        match byte {
            TAKE => Self::Win(1),
            plies if plies > MAX_DISTANCE => Self::Draw,
            plies if plies % 2 == 1 => Self::Win(plies),
            plies => Self::Loss(plies),
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Win(plies) => write!(f, "win {plies}"),
            Self::Loss(plies) => write!(f, "loss {plies}"),
            Self::Draw => f.write_str("draw"),
        }
    }
}

/// Why a file is not used.
#[derive(Debug, Error)]
pub enum TableError {
    /// It cannot be read.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// It begins with something else.
    #[error("{}: not a table of Dobutsu shogi", .0.display())]
    NotATable(PathBuf),
    /// Its format is another one.
    #[error("{}: version {found} of the format, expected {VERSION}", path.display())]
    Version {
        /// The file.
        path: PathBuf,
        /// The version it states.
        found: u32,
    },
    /// It is the solution of another game.
    #[error("{}: a table of {found}, expected {expected}", path.display())]
    Game {
        /// The file.
        path: PathBuf,
        /// The game it states.
        found: &'static str,
        /// The game that was asked for.
        expected: &'static str,
    },
    /// It is too short or too long, or states another number of slots.
    #[error("{}: {found} bytes of values, expected {expected}", path.display())]
    Size {
        /// The file.
        path: PathBuf,
        /// Bytes after the header, or as many as the header states.
        found: u64,
        /// Bytes there should be.
        expected: u64,
    },
    /// The values are not those that were written.
    #[error("{}: damaged, its checksum is {found:016x}, expected {expected:016x}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The checksum of the values.
        found: u64,
        /// The checksum in the header.
        expected: u64,
    },
    /// There is not enough memory for the values.
    #[error("{}: no memory for {bytes} bytes of values", path.display())]
    Memory {
        /// The file.
        path: PathBuf,
        /// Bytes needed.
        bytes: usize,
    },
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
    pub fn load(path: &Path, mate: bool) -> Result<Self, TableError> {
        let (values, checksum) = read(path, mate, SLOTS)?;
        Ok(Self { path: path.into(), checksum, values })
    }

    /// The value of a slot; `None` for those without a number, see [`Slot::place`].
    #[inline]
    pub fn value(&self, slot: &Slot) -> Option<Value> {
        let place = slot.place()?;
        Some(Value::from_byte(self.values[place.index as usize]))
    }
}

fn game(mate: bool) -> &'static str {
    if mate { "dobutsumate" } else { "dobutsu" }
}

/// Writes header and values.
pub fn write(out: &mut impl Write, mate: bool, values: &[u8]) -> io::Result<()> {
    write_words(out, mate, values.len(), words(values))
}

/// Writes header and so many values, which come eight to a word, the first one lowest.
pub fn write_words(
    out: &mut impl Write,
    mate: bool,
    count: usize,
    values: impl Iterator<Item = u64> + Clone,
) -> io::Result<()> {
    let mut header = [0; HEADER];
    header[..8].copy_from_slice(&MAGIC);
    header[8..12].copy_from_slice(&VERSION.to_le_bytes());
    header[12..16].copy_from_slice(&u32::from(mate).to_le_bytes());
    header[16..24].copy_from_slice(&(count as u64).to_le_bytes());
    header[24..].copy_from_slice(&checksum(count, values.clone()).to_le_bytes());
    let mut out = BufWriter::with_capacity(BUFFER, out);
    out.write_all(&header)?;
    for (word, at) in values.zip((0..count).step_by(8)) {
        out.write_all(&word.to_le_bytes()[..8.min(count - at)])?;
    }
    out.flush()
}

/// Reads what [`write`](write()) wrote: `count` values and their checksum. Anything else is an error that says what was found.
pub fn read(path: &Path, mate: bool, count: usize) -> Result<(Vec<u8>, u64), TableError> {
    let io = |source| TableError::Io { path: path.into(), source };
    let mut file = open_file(path).map_err(io)?;
    let mut header = [0; HEADER];
    match file.read_exact(&mut header) {
        Err(e) if e.kind() == io::ErrorKind::UnexpectedEof => return Err(TableError::NotATable(path.into())),
        other => other.map_err(io)?,
    }
    let u32_at = |at: usize| u32::from_le_bytes([0, 1, 2, 3].map(|i| header[at + i]));
    let u64_at = |at: usize| u64::from(u32_at(at)) | u64::from(u32_at(at + 4)) << 32;
    if header[..8] != MAGIC {
        return Err(TableError::NotATable(path.into()));
    }
    if u32_at(8) != VERSION {
        return Err(TableError::Version { path: path.into(), found: u32_at(8) });
    }
    if u32_at(12) != u32::from(mate) {
        let found = ["dobutsu", "dobutsumate"].get(u32_at(12) as usize).copied().unwrap_or("an unknown game");
        return Err(TableError::Game { path: path.into(), found, expected: game(mate) });
    }
    let size = |found| TableError::Size { path: path.into(), found, expected: count as u64 };
    let length = file.metadata().map_err(io)?.len().saturating_sub(HEADER as u64);
    for found in [u64_at(16), length] {
        if found != count as u64 {
            return Err(size(found));
        }
    }
    let mut values = Vec::new();
    values.try_reserve_exact(count).map_err(|_| TableError::Memory { path: path.into(), bytes: count })?;
    // One byte more than there should be, in case the file grows meanwhile.
    file.take(count as u64 + 1).read_to_end(&mut values).map_err(io)?;
    if values.len() != count {
        return Err(size(values.len() as u64));
    }
    let (found, expected) = (checksum(count, words(&values)), u64_at(24));
    if found != expected {
        return Err(TableError::Damaged { path: path.into(), found, expected });
    }
    Ok((values, found))
}

/// Values eight to a word, the last one filled up with zeroes.
fn words(values: &[u8]) -> impl Iterator<Item = u64> + Clone {
    values.chunks(8).map(|bytes| bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte)))
}

/// Four interleaved streams of multiply and rotate, eight bytes a step. Each step is a bijection of the state, so that a
/// single wrong byte always shows.
fn checksum(count: usize, mut words: impl Iterator<Item = u64>) -> u64 {
    const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;
    let step = |state: u64, word: u64| (state ^ word).wrapping_mul(FACTOR).rotate_left(29);
    let mut lanes = [1, 2, 3, 4];
    for _ in 0..count / 32 {
        for (lane, word) in lanes.iter_mut().zip(&mut words) {
            *lane = step(*lane, word);
        }
    }
    lanes.into_iter().chain(words).fold(count as u64, step)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    /// A file in the system's temporary folder, deleted at the end.
    struct Temp(PathBuf);

    impl Temp {
        fn new(name: &str, bytes: &[u8]) -> Self {
            let path = std::env::temp_dir().join(format!("sanban-{}-{name}", std::process::id()));
            fs::write(&path, bytes).expect("a temporary file");
            Self(path)
        }
    }

    impl Drop for Temp {
        fn drop(&mut self) {
            let _ = fs::remove_file(&self.0);
        }
    }

    fn sample() -> (Vec<u8>, Vec<u8>) {
        let values: Vec<u8> = (0..1003).map(|i| (i * 7 % 251) as u8).collect();
        let mut file = Vec::new();
        write(&mut file, false, &values).expect("memory takes everything");
        (values, file)
    }

    fn refusal(name: &str, bytes: &[u8], mate: bool) -> String {
        let temp = Temp::new(name, bytes);
        read(&temp.0, mate, 1003).map(|_| ()).expect_err("a damaged file was accepted").to_string()
    }

    #[test]
    fn what_is_written_is_read() {
        let (values, file) = sample();
        let temp = Temp::new("good", &file);
        assert_eq!(read(&temp.0, false, 1003).expect("a good file").0, values);
    }

    #[test]
    fn a_file_that_is_not_the_table_is_refused_with_what_was_found() {
        let (_, file) = sample();
        let changed = |at: usize| {
            let mut bytes = file.clone();
            bytes[at] ^= 4;
            bytes
        };
        assert!(refusal("short", &file[..1000], false).contains("968 bytes of values, expected 1003"));
        assert!(refusal("stub", &file[..20], false).contains("not a table"));
        assert!(refusal("empty", &[], false).contains("not a table"));
        assert!(refusal("long", &[&file[..], &[0]].concat(), false).contains("1004 bytes"));
        assert!(refusal("magic", &changed(0), false).contains("not a table"));
        assert!(refusal("version", &changed(8), false).contains("version 5"));
        assert!(refusal("game", &file, true).contains("a table of dobutsu, expected dobutsumate"));
        assert!(refusal("nogame", &changed(13), false).contains("an unknown game"));
        assert!(refusal("count", &changed(16), false).contains("1007 bytes"));
        for at in [24, HEADER, HEADER + 500, HEADER + 1002] {
            assert!(refusal("flipped", &changed(at), false).contains("damaged"), "byte {at}");
        }
        let missing = read(Path::new("/no/such/table"), false, 1003);
        assert!(matches!(missing, Err(TableError::Io { .. })));
    }

    #[test]
    fn bytes_are_values() {
        assert_eq!(Value::from_byte(TAKE), Value::Win(1));
        assert_eq!(Value::from_byte(DRAW), Value::Draw);
        assert_eq!(Value::from_byte(173).to_string(), "win 173");
        assert_eq!(Value::from_byte(0).to_string(), "loss 0");
    }
}
