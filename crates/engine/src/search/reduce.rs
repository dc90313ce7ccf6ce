//! Late move reductions: how much shallower a move is searched at first, in 1024ths of a ply.

use crate::params::Params;

/// The properties of a move and its node that determine the reduction.
pub(super) struct Late {
    /// Rank of the move in the order of search, from 1.
    pub move_count: i32,
    /// Depth of the node in plies.
    pub depth: i32,
    /// Whether the node is on the principal variation.
    pub pv: bool,
    /// Whether the node is or was on a principal variation.
    pub tt_pv: bool,
    /// Whether a cut-off is expected.
    pub cut_node: bool,
    /// Whether there is a TT move, whether it is noisy, and whether it is this move.
    pub tt_move: bool,
    pub tt_noisy: bool,
    pub is_tt_move: bool,
    /// Whether the TT score is above alpha, and whether the TT entry is at least as deep as the node.
    pub tt_above_alpha: bool,
    pub tt_deep: bool,
    /// Number of cut-offs at the next ply.
    pub cutoffs: i32,
    /// The correction of the static evaluation; see `CorrectionHistory::value`.
    pub correction: i32,
    /// History score of the move.
    pub stat_score: i32,
}

/// The part of the reduction that depends on depth, move count and window (`delta` relative to `root_delta`).
#[inline]
pub(super) fn base(
    p: &Params,
    logarithms: &[i32; 256],
    (depth, move_count): (i32, i32),
    improving: bool,
    (delta, root_delta): (i32, i32),
) -> i32 {
    let logs =
        logarithms[depth.clamp(0, 255) as usize] * logarithms[move_count.clamp(0, 255) as usize] / 1024;
    let scale = logs * p.lmr_factor / 1024;
    let falling = if improving { 0 } else { scale * p.lmr_falling / 1024 };
    scale - delta * p.lmr_window / root_delta.max(1) + falling + p.lmr_base
}

impl Late {
    /// The complete reduction, given its base.
    pub fn reduction(&self, p: &Params, base: i32) -> i32 {
        let all_node = !(self.pv || self.cut_node);
        let mut r = base + p.lmr_constant;
        let mut add = |condition: bool, amount: i32| r += if condition { amount } else { 0 };
        add(self.tt_pv, -p.lmr_tt_pv);
        add(self.tt_pv && self.pv, -p.lmr_pv);
        add(self.tt_pv && self.tt_above_alpha, -p.lmr_tt_above_alpha);
        add(self.tt_pv && self.tt_deep, -p.lmr_tt_deep);
        add(self.tt_pv && self.tt_deep && self.cut_node, -p.lmr_tt_deep_cut);
        add(self.cut_node, p.lmr_cut);
        add(self.cut_node && !self.tt_move, p.lmr_cut_unknown);
        add(self.tt_noisy, p.lmr_tt_noisy);
        add(self.cutoffs > 1, p.lmr_cutoffs);
        add(self.cutoffs > 2, p.lmr_many_cutoffs);
        add(self.cutoffs > 1 && all_node, p.lmr_cutoffs_all);
        add(self.is_tt_move, -p.lmr_is_tt_move);
        r -= self.move_count * p.lmr_rank;
        r -= self.correction.abs() / p.lmr_correction;
        r -= self.stat_score * p.lmr_history / 4096;
        if all_node {
            r += r * p.lmr_all / (256 * self.depth + 260);
        }
        r
    }
}
