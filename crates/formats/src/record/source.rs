//! The text of a file, and which parts of it a reader has recognised.
//!
//! A reader claims the parts of the text that it recognises, and adds warnings about those that are wrong. Unclaimed
//! text is reported at the end with line and column, so that a reader cannot skip anything silently.

use super::error::RecordError;
use once_cell::unsync::OnceCell;
use std::ops::Range;

/// Maximum number of warnings for one input.
const MOST: usize = 2000;
/// Maximum number of warnings about unexpected text in a line.
const MOST_ON_LINE: usize = 20;

#[derive(Debug)]
pub(super) struct Source<'a> {
    text: &'a str,
    part: Segment,
    /// Characters without meaning, in addition to white space.
    ignored: &'static str,
    claimed: Vec<Range<usize>>,
    warnings: Vec<RecordError>,
    /// Why parts of the games, such as moves, were left out.
    failures: Vec<RecordError>,
    /// Illegal moves: line number, byte offset in the line, and message.
    illegal: Vec<(usize, usize, String)>,
    /// Number of warnings that were not kept.
    more: usize,
    /// The lines, computed when a line is first looked up by position.
    index: OnceCell<Vec<Line<'a>>>,
}

impl<'a> Source<'a> {
    pub fn new(text: &'a str) -> Self {
        Self {
            text,
            part: Segment { from: 0, to: text.len(), lines: 0 },
            ignored: "",
            claimed: Vec::new(),
            warnings: Vec::new(),
            failures: Vec::new(),
            illegal: Vec::new(),
            more: 0,
            index: OnceCell::new(),
        }
    }

    /// Chooses the part of the text to read.
    pub fn choose(&mut self, part: Segment) {
        self.part = part;
    }

