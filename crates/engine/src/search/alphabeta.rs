//! The main search: principal variation search (Marsland and Campbell 1982) in numbered steps. Its margins and weights
//! are in `params.rs`.

use super::history::MoveHistory;
use super::node::{Node, OffPv};
use super::picker::Picker;
use super::tt::TtEntry;
use super::worker::Worker;
use super::{Bound, prune, reduce};
use crate::Game;
use arrayvec::ArrayVec;
use sanban_rules::score::{
    INFINITE, MAX_EVAL, MAX_PLY, NO_SCORE, is_decisive, is_evaluation, mate_in, mated_in,
};
use sanban_rules::{Move, Position, Score, SearchPosition};

/// Moves of a node that get a malus if another move is better.
pub(super) type Tried = ArrayVec<Move, 32>;

impl<G: Game> Worker<'_, G> {
    /// Searches the current position, `ply` plies from the root, to `depth` plies and returns its score: exact if it
    /// lies between `alpha` and `beta`, otherwise a bound (fail-soft). `cut_node`: whether a cut-off is expected.
    pub fn search<N: Node>(
        &mut self,
        mut alpha: Score,
        mut beta: Score,
        depth: i32,
        ply: usize,
        cut_node: bool,
    ) -> Score {
        debug_assert!(-INFINITE <= alpha && alpha < beta && beta <= INFINITE);
        debug_assert!(N::PV || beta - alpha == 1);
        debug_assert!(!(N::PV && cut_node));

        // Step 1. Quiescence search at the horizon.
        if depth <= 0 {
            return self.qsearch::<N>(alpha, beta, ply);
        }
        let mut depth = depth.min(MAX_PLY as i32 - 1);
        self.pvs[ply].clear();
        self.seldepth = self.seldepth.max(ply);

        // Step 2. Check for a stop, the end of the game, and the maximum ply.
        if self.must_stop() {
            return 0;
        }
        let p = self.p();
        let in_check = self.pos.in_check();
        let excluded = self.stack[ply].excluded;
        if !N::ROOT {
            if excluded.is_none()
                && let Some(verdict) = self.pos.verdict(ply)
            {
                return self.judge(verdict, ply);
            }
            if ply >= MAX_PLY {
                return if in_check { self.draw[self.pos.side().index()] } else { self.evaluate() };
            }

            // Step 3. Mate distance pruning: no line from here can beat a shorter mate that is already known.
            alpha = alpha.max(mated_in(ply));
            beta = beta.min(mate_in(ply + 1));
            if alpha >= beta {
                return alpha;
            }
        }
        let follows_pv = N::ROOT || {
            let last = self.stack.back(ply, 1);
            last.follows_pv && last.mv.is_some() && self.last_pv.get(ply - 1) == last.mv.as_ref()
        };
        let prior_reduction = std::mem::take(&mut self.stack.back_mut(ply, 1).reduction);
        self.stack[ply + 1].excluded = None;
        self.stack[ply + 2].cutoffs = 0;
        let here = &mut self.stack[ply];
        (here.in_check, here.follows_pv) = (in_check, follows_pv);
        (here.move_count, here.stat_score) = (0, 0);

        // Step 4. Transposition table lookup.
        if !in_check && excluded.is_none() {
            self.update_eval();
        }
        let key = self.pos.key();
        let entry = self.shared.tt.probe(key, ply);
        let tt_hit = entry.is_some();
        let tt_move = if N::ROOT {
            Some(self.roots[self.line].mv)
        } else {
            entry.and_then(|e| e.mv).filter(|&mv| self.pos.is_legal(mv))
        };
        let tt_noisy = tt_move.is_some_and(|mv| self.pos.is_noisy(mv));
        if excluded.is_none() {
            self.stack[ply].tt_pv = N::PV || entry.is_some_and(|e| e.pv);
        }
        self.stack[ply].tt_hit = tt_hit;
        if !N::PV
            && excluded.is_none()
            && let Some(entry) = entry
            && entry.depth > depth - i32::from(entry.score <= beta)
            && entry.cuts(beta)
            && (cut_node == (entry.score >= beta) || depth > p.tt_any_node)
        {
            if entry.score >= beta
                && let Some(mv) = tt_move
            {
                self.reward_tt_cut(mv, tt_noisy, depth, ply);
            }
            return entry.score;
        }

        // Step 5. Mate in one, found without a search.
        if !N::ROOT
            && !in_check
            && !tt_hit
            && excluded.is_none()
            && let Some(mv) = self.pos.mate_in_one()
        {
            let score = mate_in(ply + 1);
            // Finding the mate again is cheap, so the entry is worth no more than that of a slightly deeper search.
            let depth = depth + p.mate_depth;
            self.store(
                ply,
                TtEntry { mv: Some(mv), score, eval: None, depth, bound: Some(Bound::Exact), pv: false },
            );
            if N::PV {
                self.pvs[ply + 1].clear();
                self.update_pv(ply, mv);
            }
            return score;
        }

        // Step 6. Static evaluation: the raw value, corrected by the correction history and refined by the TT score.
        let correction = self.correction(ply);
        let mut raw_eval = None;
        let mut eval = NO_SCORE;
        let mut improving = false;
        if in_check {
            self.stack[ply].static_eval = self.stack.back(ply, 2).static_eval;
        } else if excluded.is_some() {
            eval = self.stack[ply].static_eval;
        } else {
            let raw = entry.and_then(|e| e.eval).unwrap_or_else(|| self.evaluate());
            raw_eval = Some(raw);
            eval = self.corrected(raw, correction);
            self.stack[ply].static_eval = eval;
            match entry {
                Some(entry) if entry.bound.is_some() && entry.cuts(eval) => eval = entry.score,
                Some(_) => {}
                None => {
                    let (bound, pv) = (None, self.stack[ply].tt_pv);
                    self.store(ply, TtEntry { mv: None, score: 0, eval: raw_eval, depth: 0, bound, pv });
                }
            }
        }
        let static_eval = self.stack[ply].static_eval;
        let last = *self.stack.back(ply, 1);

        if !in_check {
            // Step 7. Reward or penalise the opponent's quiet move by its effect on the evaluation.
            if let Some(mv) = last.mv
                && excluded.is_none()
                && !last.in_check
                && !last.noisy
            {
                let difference = (-(last.static_eval + static_eval))
                    .clamp(-p.eval_difference_least, p.eval_difference_most)
                    + p.eval_difference_base;
                self.history.reward_butterfly(!self.pos.side(), mv, difference * p.eval_difference_factor);
                if !tt_hit {
                    let pawns = self.stack[ply].keys.pawns();
                    let bonus = difference * p.eval_difference_pawn_factor;
                    self.history.reward_pawn(!self.pos.side(), last.step, pawns, bonus);
                }
            }
            improving = static_eval > self.stack.back(ply, 2).static_eval;
            let opponent_worsening = static_eval > -last.static_eval;

            // Step 8. Hindsight: undo or increase the previous reduction, depending on the change of the evaluation.
            if prior_reduction >= 3 && !opponent_worsening {
                depth += 1;
            }
            if prior_reduction >= 2 && depth >= 2 && static_eval + last.static_eval > p.hindsight {
                depth -= 1;
            }

            // Step 9. Razoring: far below alpha, only captures can help.
            if !N::PV && excluded.is_none() && eval < alpha - prune::razoring(p, depth) {
                return self.qsearch::<OffPv>(alpha, beta, ply);
            }

            // Step 10. Reverse futility pruning: far above beta, a cut-off is assumed.
            let calm = prune::Calm { improving, opponent_worsening, tt_hit, correction };
            if !self.stack[ply].tt_pv
                && excluded.is_none()
                && depth < p.rfp_depth
                && eval >= beta
                && eval - prune::reverse_futility(p, depth, &calm) >= beta
                && (tt_move.is_none() || tt_noisy)
                && is_evaluation(eval)
                && beta >= -MAX_EVAL
            {
                return (2 * beta + eval) / 3;
            }

            // Step 11. Null move pruning: if passing fails high, a real move is expected to do so as well. At high
            // depths, the cut-off is verified by a search without null moves.
            if G::Position::NULL_MOVE
                && cut_node
                && excluded.is_none()
                && ply >= self.null_from
                && last.mv.is_some()
                && depth >= p.null_depth
                && static_eval
                    >= beta - p.null_factor * depth - p.null_improving * i32::from(improving) + p.null_base
                && beta >= -MAX_EVAL
            {
                let reduced = depth - (p.null_reduction + depth / p.null_divisor);
                self.make_null(ply);
                let score = -self.search::<OffPv>(-beta, -beta + 1, reduced, ply + 1, false);
                self.unmake_null();
                if self.stopped {
                    return 0;
                }
                if score >= beta && is_evaluation(score) {
                    if self.null_from > 0 || depth < p.null_verify {
                        return score;
                    }
                    self.null_from = ply + (reduced.max(0) * 3 / 4) as usize;
                    let verified = self.search::<OffPv>(beta - 1, beta, reduced, ply, false);
                    self.null_from = 0;
                    if self.stopped {
                        return 0;
                    }
                    if verified >= beta {
                        return score;
                    }
                }
            }
            improving |= static_eval >= beta;

            // Step 12. Internal iterative reduction: without a TT move, a deep search is not worthwhile yet.
            let all_node = !(N::PV || cut_node);
            if !follows_pv && !all_node && depth >= p.iir_depth && tt_move.is_none() && prior_reduction <= 3 {
                depth -= 1;
            }

            // Step 13. ProbCut: a capture that beats beta by far in a shallow search is expected to beat it in a deep
            // one.
            let probcut_beta = beta + p.probcut_margin - p.probcut_improving * i32::from(improving);
            if !N::ROOT
                && depth >= p.probcut_depth
                && is_evaluation(beta)
                && !entry.is_some_and(|e| e.bound.is_some() && e.score < probcut_beta)
                && let Some(score) = self.probcut(
                    (beta, probcut_beta),
                    depth,
                    ply,
                    (tt_move.filter(|_| tt_noisy), cut_node),
                    raw_eval,
                )
            {
                return score;
            }
            if self.stopped {
                return 0;
            }
        }

        // Step 14. ProbCut based on the TT entry alone.
        let probcut_beta = beta + p.probcut_table;
        if !N::ROOT
            && let Some(entry) = entry
            && entry.bound.is_some_and(Bound::is_lower)
            && entry.depth >= depth - 4
            && entry.score >= probcut_beta
            && is_evaluation(beta)
            && is_evaluation(entry.score)
        {
            return probcut_beta;
        }

        // Step 15. Loop over the moves.
        let tt_pv = self.stack[ply].tt_pv;
        let pawns = self.stack[ply].keys.pawns();
        let check_info = self.pos.check_info();
        let before = self.stack.steps(ply);
        let mut best = -INFINITE;
        let mut best_move = None;
        let mut picker = Picker::new(tt_move, in_check);
        let (mut quiets, mut noisies) = (Tried::new(), Tried::new());
        let mut move_count = 0;
        loop {
            let next = if N::ROOT {
                self.roots.get(self.line + move_count as usize).map(|root| root.mv)
            } else {
                picker.next(self, ply)
            };
            let Some(mv) = next else { break };
            if Some(mv) == excluded {
                continue;
            }
            move_count += 1;
            self.stack[ply].move_count = move_count;
            let noisy = self.pos.is_noisy(mv);
            let gives_check = self.pos.gives_check_with(&check_info, mv);
            let history = if noisy {
                MoveHistory::noisy(self.history.noisy(&self.pos, mv), self.pos.gain(mv), p)
            } else {
                self.history.quiet(&self.pos, mv, pawns, &before)
            };
            let nodes = self.nodes;
            let mut new_depth = depth - 1;
            let mut reduction = reduce::base(
                p,
                self.shared.logarithms,
                (depth, move_count),
                improving,
                (beta - alpha, self.root_delta),
            );
            if tt_pv {
                reduction += p.lmr_prune_tt_pv;
            }

            // Step 16. Pruning of individual moves after the first one has been searched.
            if !N::ROOT && best >= -MAX_EVAL {
                if move_count >= prune::late_moves(p, depth, improving) {
                    picker.skip_quiets();
                }
                let mut lmr_depth = new_depth - reduction / 1024;
                if noisy || gives_check {
                    let history = if noisy { history.prune } else { 0 };
                    // Futility pruning of captures.
                    if !gives_check && lmr_depth < p.capture_futility_depth {
                        let futility = static_eval
                            + p.capture_futility_base
                            + p.capture_futility_factor * lmr_depth
                            + self.pos.gain(mv) * p.capture_futility_gain / 128
                            + p.capture_futility_history * history / 1024;
                        if futility <= alpha {
                            continue;
                        }
                    }
                    // SEE pruning.
                    let margin = (p.see_noisy * depth + history * p.see_noisy_history / 1024).max(0);
                    if !self.pos.see_ge(mv, -margin) {
                        continue;
                    }
                } else if !follows_pv || !N::PV {
                    // History pruning.
                    if history.prune < -p.history_pruning * depth {
                        continue;
                    }
                    // Futility pruning.
                    let more = history.prune + p.futility_butterfly * history.butterfly / 32;
                    lmr_depth += more / p.futility_history;
                    let futility = static_eval
                        + p.futility_base
                        + if best_move.is_none() { p.futility_first } else { 0 }
                        + p.futility_factor * lmr_depth
                        + if static_eval > alpha { p.futility_above } else { 0 };
                    if !in_check && lmr_depth < p.futility_depth && futility <= alpha {
                        if best <= futility && is_evaluation(best) && futility <= MAX_EVAL {
                            best = futility;
                        }
                        continue;
                    }
                    // SEE pruning.
                    let lmr_depth = lmr_depth.max(0);
                    if !self.pos.see_ge(mv, -p.see_quiet * lmr_depth * lmr_depth) {
                        continue;
                    }
                }
            }

            // Step 17. Singular extension: if no other move comes close to the TT score, the TT move is extended;
            // otherwise the node is cut (multi-cut) or the TT move is reduced.
            let mut extension = 0;
            if !N::ROOT
                && Some(mv) == tt_move
                && excluded.is_none()
                && depth >= p.singular_depth + i32::from(tt_pv)
                && ply < p.singular_ply as usize * self.depth as usize
                && let Some(entry) = entry
                && entry.depth >= depth - p.singular_table
                && entry.bound.is_some_and(Bound::is_lower)
                && is_evaluation(entry.score)
            {
                let margin = p.singular_margin + if tt_pv && !N::PV { p.singular_margin_pv } else { 0 };
                let singular_beta = entry.score - margin * depth / 64;
                self.stack[ply].excluded = Some(mv);
                let score =
                    self.search::<OffPv>(singular_beta - 1, singular_beta, new_depth / 2, ply, cut_node);
                self.stack[ply].excluded = None;
                if self.stopped {
                    return 0;
                }
                self.stack[ply].move_count = move_count;
                if score < singular_beta {
                    let flag = i32::from;
                    let corrected = correction.abs() / p.singular_correction;
                    let late = flag(ply > self.depth as usize);
                    let double = p.singular_double + p.singular_double_pv * flag(N::PV)
                        - p.singular_double_quiet * flag(!tt_noisy)
                        - corrected
                        - self.history.tt_move() / p.singular_double_history
                        - late * p.singular_late;
                    let triple = p.singular_triple + p.singular_triple_pv * flag(N::PV)
                        - p.singular_triple_quiet * flag(!tt_noisy)
                        + p.singular_triple_tt_pv * flag(tt_pv)
                        - corrected
                        - late * p.singular_late;
                    extension =
                        1 + flag(score < singular_beta - double) + flag(score < singular_beta - triple);
                    depth += 1;
                } else if score >= beta && is_evaluation(score) {
                    self.history.reward_tt_move(
                        (-p.multi_cut_malus - p.multi_cut_malus_factor * depth).max(-p.multi_cut_malus_most),
                    );
                    return score;
                } else if entry.score >= beta {
                    extension = -p.singular_less;
                } else if cut_node {
                    extension = -p.singular_less_cut;
                }
            }

            // Step 18. Make the move.
            self.stack[ply].stat_score = history.stat_score;
            self.make(mv, ply);
            new_depth += extension;
            let mut score = -INFINITE;
            reduction = reduce::Late {
                move_count,
                depth,
                pv: N::PV,
                tt_pv,
                cut_node,
                tt_move: tt_move.is_some(),
                tt_noisy,
                is_tt_move: Some(mv) == tt_move,
                tt_above_alpha: entry.is_some_and(|e| e.bound.is_some() && e.score > alpha),
                tt_deep: entry.is_some_and(|e| e.depth >= depth),
                cutoffs: self.stack[ply + 1].cutoffs,
                correction,
                stat_score: history.stat_score,
            }
            .reduction(p, reduction);

            // Step 19. Late move reductions: late moves are searched at reduced depth first, and deeper if they raise
            // alpha.
            if depth >= 2 && move_count > 1 {
                let reduced = (new_depth - reduction / 1024).min(new_depth + 2).max(1) + i32::from(N::PV);
                self.stack[ply].reduction = new_depth - reduced;
                score = -self.search::<OffPv>(-alpha - 1, -alpha, reduced, ply + 1, true);
                self.stack[ply].reduction = 0;
                if score > alpha && !self.stopped {
                    // The move raised alpha. Search it deeper if the margin is large, shallower if it is small.
                    let deeper = reduced < new_depth && score > best + p.deeper_margin;
                    let shallower = score < best + p.shallower_margin;
                    new_depth += i32::from(deeper) - i32::from(shallower);
                    if new_depth > reduced {
                        score = -self.search::<OffPv>(-alpha - 1, -alpha, new_depth, ply + 1, !cut_node);
                    }
                    let step = self.stack[ply].step;
                    self.history.reward_made(&before, in_check, step, p.surprise_bonus);
                }
            } else if !N::PV || move_count > 1 {
                // Step 20. Full-depth search with a null window if late move reductions do not apply.
                if tt_move.is_none() {
                    reduction += p.full_unknown;
                }
                let less = i32::from(reduction > p.full_reduce)
                    + i32::from(reduction > p.full_reduce_twice && new_depth > 2);
                score = -self.search::<OffPv>(-alpha - 1, -alpha, new_depth - less, ply + 1, !cut_node);
            }
            if N::PV && (move_count == 1 || score > alpha) && !self.stopped {
                if Some(mv) == tt_move
                    && entry.is_some_and(|e| e.depth > 1 || is_decisive(e.score) && e.depth > 0)
                {
                    new_depth = new_depth.max(1);
                }
                score = -self.search::<N::Next>(-beta, -alpha, new_depth, ply + 1, false);
            }
            self.unmake();
            if self.stopped {
                return 0;
            }
            debug_assert!(-INFINITE < score && score < INFINITE);

            // Step 21. Update the best score and move.
            if N::ROOT {
                self.note_root_move(self.line + move_count as usize - 1, score, alpha, beta, nodes);
            }
            if score > best {
                best = score;
                if score > alpha {
                    best_move = Some(mv);
                    if N::PV && !N::ROOT {
                        self.update_pv(ply, mv);
                    }
                    if score >= beta {
                        self.stack[ply].cutoffs += i32::from(extension < 2 || N::PV);
                        break;
                    }
                    if depth > 2 && depth < p.raise_depth && is_evaluation(score) {
                        depth -= 2;
                    }
                    alpha = score;
                }
            }
            if Some(mv) != best_move {
                let tried = if noisy { &mut noisies } else { &mut quiets };
                let _ = tried.try_push(mv);
            }
        }

        // Step 22. No legal move.
        if move_count == 0 {
            if excluded.is_some() {
                return alpha;
            }
            return self.judge(self.pos.verdict_without_moves(), ply);
        }
        // Adjust a score above beta towards beta, less at high depths.
        if best >= beta && is_evaluation(best) && is_evaluation(alpha) {
            best = (best * depth + beta) / (depth + 1);
        }

        // Step 23. Update the histories.
        if let Some(mv) = best_move {
            self.learn(mv, tt_move, depth, ply, &quiets, &noisies);
            if !N::PV {
                self.history.reward_tt_move(if best_move == tt_move {
                    p.tt_move_bonus
                } else {
                    -p.tt_move_malus
                });
            }
        } else if !N::ROOT {
            self.learn_from_failure(best, depth, ply);
        }
        if best <= alpha {
            self.stack[ply].tt_pv |= last.tt_pv;
        }

        // Step 24. Update the transposition table and the correction history.
        if excluded.is_some() {
            return best;
        }
        let bound = if best >= beta {
            Bound::Lower
        } else if N::PV && best_move.is_some() {
            Bound::Exact
        } else {
            Bound::Upper
        };
        // The result must not be stored if better root moves were excluded or only some root moves were searched.
        if N::ROOT && (self.line > 0 || !self.shared.limits.search_moves.is_empty()) {
            return best;
        }
        let pv = self.stack[ply].tt_pv;
        self.store(
            ply,
            TtEntry { mv: best_move, score: best, eval: raw_eval, depth, bound: Some(bound), pv },
        );
        if !in_check
            && !best_move.is_some_and(|mv| self.pos.is_noisy(mv))
            && is_evaluation(best)
            && (best > static_eval) == best_move.is_some()
        {
            let factor = if best_move.is_some() { p.correction_best } else { p.correction_bound };
            let context = self.context(ply);
            self.correction_history.update(&context, best - static_eval, depth, factor);
        }
        best
    }

    /// ProbCut: searches captures that may beat `probcut_beta`, first with quiescence search, then at reduced depth.
    /// Returns the adjusted score of the first capture that beats it.
    fn probcut(
        &mut self,
        (beta, probcut_beta): (Score, Score),
        depth: i32,
        ply: usize,
        (tt_move, cut_node): (Option<Move>, bool),
        raw_eval: Option<Score>,
    ) -> Option<Score> {
        let excluded = self.stack[ply].excluded;
        let reduced = depth - self.p().probcut_reduction;
        let threshold = probcut_beta - self.stack[ply].static_eval;
        let tt_move = tt_move.filter(|&mv| self.pos.see_ge(mv, threshold));
        let mut picker = Picker::noisy_from(tt_move, threshold);
        while let Some(mv) = picker.next(self, ply) {
            if Some(mv) == excluded {
                continue;
            }
            self.make(mv, ply);
            let mut score = -self.qsearch::<OffPv>(-probcut_beta, -probcut_beta + 1, ply + 1);
            if score >= probcut_beta && reduced > 0 && !self.stopped {
                score = -self.search::<OffPv>(-probcut_beta, -probcut_beta + 1, reduced, ply + 1, !cut_node);
            }
            self.unmake();
            if self.stopped {
                return None;
            }
            if score >= probcut_beta {
                if excluded.is_none() {
                    let (bound, pv) = (Some(Bound::Lower), self.stack[ply].tt_pv);
                    let depth = reduced.max(0) + 1;
                    self.store(ply, TtEntry { mv: Some(mv), score, eval: raw_eval, depth, bound, pv });
                }
                if is_evaluation(score) {
                    return Some(score - (probcut_beta - beta));
                }
            }
        }
        None
    }

    /// Records the result of a root move whose search began when the node count was `nodes`.
    fn note_root_move(&mut self, index: usize, score: Score, alpha: Score, beta: Score, nodes: u64) {
        let spent = self.nodes - nodes;
        let first = index == self.line;
        let root = &mut self.roots[index];
        root.effort += spent;
        root.note_score(score);
        if !first && score <= alpha {
            root.score = -INFINITE;
            return;
        }
        root.score = score;
        root.depth = self.depth;
        root.seldepth = self.seldepth as u32;
        root.bound = if score >= beta {
            Bound::Lower
        } else if score <= alpha {
            Bound::Upper
        } else {
            Bound::Exact
        };
        root.pv.truncate(1);
        root.pv.extend_from_slice(&self.pvs[1]);
    }
}
