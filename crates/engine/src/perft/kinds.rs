//! Counts leaves by the kind of the last move.

use super::{Perft, PerftTable, after};
use sanban_rules::{AnyPosition, SearchPosition, each_board};
use std::fmt;
use std::ops::AddAssign;

/// What distinguishes the table keys of the six counts of a position.
const MARKS: [u64; 6] = [
    0x2545_F491_4F6C_DD1D,
    0xD134_2543_DE82_EF95,
    0xAF25_1AF3_B0F0_25B5,
    0x9FB2_1C65_1E98_DF25,
    0xB5AD_4ECE_DA1C_E2A9,
    0xC2B2_AE3D_27D4_EB4F,
];

/// Numbers of leaves by the kind of the move that leads to them. A move can be of several kinds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Kinds {
    /// All leaves.
    pub leaves: u64,
    /// Captures.
    pub captures: u64,
    /// Promotions.
    pub promotions: u64,
    /// Drops.
    pub drops: u64,
    /// Checks, mates included.
    pub checks: u64,
    /// Checks after which there is no legal move.
    pub mates: u64,
}

/// The number of leaves, and the kinds if any were counted.
impl fmt::Display for Kinds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { leaves, captures, promotions, drops, checks, mates } = self;
        write!(f, "{leaves}")?;
        if captures + promotions + drops + checks > 0 {
            write!(
                f,
                " ({captures} captures, {promotions} promotions, {drops} drops, {checks} checks, {mates} mates)"
            )?;
        }
        Ok(())
    }
}

impl AddAssign for Kinds {
    fn add_assign(&mut self, other: Self) {
        self.leaves += other.leaves;
        self.captures += other.captures;
        self.promotions += other.promotions;
        self.drops += other.drops;
        self.checks += other.checks;
        self.mates += other.mates;
    }
}

impl Kinds {
    /// Adds another count, multiplied by `times`; `None` on overflow.
    #[must_use]
    pub fn checked_add(self, other: Self, times: u64) -> Option<Self> {
        let sum = |own: u64, other: u64| own.checked_add(other.checked_mul(times)?);
        Some(Self {
            leaves: sum(self.leaves, other.leaves)?,
            captures: sum(self.captures, other.captures)?,
            promotions: sum(self.promotions, other.promotions)?,
            drops: sum(self.drops, other.drops)?,
            checks: sum(self.checks, other.checks)?,
            mates: sum(self.mates, other.mates)?,
        })
    }
}

impl Perft {
    /// Counts the leaves `depth` plies below the position by the kind of the last move, on the calling thread. At
    /// depth 0, the only leaf is the position itself, which no move leads to.
    ///
    /// ```
    /// use sanban_engine::perft::{Kinds, Perft};
    /// use sanban_rules::{AnyPosition, VariantId};
    /// let root = AnyPosition::new(VariantId::Shogi);
    /// let expected = Kinds { leaves: 25_470, captures: 59, promotions: 30, checks: 48, ..Kinds::default() };
    /// assert_eq!(Perft::default().kinds(&root, 3), expected);
    /// ```
    pub fn kinds(&self, pos: &AnyPosition, depth: u32) -> Kinds {
        let mut out = Kinds::default();
        match depth {
            0 => out.leaves = 1,
            1 => each_board!(pos.board(), pos => last(&mut pos.clone(), &mut out)),
            _ => each_board!(pos.board(), pos => self.below(&mut pos.clone(), depth, &mut out)),
        }
        out
    }

    fn below<P: SearchPosition>(&self, pos: &mut P, depth: u32, out: &mut Kinds) {
        for mv in pos.legal_moves() {
            if depth == 2 {
                after(pos, mv, |pos| last(pos, out));
                continue;
            }
            let entry = self.table.as_ref().map(|table| (table, pos.key_after(mv)));
            let known = entry.and_then(|(table, key)| probe(table, key, depth - 1));
            let count = known.unwrap_or_else(|| {
                let mut count = Kinds::default();
                after(pos, mv, |pos| self.below(pos, depth - 1, &mut count));
                entry.iter().for_each(|&(table, key)| store(table, key, depth - 1, count));
                count
            });
            *out += count;
        }
    }
}

/// The counts of a subtree, if the table contains all of them. Each is stored under a key of its own, plus one, because
/// the table replaces small counts first.
fn probe(table: &PerftTable, key: u64, depth: u32) -> Option<Kinds> {
    let mut numbers = [0; 6];
    for (number, mark) in numbers.iter_mut().zip(MARKS) {
        *number = table.probe(key ^ mark, depth)? - 1;
    }
    let [leaves, captures, promotions, drops, checks, mates] = numbers;
    Some(Kinds { leaves, captures, promotions, drops, checks, mates })
}

fn store(table: &PerftTable, key: u64, depth: u32, count: Kinds) {
    let Kinds { leaves, captures, promotions, drops, checks, mates } = count;
    for (number, mark) in [leaves, captures, promotions, drops, checks, mates].into_iter().zip(MARKS) {
        table.store(key ^ mark, depth, number + 1);
    }
}

/// Counts the legal moves of a position.
fn last<P: SearchPosition>(pos: &mut P, out: &mut Kinds) {
    let moves = pos.legal_moves();
    let info = pos.check_info();
    out.leaves += moves.len() as u64;
    for mv in moves {
        if mv.is_pass() {
            continue;
        }
        if mv.is_drop() {
            out.drops += 1;
        } else {
            out.captures += u64::from(pos.victim(mv) > 0);
            out.promotions += u64::from(mv.is_promotion());
        }
        if pos.gives_check_with(&info, mv) {
            out.checks += 1;
            out.mates += u64::from(after(pos, mv, |pos| pos.count() == 0));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sanban_rules::{Shogi, Variant, VariantId};

    #[test]
    fn a_table_changes_no_count() {
        let middle_game = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1";
        for (sfen, depth) in [(Shogi::START, 4), (middle_game, 3)] {
            let pos = AnyPosition::parse(VariantId::Shogi, sfen).unwrap();
            let expected = Perft::default().kinds(&pos, depth);
            let perft = Perft::new(1, 1).unwrap();
            assert_eq!(perft.kinds(&pos, depth), expected);
            assert_eq!(perft.kinds(&pos, depth), expected, "with the counts of the first time");
        }
    }

    #[test]
    fn all_counts_of_a_subtree_are_found_again() {
        let table = PerftTable::new(1).unwrap();
        let count = Kinds { leaves: 9, captures: 5, promotions: 4, drops: 3, checks: 2, mates: 0 };
        store(&table, 0x0123_4567_89AB_CDEF, 2, count);
        assert_eq!(probe(&table, 0x0123_4567_89AB_CDEF, 2), Some(count));
        assert_eq!(probe(&table, 0x0123_4567_89AB_CDEF, 3), None);
        assert_eq!(probe(&table, 0x0123_4567_89AB_CDEE, 2), None);
    }
}
