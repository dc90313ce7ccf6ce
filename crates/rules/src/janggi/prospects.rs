//! Winning chances by material: classes in which no position is won, and classes in which hardly any is.
//!
//! [`ROWS`] was computed: dead classes by testing every placement for checkmate (`Class::find_mate` in the engine,
//! whose tests repeat this), the others from solved tables (`sanban solve --pieces guards`). docs/janggi-endings.md
//! lists the figures.

use super::piece::Kind;
use super::position::Position;
use super::rules::Pass;
use crate::score::MAX_EVAL;
use crate::{Bitboard, Color, Score};

/// The possible results of the remaining material.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Prospect {
    /// No position with these pieces is won, nor any that can arise from it by captures: the game is drawn.
    Dead,
    /// Fewer than five percent of the positions with the stronger side to move are won for it.
    Drawn,
    /// From 5 to 99 percent are won: which ones, the evaluation does not know.
    Unclear,
    /// Nearly all positions are won, or the class is not solved yet.
    Open,
}

/// Largest evaluation of a drawn class, in centipawns.
const DRAWN: Score = 25;
/// Largest evaluation of an unclear class. Mates are still found, and the tables of `sanban solve` give exact values.
const UNCLEAR: Score = 45;

/// The attackers of the two sides, then the results under [`Pass::Literal`] and under [`Pass::Free`]. Each string of
/// results has three groups, for zero to two guards of the first side, and each group has three marks, for zero to two
/// guards of the second side: `x` dead, `=` drawn, `~` unclear, `+` open, `?` not solved yet, which counts as open.
pub(super) const ROWS: &[(&str, &str, &str, &str)] = &[
    ("R", "", "x== x== x==", "x== x== x=="),
    ("C", "", "xx= xx= xx=", "xx= xx= xx="),
    ("N", "", "xx= xx= xx=", "xx= xx= xx="),
    ("B", "", "xx= xx= xx=", "xx= xx= xx="),
    ("P", "", "xxx xxx xxx", "xxx xxx xxx"),
    ("RR", "", "+++ +++ ++?", "+++ +++ ++?"),
    ("RC", "", "++~ ++? +??", "++~ ++? +??"),
    ("RN", "", "++~ ++? +??", "++~ ++? +??"),
    ("RB", "", "++~ ++? +??", "++~ ++? +??"),
    ("RP", "", "+~~ +~? +??", "~~~ ~~? ~??"),
    ("CC", "", "x== ~== ~~?", "x== ~== ~=?"),
    ("CN", "", "=== ==? =??", "=== ==? =??"),
    ("CB", "", "=== ==? =??", "=== ==? =??"),
    ("CP", "", "~== ~=? ~??", "=== ==? ~??"),
    ("NN", "", "=== === ==?", "=== === ==?"),
    ("NB", "", "=== ==? =??", "=== ==? =??"),
    ("NP", "", "~== ~=? ~??", "~== ~=? ~??"),
    ("BB", "", "=== === ==?", "=== === ==?"),
    ("BP", "", "~== ~=? ~??", "~== ~=? ~??"),
    ("PP", "", "~== ~== ~=?", "~== ~== ~=?"),
    ("R", "R", "=== ==? =??", "=== ==? =??"),
    ("R", "C", "=== ==? =??", "=== ==? =??"),
    ("R", "N", "x== ==? =??", "x== ==? =??"),
    ("R", "B", "=== ==? =??", "=== ==? =??"),
    ("R", "P", "=== ==? =??", "=== ==? =??"),
    ("C", "C", "=== ==? =??", "=== ==? =??"),
    ("C", "N", "x== ==? =??", "x== ==? =??"),
    ("C", "B", "=== ==? =??", "=== ==? =??"),
    ("C", "P", "=== ==? =??", "=== ==? =??"),
    ("N", "N", "x== ==? =??", "x== ==? =??"),
    ("N", "B", "x== ==? =??", "x== ==? =??"),
    ("N", "P", "x== x=? =??", "x== x=? =??"),
    ("B", "B", "x== ==? =??", "x== ==? =??"),
    ("B", "P", "x== x=? =??", "x== x=? =??"),
    ("P", "P", "xx= xx? =??", "xx= xx? =??"),
];

