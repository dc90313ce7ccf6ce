//! Parsers for the parts of lines in KIF and KI2: headers, numbers, times, and text between moves.

use crate::record::end::End;
use crate::record::names;
use crate::record::source::{is_blank, trim, trim_start};
use sanban_rules::Color;
use std::time::Duration;

/// Maximum number of characters in the name of a header.
const LONGEST_NAME: usize = 40;
/// Maximum number of characters in a time.
const LONGEST_TIME: usize = 40;
/// Headers that can be followed by another header on the same line; the values of all others are free text.
const BEFORE: [&str; 10] =
    ["先手", "後手", "下手", "上手", "手合割", "棋戦", "場所", "開始日時", "終了日時", "持ち時間"];
/// Spaces that may separate a destination from the piece.
const SPACES: [char; 2] = [' ', '　'];
/// Characters that can follow the piece in a move, and spaces.
const HINTS: [char; 15] =
    ['左', '右', '直', '上', '行', '入', '寄', '引', '下', '打', '成', '不', '生', ' ', '　'];
/// Maximum number of characters in a phrase that states an end.
const LONGEST_PHRASE: usize = 60;
/// Maximum number of characters in a bracket with moves.
const LONGEST_VARIATION: usize = 400;
/// Maximum number of bytes in an HTML tag.
const LONGEST_TAG: usize = 2000;
/// Ends of the names of headers whose values are free text, which may be a move.
const FREE: [&str; 8] = ["備考", "戦型", "囲い", "手筋", "分類", "結果", "棋戦", "表題"];
/// Names of players, which can begin a second header on a line.
const SIDES: [&str; 4] = ["先手", "後手", "下手", "上手"];

/// Returns whether a line is the one above the moves, `手数----指手---------消費時間--`.
pub(in crate::record) fn is_rule(text: &str) -> bool {
    text.strip_prefix("手数").is_some_and(|rest| {
        let rest = rest.trim_start_matches(['-', '－', '―', '─', 'ー', ' ', '　']);
        rest.starts_with("指手") || rest.starts_with("指し手") || rest.is_empty()
    })
}

/// The standard words and the dashes in the line above the moves.
pub(in crate::record) fn rule_words(text: &str) -> impl Iterator<Item = &str> {
    const WORDS: [&str; 4] = ["手数", "指手", "指し手", "消費時間"];
    let mut rest = text;
    std::iter::from_fn(move || {
        loop {
            let first = rest.chars().next()?;
            let word = WORDS.iter().find(|word| rest.starts_with(**word)).map(|word| word.len());
            let dash = is_blank(first) || "-－―─ー".contains(first);
            let (word_or_dash, after) = rest.split_at(word.unwrap_or(first.len_utf8()));
            rest = after;
            if word.is_some() || dash {
                return Some(word_or_dash);
            }
        }
    })
}

/// Returns whether a line names the program that wrote the file.
pub(in crate::record) fn is_signature(text: &str) -> bool {
    ["棋譜", "Kifu", "KIF", "KI2"].iter().any(|word| text.contains(word))
}

/// The name and value of the header at the beginning of `text`, and the rest of `text`, which begins with another
/// header unless it is empty.
pub(in crate::record) fn header(text: &str) -> Option<(&str, &str, &str)> {
    let colon = text.find(['：', ':'])?;
    let name = trim(&text[..colon]);
    let wide = text[colon..].starts_with('：');
    // An ASCII colon is accepted only after a Japanese name; otherwise it may be part of a time or a URL.
    let fits = !name.is_empty()
        && (wide || !name.is_ascii())
        && !name.starts_with(|c: char| c.is_ascii_digit() || names::wide_digit(c).is_some())
        && !name.contains(|c: char| matches!(c, '(' | '（') || names::from_mark(c).is_some())
        && name.chars().count() <= LONGEST_NAME;
    if !fits {
        return None;
    }
    let value = text[colon..].strip_prefix(['：', ':'])?;
    if !FREE.iter().any(|end| name.ends_with(end)) && is_game(trim(value)) {
        return None;
    }
    let end = second_header(value).filter(|_| BEFORE.contains(&name)).unwrap_or(value.len());
    let after = value[end..].trim_start_matches(|c| is_blank(c) || is_between(c));
    let value = trim(&value[..end]);
    let value =
        if after.is_empty() { value } else { value.trim_end_matches(|c| is_blank(c) || is_between(c)) };
    Some((name, value, after))
}

