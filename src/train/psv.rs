//! Training positions of shogi in the form that other tools read and write: 40 bytes each ("PackedSfenValue" of
//! YaneuraOu), the position in 256 bits.
//!
//! ```text
//! 0 32 position   32 2 score, i16   34 2 move   36 2 game ply, 1 at the start   38 1 result for the side to move, i8   39 1 zero
//! ```

use super::record::{Record, Result as Outcome};
use super::samples::{Data, is_quiet};
use crate::base::{Color, Move, Rng, Score};
use crate::game::Position as _;
use crate::shogi::square::{RANKS, SQUARES};
use crate::shogi::{Kind, Position, START};
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;

/// Bytes of a position with its labels.
pub const SIZE: usize = 40;
/// Stands for a king that is not there.
const NO_KING: usize = 81;
/// Order of the pieces in hand.
const HANDS: [Kind; 7] =
    [Kind::Pawn, Kind::Lance, Kind::Knight, Kind::Silver, Kind::Gold, Kind::Bishop, Kind::Rook];

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

/// Code of a kind on the board, lowest bit first, and its length. In hand the lowest bit is left out.
fn code(kind: Kind) -> (u32, u32) {
    match kind {
        Kind::Pawn => (0b01, 2),
        Kind::Lance => (0b0011, 4),
        Kind::Knight => (0b1011, 4),
        Kind::Silver => (0b0111, 4),
        Kind::Gold => (0b01111, 5),
        Kind::Bishop => (0b011111, 6),
        _ => (0b111111, 6),
    }
}

#[derive(Default)]
struct Writer {
    bytes: [u8; 32],
    at: usize,
}

impl Writer {
    fn put(&mut self, value: u32, bits: u32) {
        for bit in 0..bits {
            if let Some(byte) = self.bytes.get_mut(self.at / 8) {
                *byte |= ((value >> bit & 1) as u8) << (self.at % 8);
            }
            self.at += 1;
        }
    }
}

/// The 256 bits of a position.
pub fn pack(pos: &Position) -> [u8; 32] {
    let mut out = Writer::default();
    out.put(pos.side().index() as u32, 1);
    for color in Color::ALL {
        out.put(pos.king(color).unwrap_or(NO_KING) as u32, 7);
    }
    let mut seen = [0; Kind::HAND];
    for sq in 0..SQUARES {
        match pos.piece_on(sq) {
            Some((_, Kind::King)) => {}
            None => out.put(0, 1),
            Some((color, kind)) => {
                let (value, bits) = code(kind.base());
                out.put(value, bits);
                if kind.base() != Kind::Gold {
                    out.put(kind.is_promoted().into(), 1);
                }
                out.put(color.index() as u32, 1);
                seen[kind.base().index()] += 1;
            }
        }
    }
    for color in Color::ALL {
        for kind in HANDS {
            let (value, bits) = code(kind);
            for _ in 0..pos.hand_count(color, kind) {
                out.put(value >> 1, bits - 1);
                if kind != Kind::Gold {
                    out.put(0, 1);
                }
                out.put(color.index() as u32, 1);
                seen[kind.index()] += 1;
            }
        }
    }
    // What the set lacks goes into the box: promoted in hand, which no real piece is. A gold, which has no such bit,
    // is a white promoted silver.
    for kind in HANDS {
        for _ in seen[kind.index()]..kind.in_set() {
            let (value, bits) = code(if kind == Kind::Gold { Kind::Silver } else { kind });
            out.put(value >> 1, bits - 1);
            out.put(1, 1);
            out.put(u32::from(kind == Kind::Gold), 1);
        }
    }
    out.bytes
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn bit(&mut self) -> Option<u32> {
        let byte = self.bytes.get(self.at / 8)?;
        self.at += 1;
        Some(u32::from(byte >> ((self.at - 1) % 8) & 1))
    }

    fn number(&mut self, bits: u32) -> Option<u32> {
        (0..bits).try_fold(0, |sum, bit| Some(sum | self.bit()? << bit))
    }

    /// A kind whose code begins here; the first `skipped` bits of its code (all ones) are left out.
    fn kind(&mut self, skipped: u32) -> Option<Kind> {
        let (mut value, mut bits) = (skipped, skipped);
        loop {
            value |= self.bit()? << bits;
            bits += 1;
            if let Some(&kind) = HANDS.iter().find(|&&kind| code(kind) == (value, bits)) {
                return Some(kind);
            }
            if bits == 6 {
                return None;
            }
        }
    }
}

