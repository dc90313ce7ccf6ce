//! The end of a game in Western notation, as words, headers or comments.

use super::items::{Item, What};
use crate::record::end::{End, Outcome};
use crate::record::summary::{Summary, english};
use sanban_rules::Color;

/// The outcome that a header or a word states.
pub(super) fn result(text: &str) -> Option<Outcome> {
    let text = text.to_ascii_lowercase();
    match text.as_str() {
        "1-0" | "sente wins" | "black wins" | "sente" | "black" => Some(Outcome::Win(Color::Black)),
        "0-1" | "gote wins" | "white wins" | "gote" | "white" => Some(Outcome::Win(Color::White)),
        "1/2-1/2" | "1/2" | "0.5-0.5" | "draw" => Some(Outcome::Draw),
        "*" | "?" | "" => Some(Outcome::Unknown),
        _ => None,
    }
}

/// The end for an outcome whose reason is unknown.
pub(super) fn end_with(outcome: Outcome, to_move: Color) -> Option<End> {
    match outcome {
        Outcome::Win(winner) => Some(End::won(winner, to_move)),
        Outcome::Draw => Some(End::Draw),
        Outcome::Unknown => None,
    }
}

/// The end that a word states: `resigns`, `<...>`, or free text such as `white resign.`. Also returns the number of
/// following items that belong to it.
pub(super) fn read_end(word: &str, rest: &[Item<'_>], to_move: Color) -> Option<(End, usize)> {
    if let Some(text) = word.strip_prefix('<') {
        let words = text.trim_end_matches('>').replace('_', " ");
        return Some((Summary::of_phrase(&words, to_move, [None; 2]).0, 0));
    }
    let plain = |word: &str| word.trim_end_matches(['.', '!']).to_ascii_lowercase();
    let bare = plain(word);
    if let Some(end) = End::from_western(&bare) {
        return Some((end, 0));
    }
    match bare.as_str() {
        "resign" | "resigned" => return Some((End::Resign, 0)),
        "mate" | "checkmate" => return Some((End::Mate, 0)),
        "sennichite" => return Some((End::Repetition, 0)),
        "jishogi" => return Some((End::Impasse, 0)),
        "interrupt" | "abort" => return Some((End::Interrupt, 0)),
        _ => {}
    }
    // The word names a side, and the next word states that this side resigns, loses or wins.
    let next = rest.first().and_then(|item| match &item.what {
        What::Word(next) => Some(plain(next)),
        _ => None,
    })?;
    english(&format!("{bare} {next}"), to_move).map(|(end, _)| (end, 1))
}

/// The end that a word and the following items state, or the end for the result that a word states.
pub(super) fn end_at(word: &str, rest: &[Item<'_>], to_move: Color) -> Option<(End, usize)> {
    // `draw (repetition)`
    if let [
        Item { what: What::Open, .. },
        Item { what: What::Word(kind), .. },
        Item { what: What::Close, .. },
        ..,
    ] = rest
        && let Some((first, 0)) =
            read_end(word, &[], to_move).or_else(|| Some((end_with(result(word)?, to_move)?, 0)))
        && let Some((end, 0)) = read_end(kind, &[], to_move)
        && end.outcome(to_move) == first.outcome(to_move)
    {
        return Some((end, 3));
    }
    let of_result = || {
        let is_side = word.chars().all(char::is_alphabetic) && !word.eq_ignore_ascii_case("draw");
        end_with(result(word).filter(|_| !is_side)?, to_move)
    };
    read_end(word, rest, to_move).or_else(|| of_result().map(|end| (end, 0)))
}

/// The end that a header such as `[Termination "time forfeit"]` describes, if it agrees with the outcome.
pub(super) fn termination(text: &str, outcome: Outcome, to_move: Color) -> Option<End> {
    let text = text.to_ascii_lowercase();
    let kinds: [(&str, &[End]); 7] = [
        ("time", &[End::Timeout]),
        ("illegal", &[End::FoulWin, End::FoulLoss]),
        ("rules", &[End::FoulWin, End::FoulLoss]),
        ("mate", &[End::Mate]),
        ("repetition", &[End::Repetition]),
        ("impasse", &[End::Impasse]),
        ("declar", &[End::Declaration]),
    ];
    let (_, ends) = kinds.iter().find(|(word, _)| text.contains(word))?;
    ends.iter().find(|end| end.outcome(to_move) == outcome).cloned()
}

/// The end that a comment states: `{Resigns}`, `{1-0}`, `{Black wins}`.
pub(super) fn end_in_comment(comment: &str, to_move: Color) -> Option<End> {
    let text = comment.trim();
    if text.starts_with('<') {
        return None;
    }
    let sentence = english(text, to_move).map(|(end, _)| end);
    sentence.or_else(|| end_at(text, &[], to_move).map(|(end, _)| end))
}
