//! Apery's book format (`book.bin`): entries of 16 bytes, little-endian, sorted by Apery's own keys. Each field is
//! shown with its offset and its size in bytes:
//!
//! ```text
//! 0 8 key   8 2 move   10 2 number of times played   12 4 value, i32
//! ```
//!
//! The positions themselves are not stored, so they can be looked up but not listed.

use super::source::Source;
use super::{Book, BookError, BookMove, db, legal, ybb};
use once_cell::sync::Lazy;
use sanban_rules::shogi::Kind;
use sanban_rules::shogi::square::SQUARES;
use sanban_rules::{AnyPosition, Color, Move, Position as _, shogi};
use std::io::Write;

const ENTRY: usize = 16;
/// Number of entries that are checked when a book on disk is opened.
const CHECKED: u64 = 4096;

/// The 64-bit Mersenne Twister (Matsumoto, Nishimura 1998), with which Apery generates its keys, using the default
/// seed.
struct Mt19937_64 {
    state: [u64; Self::N],
    at: usize,
}

impl Mt19937_64 {
    const N: usize = 312;
    const SEED: u64 = 5489;

    fn new() -> Self {
        let mut state = [Self::SEED; Self::N];
        for i in 1..Self::N {
            let last = state[i - 1];
            state[i] = 6_364_136_223_846_793_005u64.wrapping_mul(last ^ last >> 62).wrapping_add(i as u64);
        }
        Self { state, at: Self::N }
    }

    fn next(&mut self) -> u64 {
        const UPPER: u64 = !0 << 31;
        if self.at == Self::N {
            for i in 0..Self::N {
                let x = self.state[i] & UPPER | self.state[(i + 1) % Self::N] & !UPPER;
                let twisted = x >> 1 ^ if x & 1 == 1 { 0xB502_6F5A_A966_19E9 } else { 0 };
                self.state[i] = self.state[(i + 156) % Self::N] ^ twisted;
            }
            self.at = 0;
        }
        let mut x = self.state[self.at];
        self.at += 1;
        x ^= x >> 29 & 0x5555_5555_5555_5555;
        x ^= x << 17 & 0x71D6_7FFF_EDA6_0000;
        x ^= x << 37 & 0xFFF7_EEE0_0000_0000;
        x ^ x >> 43
    }
}

/// Number of Apery's piece codes: black pieces start at 1 in the order of [`Kind`], white pieces at 17; 0, 15 and 16
/// are not used.
const PIECES: usize = 31;
/// The piece kinds in hand, in Apery's order.
const HANDS: [Kind; 7] =
    [Kind::Pawn, Kind::Lance, Kind::Knight, Kind::Silver, Kind::Gold, Kind::Bishop, Kind::Rook];

struct Keys {
    pieces: Vec<[u64; SQUARES]>,
    hands: [[u64; 19]; HANDS.len()],
    white: u64,
}

/// Apery's keys, generated in the same order as in Apery.
static KEYS: Lazy<Keys> = Lazy::new(|| {
    let mut random = Mt19937_64::new();
    let pieces = (0..PIECES).map(|_| std::array::from_fn(|_| random.next())).collect();
    let hands = std::array::from_fn(|_| std::array::from_fn(|_| random.next()));
    Keys { pieces, hands, white: random.next() }
});

/// Returns the key of a position in Apery's books. Only the hand of the side to move is included.
pub fn key(pos: &shogi::Position) -> u64 {
    let keys = &*KEYS;
    let side = pos.side();
    let mut key = if side == Color::White { keys.white } else { 0 };
    for sq in 0..SQUARES {
        if let Some((color, kind)) = pos.piece_on(sq) {
            key ^= keys.pieces[1 + kind.index() + 16 * color.index()][sq];
        }
    }
    for (keys, kind) in keys.hands.iter().zip(HANDS) {
        key ^= keys[pos.hand_count(side, kind)];
    }
    key
}

/// Encodes a move in Apery's 16 bits. For a drop, the origin is 81 plus the index of the kind.
fn pack_move(mv: Move) -> u16 {
    let from = if mv.is_drop() { SQUARES + mv.kind() } else { mv.from() };
    mv.to() as u16 | (from as u16) << 7 | u16::from(mv.is_promotion()) << 14
}

fn unpack_move(bits: u16) -> Option<Move> {
    let (to, from) = (usize::from(bits & 127), usize::from(bits >> 7 & 127));
    match from.checked_sub(SQUARES) {
        _ if bits >> 15 != 0 || from == to => None,
        Some(kind) => Some(Move::drop(kind, to)),
        None if bits >> 14 & 1 == 1 => Some(Move::promotion(from, to)),
        None => Some(Move::board(from, to)),
    }
}

/// Returns whether the keys of these entries are sorted. An incomplete entry at the end is ignored.
pub(super) fn is_sorted(start: &[u8]) -> bool {
    let keys = start.chunks_exact(ENTRY).filter_map(|entry| entry.first_chunk().copied());
    keys.map(u64::from_le_bytes).is_sorted()
}

