//! YaneuraOu's binary format for shogi books (`.ybb`). Numbers are little-endian. Each field is shown with its offset
//! and its size in bytes:
//!
//! ```text
//! header:            0 16 "YANE-BINBOOK-V1\0"   16 8 number of records   24 8 flags (bit 0: moves have a depth)
//! records, sorted:   0 32 packed position   32 8 offset of its moves   40 2 ply   42 2 number of moves
//! moves:             0 2 move   2 2 value, i16   [4 2 depth]
//! ```
//!
//! Offsets of moves are relative to the end of the records. A ply of 0 means that the ply is unknown.

use super::source::Source;
use super::{Book, BookError, BookMove, legal};
use sanban_rules::shogi::packed::{pack, pack_move, unpack, unpack_move};
use sanban_rules::{AnyPosition, shogi};
use std::cmp::Ordering;
use std::io::Write;

/// The first bytes of a file.
pub const MAGIC: &[u8; 16] = b"YANE-BINBOOK-V1\0";
const HEADER: u64 = 32;
const RECORD: usize = 44;
/// Flag: moves have a depth.
const DEPTHS: u64 = 1;
/// Number of records that are checked when a book on disk is opened.
const CHECKED: u64 = 1000;

/// A book in this format, in memory or on disk.
pub struct Ybb {
    source: Source,
    records: u64,
    depths: bool,
}

struct Record {
    position: [u8; 32],
    offset: u64,
    ply: u16,
    moves: u16,
}

impl Ybb {
    /// Opens a book and checks the header and the records: all records of a book in memory, the first ones of a book on
    /// disk.
    pub(super) fn new(mut source: Source) -> Result<Self, BookError> {
        let mut header = [0; HEADER as usize];
        source.read(0, &mut header)?;
        if &header[..16] != MAGIC {
            return Err(BookError::at(0, "not a .ybb book"));
        }
        let (records, flags) = (long(&header, 16), long(&header, 24));
        if flags & !DEPTHS != 0 {
            return Err(BookError::at(24, format!("unknown flags {flags:#x}")));
        }
        let room = (source.len() - HEADER) / RECORD as u64;
        if records > room {
            return Err(BookError::at(
                16,
                format!("the header gives {records} positions, but the file has room for {room}"),
            ));
        }
        let checked = if matches!(source, Source::File(..)) { records.min(CHECKED) } else { records };
        let mut book = Self { source, records, depths: flags & DEPTHS != 0 };
        let mut last = None;
        for index in 0..checked {
            let record = book.record(index)?;
            if last.is_some_and(|last| last >= record.position) {
                return Err(BookError::at(at(index), "the positions are not sorted"));
            }
            book.span(index, &record)?;
            last = Some(record.position);
        }
        Ok(book)
    }

    /// Opens a book that is embedded in the program.
    ///
    /// # Errors
    /// The offset of the first error.
    pub fn embedded(bytes: &'static [u8]) -> Result<Self, BookError> {
        Self::new(Source::Static(bytes))
    }

    fn record(&mut self, index: u64) -> Result<Record, BookError> {
        let mut bytes = [0; RECORD];
        self.source.read(at(index), &mut bytes)?;
        let mut position = [0; 32];
        position.copy_from_slice(&bytes[..32]);
        Ok(Record { position, offset: long(&bytes, 32), ply: short(&bytes, 40), moves: short(&bytes, 42) })
    }

    fn move_size(&self) -> u64 {
        if self.depths { 6 } else { 4 }
    }

    /// Returns the offset of the moves of a record.
    fn span(&self, index: u64, record: &Record) -> Result<u64, BookError> {
        let begin = at(self.records).checked_add(record.offset);
        let end = begin.and_then(|begin| begin.checked_add(u64::from(record.moves) * self.move_size()));
        match (begin, end) {
            (Some(begin), Some(end)) if end <= self.source.len() => Ok(begin),
            _ => Err(BookError::at(at(index) + 32, "the moves are beyond the end of the file")),
        }
    }

    fn moves(&mut self, index: u64, pos: &shogi::Position) -> Result<Vec<BookMove>, BookError> {
        let record = self.record(index)?;
        let (begin, size) = (self.span(index, &record)?, self.move_size());
        let mut bytes = vec![0; usize::from(record.moves) * size as usize];
        self.source.read(begin, &mut bytes)?;
        let mut out = Vec::with_capacity(record.moves.into());
        for (number, bytes) in bytes.chunks_exact(size as usize).enumerate() {
            let place = begin + number as u64 * size;
            let mv = unpack_move(short(bytes, 0), pos).ok_or_else(|| BookError::at(place, "illegal move"))?;
            let score = i32::from(short(bytes, 2) as i16);
            let depth = if self.depths { short(bytes, 4).into() } else { 0 };
            out.push(BookMove { score, depth, ..BookMove::new(mv) });
        }
        Ok(out)
    }

