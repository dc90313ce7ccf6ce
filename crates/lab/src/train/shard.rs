//! Files of game records.
//!
//! ```text
//!  0  8  magic "SANBANGR"     8  4  version 3           12  4  games            16  4  bytes after the header
//! 20  4  moves               24  8  checksum            32  8  seed             40  8  first game
//! 48  4  nodes per move      52 12  the game's name     64 64  the evaluation's fingerprint and name
//! 128 8  checksum of the records of these games         136    packed games (`packed`)
//! ```
//!
//! The checksums are FNV-1a; the first covers all other bytes. Version 2 has 8 bytes for the size instead of the size and
//! the number of moves, and from 128 on the records. It is read, but no longer written.

use super::error::{ShardError, ShardFault, TrainError};
use super::packed::{self, Coder, Decoder, Encoder};
use super::record::Record;
use sanban_rules::{AnyPosition, VariantId, each_board};
use sanban_system::{FileError, Whole, checksum, open_file, read_whole};
use std::io::{self, Read, Write};
use std::path::Path;

pub const MAGIC: &[u8; 8] = b"SANBANGR";
const VERSION: u32 = 3;
/// The version with records that are not packed.
const RAW: u32 = 2;
const HEADER: usize = 128;
/// The location of the checksum.
const SUM: std::ops::Range<usize> = 24..32;
/// Maximum size of a shard in bytes.
const LARGEST: u64 = 1 << 30;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Origin {
    pub game: String,
    /// Fingerprint (16 digits) and name of the evaluation.
    pub evaluation: String,
    /// Seed for the whole run.
    pub seed: u64,
    /// Nodes per move.
    pub nodes: u32,
    /// Number of the first game.
    pub first: u64,
}

impl Origin {
    /// Returns whether these are the same games. The name of the evaluation may differ.
    pub fn same_games(&self, other: &Self) -> bool {
        let evaluation = other.evaluation.clone();
        self.evaluation.get(..16) == evaluation.get(..16) && Self { evaluation, ..self.clone() } == *other
    }

    /// The origin with strings truncated to fit the header.
    pub fn clipped(mut self) -> Self {
        for (text, room) in [(&mut self.game, 12), (&mut self.evaluation, 64)] {
            let end = (0..=room.min(text.len())).rev().find(|&end| text.is_char_boundary(end)).unwrap_or(0);
            text.truncate(end);
        }
        self
    }
}

/// Size in bytes of a shard with these numbers of games and plies, at most.
pub fn size(games: u64, plies: usize) -> u64 {
    HEADER as u64 + games * Record::size(plies) as u64
}

/// Writes the contents of a shard.
///
/// # Errors
/// The error of the system, or a game breaks the rules.
pub fn finish(mut whole: Whole, origin: &Origin, records: &[Record]) -> io::Result<()> {
    whole.file().write_all(&bytes(origin, records).map_err(io::Error::other)?)?;
    whole.finish()
}

/// Packs games of the origin's kind, or unpacks these numbers of games and plies; see [`packed::code`].
fn code(
    origin: &Origin,
    coder: &mut dyn Coder,
    known: Option<&[Record]>,
    counts: (usize, usize),
) -> Result<Vec<Record>, usize> {
    let id: VariantId = origin.game.parse().map_err(|_| 0_usize)?;
    each_board!(AnyPosition::new(id).board(), pos => packed::code(coder, pos, known, counts))
}

fn raw_records(records: &[Record]) -> Vec<u8> {
    let mut out = Vec::new();
    records.iter().for_each(|record| record.write(&mut out));
    out
}

/// The contents of a file with these games. Scores are rounded.
///
/// # Errors
/// The first game that breaks the rules.
pub fn bytes(origin: &Origin, records: &[Record]) -> Result<Vec<u8>, ShardError> {
    let plies = records.iter().map(|record| record.plies.len()).sum();
    let mut encoder = Encoder::default();
    let coded = code(origin, &mut encoder, Some(records), (records.len(), plies))
        .map_err(|game| ShardError { offset: 0, fault: ShardFault::Game(game) })?;
    let mut payload = checksum(&raw_records(&coded)).to_le_bytes().to_vec();
    payload.extend(encoder.finish());
    Ok(file(origin, VERSION, records.len(), [payload.len() as u32, plies as u32], &payload))
}

/// The contents of a file of version 2, with moves and scores of 16 bits each, as earlier versions of the program wrote
/// it.
#[doc(hidden)]
pub fn raw_bytes(origin: &Origin, records: &[Record]) -> Vec<u8> {
    let payload = raw_records(records);
    file(origin, RAW, records.len(), [payload.len() as u32, 0], &payload)
}