    pub fn text(&self) -> &'a str {
        &self.text[self.part.from..self.part.to]
    }

    /// The text from the beginning of `first` to the end of `last`.
    pub fn between(&self, first: &str, last: &str) -> &'a str {
        let (start, end) =
            (self.offset(first).unwrap_or(0), self.offset(last).map_or(0, |at| at + last.len()));
        self.text.get(start..end).unwrap_or_default()
    }

    pub fn lines(&self) -> Lines<'a> {
        Lines { rest: Some(self.text()), number: self.part.lines }
    }

    /// The location after the last character, for errors about missing text.
    pub fn end(&self) -> Line<'a> {
        let number = self.lines().last().map_or(1, |line| line.number);
        Line { number, text: &self.text[self.part.to..self.part.to] }
    }

    /// Sets the characters that need not be claimed: the punctuation of the format.
    pub fn ignore(&mut self, characters: &'static str) {
        self.ignored = characters;
    }

    /// Marks a part of the text as recognised.
    pub fn claim(&mut self, part: &str) {
        let Some(start) = self.offset(part) else { return };
        let end = start + part.len();
        match self.claimed.last_mut() {
            Some(last) if last.end == start => last.end = end,
            // A line feed between two lines need not be claimed.
            Some(last) if last.end + 1 == start && self.text.as_bytes()[last.end] == b'\n' => last.end = end,
            _ if start == end => {}
            _ => self.claimed.push(start..end),
        }
    }

    /// Marks a line as recognised up to `rest`, the part of the line that has not been read yet.
    pub fn claim_until(&mut self, line: &Line<'_>, rest: &str) {
        let end = line.offset(rest).unwrap_or(line.text.len());
        self.claim(&line.text[..end]);
    }

    /// Marks only the commas in `text` as recognised.
    pub fn claim_commas(&mut self, text: &str) {
        text.matches(',').for_each(|comma| self.claim(comma));
    }

    /// Adds a warning located at the start of `rest`, a part of the line.
    pub fn warn(&mut self, line: &Line<'_>, rest: &str, problem: impl Into<String>) {
        if self.has_room() {
            self.warnings.push(line.error_at(rest, problem));
        }
    }

    /// Adds an error as a warning; reading continues.
    pub fn warn_of(&mut self, error: RecordError) {
        if self.has_room() {
            self.warnings.push(error);
        }
    }

    /// Adds the reason why moves were left out. The game is kept, but reading fails.
    pub fn fail(&mut self, error: RecordError) {
        if self.failures.len() < MOST {
            self.failures.push(error);
        }
    }

    /// The reasons why moves were left out.
    pub fn failures(&mut self) -> Vec<RecordError> {
        std::mem::take(&mut self.failures)
    }

    /// Returns whether another warning can be kept; if not, counts it.
    fn has_room(&mut self) -> bool {
        let room = self.warnings.len() + self.illegal.len() < MOST;
        self.more += usize::from(!room);
        room
    }

    /// Adds a warning about an illegal move at a byte offset in a line.
    pub fn warn_of_move(&mut self, line: usize, offset: usize, number: usize, mv: &str) {
        // Columns are computed in [`Source::finish`], line by line.
        if self.has_room() {
            self.illegal.push((line, offset, format!("move {number} is illegal: {mv}")));
        }
    }

    /// Creates an error located at the start of `part`, a part of the input.
    pub fn error_at(&self, part: &str, problem: impl Into<String>) -> RecordError {
        self.line_of(part).error_at(part, problem)
    }

    /// The line in which a part of the input begins.
    pub fn line_of(&self, part: &str) -> Line<'a> {
        let at = self.offset(part).unwrap_or(0);
        let index = self.index.get_or_init(|| lines(self.text).collect());
        let after = index.partition_point(|line| self.offset(line.text).is_some_and(|start| start <= at));
        index[after.saturating_sub(1)]
    }

    fn offset(&self, part: &str) -> Option<usize> {
        let offset = (part.as_ptr() as usize).checked_sub(self.text.as_ptr() as usize)?;
        (offset + part.len() <= self.text.len()).then_some(offset)
    }

    /// Returns all warnings in the order of their locations, including those about text that was not claimed.
    pub fn finish(mut self) -> Vec<RecordError> {
        self.claimed.sort_unstable_by_key(|range| range.start);
        let damaged = self.text.contains(char::REPLACEMENT_CHARACTER);
        let mut out = std::mem::take(&mut self.warnings);
        if self.is_claimed() && !damaged && self.illegal.is_empty() && self.more == 0 {
            out.sort_by_key(|warning| (warning.line, warning.column));
            return out;
        }
        let mut block: Option<Block<'_>> = None;
        let mut next = 0;
        self.illegal.sort_unstable_by_key(|illegal| illegal.0);
        let mut illegal = std::mem::take(&mut self.illegal).into_iter().peekable();
        for line in lines(self.text) {
            while let Some((_, offset, problem)) = illegal.next_if(|illegal| illegal.0 == line.number) {
                out.push(line.error(offset, problem));
            }
            let start = self.offset(line.text).unwrap_or(0);
            let end = start + line.text.len();
            let mut at = start;
            let mut left: Vec<&str> = Vec::new();
            while at < end {
                let range = self.claimed.get(next).filter(|range| range.start < end);
                let until = range.map_or(end, |range| range.start.max(at));
                left.extend(Some(self.trim(&self.text[at..until])).filter(|part| !part.is_empty()));
                let Some(range) = range else { break };
                at = at.max(range.end);
                if range.end > end {
                    break;
                }
                next += 1;
            }
            let whole = matches!(left[..], [part] if part.len() == self.trim(line.text).len());
            if whole {
                block.get_or_insert_with(|| Block { line, first: left[0], lines: 0 }).lines += 1;
            } else if !self.trim(line.text).is_empty() {
                out.extend(block.take().map(Block::warning));
                let shown = left.iter().take(MOST_ON_LINE);
                out.extend(shown.map(|part| line.error_at(part, format!("unexpected text: {}", clip(part)))));
                self.more += left.len().saturating_sub(MOST_ON_LINE);
            }
            if damaged && let Some(at) = line.text.find(char::REPLACEMENT_CHARACTER) {
                out.push(line.error(at, "damaged character"));
            }
        }
        out.extend(block.take().map(Block::warning));
        out.sort_by_key(|warning| (warning.line, warning.column));
        self.more += out.len().saturating_sub(MOST);
        out.truncate(MOST);
        if let Some(last) = out.last().filter(|_| self.more > 0) {
            let problem = format!("{} more places with unknown or invalid content", self.more);
            out.push(RecordError { problem, ..last.clone() });
        }
        out
    }

    /// Returns whether everything has been claimed. The claims must be sorted.
    fn is_claimed(&self) -> bool {
        let mut at = 0;
        let ends = self.claimed.iter().map(|range| (range.start, range.end));
        ends.chain([(self.text.len(), 0)]).all(|(start, end)| {
            let blank = start <= at || self.trim(&self.text[at..start]).is_empty();
            at = at.max(end);
            blank
        })
    }

    fn trim<'t>(&self, part: &'t str) -> &'t str {
        part.trim_matches(|c: char| is_blank(c) || self.ignored.contains(c))
    }
}

/// A part of a text that consists of whole lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Segment {
    /// Byte offsets of the beginning and the end.
    pub from: usize,
    pub to: usize,
    /// The number of lines before the part.
    pub lines: usize,
}

/// Consecutive lines that were not claimed.
struct Block<'a> {
    line: Line<'a>,
    first: &'a str,
    lines: usize,
}

impl Block<'_> {
    fn warning(self) -> RecordError {
        let first = clip(self.first);
        let problem = match self.lines {
            1 => format!("unexpected text: {first}"),
            lines => format!("{lines} unexpected lines, the first: {first}"),
        };
        self.line.error_at(self.first, problem)
    }
}

/// White space, byte order marks and the end-of-file character of old systems.
pub(super) fn is_blank(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{feff}' | '\u{1a}' | '\u{200b}')
}