/// A book in Apery's format, in memory or on disk.
pub struct Apery {
    source: Source,
    entries: u64,
}

impl Apery {
    /// Opens a book and checks that the keys are sorted: all keys of a book in memory, the first ones of a book on
    /// disk.
    pub(super) fn new(source: Source) -> Result<Self, BookError> {
        let len = source.len();
        if !len.is_multiple_of(ENTRY as u64) {
            return Err(BookError::at(len, "the file ends within an entry of 16 bytes"));
        }
        let entries = len / ENTRY as u64;
        let checked = if matches!(source, Source::File(..)) { entries.min(CHECKED) } else { entries };
        let mut book = Self { source, entries };
        let mut last = 0;
        for index in 0..checked {
            let (key, known) = book.entry(index)?;
            if key < last {
                return Err(BookError::at(index * ENTRY as u64, "the keys are not sorted"));
            }
            if known.is_none() {
                return Err(BookError::at(index * ENTRY as u64 + 8, "invalid move"));
            }
            last = key;
        }
        Ok(book)
    }

    fn entry(&mut self, index: u64) -> Result<(u64, Option<BookMove>), BookError> {
        let mut bytes = [0; ENTRY];
        self.source.read(index * ENTRY as u64, &mut bytes)?;
        let [a, b, c, d, e, f, g, h, m, n, x, y, s @ ..] = bytes;
        let known = unpack_move(u16::from_le_bytes([m, n])).map(|mv| BookMove {
            score: db::usual(i32::from_le_bytes(s).into()),
            count: u16::from_le_bytes([x, y]).into(),
            ..BookMove::new(mv)
        });
        Ok((u64::from_le_bytes([a, b, c, d, e, f, g, h]), known))
    }
}

impl Book for Apery {
    fn find(&mut self, pos: &AnyPosition, _: Option<usize>) -> Result<Vec<BookMove>, BookError> {
        let Some(board) = pos.get::<shogi::Position>() else { return Ok(Vec::new()) };
        let wanted = key(board);
        let (mut low, mut high) = (0, self.entries);
        while low < high {
            let middle = low + (high - low) / 2;
            if self.entry(middle)?.0 < wanted { low = middle + 1 } else { high = middle }
        }
        let mut out = Vec::<BookMove>::new();
        for index in low..self.entries {
            let (key, known) = self.entry(index)?;
            if key != wanted {
                break;
            }
            out.extend(known.filter(|known| out.iter().all(|other| other.mv != known.mv)));
        }
        // Another position may have the same key, so illegal moves are removed.
        Ok(legal(pos, out))
    }

    fn len(&self) -> Option<u64> {
        None
    }

    fn is_empty(&self) -> bool {
        self.entries == 0
    }
}

/// Writes a book. The format has no plies, replies or depths.
///
/// # Errors
/// An I/O error.
pub fn write<'a>(out: &mut impl Write, pages: impl Iterator<Item = ybb::Page<'a>>) -> Result<(), BookError> {
    let mut entries: Vec<(u64, &[BookMove])> = pages.map(|page| (key(&page.pos), page.moves)).collect();
    entries.sort_by_key(|&(key, _)| key);
    for (key, moves) in entries {
        for known in moves {
            out.write_all(&key.to_le_bytes())?;
            out.write_all(&pack_move(known.mv).to_le_bytes())?;
            out.write_all(&u16::try_from(known.count).unwrap_or(u16::MAX).to_le_bytes())?;
            out.write_all(&known.score.to_le_bytes())?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the 10,000th number against the value in the C++ standard.
    #[test]
    fn the_twister_is_the_standard_one() {
        let mut random = Mt19937_64::new();
        assert_eq!((0..10_000).map(|_| random.next()).last(), Some(9_981_545_732_273_789_042));
    }

    /// The keys come from ShogiHome's tests and are given as bytes in file order.
    #[test]
    fn keys_are_those_of_apery() {
        for (sfen, bytes) in [
            ("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1", 0x157e_ade1_e78e_beee_u64),
            ("lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2", 0xd520_7256_821f_7b3e),
            ("lnsgk1snl/1r4g2/pppppp1pp/6p2/7P1/2P6/PP1PPPP1P/1+b5R1/LNSGKGSNL b b 7", 0xdabc_be69_50ce_089a),
            (
                "ln1gk1snl/6gb1/2sppppp1/p7p/2R6/Pr4P2/2PPPPN1P/1BGK2S2/LNS2G2L w 3Pp 26",
                0xffa7_3ad0_1aa2_2070,
            ),
        ] {
            let pos = shogi::Position::from_sfen(sfen).expect("a correct SFEN");
            assert_eq!(key(&pos), bytes.swap_bytes(), "{sfen}");
        }
    }

    #[test]
    fn moves_come_back() {
        for mv in [Move::board(60, 59), Move::promotion(70, 10), Move::drop(6, 40), Move::board(1, 0)] {
            assert_eq!(unpack_move(pack_move(mv)), Some(mv));
        }
        for bits in [0, 0x8001, 5 << 7 | 5] {
            assert_eq!(unpack_move(bits), None);
        }
    }
}
