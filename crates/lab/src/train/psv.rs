//! Shogi training positions in the formats of other tools: 40 bytes each ("PackedSfenValue" of YaneuraOu) or 38
//! ("hcpe" of Apery and dlshogi, read only), the position in 256 bits; and whole games ("hcpe3" of dlshogi, read only).
//!
//! ```text
//! 0 32 position   32 2 score, i16   34 2 move   36 2 game ply, 1 at the start   38 1 result for the side to move, i8   39 1 zero
//! 0 32 position   32 2 score, i16   34 2 move   36 1 result, 0 draw, 1 black won, 2 white won    37 1 zero
//! ```

use super::data::{Part, Source};
pub use super::entry::Entry;
use super::error::TrainError;
use super::hcpe3;
use super::quiet::{is_calm, is_quiet};
use super::record::{Record, Result as Outcome};
use super::shard;
use sanban_rules::shogi::packed::{pack, pack_move, unpack, unpack_move};
use sanban_rules::shogi::{Position, START, hcp};
use sanban_rules::{Color, Position as _, Rng, Score};
use sanban_system::{FileError, open_file};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Size in bytes of a position with its labels.
pub const SIZE: usize = 40;
/// Size in bytes of a record of Apery.
pub const HCPE_SIZE: usize = 38;
/// Number of records at the beginning of a file that determine its format.
const PROBED: usize = 64;
/// Number of consecutive records of Apery that are treated as a game, since they contain no ply.
const GAME: usize = 128;
/// Number of positions in a range of a file.
const PART: u64 = 1_000_000;

impl Entry {
    /// Encodes the entry in 40 bytes.
    pub fn to_bytes(&self) -> [u8; SIZE] {
        let mut out = [0; SIZE];
        out[..32].copy_from_slice(&pack(&self.pos));
        out[32..34].copy_from_slice(&self.score.to_le_bytes());
        out[34..36].copy_from_slice(&self.mv.map_or(0, pack_move).to_le_bytes());
        out[36..38].copy_from_slice(&((self.pos.game_ply() + 1).min(65_535) as u16).to_le_bytes());
        out[38] = self.result as u8;
        out
    }

    /// Reads 40 bytes; `None` if they are invalid.
    pub fn from_bytes(bytes: &[u8; SIZE]) -> Option<Self> {
        let short = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
        let pos = unpack(bytes.first_chunk()?, short(36).saturating_sub(1))?;
        let mv = unpack_move(short(34), &pos);
        let result = bytes[38] as i8;
        (-1..=1).contains(&result).then_some(Self { pos, score: short(32) as i16, mv, result })
    }

