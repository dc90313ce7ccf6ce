//! Writes games as PGN in the style of programs for Fairy-Stockfish's variants: the variant in a header, and moves in
//! coordinate notation.

use crate::cli::failure::Failure;
use sanban_lab::arena::{Outcome, Player, Record, Table, position};
use sanban_rules::uci::{fen, move_text, name_of};
use sanban_rules::{AnyPosition, Color, VariantId};
use sanban_system::{begins_with, write_whole};
use std::fmt::Write as _;
use std::fs::File;
use std::path::Path;

/// Writes the games of a match to a file.
pub(super) fn write(path: &Path, game: VariantId, table: &Table, records: &[Record]) -> Result<(), Failure> {
    let games = records.iter().enumerate().map(|(number, record)| text(game, number + 1, table, record));
    let text: Result<String, String> = games.collect();
    let text = text.map_err(|problem| Failure::Request(format!("{}: {problem}", path.display())))?;
    Ok(write_whole(path, text.as_bytes(), is_own)?)
}

/// Whether this file contains the games of a match.
pub(super) fn is_own(file: &mut File) -> bool {
    begins_with(b"[Event \"sanban match\"]")(file)
}

fn text(game: VariantId, number: usize, table: &Table, record: &Record) -> Result<String, String> {
    let (place, opening) = record.opening.split_once("moves").unwrap_or((&record.opening, ""));
    let mut pos = position(&AnyPosition::new(game), place.trim()).map_err(|error| error.to_string())?;
    let [a, b] = record.engines.unwrap_or([0, 1]);
    let [white, black] = if record.black == Player::A { [a, b] } else { [b, a] };
    let result = match (record.result, record.black) {
        (Outcome::Draw, _) => "1/2-1/2",
        (Outcome::Win, Player::A) | (Outcome::Loss, Player::B) => "1-0",
        _ => "0-1",
    };
    let mut out = String::from("[Event \"sanban match\"]\n");
    let name = |engine: usize| table.name(engine).replace(['"', '\\'], "'");
    let mut header = |name: &str, value: &str| {
        // Writing to a string cannot fail.
        let _ = writeln!(out, "[{name} \"{value}\"]");
    };
    header("Site", "?");
    header("Round", &format!("{}.{number}", record.pair + 1));
    // The first player is white, as in UCI.
    header("White", &name(white));
    header("Black", &name(black));
    header("Result", result);
    header("Variant", name_of(game));
    if place.trim() != "startpos" {
        header("SetUp", "1");
        header("FEN", &fen(&pos.sfen(), !game.is_janggi(), 0));
    }
    header("Termination", &record.reason.to_string());
    let mut line = String::new();
    let played = opening.split_whitespace().count();
    let moves = opening.split_whitespace().chain(record.moves.iter().map(String::as_str));
    for (ply, text) in moves.enumerate() {
        let mv = pos.parse_usi(text).ok_or_else(|| format!("game {number}: illegal move {text}"))?;
        let full = pos.game_ply() / 2 + 1;
        if pos.side() == Color::Black {
            let _ = write!(line, "{full}. ");
        } else if ply == 0 {
            let _ = write!(line, "{full}... ");
        }
        line += &move_text(&pos, mv);
        pos.play(mv);
        if let Some(n) = ply.checked_sub(played)
            && let (Some(depth), Some(millis)) = (record.depths.get(n), record.times.get(n))
        {
            let score = record.scores.get(n).copied().flatten();
            let score = score
                .map_or_else(|| "book".into(), |score| format!("{:+.2}/{depth}", f64::from(score) / 100.0));
            let _ = write!(line, " {{{score} {:.3}s}}", *millis as f64 / 1000.0);
        }
        line.push(' ');
    }
    line += result;
    Ok(out + "\n" + &wrapped(&line) + "\n\n")
}

/// Breaks `text` at spaces into lines of at most 80 characters.
fn wrapped(text: &str) -> String {
    let (mut out, mut width) = (String::new(), 0);
    for word in text.split(' ') {
        if width > 0 && width + 1 + word.len() > 80 {
            out.push('\n');
            width = 0;
        } else if width > 0 {
            out.push(' ');
            width += 1;
        }
        out += word;
        width += word.len();
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use sanban_lab::arena::pairings;
    use sanban_protocol::uci::named;

    /// Passes are legal in the games that have them.
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
