//! Attack tables. Steps are indexed by side, kind and square; attacks of sliders are looked up by the occupancy of each
//! line, through a magic multiplier. All tables are computed at compile time (664 KB for the lines).

use super::piece::Kind;
use super::square::{BOARD, FILES, RANKS, SQUARES};
use crate::lines::{LINES, Magic, inner, on_board, ray, reach};
use crate::{Bitboard, Color, from_fn};

/// Directions, by index: d and d + 4 are opposite; 0 is forward for black.
const DIRECTIONS: [(i32, i32); 8] = [(0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)];
const FORWARD: [usize; 2] = [0, 4];

const fn steps(sq: usize, list: &[(i32, i32)], color: Color) -> Bitboard {
    let mut out = 0;
    let mut i = 0;
    while i < list.len() {
        let sign = if matches!(color, Color::Black) { 1 } else { -1 };
        let (f, r) = ((sq / RANKS) as i32 + sign * list[i].0, (sq % RANKS) as i32 + sign * list[i].1);
        if on_board::<FILES, RANKS>(f, r) {
            out |= 1u128 << (f as usize * RANKS + r as usize);
        }
        i += 1;
    }
    Bitboard(out)
}

/// The single steps of a kind for black; sliders have none, horse and dragon have the four that their lines do not
/// cover.
const fn step_list(kind: usize) -> &'static [(i32, i32)] {
    match Kind::ALL[kind] {
        Kind::Pawn => &[(0, -1)],
        Kind::Knight => &[(-1, -2), (1, -2)],
        Kind::Silver => &[(-1, -1), (0, -1), (1, -1), (-1, 1), (1, 1)],
        Kind::Gold | Kind::ProPawn | Kind::ProLance | Kind::ProKnight | Kind::ProSilver => {
            &[(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (0, 1)]
        }
        Kind::King => &DIRECTIONS,
        Kind::Horse => &[(0, -1), (1, 0), (0, 1), (-1, 0)],
        Kind::Dragon => &[(1, -1), (1, 1), (-1, 1), (-1, -1)],
        Kind::Lance | Kind::Bishop | Kind::Rook => &[],
    }
}

static STEPS: [[[Bitboard; SQUARES]; Kind::COUNT]; 2] = {
    let mut t = [[[Bitboard::EMPTY; SQUARES]; Kind::COUNT]; 2];
    let mut c = 0;
    while c < 2 {
        let mut k = 0;
        while k < Kind::COUNT {
            let mut sq = 0;
            while sq < SQUARES {
                t[c][k][sq] = steps(sq, step_list(k), Color::from_index(c));
                sq += 1;
            }
            k += 1;
        }
        c += 1;
    }
    t
};

/// Rays on an empty board, by direction and square.
static RAYS: [[Bitboard; SQUARES]; 8] = {
    let mut t = [[Bitboard::EMPTY; SQUARES]; 8];
    let mut d = 0;
    while d < 8 {
        let mut sq = 0;
        while sq < SQUARES {
            t[d][sq] = Bitboard(ray::<FILES, RANKS>(0, sq, DIRECTIONS[d].0, DIRECTIONS[d].1));
            sq += 1;
        }
        d += 1;
    }
    t
};

/// Direction from one square to another; 8 if they are not on one line.
static DIRECTION: [[u8; SQUARES]; SQUARES] = {
    let mut t = [[8; SQUARES]; SQUARES];
    let mut sq = 0;
    while sq < SQUARES {
        let mut d = 0;
        while d < 8 {
            let mut rest = Bitboard(ray::<FILES, RANKS>(0, sq, DIRECTIONS[d].0, DIRECTIONS[d].1));
            while let Some(to) = rest.pop() {
                t[sq][to] = d as u8;
            }
            d += 1;
        }
        sq += 1;
    }
    t
};

/// Squares that a rook (row 0) or a bishop (row 1) reaches on an empty board.
static STARS: [[Bitboard; SQUARES]; 2] = {
    let mut t = [[Bitboard::EMPTY; SQUARES]; 2];
    let mut d = 0;
    while d < 8 {
        let mut sq = 0;
        while sq < SQUARES {
            t[d % 2][sq] =
                t[d % 2][sq].or(Bitboard(ray::<FILES, RANKS>(0, sq, DIRECTIONS[d].0, DIRECTIONS[d].1)));
            sq += 1;
        }
        d += 1;
    }
    t
};

const BITS: u32 = 7;

