//! Late move reductions: how many plies less a move is searched at first.

use crate::params::Params;

/// What is known of a move and its node when the reduction is decided.
pub(super) struct Late {
    pub depth: i32,
    /// Rank of the move, from 1.
    pub count: usize,
    pub quiet: bool,
    /// On the principal variation now, and ever.
    pub pv: bool,
    pub was_pv: bool,
    /// A cut-off is expected.
    pub cut_node: bool,
    pub improving: bool,
    pub noisy_table: bool,
    /// The nodes of the next ply were cut often.
    pub cutoffs: bool,
    /// A killer, counter-move or check.
    pub refutation: bool,
    pub history: i32,
}

/// The part that depends on depth and rank, in 1024ths of a ply.
#[inline]
pub(super) fn base(p: &Params, logarithms: &[i32; 256], depth: i32, count: usize) -> i32 {
    let product = logarithms[depth.clamp(0, 255) as usize] * logarithms[count.min(255)] / 1024;
    product * p.lmr_factor / 1024 + p.lmr_base
}

impl Late {
    /// The reduction in 1024ths of a ply.
    pub fn reduction(&self, p: &Params, logarithms: &[i32; 256]) -> i32 {
        let mut r = base(p, logarithms, self.depth, self.count);
        let mut add = |condition: bool, amount: i32| r += if condition { amount } else { 0 };
        add(self.pv, -p.lmr_pv);
        add(self.was_pv, -p.lmr_pv);
        add(self.cut_node, p.lmr_cut);
        add(!self.improving, p.lmr_falling);
        add(self.noisy_table, p.lmr_noisy_table);
        add(self.cutoffs, p.lmr_cutoffs);
        add(self.refutation, -p.lmr_refutation);
        add(!self.quiet, -p.lmr_noisy);
        r - self.history * 1024 / p.lmr_history
    }
}
