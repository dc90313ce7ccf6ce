//! The search proper: principal variation search (Marsland and Campbell 1982) in numbered steps.

use super::Bound;
use super::node::{Node, OffPv};
use super::picker::Picker;
use super::tt::Entry;
use super::worker::Worker;
use crate::base::score::{DECISIVE, INFINITE, MAX_PLY};
use crate::base::{Move, Score};
use crate::game::{Game, Position};
use arrayvec::ArrayVec;

impl<G: Game> Worker<'_, G> {
    /// The score of the current position, `ply` plies from the root, searched `depth` plies deep. Exact when it lies
    /// between `alpha` and `beta`, else a bound (fail-soft).
    pub fn search<N: Node>(&mut self, mut alpha: Score, beta: Score, mut depth: i32, ply: usize) -> Score {
        // Step 1. The horizon.
        if depth <= 0 {
            return self.quiescence::<N>(alpha, beta, ply);
        }
        self.frames[ply].pv.clear();
        self.seldepth = self.seldepth.max(ply);

        // Step 2. The end of time, of the game and of the board.
        if self.must_stop() {
            return 0;
        }
        let p = *self.p();
        let in_check = self.pos.in_check();
        if !N::ROOT {
            if let Some(verdict) = self.pos.verdict(ply) {
                return self.judge(verdict, ply);
            }
            if ply >= MAX_PLY {
                return if in_check { self.draw[self.pos.side().index()] } else { self.evaluate() };
            }
        }

        // Step 3. The table.
        let key = self.pos.key();
        let known = self.shared.table.probe(key, ply);
        if !N::PV
            && let Some(entry) = known
            && entry.depth >= depth
            && entry.cuts(beta)
        {
            return entry.score;
        }
        let was_pv = known.is_some_and(|e| e.pv) || N::PV;
        let table = if N::ROOT { None } else { known.and_then(|e| e.mv).filter(|&mv| self.pos.is_legal(mv)) };

        // Step 4. Static evaluation. A check is searched one ply deeper instead.
        let eval =
            if in_check { None } else { Some(known.and_then(|e| e.eval).unwrap_or_else(|| self.evaluate())) };
        self.frames[ply].eval = eval;
        self.frames[ply + 1].killers = [None; 2];
        if in_check {
            depth += 1;
        }

        // Step 5. Null move: if passing is good enough, a move will be.
        if !N::PV
            && G::Position::NULL_MOVE
            && depth >= 3
            && beta.abs() < DECISIVE
            && self.frames[ply - 1].mv.is_some()
            && eval.is_some_and(|eval| eval >= beta)
        {
            let reduction = p.null_base + depth / p.null_divisor;
            self.make_null(ply);
            let score = -self.search::<OffPv>(-beta, -beta + 1, depth - reduction, ply + 1);
            self.pos.unmake_null();
            if self.stopped {
                return 0;
            }
            if score >= beta {
                return if score > DECISIVE { beta } else { score };
            }
        }

        // Step 6. The moves.
        let side = self.pos.side();
        let old_alpha = alpha;
        let mut best = -INFINITE;
        let mut best_move = None;
        let mut picker = Picker::new(table, self.frames[ply].killers);
        let mut tried: ArrayVec<Move, 64> = ArrayVec::new();
        let mut count = 0;
        loop {
            let next = if N::ROOT {
                self.roots.get(self.line + count).map(|root| root.mv)
            } else {
                picker.next(self)
            };
            let Some(mv) = next else { break };
            count += 1;
            let quiet = !self.pos.is_noisy(mv);
            let nodes = self.nodes;

            // Step 7. Late move reductions: what is ordered late is searched less deep until it surprises.
            let mut reduction = 0;
            if depth >= 3 && count > 1 + usize::from(N::ROOT) && quiet && !in_check {
                let log = &self.shared.logarithms;
                let product = log[depth.min(255) as usize] * log[count.min(255)] / 1024;
                reduction = (product * p.lmr_factor / 1024 + p.lmr_base) / 1024;
                reduction -= i32::from(N::PV) + self.history.quiet(side, mv) / p.lmr_history;
                reduction = reduction.clamp(0, depth - 2);
            }

            // Step 8. Search it: the first move with the open window, the others with a null window first.
            self.make(mv, ply);
            let deeper = depth - 1;
            let mut score = -INFINITE;
            if !N::PV || count > 1 {
                score = -self.search::<OffPv>(-alpha - 1, -alpha, deeper - reduction, ply + 1);
                if reduction > 0 && score > alpha {
                    score = -self.search::<OffPv>(-alpha - 1, -alpha, deeper, ply + 1);
                }
            }
            if N::PV && (count == 1 || score > alpha) {
                score = -self.search::<N::Next>(-beta, -alpha, deeper, ply + 1);
            }
            self.unmake();
            if self.stopped {
                return 0;
            }

            // Step 9. What it was worth.
            if N::ROOT {
                self.note_root_move(self.line + count - 1, score, alpha, beta, nodes);
            }
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    best_move = Some(mv);
                    if N::PV && !N::ROOT {
                        self.update_pv(ply, mv);
                    }
                    if score >= beta {
                        break;
                    }
                }
            }
            if quiet && !tried.is_full() {
                tried.push(mv);
            }
        }

        // Step 10. No legal move.
        if count == 0 {
            return self.judge(self.pos.verdict_without_moves(), ply);
        }

        // Step 11. A quiet move that refuted is remembered, those before it were overrated.
        if best >= beta
            && let Some(mv) = best_move
            && !self.pos.is_noisy(mv)
        {
            self.frames[ply].add_killer(mv);
            let bonus = (depth * depth * p.history_factor).min(p.history_most);
            self.history.reward_quiet(side, mv, bonus);
            for &other in tried.iter().filter(|&&other| other != mv) {
                self.history.reward_quiet(side, other, -bonus);
            }
        }

        // Step 12. The table learns.
        let bound = if best >= beta {
            Bound::Lower
        } else if N::PV && alpha > old_alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        if !N::ROOT || self.line == 0 {
            let entry = Entry { mv: best_move, score: best, eval, depth, bound: Some(bound), pv: was_pv };
            self.shared.table.store(key, ply, entry);
        }
        best
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
        root.seldepth = self.seldepth as u32;
        root.bound = if score >= beta {
            Bound::Lower
        } else if score <= alpha {
            Bound::Upper
        } else {
            Bound::Exact
        };
        root.pv.truncate(1);
        root.pv.extend_from_slice(&self.frames[1].pv);
    }

    /// Rank of a noisy move: what it wins, large victims first.
    #[inline]
    pub fn rank_noisy(&self, mv: Move) -> i32 {
        self.pos.gain(mv) * 8
    }

    /// Rank of a quiet move: its history.
    #[inline]
    pub fn rank_quiet(&self, mv: Move) -> i32 {
        self.history.quiet(self.pos.side(), mv)
    }
}