static MAGICS: [[Magic<BITS>; 4]; SQUARES] = {
    let mut t = [[Magic::NONE; 4]; SQUARES];
    let mut sq = 0;
    while sq < SQUARES {
        let mut line = 0;
        while line < 4 {
            t[sq][line] = Magic::new::<FILES, RANKS>(sq, line);
            line += 1;
        }
        sq += 1;
    }
    t
};

static LINE_ATTACKS: [[[Bitboard; 1 << BITS]; 4]; SQUARES] = {
    let mut t = [[[Bitboard::EMPTY; 1 << BITS]; 4]; SQUARES];
    let mut sq = 0;
    while sq < SQUARES {
        let mut line = 0;
        while line < 4 {
            let (df, dr) = LINES[line];
            let relevant = inner::<FILES, RANKS>(sq, line);
            let (forth, back) = (ray::<FILES, RANKS>(0, sq, df, dr), ray::<FILES, RANKS>(0, sq, -df, -dr));
            let mut occ = 0u128;
            loop {
                t[sq][line][MAGICS[sq][line].index(occ)] = Bitboard(reach(forth, back, occ));
                // Carry-rippler: the next subset of the relevant squares.
                occ = occ.wrapping_sub(relevant) & relevant;
                if occ == 0 {
                    break;
                }
            }
            line += 1;
        }
        sq += 1;
    }
    t
};

fn along(line: usize, sq: usize, occ: Bitboard) -> Bitboard {
    LINE_ATTACKS[sq][line][MAGICS[sq][line].index(occ.0)]
}

/// Rook attacks, including the first occupied square of each ray.
pub fn rook(sq: usize, occ: Bitboard) -> Bitboard {
    along(0, sq, occ) | along(1, sq, occ)
}

/// Bishop attacks, including the first occupied square of each ray.
pub fn bishop(sq: usize, occ: Bitboard) -> Bitboard {
    along(2, sq, occ) | along(3, sq, occ)
}

/// Lance attacks, including the first occupied square.
pub fn lance(color: Color, sq: usize, occ: Bitboard) -> Bitboard {
    along(0, sq, occ) & RAYS[FORWARD[color.index()]][sq]
}

/// The single steps of a kind; see `attacks` for all attacks of a piece.
pub fn step(color: Color, kind: Kind, sq: usize) -> Bitboard {
    STEPS[color.index()][kind.index()][sq]
}

/// The eight squares around a square.
pub fn king(sq: usize) -> Bitboard {
    STEPS[0][Kind::King.index()][sq]
}

/// All squares that a piece attacks.
#[inline]
pub fn attacks(color: Color, kind: Kind, sq: usize, occ: Bitboard) -> Bitboard {
    match kind {
        Kind::Lance => lance(color, sq, occ),
        Kind::Bishop => bishop(sq, occ),
        Kind::Rook => rook(sq, occ),
        Kind::Horse => bishop(sq, occ) | king(sq),
        Kind::Dragon => rook(sq, occ) | king(sq),
        _ => step(color, kind, sq),
    }
}

/// Squares that a rook attacks on an empty board.
pub fn rook_star(sq: usize) -> Bitboard {
    STARS[0][sq]
}

/// Squares that a bishop attacks on an empty board.
pub fn bishop_star(sq: usize) -> Bitboard {
    STARS[1][sq]
}

/// The whole ray in front of a square.
pub fn front(color: Color, sq: usize) -> Bitboard {
    RAYS[FORWARD[color.index()]][sq]
}

/// Squares strictly between two squares; empty if they are not on one line.
#[inline]
pub fn between(a: usize, b: usize) -> Bitboard {
    let d = DIRECTION[a][b] as usize;
    if d == 8 { Bitboard::EMPTY } else { (RAYS[d][a] ^ RAYS[d][b]).without(Bitboard::square(b)) }
}

/// The ray from `a` through `b` to the edge; empty if they are not on one line.
#[inline]
pub fn through(a: usize, b: usize) -> Bitboard {
    let d = DIRECTION[a][b] as usize;
    if d == 8 { Bitboard::EMPTY } else { RAYS[d][a] }
}

/// The squares behind `b`, seen from `a`, up to the edge; empty if they are not on one line.
#[inline]
pub fn beyond(a: usize, b: usize) -> Bitboard {
    let d = DIRECTION[a][b] as usize;
    if d == 8 { Bitboard::EMPTY } else { RAYS[d][b] }
}

/// The squares from which a piece of this kind would attack `sq` or a square around it, on an empty board.
pub fn touching(attacker: Color, kind: Kind, sq: usize) -> Bitboard {
    TOUCHING[attacker.index()][kind.index()][sq]
}

