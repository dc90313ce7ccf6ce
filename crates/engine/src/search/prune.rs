//! The margins of pruning: pure functions of depth and evaluation. They are used in `alphabeta.rs`.

use crate::params::Params;
use sanban_rules::Score;

/// Razoring: so far below alpha that only captures can help.
#[inline]
pub(super) fn razoring(p: &Params, depth: i32) -> Score {
    p.razor_base + p.razor_factor * depth * depth
}

/// The inputs of reverse futility besides the depth.
pub(super) struct Calm {
    pub improving: bool,
    pub opponent_worsening: bool,
    pub tt_hit: bool,
    /// The correction of the static evaluation, see `CorrectionHistory::value`.
    pub correction: i32,
}

/// Reverse futility: so far above beta that the opponent's reply does not matter.
#[inline]
pub(super) fn reverse_futility(p: &Params, depth: i32, calm: &Calm) -> Score {
    let factor = p.rfp_factor - if calm.tt_hit { 0 } else { p.rfp_unknown };
    let less =
        p.rfp_improving * i32::from(calm.improving) + p.rfp_worsening * i32::from(calm.opponent_worsening);
    factor * depth - less * factor / 1024 + calm.correction.abs() / p.rfp_correction
}

/// Late move pruning: quiet moves from this rank on are not searched.
#[inline]
pub(super) fn late_moves(p: &Params, depth: i32, improving: bool) -> i32 {
    (p.lmp_base + depth * depth) / if improving { 1 } else { 2 }
}

/// History bonus and malus of a search `depth` plies deep.
#[inline]
pub(super) fn bonus(p: &Params, depth: i32) -> (i32, i32) {
    (
        (p.bonus_factor * depth - p.bonus_base).min(p.bonus_most),
        (p.malus_factor * depth - p.malus_base).min(p.malus_most),
    )
}