/// The text without blanks at both ends; see [`is_blank`].
pub(super) fn trim(text: &str) -> &str {
    let text = trim_start(text).trim_ascii_end();
    if text.ends_with(|c: char| c.is_ascii_graphic()) { text } else { text.trim_end_matches(is_blank) }
}

/// The text without blanks at its beginning; see [`is_blank`].
pub(super) fn trim_start(text: &str) -> &str {
    // Fast path: almost all lines have only ASCII white space there.
    let text = text.trim_ascii_start();
    if text.starts_with(|c: char| c.is_ascii_graphic()) { text } else { text.trim_start_matches(is_blank) }
}

/// One line of the input, with its number.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line<'a> {
    /// The line number, from 1.
    pub number: usize,
    /// The text of the line without its terminator.
    pub text: &'a str,
}

impl Line<'_> {
    /// Creates an error at the byte offset `at` of the line.
    pub fn error(&self, at: usize, problem: impl Into<String>) -> RecordError {
        let before = self.text.get(..at).unwrap_or(self.text);
        RecordError { line: self.number, column: before.chars().count() + 1, problem: problem.into() }
    }

    /// Creates an error located at the start of `rest`, a part of this line.
    pub fn error_at(&self, rest: &str, problem: impl Into<String>) -> RecordError {
        self.error(self.offset(rest).unwrap_or(0), problem)
    }

    /// The byte offset of a part of this line.
    fn offset(&self, part: &str) -> Option<usize> {
        let offset = (part.as_ptr() as usize).checked_sub(self.text.as_ptr() as usize)?;
        (offset <= self.text.len()).then_some(offset)
    }
}

/// Maximum number of carriage returns before a line feed; some programs write `\r\r\n`.
const RETURNS: usize = 4;

/// The lines of `text`, terminated by `\n`, `\r\n`, `\r\r\n` or a single `\r`.
pub(super) fn lines(text: &str) -> Lines<'_> {
    Lines { rest: Some(text), number: 0 }
}

/// See [`lines`].
pub(super) struct Lines<'a> {
    rest: Option<&'a str>,
    number: usize,
}

impl<'a> Iterator for Lines<'a> {
    type Item = Line<'a>;

    fn next(&mut self) -> Option<Line<'a>> {
        let rest = self.rest?;
        self.number += 1;
        let bytes = rest.as_bytes();
        let Some(end) = memchr::memchr2(b'\n', b'\r', bytes) else {
            self.rest = None;
            return Some(Line { number: self.number, text: rest });
        };
        let after = if bytes[end] == b'\n' {
            end + 1
        } else {
            let returns = bytes[end..].iter().take(RETURNS).take_while(|&&byte| byte == b'\r').count();
            let feed = bytes.get(end + returns) == Some(&b'\n');
            if feed { end + returns + 1 } else { end + 1 }
        };
        self.rest = Some(&rest[after..]);
        Some(Line { number: self.number, text: &rest[..end] })
    }
}

/// Returns at most 30 characters of external text, for error messages.
pub(super) fn clip(text: &str) -> String {
    let text = text.trim();
    let mut out: String = text.chars().take(30).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if text.chars().nth(30).is_some() {
        out.push('…');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_in_every_way() {
        let all = |text| lines(text).map(|line| line.text).collect::<Vec<_>>();
        assert_eq!(all("a\nb"), ["a", "b"]);
        assert_eq!(all("a\r\nb\r\n"), ["a", "b", ""]);
        assert_eq!(all("a\r\r\nb"), ["a", "b"]);
        assert_eq!(all("a\rb\r"), ["a", "b", ""]);
        assert_eq!(all("a\r\rb"), ["a", "", "b"]);
        assert_eq!(all(""), [""]);
    }

    #[test]
    fn blanks_of_every_kind_are_trimmed() {
        for (text, whole, start) in [
            (" \u{feff}　a b \u{1a} ", "a b", "a b \u{1a} "),
            ("\u{b}歩\u{b}\u{200b}", "歩", "歩\u{b}\u{200b}"),
            (" 　 ", "", ""),
            ("a", "a", "a"),
        ] {
            assert_eq!((trim(text), trim_start(text)), (whole, start));
        }
    }

    #[test]
    fn what_is_not_claimed_is_reported() {
        let text = "one two\n\nthree\nfour five six\nseven";
        let mut source = Source::new(text);
        source.claim(&text[..3]);
        let five = text.find("five").expect("the word is in the text");
        source.claim(&text[five..five + 4]);
        let found: Vec<String> = source.finish().iter().map(ToString::to_string).collect();
        let expected = [
            "line 1, column 5: unexpected text: two",
            "line 3, column 1: unexpected text: three",
            "line 4, column 1: unexpected text: four",
            "line 4, column 11: unexpected text: six",
            "line 5, column 1: unexpected text: seven",
        ];
        assert_eq!(found, expected);
        let found = Source::new("a\nb\n\nc").finish();
        assert_eq!(found[0].to_string(), "line 1, column 1: 3 unexpected lines, the first: a");
        assert_eq!(found.len(), 1);
    }
}
