//! The openings of a match, from a list of positions or from game records.

use crate::cli::failure::Failure;
use crate::cli::records;
use crate::cli::text::{note, read_lines_of};
use sanban_formats::record::{LARGEST, Reader, Record};
use sanban_lab::arena::position;
use sanban_protocol::uci::{sfen, usi_text};
use sanban_rules::{AnyPosition, Rng};
use sanban_system::read_file_or_pipe;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::path::Path;

/// Reads the openings in a file, keeping the first for each position. `plies` is the maximum number of moves taken from
/// a game record, `shuffle` the seed for a random order.
pub(super) fn read(
    path: &Path,
    start: &AnyPosition,
    plies: usize,
    shuffle: Option<u64>,
) -> Result<Vec<String>, Failure> {
    let bytes = read_file_or_pipe(path, LARGEST)?;
    let lines = if is_list(&bytes) { list(path, &bytes, start)? } else { games(path, &bytes, start, plies)? };
    if lines.is_empty() {
        return Err(Failure::Request(format!("{}: contains no openings", path.display())));
    }
    let mut seen = HashMap::new();
    let (mut kept, mut repeated) = (Vec::new(), Vec::new());
    for (line, (key, text)) in lines {
        match seen.entry(key) {
            Entry::Vacant(place) => {
                place.insert(line);
                kept.push(text);
            }
            Entry::Occupied(first) => repeated.push(format!("line {line} (as line {})", first.get())),
        }
    }
    if let Some(example) = repeated.first() {
        let (path, many) = (path.display(), repeated.len());
        note(&format!(
            "{path}: openings skipped because an earlier line leads to the same position: {many}, such as {example}"
        ));
    }
    if let Some(seed) = shuffle {
        let mut rng = Rng::new(seed);
        for last in (1..kept.len()).rev() {
            kept.swap(last, rng.below(last + 1));
        }
    }
    Ok(kept)
}

/// Number of a line or game, key of its last position, and the words after `position`.
type Found = (usize, (u64, String));

/// Whether the file is a list of positions; other files are game records.
fn is_list(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let first = lines.next();
    // A file that contains only comments is an empty list.
    first.is_none_or(|line| {
        let word = line.split_whitespace().next().unwrap_or_default();
        matches!(word, "startpos" | "sfen" | "fen" | "position") || word.contains('/')
    })
}

fn list(path: &Path, bytes: &[u8], start: &AnyPosition) -> Result<Vec<Found>, Failure> {
    read_lines_of(path, bytes, |line| {
        let text = line.strip_prefix("position ").unwrap_or(line).trim();
        if let Some(text) = fen_of(text) {
            return from_fen(text, start);
        }
        let pos = position(start, text).map_err(|error| error.to_string())?;
        // Files of SFENs omit the word `sfen`.
        let bare = !text.starts_with("startpos") && !text.starts_with("sfen ");
        Ok((pos.key(), if bare { format!("sfen {text}") } else { text.to_string() }))
    })
}

/// The text of a FEN: after the word `fen`, or with hands in brackets, or with `-` for castling and en passant.
fn fen_of(text: &str) -> Option<&str> {
    let bare = || {
        let mut words = text.split_whitespace();
        let (board, fields) = (words.next()?, words.skip(1).take(2).collect::<Vec<_>>());
        (board.contains('/') && (board.contains('[') || fields == ["-"; 2])).then_some(text)
    };
    text.strip_prefix("fen ").or_else(bare)
}

/// Reads a FEN with moves as in UCI or USI.
fn from_fen(text: &str, start: &AnyPosition) -> Result<(u64, String), String> {
    let (board, moves) = text.split_once("moves").unwrap_or((text, ""));
    let sfen = sfen(board).map_err(|error| format!("FEN: {error}"))?;
    let mut text =
        format!("sfen {}", start.with_sfen(&sfen).map_err(|error| format!("FEN: {error}"))?.sfen());
    for (ply, mv) in moves.split_whitespace().enumerate() {
        text += if ply == 0 { " moves " } else { " " };
        text += &usi_text(start, mv).unwrap_or_else(|| mv.into());
    }
    let pos = position(start, &text).map_err(|error| error.to_string())?;
    Ok((pos.key(), text))
}

/// The first moves of games in any format that `convert` reads.
fn games(path: &Path, bytes: &[u8], start: &AnyPosition, plies: usize) -> Result<Vec<Found>, Failure> {
    let reader = Reader { game: Some(start.variant()), ..Reader::default() };
    let wrong = |problem: String| Failure::Request(format!("{}: {problem}", path.display()));
    let reading = records::read(&reader, bytes).map_err(wrong)?;
    let mut out = Vec::new();
    for (number, record) in reading.records.iter().enumerate() {
        let found = opening(record, start, plies).map_err(|problem| {
            Failure::Request(format!("{}: game {}: {problem}", path.display(), number + 1))
        })?;
        out.push((number + 1, found));
    }
    Ok(out)
}

fn opening(record: &Record, start: &AnyPosition, plies: usize) -> Result<(u64, String), String> {
    // PGN and `.gib` name games of Janggi with other ends or passes; the moves are checked by the rules of the match.
    if record.game != start.variant() && !(record.game.is_janggi() && start.variant().is_janggi()) {
        return Err(format!("unexpected game: {}", record.game));
    }
    let mut text = record.start.as_ref().map_or_else(|| "startpos".into(), |sfen| format!("sfen {sfen}"));
    for (ply, mv) in record.moves().into_iter().take(plies).enumerate() {
        text += if ply == 0 { " moves " } else { " " };
        text += &start.display(mv);
    }
    let pos = position(start, &text).map_err(|error| error.to_string())?;
    Ok((pos.key(), text))
}
