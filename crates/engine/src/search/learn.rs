//! Updates of the histories after a node has been searched.

use super::correction::{Context, CorrectionHistory};
use super::history::{QuietNode, QuietRows};
use super::prune;
use super::worker::Worker;
use crate::Game;
use sanban_rules::{Move, Position, Score, SearchPosition};

impl<G: Game> Worker<'_, G> {
    /// The history inputs shared by the quiet moves of this node.
    fn quiet_node(&self, ply: usize) -> QuietNode {
        let frame = &self.stack[ply];
        QuietNode { ply, in_check: frame.in_check, pawns: frame.keys.pawns(), before: self.stack.steps(ply) }
    }

    /// The histories of the quiet moves of this node.
    #[inline]
    pub fn quiet_rows(&self, ply: usize) -> QuietRows<'_> {
        let pawns = self.stack[ply].keys.pawns();
        self.history.quiet_rows(self.pos.side(), ply, pawns, &self.stack.steps(ply))
    }

    /// The inputs of the static evaluation correction at this node.
    #[inline]
    pub fn context(&self, ply: usize) -> Context {
        let step = |plies| self.stack.back(ply, plies).step;
        Context {
            side: self.pos.side(),
            keys: self.stack[ply].keys,
            last: step(1),
            earlier: [step(2), step(4)],
        }
    }

    /// The correction of the static evaluation; see `CorrectionHistory::value`.
    #[inline]
    pub fn correction(&self, ply: usize) -> i32 {
        self.correction_history.value(self.p(), &self.context(ply))
    }

    /// The static evaluation with its correction, within the limit for the position.
    #[inline]
    pub fn corrected(&self, raw: Score, correction: i32) -> Score {
        let limit = self.pos.eval_limit();
        CorrectionHistory::apply(raw, correction).clamp(-limit, limit)
    }

    /// Rewards the TT move after a cut-off by the TT entry, and penalises an early quiet move of the opponent.
    pub fn reward_tt_cut(&mut self, mv: Move, noisy: bool, depth: i32, ply: usize) {
        let p = self.p();
        if !noisy {
            let bonus = (p.tt_cut_factor * depth - p.tt_cut_base).min(p.tt_cut_most);
            let node = self.quiet_node(ply);
            self.history.reward_quiet(p, &self.pos, mv, &node, bonus);
        }
        let last = *self.stack.back(ply, 1);
        if last.mv.is_some() && last.move_count <= 4 && !last.noisy {
            self.reward_last(ply, -p.tt_cut_last_malus);
        }
    }

    /// Updates the continuation history of the move that led to this node.
    fn reward_last(&mut self, ply: usize, bonus: i32) {
        let last = *self.stack.back(ply, 1);
        let before = self.stack.steps_before_last(ply);
        self.history.reward_made(&before, last.in_check, last.step, bonus);
    }

    /// Updates the histories after `best` turned out to be the best move: it gets a bonus; the moves tried before it
    /// get a malus, as does an early move of the opponent that it refutes.
    pub fn learn(
        &mut self,
        best: Move,
        tt_move: Option<Move>,
        depth: i32,
        ply: usize,
        quiets: &[Move],
        noisies: &[Move],
    ) {
        let p = self.p();
        let last = *self.stack.back(ply, 1);
        let (bonus, malus) = prune::bonus(p, depth);
        let bonus =
            bonus + if Some(best) == tt_move { p.bonus_tt_move } else { 0 } + last.stat_score / p.bonus_last;
        if self.pos.is_noisy(best) {
            self.history.reward_noisy(&self.pos, best, bonus * p.noisy_bonus_share / 1024);
        } else {
            let node = self.quiet_node(ply);
            self.history.reward_quiet(p, &self.pos, best, &node, bonus * p.quiet_bonus_share / 1024);
            let mut malus = malus * p.quiet_malus_share / 1024;
            for &mv in quiets {
                malus = malus * p.malus_decay / 1024;
                self.history.reward_quiet(p, &self.pos, mv, &node, -malus);
            }
        }
        if last.mv.is_some() && last.move_count == 1 + i32::from(last.tt_hit) && !last.noisy {
            self.reward_last(ply, -malus * p.early_malus_share / 1024);
        }
        for &mv in noisies {
            self.history.reward_noisy(&self.pos, mv, -malus * p.noisy_malus_share / 1024);
        }
    }

    /// Gives the opponent's last move a bonus after no move raised alpha.
    pub fn learn_from_failure(&mut self, best: Score, depth: i32, ply: usize) {
        let p = self.p();
        let last = *self.stack.back(ply, 1);
        let Some(mv) = last.mv else { return };
        let them = !self.pos.side();
        if last.noisy {
            self.history.reward_made_noisy(them, last.step, last.victim, p.fail_low_noisy);
            return;
        }
        let here = &self.stack[ply];
        let mut scale = -p.fail_low_base - last.stat_score / p.fail_low_history;
        scale += (p.fail_low_depth * depth).min(p.fail_low_depth_most);
        scale += p.fail_low_late * i32::from(last.move_count > 8);
        scale += p.fail_low_below
            * i32::from(!here.in_check && best <= here.static_eval - p.fail_low_below_margin);
        scale += p.fail_low_above
            * i32::from(!last.in_check && best <= -last.static_eval - p.fail_low_above_margin);
        let bonus = (p.fail_low_factor * depth - p.fail_low_constant).min(p.fail_low_most) * scale.max(0);
        self.reward_last(ply, bonus / 64 * p.fail_low_continuation / 256);
        self.history.reward_butterfly(them, mv, bonus / 128 * p.fail_low_butterfly / 256);
        let pawns = self.stack[ply].keys.pawns();
        self.history.reward_pawn(them, last.step, pawns, bonus / 32 * p.fail_low_pawn / 256);
    }
}