fn file(origin: &Origin, version: u32, games: usize, sizes: [u32; 2], payload: &[u8]) -> Vec<u8> {
    let origin = origin.clone().clipped();
    let mut out = MAGIC.to_vec();
    for n in [version, games as u32, sizes[0], sizes[1]] {
        out.extend(n.to_le_bytes());
    }
    for n in [0, origin.seed, origin.first] {
        out.extend(n.to_le_bytes());
    }
    out.extend(origin.nodes.to_le_bytes());
    out.extend(origin.game.as_bytes());
    out.resize(64, 0);
    out.extend(origin.evaluation.as_bytes());
    out.resize(HEADER, 0);
    out.extend(payload);
    let sum = sum(&out).to_le_bytes();
    out[SUM].copy_from_slice(&sum);
    out
}

fn sum(bytes: &[u8]) -> u64 {
    checksum(&[&bytes[..SUM.start], &bytes[SUM.end..]].concat())
}

struct Header {
    origin: Origin,
    version: u32,
    games: usize,
    /// Number of bytes after the header.
    size: usize,
    /// Number of moves; 0 in [`RAW`] shards.
    plies: usize,
    checksum: u64,
}

fn header(bytes: &[u8]) -> Result<Header, ShardError> {
    if !bytes.starts_with(MAGIC) {
        return Err(ShardError { offset: 0, fault: ShardFault::NotGames });
    }
    if bytes.len() < HEADER {
        return Err(short(bytes, "header", HEADER));
    }
    let number =
        |at: usize, len: usize| bytes[at..at + len].iter().rev().fold(0, |sum, &b| sum << 8 | u64::from(b));
    let version = number(8, 4) as u32;
    if ![RAW, VERSION].contains(&version) {
        let fault = ShardFault::Version { found: version.into(), expected: VERSION };
        return Err(ShardError { offset: 8, fault });
    }
    let text = |range| String::from_utf8_lossy(&bytes[range]).trim_end_matches('\0').to_string();
    let origin = Origin {
        game: text(52..64),
        evaluation: text(64..128),
        seed: number(32, 8),
        nodes: number(48, 4) as u32,
        first: number(40, 8),
    };
    let (size, plies) = if version == RAW { (number(16, 8), 0) } else { (number(16, 4), number(20, 4)) };
    let (games, checksum) = (number(12, 4) as usize, number(24, 8));
    Ok(Header { origin, version, games, size: size as usize, plies: plies as usize, checksum })
}

fn short(bytes: &[u8], part: &'static str, expected: usize) -> ShardError {
    ShardError { offset: bytes.len(), fault: ShardFault::Short { part, expected } }
}

/// Reads a shard and checks all of its records.
pub fn parse(bytes: &[u8]) -> Result<(Origin, Vec<Record>), ShardError> {
    let Header { origin, version, games, size, plies, checksum } = header(bytes)?;
    let rest = &bytes[HEADER..];
    if rest.len() != size {
        return Err(short(bytes, "file", HEADER.saturating_add(size)));
    }
    if sum(bytes) != checksum {
        return Err(ShardError { offset: SUM.start, fault: ShardFault::Checksum });
    }
    let records = if version == RAW { raw(rest, games) } else { unpack(rest, &origin, (games, plies)) };
    Ok((origin, records?))
}

/// Reads records that are not packed.
fn raw(bytes: &[u8], games: usize) -> Result<Vec<Record>, ShardError> {
    let (mut records, mut rest) = (Vec::new(), bytes);
    let error = |rest: &[u8], fault| ShardError { offset: HEADER + bytes.len() - rest.len(), fault };
    for game in 0..games {
        let fault = error(rest, ShardFault::Game(game));
        records.push(Record::read(&mut rest).ok_or(fault)?);
    }
    if rest.is_empty() { Ok(records) } else { Err(error(rest, ShardFault::Rest)) }
}

fn unpack(bytes: &[u8], origin: &Origin, counts: (usize, usize)) -> Result<Vec<Record>, ShardError> {
    let error = |fault| ShardError { offset: HEADER, fault };
    let (known, packed) = bytes.split_at_checked(8).ok_or(error(ShardFault::Packed))?;
    // A game without moves takes two bytes; moves take less than half a bit only if there is no choice.
    if counts.0 > 8 * packed.len() || counts.1 > 16 * packed.len() {
        return Err(error(ShardFault::Packed));
    }
    let records = code(origin, &mut Decoder::new(packed), None, counts);
    let records = records.map_err(|game| error(ShardFault::Game(game)))?;
    if known == checksum(&raw_records(&records)).to_le_bytes() {
        Ok(records)
    } else {
        Err(error(ShardFault::Packed))
    }
}

/// The offset of a game in the file of these games, if they are not packed. The moves of packed games are legal.
pub fn offset(records: &[Record], game: usize) -> usize {
    let mut before = Vec::new();
    records[..game].iter().for_each(|record| record.write(&mut before));
    HEADER + before.len()
}

