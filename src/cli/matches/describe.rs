//! Formats the standing of a match.

use sanban_lab::arena::{Pentanomial, Sprt, Standing, Table};
use std::fmt::Write as _;

/// The current score: a line for two engines, a table for more.
pub(super) fn describe(table: &Table, sprt: Option<Sprt>) -> String {
    match (table.names.len(), table.first()) {
        (2, Some(standing)) => line(table, standing, sprt),
        _ => lines(table),
    }
}

/// Elo, likelihood of superiority and normalised Elo of an engine's pairs.
fn strength(pairs: &Pentanomial) -> (String, String, String) {
    let elo = pairs.elo().map_or_else(|| "-".into(), |elo| elo.to_string());
    let percent = |share: f64| format!("{:.1} %", 100.0 * share);
    let superiority = pairs.superiority().map_or_else(|| "-".into(), percent);
    let normalized = pairs.normalized();
    let normalized = normalized.map_or_else(|| "-".into(), |(elo, error)| format!("{elo:+.1} ±{error:.1}"));
    (elo, superiority, normalized)
}

fn line(table: &Table, standing: &Standing, sprt: Option<Sprt>) -> String {
    let [wins, draws, losses] = standing.games;
    let mut text =
        format!("{} games, {wins}-{draws}-{losses} (A wins, draws, B wins)", wins + draws + losses);
    let (elo, superiority, normalized) = strength(&standing.pairs);
    if standing.pairs.pairs() > 0 {
        text.push_str(&format!(", {elo}"));
    }
    if standing.pairs.superiority().is_some() {
        text.push_str(&format!(", LOS {superiority}, nElo {normalized}"));
    }
    let pairs = standing.pairs.0.map(|n| n.to_string());
    text.push_str(&format!(", pairs {}", pairs.join(" ")));
    for (player, name) in ["A", "B"].into_iter().zip(&table.names) {
        if let Some(name) = name {
            text.push_str(&format!(", {player} {name}"));
        }
    }
    if standing.repeated > 0 {
        text.push_str(&format!(", pairs excluded because they repeat earlier games: {}", standing.repeated));
    }
    if let Some(sprt) = sprt {
        let Sprt { elo0, elo1 } = sprt;
        let (llr, bound) = (sprt.llr(&standing.pairs), Sprt::BOUND);
        text.push_str(&format!(", LLR {llr:+.2} of ±{bound:.2} ({elo0}, {elo1})"));
    }
    let [a, b] = standing.faults;
    if a + b > 0 {
        text.push_str(&format!(", lost through faults: A {a}, B {b}"));
    }
    let speed = |player: usize| standing.nodes[player] as f64 / standing.time[player] as f64;
    if standing.time.iter().all(|&time| time > 0) {
        text.push_str(&format!(", knodes/s {:.0} and {:.0}", speed(0), speed(1)));
    }
    text + &speed_of_games(table)
}

fn speed_of_games(table: &Table) -> String {
    let hours = table.elapsed.as_secs_f64() / 3600.0;
    if hours > 0.0 && table.finished() > 0 {
        format!(", {:.0} games/h", table.played as f64 / hours)
    } else {
        String::new()
    }
}

/// The table for more than two engines. Elo is relative to the opponents.
fn lines(table: &Table) -> String {
    let header = ["", "engine", "games", "points", "+ = -", "Elo against the field", "LOS", "nElo", "faults"];
    let mut rows = vec![header.map(str::to_string)];
    for (rank, score) in table.scores().into_iter().enumerate() {
        let (elo, superiority, normalized) = strength(&score.pairs);
        let [wins, draws, losses] = score.games;
        rows.push([
            format!("{}", rank + 1),
            table.name(score.engine),
            score.count().to_string(),
            points(score.half_points()),
            format!("{wins} {draws} {losses}"),
            elo.trim_start_matches("Elo ").to_string(),
            superiority,
            normalized,
            score.faults.to_string(),
        ]);
    }
    let widths: Vec<usize> = (0..header.len())
        .map(|column| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0))
        .collect();
    let mut out = String::new();
    for row in &rows {
        let cells: Vec<String> =
            row.iter().zip(&widths).map(|(cell, &width)| format!("{cell:<width$}")).collect();
        let _ = writeln!(out, "{}", cells.join("  ").trim_end());
    }
    let repeated: u64 = table.pairings.iter().map(|(_, standing)| standing.repeated).sum();
    let games: u64 = table.pairings.iter().flat_map(|(_, standing)| standing.games).sum();
    let _ = write!(out, "{games} games");
    if repeated > 0 {
        let _ = write!(out, ", pairs excluded because they repeat earlier games: {repeated}");
    }
    out + &speed_of_games(table)
}

/// Formats half points as points.
pub(super) fn points(half: u64) -> String {
    if half.is_multiple_of(2) { (half / 2).to_string() } else { format!("{}.5", half / 2) }
}