/// Returns whether `text` begins with a move or is a position in USI notation, so that it cannot be the value of a
/// header. A word that begins like a move, as in `△４五角戦法`, is not a move.
fn is_game(text: &str) -> bool {
    let (side, rest) = mark(text);
    let ends = |rest: &str| {
        let rest = rest.trim_start_matches(HINTS);
        !rest.starts_with(char::is_alphabetic) || rest.starts_with("まで") || End::word_at(rest).is_some()
    };
    let (same, to) = (rest.strip_prefix('同'), names::destination(rest.trim_start_matches('同')));
    let after = to.map(|(_, rest)| rest).or(same);
    let piece = after.and_then(|rest| names::piece(rest.trim_start_matches(SPACES)));
    let marked = side.is_some() && piece.is_some_and(|(_, rest)| ends(rest));
    let usi = ["sfen ", "position ", "startpos"].iter().any(|word| text.starts_with(word));
    let csa = matches!(text.as_bytes(), [b'+' | b'-', a, b, c, d, e, f, ..]
        if [a, b, c, d].into_iter().all(u8::is_ascii_digit) && [e, f].into_iter().all(u8::is_ascii_uppercase));
    marked || usi || csa || text.split(' ').next().is_some_and(|board| board.matches('/').count() == 8)
}

/// The end of a header's value if the header of a player follows.
fn second_header(value: &str) -> Option<usize> {
    let begins = |name: &str| {
        let at = value.find(name)?;
        let colon = value[at + name.len()..].trim_start_matches([' ', '　']).starts_with(['：', ':']);
        let apart = value[..at].ends_with(|c| is_blank(c) || is_between(c));
        (colon && apart).then_some(at)
    };
    SIDES.iter().filter_map(|name| begins(name)).min()
}

/// Returns whether a character separates headers on one line.
fn is_between(c: char) -> bool {
    matches!(c, '/' | '／' | '|' | '｜' | ',' | '、' | ';')
}

/// Converts an ASCII or full-width digit to ASCII.
pub(in crate::record) fn ascii_digit(c: char) -> Option<char> {
    match c {
        '0'..='9' => Some(c),
        '０'..='９' => char::from_digit(c as u32 - '０' as u32, 10),
        _ => None,
    }
}

/// The number of a move at the beginning of `text`, and the rest of `text`: `12 `, `12.`, `12手目 `, `１２　`. A destination
/// such as `７六` is not a number.
pub(in crate::record) fn number(text: &str) -> Option<(usize, &str)> {
    let ascii = text.bytes().take_while(u8::is_ascii_digit).count();
    if ascii > 0 && text.as_bytes().get(ascii) == Some(&b' ') {
        // By far the most common case.
        let number = text[..ascii].parse().unwrap_or(usize::MAX);
        return Some((number, trim_start(&text[ascii..])));
    }
    let digits = text.find(|c| ascii_digit(c).is_none()).unwrap_or(text.len());
    let wide = !text.starts_with(|c: char| c.is_ascii_digit());
    let mut number = 0usize;
    for digit in text[..digits].chars().filter_map(|c| ascii_digit(c)?.to_digit(10)) {
        number = number.saturating_mul(10).saturating_add(digit as usize);
    }
    let mut rest = &text[digits..];
    let suffix = ["手目", "手", ".", "．", ":", "：", ")", "）", "、"]
        .iter()
        .find(|suffix| rest.starts_with(**suffix));
    if let Some(suffix) = suffix {
        rest = &rest[suffix.len()..];
    }
    let trimmed = trim_start(rest);
    let apart = suffix.is_some() || trimmed.len() < rest.len() || trimmed.is_empty();
    // `12同歩` and `1７六歩(77)` need no separator.
    let next = trimmed.chars().next();
    let joined = !wide && next.is_some_and(|c| c == '同' || names::from_mark(c).is_some());
    if let Some(at) = split_width(text, digits) {
        return text[..at].parse().ok().map(|number| (number, &text[at..]));
    }
    (apart || joined).then_some((number, trimmed))
}

