//! Writes games as PGN in the style of programs for Fairy-Stockfish's variants.

use crate::cli::failure::Failure;
use sanban_formats::record::{Format, Headers, Reader, write as write_record};
use sanban_lab::arena::{Player, Record, Table};
use sanban_rules::VariantId;
use sanban_rules::uci::{name_of, named};
use sanban_system::{begins_with, write_whole};
use std::fs::File;
use std::path::Path;

/// Writes the games of a match to a file.
pub(super) fn write(path: &Path, game: VariantId, table: &Table, records: &[Record]) -> Result<(), Failure> {
    let games = records.iter().enumerate().map(|(number, record)| text(game, number + 1, table, record));
    let games: Result<Vec<String>, String> = games.collect();
    let games = games.map_err(|problem| Failure::Request(format!("{}: {problem}", path.display())))?;
    Ok(write_whole(path, games.join("\n").as_bytes(), is_own)?)
}

/// Whether this file contains the games of a match.
pub(super) fn is_own(file: &mut File) -> bool {
    begins_with(b"[Event \"sanban match\"]")(file)
}

/// The game as its line in the output file of the match is read, with comments such as `+0.35/12 0.500s`.
fn text(game: VariantId, number: usize, table: &Table, record: &Record) -> Result<String, String> {
    let wrong = |problem: String| format!("game {number}: {problem}");
    let line = serde_json::to_string(record).map_err(|error| wrong(error.to_string()))?;
    let reader = Reader { game: Some(game), ..Reader::default() };
    let mut games = reader.read_text(&line).map_err(|error| wrong(error.problem))?.records;
    let mut out = games.pop().ok_or_else(|| wrong("no game".into()))?;
    let [a, b] = record.engines.unwrap_or([0, 1]);
    let [first, second] = if record.black == Player::A { [a, b] } else { [b, a] };
    // Some variants of Janggi share a name in PGN.
    out.game = named(name_of(game)).map_or(game, |known| known.id);
    out.headers = Headers::default();
    for (name, value) in [
        (Headers::EVENT, "sanban match"),
        ("Round", &format!("{}.{number}", record.pair + 1)),
        (Headers::BLACK, &table.name(first)),
        (Headers::WHITE, &table.name(second)),
        ("Termination", &record.reason.to_string()),
    ] {
        out.headers.set(name, value);
    }
    let opening = record.opening.split_once("moves").map_or(0, |(_, moves)| moves.split_whitespace().count());
    let line = out.tree.main_line();
    for node in [out.tree.root()].into_iter().chain(line.iter().copied()) {
        out.tree.set_comment(node, String::new());
    }
    let moves = line.into_iter().skip(opening);
    for ((node, depth), (n, &millis)) in moves.zip(&record.depths).zip(record.times.iter().enumerate()) {
        let score = record.scores.get(n).copied().flatten();
        let score =
            score.map_or_else(|| "book".into(), |score| format!("{:+.2}/{depth}", f64::from(score) / 100.0));
        out.tree.set_comment(node, format!("{score} {:.3}s", millis as f64 / 1000.0));
    }
    write_record(&out, Format::Pgn).map_err(|error| wrong(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use sanban_lab::arena::pairings;

    #[test]
    fn games_with_passes_are_written() {
        let mut record = Record::new(0, None, Player::A, "startpos".into());
        record.moves = vec!["5i5i".into()];
        let table = Table::new(vec![None, None], &pairings(Default::default(), 2));
        let text = |game| text(game, 1, &table, &record);
        assert!(text(VariantId::JanggiCasual).is_ok_and(|text| text.contains("1. e2e2")));
        assert!(text(VariantId::Janggi).is_err());
    }

    /// UCI programs know every name, and mean the same game by it.
    #[test]
    fn names_are_those_of_uci() {
        for &id in VariantId::ALL {
            let known = named(name_of(id)).expect("a variant of UCI");
            let same = if id.is_janggi() && id != VariantId::Janggi { VariantId::JanggiCasual } else { id };
            assert_eq!(known.id, same);
        }
    }
}
