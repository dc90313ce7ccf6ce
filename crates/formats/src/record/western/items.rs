//! The items of input in Western notation: headers, comments, numbers and words.

use crate::record::error::RecordError;
use crate::record::kif::parts;
use crate::record::source::{Line, Lines, Source};
use std::time::Duration;

/// An item of the input, with its line.
#[derive(Clone, Debug)]
pub(in crate::record) struct Item<'a> {
    pub line: Line<'a>,
    /// The original text.
    pub text: &'a str,
    pub what: What,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::record) enum What {
    Header(String, String),
    Comment(String),
    /// The time of a move.
    Time(Option<Duration>),
    Open,
    Close,
    /// A move number: `12.`
    Number(usize),
    /// `12...` or other dots, which only continue a line.
    Dots,
    /// The beginning of a game: `#3`
    Game,
    /// A move or an end.
    Word(String),
    /// A line of text above the moves.
    Prose(String),
}

impl Item<'_> {
    pub fn error(&self, problem: impl Into<String>) -> RecordError {
        self.line.error_at(self.text, problem)
    }

    /// The location as text: `line 3, column 7`.
    pub fn place(&self) -> String {
        self.error("").place()
    }
}

/// Characters that end a word or a comment on a line.
const APART: &str = "(){}[]";

/// Splits the input into items. With repair, brackets that are not part of a header, comment or variation are accepted.
/// `above` returns the items of a line before the first move; none if the line has moves.
pub(in crate::record) fn items<'a>(
    source: &Source<'a>,
    repair: bool,
    above: &dyn Fn(&str) -> Vec<What>,
) -> Result<Vec<Item<'a>>, RecordError> {
    let mut out = Vec::new();
    let mut all = source.lines();
    let (mut current, mut at, mut open) = (all.next(), 0, 0usize);
    // Whether the moves have begun.
    let mut begun = false;
    while let Some(line) = current {
        let rest = line.text[at..].trim_start();
        at = line.text.len() - rest.len();
        let begin = at;
        if at + rest.len() == line.text.len() && line.text[..at].trim().is_empty() && !begun {
            let what = above(rest);
            if !what.is_empty() {
                out.extend(what.into_iter().map(|what| Item { line, text: rest, what }));
                (current, at) = (all.next(), 0);
                continue;
            }
        }
        let what = match rest.chars().next() {
            None => {
                (current, at) = (all.next(), 0);
                continue;
            }
            Some('[') => match header(rest) {
                Some((name, value, length)) => {
                    at += length;
                    What::Header(name.trim().into(), value)
                }
                None if repair => {
                    at = begin + 1;
                    What::Word("[".into())
                }
                None => return Err(line.error(begin, "expected [Name \"value\"]")),
            },
            Some('{') => {
                let (comment, last, after) = comment(line, &mut all, at)?;
                // A comment may span several lines.
                let length = last.text[after..].as_ptr() as usize - rest.as_ptr() as usize;
                let begins = rest.as_ptr() as usize - source.text().as_ptr() as usize;
                (current, at) = (Some(last), after);
                let text = &source.text()[begins..begins + length];
                out.push(Item { line, text, what: What::Comment(comment) });
                continue;
            }
            Some('(') if parts::time(rest).is_some() => {
                let (time, after) = parts::time(rest).unwrap_or((None, rest));
                at = line.text.len() - after.len();
                What::Time(time)
            }
            // A time that cannot be read, such as `(-0:05/…)`, is reported as unexpected text.
            Some('(') if let Some(after) = parts::wrong_time(rest) => {
                at = line.text.len() - after.len();
                continue;
            }
            // Prose contains brackets, and scans lose some of them, so only the brackets of a variation are used.
            Some(bracket @ ('(' | ')' | '}' | ']'))
                if repair && !of_variation(bracket, &rest[1..], &mut open) =>
            {
                at += 1;
                What::Dots
            }
            Some(bracket @ ('(' | ')')) => {
                at += 1;
                if bracket == '(' { What::Open } else { What::Close }
            }
            Some(_) => {
                let end = rest.find(|c: char| c.is_whitespace() || APART.contains(c));
                let word = &rest[..end.filter(|&end| end > 0).unwrap_or(rest.len())];
                let (what, length) = word_of(word);
                at += length;
                what
            }
        };
        begun |= matches!(what, What::Word(_) | What::Number(_) | What::Dots);
        let continues = matches!(&what, What::Dots) && rest.starts_with("..");
        if let (true, Some(Item { what: number @ What::Number(_), .. })) = (continues, out.last_mut()) {
            // `1. ... P3d`
            *number = What::Dots;
        }
        out.push(Item { line, text: &line.text[begin..at], what });
    }
    Ok(out)
}