/// The boundary between ASCII digits and the full-width file of a destination.
fn split_width(text: &str, digits: usize) -> Option<usize> {
    let at = text[..digits].find(|c: char| !c.is_ascii_digit()).filter(|&at| at > 0)?;
    (names::destination(&text[at..]).is_some()).then_some(at)
}

/// The side whose mark is at the beginning of `text`, if any, and the rest of `text`.
pub(in crate::record) fn mark(text: &str) -> (Option<Color>, &str) {
    let mut chars = text.chars();
    match chars.next().and_then(names::from_mark) {
        Some(color) => (Some(color), chars.as_str().trim_start_matches([' ', '　'])),
        None => (None, text),
    }
}

/// Returns whether `text` begins with a move. A square in ASCII digits must follow a mark or be followed by a piece, so
/// that dates and scores are not taken for moves. Once the list of moves has begun (`listed`), `同` alone is a move,
/// and so is any text that begins with a full-width digit.
pub(in crate::record) fn is_move(text: &str, listed: bool) -> bool {
    let (mark, rest) = mark(text);
    let piece = |rest: &str| names::piece(rest.trim_start_matches(SPACES)).is_some();
    match (rest.strip_prefix('同'), names::destination(rest)) {
        (Some(after), _) => mark.is_some() || listed || piece(after) || names::destination(after).is_some(),
        (None, Some((_, after))) => {
            piece(after) || mark.is_some() || !rest.starts_with(|c: char| c.is_ascii())
        }
        (None, None) => listed && rest.chars().next().is_some_and(|c| names::wide_digit(c).is_some()),
    }
}

/// Returns whether `text` begins with a destination and a piece.
fn names_piece(text: &str) -> bool {
    names::destination(text).is_some_and(|(_, rest)| names::piece(rest.trim_start_matches(SPACES)).is_some())
}

/// Returns whether `text` can be an unknown word for an end.
pub(in crate::record) fn may_be_end(text: &str) -> bool {
    let first = text.chars().next();
    first.is_some_and(|c| c.is_alphabetic() && names::digit(c).is_none() && names::from_mark(c).is_none())
}

/// Returns whether `text` contains a move with its mark.
pub(in crate::record) fn has_marked_move(text: &str) -> bool {
    text.char_indices().any(|(at, c)| names::from_mark(c).is_some() && is_move(&text[at..], false))
}

/// Reads the time of the move in `( 0:16/00:00:16)`. Hours and fractions of seconds are optional, and full-width
/// characters are accepted. Returns the time and the rest of the text.
pub(in crate::record) fn time(text: &str) -> Option<(Option<Duration>, &str)> {
    times(text).map(|([own, _], rest)| (own, rest))
}

/// Like [`time`], but also returns the total time.
pub(in crate::record) fn times(text: &str) -> Option<([Option<Duration>; 2], &str)> {
    let inside = text.strip_prefix(['(', '（'])?;
    // The length is limited so that unterminated text is not scanned repeatedly.
    let end = inside.char_indices().take(LONGEST_TIME).find(|&(_, c)| matches!(c, ')' | '）'))?.0;
    let after = inside[end..].strip_prefix([')', '）'])?;
    let mut parts = inside[..end].split(['/', '／']);
    let (own, total) = (parts.next()?, parts.next());
    let own = clock(own)?;
    if parts.next().is_some() || own.is_none() && total.is_none() {
        return None;
    }
    let total = total.map_or(Some(None), clock)?;
    Some(([own, total], after))
}

/// The text after a bracket that contains a negative or otherwise invalid time, if `text` begins with one.
pub(in crate::record) fn wrong_time(text: &str) -> Option<&str> {
    let inside = text.strip_prefix('(')?;
    let end = inside.char_indices().take(LONGEST_TIME).find(|&(_, c)| c == ')')?.0;
    let is_part =
        |c: char| c.is_ascii_digit() || is_blank(c) || matches!(c, ':' | '/' | '-' | '+' | '.' | '?');
    (inside[..end].contains(':') && inside[..end].chars().all(is_part)).then(|| &inside[end + 1..])
}

