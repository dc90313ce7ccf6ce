//! A page with the cross table of a match and its games, which can be replayed.

use super::describe::points;
use crate::cli::failure::Failure;
use sanban_lab::arena::{Player, Record, Table};
use sanban_rules::{AnyPosition, VariantId};
use sanban_system::{begins_with, write_whole};
use serde_json::{Value, json};
use std::fs::File;
use std::path::Path;

/// The page, with placeholders.
const PAGE: &str = include_str!("page.html");

/// Sorts games into the order of the page.
pub(super) fn sort(records: &mut [Record]) {
    records.sort_by_key(|record| (record.pair, record.engines, record.black.index()));
}

/// Writes the page of a match. `refresh` is the number of seconds after which a browser reloads it.
pub(super) fn write(
    path: &Path,
    game: VariantId,
    table: &Table,
    records: &[Record],
    refresh: Option<u64>,
) -> Result<(), Failure> {
    let (files, ranks) = AnyPosition::new(game).size();
    let games: Vec<Value> = records
        .iter()
        .map(|record| {
            let [a, b] = record.engines.unwrap_or([0, 1]);
            let [first, second] = if record.black == Player::A { [a, b] } else { [b, a] };
            json!({
                "pair": record.pair,
                "players": [first, second],
                "winner": winner(record, [a, b]),
                "reason": record.reason.to_string(),
                "opening": record.opening,
                "moves": record.moves,
                "scores": record.scores,
                "depths": record.depths,
                "times": record.times,
                "nodes": record.move_nodes,
            })
        })
        .collect();
    let scores = table.scores();
    let rows: Vec<Value> = scores
        .iter()
        .map(|score| {
            let [elo, superiority, normalized] = [
                score.pairs.elo().map(|elo| elo.to_string()),
                score.pairs.superiority().map(|share| format!("{:.1} %", 100.0 * share)),
                score.pairs.normalized().map(|(elo, error)| format!("{elo:+.1} ±{error:.1}")),
            ];
            let between: Vec<Option<String>> = scores
                .iter()
                .map(|other| {
                    table
                        .between(score.engine, other.engine)
                        .map(|[wins, draws, losses]| format!("+{wins} ={draws} -{losses}"))
                })
                .collect();
            json!({
                "engine": score.engine,
                "points": points(score.half_points()),
                "count": score.count(),
                "elo": elo,
                "superiority": superiority,
                "normalized": normalized,
                "faults": score.faults,
                "between": between,
            })
        })
        .collect();
    let names: Vec<String> = (0..table.names.len()).map(|engine| table.name(engine)).collect();
    let data = json!({
        "game": game.name(),
        "start": game.info().start,
        "files": files,
        "ranks": ranks,
        "names": names,
        "rows": rows,
        "games": games,
    });
    // In the data, `<` is escaped, since it could end the script element.
    let refresh = refresh.map(|seconds| format!("<meta http-equiv=\"refresh\" content=\"{seconds}\">\n"));
    let page = PAGE
        .replace("{{REFRESH}}", &refresh.unwrap_or_default())
        .replace("{{DATA}}", &data.to_string().replace('<', "\\u003c"));
    Ok(write_whole(path, page.as_bytes(), is_own)?)
}

/// Whether this file is the page of a match.
pub(super) fn is_own(file: &mut File) -> bool {
    begins_with(b"<!DOCTYPE html>\n<!-- sanban match -->")(file)
}

/// The engine that won; `None` for a draw.
fn winner(record: &Record, [a, b]: [usize; 2]) -> Option<usize> {
    match record.result.half_points() {
        2 => Some(a),
        0 => Some(b),
        _ => None,
    }
}
