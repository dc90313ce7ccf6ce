//! KIF, KI2 and BOD as formats.

use super::parts::{self, has_marked_move};
use super::{FIRST, spoken, write};
use crate::record::encoding::Encoding;
use crate::record::format::{Family, FormatInfo, Sign};
use crate::record::holds::Holds;
use crate::record::names;
use sanban_rules::VariantId;

static FAMILY: Family = Family {
    text: |text| text.starts_with("#KIF").then_some(Sign::Sure),
    first: |byte| matches!(byte, b'#' | b'0'..=b'9' | 0xE0..),
    begins,
    at_once: true,
    braces: false,
    followed: true,
    read: |source, request| request.finish(super::read(source)),
};

pub(in crate::record) static KIF: FormatInfo = FormatInfo {
    names: &[("kif", Encoding::ShiftJis), ("kifu", Encoding::Utf8)],
    extensions: &[],
    suits: |game| game == VariantId::Shogi,
    holds: Holds::all().difference(Holds::MILLISECONDS),
    holds_header: write::holds_header,
    loses: |_| Holds::empty(),
    between: None,
    streams: true,
    line: kif_sign,
    family: &FAMILY,
    write: write::write,
};

pub(in crate::record) static KI2: FormatInfo = FormatInfo {
    names: &[("ki2", Encoding::ShiftJis), ("ki2u", Encoding::Utf8)],
    holds: KIF.holds.difference(Holds::TIMES),
    line: ki2_sign,
    write: write::write_ki2,
    ..KIF
};

pub(in crate::record) static BOD: FormatInfo = FormatInfo {
    names: &[("bod", Encoding::Utf8)],
    holds: Holds::HEADERS.union(Holds::ALL_HEADERS).union(Holds::NUMBER),
    streams: false,
    line: |_| None,
    write: |record, _| write::write_bod(record),
    ..KIF
};

fn kif_sign(line: &str) -> Option<Sign> {
    let start = line.trim_start();
    if start.starts_with("手数---") || parts::is_numbered(start) {
        return Some(Sign::Strong);
    }
    let row = start.starts_with('|') && start.contains('・');
    let diagram = row || line.starts_with("+---") || line.contains("：") || start.ends_with("手番");
    diagram.then_some(Sign::Hint)
}

fn ki2_sign(line: &str) -> Option<Sign> {
    let start = line.trim_start();
    let marked = start.chars().next().is_some_and(|c| names::from_mark(c).is_some());
    (marked || has_marked_move(start) || spoken::is_unmarked(start)).then_some(Sign::Weak)
}

fn begins(line: &str, _: &str) -> bool {
    let line = line.trim_ascii();
    let Some(&first) = line.as_bytes().first() else { return false };
    ["#KIF", "#KI2"].iter().any(|word| line.starts_with(word))
        || parts::is_numbered(line)
        || parts::is_rule(line)
        || first >= 0xE0
            && (parts::header(line).is_some_and(|header| FIRST.contains(&header.0))
                || parts::mark(line).0.is_some() && parts::is_move(parts::mark(line).1, false))
}
