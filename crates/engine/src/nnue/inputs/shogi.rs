//! Inputs of shogi networks: our own set, and the sets used by community files.

use crate::nnue::features::{Features, NONE};
use once_cell::sync::Lazy;
use sanban_rules::shogi::hand::{What, what};
use sanban_rules::shogi::piece::PLACEMENTS;
use sanban_rules::shogi::square::{RANKS, SQUARES, file};
use sanban_rules::shogi::{Hand, Kind};
use sanban_rules::{Color, Placement};

/// Our own set, 2344 inputs per perspective: every placement, kings included, own and enemy pieces separately. White
/// sees the board from the other side. A side whose king is on its left half (files 6 to 9 as it sees them) sees the
/// board mirrored, since the rules are symmetric.
pub static OWN: Lazy<Features> = Lazy::new(|| Features {
    id: 1,
    rows: PLACEMENTS,
    buckets: 2,
    placements: PLACEMENTS,
    stride: 0,
    views: 2,
    table: table(2, |perspective, view, placement| Some(own_row(perspective, view == 1, placement))),
    kings: kings(|seen| u8::from(file(seen) > 4)),
    full: None,
});

/// HalfKP(Friend): 81 king squares times 1548 placements of other pieces (Nasu's numbering, as in YaneuraOu).
pub static HALFKP: Lazy<Features> = Lazy::new(|| before_king(2, false, KING_BASE));

/// K+P: 1710 inputs, kings included, no buckets.
pub static KP: Lazy<Features> = Lazy::new(|| Features {
    id: 3,
    rows: PIECES_END,
    buckets: 1,
    placements: PLACEMENTS,
    stride: 0,
    views: 1,
    table: table(1, |perspective, _, placement| piece_number(perspective, placement)),
    kings: kings(|_| 0),
    full: Some(40),
});

/// HalfKA2(Friend): 81 king squares times 1629 placements, kings of both sides in one plane.
pub static HALFKA2: Lazy<Features> = Lazy::new(|| before_king(5, false, KINGS_END));

/// HalfKA_hm2(Friend): like HalfKA2, for 45 king squares. A side whose king is on its left (files 6 to 9 as it sees
/// them) sees the board mirrored.
pub static HALFKA_HM2: Lazy<Features> = Lazy::new(|| before_king(6, true, KINGS_END));

/// HalfKA1(Friend): 81 king squares times 1710 placements, kings of both sides separately.
pub static HALFKA1: Lazy<Features> = Lazy::new(|| before_king(7, false, PIECES_END));

/// HalfKA_hm1(Friend): like HalfKA1, for 45 king squares.
pub static HALFKA_HM1: Lazy<Features> = Lazy::new(|| before_king(8, true, PIECES_END));

/// HalfKP_vm(Friend): like HalfKP, for 45 king squares.
pub static HALFKP_VM: Lazy<Features> = Lazy::new(|| before_king(9, true, KING_BASE));

/// Number of squares of the right half, including the middle file.
const HALF: usize = 5 * RANKS;

/// Inputs with `pieces` piece numbers for each king square. With `mirror`, the board is mirrored so that the king is on
/// the right half.
fn before_king(id: u32, mirror: bool, pieces: usize) -> Features {
    let (squares, views) = if mirror { (HALF, 2) } else { (SQUARES, 1) };
    let bucket = move |seen| match mirror {
        true if file(seen) > 4 => 2 * mirrored(seen) as u8 + 1,
        true => 2 * seen as u8,
        false => seen as u8,
    };
    Features {
        id,
        rows: squares * pieces,
        buckets: views * squares,
        placements: PLACEMENTS,
        stride: pieces,
        views,
        table: table(views, |perspective, view, p| numbered(pieces, perspective, view == 1, p)),
        kings: kings(bucket),
        full: Some(if pieces == KING_BASE { 38 } else { 40 }),
    }
}

