//! Files of game records.
//!
//! ```text
//!  0  8  magic "SANBANGR"     8  4  version 2           12  4  games            16  8  bytes of records
//! 24  8  checksum            32  8  seed                40  8  first game       48  4  nodes per move
//! 52 12  the game's name     64 64  the evaluation's fingerprint and name      128     records
//! ```
//!
//! The checksum (FNV-1a) covers all other bytes.

use super::error::{ShardError, ShardFault, TrainError};
use super::record::Record;
use sanban_system::{FileError, Whole, checksum, open_file, read_whole};
use std::io::{self, Read, Write};
use std::path::Path;

/// The first bytes of a shard.
pub const MAGIC: &[u8; 8] = b"SANBANGR";
const VERSION: u32 = 2;
const HEADER: usize = 128;
/// The location of the checksum.
const SUM: std::ops::Range<usize> = 24..32;
/// Maximum size of a shard in bytes.
const LARGEST: u64 = 1 << 30;

/// The origin of the games of a shard.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Origin {
    /// Name of the game.
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

/// Size in bytes of a shard with these numbers of games and plies.
pub fn size(games: u64, plies: usize) -> u64 {
    HEADER as u64 + games * Record::size(plies) as u64
}

/// Writes the contents of a shard.
///
/// # Errors
/// The error of the system.
pub fn finish(mut whole: Whole, origin: &Origin, records: &[Record]) -> io::Result<()> {
    whole.file().write_all(&bytes(origin, records))?;
    whole.finish()
}

/// The contents of a file with these games.
pub fn bytes(origin: &Origin, records: &[Record]) -> Vec<u8> {
    let mut payload = Vec::new();
    for record in records {
        record.write(&mut payload);
    }
    let origin = origin.clone().clipped();
    let mut out = MAGIC.to_vec();
    out.extend(VERSION.to_le_bytes());
    out.extend((records.len() as u32).to_le_bytes());
    for n in [payload.len() as u64, 0, origin.seed, origin.first] {
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

/// Reads only the header: the origin and number of the games, the size of the records in bytes, and the checksum.
fn header(bytes: &[u8]) -> Result<(Origin, usize, usize, u64), ShardError> {
    if !bytes.starts_with(MAGIC) {
        return Err(ShardError { offset: 0, fault: ShardFault::NotGames });
    }
    if bytes.len() < HEADER {
        return Err(short(bytes, "header", HEADER));
    }
    let number =
        |at: usize, len: usize| bytes[at..at + len].iter().rev().fold(0, |sum, &b| sum << 8 | u64::from(b));
    if number(8, 4) != u64::from(VERSION) {
        let fault = ShardFault::Version { found: number(8, 4), expected: VERSION };
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
    Ok((origin, number(12, 4) as usize, number(16, 8) as usize, number(24, 8)))
}

fn short(bytes: &[u8], part: &'static str, expected: usize) -> ShardError {
    ShardError { offset: bytes.len(), fault: ShardFault::Short { part, expected } }
}

/// Reads a shard and checks all of its records.
///
/// # Errors
/// The fault and its offset.
pub fn parse(bytes: &[u8]) -> Result<(Origin, Vec<Record>), ShardError> {
    let (origin, games, size, known) = header(bytes)?;
    let mut rest = &bytes[HEADER..];
    if rest.len() != size {
        return Err(short(bytes, "file", HEADER.saturating_add(size)));
    }
    if sum(bytes) != known {
        return Err(ShardError { offset: SUM.start, fault: ShardFault::Checksum });
    }
    let mut records = Vec::new();
    for game in 0..games {
        let fault = ShardError { offset: bytes.len() - rest.len(), fault: ShardFault::Game(game) };
        records.push(Record::read(&mut rest).ok_or(fault)?);
    }
    if !rest.is_empty() {
        return Err(ShardError { offset: bytes.len() - rest.len(), fault: ShardFault::Rest });
    }
    Ok((origin, records))
}

/// The offset of a game in the file of these games.
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
        Ok((origin, ..)) => Ok(Some(origin)),
        Err(source) if bytes.len() == HEADER && bytes.starts_with(MAGIC) => {
            Err(TrainError::Shard { path: path.into(), source })
        }
        Err(_) => Ok(None),
    }
}

/// Reads a shard file.
///
/// # Errors
/// The file cannot be read, or has a fault at some offset.
pub fn read(path: &Path) -> Result<(Origin, Vec<Record>), TrainError> {
    let bytes = read_whole(path, LARGEST)?;
    parse(&bytes).map_err(|source| TrainError::Shard { path: path.into(), source })
}

#[cfg(test)]
mod tests {
    use super::super::record::{Ply, Result as Outcome};
    use super::*;
    use crate::scratch::Scratch;
    use sanban_rules::{Move, Rng};

    fn games() -> (Origin, Vec<Record>) {
        let mut rng = Rng::new(3);
        let record = |n: usize, rng: &mut Rng| Record {
            result: [Outcome::Loss, Outcome::Draw, Outcome::Win][rng.below(3)],
            plies: (0..n)
                .map(|at| Ply {
                    mv: Move::board(rng.below(81), rng.below(81) | 1),
                    score: (at > 3).then(|| rng.below(64_000) as i32 - 32_000),
                })
                .collect(),
        };
        let evaluation =
            "by hand, and a name that is longer than the sixty-four bytes there are for it".into();
        let origin = Origin { game: "shogi".into(), evaluation, seed: 7, nodes: 500, first: 1024 };
        (origin, (0..20).map(|n| record(n * 7, &mut rng)).collect())
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
        assert_eq!(read(&path).ok(), Some((origin.clipped(), records)));
        assert!(read(&dir.0.join("b.games")).is_err_and(|error| error.to_string().contains("b.games")));
    }

    #[test]
    fn damage_is_found_and_placed() {
        let (origin, records) = games();
        let good = bytes(&origin, &records);
        // Every truncation and every flipped bit is detected.
        for end in (0..good.len()).step_by(13) {
            assert!(
                parse(&good[..end]).is_err_and(|error| error.to_string().starts_with("offset")),
                "cut at {end}"
            );
        }
        for at in (0..HEADER).chain((HEADER..good.len()).step_by(11)) {
            let mut bad = good.clone();
            bad[at] ^= 0x10;
            assert!(parse(&bad).is_err(), "damage at {at}");
        }
        assert!(parse(&[&good[..], b"x"].concat()).is_err());
    }
}
