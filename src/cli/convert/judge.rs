//! The judge of `sanban convert --repair`: a search that rates the moves of a position.

use indicatif::ProgressBar;
use sanban_engine::Engine;
use sanban_engine::search::{LastLines, Limits, Signals};
use sanban_formats::record::Judge;
use sanban_rules::shogi::Position;
use sanban_rules::{AnyPosition, Move, Score, Shogi, VariantId};
use std::collections::HashMap;
use std::time::{Duration, Instant};

/// Time limit for restoring the moves of all games of a file, by default.
pub(super) const TIME: Duration = Duration::from_secs(60);
/// The part of this time that one game may take, and the first one, so that the output begins soon.
const SHARE: u32 = 6;
const FIRST_SHARE: u32 = 15;
/// How many times the average of the time that is left a game may take.
const ABOVE_AVERAGE: u32 = 2;
/// Node limit of the search that rates the moves of a position, and the number of its lines.
const NODES: u64 = 2000;
const LINES: usize = 8;
/// Node limit of the search after a move that is not in these lines.
const NODES_OF_ONE: u64 = 20;
/// The relative probability of a move is `(1 + loss / SCALE) ^ -POWER`, multiplied by `e ^ BEST` for the best move.
/// Fitted to self-play games.
const SCALE: f32 = 160.0;
const POWER: f32 = 2.5;
const BEST: f32 = 1.4;

/// Rates moves by search, within a time limit for all games of a file.
pub(super) struct Search {
    /// The engine, which is started on first use.
    engine: Option<Box<dyn Engine>>,
    /// The time limit for all games, and its end, which is set at the first game.
    time: Duration,
    until: Option<Instant>,
    /// The progress bar, whose length is set at the first game.
    bar: ProgressBar,
}

impl Search {
    pub(super) fn new(time: Duration, bar: ProgressBar) -> Self {
        Self { engine: None, time, until: None, bar }
    }
}

impl Judge for Search {
    fn time(&mut self, left: usize) -> Duration {
        let share = if self.until.is_none() { FIRST_SHARE } else { SHARE };
        if self.until.is_none() {
            self.bar.set_length(left as u64);
        }
        self.bar.set_position(self.bar.length().unwrap_or_default().saturating_sub(left as u64));
        let until = *self.until.get_or_insert_with(|| Instant::now() + self.time);
        let rest = until.saturating_duration_since(Instant::now());
        (self.time / share)
            .min(rest * ABOVE_AVERAGE / u32::try_from(left.max(1)).unwrap_or(u32::MAX))
            .min(rest)
    }

    fn chances(&mut self, pos: &Position, moves: &[Move]) -> Option<Vec<f32>> {
        let engine = self.engine.get_or_insert_with(|| <dyn Engine>::new(VariantId::Shogi));
        let mut search = |pos: &AnyPosition, lines, nodes| {
            let (limits, last) = (Limits { nodes: Some(nodes), ..Limits::default() }, LastLines::default());
            engine.settings().multi_pv = lines;
            // The engine plays shogi, so it accepts the position.
            Some((engine.search(pos, &limits, &Signals::default(), &last).ok()?, last.into_lines()))
        };
        let mut pos = AnyPosition::of::<Shogi>(pos.clone());
        let (outcome, lines) = search(&pos, LINES, NODES)?;
        // Only the final lines are used: the number of earlier reports depends on timing.
        let lines: HashMap<Move, Score> =
            lines.iter().filter_map(|line| Some((*line.pv.first()?, line.score))).collect();
        let (top, last) = (*lines.values().max()?, *lines.values().min()?);
        let mut score = |mv: Move| {
            lines.get(&mv).copied().unwrap_or_else(|| {
                pos.play(mv);
                let reply = search(&pos, 1, NODES_OF_ONE);
                pos.undo();
                reply.map_or(last, |(reply, _)| last.min(-reply.score))
            })
        };
        let weight = |mv: Move, score: Score| {
            let bonus = if outcome.best == Some(mv) { BEST } else { 0.0 };
            bonus - POWER * (1.0 + (top - score) as f32 / SCALE).ln()
        };
        let weights: Vec<f32> = moves.iter().map(|&mv| weight(mv, score(mv))).collect();
        // The other moves are assumed to be half as probable as the worst line, on average.
        let others = pos.count().saturating_sub(lines.len()) as f32;
        let total: f32 = lines.iter().map(|(&mv, &score)| weight(mv, score).exp()).sum();
        let total = (total + others / 2.0 * (1.0 + (top - last) as f32 / SCALE).powf(-POWER)).ln();
        Some(weights.into_iter().map(|weight| weight - total).collect())
    }
}