/// First piece number of the kings, and the number of piece numbers without kings.
const KING_BASE: usize = 1548;
/// Number of piece numbers if both kings share a plane.
const KINGS_END: usize = KING_BASE + SQUARES;
/// Number of piece numbers if each king has its own plane.
const PIECES_END: usize = KINGS_END + SQUARES;
/// First piece number on the board.
const BOARD_BASE: usize = 90;

/// The square as a perspective sees it.
pub fn seen(perspective: Color, sq: usize) -> usize {
    if perspective == Color::Black { sq } else { SQUARES - 1 - sq }
}

/// The square with left and right exchanged.
fn mirrored(sq: usize) -> usize {
    (8 - file(sq)) * RANKS + sq % RANKS
}

fn placements() -> impl Iterator<Item = Placement> {
    (0..PLACEMENTS as u16).map(Placement)
}

fn table(views: usize, row: impl Fn(Color, usize, Placement) -> Option<usize>) -> Vec<u16> {
    let mut out = Vec::with_capacity(2 * views * PLACEMENTS);
    for perspective in Color::ALL {
        for view in 0..views {
            out.extend(placements().map(|p| row(perspective, view, p).map_or(NONE, |row| row as u16)));
        }
    }
    out
}

fn kings(bucket: impl Fn(usize) -> u8) -> Vec<Option<(Color, u8)>> {
    let king = |p| match what(p) {
        What::Board(color, Kind::King, sq) => Some((color, bucket(seen(color, sq)))),
        _ => None,
    };
    placements().map(king).collect()
}

/// The row of a placement as a perspective sees it, with the perspective's own side as black.
fn own_row(perspective: Color, mirror: bool, placement: Placement) -> usize {
    let side = |color| Color::from_index(usize::from(color != perspective));
    match what(placement) {
        What::Board(color, kind, sq) => {
            let sq = seen(perspective, sq);
            let sq = if mirror { mirrored(sq) } else { sq };
            (side(color).index() * Kind::COUNT + kind.index()) * SQUARES + sq
        }
        What::Hand(color, kind, n) => Hand::placement(side(color), kind, n).index(),
    }
}

/// The piece number in a set of `pieces` piece numbers: without kings, with both kings in one plane, or with a plane
/// for each king. With `mirror`, squares are mirrored.
fn numbered(pieces: usize, perspective: Color, mirror: bool, placement: Placement) -> Option<usize> {
    let number = match piece_number(perspective, placement)? {
        number if number < pieces => number,
        _ if pieces == KING_BASE => return None,
        number => number - SQUARES,
    };
    let Some(board) = number.checked_sub(BOARD_BASE).filter(|_| mirror) else { return Some(number) };
    Some(BOARD_BASE + board / SQUARES * SQUARES + mirrored(board % SQUARES))
}

/// Number of a piece in HalfKP files ("BonaPiece"). Promoted minor pieces are golds.
fn piece_number(perspective: Color, placement: Placement) -> Option<usize> {
    let enemy = |color| usize::from(color != perspective);
    Some(match what(placement) {
        What::Hand(color, kind, n) => {
            let first = match kind {
                Kind::Pawn => [1, 20],
                Kind::Lance => [39, 44],
                Kind::Knight => [49, 54],
                Kind::Silver => [59, 64],
                Kind::Gold => [69, 74],
                Kind::Bishop => [79, 82],
                Kind::Rook => [85, 88],
                _ => return None,
            };
            first[enemy(color)] + n
        }
        What::Board(color, kind, sq) => {
            let first = match kind {
                Kind::Pawn => 90,
                Kind::Lance => 252,
                Kind::Knight => 414,
                Kind::Silver => 576,
                kind if kind.is_golden() => 738,
                Kind::Bishop => 900,
                Kind::Horse => 1062,
                Kind::Rook => 1224,
                Kind::Dragon => 1386,
                _ => KING_BASE,
            };
            first + enemy(color) * SQUARES + seen(perspective, sq)
        }
    })
}
