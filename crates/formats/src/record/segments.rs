//! Splits a text in which games in one format follow games in another.

use super::format::{Family, FormatInfo};
use super::source::{Segment, lines};
use std::ptr::eq;

/// The parts of a text that one reader can read, each with its reader. `family` is that of the first part, and `all`
/// has one format of each family.
pub(super) fn segments(
    text: &str,
    mut family: &'static Family,
    all: &[&'static FormatInfo],
) -> Vec<(Segment, &'static Family)> {
    let mut out = vec![(Segment { from: 0, to: text.len(), lines: 0 }, family)];
    // Whether a game of this family has begun, and the number of open braces, which enclose comments.
    let (mut begun, mut braces) = (false, 0usize);
    for line in lines(text) {
        if !family.followed {
            break;
        }
        let at = line.text.as_ptr() as usize - text.as_ptr() as usize;
        let first = line.text.trim_ascii_start().as_bytes().first();
        let begins = |family: &Family| {
            braces == 0
                && first.is_some_and(|&first| (family.first)(first))
                && (family.begins)(line.text, &text[at..])
        };
        let other = all.iter().map(|info| info.family).find(|other| !eq(*other, family) && begins(other));
        // A line that also begins a game of the same family does not begin another part.
        let next = other.filter(|_| !begins(family));
        if let (Some(next), true, Some(last)) = (next, begun, out.last_mut()) {
            last.0.to = at;
            out.push((Segment { from: at, to: text.len(), lines: line.number - 1 }, next));
            family = next;
        }
        begun = begun || next.is_none() && begins(family) || family.at_once && !line.text.trim().is_empty();
        if family.braces {
            let count = |brace: char| line.text.matches(brace).count();
            braces = (braces + count('{')).saturating_sub(count('}'));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::Format;
    use super::*;

    #[test]
    fn games_in_several_formats_follow_each_other() {
        let split = |text: &str, first: Format| -> Vec<(usize, Format)> {
            let all = Format::ALL.map(Format::info);
            let format = |family| Format::ALL.into_iter().find(|format| eq(format.info().family, family));
            let parts = segments(text, first.info().family, &super::super::format::families(&all));
            parts.iter().filter_map(|(part, family)| Some((part.lines, format(*family)?))).collect()
        };
        let text = "手合割：平手\n   1 ７六歩(77)\n*V2.2\n\nV2.2\nPI\n+\n'手合割：平手\n%TORYO\n\nposition startpos moves 7g7f\n\
            #KIF version=2.0\n";
        assert_eq!(
            split(text, Format::Kif),
            [(0, Format::Kif), (4, Format::Csa), (10, Format::Usi), (11, Format::Kif)]
        );
        let comment = "[초차림 \"상마상마\"]\n{a\nV2.2\n}\n1. 79卒78\n";
        assert_eq!(split(comment, Format::Gib).len(), 1);
        assert_eq!(split("先手：甲\nV2.2\nPI\n+\n", Format::Csa).len(), 1);
    }
}
