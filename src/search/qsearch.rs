//! Quiescence: captures and evasions until the position can be evaluated.

use super::Bound;
use super::node::Node;
use super::picker::Picker;
use super::tt::Entry;
use super::worker::Worker;
use crate::base::Score;
use crate::base::score::{DECISIVE, INFINITE, MAX_PLY, is_decisive};
use crate::game::{Game, Position};

impl<G: Game> Worker<'_, G> {
    /// The score of the position once it has come to rest.
    pub fn quiescence<N: Node>(&mut self, mut alpha: Score, beta: Score, ply: usize) -> Score {
        self.pvs[ply].clear();
        self.seldepth = self.seldepth.max(ply);

        // Step 1. The end of time, of the game and of the board.
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

        // Step 2. The table.
        let key = self.pos.key();
        let known = self.shared.table.probe(key, ply);
        if !N::PV
            && let Some(entry) = known
            && entry.cuts(beta)
        {
            return entry.score;
        }
        let was_pv = known.is_some_and(|e| e.pv) || N::PV;

        // Step 3. Stand pat: nobody is forced to capture.
        let p = *self.p();
        let mut best = -INFINITE;
        let mut raw = None;
        let mut futility = -INFINITE;
        if !in_check {
            let plain = known.and_then(|e| e.eval).unwrap_or_else(|| self.evaluate());
            raw = Some(plain);
            best = self.corrected(plain, &p);
            if let Some(entry) = known
                && !is_decisive(entry.score)
                && entry.bound.is_some()
                && entry.cuts(best)
            {
                best = entry.score;
            }
            if best >= beta {
                if known.is_none() {
                    let bound = Some(Bound::Lower);
                    let entry = Entry { mv: None, score: best, eval: raw, depth: 0, bound, pv: false };
                    self.shared.table.store(key, ply, entry);
                }
                return best;
            }
            alpha = alpha.max(best);
            futility = best + p.quiescence_margin;
        }

        // Step 4. Captures, or every move in check.
        let table = known
            .and_then(|e| e.mv)
            .filter(|&mv| (in_check || self.pos.is_noisy(mv)) && self.pos.is_legal(mv));
        let before = self.steps(ply);
        let mut picker = Picker::quiescence(table, in_check, before);
        let mut best_move = None;
        let old_alpha = alpha;
        while let Some(mv) = picker.next(self) {
            if best > -DECISIVE {
                if in_check {
                    // One evasion is enough, as long as it is not a mate; captures are looked at, too.
                    picker.skip_quiets();
                    if !self.pos.is_noisy(mv) {
                        continue;
                    }
                } else if futility + self.pos.gain(mv) <= alpha && !self.pos.gives_check(mv) {
                    // Futility: this victim is not enough.
                    best = best.max(futility + self.pos.gain(mv));
                    continue;
                }
            }
            self.make(mv, ply);
            let score = -self.quiescence::<N::Next>(-beta, -alpha, ply + 1);
            self.unmake();
            if self.stopped {
                return 0;
            }
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    best_move = Some(mv);
                    if N::PV {
                        self.update_pv(ply, mv);
                    }
                    if score >= beta {
                        break;
                    }
                }
            }
        }

        // Step 5. Checkmate.
        if best == -INFINITE {
            return self.judge(self.pos.verdict_without_moves(), ply);
        }
        let bound = if best >= beta {
            Bound::Lower
        } else if N::PV && alpha > old_alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let entry = Entry { mv: best_move, score: best, eval: raw, depth: 0, bound: Some(bound), pv: was_pv };
        self.shared.table.store(key, ply, entry);
        best
    }
}
