//! The search proper: principal variation search (Marsland and Campbell 1982) in numbered steps, each idea under its
//! usual name.

use super::Bound;
use super::node::{Node, OffPv};
use super::picker::Picker;
use super::tt::Entry;
use super::worker::Worker;
use super::{prune, reduce};
use crate::base::score::{DECISIVE, INFINITE, MAX_EVAL, MAX_PLY, is_decisive, mate_in, mated_in};
use crate::base::{Move, Score};
use crate::game::{Game, Position};
use arrayvec::ArrayVec;

impl<G: Game> Worker<'_, G> {
    /// The score of the current position, `ply` plies from the root, searched `depth` plies deep. Exact when it lies
    /// between `alpha` and `beta`, else a bound (fail-soft). `cut_node`: a cut-off is expected.
    pub fn search<N: Node>(
        &mut self,
        mut alpha: Score,
        mut beta: Score,
        mut depth: i32,
        ply: usize,
        cut_node: bool,
    ) -> Score {
        // Step 1. The horizon.
        if depth <= 0 {
            return self.quiescence::<N>(alpha, beta, ply);
        }
        self.pvs[ply].clear();
        self.seldepth = self.seldepth.max(ply);

        // Step 2. The end of time, of the game and of the board.
        if self.must_stop() {
            return 0;
        }
        let p = *self.p();
        let in_check = self.pos.in_check();
        let excluded = self.frames[ply].excluded;
        if !N::ROOT {
            if excluded.is_none()
                && let Some(verdict) = self.pos.verdict(ply)
            {
                return self.judge(verdict, ply);
            }
            if ply >= MAX_PLY {
                return if in_check { self.draw[self.pos.side().index()] } else { self.evaluate() };
            }

            // Step 3. Mate distance pruning: no line from here can beat a mate that is already known.
            alpha = alpha.max(mated_in(ply));
            beta = beta.min(mate_in(ply + 1));
            if alpha >= beta {
                return alpha;
            }
        }

        // Step 4. The table.
        let key = self.pos.key();
        let known = if excluded.is_some() { None } else { self.shared.table.probe(key, ply) };
        let was_pv = known.is_some_and(|e| e.pv) || N::PV;
        let table = if N::ROOT { None } else { known.and_then(|e| e.mv).filter(|&mv| self.pos.is_legal(mv)) };
        if !N::PV
            && let Some(entry) = known
            && entry.depth >= depth
            && entry.cuts(beta)
        {
            if entry.score >= beta
                && let Some(mv) = table
                && !self.pos.is_noisy(mv)
            {
                let before = self.steps(ply);
                let bonus = prune::bonus(&p, depth).0 * p.table_bonus / 100;
                self.history.reward_quiet(&self.pos, mv, &before, bonus);
            }
            return entry.score;
        }
        let table_noisy = table.is_some_and(|mv| self.pos.is_noisy(mv));

        // Step 5. Mate in one: found without search.
        if !N::ROOT
            && !in_check
            && known.is_none()
            && excluded.is_none()
            && let Some(mv) = self.pos.mate_in_one()
        {
            let score = mate_in(ply + 1);
            let bound = Some(Bound::Exact);
            // Found again as cheaply: worth no more than a search a little deeper than this one.
            let depth = depth + p.mate_depth;
            let entry = Entry { mv: Some(mv), score, eval: None, depth, bound, pv: was_pv };
            self.shared.table.store(key, ply, entry);
            if N::PV {
                self.pvs[ply + 1].clear();
                self.update_pv(ply, mv);
            }
            return score;
        }

        // Step 6. Static evaluation: as it is, corrected by what was learned, and sharpened by the table's bound.
        let raw = match known.and_then(|e| e.eval) {
            _ if in_check => None,
            None if excluded.is_none() => Some(self.evaluate()),
            known => known,
        };
        let eval =
            if excluded.is_some() { self.frames[ply].eval } else { raw.map(|raw| self.corrected(raw, &p)) };
        self.frames[ply].eval = eval;
        let mut guess = eval.unwrap_or(-INFINITE);
        if let (Some(entry), Some(eval)) = (known, eval)
            && !is_decisive(entry.score)
            && entry.bound.is_some()
            && entry.cuts(eval)
        {
            guess = entry.score;
        }
        let improving = match (eval, ply.checked_sub(2).and_then(|two| self.frames[two].eval)) {
            (Some(now), Some(before)) => now > before,
            (Some(_), None) => true,
            _ => false,
        };
        self.frames[ply + 1].killers = [None; 2];
        self.frames[ply + 1].excluded = None;
        self.frames[ply + 2].cutoffs = 0;
        self.frames[ply + 1].doubles = self.frames[ply].doubles;
        if in_check {
            depth += p.check_extension;
        }

        if !N::PV && !in_check && excluded.is_none() {
            // Step 7. Reverse futility: far above beta, the opponent's move does not matter.
            if depth <= p.rfp_depth
                && guess < MAX_EVAL
                && beta > -DECISIVE
                && guess - prune::reverse_futility(&p, depth, improving) >= beta
            {
                return (guess + beta) / 2;
            }

            // Step 8. Null move: if passing is good enough, a move will be. Deep cuts are verified without it.
            if G::Position::NULL_MOVE
                && depth >= p.null_depth
                && ply >= self.null_from
                && self.frames[ply - 1].mv.is_some()
                && guess >= beta
                && eval.is_some_and(|eval| eval + p.null_static_factor * depth >= beta + p.null_static_base)
                && beta.abs() < DECISIVE
            {
                let less = depth - prune::null_reduction(&p, depth, guess - beta);
                self.make_null(ply);
                let score = -self.search::<OffPv>(-beta, -beta + 1, less, ply + 1, !cut_node);
                self.pos.unmake_null();
                if self.stopped {
                    return 0;
                }
                if score >= beta {
                    let score = if score > DECISIVE { beta } else { score };
                    if self.null_from > 0 || depth < p.null_verify {
                        return score;
                    }
                    self.null_from = ply + (less.max(0) * p.null_verify_share / 100) as usize;
                    let verified = self.search::<OffPv>(beta - 1, beta, less, ply, false);
                    self.null_from = 0;
                    if self.stopped {
                        return 0;
                    }
                    if verified >= beta {
                        return score;
                    }
                }
            }
        }

        // Step 9. Internal iterative reduction: without a move to begin with, a deep search is not worth it yet.
        // At the root, too: an iteration is one ply shallower there than its number.
        if depth >= p.iir_depth && table.is_none() && excluded.is_none() && (N::PV || cut_node) {
            depth -= 1;
        }

        // Step 10. ProbCut: a good capture that beats beta by far in a shallow search will beat it in a deep one.
        let raised = beta + p.probcut_margin;
        let shallow = depth - p.probcut_reduction;
        if !N::PV
            && !in_check
            && excluded.is_none()
            && depth >= p.probcut_depth
            && beta.abs() < DECISIVE
            && !known.is_some_and(|e| e.depth > shallow && e.score < raised)
        {
            let first = table.filter(|_| table_noisy);
            let mut picker = Picker::noisy(first, raised - eval.unwrap_or(0));
            while let Some(mv) = picker.next(self) {
                self.make(mv, ply);
                let mut score = -self.quiescence::<OffPv>(-raised, -raised + 1, ply + 1);
                if score >= raised {
                    score = -self.search::<OffPv>(-raised, -raised + 1, shallow, ply + 1, !cut_node);
                }
                self.unmake();
                if self.stopped {
                    return 0;
                }
                if score >= raised {
                    let bound = Some(Bound::Lower);
                    let depth = shallow + 1;
                    let entry = Entry { mv: Some(mv), score, eval: raw, depth, bound, pv: was_pv };
                    self.shared.table.store(key, ply, entry);
                    return if is_decisive(score) { score } else { score - (raised - beta) };
                }
            }
        }

        // Step 11. The moves.
        let old_alpha = alpha;
        let before = self.steps(ply);
        let counter = self.history.counter(before[0]);
        let killers = self.frames[ply].killers;
        let mut best = -INFINITE;
        let mut best_move = None;
        let mut picker = Picker::new(table, killers, counter, before);
        let mut quiets: ArrayVec<Move, 64> = ArrayVec::new();
        let mut noisies: ArrayVec<Move, 32> = ArrayVec::new();
        let mut count = 0;
        loop {
            let next = if N::ROOT {
                self.roots.get(self.line + count).map(|root| root.mv)
            } else {
                picker.next(self)
            };
            let Some(mv) = next else { break };
            if Some(mv) == excluded {
                continue;
            }
            count += 1;
            let quiet = !self.pos.is_noisy(mv);
            let nodes = self.nodes;
            let history = if quiet {
                self.history.quiet(&self.pos, mv, &before)
            } else {
                self.history.noisy(&self.pos, mv)
            };

            // Step 12. Pruning of single moves, once there is something to fall back on.
            if !N::ROOT && best > -DECISIVE {
                let reduction = reduce::base(&p, self.shared.logarithms, depth, count) / 1024;
                let reduced = (depth - 1 - reduction).max(0);
                if quiet {
                    // Late move pruning.
                    if count >= prune::late_moves(&p, depth, improving) {
                        picker.skip_quiets();
                        if self.refutation(mv, killers, counter).is_none() && !self.pos.gives_check(mv) {
                            continue;
                        }
                    }
                    // History pruning.
                    if depth <= p.history_depth && history < -p.history_pruning * depth {
                        continue;
                    }
                    // Futility pruning.
                    if !in_check
                        && reduced <= p.futility_depth
                        && eval.is_some_and(|eval| {
                            eval + prune::futility(&p, reduced) + history / p.futility_history <= alpha
                        })
                        && !self.pos.gives_check(mv)
                    {
                        continue;
                    }
                } else if !in_check
                    && reduced <= p.capture_futility_depth
                    && eval.is_some_and(|eval| {
                        eval + prune::capture_futility(&p, reduced)
                            + self.pos.gain(mv)
                            + history / p.capture_futility_history
                            <= alpha
                    })
                    && !self.pos.gives_check(mv)
                {
                    // Futility pruning of captures.
                    continue;
                }
                // Exchange pruning.
                if !self.pos.see_ge(mv, prune::exchange(&p, quiet, depth, reduced)) {
                    continue;
                }
            }

            // Step 13. Singular extension: a move that alone holds the score is searched deeper; when others hold it,
            // too, the node is cut (multi-cut) or the move searched less deep.
            let mut extension = 0;
            if !N::ROOT
                && Some(mv) == table
                && excluded.is_none()
                && depth >= p.singular_depth
                && ply < p.singular_ply as usize * self.depth as usize
                && let Some(entry) = known
                && entry.depth >= depth - p.singular_table
                && matches!(entry.bound, Some(Bound::Lower | Bound::Exact))
                && !is_decisive(entry.score)
            {
                let target = entry.score - depth * p.singular_margin / 64;
                self.frames[ply].excluded = Some(mv);
                let score =
                    self.search::<OffPv>(target - 1, target, (depth - 1) / p.singular_divisor, ply, cut_node);
                self.frames[ply].excluded = None;
                if self.stopped {
                    return 0;
                }
                if score < target {
                    extension = 1;
                    let again = self.frames[ply].doubles < p.singular_doubles as u32;
                    if !N::PV && score < target - p.singular_double && again {
                        extension = 2;
                    }
                } else if target >= beta {
                    return target;
                } else if entry.score >= beta {
                    extension = -p.singular_less;
                } else if cut_node {
                    extension = -p.singular_less_cut;
                }
            }

            // Step 14. Make it.
            self.make(mv, ply);
            self.frames[ply + 1].doubles = self.frames[ply].doubles + u32::from(extension >= 2);
            let deeper = depth - 1 + extension;
            let mut score = -INFINITE;

            // Step 15. Late move reductions: what is ordered late is searched less deep until it surprises.
            if depth >= 2 && count > 1 + usize::from(N::ROOT) {
                let late = reduce::Late {
                    depth,
                    count,
                    quiet,
                    pv: N::PV,
                    was_pv,
                    cut_node,
                    improving,
                    noisy_table: table_noisy,
                    cutoffs: self.frames[ply + 1].cutoffs > p.lmr_often as u32,
                    refutation: self.refutation(mv, killers, counter).is_some() || self.pos.in_check(),
                    history,
                };
                let reduction = late.reduction(&p, self.shared.logarithms) / 1024;
                let reduced = (deeper - reduction).clamp(1, deeper + 1);
                score = -self.search::<OffPv>(-alpha - 1, -alpha, reduced, ply + 1, true);
                if score > alpha && reduced < deeper {
                    // It surprised: by much, it deserves more than the others.
                    let more = i32::from(score > best + p.deeper_margin)
                        - i32::from(score < best + p.shallower_margin);
                    let again = deeper + more;
                    if again > reduced {
                        score = -self.search::<OffPv>(-alpha - 1, -alpha, again, ply + 1, !cut_node);
                    }
                }
            } else if !N::PV || count > 1 {
                // Step 16. A null window for every move but the first of the principal variation.
                score = -self.search::<OffPv>(-alpha - 1, -alpha, deeper, ply + 1, !cut_node);
            }
            if N::PV && (count == 1 || score > alpha) {
                score = -self.search::<N::Next>(-beta, -alpha, deeper, ply + 1, false);
            }
            self.unmake();
            if self.stopped {
                return 0;
            }

            // Step 17. What it was worth.
            if N::ROOT {
                self.note_root_move(self.line + count - 1, score, alpha, beta, nodes);
            }
            if score > best {
                best = score;
                if score > alpha {
                    best_move = Some(mv);
                    if N::PV && !N::ROOT {
                        self.update_pv(ply, mv);
                    }
                    if score >= beta {
                        self.frames[ply].cutoffs += 1;
                        break;
                    }
                    alpha = score;
                }
            }
            if Some(mv) != best_move {
                if quiet && !quiets.is_full() {
                    quiets.push(mv);
                } else if !quiet && !noisies.is_full() {
                    noisies.push(mv);
                }
            }
        }

        // Step 18. No legal move.
        if count == 0 {
            return if excluded.is_some() {
                alpha
            } else {
                self.judge(self.pos.verdict_without_moves(), ply)
            };
        }

        // Step 19. The move that was best is remembered, those before it were overrated.
        if let Some(mv) = best_move
            && best >= beta
        {
            let (bonus, malus) = prune::bonus(&p, depth);
            if self.pos.is_noisy(mv) {
                self.history.reward_noisy(&self.pos, mv, bonus);
            } else {
                self.frames[ply].add_killer(mv);
                self.history.set_counter(before[0], mv);
                self.history.reward_quiet(&self.pos, mv, &before, bonus);
                for &other in &quiets {
                    self.history.reward_quiet(&self.pos, other, &before, -malus);
                }
            }
            for &other in &noisies {
                self.history.reward_noisy(&self.pos, other, -malus);
            }
        }

        // Step 20. The table and the correction history learn.
        if excluded.is_some() {
            return best;
        }
        let bound = if best >= beta {
            Bound::Lower
        } else if N::PV && alpha > old_alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        // The root without its better moves, or with some of its moves only, is another question.
        if N::ROOT && (self.line > 0 || !self.shared.limits.search_moves.is_empty()) {
            return best;
        }
        let entry = Entry { mv: best_move, score: best, eval: raw, depth, bound: Some(bound), pv: was_pv };
        self.shared.table.store(key, ply, entry);
        if let Some(eval) = eval
            && !best_move.is_some_and(|mv| self.pos.is_noisy(mv))
            && !is_decisive(best)
            && (bound == Bound::Exact || (bound == Bound::Lower) == (best > eval))
        {
            self.history.correct(&self.pos, best - eval, depth);
        }
        best
    }

    /// Is this quiet move one that refuted a neighbour or the move before?
    #[inline]
    fn refutation(&self, mv: Move, killers: [Option<Move>; 2], counter: Option<Move>) -> Option<()> {
        [killers[0], killers[1], counter].contains(&Some(mv)).then_some(())
    }

    /// The static evaluation with what was learned about positions like this.
    #[inline]
    pub fn corrected(&self, raw: Score, p: &crate::params::Params) -> Score {
        let correction = self.history.correction(&self.pos) * p.correction_weight / 1024;
        (raw + correction).clamp(-MAX_EVAL, MAX_EVAL)
    }

    /// A root move was searched, from `nodes` nodes on.
    fn note_root_move(&mut self, index: usize, score: Score, alpha: Score, beta: Score, nodes: u64) {
        let spent = self.nodes - nodes;
        let first = index == self.line;
        let root = &mut self.roots[index];
        root.effort += spent;
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
