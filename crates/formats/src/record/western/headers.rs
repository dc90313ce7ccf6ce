//! Readers for the lines above the moves in Western notation: headers with and without brackets, handicaps, and text.

use super::ends::{end_in_comment, result};
use super::items::{Item, What};
use super::moves::Written;
use crate::record::end::Outcome;
use crate::record::handicaps;
use crate::record::kif::parts;
use crate::record::source::{Source, clip};
use crate::record::tree::Headers;
use sanban_rules::Color;

/// English names of headers; if a header has several names, the first one is written.
pub(in crate::record) const HEADERS: [(&str, &str); 14] = [
    ("Black", Headers::BLACK),
    ("White", Headers::WHITE),
    ("Event", Headers::EVENT),
    ("Site", Headers::SITE),
    ("Started", Headers::STARTED),
    ("Ended", Headers::ENDED),
    ("TimeControl", Headers::TIME),
    ("Opening", Headers::OPENING),
    ("Note", Headers::NOTE),
    ("Sente", Headers::BLACK),
    ("Gote", Headers::WHITE),
    ("Date", Headers::STARTED),
    ("Venue", Headers::SITE),
    ("Place", Headers::SITE),
];
/// The header with the start position.
pub(in crate::record) const START: &str = "SFEN";
/// The header with the handicap.
pub(in crate::record) const HANDICAP: &str = "Handicap";
/// English numbers in the names of handicaps.
const NUMBERS: [(&str, &str); 9] = [
    ("two", "2"),
    ("three", "3"),
    ("four", "4"),
    ("five", "5"),
    ("six", "6"),
    ("seven", "7"),
    ("eight", "8"),
    ("nine", "9"),
    ("ten", "10"),
];
/// The header with the reason for the end.
pub(super) const TERMINATION: &str = "Termination";
/// The header with the result.
pub(in crate::record) const RESULT: &str = "Result";
/// The header with the number of moves.
const COUNT: &str = "Moves";

/// The items of a line above the moves: headers without brackets, or text, which is dropped with repair.
pub(super) fn above(line: &str, repair: bool) -> Vec<What> {
    let headers =
        plain_headers(line).into_iter().map(|(name, value)| What::Header(name.into(), value.into()));
    let mut out: Vec<What> = headers.collect();
    if out.is_empty() && !repair && is_text(line) {
        out.push(What::Prose(line.trim_end().into()));
    }
    out
}

/// Returns whether a line above the moves is text, and neither a move nor an end.
fn is_text(line: &str) -> bool {
    let word = line.split_whitespace().next().unwrap_or_default();
    let is_move = Written::parse(word.trim_end_matches(['!', '?', ',', ';']), Some(0)).is_some();
    // A time may follow the end.
    let bare = &line[..line.find('(').filter(|&at| parts::time(&line[at..]).is_some()).unwrap_or(line.len())];
    let is_end = || result(word).is_some() || end_in_comment(bare, Color::Black).is_some();
    word.starts_with(char::is_alphabetic) && !is_move && !is_end()
}

/// The headers without brackets on a line: `Black: Habu`, or several: `Black: Habu / White: Sato`.
fn plain_headers(line: &str) -> Vec<(&str, &str)> {
    let parts: Option<Vec<_>> = line.split(" / ").map(plain_header).collect();
    parts.or_else(|| plain_header(line).map(|one| vec![one])).unwrap_or_default()
}

/// The name and value of a header without brackets, if the name is known.
fn plain_header(text: &str) -> Option<(&str, &str)> {
    let (name, value) = text.split_once([':', '：'])?;
    let known = HEADERS.iter().map(|(known, _)| *known).chain([HANDICAP, START, RESULT]);
    let name = known.into_iter().find(|known| known.eq_ignore_ascii_case(name.trim()))?;
    Some((name, value.trim()))
}

/// The SFEN of the handicap with this English name, such as `Rook`, `2 pieces` or `six-piece`, or with this Japanese
/// name.
pub(super) fn handicap_position(name: &str) -> Option<&'static str> {
    const FILLERS: [&str; 6] = ["handicap", "game", "piece", "pieces", "odds", "and"];
    let text = name.to_ascii_lowercase().replace(['-', '+', '&', '(', ')'], " ");
    let words = text.split_whitespace().filter(|word| !FILLERS.contains(word));
    let number = |word| NUMBERS.iter().find(|(name, _)| *name == word).map_or(word, |number| number.1);
    let words: Vec<&str> = words.map(number).collect();
    let plain = match &words[..] {
        ["even" | "no" | "0"] => "none".into(),
        ["left", "lance"] => "lance".into(),
        ["both", "lances"] | ["two" | "2", "lance" | "lances"] => "both lance".into(),
        ["rook", "bishop"] | ["bishop", "rook"] => "2".into(),
        ["lance", "rook"] => "rook lance".into(),
        ["7"] => "right 7".into(),
        ["king"] | ["bare", "king"] => "naked king".into(),
        ["2", "lance", "gained"] => "two lance gained".into(),
        words => words.join(" "),
    };
    let known = handicaps::ALL.iter().find(|handicap| handicap.english == plain);
    known.map(|handicap| handicap.sfen).or_else(|| handicaps::named(name))
}

/// The headers of a game, with the result and the number of moves that they state.
#[derive(Default)]
pub(super) struct Head<'i, 'a> {
    pub headers: Headers,
    pub result: Option<(&'i Item<'a>, Result<Outcome, &'i str>)>,
    pub count: Option<(&'i Item<'a>, usize)>,
}

pub(super) fn head<'i, 'a>(items: &'i [Item<'a>], source: &mut Source<'_>) -> Head<'i, 'a> {
    let mut out = Head::default();
    for item in items {
        let What::Header(name, value) = &item.what else { continue };
        source.claim(item.text);
        if name == START {
            continue;
        }
        let value = value.trim();
        if name == RESULT && out.result.is_none() {
            out.result = Some((item, result(value).ok_or(value)));
            continue;
        }
        if let (COUNT, Ok(count)) = (name.as_str(), value.parse()) {
            out.count = Some((item, count));
        }
        let known = HEADERS.iter().find(|(known, _)| known == name);
        let name = known.map_or(name.as_str(), |known| known.1);
        match out.headers.get(name) {
            Some(before) if before != value => {
                let problem = format!("{name} is already set to {}: ignored", clip(before));
                source.warn_of(item.error(problem));
            }
            _ if value.is_empty() && known.is_some() => {}
            _ => out.headers.set(name, value),
        }
    }
    out
}

/// The name and value of a header with the event or a player. A different value begins another game.
pub(super) fn identity<'i>(item: &'i Item<'_>) -> Option<(&'static str, &'i str)> {
    let What::Header(name, value) = &item.what else { return None };
    let key = HEADERS.iter().find(|(english, _)| english == name)?.1;
    [Headers::EVENT, Headers::BLACK, Headers::WHITE].contains(&key).then_some((key, value))
}

/// The first header with this name, and its value.
pub(super) fn find<'i, 'a>(items: &'i [Item<'a>], wanted: &str) -> Option<(&'i Item<'a>, &'i str)> {
    items.iter().find_map(|item| match &item.what {
        What::Header(name, value) if name == wanted => Some((item, value.as_str())),
        _ => None,
    })
}
