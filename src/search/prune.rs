//! The margins of pruning: pure functions of depth and evaluation. Where they are used stands in `alphabeta.rs`.

use crate::base::Score;
use crate::params::Params;

/// Reverse futility: so far above beta that the opponent's reply does not matter.
#[inline]
pub(super) fn reverse_futility(p: &Params, depth: i32, improving: bool) -> Score {
    p.rfp_margin * (depth - i32::from(improving))
}

/// Null move: plies to reduce by.
#[inline]
pub(super) fn null_reduction(p: &Params, depth: i32, above_beta: Score) -> i32 {
    p.null_base + depth / p.null_divisor + (above_beta / p.null_eval).clamp(0, p.null_eval_most)
}

/// Late move pruning: quiet moves after this many are not worth a look.
#[inline]
pub(super) fn late_moves(p: &Params, depth: i32, improving: bool) -> usize {
    ((p.lmp_base + depth * depth) / if improving { 1 } else { p.lmp_falling }) as usize
}

/// Futility: what a quiet move could gain at most, for the depth that will be left.
#[inline]
pub(super) fn futility(p: &Params, reduced_depth: i32) -> Score {
    p.futility_base + p.futility_factor * reduced_depth
}

/// Futility: what a capture could gain at most besides its victim.
#[inline]
pub(super) fn capture_futility(p: &Params, reduced_depth: i32) -> Score {
    p.capture_futility_base + p.capture_futility_factor * reduced_depth
}

/// Exchange pruning: the loss in material that a move may show, as a (negative) threshold.
#[inline]
pub(super) fn exchange(p: &Params, quiet: bool, depth: i32, reduced_depth: i32) -> Score {
    if quiet { -p.see_quiet * reduced_depth * reduced_depth } else { -p.see_noisy * depth }
}

/// History bonus and malus of a search `depth` plies deep.
#[inline]
pub(super) fn bonus(p: &Params, depth: i32) -> (i32, i32) {
    ((p.bonus_factor * depth).min(p.bonus_most), (p.malus_factor * depth).min(p.malus_most))
}