/// Kinds that can leave the palace.
const ATTACKERS: [Kind; 5] = [Kind::Chariot, Kind::Cannon, Kind::Horse, Kind::Elephant, Kind::Soldier];
/// Number of armies of up to two attackers and up to two guards.
const ARMIES: usize = 6 * 6 * GUARDS;
/// Number of possible guard counts: zero to two.
const GUARDS: usize = 3;

/// The prospect of two armies, under [`Pass::Literal`] and under [`Pass::Free`].
static TABLE: [[Prospect; 2]; ARMIES * ARMIES] = table();

const fn table() -> [[Prospect; 2]; ARMIES * ARMIES] {
    const fn prospect(mark: u8) -> Prospect {
        match mark {
            b'x' => Prospect::Dead,
            b'=' => Prospect::Drawn,
            b'~' => Prospect::Unclear,
            _ => Prospect::Open,
        }
    }
    let mut table = [[Prospect::Open; 2]; ARMIES * ARMIES];
    let mut row = 0;
    while row < ROWS.len() {
        let (first, second, literal, free) = ROWS[row];
        let mut n = 0;
        while n < GUARDS * GUARDS {
            let a = army(first.as_bytes(), n / GUARDS);
            let b = army(second.as_bytes(), n % GUARDS);
            // A space separates the groups.
            let mark = n + n / GUARDS;
            let both = [prospect(literal.as_bytes()[mark]), prospect(free.as_bytes()[mark])];
            table[a * ARMIES + b] = both;
            table[b * ARMIES + a] = both;
            n += 1;
        }
        row += 1;
    }
    table
}

/// Index of an army: the letters of at most two attackers, in the order of [`ATTACKERS`], and at most two guards.
const fn army(attackers: &[u8], guards: usize) -> usize {
    let (mut sum, mut n) = (0, 0);
    while n < attackers.len() {
        let mut code = 0;
        while ATTACKERS[code].letter() != attackers[n] {
            code += 1;
        }
        sum = sum * 6 + code + 1;
        n += 1;
    }
    sum * GUARDS + guards
}

impl Position {
    /// The prospect of the remaining material under the pass rule of the game.
    pub fn prospect(&self) -> Prospect {
        let attackers = self.occupied().without(self.of(Kind::General) | self.of(Kind::Guard));
        if attackers.len() > 2 {
            return Prospect::Open;
        }
        self.prospect_of(attackers)
    }

    fn prospect_of(&self, attackers: Bitboard) -> Prospect {
        if attackers.is_empty() {
            return Prospect::Dead;
        }
        let mut numbers = [0; 2];
        for color in Color::ALL {
            let guards = self.pieces_of(color, Kind::Guard).len();
            if guards >= GUARDS {
                return Prospect::Open;
            }
            let mut kinds = arrayvec::ArrayVec::<u8, 2>::new();
            for kind in ATTACKERS {
                (0..self.pieces_of(color, kind).len()).for_each(|_| kinds.push(kind.letter()));
            }
            numbers[color.index()] = army(&kinds, guards);
        }
        let [literal, free] = TABLE[numbers[0] * ARMIES + numbers[1]];
        match self.rules.pass {
            Pass::Literal => literal,
            Pass::Free => free,
            // Tables exist only for the other two rules, but no pass rule can create a mate where none exists.
            Pass::Forced if literal == Prospect::Dead => Prospect::Dead,
            Pass::Forced => Prospect::Open,
        }
    }

    /// Returns whether neither side can ever give mate.
    pub(super) fn is_dead(&self) -> bool {
        self.prospect() == Prospect::Dead
    }

    /// Limits an evaluation if few or only some of the positions with the remaining material are won, unless the game
    /// will be decided by counting.
    pub fn tempered(&self, score: Score) -> Score {
        match self.eval_limit() {
            MAX_EVAL => score,
            limit => (score / 16).clamp(-limit, limit),
        }
    }

    /// The largest evaluation, in centipawns.
    pub fn eval_limit(&self) -> Score {
        match self.prospect() {
            _ if self.rules.counting => MAX_EVAL,
            Prospect::Dead | Prospect::Drawn => DRAWN,
            Prospect::Unclear => UNCLEAR,
            Prospect::Open => MAX_EVAL,
        }
    }
}
