//! Features computed from the board. Every feature is a row of the weight table and is reported once per occurrence.

use super::weights::{
    BALANCE, CHAIN, CHECK, DANGER, FLIGHTS, HANGING, LINE, MOBILITY, PRESSURE, TEMPO, THREAT,
};
use sanban_rules::janggi::piece::Kind;
use sanban_rules::janggi::square::{PALACE, RANKS};
use sanban_rules::janggi::{Position, attacks};
use sanban_rules::{Bitboard, Color, Position as _};

/// Kinds of pieces that can leave the palace, in the order of their indices.
const ROVERS: [Kind; 5] = [Kind::Chariot, Kind::Cannon, Kind::Horse, Kind::Elephant, Kind::Soldier];
/// Danger units of each kind of piece that attacks the enemy palace.
const UNITS: [usize; Kind::COUNT] = [0, 0, 3, 2, 2, 1, 1];

/// The attacks of one side.
struct Side {
    /// The attacks of each kind of piece.
    by: [Bitboard; Kind::COUNT],
    /// All attacked squares.
    all: Bitboard,
    /// Total danger units of the pieces that attack the enemy palace.
    danger: usize,
}

/// Calls `name` with the side and row of every feature of the position.
#[inline]
pub fn features(pos: &Position, mut name: impl FnMut(Color, usize)) {
    let sides = [Color::Black, Color::White].map(|us| scan(pos, us, &mut name));
    for us in Color::ALL {
        let (own, other) = (&sides[us.index()], &sides[(!us).index()]);
        threats(pos, us, own, other, &mut name);
        // The general: danger to its palace by number of guards, flight squares, and pieces that aim at it.
        let guards = pos.pieces_of(us, Kind::Guard).len().min(2);
        name(us, DANGER + guards * 16 + other.danger.min(15));
        let general = pos.general(us);
        let flights = attacks::palace(general).without(pos.pieces(us) | other.all);
        name(us, FLIGHTS + flights.len());
        let occ = pos.occupied();
        for from in pos.bearers(general) & pos.pieces(!us) {
            if let Some(piece) = pos.piece_on(from) {
                let between = (attacks::path(general, from) & occ).len().min(3);
                name(!us, LINE + (piece.kind.index() - Kind::Chariot.index()) * 4 + between);
            }
        }
        checks(pos, us, own, other, &mut name);
        let count = |color: Color, kind: Kind| pos.pieces_of(color, kind).len().min(2);
        name(us, BALANCE + count(us, Kind::Chariot) * 3 + count(!us, Kind::Chariot));
        name(us, BALANCE + 9 + count(us, Kind::Cannon) * 3 + count(!us, Kind::Cannon));
        let hunters = count(!us, Kind::Chariot) + count(!us, Kind::Cannon);
        name(us, BALANCE + 18 + guards * 5 + hunters);
        let soldiers = pos.pieces_of(us, Kind::Soldier);
        (soldiers & Bitboard(soldiers.0 << RANKS)).for_each(|_| name(us, CHAIN));
    }
    name(pos.side(), TEMPO);
}

/// Computes the attacks of one side, and reports its mobility and pressure.
#[inline]
fn scan(pos: &Position, us: Color, name: &mut impl FnMut(Color, usize)) -> Side {
    let (own, occ, cannons) = (pos.pieces(us), pos.occupied(), pos.of(Kind::Cannon));
    let palace = PALACE[(!us).index()];
    let mut side = Side { by: [Bitboard::EMPTY; Kind::COUNT], all: Bitboard::EMPTY, danger: 0 };
    for (n, kind) in ROVERS.into_iter().enumerate() {
        for from in pos.pieces_of(us, kind) {
            let reach = attacks::attacks(us, kind, from, occ, cannons);
            side.by[kind.index()] |= reach;
            if kind != Kind::Soldier {
                name(us, MOBILITY + n * 18 + reach.without(own).len().min(17));
            }
            let aimed = reach & palace;
            if aimed.any() {
                aimed.for_each(|_| name(us, PRESSURE + n));
                side.danger += UNITS[kind.index()];
            }
        }
    }
    for from in pos.pieces_of(us, Kind::Guard) {
        side.by[Kind::Guard.index()] |= attacks::palace(from);
    }
    side.by[Kind::General.index()] = attacks::palace(pos.general(us));
    side.all = side.by.iter().fold(Bitboard::EMPTY, |all, &some| all | some);
    side
}

/// Reports attacked enemy pieces by kind of attacker and victim; undefended ones also by side to move.
#[inline]
fn threats(pos: &Position, us: Color, own: &Side, other: &Side, name: &mut impl FnMut(Color, usize)) {
    let prey = pos.pieces(!us).without(pos.of(Kind::General));
    let attacked = own.all & prey;
    if attacked.is_empty() {
        return;
    }
    let turn = usize::from(pos.side() == us);
    for sq in attacked {
        let Some(victim) = pos.piece_on(sq) else { continue };
        let victim = victim.kind.index() - 1;
        for by in 1..Kind::COUNT {
            if own.by[by].has(sq) {
                name(us, THREAT + (by - 1) * 6 + victim);
            }
        }
        if !other.all.has(sq) {
            name(us, HANGING + turn * 6 + victim);
        }
    }
}

/// Reports the squares from which the other side could give check on its next move, and whether each of them is safe.
#[inline]
fn checks(pos: &Position, us: Color, own: &Side, other: &Side, name: &mut impl FnMut(Color, usize)) {
    let (general, occ, cannons) = (pos.general(us), pos.occupied(), pos.of(Kind::Cannon));
    let turn = usize::from(pos.side() != us);
    for (n, kind) in [Kind::Chariot, Kind::Cannon, Kind::Horse, Kind::Elephant].into_iter().enumerate() {
        let near = attacks::star(kind, general) & other.by[kind.index()];
        for sq in near.without(pos.pieces(!us)) {
            let between = attacks::path(general, sq) & occ;
            let hits = match kind {
                Kind::Cannon => between.any() && !between.many() && (between & cannons).is_empty(),
                _ => between.is_empty(),
            };
            if hits {
                let safe = usize::from(!own.all.has(sq));
                name(!us, CHECK + (2 * safe + turn) * 4 + n);
            }
        }
    }
}
