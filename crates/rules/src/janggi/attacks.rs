//! Attack tables, all computed at compile time.
//!
//! Attacks of chariots and cannons along a file or a rank are looked up by its occupancy. A file is ten consecutive
//! bits; the inner squares of a rank are gathered by a magic multiplier. All files share one table and all ranks
//! another (46 KB in total); the result is shifted into place. Horse attacks are looked up by the occupancy of the four
//! legs; elephant attacks continue from the squares that a horse reaches.

use super::piece::Kind;
use super::square::{FILES, LAST, PALACE, RANKS, SQUARES};
use crate::lines::{Magic, on_board, ray, reach};
use crate::{Bitboard, Color, from_fn, squares};

/// The square one step away; `None` if it is off the board.
const fn step(sq: usize, df: i32, dr: i32) -> Option<usize> {
    let (f, r) = ((sq / RANKS) as i32 + df, (sq % RANKS) as i32 + dr);
    if on_board::<FILES, RANKS>(f, r) { Some(f as usize * RANKS + r as usize) } else { None }
}

const STRAIGHT: [(i32, i32); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
const SLANTED: [(i32, i32); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];

/// The squares of a line that a chariot reaches, or a cannon over its screens, whichever pieces the screens are. `forth`
/// and `back` are the rays on an empty board.
const fn slide(forth: u128, back: u128, occ: u128, cannon: bool) -> u128 {
    let near = reach(forth, back, occ);
    if cannon { reach(forth & !near, back & !near, occ) } else { near }
}

/// Squares reached along file 0, by piece (0: chariot, 1: cannon), rank, and occupancy of the inner squares of the
/// file.
static ALONG_FILE: [[[u16; 256]; RANKS]; 2] = from_fn!(2, |piece| from_fn!(RANKS, |rank| {
    let (forth, back) = (ray::<FILES, RANKS>(0, rank, 0, 1), ray::<FILES, RANKS>(0, rank, 0, -1));
    from_fn!(256, |i| slide(forth, back, (i as u128) << 1, piece == 1) as u16)
}));

/// Number of squares on a rank that can stop a slider before the edge.
const BITS: u32 = FILES as u32 - 2;

/// The magic of every rank, which turns the occupancy of its inner squares into an index.
static RANK_MAGIC: [Magic<BITS>; RANKS] = from_fn!(RANKS, |rank| Magic::new::<FILES, RANKS>(rank, 1));

/// Squares reached along rank 0, by piece (0: chariot, 1: cannon), file, and occupancy of the inner squares of the
/// rank.
static ALONG_RANK: [[[Bitboard; 1 << BITS]; FILES]; 2] = from_fn!(2, |piece| from_fn!(FILES, |file| {
    let sq = file * RANKS;
    let (forth, back) = (ray::<FILES, RANKS>(0, sq, 1, 0), ray::<FILES, RANKS>(0, sq, -1, 0));
    from_fn!(1 << BITS, |i| {
        let (mut occ, mut bit) = (0u128, 0);
        while bit < BITS {
            occ |= (i as u128 >> bit & 1) << ((bit + 1) as usize * RANKS);
            bit += 1;
        }
        Bitboard(slide(forth, back, occ, piece == 1))
    })
}));

/// File and rank of every square: a lookup is cheaper than a division.
static PLACE: [(u8, u8); SQUARES] = from_fn!(SQUARES, |sq| ((sq / RANKS) as u8, (sq % RANKS) as u8));

/// Squares reached along file and rank. `PIECE` 0: chariot, 1: cannon over any screen.
#[inline]
fn along<const PIECE: usize>(sq: usize, occ: Bitboard) -> Bitboard {
    let (file, rank) = (usize::from(PLACE[sq].0), usize::from(PLACE[sq].1));
    let start = file * RANKS;
    let inner = (occ.0 >> (start + 1)) as usize & 255;
    let on_file = u128::from(ALONG_FILE[PIECE][rank][inner]) << start;
    let on_rank = ALONG_RANK[PIECE][file][RANK_MAGIC[rank].index(occ.0)].0 << rank;
    Bitboard(on_file | on_rank)
}

/// Rays on an empty board, in the directions of `STRAIGHT`.
static RAYS: [[Bitboard; SQUARES]; 4] = from_fn!(4, |d| from_fn!(SQUARES, |sq| Bitboard(
    ray::<FILES, RANKS>(0, sq, STRAIGHT[d].0, STRAIGHT[d].1)
)));

/// The palace diagonals from a square: the adjacent squares, and the corner beyond the centre.
#[derive(Clone, Copy)]
struct Diagonal {
    near: Bitboard,
    far: Bitboard,
}

static DIAGONAL: [Diagonal; SQUARES] = {
    let mut t = [Diagonal { near: Bitboard::EMPTY, far: Bitboard::EMPTY }; SQUARES];
    let mut c = 0;
    while c < 2 {
        let centre = super::square::CENTRE[c];
        let mut i = 0;
        while i < 4 {
            if let (Some(corner), Some(beyond)) =
                (step(centre, SLANTED[i].0, SLANTED[i].1), step(centre, -SLANTED[i].0, -SLANTED[i].1))
            {
                t[centre].near = t[centre].near.or(Bitboard::square(corner));
                t[corner] = Diagonal { near: Bitboard::square(centre), far: Bitboard::square(beyond) };
            }
            i += 1;
        }
        c += 1;
    }
    t
};

/// Squares with palace diagonals.
const CROSSINGS: Bitboard = squares!(SQUARES, |sq| DIAGONAL[sq].near.any());

/// The squares one step away in these directions.
const fn around(sq: usize, steps: &[(i32, i32)]) -> Bitboard {
    let (mut out, mut i) = (Bitboard::EMPTY, 0);
    while i < steps.len() {
        if let Some(to) = step(sq, steps[i].0, steps[i].1) {
            out = out.or(Bitboard::square(to));
        }
        i += 1;
    }
    out
}

/// Steps of generals and guards along the lines of a palace.
static PALACE_STEPS: [Bitboard; SQUARES] = from_fn!(SQUARES, |sq| {
    let palace = if PALACE[0].has(sq) { PALACE[0] } else { PALACE[1] };
    let steps = around(sq, &STRAIGHT).and(palace).or(DIAGONAL[sq].near);
    if palace.has(sq) { steps } else { Bitboard::EMPTY }
});

/// Steps of soldiers, by side: forward, sideways, and forward along the diagonals of the enemy palace.
static SOLDIER_STEPS: [[Bitboard; SQUARES]; 2] = from_fn!(2, |c| from_fn!(SQUARES, |sq| {
    around(sq, &[(0, AHEAD[c]), (1, 0), (-1, 0)]).or(soldier_diagonal(c, sq))
}));

/// The direction of each side's soldiers, in ranks.
const AHEAD: [i32; 2] = [-1, 1];

const fn soldier_diagonal(color: usize, sq: usize) -> Bitboard {
    let ahead = around(sq, &[(-1, AHEAD[color]), (1, AHEAD[color])]);
    if PALACE[1 - color].has(sq) { ahead.and(DIAGONAL[sq].near) } else { Bitboard::EMPTY }
}

/// The squares from which soldiers of a side can step diagonally: the near corners and the centre of the enemy palace.
pub(super) const SLANTING: [Bitboard; 2] =
    from_fn!(2, |c| squares!(SQUARES, |sq| soldier_diagonal(c, sq).any()));

/// The squares from which soldiers of a side attack a square.
static SOLDIERS_AT: [[Bitboard; SQUARES]; 2] =
    from_fn!(2, |c| from_fn!(SQUARES, |to| squares!(SQUARES, |from| SOLDIER_STEPS[c][from].has(to))));

/// Horse moves, by square and by the occupancy of the four legs as returned by `legs`.
static HORSE: [[Bitboard; 16]; SQUARES] = from_fn!(SQUARES, |sq| {
    const LEGS: [(i32, i32); 4] = [(-1, 0), (0, -1), (0, 1), (1, 0)];
    // The two squares diagonally beyond each leg.
    let beyond = from_fn!(4, |leg| {
        let (df, dr) = LEGS[leg];
        around(sq, &[(2 * df + dr, 2 * dr + df), (2 * df - dr, 2 * dr - df)])
    });
    from_fn!(16, |i| {
        let (mut out, mut leg) = (Bitboard::EMPTY, 0);
        while leg < 4 {
            if i >> leg & 1 == 0 {
                out = out.or(beyond[leg]);
            }
            leg += 1;
        }
        out
    })
});

/// The occupancy of the four squares adjacent to `sq`, as four bits. Bits for squares beyond the edge belong to other
/// squares and have no effect.
#[inline]
fn legs(sq: usize, occ: Bitboard) -> usize {
    // The shift makes room for the square ten bits below square 0.
    let window = ((occ.0 << RANKS) >> sq) as usize;
    window & 1 | window >> 8 & 2 | window >> 9 & 4 | window >> 17 & 8
}

/// Squares reached by a horse from which an elephant can continue in each direction of `SLANTED` without leaving the
/// board.
static ELEPHANT_EYES: [[Bitboard; 4]; SQUARES] = from_fn!(SQUARES, |sq| from_fn!(4, |d| {
    let (df, dr) = SLANTED[d];
    // The square beyond the eye must be on the board as well.
    let eyes = [(2 * df, dr), (df, 2 * dr)];
    let (mut out, mut i) = (Bitboard::EMPTY, 0);
    while i < 2 {
        let (f, r) = eyes[i];
        if step(sq, f + df, r + dr).is_some() {
            out = out.or(around(sq, &[eyes[i]]));
        }
        i += 1;
    }
    out
}));

/// Squares that an elephant reaches on an empty board.
static ELEPHANT_STAR: [Bitboard; SQUARES] = from_fn!(SQUARES, |sq| elephant_from(sq, HORSE[sq][0]));

/// The squares from which a chariot or cannon may attack a square: its file, its rank and its palace diagonals.
static LINE_STAR: [Bitboard; SQUARES] = from_fn!(SQUARES, |sq| {
    let lines = RAYS[0][sq].or(RAYS[1][sq]).or(RAYS[2][sq]).or(RAYS[3][sq]);
    lines.or(DIAGONAL[sq].near).or(DIAGONAL[sq].far)
});

/// The squares on the path from a piece (second index) to its target (first index): the squares between them on a line,
/// the leg of a horse, or the leg and the eye of an elephant. The geometry determines the kind of the piece.
static PATH: [[Bitboard; SQUARES]; SQUARES] = {
    let mut t = [[Bitboard::EMPTY; SQUARES]; SQUARES];
    let mut from = 0;
    while from < SQUARES {
        let mut d = 0;
        while d < 4 {
            let (df, dr) = STRAIGHT[d];
            let mut path = Bitboard::EMPTY;
            let mut n = 1;
            while let Some(to) = step(from, n * df, n * dr) {
                t[to][from] = path;
                path = path.or(Bitboard::square(to));
                n += 1;
            }
            // Horses and elephants that start in this direction, and then turn to either side.
            if let Some(leg) = step(from, df, dr) {
                let mut side = -1;
                while side <= 1 {
                    let (sf, sr) = (side * dr, side * df);
                    if let Some(eye) = step(from, 2 * df + sf, 2 * dr + sr) {
                        t[eye][from] = Bitboard::square(leg);
                        if let Some(to) = step(from, 3 * df + 2 * sf, 3 * dr + 2 * sr) {
                            t[to][from] = Bitboard::square(leg).or(Bitboard::square(eye));
                        }
                    }
                    side += 2;
                }
            }
            d += 1;
        }
        if DIAGONAL[from].far.any() {
            t[DIAGONAL[from].far.lowest()][from] = DIAGONAL[from].near;
        }
        from += 1;
    }
    t
};

/// Chariot attacks, including the first occupied square of each line.
#[inline]
pub fn chariot(sq: usize, occ: Bitboard) -> Bitboard {
    let mut out = along::<0>(sq, occ);
    if CROSSINGS.has(sq) {
        let Diagonal { near, far } = DIAGONAL[sq];
        out |= near;
        if (near & occ).is_empty() {
            out |= far;
        }
    }
    out
}

/// Cannon moves and captures (including captures of own pieces): over one screen that is not a cannon, to any square
/// without a cannon. `cannons` contains the cannons of both sides.
#[inline]
pub fn cannon(sq: usize, occ: Bitboard, cannons: Bitboard) -> Bitboard {
    let mut out = along::<1>(sq, occ);
    if (LINE_STAR[sq] & cannons).any() {
        for screen in along::<0>(sq, occ) & cannons {
            let same_file = PLACE[screen].0 == PLACE[sq].0;
            out = out.without(RAYS[usize::from(!same_file) + if screen > sq { 0 } else { 2 }][sq]);
        }
    }
    if CROSSINGS.has(sq) {
        let Diagonal { near, far } = DIAGONAL[sq];
        if (near & occ).any() && (near & cannons).is_empty() {
            out |= far;
        }
    }
    out.without(cannons)
}

/// The squares to which a horse can go.
pub fn horse(sq: usize, occ: Bitboard) -> Bitboard {
    HORSE[sq][legs(sq, occ)]
}

/// The squares to which an elephant can go.
pub fn elephant(sq: usize, occ: Bitboard) -> Bitboard {
    elephant_from(sq, horse(sq, occ).without(occ))
}

/// Elephant moves through these squares reached by a horse.
#[inline]
const fn elephant_from(sq: usize, eyes: Bitboard) -> Bitboard {
    let [a, b, c, d] = ELEPHANT_EYES[sq];
    Bitboard(
        eyes.and(a).0 << (RANKS + 1)
            | eyes.and(b).0 << (RANKS - 1)
            | eyes.and(c).0 >> (RANKS - 1)
            | eyes.and(d).0 >> (RANKS + 1),
    )
}

/// Steps of a general or a guard in its palace.
pub fn palace(sq: usize) -> Bitboard {
    PALACE_STEPS[sq]
}

/// Steps of a soldier.
pub fn soldier(color: Color, sq: usize) -> Bitboard {
    SOLDIER_STEPS[color.index()][sq]
}

/// The squares from which soldiers of a side attack a square.
pub fn soldiers_at(color: Color, sq: usize) -> Bitboard {
    SOLDIERS_AT[color.index()][sq]
}

/// One step forward for a whole set of soldiers.
#[inline]
pub(super) fn advance(color: Color, soldiers: Bitboard) -> Bitboard {
    let soldiers = soldiers.without(LAST[color.index()]);
    match color {
        Color::Black => Bitboard(soldiers.0 >> 1),
        Color::White => Bitboard(soldiers.0 << 1),
    }
}

/// Pseudo-legal destinations of a piece, including squares with own pieces.
#[inline]
pub fn attacks(color: Color, kind: Kind, sq: usize, occ: Bitboard, cannons: Bitboard) -> Bitboard {
    match kind {
        Kind::General | Kind::Guard => palace(sq),
        Kind::Chariot => chariot(sq, occ),
        Kind::Cannon => cannon(sq, occ, cannons),
        Kind::Horse => horse(sq, occ),
        Kind::Elephant => elephant(sq, occ),
        Kind::Soldier => soldier(color, sq),
    }
}

/// The squares from which chariots and cannons may attack a square.
pub(super) fn line_star(sq: usize) -> Bitboard {
    LINE_STAR[sq]
}

/// The squares from which horses may attack a square (and to which they may go from it).
pub(super) fn horse_star(sq: usize) -> Bitboard {
    HORSE[sq][0]
}

/// The squares from which elephants may attack a square.
pub(super) fn elephant_star(sq: usize) -> Bitboard {
    ELEPHANT_STAR[sq]
}

/// The squares from which a chariot, cannon, horse or elephant may attack a square.
#[inline]
pub fn star(kind: Kind, sq: usize) -> Bitboard {
    match kind {
        Kind::Chariot | Kind::Cannon => line_star(sq),
        Kind::Horse => horse_star(sq),
        Kind::Elephant => elephant_star(sq),
        _ => Bitboard::EMPTY,
    }
}

/// The squares on the path from a piece on `from` that may attack `target`; see `PATH`.
pub fn path(target: usize, from: usize) -> Bitboard {
    PATH[target][from]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rng;

    /// Computes the attacks step by step as the rules describe them.
    fn walk(kind: Kind, sq: usize, occ: u128, cannons: u128) -> Bitboard {
        let mut out = 0u128;
        let free = |sq: usize| occ >> sq & 1 == 0;
        match kind {
            Kind::Horse | Kind::Elephant => {
                for (df, dr) in STRAIGHT {
                    for side in [-1, 1] {
                        let (sf, sr) = (df + side * dr, dr + side * df);
                        let Some(leg) = step(sq, df, dr).filter(|&leg| free(leg)) else { continue };
                        let Some(eye) = step(leg, sf, sr) else { continue };
                        if kind == Kind::Horse {
                            out |= 1 << eye;
                        } else if let Some(to) = step(eye, sf, sr).filter(|_| free(eye)) {
                            out |= 1 << to;
                        }
                    }
                }
            }
            _ => {
                for (df, dr) in STRAIGHT.into_iter().chain(SLANTED) {
                    let (mut at, mut screens) = (sq, 0);
                    while let Some(to) = step(at, df, dr) {
                        if df != 0 && dr != 0 && !DIAGONAL[at].near.has(to) {
                            break;
                        }
                        at = to;
                        if kind == Kind::Chariot {
                            out |= 1 << to;
                            if !free(to) {
                                break;
                            }
                        } else {
                            let cannon = cannons >> to & 1 != 0;
                            if screens == 1 && !cannon {
                                out |= 1 << to;
                            }
                            if !free(to) {
                                screens += 1;
                                if cannon || screens > 1 {
                                    break;
                                }
                            }
                        }
                    }
                }
            }
        }
        Bitboard(out)
    }

    #[test]
    fn tables_agree_with_walking() {
        let mut rng = Rng::new(11);
        for _ in 0..40_000 {
            let mut random = || u128::from(rng.next()) << 64 | u128::from(rng.next());
            let occ = random() & random() & ((1 << SQUARES) - 1);
            let cannons = random() & random() & occ;
            let sq = rng.below(SQUARES);
            let (occ, cannons) = (occ & !(1 << sq), cannons & !(1 << sq));
            for kind in [Kind::Chariot, Kind::Cannon, Kind::Horse, Kind::Elephant] {
                assert_eq!(
                    attacks(Color::Black, kind, sq, Bitboard(occ), Bitboard(cannons)),
                    walk(kind, sq, occ, cannons),
                    "{kind:?} on {sq} with {occ:x}"
                );
            }
        }
    }

    #[test]
    fn paths_are_what_stops_a_piece() {
        let mut rng = Rng::new(12);
        for _ in 0..20_000 {
            let mut random = || u128::from(rng.next()) << 64 | u128::from(rng.next());
            let occ = Bitboard(random() & random() & ((1 << SQUARES) - 1));
            let (from, to) = (rng.below(SQUARES), rng.below(SQUARES));
            let clear = (path(to, from) & occ).is_empty();
            assert_eq!(chariot(from, occ).has(to), line_star(to).has(from) && clear);
            assert_eq!(horse(from, occ).has(to), horse_star(to).has(from) && clear);
            assert_eq!(elephant(from, occ).has(to), elephant_star(to).has(from) && clear);
            assert_eq!(soldier(Color::White, from).has(to), soldiers_at(Color::White, to).has(from));
        }
    }

    #[test]
    fn palaces_have_their_lines() {
        // 5i is the centre, 6h a corner, 5h the middle of an edge.
        assert_eq!((palace(48).len(), palace(57).len(), palace(47).len()), (8, 3, 3));
        // A soldier on a near corner goes forward, sideways and to the centre, but never diagonally in its own palace.
        assert_eq!(soldier(Color::Black, 32).len(), 4);
        assert_eq!(soldier(Color::Black, 41).len(), 5);
        assert_eq!(soldier(Color::Black, 57).len(), 3);
    }
}
