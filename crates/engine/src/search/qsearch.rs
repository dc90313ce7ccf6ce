//! Quiescence search: searches captures and evasions until the position can be evaluated.

use super::Bound;
use super::node::Node;
use super::picker::Picker;
use super::tt::TtEntry;
use super::worker::Worker;
use crate::Game;
use sanban_rules::score::{INFINITE, MAX_EVAL, MAX_PLY, is_evaluation, mate_in};
use sanban_rules::{Position, Score, SearchPosition};

impl<G: Game> Worker<'_, G> {
    /// Returns the score of the position after all captures have been resolved.
    pub fn qsearch<N: Node>(&mut self, mut alpha: Score, beta: Score, ply: usize) -> Score {
        self.pvs[ply].clear();
        self.seldepth = self.seldepth.max(ply);

        // Step 1. Check for a stop, the end of the game, and the maximum ply.
        if self.must_stop() {
            return 0;
        }
        if let Some(verdict) = self.pos.verdict(ply) {
            return self.judge(verdict, ply);
        }
        let in_check = self.pos.in_check();
        if ply >= MAX_PLY {
            return if in_check { self.draw[self.pos.side().index()] } else { self.evaluate() };
        }
        self.stack[ply].in_check = in_check;

        // Step 2. Transposition table lookup.
        if !in_check {
            self.update_eval();
        }
        let entry = self.shared.tt.probe(self.pos.key(), ply);
        if !N::PV
            && let Some(entry) = entry
            && entry.cuts(beta)
        {
            return entry.score;
        }
        let pv = entry.is_some_and(|e| e.pv);
        let p = self.p();

        // Step 3. Mate in one, found without a search.
        if p.qsearch_mate != 0
            && !in_check
            && entry.is_none()
            && let Some(mv) = self.pos.mate_in_one()
        {
            let score = mate_in(ply + 1);
            self.store(
                ply,
                TtEntry { mv: Some(mv), score, eval: None, depth: 0, bound: Some(Bound::Exact), pv },
            );
            if N::PV {
                self.pvs[ply + 1].clear();
                self.update_pv(ply, mv);
            }
            return score;
        }

        // Step 4. Stand pat: capturing is never forced.
        let mut best = -INFINITE;
        let mut raw_eval = None;
        let mut futility_base = -INFINITE;
        if !in_check {
            let raw = entry.and_then(|e| e.eval).unwrap_or_else(|| self.evaluate());
            raw_eval = Some(raw);
            let correction = self.correction(ply);
            let static_eval = self.corrected(raw, correction);
            self.stack[ply].static_eval = static_eval;
            best = static_eval;
            if let Some(entry) = entry
                && is_evaluation(entry.score)
                && entry.bound.is_some()
                && entry.cuts(best)
            {
                best = entry.score;
            }
            if best >= beta {
                if is_evaluation(best) {
                    best = (best + beta) / 2;
                }
                if entry.is_none() {
                    let bound = Some(Bound::Lower);
                    self.store(
                        ply,
                        TtEntry { mv: None, score: best, eval: raw_eval, depth: 0, bound, pv: false },
                    );
                }
                return best;
            }
            alpha = alpha.max(best);
            futility_base = static_eval + p.qsearch_margin;
        }

        // Step 5. Search captures, or all evasions when in check.
        let tt_move = entry
            .and_then(|e| e.mv)
            .filter(|&mv| (in_check || self.pos.is_noisy(mv)) && self.pos.is_legal(mv));
        let mut picker = Picker::qsearch(tt_move, in_check);
        let last = self.stack.back(ply, 1).mv;
        let mut best_move = None;
        let mut move_count = 0;
        while let Some(mv) = picker.next(self, ply) {
            move_count += 1;
            if best >= -MAX_EVAL {
                let recaptures = last.is_some_and(|last| last.to() == mv.to());
                if !recaptures && futility_base >= -MAX_EVAL && !self.pos.gives_check(mv) {
                    // Skip late moves, and captures that are unlikely to raise alpha.
                    if move_count > p.qsearch_moves {
                        continue;
                    }
                    let futility = futility_base + self.pos.gain(mv) * p.qsearch_gain / 128;
                    if futility <= alpha {
                        best = best.max(futility);
                        continue;
                    }
                    if !self.pos.see_ge(mv, alpha - futility_base) {
                        best = best.max(alpha.min(futility_base));
                        continue;
                    }
                }
                // Quiet evasions are searched only until a move that avoids mate has been found.
                if !self.pos.is_noisy(mv) {
                    picker.skip_quiets();
                    continue;
                }
                if !self.pos.see_ge(mv, -p.qsearch_see) {
                    continue;
                }
            }
            self.make(mv, ply);
            let score = -self.qsearch::<N::Next>(-beta, -alpha, ply + 1);
            self.unmake();
            if self.stopped {
                return 0;
            }
            if score > best {
                best = score;
                if score > alpha {
                    best_move = Some(mv);
                    if N::PV {
                        self.update_pv(ply, mv);
                    }
                    if score >= beta {
                        break;
                    }
                    alpha = score;
                }
            }
        }

        // Step 6. Check for mate.
        if best == -INFINITE {
            return self.judge(self.pos.verdict_without_moves(), ply);
        }
        if best > beta && is_evaluation(best) {
            best = (best + beta) / 2;
        }
        let bound = Some(if best >= beta { Bound::Lower } else { Bound::Upper });
        self.store(ply, TtEntry { mv: best_move, score: best, eval: raw_eval, depth: 0, bound, pv });
        best
    }
}
