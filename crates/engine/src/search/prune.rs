//! The pruning margins used in `alphabeta.rs`: pure functions of depth and evaluation.

use crate::params::Params;
use sanban_rules::Score;

/// Razoring: the margin below alpha from which only captures can help.
#[inline]
pub(super) fn razoring(p: &Params, depth: i32) -> Score {
    p.razor_base + p.razor_factor * depth * depth
}

/// The inputs of [`reverse_futility`] besides the depth.
pub(super) struct Calm {
    pub improving: bool,
    pub opponent_worsening: bool,
    pub tt_hit: bool,
    /// The correction of the static evaluation; see `CorrectionHistory::value`.
    pub correction: i32,
}

/// Reverse futility: the margin above beta from which a cut-off is assumed without a search.
#[inline]
pub(super) fn reverse_futility(p: &Params, depth: i32, calm: &Calm) -> Score {
    let factor = p.rfp_factor - if calm.tt_hit { 0 } else { p.rfp_unknown };
    let less =
        p.rfp_improving * i32::from(calm.improving) + p.rfp_worsening * i32::from(calm.opponent_worsening);
    factor * depth - less * factor / 1024 + calm.correction.abs() / p.rfp_correction
}

/// Late move pruning: the move count from which quiet moves are not searched.
#[inline]
pub(super) fn late_moves(p: &Params, depth: i32, improving: bool) -> i32 {
    (p.lmp_base + depth * depth) / if improving { 1 } else { 2 }
}

/// The history bonus and malus for a search of `depth` plies.
#[inline]
pub(super) fn bonus(p: &Params, depth: i32) -> (i32, i32) {
    (
        (p.bonus_factor * depth - p.bonus_base).min(p.bonus_most),
        (p.malus_factor * depth - p.malus_base).min(p.malus_most),
    )
}