    /// Calls `visit` for every position, with its ply and its moves.
    ///
    /// # Errors
    /// The offset of the first error, or an error of `visit`.
    pub fn each(
        &mut self,
        mut visit: impl FnMut(&shogi::Position, Option<usize>, &[BookMove]) -> Result<(), BookError>,
    ) -> Result<(), BookError> {
        for index in 0..self.records {
            let record = self.record(index)?;
            let ply = record.ply.saturating_sub(1);
            let pos =
                unpack(&record.position, ply).ok_or_else(|| BookError::at(at(index), "invalid position"))?;
            let moves = self.moves(index, &pos)?;
            visit(&pos, (record.ply != 0).then_some(record.ply.into()), &moves)?;
        }
        Ok(())
    }
}

impl Book for Ybb {
    fn find(&mut self, pos: &AnyPosition, ply: Option<usize>) -> Result<Vec<BookMove>, BookError> {
        let Some(board) = pos.get::<shogi::Position>() else { return Ok(Vec::new()) };
        let wanted = pack(board);
        let (mut low, mut high) = (0, self.records);
        while low < high {
            let middle = low + (high - low) / 2;
            let record = self.record(middle)?;
            match record.position.cmp(&wanted) {
                Ordering::Less => low = middle + 1,
                Ordering::Greater => high = middle,
                Ordering::Equal
                    if record.ply != 0 && ply.is_some_and(|ply| ply != usize::from(record.ply)) =>
                {
                    break;
                }
                Ordering::Equal => return Ok(legal(pos, self.moves(middle, board)?)),
            }
        }
        Ok(Vec::new())
    }

    fn len(&self) -> Option<u64> {
        Some(self.records)
    }
}

fn at(index: u64) -> u64 {
    HEADER + index * RECORD as u64
}

fn short(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

fn long(bytes: &[u8], at: usize) -> u64 {
    (0..8).rev().fold(0, |sum, i| sum << 8 | u64::from(bytes[at + i]))
}

/// Returns whether the format can represent a position: both kings must be on the board.
pub fn holds(pos: &shogi::Position) -> bool {
    unpack(&pack(pos), 0).is_some()
}

/// A position to write.
pub struct Page<'a> {
    /// The position.
    pub pos: shogi::Position,
    /// The ply of the position, if known.
    pub ply: Option<usize>,
    /// The moves of the position.
    pub moves: &'a [BookMove],
}

/// Writes a book. The format has no replies or counts; depths are written if any move has one.
///
/// # Errors
/// An I/O error, or two entries for the same position.
pub fn write<'a>(out: &mut impl Write, pages: impl Iterator<Item = Page<'a>>) -> Result<(), BookError> {
    struct Packed {
        position: [u8; 32],
        ply: u16,
        moves: Vec<(u16, i16, u16)>,
    }
    let mut records: Vec<Packed> = pages
        .filter(|page| !page.moves.is_empty())
        .map(|page| Packed {
            position: pack(&page.pos),
            ply: page.ply.map_or(0, |ply| u16::try_from(ply).unwrap_or(u16::MAX)),
            moves: page.moves.iter().take(u16::MAX.into()).map(packed_move).collect(),
        })
        .collect();
    records.sort_by_key(|record| record.position);
    if records.windows(2).any(|pair| pair[0].position == pair[1].position) {
        return Err(BookError::Unfit("duplicate position".into()));
    }
    let depths = records.iter().flat_map(|record| &record.moves).any(|&(_, _, depth)| depth > 0);
    out.write_all(MAGIC)?;
    out.write_all(&(records.len() as u64).to_le_bytes())?;
    out.write_all(&u64::from(depths).to_le_bytes())?;
    let mut offset = 0u64;
    for record in &records {
        out.write_all(&record.position)?;
        out.write_all(&offset.to_le_bytes())?;
        out.write_all(&record.ply.to_le_bytes())?;
        out.write_all(&(record.moves.len() as u16).to_le_bytes())?;
        offset += record.moves.len() as u64 * if depths { 6 } else { 4 };
    }
    for &(mv, score, depth) in records.iter().flat_map(|record| &record.moves) {
        out.write_all(&mv.to_le_bytes())?;
        out.write_all(&score.to_le_bytes())?;
        if depths {
            out.write_all(&depth.to_le_bytes())?;
        }
    }
    Ok(())
}

fn packed_move(known: &BookMove) -> (u16, i16, u16) {
    let score = known.score.clamp(i16::MIN.into(), i16::MAX.into()) as i16;
    (pack_move(known.mv), score, u16::try_from(known.depth).unwrap_or(u16::MAX))
}