    /// Reads a record of Apery of 38 bytes; `None` if it is invalid.
    pub fn from_hcpe(bytes: &[u8; HCPE_SIZE]) -> Option<Self> {
        let short = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
        let pos = hcp::unpack(bytes.first_chunk()?, 0)?;
        let mv = hcp::unpack_move(short(34), &pos);
        // The higher bits contain the reason why the game ended.
        let black = [0, 1, -1].get(usize::from(bytes[36] & 3))?;
        let result = if pos.side() == Color::Black { *black } else { -black };
        Some(Self { pos, score: short(32) as i16, mv, result })
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Form {
    Psv,
    Hcpe,
}

impl Form {
    /// Detects the format in which more of the first records are positions with a legal move; `None` if many records
    /// begin the file, and none of them is one in any format.
    fn of(start: &[u8]) -> Option<Self> {
        let sound = |form: Self| {
            let records = start.chunks_exact(form.size()).take(PROBED);
            let usable = |entry: Entry, bytes: &[u8]| entry.mv.is_some() || form.has_no_move(bytes);
            records.filter(|bytes| form.read(bytes).is_some_and(|entry| usable(entry, bytes))).count()
        };
        match (sound(Self::Hcpe), sound(Self::Psv)) {
            (0, 0) if start.len() >= PROBED * SIZE => None,
            (hcpe, psv) if hcpe > psv => Some(Self::Hcpe),
            _ => Some(Self::Psv),
        }
    }

    /// Returns whether the record has no move, as in pools of rescored positions.
    fn has_no_move(self, bytes: &[u8]) -> bool {
        bytes.get(34..36) == Some(&[0, 0])
    }

    fn size(self) -> usize {
        match self {
            Self::Psv => SIZE,
            Self::Hcpe => HCPE_SIZE,
        }
    }

    fn read(self, bytes: &[u8]) -> Option<Entry> {
        match self {
            Self::Psv => Entry::from_bytes(bytes.try_into().ok()?),
            Self::Hcpe => Entry::from_hcpe(bytes.try_into().ok()?),
        }
    }
}

/// Appends every position of a game that was searched after its last random move.
///
/// # Errors
/// The index of the first illegal ply.
pub fn export(record: &Record, out: &mut Vec<u8>) -> Result<(), usize> {
    record.replay(Position::from_sfen(START).map_err(|_| 0usize)?, |pos, at, ply| {
        if let Some(score) = ply.score
            && at >= record.sound_from()
        {
            let black = record.result as i8 - 1;
            let result = if pos.side() == Color::Black { black } else { -black };
            let score = score.clamp(-32_000, 32_000) as i16;
            out.extend(Entry { pos: pos.clone(), score, mv: Some(ply.mv), result }.to_bytes());
        }
    })
}

/// Returns whether a file consists of records of 40 bytes, the first of which are positions.
pub fn is_positions(file: &mut File) -> bool {
    let mut bytes = Vec::new();
    let whole = file.metadata().is_ok_and(|about| about.len() % SIZE as u64 == 0);
    let read = file.rewind().and_then(|()| file.take((PROBED * SIZE) as u64).read_to_end(&mut bytes));
    whole && read.is_ok() && bytes.as_chunks().0.iter().all(|record| Entry::from_bytes(record).is_some())
}

/// Splits a file of positions into ranges that can be read separately.
pub fn sources(path: &Path) -> Result<Vec<Box<dyn Source>>, TrainError> {
    Ok(parts(path)?.into_iter().map(|part| Box::new(part) as Box<dyn Source>).collect())
}

fn parts(path: &Path) -> Result<Vec<Positions>, TrainError> {
    let unread = |source| FileError { path: path.into(), source };
    let file = open_file(path).map_err(unread)?;
    let bytes = file.metadata().map_err(unread)?.len();
    let mut input = BufReader::with_capacity(1 << 16, file);
    let start = input.fill_buf().map_err(unread)?;
    if start.starts_with(shard::MAGIC) {
        return Err(TrainError::NotPositions(path.into()));
    }
    let (form, cuts) = if hcpe3::is_hcpe3(start) {
        (None, hcpe3::cuts(&mut input, PART as usize))
    } else {
        let form = Form::of(start).ok_or_else(|| TrainError::Foreign(path.into()))?;
        (Some(form), (0..bytes).step_by(PART as usize * form.size()).collect())
    };
    let ends = cuts.iter().skip(1).copied().chain([bytes]);
    let ranges = cuts.iter().zip(ends).map(|(&begin, end)| begin..end);
    Ok(ranges.map(|range| Positions { path: path.into(), form, range }).collect())
}

/// A range of a file of positions.
struct Positions {
    path: PathBuf,
    /// The format of the records; `None` if the file consists of games in dlshogi's format.
    form: Option<Form>,
    /// The byte range.
    range: Range<u64>,
}

impl Source for Positions {
    fn read(&self) -> Result<Part, TrainError> {
        let (mut out, mut rng, mut validation) = (Part::default(), Rng::new(self.range.start), false);
        let left_out = self.visit(|entry, begins_game| {
            if begins_game {
                out.games += 1;
                validation = rng.below(100) == 0;
            }
            out.plies += 1;
            let score = Score::from(entry.score);
            let quiet = match entry.mv {
                Some(mv) => is_quiet(&entry.pos, mv, score),
                // Without a move, only the position is checked.
                None => is_calm(&entry.pos, score),
            };
            if quiet {
                push(&entry, validation, &mut out);
            }
        })?;
        out.damaged = left_out;
        Ok(out)
    }
}

/// Calls a function with every position of a file, in order. Returns messages about skipped data, each with the
/// location of the first occurrence.
pub fn visit(path: &Path, mut each: impl FnMut(Entry)) -> Result<Vec<String>, TrainError> {
    let mut left_out = vec![];
    for positions in parts(path)? {
        left_out.extend(positions.visit(|entry, _| each(entry))?);
    }
    Ok(left_out)
}

impl Positions {
    /// Calls a function with every position and whether a game begins there. Positions are recognised as one game if
    /// they are adjacent in the file. Returns messages about skipped data.
    fn visit(&self, each: impl FnMut(Entry, bool)) -> Result<Vec<String>, FileError> {
        let unread = |source| FileError { path: self.path.clone(), source };
        let mut file = open_file(&self.path).map_err(unread)?;
        file.seek(SeekFrom::Start(self.range.start)).map_err(unread)?;
        let mut input = BufReader::with_capacity(1 << 16, file).take(self.range.end - self.range.start);
        match self.form {
            Some(form) => self.visit_records(form, &mut input, each).map_err(unread),
            None => Ok(self.visit_games(&mut input, each)),
        }
    }

    /// Visits the positions of a file of records. Invalid records are skipped.
    fn visit_records(
        &self,
        form: Form,
        input: &mut impl Read,
        mut each: impl FnMut(Entry, bool),
    ) -> io::Result<Vec<String>> {
        let (mut last_ply, mut count) = (usize::MAX, 0_usize);
        let (mut illegal, mut damaged, mut first) = (0, 0, 0);
        let (mut offset, mut bytes) = (self.range.start, Vec::new());
        loop {
            bytes.clear();
            let length = input.by_ref().take(form.size() as u64).read_to_end(&mut bytes)?;
            if length == 0 {
                break;
            }
            let at = offset;
            offset += length as u64;
            let Some(entry) = form.read(&bytes) else {
                first = if damaged == 0 { at } else { first };
                damaged += 1;
                continue;
            };
            let begins_game = match form {
                Form::Psv => entry.pos.game_ply() <= last_ply,
                Form::Hcpe => count.is_multiple_of(GAME),
            };
            last_ply = entry.pos.game_ply();
            count += 1;
            if entry.mv.is_none() && !form.has_no_move(&bytes) {
                illegal += 1;
            } else {
                each(entry, begins_game);
            }
        }
        let mut left_out = vec![];
        let shown = self.path.display();
        if damaged > 0 {
            left_out.push(format!("{shown}: invalid records: {damaged}, the first at offset {first}"));
        }
        if illegal > 0 {
            left_out.push(format!("{shown}: positions skipped because their move is illegal: {illegal}"));
        }
        Ok(left_out)
    }

    /// Visits the positions of games in dlshogi's format. An invalid game ends the file, because the next one cannot be
    /// located.
    fn visit_games(&self, input: &mut impl Read, mut each: impl FnMut(Entry, bool)) -> Vec<String> {
        let (mut left_out, shown, mut offset) = (vec![], self.path.display(), self.range.start);
        loop {
            let game = match hcpe3::read(input) {
                Ok(Some(game)) => game,
                Ok(None) => return left_out,
                Err(error) => {
                    left_out.push(format!("{shown}: offset {offset}: {error}: the rest is skipped"));
                    return left_out;
                }
            };
            if let Some(number) = game.illegal {
                left_out.push(format!(
                    "{shown}: offset {offset}: move {number} is illegal: the rest of the game is skipped"
                ));
            }
            for (n, entry) in game.entries.into_iter().enumerate() {
                each(entry, n == 0);
            }
            offset += game.length as u64;
        }
    }
}

fn push(entry: &Entry, validation: bool, out: &mut Part) {
    let black = if entry.pos.side() == Color::Black { entry.result } else { -entry.result };
    let result = [Outcome::Loss, Outcome::Draw, Outcome::Win][(black + 1) as usize];
    let samples = if validation { &mut out.validation } else { &mut out.training };
    samples.push(&entry.pos, entry.score.into(), result);
}

#[cfg(test)]
mod tests {
    use super::super::data::{Data, Room};
    use super::*;
    use crate::scratch::Scratch;

    fn read(path: &Path) -> Data {
        let sources = sources(path).unwrap_or_else(|error| panic!("{error}"));
        Data::load(sources, Room::available())
    }

    #[test]
    fn entries_come_back_and_damage_is_refused() {
        let mut rng = Rng::new(2);
        for game in 0..20 {
            let mut pos = Position::from_sfen(START).expect("valid start position");
            for _ in 0..150 {
                let moves = pos.legal_moves();
                if moves.is_empty() {
                    break;
                }
                let mv = moves[rng.below(moves.len())];
                let entry = Entry { pos: pos.clone(), score: -321, mv: Some(mv), result: 1 - game % 3 };
                let bytes = entry.to_bytes();
                let back = Entry::from_bytes(&bytes).expect("valid entry");
                assert_eq!(
                    (back.pos.sfen(), back.score, back.mv, back.result),
                    (pos.sfen(), -321, Some(mv), entry.result)
                );
                // Reading arbitrary bytes must not panic.
                let mut bad = bytes;
                bad[rng.below(SIZE)] ^= 1 << rng.below(8);
                if let Some(entry) = Entry::from_bytes(&bad) {
                    assert!(entry.mv.is_none_or(|mv| entry.pos.is_legal(mv)));
                }
                pos.make(mv, &mut ());
            }
        }
        assert!(Entry::from_bytes(&[0xFF; SIZE]).is_none());
    }

    fn bytes(hex: &str) -> Vec<u8> {
        let digits = |at: usize| u8::from_str_radix(&hex[at..at + 2], 16).expect("two hexadecimal digits");
        (0..hex.len()).step_by(2).map(digits).collect()
    }

    /// SFEN, move, score, result for the side to move, and the record that cshogi 1.1.0 created from them.
    const HCPE: [(&str, &str, i16, i8, &str); 4] = [
        (
            START,
            "7g7f",
            -321,
            1,
            "58a449210cd757217e8e4d212caf427814c2ab109e4d212cd75f213e8e49210cbffe3b1e0100",
        ),
        (
            "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
            "G*4h",
            45,
            1,
            "2381490986eb1565014b3cbee40200a0c417b84a0004c744113fc3f9912467bd2d00a22b0200",
        ),
        (
            "ln1g1g1nl/1ks2r3/1pppp1bpp/p4pp2/9/P1P3P1P/1P1PPPN2/1BG1G2R1/LNK2S2L b Sp 1",
            "S*3b",
            900,
            1,
            "7cc049110c97821f7c953878ff1461a1108f5721b015e1b90af1714c9460286c8403132a0100",
        ),
        (
            "4k4/9/4P4/9/9/9/9/9/4K4 b G 1",
            "5c5b+",
            31_000,
            1,
            "5824000000001000000000008e244992244992524a69adb55a6badf7fe78bc5e187925530100",
        ),
    ];

    #[test]
    fn aperys_records_are_read() {
        let (mut rng, mut all) = (Rng::new(5), vec![]);
        for (sfen, mv, score, result, hex) in HCPE {
            let bytes = bytes(hex);
            let entry = Form::Hcpe.read(&bytes).expect("valid entry");
            assert_eq!((entry.pos.sfen(), entry.score, entry.result), (sfen.into(), score, result));
            assert_eq!(entry.mv, entry.pos.parse_usi(mv));
            // Reading arbitrary bytes must not panic.
            for _ in 0..200 {
                let mut bad = bytes.clone();
                bad[rng.below(HCPE_SIZE)] ^= 1 << rng.below(8);
                let entry = Form::Hcpe.read(&bad);
                assert!(entry.is_none_or(|entry| entry.mv.is_none_or(|mv| entry.pos.is_legal(mv))));
            }
            all.extend(bytes);
        }
        assert_eq!(Form::of(&all), Some(Form::Hcpe));
        let dir = Scratch::new();
        let path = dir.0.join("positions.hcpe");
        std::fs::write(&path, all.repeat(200)).expect("directory is writable");
        let data = read(&path);
        // The last position is decided, and its move promotes, so it is not quiet.
        assert_eq!((data.plies, data.len() + data.validation.len()), (800, 600));
        assert!(data.damaged.is_empty() && data.games == 7, "{:?}", data.damaged);
    }

    /// Two games in dlshogi's format, made from the start position packed by cshogi: 7g7f with a candidate, 3c3d
    /// without.
    #[test]
    fn games_of_dlshogi_are_read() {
        let head = &bytes(HCPE[0].4)[..32];
        let first = &bytes(HCPE[0].4)[34..36];
        let mut game = head.to_vec();
        game.extend([2, 0, 1, 0]);
        game.extend([first, &(-30i16).to_le_bytes(), &[1, 0], first, &[9, 0]].concat());
        // 3c3d moves from square 20 to square 21.
        game.extend([&(21u16 | 20 << 7).to_le_bytes()[..], &25i16.to_le_bytes(), &[0, 0]].concat());
        let both = game.repeat(2);
        let dir = Scratch::new();
        let path = dir.0.join("games.hcpe3");
        std::fs::write(&path, &both).expect("directory is writable");
        let data = read(&path);
        assert_eq!((data.games, data.plies, data.len() + data.validation.len()), (2, 2, 2));
        assert!(data.damaged.is_empty(), "{:?}", data.damaged);
        std::fs::write(&path, &both[..both.len() - 3]).expect("directory is writable");
        let data = read(&path);
        assert_eq!((data.games, data.damaged.len()), (1, 1), "{:?}", data.damaged);
    }

    /// Records in pools of positions have no moves.
    #[test]
    fn positions_without_a_move_are_used() {
        let pos = Position::from_sfen(START).expect("valid start position");
        let entry = Entry { pos, score: 12, mv: None, result: 0 };
        let dir = Scratch::new();
        let path = dir.0.join("pool.psv");
        std::fs::write(&path, entry.to_bytes().repeat(50)).expect("directory is writable");
        let data = read(&path);
        assert_eq!((data.plies, data.len() + data.validation.len()), (50, 50));
        assert!(data.damaged.is_empty(), "{:?}", data.damaged);
    }

    #[test]
    fn forms_are_told_apart() {
        let pos = Position::from_sfen(START).expect("valid start position");
        let mv = pos.parse_usi("7g7f");
        let entry = Entry { pos, score: 12, mv, result: 0 };
        assert_eq!(Form::of(&entry.to_bytes().repeat(19)), Some(Form::Psv));
        assert_eq!(Form::of(b""), Some(Form::Psv));
        assert_eq!(Form::of(&[0; PROBED * SIZE]), None);
    }
}
