//! Reads files of games for all commands: records, matches, and self-play shards.

use sanban_engine::search::{Limits, Pool, Signals};
use sanban_formats::record::{Action, End, Headers, Judge, Outcome, Reader, Reading, Record};
use sanban_lab::train::record::Result as Played;
use sanban_lab::train::shard;
use sanban_rules::shogi::Position;
use sanban_rules::{Color, Move, Score, Shogi, UnknownVariant, VariantId};
use std::time::Duration;

/// Time to restore a game.
const TIME: Duration = Duration::from_secs(9);
/// Node limits of the search that judges restored moves, for the position before and after each move.
const NODES: u64 = 1000;
const NODES_OF_ONE: u64 = 100;
/// Memory of that search in megabytes.
const HASH: usize = 16;

/// Rates moves by search; the engine is started on first use.
#[derive(Default)]
struct Search(Option<Pool<Shogi>>);

impl Judge for Search {
    fn time(&self) -> Duration {
        TIME
    }

    fn losses(&mut self, pos: &Position, moves: &[Move]) -> Option<Vec<i32>> {
        let pool = self.0.get_or_insert_with(|| {
            let mut pool = Pool::new();
            pool.set_hash(HASH);
            pool
        });
        let mut search = |pos: &Position, nodes| {
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            pool.search(pos, &limits, &Signals::default(), &())
        };
        let best = search(pos, NODES);
        let mut child = pos.clone();
        let mut scores: Vec<Score> = Vec::with_capacity(moves.len());
        for &mv in moves {
            if best.best == Some(mv) {
                scores.push(best.score);
                continue;
            }
            child.make(mv, &mut ());
            let reply = search(&child, NODES_OF_ONE);
            child.unmake();
            scores.push(-reply.score);
        }
        let top = scores.iter().copied().fold(best.score, Score::max);
        Some(scores.into_iter().map(|score| top - score).collect())
    }
}

/// Parses the bytes of a file of any kind.
pub(super) fn read(reader: &Reader, bytes: &[u8]) -> Result<Reading, String> {
    if !bytes.starts_with(shard::MAGIC) {
        return reader.read_with(bytes, &mut Search::default()).map_err(|error| error.to_string());
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
    let records = records.collect::<Result<_, &str>>()?;
    Ok(Reading { records, ..Reading::default() })
}