/// The squares from which a stepping piece of `attacker` could attack a square around `sq`: all squares within two king
/// steps, and one more rank because of knights.
pub fn near(attacker: Color, sq: usize) -> Bitboard {
    NEAR[attacker.index()][sq]
}

/// The squares from which a knight, silver or gold of `attacker` may give direct check to a king on `sq` with its next
/// move, on an empty board and as if promotion were allowed everywhere. The whole board for all other kinds.
#[inline]
pub fn before_check(attacker: Color, kind: Kind, sq: usize) -> Bitboard {
    let row = STEPPERS.iter().position(|&stepper| stepper == kind);
    row.map_or(BOARD, |row| BEFORE_CHECK[attacker.index()][row][sq])
}

const STEPPERS: [Kind; 3] = [Kind::Knight, Kind::Silver, Kind::Gold];

static BEFORE_CHECK: [[[Bitboard; SQUARES]; 3]; 2] =
    from_fn!(2, |c| from_fn!(3, |row| from_fn!(SQUARES, |sq| {
        // The steps of the other side lead back from a square.
        let back = &STEPS[1 - c];
        let kind = STEPPERS[row].index();
        let (mut out, mut checks) = (Bitboard::EMPTY, back[kind][sq].or(back[Kind::Gold.index()][sq]));
        while let Some(to) = checks.pop() {
            out = out.or(back[kind][to]);
        }
        out
    })));

static TOUCHING: [[[Bitboard; SQUARES]; Kind::COUNT]; 2] =
    from_fn!(2, |c| from_fn!(Kind::COUNT, |k| from_fn!(SQUARES, |sq| {
        let (mut out, mut targets) = (Bitboard::EMPTY, zone(sq));
        while let Some(to) = targets.pop() {
            out = out.or(STEPS[1 - c][k][to]).or(match Kind::ALL[k] {
                Kind::Lance => RAYS[FORWARD[1 - c]][to],
                Kind::Bishop | Kind::Horse => STARS[1][to],
                Kind::Rook | Kind::Dragon => STARS[0][to],
                _ => Bitboard::EMPTY,
            });
        }
        out
    })));

static NEAR: [[Bitboard; SQUARES]; 2] = from_fn!(2, |c| from_fn!(SQUARES, |sq| {
    let (mut out, mut targets) = (Bitboard::EMPTY, STEPS[0][Kind::King.index()][sq]);
    while let Some(to) = targets.pop() {
        out = out.or(zone(to)).or(STEPS[1 - c][Kind::Knight.index()][to]);
    }
    out
}));

/// A square and the squares around it.
const fn zone(sq: usize) -> Bitboard {
    STEPS[0][Kind::King.index()][sq].or(Bitboard::square(sq))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rng;

    #[test]
    fn line_tables_agree_with_walking() {
        let mut rng = Rng::new(11);
        for _ in 0..50_000 {
            let bits = (u128::from(rng.next()) << 64 | u128::from(rng.next()))
                & (u128::from(rng.next()) << 64 | u128::from(rng.next()));
            let (occ, sq) = (bits & ((1 << 81) - 1), rng.below(SQUARES));
            let walk = |dirs: &[(i32, i32)]| {
                Bitboard(dirs.iter().fold(0, |a, &(f, r)| a | ray::<FILES, RANKS>(occ, sq, f, r)))
            };
            assert_eq!(rook(sq, Bitboard(occ)), walk(&[(0, 1), (0, -1), (1, 0), (-1, 0)]));
            assert_eq!(bishop(sq, Bitboard(occ)), walk(&[(1, 1), (1, -1), (-1, 1), (-1, -1)]));
            assert_eq!(lance(Color::Black, sq, Bitboard(occ)), walk(&[(0, -1)]));
            assert_eq!(lance(Color::White, sq, Bitboard(occ)), walk(&[(0, 1)]));
        }
    }

    #[test]
    fn between_and_through_follow_lines() {
        // 5e = 40: 5a = 36, 9a = 72, 1e = 4.
        assert_eq!(between(40, 36).collect::<Vec<_>>(), [37, 38, 39]);
        assert_eq!(between(36, 40), between(40, 36));
        assert_eq!(between(40, 72).collect::<Vec<_>>(), [48, 56, 64]);
        assert_eq!(between(40, 4).len(), 3);
        assert!(between(40, 37 + 9).is_empty() && through(40, 37 + 9).is_empty());
        assert_eq!(through(40, 38).collect::<Vec<_>>(), [36, 37, 38, 39]);
    }
}
