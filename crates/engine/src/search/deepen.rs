//! Iterative deepening with aspiration windows, for all requested lines.

use super::Bound;
use super::node::Root;
use super::report::{Line, Report};
use super::root::{RootMove, take_lead};
use super::shared::Shared;
use super::worker::Worker;
use crate::Game;
use crate::params::percent;
use sanban_rules::score::{INFINITE, MAX_PLY, is_decisive, mate_distance};
use sanban_rules::{Position, Score};
use std::time::Duration;

impl<G: Game> Worker<'_, G> {
    /// Searches until a limit is reached and returns the depth of the last complete iteration. Only the first thread
    /// has a `report` and may end the search.
    pub fn deepen(&mut self, report: Option<&dyn Report>) -> u32 {
        let (shared, settings) = (self.shared, self.shared.settings);
        let lines = shared.lines;
        let deepest = shared.limits.depth.unwrap_or(u32::MAX).clamp(1, MAX_PLY as u32 - 1);
        let mut done = 0;
        let mut stability = 0;
        let mut usual: Option<Score> = None;
        // With MultiPV, the root moves after the last complete iteration.
        let mut complete = Vec::new();
        for depth in 1..=deepest {
            self.depth = depth;
            let best_before = self.roots[0].mv;
            for root in &mut self.roots {
                root.previous = std::mem::replace(&mut root.score, -INFINITE);
                root.effort = 0;
            }
            for line in 0..lines {
                self.line = line;
                self.seldepth = 0;
                self.aspire(depth, report);
                if self.stopped {
                    break;
                }
                self.roots[..=line].sort_by_key(|root| root.key());
            }
            if self.stopped {
                break;
            }
            done = depth;
            self.last_pv.clone_from(&self.roots[0].pv);
            if lines > 1 {
                complete.clone_from(&self.roots);
            }
            if self.index > 0 {
                continue;
            }
            let timer = &shared.timer;
            let elapsed = timer.elapsed();
            stability = if self.roots[0].mv == best_before { stability + 1 } else { 0 };
            let score = self.roots[0].score;
            let mated = mate_distance(score).is_some_and(|plies| 2 * plies.unsigned_abs() <= depth);
            let forced = self.roots.len() == 1 && timer.is_thrifty() && depth >= self.p().time_forced as u32;
            let factor = self.urgency(stability, usual.unwrap_or(score));
            usual = Some(usual.map_or(score, |usual| (usual + score) / 2));
            let enough = timer.is_enough(factor, mated || forced);
            let soft = shared.limits.soft_nodes.is_some_and(|limit| shared.nodes() >= limit);
            if enough || soft || depth == deepest {
                // The pool reports the last lines.
                break;
            }
            if let Some(report) = report
                && (elapsed.saturating_sub(self.reported) >= settings.pv_interval || done == 1)
            {
                self.reported = elapsed;
                self.continue_lines();
                report_lines(shared, &self.roots, report, settings.multi_pv.min(lines), false);
            }
        }
        if complete.is_empty() {
            // With a single line, or without a complete iteration: moves after this line may have better scores, from
            // searches for earlier lines.
            self.roots.sort_by_key(|root| root.key());
        } else {
            // Scores of different iterations are not comparable, but the latest best move is the one to play.
            let latest = (self.line > 0).then(|| self.roots[0].clone());
            self.roots = complete;
            if let Some(latest) = latest {
                take_lead(&mut self.roots, latest);
            }
        }
        self.continue_lines();
        done
    }

    /// The scale of the planned time: lower if the move has been best for `stability` iterations and took most of the
    /// nodes, higher if the score falls below its recent average.
    fn urgency(&self, stability: usize, usual: Score) -> f64 {
        let p = self.p();
        let stable = [p.time_stable_0, p.time_stable_1, p.time_stable_2, p.time_stable_3, p.time_stable_4];
        let falling = 1.0 + f64::from(usual - self.roots[0].score) / f64::from(p.time_falling);
        let falling = falling.clamp(percent(p.time_falling_least), percent(p.time_falling_most));
        let nodes: u64 = self.roots.iter().map(|root| root.effort).sum();
        let share = self.roots[0].effort as f64 / nodes.max(1) as f64;
        let effort = percent(p.time_effort) - percent(p.time_effort_share) * share;
        percent(stable[stability.min(4)]) * falling * effort
    }

    /// For analysis: extends the lines with moves from the transposition table.
    fn continue_lines(&mut self) {
        if !self.shared.settings.consideration_mode {
            return;
        }
        let mut pos = self.pos.clone();
        for line in 0..self.shared.lines {
            let mut pv = std::mem::take(&mut self.roots[line].pv);
            for &mv in &pv {
                pos.make(mv, &mut ());
            }
            while pv.len() < MAX_PLY
                && pos.verdict(pv.len()).is_none()
                && let Some(mv) = self.shared.tt.probe(pos.key(), 0).and_then(|entry| entry.mv)
                && pos.is_legal(mv)
            {
                pos.make(mv, &mut ());
                pv.push(mv);
            }
            for _ in &pv {
                pos.unmake();
            }
            self.roots[line].pv = pv;
        }
    }

    /// Searches one line of one iteration, widening the window until it contains the score.
    fn aspire(&mut self, depth: u32, report: Option<&dyn Report>) {
        let p = self.p();
        let root = &self.roots[self.line];
        // The window grows with the mean square of the scores, and differs between threads.
        let mut delta = p.aspiration_window
            + (self.index % 8) as Score
            + (root.mean_square.abs() / i64::from(p.aspiration_variance)).min(i64::from(INFINITE)) as Score;
        let (mut alpha, mut beta) = match root.mean {
            Some(mean) if depth >= p.aspiration_depth as u32 => {
                ((mean - delta).max(-INFINITE), (mean + delta).min(INFINITE))
            }
            _ => (-INFINITE, INFINITE),
        };
        let mut failed_high = 0;
        loop {
            self.root_delta = beta - alpha;
            let adjusted = (depth as i32 - failed_high).max(1);
            let score = self.search::<Root>(alpha, beta, adjusted, 0, false);
            let line = self.line;
            self.roots[line..].sort_by_key(|root| root.key());
            if self.stopped {
                return;
            }
            if score > alpha && score < beta {
                self.roots[line].depth = depth;
                return;
            }
            let elapsed = self.shared.begin.elapsed();
            let settings = self.shared.settings;
            if let Some(report) = report
                && settings.output_fail_lhpv
                && self.shared.lines == 1
                && elapsed > Duration::from_secs(3)
                && elapsed.saturating_sub(self.reported) >= settings.pv_interval
            {
                self.reported = elapsed;
                report_lines(self.shared, &self.roots, report, 1, false);
            }
            if score <= alpha {
                beta = alpha;
                alpha = (score - delta).max(-INFINITE);
                failed_high = 0;
            } else {
                alpha = (beta - delta).max(alpha);
                beta = (score + delta).min(INFINITE);
                failed_high += 1;
            }
            delta += delta / 3;
        }
    }
}

/// Reports the best lines.
pub(super) fn report_lines(
    shared: &Shared,
    roots: &[RootMove],
    report: &dyn Report,
    lines: usize,
    last: bool,
) {
    let lines = roots.iter().take(lines).take_while(|root| root.is_scored()).count().max(1);
    for (rank, root) in roots[..lines].iter().enumerate() {
        let (score, bound) = root.reported();
        // Programs that only read the last line do not expect a bound.
        let bound = if last && !is_decisive(score) { Bound::Exact } else { bound };
        report.line(&Line {
            depth: root.depth.max(1),
            seldepth: root.seldepth.max(1),
            time: shared.begin.elapsed(),
            nodes: shared.nodes(),
            hashfull: shared.tt.hashfull(),
            multipv: (rank as u32 + 1, lines as u32),
            score,
            bound,
            pv: root.pv.clone(),
            last,
        });
    }
}
