//! Counts leaves by the kind of the last move.

use super::after;
use sanban_rules::SearchPosition;
use std::fmt;

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

impl Kinds {
    /// Adds another count, multiplied by `times`; `None` on overflow.
    #[must_use]
    pub fn add(self, other: Self, times: u64) -> Option<Self> {
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

/// Counts the leaves `depth` plies below the position by the kind of the last move. At depth 0, the only leaf is the
/// position itself, which no move leads to. The position is restored.
///
/// ```
/// use sanban_engine::perft::{Kinds, kinds};
/// use sanban_rules::{Shogi, Variant};
/// let mut root = Shogi::parse(Shogi::START)?;
/// let expected = Kinds { leaves: 25_470, captures: 59, promotions: 30, checks: 48, ..Kinds::default() };
/// assert_eq!(kinds(&mut root, 3), expected);
/// # Ok::<(), sanban_rules::SfenError>(())
/// ```
pub fn kinds<P: SearchPosition>(pos: &mut P, depth: u32) -> Kinds {
    let mut out = Kinds::default();
    match depth {
        0 => out.leaves = 1,
        1 => last(pos, &mut out),
        _ => below(pos, depth, &mut out),
    }
    out
}

fn below<P: SearchPosition>(pos: &mut P, depth: u32, out: &mut Kinds) {
    for mv in pos.legal_moves() {
        after(pos, mv, |pos| if depth == 2 { last(pos, out) } else { below(pos, depth - 1, out) });
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
