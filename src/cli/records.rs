//! Reads files of games for all commands: records, matches, and self-play shards.

use indicatif::ProgressBar;
use sanban_engine::search::{LastLines, Limits, Pool, Signals};
use sanban_formats::record::{Action, End, Headers, Judge, Outcome, Reader, Reading, Record};
use sanban_lab::train::record::Result as Played;
use sanban_lab::train::shard;
use sanban_rules::shogi::Position;
use sanban_rules::{Color, Move, Position as _, Score, Shogi, UnknownVariant, VariantId};
use std::collections::HashMap;
use std::time::{Duration, Instant};

/// Time limit for restoring the moves of all games of a file, by default.
pub(super) const TIME: Duration = Duration::from_secs(60);
/// The part of this time that one game may take.
const SHARE: u32 = 6;
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
/// Transposition table size in megabytes.
const HASH: usize = 16;

/// Rates moves by search, within a time limit for all games of a file.
pub(super) struct Search {
    /// The engine, which is started on first use.
    pool: Option<Pool<Shogi>>,
    /// The time limit for all games, and its end, which is set at the first game.
    time: Duration,
    until: Option<Instant>,
    /// The progress bar, whose length is set at the first game.
    bar: ProgressBar,
}

impl Search {
    pub(super) fn new(time: Duration, bar: ProgressBar) -> Self {
        Self { pool: None, time, until: None, bar }
    }
}

impl Judge for Search {
    fn time(&mut self, left: usize) -> Duration {
        if self.until.is_none() {
            self.bar.set_length(left as u64);
        }
        self.bar.set_position(self.bar.length().unwrap_or_default().saturating_sub(left as u64));
        let until = *self.until.get_or_insert_with(|| Instant::now() + self.time);
        let rest = until.saturating_duration_since(Instant::now());
        (self.time / SHARE)
            .min(rest * ABOVE_AVERAGE / u32::try_from(left.max(1)).unwrap_or(u32::MAX))
            .min(rest)
    }

    fn chances(&mut self, pos: &Position, moves: &[Move]) -> Option<Vec<f32>> {
        let pool = self.pool.get_or_insert_with(|| {
            let mut pool = Pool::new();
            pool.set_hash(HASH);
            pool
        });
        let limits = |nodes| Limits { nodes: Some(nodes), ..Limits::default() };
        let last = LastLines::default();
        pool.settings().multi_pv = LINES;
        let best = pool.search(pos, &limits(NODES), &Signals::default(), &last).best;
        pool.settings().multi_pv = 1;
        // Only the final lines are used: the number of earlier reports depends on timing.
        let lines: HashMap<Move, Score> =
            last.into_lines().iter().filter_map(|line| Some((*line.pv.first()?, line.score))).collect();
        let (top, last) = (*lines.values().max()?, *lines.values().min()?);
        let mut child = pos.clone();
        let mut score = |mv: Move| {
            lines.get(&mv).copied().unwrap_or_else(|| {
                child.make(mv, &mut ());
                let reply = pool.search(&child, &limits(NODES_OF_ONE), &Signals::default(), &());
                child.unmake();
                last.min(-reply.score)
            })
        };
        let weight = |mv: Move, score: Score| {
            let bonus = if best == Some(mv) { BEST } else { 0.0 };
            bonus - POWER * (1.0 + (top - score) as f32 / SCALE).ln()
        };
        let weights: Vec<f32> = moves.iter().map(|&mv| weight(mv, score(mv))).collect();
        // The other moves are assumed to be half as probable as the worst line, on average.
        let others = pos.legal_moves().len().saturating_sub(lines.len()) as f32;
        let total: f32 = lines.iter().map(|(&mv, &score)| weight(mv, score).exp()).sum();
        let total = (total + others / 2.0 * (1.0 + (top - last) as f32 / SCALE).powf(-POWER)).ln();
        Some(weights.into_iter().map(|weight| weight - total).collect())
    }
}

/// Parses the bytes of a file of any of these kinds.
pub(super) fn read(reader: &Reader, bytes: &[u8]) -> Result<Reading, String> {
    read_with(reader, bytes, &mut Search::new(TIME, ProgressBar::hidden()), &mut |_| ())
}

/// Like [`read`]; `each` is called with each record as soon as it is finished.
pub(super) fn read_with(
    reader: &Reader,
    bytes: &[u8],
    judge: &mut Search,
    each: &mut dyn FnMut(&Record),
) -> Result<Reading, String> {
    if !bytes.starts_with(shard::MAGIC) {
        return reader.read_with(bytes, judge, each).map_err(|error| error.to_string());
    }
    let (origin, games) = shard::parse(bytes).map_err(|error| error.to_string())?;
    let game: VariantId = origin.game.parse().map_err(|error: UnknownVariant| error.to_string())?;
    let records = games.iter().enumerate().map(|(number, played)| {
        let mut record = Record::new(game, None);
        for name in [Headers::BLACK, Headers::WHITE] {
            record.headers.set(name, &origin.evaluation);
        }
        let about = format!(
            "game {}, seed {}, {} nodes a move",
            origin.first + number as u64,
            origin.seed,
            origin.nodes
        );
        record.headers.set(Headers::NOTE, &about);
        let mut node = record.tree.root();
        for ply in &played.plies {
            node = record.tree.add(node, Action::Move(ply.mv)).ok_or("too many moves")?;
            let comment = ply.score.map_or_else(|| "random move".into(), |score| format!("score {score}"));
            record.tree.set_comment(node, comment);
        }
        let to_move = if played.plies.len().is_multiple_of(2) { Color::Black } else { Color::White };
        let winner = match played.result {
            Played::Win => Some(Color::Black),
            Played::Loss => Some(Color::White),
            Played::Draw => None,
        };
        let end = match winner {
            Some(winner) if End::Resign.outcome(to_move) == Outcome::Win(winner) => End::Resign,
            Some(Color::Black) => End::Won(Color::Black, "先手の勝ち".into()),
            Some(Color::White) => End::Won(Color::White, "後手の勝ち".into()),
            None => End::Draw,
        };
        record.tree.add(node, Action::End(end));
        Ok(record)
    });
    let records: Vec<Record> = records.collect::<Result<_, &str>>()?;
    records.iter().for_each(each);
    Ok(Reading { records, ..Reading::default() })
}