/// The position of 256 bits. `ply` is the game ply it gets; `None` where the bits make no sense.
pub fn unpack(bytes: &[u8; 32], ply: u16) -> Option<Position> {
    let mut input = Reader { bytes, at: 0 };
    let side = Color::from_index(input.bit()? as usize);
    let kings = [input.number(7)? as usize, input.number(7)? as usize];
    let letter = |color: Color, kind: Kind| {
        let letter = kind.letter() as char;
        if color == Color::Black { letter } else { letter.to_ascii_lowercase() }
    };
    let mut board: Vec<String> = vec!["1".into(); SQUARES];
    for (sq, text) in board.iter_mut().enumerate() {
        if let Some(owner) = kings.iter().position(|&king| king == sq) {
            *text = letter(Color::from_index(owner), Kind::King).into();
            continue;
        }
        if input.bit()? == 0 {
            continue;
        }
        let kind = input.kind(1)?;
        let promoted = kind != Kind::Gold && input.bit()? == 1;
        let color = Color::from_index(input.bit()? as usize);
        *text = format!("{}{}", if promoted { "+" } else { "" }, letter(color, kind));
    }
    let mut hands = String::new();
    while input.at < 256 {
        let kind = input.kind(1)?;
        let boxed = kind != Kind::Gold && input.bit()? == 1;
        let color = Color::from_index(input.bit()? as usize);
        if !boxed {
            hands.push(letter(color, kind));
        }
    }
    let ranks: Vec<String> = (0..RANKS)
        .map(|rank| (0..9).rev().map(|file| board[file * RANKS + rank].as_str()).collect())
        .collect();
    let hands = if hands.is_empty() { "-" } else { &hands };
    Position::from_sfen(&format!("{} {} {hands} {}", ranks.join("/"), side.letter(), u32::from(ply) + 1)).ok()
}

/// The move's 16 bits: promotion and drop have each other's place here, and kinds are counted from 1.
fn pack_move(mv: Move) -> u16 {
    let to = mv.to() as u16;
    if mv.is_drop() {
        to | (mv.kind() as u16 + 1) << 7 | 0x4000
    } else {
        to | (mv.from() as u16) << 7 | u16::from(mv.is_promotion()) << 15
    }
}

fn unpack_move(bits: u16, pos: &Position) -> Option<Move> {
    let (to, from) = (usize::from(bits & 127), usize::from(bits >> 7 & 127));
    let mv = match bits >> 14 {
        _ if to == 0 && from == 0 => return None,
        0 => Move::board(from, to),
        1 => Move::drop(from.checked_sub(1)?, to),
        2 => Move::promotion(from, to),
        _ => return None,
    };
    pos.is_legal(mv).then_some(mv)
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
pub fn import(path: &Path, data: &mut Data) -> Result<(), String> {
    let shown = path.display();
    let file = File::open(path).map_err(|error| format!("{shown}: {error}"))?;
    let mut input = BufReader::new(file);
    let (mut last_ply, mut rng, mut validation) = (usize::MAX, Rng::new(0), false);
    let (mut moveless, mut damaged, mut first, mut offset, mut bytes) =
        (0, 0, 0, 0, Vec::with_capacity(SIZE));
    loop {
        bytes.clear();
        let length = input.by_ref().take(SIZE as u64).read_to_end(&mut bytes);
        let length = length.map_err(|error| format!("{shown}: {error}"))?;
        if length == 0 {
            break;
        }
        let entry = bytes.as_slice().try_into().ok().and_then(Entry::from_bytes);
        let at = offset;
        offset += length;
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

    fn hex(bytes: &[u8]) -> String {
        bytes.iter().map(|b| format!("{b:02x}")).collect()
    }

    #[test]
    fn positions_are_packed_as_elsewhere() {
        for (sfen, packed) in [
            (START, "58a451220ceb67227e9653221caf447824c22b119e53221ceb6f223e9651220c"),
            (
                "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
                "2381510a86f515e900473c3ed5010020c52758530004cb48123fc3f99024ebbc",
            ),
            (
                "4k4/9/9/9/9/9/9/9/4K4 b - 1",
                "58240000000000000000008024499224499294524aadb5b6d65a7beffd7afd7e",
            ),
        ] {
            let pos = Position::from_sfen(sfen).expect("a correct SFEN");
            assert_eq!(hex(&pack(&pos)), packed, "{sfen}");
            let back = unpack(&pack(&pos), 0).expect("a position");
            assert_eq!(back.sfen(), pos.sfen());
        }
        let pos = Position::from_sfen(START).expect("the start position");
        assert_eq!(pos.parse_usi("7g7f").map(pack_move), Some(0x1E3B));
    }

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
