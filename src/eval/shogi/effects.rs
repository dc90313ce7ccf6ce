//! Attacked squares, weighted by where they lie from both kings.

use crate::base::{Bitboard, Color, Score};
use crate::shogi::piece::Kind;
use crate::shogi::square::{FILES, LAST, LAST_TWO, RANKS, SQUARES, far_ranks, file, rank_for};
use crate::shogi::{Position, attacks};

/// Squares that one side attacks.
#[derive(Clone, Copy)]
struct Effects {
    /// At least once.
    once: Bitboard,
    /// At least twice.
    twice: Bitboard,
}

impl Effects {
    const NONE: Self = Self { once: Bitboard::EMPTY, twice: Bitboard::EMPTY };

    #[inline]
    fn add(&mut self, attacks: Bitboard) {
        self.twice |= self.once & attacks;
        self.once |= attacks;
    }

    fn of(pos: &Position, us: Color) -> Self {
        let mut out = Self::NONE;
        let occ = pos.occupied();
        let of = |kind| pos.pieces_of(us, kind);
        let pawns = of(Kind::Pawn).without(LAST[us.index()]);
        let knights = of(Kind::Knight).without(LAST_TWO[us.index()]);
        // Whole sets at once: a pawn or knight step is a fixed distance between square numbers.
        let (left, right) = (knights.without(EDGE_LEFT), knights.without(EDGE_RIGHT));
        match us {
            Color::Black => {
                out.add(Bitboard(pawns.0 >> 1));
                out.add(Bitboard(left.0 << (RANKS - 2)));
                out.add(Bitboard(right.0 >> (RANKS + 2)));
            }
            Color::White => {
                out.add(Bitboard(pawns.0 << 1));
                out.add(Bitboard(left.0 << (RANKS + 2)));
                out.add(Bitboard(right.0 >> (RANKS - 2)));
            }
        }
        for sq in of(Kind::Silver) {
            out.add(attacks::step(us, Kind::Silver, sq));
        }
        for sq in pos.golden() & pos.pieces(us) {
            out.add(attacks::step(us, Kind::Gold, sq));
        }
        for sq in of(Kind::Lance) {
            out.add(attacks::lance(us, sq, occ));
        }
        for sq in of(Kind::Bishop) {
            out.add(attacks::bishop(sq, occ));
        }
        for sq in of(Kind::Rook) {
            out.add(attacks::rook(sq, occ));
        }
        for sq in of(Kind::Horse) {
            out.add(attacks::bishop(sq, occ) | attacks::king(sq));
        }
        for sq in of(Kind::Dragon) {
            out.add(attacks::rook(sq, occ) | attacks::king(sq));
        }
        out
    }
}

/// Files 9 and 1: a knight there has one step only.
const EDGE_LEFT: Bitboard = Bitboard(((1 << RANKS) - 1) << ((FILES - 1) * RANKS));
const EDGE_RIGHT: Bitboard = Bitboard((1 << RANKS) - 1);

/// Bits of a square's weight.
const PLANES: usize = 6;

/// Weights of all squares around one king, one bit plane each: a weighted sum is a few population counts.
type Planes = [Bitboard; PLANES];

/// Weights by king's side and square: for effects of the king's own side (0) and of the other (1).
static WEIGHTS: [[[Planes; SQUARES]; 2]; 2] = {
    let mut t = [[[[Bitboard::EMPTY; PLANES]; SQUARES]; 2]; 2];
    let mut c = 0;
    while c < 2 {
        let mut hostile = 0;
        while hostile < 2 {
            let mut king = 0;
            while king < SQUARES {
                t[c][hostile][king] = planes(Color::from_index(c), hostile == 1, king);
                king += 1;
            }
            hostile += 1;
        }
        c += 1;
    }
    t
};

const fn planes(color: Color, hostile: bool, king: usize) -> Planes {
    let mut out = [Bitboard::EMPTY; PLANES];
    let mut sq = 0;
    while sq < SQUARES {
        let mut weight = weight(color, hostile, king, sq);
        let mut plane = 0;
        while plane < PLANES {
            if weight & 1 != 0 {
                out[plane] = out[plane].or(Bitboard::square(sq));
            }
            weight >>= 1;
            plane += 1;
        }
        sq += 1;
    }
    out
}