/// Parses a time: `1:02:03`, `12:05`, `0:01.250`. Returns `Some(None)` for an empty text.
fn clock(text: &str) -> Option<Option<Duration>> {
    let text = trim(text);
    if text.is_empty() {
        return Some(None);
    }
    let (mut millis, mut field, mut fields, mut digits) = (0u64, 0u64, 1, 0);
    let mut fraction: Option<u64> = None;
    for c in text.chars() {
        match (ascii_digit(c), fraction) {
            (Some(digit), None) => {
                field = field * 10 + u64::from(digit as u8 - b'0');
                digits += 1;
            }
            (Some(digit), Some(unit)) => {
                millis += u64::from(digit as u8 - b'0') * unit;
                fraction = Some(unit / 10);
            }
            (None, None) if matches!(c, ':' | '：') && digits > 0 => {
                millis = (millis + field * 1000) * 60;
                (field, digits, fields) = (0, 0, fields + 1);
            }
            (None, None) if matches!(c, '.' | '．') && digits > 0 => {
                millis += field * 1000;
                (field, fraction) = (0, Some(100));
            }
            (None, None) if is_blank(c) && digits == 0 => {}
            _ => return None,
        }
        if digits > 7 || fields > 3 {
            return None;
        }
    }
    millis += field * 1000;
    let fits = digits > 0 && fields >= 2 && millis < 4_000_000_000;
    fits.then_some(Some(Duration::from_millis(millis)))
}

