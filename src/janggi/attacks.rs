//! Where pieces reach. All tables are made by the compiler.
//!
//! Chariots and cannons look up their file and rank by its occupancy. A file lies in ten neighbouring bits, the inner
//! squares of a rank are brought together by a magic multiplier; every file and every rank shares one table (46 KB
//! altogether), shifted into place. Horses look up their four legs, elephants go on from where a horse would stop.

use super::piece::Kind;
use super::square::{FILES, LAST, PALACE, RANKS, SQUARES};
use crate::base::lines::{Magic, on_board, ray};
use crate::base::{Bitboard, Color};

/// The square a step away, if there is one.
const fn step(sq: usize, df: i32, dr: i32) -> Option<usize> {
    let (f, r) = ((sq / RANKS) as i32 + df, (sq % RANKS) as i32 + dr);
    if on_board::<FILES, RANKS>(f, r) { Some(f as usize * RANKS + r as usize) } else { None }
}

const STRAIGHT: [(i32, i32); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
const SLANTED: [(i32, i32); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];

/// Squares from `sq` in one direction that a chariot reaches, or a cannon over its screen, whatever the screen is.
const fn slide(sq: usize, occ: u128, (df, dr): (i32, i32), cannon: bool) -> u128 {
    let first = ray::<FILES, RANKS>(occ, sq, df, dr);
    if !cannon {
        return first;
    }
    let screen = first & occ;
    if screen == 0 { 0 } else { ray::<FILES, RANKS>(occ, screen.trailing_zeros() as usize, df, dr) }
}

/// Reach along file 0, by rank and the occupancy of its inner squares. Row 0: chariot, row 1: cannon.
static ALONG_FILE: [[[u16; 256]; RANKS]; 2] = {
    let mut t = [[[0; 256]; RANKS]; 2];
    let mut rank = 0;
    while rank < RANKS {
        let mut i = 0;
        while i < 256 {
            let occ = (i as u128) << 1 & !(1 << rank);
            t[0][rank][i] = (slide(rank, occ, (0, 1), false) | slide(rank, occ, (0, -1), false)) as u16;
            t[1][rank][i] = (slide(rank, occ, (0, 1), true) | slide(rank, occ, (0, -1), true)) as u16;
            i += 1;
        }
        rank += 1;
    }
    t
};

/// Squares that can stop a slider on a rank before the edge.
const BITS: u32 = FILES as u32 - 2;

/// The inner squares of every rank, as an index.
static RANK_MAGIC: [Magic<BITS>; RANKS] = {
    let mut t = [Magic::NONE; RANKS];
    let mut rank = 0;
    while rank < RANKS {
        t[rank] = Magic::new::<FILES, RANKS>(rank, 1);
        rank += 1;
    }
    t
};

/// Reach along rank 0, by file and the occupancy of its inner squares.
static ALONG_RANK: [[[Bitboard; 1 << BITS]; FILES]; 2] = {
    let mut t = [[[Bitboard::EMPTY; 1 << BITS]; FILES]; 2];
    let mut file = 0;
    while file < FILES {
        let mut i = 0;
        while i < 1 << BITS {
            let (mut occ, mut bit) = (0u128, 0);
            while bit < BITS {
                if i >> bit & 1 != 0 {
                    occ |= 1 << ((bit + 1) as usize * RANKS);
                }
                bit += 1;
            }
            let sq = file * RANKS;
            occ &= !(1 << sq);
            t[0][file][i] = Bitboard(slide(sq, occ, (1, 0), false) | slide(sq, occ, (-1, 0), false));
            t[1][file][i] = Bitboard(slide(sq, occ, (1, 0), true) | slide(sq, occ, (-1, 0), true));
            i += 1;
        }
        file += 1;
    }
    t
};

/// File and rank of every square: divisions cost more than a look.
static PLACE: [(u8, u8); SQUARES] = {
    let mut t = [(0, 0); SQUARES];
    let mut sq = 0;
    while sq < SQUARES {
        t[sq] = ((sq / RANKS) as u8, (sq % RANKS) as u8);
        sq += 1;
    }
    t
};

/// Reach along file and rank. `PIECE` 0: chariot, 1: cannon over any screen.
#[inline]
fn along<const PIECE: usize>(sq: usize, occ: Bitboard) -> Bitboard {
    let (file, rank) = (usize::from(PLACE[sq].0), usize::from(PLACE[sq].1));
    let start = file * RANKS;
    let inner = (occ.0 >> (start + 1)) as usize & 255;
    let on_file = u128::from(ALONG_FILE[PIECE][rank][inner]) << start;
    let on_rank = ALONG_RANK[PIECE][file][RANK_MAGIC[rank].index(occ.0)].0 << rank;
    Bitboard(on_file | on_rank)
}

/// Rays on an empty board: up the ranks, up the files, and back.
static RAYS: [[Bitboard; SQUARES]; 4] = {
    let mut t = [[Bitboard::EMPTY; SQUARES]; 4];
    let mut d = 0;
    while d < 4 {
        let mut sq = 0;
        while sq < SQUARES {
            t[d][sq] = Bitboard(slide(sq, 0, STRAIGHT[d], false));
            sq += 1;
        }
        d += 1;
    }
    t
};

/// The palace's diagonals from a square: the squares next to it, and the corner beyond the centre.
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

/// Squares with diagonals.
const CROSSINGS: Bitboard = {
    let mut out = Bitboard::EMPTY;
    let mut sq = 0;
    while sq < SQUARES {
        if DIAGONAL[sq].near.any() {
            out = out.or(Bitboard::square(sq));
        }
        sq += 1;
    }
    out
};

/// Steps of generals and guards along the lines of a palace.
static PALACE_STEPS: [Bitboard; SQUARES] = {
    let mut t = [Bitboard::EMPTY; SQUARES];
    let mut sq = 0;
    while sq < SQUARES {
        let mut c = 0;
        while c < 2 {
            if PALACE[c].has(sq) {
                let mut d = 0;
                while d < 4 {
                    if let Some(to) = step(sq, STRAIGHT[d].0, STRAIGHT[d].1) {
                        t[sq] = t[sq].or(Bitboard::square(to).and(PALACE[c]));
                    }
                    d += 1;
                }
                t[sq] = t[sq].or(DIAGONAL[sq].near);
            }
            c += 1;
        }
        sq += 1;
    }
    t
};

/// Steps of soldiers, by side: forward, sideways, and forward along the diagonals of the enemy palace.
static SOLDIER_STEPS: [[Bitboard; SQUARES]; 2] = {
    let mut t = [[Bitboard::EMPTY; SQUARES]; 2];
    let mut c = 0;
    while c < 2 {
        let ahead = if c == 0 { -1 } else { 1 };
        let mut sq = 0;
        while sq < SQUARES {
            let steps = [step(sq, 0, ahead), step(sq, 1, 0), step(sq, -1, 0)];
            let mut i = 0;
            while i < 3 {
                if let Some(to) = steps[i] {
                    t[c][sq] = t[c][sq].or(Bitboard::square(to));
                }
                i += 1;
            }
            t[c][sq] = t[c][sq].or(soldier_diagonal(c, sq));
            sq += 1;
        }
        c += 1;
    }
    t
};

const fn soldier_diagonal(color: usize, sq: usize) -> Bitboard {
    let ahead = if color == 0 { -1 } else { 1 };
    let mut out = Bitboard::EMPTY;
    if PALACE[1 - color].has(sq) {
        let mut side = -1;
        while side <= 1 {
            if let Some(to) = step(sq, side, ahead)
                && DIAGONAL[sq].near.has(to)
            {
                out = out.or(Bitboard::square(to));
            }
            side += 2;
        }
    }
    out
}

/// Where soldiers of a side step diagonally: the near corners and the centre of the enemy palace.
pub(super) const SLANTING: [Bitboard; 2] = {
    let mut t = [Bitboard::EMPTY; 2];
    let mut c = 0;
    while c < 2 {
        let mut sq = 0;
        while sq < SQUARES {
            if soldier_diagonal(c, sq).any() {
                t[c] = t[c].or(Bitboard::square(sq));
            }
            sq += 1;
        }
        c += 1;
    }
    t
};

/// From where soldiers of a side attack a square.
static SOLDIERS_AT: [[Bitboard; SQUARES]; 2] = {
    let mut t = [[Bitboard::EMPTY; SQUARES]; 2];
    let mut c = 0;
    while c < 2 {
        let mut from = 0;
        while from < SQUARES {
            let mut to = SOLDIER_STEPS[c][from];
            while let Some(sq) = to.pop() {
                t[c][sq] = t[c][sq].or(Bitboard::square(from));
            }
            from += 1;
        }
        c += 1;
    }
    t
};

/// Horse moves by the occupancy of the four legs, numbered as in `legs`.
static HORSE: [[Bitboard; 16]; SQUARES] = {
    const LEGS: [(i32, i32); 4] = [(-1, 0), (0, -1), (0, 1), (1, 0)];
    let mut t = [[Bitboard::EMPTY; 16]; SQUARES];
    let mut sq = 0;
    while sq < SQUARES {
        let mut i = 0;
        while i < 16 {
            let mut leg = 0;
            while leg < 4 {
                let (df, dr) = LEGS[leg];
                if i >> leg & 1 == 0 {
                    // One step on, and one to either side of it.
                    if let Some(to) = step(sq, 2 * df + dr, 2 * dr + df) {
                        t[sq][i] = t[sq][i].or(Bitboard::square(to));
                    }
                    if let Some(to) = step(sq, 2 * df - dr, 2 * dr - df) {
                        t[sq][i] = t[sq][i].or(Bitboard::square(to));
                    }
                }
                leg += 1;
            }
            i += 1;
        }
        sq += 1;
    }
    t
};

/// The four squares around `sq`, four bits. Beyond the edge the bits are those of other squares, and nobody asks.
#[inline]
fn legs(sq: usize, occ: Bitboard) -> usize {
    // Room for the square ten bits below square 0.
    let window = ((occ.0 << RANKS) >> sq) as usize;
    window & 1 | window >> 8 & 2 | window >> 9 & 4 | window >> 17 & 8
}

/// Horse points from which an elephant goes on in each direction of `SLANTED` without leaving the board.
static ELEPHANT_EYES: [[Bitboard; 4]; SQUARES] = {
    let mut t = [[Bitboard::EMPTY; 4]; SQUARES];
    let mut sq = 0;
    while sq < SQUARES {
        let mut d = 0;
        while d < 4 {
            let (df, dr) = SLANTED[d];
            let paths = [(2 * df, dr), (df, 2 * dr)];
            let mut i = 0;
            while i < 2 {
                let (f, r) = paths[i];
                if let (Some(eye), Some(_)) = (step(sq, f, r), step(sq, f + df, r + dr)) {
                    t[sq][d] = t[sq][d].or(Bitboard::square(eye));
                }
                i += 1;
            }
            d += 1;
        }
        sq += 1;
    }
    t
};

/// What an elephant on a square reaches on an empty board.
static ELEPHANT_STAR: [Bitboard; SQUARES] = {
    let mut t = [Bitboard::EMPTY; SQUARES];
    let mut sq = 0;
    while sq < SQUARES {
        t[sq] = elephant_from(sq, HORSE[sq][0]);
        sq += 1;
    }
    t
};

/// Chariots and cannons elsewhere on these squares may bear on a square: its file and rank and its diagonals.
static LINE_STAR: [Bitboard; SQUARES] = {
    let mut t = [Bitboard::EMPTY; SQUARES];
    let mut sq = 0;
    while sq < SQUARES {
        let mut d = 0;
        while d < 4 {
            t[sq] = t[sq].or(RAYS[d][sq]);
            d += 1;
        }
        t[sq] = t[sq].or(DIAGONAL[sq].near).or(DIAGONAL[sq].far);
        sq += 1;
    }
    t
};

/// The squares that matter on the way from a piece (second index) to its target (first index): those between them on
/// a line, the leg of a horse, leg and eye of an elephant. The geometry tells which of them it is.
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
            // A horse and an elephant that set out this way, to either side.
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

/// Chariot attacks, the first occupied square of each line included.
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

/// Cannon moves and captures (own pieces included): over one screen, which is no cannon, to anything but a cannon.
/// `cannons` are those of both sides.
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

/// Horse moves.
#[inline]
pub fn horse(sq: usize, occ: Bitboard) -> Bitboard {
    HORSE[sq][legs(sq, occ)]
}

/// Elephant moves.
#[inline]
pub fn elephant(sq: usize, occ: Bitboard) -> Bitboard {
    elephant_from(sq, horse(sq, occ).without(occ))
}

/// Elephant moves through these horse points.
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
#[inline]
pub fn palace(sq: usize) -> Bitboard {
    PALACE_STEPS[sq]
}

/// Steps of a soldier.
#[inline]
pub fn soldier(color: Color, sq: usize) -> Bitboard {
    SOLDIER_STEPS[color.index()][sq]
}

/// From where soldiers of a side attack a square.
#[inline]
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

/// Everything that a piece may go to or take, as far as only its way matters (own pieces included).
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

/// From where chariots and cannons may bear on a square.
#[inline]
pub(super) fn line_star(sq: usize) -> Bitboard {
    LINE_STAR[sq]
}

/// From where horses may bear on a square (and where they may go from it).
#[inline]
pub(super) fn horse_star(sq: usize) -> Bitboard {
    HORSE[sq][0]
}

/// From where elephants may bear on a square.
#[inline]
pub(super) fn elephant_star(sq: usize) -> Bitboard {
    ELEPHANT_STAR[sq]
}

/// From where a chariot, cannon, horse or elephant may bear on a square.
#[inline]
pub fn star(kind: Kind, sq: usize) -> Bitboard {
    match kind {
        Kind::Chariot | Kind::Cannon => line_star(sq),
        Kind::Horse => horse_star(sq),
        Kind::Elephant => elephant_star(sq),
        _ => Bitboard::EMPTY,
    }
}

/// The squares that matter between a piece on `from` that may bear on `target` and the target.
#[inline]
pub fn path(target: usize, from: usize) -> Bitboard {
    PATH[target][from]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Rng;

    /// Walks from square to square by the words of the rules.
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
        // A soldier on the near corner goes forward, sideways and to the centre; never diagonally at home.
        assert_eq!(soldier(Color::Black, 32).len(), 4);
        assert_eq!(soldier(Color::Black, 41).len(), 5);
        assert_eq!(soldier(Color::Black, 57).len(), 3);
    }
}