/// Weight of an effect on `sq` for the king on `king`: falls with the distance; in front of the king it counts most,
/// behind it least.
const fn weight(color: Color, hostile: bool, king: usize, sq: usize) -> u32 {
    let files = (file(king) as i32 - file(sq) as i32).abs();
    // Positive: in front of the king.
    let forward = rank_for(color, king) as i32 - rank_for(color, sq) as i32;
    let distance = if forward.abs() > files { forward.abs() } else { files };
    let base = if hostile { 92 } else { 80 };
    let percent = if distance == 0 {
        30
    } else if forward > 0 && files <= forward {
        130
    } else if forward >= 0 {
        100
    } else {
        80
    };
    let weight = base * percent / (100 * (distance + 1));
    if weight > 63 { 63 } else { weight as u32 }
}

#[inline]
fn sum(set: Bitboard, planes: &Planes) -> Score {
    planes.iter().enumerate().map(|(bit, &plane)| ((set & plane).len() as Score) << bit).sum()
}

/// A second effect on a square adds this many 16ths of the first.
const SECOND: Score = 12;
/// A square next to the king that only the enemy attacks.
const HOLE: Score = 26;
/// An own piece that is attacked and not defended, in 32nds of its value.
const HANGING: Score = 2;

/// How good a king's square is by itself, by rank (own side last) and distance from the middle file.
const KING_RANK: [Score; RANKS] = [20, 0, -40, -120, -130, -100, -45, 0, 10];
const KING_FILE: [Score; 5] = [0, 5, 20, 32, 20];

/// Sum for one king: positive is good for its side.
fn around_king(pos: &Position, color: Color, own: &Effects, hostile: &Effects) -> Score {
    let Some(king) = pos.king(color) else { return 0 };
    let [friendly, enemy] = [&WEIGHTS[color.index()][0][king], &WEIGHTS[color.index()][1][king]];
    let guard = sum(own.once, friendly) + sum(own.twice, friendly) * SECOND / 16;
    let siege = sum(hostile.once, enemy) + sum(hostile.twice, enemy) * SECOND / 16;
    let holes = (attacks::king(king) & hostile.once).without(own.once).len() as Score;
    let place = KING_RANK[rank_for(color, king)] + KING_FILE[file(king).abs_diff(FILES / 2)];
    guard - siege - holes * HOLE + place
}

/// Own pieces that hang.
fn hanging(pos: &Position, color: Color, own: &Effects, hostile: &Effects) -> Score {
    let loose = (pos.pieces(color) & hostile.once).without(own.once);
    let mut out = 0;
    for sq in loose {
        if let Some((_, kind)) = pos.piece_on(sq)
            && kind != Kind::King
        {
            out += kind.value() * HANGING / 32;
        }
    }
    out
}

/// Pieces in or before the enemy camp that gain by promoting.
fn camp(pos: &Position, color: Color) -> Score {
    const RANKS_DEEP: [Bitboard; 2] = [far_ranks(Color::Black, 4), far_ranks(Color::White, 4)];
    let minor = pos.pieces_of(color, Kind::Pawn)
        | pos.pieces_of(color, Kind::Silver)
        | pos.pieces_of(color, Kind::Knight)
        | pos.pieces_of(color, Kind::Lance);
    (minor & RANKS_DEEP[color.index()]).len() as Score * 6
}

/// Everything but material, in centipawns from black's point of view.
pub(super) fn score(pos: &Position) -> Score {
    let effects = [Effects::of(pos, Color::Black), Effects::of(pos, Color::White)];
    let side = |color: Color| {
        let (own, hostile) = (&effects[color.index()], &effects[(!color).index()]);
        around_king(pos, color, own, hostile) - hanging(pos, color, own, hostile) + camp(pos, color)
    };
    side(Color::Black) - side(Color::White)
}
