//! Attacked squares, weighted by their position relative to both kings.

use super::numbers::{ATTACKED, GUARD, GUARD_TWICE, HANGING, HOLE, ROWS, SIEGE, SIEGE_TWICE};
use sanban_rules::shogi::piece::Kind;
use sanban_rules::shogi::square::{FILES, LAST, LAST_TWO, RANKS, SQUARES, file, rank_for};
use sanban_rules::shogi::{Position, attacks};
use sanban_rules::{Bitboard, Color, Score, from_fn};

#[derive(Clone, Copy)]
struct Effects {
    /// Squares attacked at least once.
    once: Bitboard,
    /// Squares attacked at least twice.
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
        // All pawns or knights are shifted together, because each of their steps is a fixed difference of square
        // indices.
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

/// Files 9 and 1, where a knight has only one move.
const EDGE_LEFT: Bitboard = Bitboard(((1 << RANKS) - 1) << ((FILES - 1) * RANKS));
const EDGE_RIGHT: Bitboard = Bitboard((1 << RANKS) - 1);

/// Number of bits of a weight.
const PLANES: usize = 7;

/// The weights of all squares around one king as bit planes, so that a weighted sum takes only a few population counts.
type Planes = [Bitboard; PLANES];

/// An attack table expanded for every king square of both sides.
type Weights = [[Planes; SQUARES]; 2];

static GUARDS: [Weights; 2] = [weights(&GUARD), weights(&GUARD_TWICE)];
static SIEGES: [Weights; 2] = [weights(&SIEGE), weights(&SIEGE_TWICE)];

const fn weights(table: &[[u8; RANKS]; ROWS]) -> Weights {
    from_fn!(2, |c| from_fn!(SQUARES, |king| planes(table, Color::from_index(c), king)))
}

const fn planes(table: &[[u8; RANKS]; ROWS], color: Color, king: usize) -> Planes {
    let (mut planes, mut sq) = ([Bitboard::EMPTY; PLANES], 0);
    while sq < SQUARES {
        let row = RANKS - 1 + rank_for(color, sq) - rank_for(color, king);
        let mut weight = table[row][file(king).abs_diff(file(sq))];
        assert!(weight >> PLANES == 0, "a weight does not fit in the bit planes");
        while weight != 0 {
            let plane = weight.trailing_zeros() as usize;
            planes[plane] = planes[plane].or(Bitboard::square(sq));
            weight &= weight - 1;
        }
        sq += 1;
    }
    planes
}

#[inline]
fn sum(set: Bitboard, planes: &Planes) -> Score {
    planes.iter().enumerate().map(|(bit, &plane)| ((set & plane).len() as Score) << bit).sum()
}

/// The sum for one king. Positive values are good for its side.
fn around_king(pos: &Position, color: Color, own: &Effects, hostile: &Effects) -> Score {
    let Some(king) = pos.king(color) else { return 0 };
    let weighted = |tables: &'static [Weights; 2], effects: &Effects| {
        let [once, twice] = tables;
        sum(effects.once, &once[color.index()][king]) + sum(effects.twice, &twice[color.index()][king])
    };
    let holes = (attacks::king(king) & hostile.once).without(own.once).len() as Score;
    weighted(&GUARDS, own) - weighted(&SIEGES, hostile) - holes * HOLE
}

/// The score (mostly negative) of one side's pieces under attack.
fn attacked(pos: &Position, color: Color, own: &Effects, hostile: &Effects) -> Score {
    let mut out = 0;
    for sq in pos.pieces(color) & hostile.once {
        if let Some((_, kind)) = pos.piece_on(sq)
            && kind != Kind::King
        {
            out += if own.once.has(sq) { ATTACKED } else { HANGING }[kind.index()];
        }
    }
    out
}

/// The evaluation without material, in centipawns from black's point of view.
pub(super) fn score(pos: &Position) -> Score {
    let effects = [Effects::of(pos, Color::Black), Effects::of(pos, Color::White)];
    let side = |color: Color| {
        let (own, hostile) = (&effects[color.index()], &effects[(!color).index()]);
        around_king(pos, color, own, hostile) + attacked(pos, color, own, hostile)
    };
    side(Color::Black) - side(Color::White)
}
