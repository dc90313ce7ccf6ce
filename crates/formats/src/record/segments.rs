//! Splits a text in which games in one format follow games in another.

use super::csa;
use super::format::Format;
use super::gib;
use super::json;
use super::kif::parts;
use super::source::{Segment, lines};
use super::usi;

/// Headers with which games in Japanese formats begin.
const HEADERS: [&str; 3] = ["手合割", "開始日時", "棋戦"];

/// Formats that one reader reads.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Family {
    Kif,
    Csa,
    Usi,
    Jkf,
    Gib,
    Western,
}

impl Family {
    const fn of(format: Format) -> Self {
        match format {
            Format::Kif | Format::Ki2 | Format::Bod => Self::Kif,
            Format::Csa | Format::Csa3 => Self::Csa,
            Format::Usi | Format::Sfen => Self::Usi,
            Format::Jkf => Self::Jkf,
            Format::Gib => Self::Gib,
            Format::Western | Format::Hodges | Format::Psn => Self::Western,
        }
    }

    const fn format(self) -> Format {
        match self {
            Self::Kif => Format::Kif,
            Self::Csa => Format::Csa,
            Self::Usi => Format::Usi,
            Self::Jkf => Format::Jkf,
            Self::Gib => Format::Gib,
            Self::Western => Format::Western,
        }
    }

    /// The family in which the line at the beginning of `text` begins a game without doubt. Lines of the family `known`
    /// are not examined.
    fn begun_by(line: &str, text: &str, known: Option<Self>) -> Option<Self> {
        let trimmed = line.trim_ascii_start();
        let first = *trimmed.as_bytes().first()?;
        let open = |family| known != Some(family);
        match first {
            b'p' | b's' if open(Self::Usi) && usi::is_usi(trimmed) => Some(Self::Usi),
            b'V' | b'N' | b'P' | b'+' | b'-' if open(Self::Csa) => {
                (trimmed.trim_end().len() > 1 && csa::is_csa(line.trim_end())).then_some(Self::Csa)
            }
            b'{' if open(Self::Jkf) && json::is_json(text) => Some(Self::Jkf),
            b'[' if gib::is_header(trimmed) => Some(Self::Gib),
            b'[' if trimmed.contains(" \"") && trimmed.trim_end().ends_with("\"]") => Some(Self::Western),
            b'#' | b'0'..=b'9' | 0xE0.. if open(Self::Kif) => {
                let trimmed = trimmed.trim_end();
                let name = || parts::header(trimmed).map(|header| header.0);
                let begins = ["#KIF", "#KI2"].iter().any(|word| trimmed.starts_with(word))
                    || parts::is_numbered(trimmed)
                    || parts::is_rule(trimmed)
                    || first >= 0xE0 && name().is_some_and(|name| HEADERS.contains(&name));
                begins.then_some(Self::Kif)
            }
            _ => None,
        }
    }
}

/// The parts of a text that one reader can read, each with its format. `first` is the format of the first part.
pub(super) fn segments(text: &str, first: Format) -> Vec<(Segment, Format)> {
    let mut out = vec![(Segment { from: 0, to: text.len(), lines: 0 }, first)];
    let mut family = Family::of(first);
    // Whether a game of this family has begun, and the number of open braces, which enclose comments.
    let (mut begun, mut braces) = (false, 0usize);
    for line in lines(text) {
        // The readers of JSON and of Western notation reject other text.
        if matches!(family, Family::Jkf | Family::Western) {
            break;
        }
        let at = line.text.as_ptr() as usize - text.as_ptr() as usize;
        let next = Family::begun_by(line.text, &text[at..], begun.then_some(family)).filter(|_| braces == 0);
        if let (Some(next), true, Some(last)) = (next.filter(|&next| next != family), begun, out.last_mut()) {
            last.0.to = at;
            out.push((Segment { from: at, to: text.len(), lines: line.number - 1 }, next.format()));
            family = next;
        }
        begun = begun || next == Some(family) || family == Family::Kif && !line.text.trim().is_empty();
        if family == Family::Gib {
            let count = |brace: char| line.text.matches(brace).count();
            braces = (braces + count('{')).saturating_sub(count('}'));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_in_several_formats_follow_each_other() {
        let text = "手合割：平手\n   1 ７六歩(77)\n*V2.2\n\nV2.2\nPI\n+\n'手合割：平手\n%TORYO\n\nposition startpos moves 7g7f\n\
            #KIF version=2.0\n";
        let found: Vec<(usize, Format)> =
            segments(text, Format::Kif).iter().map(|(part, format)| (part.lines, *format)).collect();
        assert_eq!(found, [(0, Format::Kif), (4, Format::Csa), (10, Format::Usi), (11, Format::Kif)]);
        let comment = "[초차림 \"상마상마\"]\n{a\nV2.2\n}\n1. 79卒78\n";
        assert_eq!(segments(comment, Format::Gib).len(), 1);
        assert_eq!(segments("先手：甲\nV2.2\nPI\n+\n", Format::Csa).len(), 1);
    }
}