/// The name and value of the header at the beginning of `text`, and its length in bytes. Quotes and backslashes in the
/// value may be escaped by a backslash.
fn header(text: &str) -> Option<(&str, String, usize)> {
    let (name, rest) = text[1..].split_once(" \"")?;
    let length = |at: usize| text.len() - rest.len() + at + 2;
    let mut value = String::new();
    let mut chars = rest.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' => {
                value.push(chars.next_if(|&(_, next)| matches!(next, '\\' | '"')).map_or(c, |next| next.1))
            }
            '"' if rest[at + 1..].starts_with(']') => return Some((name, value, length(at))),
            _ => value.push(c),
        }
    }
    let end = rest.find("\"]")?;
    Some((name, rest[..end].into(), length(end)))
}

/// Skips the comments at the beginning of `text`.
pub(in crate::record) fn after_comments(text: &str) -> &str {
    let mut rest = text.trim_start();
    while let Some(inside) = rest.strip_prefix('{') {
        let mut escaped = false;
        let end = inside.find(|c| {
            let ends = c == '}' && !escaped;
            escaped = c == '\\' && !escaped;
            ends
        });
        let Some(end) = end else { return rest };
        rest = inside[end + 1..].trim_start();
    }
    rest
}

/// Returns whether a line begins a game, like `#1`. In other formats, such a line is a comment.
pub(in crate::record) fn is_game(line: &str) -> bool {
    line.strip_prefix('#').is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_digit()))
}

/// Returns whether a line begins with a header in brackets, or with a number and a move.
pub(in crate::record) fn is_western(line: &str) -> bool {
    if line.starts_with('[') && line.contains(" \"") {
        return true;
    }
    let game = line.strip_prefix('#').map(|rest| rest.trim_start_matches(|c: char| c.is_ascii_digit()));
    // A comment may precede the first move.
    let rest = after_comments(game.unwrap_or(line));
    let moves = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    let Some(word) = moves.strip_prefix('.').filter(|_| moves.len() < rest.len()) else { return false };
    let word = word.trim_start_matches('.').trim_start().trim_start_matches('+').as_bytes();
    matches!(word, [b'K' | b'R' | b'B' | b'G' | b'S' | b'N' | b'L' | b'P', next, ..]
        if b"-x*'+".contains(next) || next.is_ascii_digit() || b"lIi".contains(next))
}

/// Returns whether a bracket begins or ends a variation. The opening bracket of a variation is followed by a move
/// number.
fn of_variation(bracket: char, rest: &str, open: &mut usize) -> bool {
    match bracket {
        '(' => {
            let digits = rest.trim_start_matches(|c: char| c.is_ascii_digit());
            let begins = digits.len() < rest.len() && digits.starts_with('.');
            *open += usize::from(begins);
            begins
        }
        ')' => {
            let ends = *open > 0;
            *open = open.saturating_sub(1);
            ends
        }
        _ => false,
    }
}

/// Reads a comment whose opening brace is at `at`. Returns its text, the line on which it ends, and the offset after
/// it.
fn comment<'a>(
    line: Line<'a>,
    all: &mut Lines<'a>,
    at: usize,
) -> Result<(String, Line<'a>, usize), RecordError> {
    let mut out = String::new();
    let (mut current, mut from) = (line, at + 1);
    loop {
        let mut chars = current.text[from..].char_indices().peekable();
        while let Some((offset, c)) = chars.next() {
            match c {
                '\\' => {
                    let escaped = chars.next_if(|&(_, next)| matches!(next, '\\' | '}'));
                    out.push(escaped.map_or(c, |(_, escaped)| escaped));
                }
                '}' => return Ok((out, current, from + offset + 1)),
                _ => out.push(c),
            }
        }
        out.push('\n');
        current = all.next().ok_or_else(|| line.error(at, "expected } at the end of a comment"))?;
        from = 0;
    }
}

/// The item that a word denotes, and its length in bytes.
fn word_of(word: &str) -> (What, usize) {
    if let Some(number) = word.strip_prefix('#')
        && number.bytes().all(|b| b.is_ascii_digit())
    {
        return (What::Game, word.len());
    }
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    if digits > 0 && word[digits..].starts_with('.') {
        let length = word.len() - word[digits..].trim_start_matches('.').len();
        let goes_on = length > digits + 1;
        let number = word[..digits].parse().ok().filter(|_| !goes_on);
        return (number.map_or(What::Dots, What::Number), length);
    }
    if word.bytes().all(|b| b == b'.') {
        return (What::Dots, word.len());
    }
    // Some records have punctuation after a move: `P2f,`.
    (What::Word(word.trim_end_matches([',', ';']).into()), word.len())
}