/// A part of a line with moves in KI2.
pub(in crate::record) enum Part<'a> {
    /// A move; `text` begins at its destination.
    Move { mark: Color, text: &'a str },
    /// A keyword for an end.
    End { end: End, after: &'a str },
    /// A statement of the end, such as `まで2手で先手の勝ち`.
    Summary { text: &'a str, after: &'a str },
    /// Punctuation or markup, with the text after it.
    Separator(&'a str),
    /// The number of a move before a mark: `12.`, `12手目`.
    Number { number: usize, text: &'a str, after: &'a str },
    /// Free text.
    Remark { text: &'a str, after: &'a str },
}

impl<'a> Part<'a> {
    /// The part at the beginning of `text`; `None` if `text` is empty.
    pub fn of(text: &'a str) -> Option<Self> {
        let first = text.chars().next()?;
        if let (Some(mark), rest) = mark(text) {
            if is_move(text, false) {
                return Some(Self::Move { mark, text: rest });
            }
            if let Some((end, after)) = end_at(rest) {
                return Some(Self::End { end, after });
            }
        }
        if text.starts_with("まで") || is_summary(text) {
            let (text, after) = text.split_at(phrase(text).len());
            return Some(Self::Summary { text, after });
        }
        if let Some((end, after)) = end_at(text) {
            return Some(Self::End { end, after });
        }
        if let Some(inside) = variation(text) {
            let (text, after) = text.split_at(inside.len());
            return Some(Self::Remark { text, after });
        }
        if is_separator(first) && !is_signed(text) {
            let mut end = text.char_indices().skip(1);
            let end = end.find(|&(at, c)| {
                !is_separator(c) || is_signed(&text[at..]) || variation(&text[at..]).is_some()
            });
            return Some(Self::Separator(&text[end.map_or(text.len(), |end| end.0)..]));
        }
        if let Some(after) = markup(text) {
            return Some(Self::Separator(after));
        }
        if let Some((number, after)) = counter(text) {
            return Some(Self::Number { number, text: &text[..text.len() - after.len()], after });
        }
        // A remark continues up to the next move, end, number or tag.
        let begins = |at: usize| {
            let rest = &text[at..];
            let c = rest.chars().next().unwrap_or_default();
            names::from_mark(c).is_some() && is_move(rest, false)
                || rest.starts_with("まで") && kif_count(&rest["まで".len()..])
                || end_at(rest).is_some()
                || markup(rest).is_some()
                || !text[..at].ends_with(is_numeric) && counter(rest).is_some()
        };
        let end = text.char_indices().map(|(at, _)| at).skip(1).find(|&at| begins(at)).unwrap_or(text.len());
        let (remark, after) = text.split_at(end);
        Some(Self::Remark { text: remark.trim_end_matches(is_separator), after })
    }
}

/// Returns whether a line begins with a number that is followed by a mark, a Japanese square, `同` or a keyword for an
/// end.
pub(in crate::record) fn is_numbered(line: &str) -> bool {
    let Some((_, rest)) = number(line) else { return false };
    let first = rest.chars().next();
    first.is_some_and(|c| c == '同' || ('１'..='９').contains(&c) || names::from_mark(c).is_some())
        || ["投了", "中断", "詰み"].iter().any(|word| rest.starts_with(word))
}

/// Returns whether a line states how the game ended, such as `以上77手で先手の勝ち`.
pub(in crate::record) fn is_summary(text: &str) -> bool {
    text.strip_prefix("以上").is_some_and(|rest| rest.starts_with("まで") || kif_count(rest))
}

/// Returns whether `text` begins with a count of moves.
fn kif_count(text: &str) -> bool {
    text.trim_start_matches(['、', ' ', '　'])
        .starts_with(|c| ascii_digit(c).is_some() || names::KANJI.contains(&c) || matches!(c, '十' | '百'))
}

pub(in crate::record) fn is_separator(c: char) -> bool {
    is_blank(c)
        || "、，,。．.・…→⇒➡➔►-–—―─~〜>＞|｜/／;；:：「」『』【】〔〕()（）[]［］*＊_`\"“”+＋".contains(c)
}

/// The part of `text` after the HTML tag or entity at its beginning.
fn markup(text: &str) -> Option<&str> {
    if let Some(rest) = text.strip_prefix('<') {
        let end = rest.bytes().take(LONGEST_TAG).position(|byte| byte == b'>')?;
        let tag = rest[..end].trim_start_matches('/');
        return tag.starts_with(|c: char| c.is_ascii_alphabetic()).then(|| &rest[end + 1..]);
    }
    let rest = text.strip_prefix('&')?;
    let end = rest.bytes().take(9).position(|byte| byte == b';').filter(|&end| end >= 2)?;
    rest[..end].bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'#').then(|| &rest[end + 1..])
}

/// The number of a move before a mark, such as `12.` or `12手目 `, and the text after it.
fn counter(text: &str) -> Option<(usize, &str)> {
    let digits = text.find(|c| ascii_digit(c).is_none()).filter(|&digits| digits > 0)?;
    let rest = &text[digits..];
    let rest = ["手目", "手"].iter().find_map(|suffix| rest.strip_prefix(suffix)).unwrap_or(rest);
    let rest = rest.trim_start_matches(is_separator);
    let digits: String = text[..digits].chars().filter_map(ascii_digit).collect();
    (rest.is_empty() || mark(rest).0.is_some()).then(|| (digits.parse().unwrap_or(usize::MAX), rest))
}

/// Returns whether a character occurs in numbers, dates and times.
fn is_numeric(c: char) -> bool {
    ascii_digit(c).is_some() || matches!(c, '+' | '＋' | '-' | '−' | ':' | '：' | '/' | '／' | '.' | '．')
}

/// Returns whether `text` begins with a signed number, such as `+50`.
fn is_signed(text: &str) -> bool {
    let rest = text.strip_prefix(['+', '＋', '-', '−']);
    rest.is_some_and(|rest| rest.starts_with(|c| ascii_digit(c).is_some()))
}

/// The end whose keyword is at the beginning of `text`, if it is a separate word, and the rest of `text`.
fn end_at(text: &str) -> Option<(End, &str)> {
    End::word_at(text).filter(|(_, after)| !after.starts_with(char::is_alphanumeric))
}

/// The beginning of `text` up to the next move with its mark, or up to the next tag.
pub(in crate::record) fn phrase(text: &str) -> &str {
    let ends = |at: usize| {
        let rest = &text[at..];
        // Require the piece, since `△24点` is a number of points.
        let (mark, behind) = mark(rest);
        mark.is_some() && (behind.starts_with('同') || names_piece(behind)) || markup(rest).is_some()
    };
    let end = text.char_indices().map(|(at, _)| at).find(|&at| ends(at));
    &text[..end.unwrap_or(text.len())]
}

/// Like [`phrase`], but at most [`LONGEST_PHRASE`] characters.
pub(in crate::record) fn short_phrase(text: &str) -> &str {
    phrase(text.char_indices().nth(LONGEST_PHRASE).map_or(text, |(end, _)| &text[..end]))
}

/// The moves in brackets at the beginning of `text`, which are a remark.
fn variation(text: &str) -> Option<&str> {
    let inside = text.strip_prefix(['(', '（'])?;
    let (end, close) =
        inside.char_indices().take(LONGEST_VARIATION).find(|(_, c)| matches!(c, ')' | '）'))?;
    let length = text.len() - inside.len() + end + close.len_utf8();
    has_marked_move(&inside[..end]).then(|| &text[..length])
}

/// Returns whether `text` begins with the number of moves of a game, such as `77手で先手の勝ち`. `rest` is the part after the
/// number.
pub(in crate::record) fn counts_moves(text: &str, rest: &str) -> bool {
    let before = &text[..text.len() - rest.len()];
    rest.starts_with("まで")
        || before.ends_with('手')
            && ["にて", "で", "をもって", "をもちまして"].iter().any(|word| rest.starts_with(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_every_kind() {
        let ms = |text| time(text).and_then(|(time, _)| time).map(|t| t.as_millis());
        assert_eq!(ms("( 0:16/00:00:16)"), Some(16_000));
        assert_eq!(ms("(12:05/)"), Some(725_000));
        assert_eq!(ms("( 1:02:03 / 01:02:03)"), Some(3_723_000));
        assert_eq!(ms("( 0:01.250/00:00:01)"), Some(1250));
        assert_eq!(ms("（　０：０１／００：００：０１）"), Some(1000));
        assert_eq!(time("( 0:16/00:00:16)+x").map(|(_, rest)| rest), Some("+x"));
        assert_eq!(time("(x:y/)"), None);
        assert_eq!(time("(5)"), None);
        assert_eq!(time(""), None);
    }

    #[test]
    fn headers_have_colons() {
        assert_eq!(header("先手：羽生 "), Some(("先手", "羽生", "")));
        assert_eq!(header("先手:羽生"), Some(("先手", "羽生", "")));
        assert_eq!(header("先手: 甲 / 後手: 乙"), Some(("先手", "甲", "後手: 乙")));
        assert_eq!(header("先手：甲　　後手：乙"), Some(("先手", "甲", "後手：乙")));
        assert_eq!(header("場所：東京、千駄ヶ谷"), Some(("場所", "東京、千駄ヶ谷", "")));
        assert_eq!(header("消費時間：▲247△226"), Some(("消費時間", "▲247△226", "")));
        assert_eq!(header("作戦：△４五角戦法"), Some(("作戦", "△４五角戦法", "")));
        assert_eq!(header("先手の戦型：▲７八飛"), Some(("先手の戦型", "▲７八飛", "")));
        assert_eq!(header("本譜：▲７六歩△３四歩"), None);
        assert_eq!(header("本譜：▲７六歩まで"), None);
        assert_eq!(header("本譜：△同　銀左上成▲１一角"), None);
        let note = "角換わり 先手：早繰り銀";
        assert_eq!(header(&format!("備考：{note}")), Some(("備考", note, "")));
        assert_eq!(header("http://example.org"), None);
        assert_eq!(header("1. ７六歩(77) ( 0:01/00:00:01)"), None);
    }

    #[test]
    fn numbers_of_every_kind() {
        assert_eq!(number("12 ７六歩"), Some((12, "７六歩")));
        assert_eq!(number("12.７六歩"), Some((12, "７六歩")));
        assert_eq!(number("1手目 ７六歩"), Some((1, "７六歩")));
        assert_eq!(number("1７六歩(77)"), Some((1, "７六歩(77)")));
        assert_eq!(number("１２　７六歩"), Some((12, "７六歩")));
        assert_eq!(number("12同歩"), Some((12, "同歩")));
        assert_eq!(number("７六歩"), None);
        assert_eq!(number("2020/01/02"), None);
    }
}