/// The origin of the games of a shard file, from its header; `None` if the header is damaged.
///
/// # Errors
/// The file cannot be read, or its version is not supported.
pub fn origin(path: &Path) -> Result<Option<Origin>, TrainError> {
    let unread = |source| FileError { path: path.into(), source };
    let file = open_file(path).map_err(unread)?;
    let mut bytes = vec![];
    file.take(HEADER as u64).read_to_end(&mut bytes).map_err(unread)?;
    match header(&bytes) {
        Ok(header) => Ok(Some(header.origin)),
        Err(source) if bytes.len() == HEADER && bytes.starts_with(MAGIC) => {
            Err(TrainError::Shard { path: path.into(), source })
        }
        Err(_) => Ok(None),
    }
}

pub fn read(path: &Path) -> Result<(Origin, Vec<Record>), TrainError> {
    let bytes = read_whole(path, LARGEST)?;
    parse(&bytes).map_err(|source| TrainError::Shard { path: path.into(), source })
}

#[cfg(test)]
mod tests {
    use super::super::packed::tests::{random_game, rounded};
    use super::*;
    use crate::scratch::Scratch;
    use sanban_rules::{Rng, shogi};

    fn games() -> (Origin, Vec<Record>) {
        let mut rng = Rng::new(3);
        let evaluation =
            "by hand, and a name that is longer than the sixty-four bytes there are for it".into();
        let origin = Origin { game: "shogi".into(), evaluation, seed: 7, nodes: 500, first: 1024 };
        (origin, (0..20).map(|n| random_game(&shogi::Position::default(), n * 7, &mut rng)).collect())
    }

    #[test]
    fn games_come_back() {
        let dir = Scratch::new();
        let path = dir.0.join("a.games");
        let (origin, records) = games();
        let mut whole = Whole::create(&path).expect("directory is writable");
        whole.reserve(size(records.len() as u64, 140)).expect("enough disk space");
        finish(whole, &origin, &records).expect("enough disk space");
        assert_eq!(dir.names(), ["a.games"]);
        let records: Vec<Record> = records.iter().map(rounded).collect();
        assert_eq!(read(&path).ok(), Some((origin.clone().clipped(), records.clone())));
        // Packing them again changes nothing.
        assert_eq!(bytes(&origin, &records).ok(), std::fs::read(&path).ok());
        assert!(read(&dir.0.join("b.games")).is_err_and(|error| error.to_string().contains("b.games")));
    }

    /// Shards of earlier versions are read; those of later versions are named.
    #[test]
    fn versions_are_known() {
        let (origin, records) = games();
        let mut raw = raw_bytes(&origin, &records);
        assert_eq!(parse(&raw).as_ref(), Ok(&(origin.clone().clipped(), records.clone())));
        raw[8] = 4;
        assert_eq!(
            parse(&raw).map_err(|error| error.to_string()),
            Err("offset 8: version 4, expected 3".into())
        );
        let packed = bytes(&origin, &records).expect("legal games");
        assert!(3 * packed.len() < 2 * raw_bytes(&origin, &records).len());
    }

    #[test]
    fn illegal_games_and_other_games_are_not_packed() {
        let (origin, mut records) = games();
        let unknown = Origin { game: "chess".into(), ..origin.clone() };
        assert!(bytes(&unknown, &records).is_err());
        records[5].plies[1].mv = records[5].plies[0].mv;
        let fault = ShardFault::Game(5);
        assert_eq!(bytes(&origin, &records), Err(ShardError { offset: 0, fault }));
    }

    #[test]
    fn damage_is_found_and_placed() {
        let (origin, records) = games();
        for good in [bytes(&origin, &records).expect("legal games"), raw_bytes(&origin, &records)] {
            damage_is_found(&good);
        }
        // Also if the checksum of the file is right.
        let good = bytes(&origin, &records).expect("legal games");
        for at in (12..24).chain(52..64).chain((HEADER..good.len()).step_by(11)) {
            let mut bad = good.clone();
            bad[at] ^= 0x10;
            let right = sum(&bad).to_le_bytes();
            bad[SUM].copy_from_slice(&right);
            // The last bytes may have no effect.
            assert!(parse(&bad).is_err() || parse(&bad) == parse(&good), "damage at {at}");
        }
    }

    fn damage_is_found(good: &[u8]) {
        // Every truncation and every flipped bit is detected.
        for end in (0..good.len()).step_by(13) {
            assert!(
                parse(&good[..end]).is_err_and(|error| error.to_string().starts_with("offset")),
                "cut at {end}"
            );
        }
        for at in (0..HEADER).chain((HEADER..good.len()).step_by(11)) {
            let mut bad = good.to_vec();
            bad[at] ^= 0x10;
            assert!(parse(&bad).is_err(), "damage at {at}");
        }
        assert!(parse(&[good, b"x"].concat()).is_err());
    }
}
