//! Training positions of shogi in the form that other tools read and write: 40 bytes each ("PackedSfenValue" of
//! YaneuraOu), the position in 256 bits.
//!
//! ```text
//! 0 32 position   32 2 score, i16   34 2 move   36 2 game ply, 1 at the start   38 1 result for the side to move, i8   39 1 zero
//! ```

use super::error::TrainError;
use super::record::{Record, Result as Outcome};
use super::samples::{Data, is_quiet};
use super::shard;
use crate::base::{Color, FileError, Move, Rng, Score, available_memory, open_file};
use crate::game::Position as _;
use crate::shogi::packed::{pack, pack_move, unpack, unpack_move};
use crate::shogi::{Position, START};
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

/// Bytes of a position with its labels.
pub const SIZE: usize = 40;
/// How many bytes of a file are read between two checks for free memory, and how much must be free.
const LOOK: usize = SIZE << 18;
const LEFT: u64 = 256 << 20;

/// A position and what is known of it.
#[derive(Clone)]
pub struct Entry {
    /// The position; it knows its game ply.
    pub pos: Position,
    /// Centipawns for the side to move.
    pub score: i16,
    /// The move that was chosen.
    pub mv: Option<Move>,
    /// 1 when the side to move won, -1 when it lost, 0 for a draw.
    pub result: i8,
}

impl Entry {
    /// The 40 bytes.
    pub fn to_bytes(&self) -> [u8; SIZE] {
        let mut out = [0; SIZE];
        out[..32].copy_from_slice(&pack(&self.pos));
        out[32..34].copy_from_slice(&self.score.to_le_bytes());
        out[34..36].copy_from_slice(&self.mv.map_or(0, pack_move).to_le_bytes());
        out[36..38].copy_from_slice(&((self.pos.game_ply() + 1).min(65_535) as u16).to_le_bytes());
        out[38] = self.result as u8;
        out
    }

    /// Reads 40 bytes; `None` where they make no sense.
    pub fn from_bytes(bytes: &[u8; SIZE]) -> Option<Self> {
        let short = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
        let pos = unpack(bytes.first_chunk()?, short(36).saturating_sub(1))?;
        let mv = unpack_move(short(34), &pos);
        let result = bytes[38] as i8;
        (-1..=1).contains(&result).then_some(Self { pos, score: short(32) as i16, mv, result })
    }
}

/// Appends every searched position of a game since its last random move. The error is the number of the first
/// illegal ply.
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

/// Adds the quiet positions of a file to training data; positions of one game stay together as far as the file keeps
/// them together. What is no position is left out, and told with the offset of the first. An error names the file.
pub fn import(path: &Path, data: &mut Data) -> Result<(), TrainError> {
    let shown = path.display();
    let unread = |source| FileError { path: path.into(), source };
    let file = open_file(path).map_err(unread)?;
    let mut input = BufReader::new(file);
    let start = input.fill_buf().map_err(unread)?;
    if start.starts_with(shard::MAGIC) {
        return Err(TrainError::NotPositions(path.into()));
    }
    let (mut last_ply, mut rng, mut validation) = (usize::MAX, Rng::new(0), false);
    let (mut moveless, mut damaged, mut first, mut offset, mut bytes) =
        (0, 0, 0, 0, Vec::with_capacity(SIZE));
    loop {
        bytes.clear();
        let length = input.by_ref().take(SIZE as u64).read_to_end(&mut bytes);
        let length = length.map_err(unread)?;
        if length == 0 {
            break;
        }
        let entry = bytes.as_slice().try_into().ok().and_then(Entry::from_bytes);
        let at = offset;
        offset += length;
        if at % LOOK == 0 && available_memory().is_some_and(|bytes| bytes < LEFT) {
            return Err(TrainError::Memory { path: path.into(), offset: at });
        }
        let Some(entry) = entry else {
            first = if damaged == 0 { at } else { first };
            damaged += 1;
            continue;
        };
        if entry.pos.game_ply() <= last_ply {
            data.games += 1;
            validation = rng.below(100) == 0;
        }
        last_ply = entry.pos.game_ply();
        data.plies += 1;
        moveless += u64::from(entry.mv.is_none());
        if entry.mv.is_some_and(|mv| is_quiet(&entry.pos, mv, Score::from(entry.score))) {
            let black = if entry.pos.side() == Color::Black { entry.result } else { -entry.result };
            let result = [Outcome::Loss, Outcome::Draw, Outcome::Win][(black + 1) as usize];
            let samples = if validation { &mut data.validation } else { &mut data.training };
            samples.push(&entry.pos, entry.score.into(), result);
        }
    }
    if damaged > 0 {
        data.damaged
            .push(format!("{shown}: {damaged} records without a position, the first at offset {first}"));
    }
    if moveless > 0 {
        data.damaged.push(format!("{shown}: {moveless} positions without a legal move to judge them by"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::MoveList;

    #[test]
    fn entries_come_back_and_damage_is_refused() {
        let mut rng = Rng::new(2);
        for game in 0..20 {
            let mut pos = Position::from_sfen(START).expect("the start position");
            for _ in 0..150 {
                let mut moves = MoveList::new();
                pos.legal(&mut moves);
                if moves.is_empty() {
                    break;
                }
                let mv = moves[rng.below(moves.len())];
                let entry = Entry { pos: pos.clone(), score: -321, mv: Some(mv), result: 1 - game % 3 };
                let bytes = entry.to_bytes();
                let back = Entry::from_bytes(&bytes).expect("an entry");
                assert_eq!(
                    (back.pos.sfen(), back.score, back.mv, back.result),
                    (pos.sfen(), -321, Some(mv), entry.result)
                );
                // Whatever stands there, reading it does no harm.
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
}
