//! Positions of 256 bits and moves of 16 bits in the format of other programs ("PackedSfen" and "Move16" of YaneuraOu).
//!
//! Side to move (1 bit) and the squares of the kings (7 bits each) come first, then the other squares in a prefix code,
//! then the hands; the lowest bit of each byte comes first. Codes for the pieces that are missing from the set fill the
//! rest, so that every position has 256 bits.

use super::piece::Piece;
use super::square::SQUARES;
use super::{Kind, Position};
use crate::{Color, Move};

/// Length of a position in bits.
const BITS: usize = 256;
/// The code of a missing king.
const NO_KING: usize = 81;
/// Order of the pieces in hand.
const HANDS: [Kind; 7] =
    [Kind::Pawn, Kind::Lance, Kind::Knight, Kind::Silver, Kind::Gold, Kind::Bishop, Kind::Rook];

/// Code of a kind on the board, lowest bit first, and its length. The lowest bit is omitted for pieces in hand.
const fn code(kind: Kind) -> (u32, u32) {
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

/// Encodes a position in 256 bits.
pub fn pack(pos: &Position) -> [u8; 32] {
    let mut out = Writer::default();
    out.put(pos.side.index() as u32, 1);
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
    // Missing pieces go into the box, encoded as promoted pieces in hand, which do not exist otherwise. A gold, which
    // has no promotion bit, is encoded as a white promoted silver.
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

/// Decodes the five bits after the first bit of a code, which is always 1: the kind, and the remaining length of the
/// code.
const KINDS: [(Kind, usize); 32] = {
    let mut table = [(Kind::Rook, 0); 32];
    let mut next = 0;
    while next < table.len() {
        let mut kind = 0;
        while kind < HANDS.len() {
            let (value, bits) = code(HANDS[kind]);
            if next as u32 & ((1 << (bits - 1)) - 1) == value >> 1 {
                table[next] = (HANDS[kind], bits as usize - 1);
            }
            kind += 1;
        }
        next += 1;
    }
    table
};

/// Reads bits, the lowest of each byte first.
pub(super) struct Reader {
    /// The last two words are 0, so that two words can always be read.
    words: [u64; BITS / 64 + 2],
    at: usize,
}

impl Reader {
    fn new(bytes: &[u8; BITS / 8]) -> Self {
        let mut words = [0; _];
        for (word, bytes) in words.iter_mut().zip(bytes.as_chunks().0) {
            *word = u64::from_le_bytes(*bytes);
        }
        Self { words, at: 0 }
    }

    /// The next `bits` bits (fewer than 32); zeros beyond the end.
    #[inline]
    fn peek(&self, bits: usize) -> u32 {
        let (word, bit) = (self.at / 64, self.at % 64);
        let pair = u128::from(self.words[word]) | u128::from(self.words[word + 1]) << 64;
        (pair >> bit) as u32 & ((1 << bits) - 1)
    }

    /// Skips bits; `None` beyond the end.
    #[inline]
    fn skip(&mut self, bits: usize) -> Option<()> {
        self.at += bits;
        (self.at <= BITS).then_some(())
    }

    #[inline]
    fn number(&mut self, bits: usize) -> Option<u32> {
        let number = self.peek(bits);
        self.skip(bits)?;
        Some(number)
    }

    pub(super) fn bit(&mut self) -> Option<u32> {
        self.number(1)
    }

    /// Reads a kind, after the first bit of its code has been read.
    #[inline]
    fn kind(&mut self) -> Option<Kind> {
        let (kind, bits) = KINDS[self.peek(5) as usize];
        self.skip(bits)?;
        Some(kind)
    }
}

/// Decodes a position of 256 bits at game ply `ply`; `None` if the bits are invalid.
pub fn unpack(bytes: &[u8; 32], ply: u16) -> Option<Position> {
    read(bytes, ply, on_board, in_hand)
}

/// Reads a piece on the board: color, kind without promotion, promotion.
fn on_board(input: &mut Reader) -> Option<(Color, Kind, bool)> {
    let kind = input.kind()?;
    let promoted = kind != Kind::Gold && input.bit()? == 1;
    Some((Color::from_index(input.bit()? as usize), kind, promoted))
}

/// Reads a piece in hand; the inner `None` denotes a piece in the box.
fn in_hand(input: &mut Reader) -> Option<Option<(Color, Kind)>> {
    let kind = input.kind()?;
    let boxed = kind != Kind::Gold && input.bit()? == 1;
    let color = Color::from_index(input.bit()? as usize);
    Some((!boxed).then_some((color, kind)))
}

/// Decodes a position of 256 bits. `on_board` reads a piece on the board, after the bit that marks an occupied square;
/// `in_hand` reads a piece in hand or in the box.
pub(super) fn read(
    bytes: &[u8; BITS / 8],
    ply: u16,
    on_board: impl Fn(&mut Reader) -> Option<(Color, Kind, bool)>,
    in_hand: impl Fn(&mut Reader) -> Option<Option<(Color, Kind)>>,
) -> Option<Position> {
    let mut input = Reader::new(bytes);
    let side = Color::from_index(input.bit()? as usize);
    let kings = [input.number(7)? as usize, input.number(7)? as usize];
    let mut pos = Position::empty();
    for sq in 0..SQUARES {
        if let Some(owner) = kings.iter().position(|&king| king == sq) {
            pos.put(sq, Piece::new(Color::from_index(owner), Kind::King), &mut ());
        } else if input.bit()? == 1 {
            let (color, kind, promoted) = on_board(&mut input)?;
            let kind = if promoted { kind.promoted()? } else { kind };
            pos.put(sq, Piece::new(color, kind), &mut ());
        }
    }
    while input.at < BITS {
        if let Some((color, kind)) = in_hand(&mut input)? {
            if pos.hand_count(color, kind) >= kind.in_set() {
                return None;
            }
            pos.put_hand(color, kind, &mut ());
        }
    }
    pos.begin(side, ply.into()).ok()
}

/// Encodes a move in 16 bits. Compared with [`Move`], the bits for promotion and drop are swapped, and kinds are
/// counted from 1.
pub fn pack_move(mv: Move) -> u16 {
    let to = mv.to() as u16;
    if mv.is_drop() {
        to | (mv.kind() as u16 + 1) << 7 | 0x4000
    } else {
        to | (mv.from() as u16) << 7 | u16::from(mv.is_promotion()) << 15
    }
}

/// Decodes a legal move of 16 bits.
pub fn unpack_move(bits: u16, pos: &Position) -> Option<Move> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shogi::START;

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
            let pos = Position::from_sfen(sfen).expect("a valid SFEN");
            assert_eq!(hex(&pack(&pos)), packed, "{sfen}");
            let back = unpack(&pack(&pos), 0).expect("a position");
            assert_eq!(back.sfen(), pos.sfen());
        }
        let pos = Position::from_sfen(START).expect("the start position");
        assert_eq!(pos.parse_usi("7g7f").map(pack_move), Some(0x1E3B));
    }
}
