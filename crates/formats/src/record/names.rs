//! Names of pieces, squares, numbers and times in Japanese formats.

use sanban_rules::Color;
use sanban_rules::shogi::square::RANKS;
use sanban_rules::shogi::{Kind, Piece};
use std::time::Duration;

/// Names in moves, by kind.
const IN_MOVES: [&str; Kind::COUNT] =
    ["歩", "香", "桂", "銀", "角", "飛", "金", "玉", "と", "成香", "成桂", "成銀", "馬", "龍"];
/// One-character names in diagrams, by kind.
const ON_BOARDS: [char; Kind::COUNT] =
    ['歩', '香', '桂', '銀', '角', '飛', '金', '玉', 'と', '杏', '圭', '全', '馬', '龍'];
/// Names in CSA, by kind.
const IN_CSA: [&str; Kind::COUNT] =
    ["FU", "KY", "KE", "GI", "KA", "HI", "KI", "OU", "TO", "NY", "NK", "NG", "UM", "RY"];

/// The digits for files.
pub const WIDE: [char; 9] = ['１', '２', '３', '４', '５', '６', '７', '８', '９'];
/// The digits for ranks.
pub const KANJI: [char; 9] = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];

pub const fn in_moves(kind: Kind) -> &'static str {
    IN_MOVES[kind.index()]
}

pub const fn on_board(kind: Kind) -> char {
    ON_BOARDS[kind.index()]
}

pub const fn in_csa(kind: Kind) -> &'static str {
    IN_CSA[kind.index()]
}

pub fn from_csa(name: &str) -> Option<Kind> {
    IN_CSA.iter().position(|&known| known == name).map(|index| Kind::ALL[index])
}

pub fn from_char(c: char) -> Option<Kind> {
    Some(match c {
        '歩' | '步' => Kind::Pawn,
        '香' => Kind::Lance,
        '桂' => Kind::Knight,
        '銀' => Kind::Silver,
        '金' => Kind::Gold,
        '角' => Kind::Bishop,
        '飛' => Kind::Rook,
        '玉' | '王' => Kind::King,
        'と' => Kind::ProPawn,
        '杏' => Kind::ProLance,
        '圭' => Kind::ProKnight,
        '全' => Kind::ProSilver,
        '馬' => Kind::Horse,
        '龍' | '竜' => Kind::Dragon,
        _ => return None,
    })
}

/// The kind whose name is at the beginning of `text`, and the rest of `text`. Full names such as 飛車 are accepted except
/// 角行, in which 行 could mean that the bishop moves up.
pub fn piece(text: &str) -> Option<(Kind, &str)> {
    let mut chars = text.chars();
    let first = chars.next()?;
    if first == '成' {
        let kind = from_char(chars.next()?)?.promoted()?;
        return Some((kind, chars.as_str()));
    }
    let (kind, short) = (from_char(first)?, chars.as_str());
    let full = match (first, chars.next()) {
        ('龍' | '竜', Some('馬')) => Kind::Horse,
        ('歩', Some('兵'))
        | ('香' | '飛', Some('車'))
        | ('桂', Some('馬'))
        | ('銀' | '金' | '玉' | '王', Some('将'))
        | ('と', Some('金'))
        | ('龍' | '竜', Some('王')) => kind,
        _ => return Some((kind, short)),
    };
    Some((full, chars.as_str()))
}

/// The value, 1 to 9, of a digit in any script.
pub fn digit(c: char) -> Option<usize> {
    let n = match c {
        '1'..='9' => c as usize - '0' as usize,
        '１'..='９' => c as usize - '０' as usize,
        _ => KANJI.iter().position(|&known| known == c)? + 1,
    };
    Some(n)
}

/// The value, 0 to 9, of a full-width digit.
pub fn wide_digit(c: char) -> Option<usize> {
    ('０'..='９').contains(&c).then(|| c as usize - '０' as usize)
}

/// The square of a file and a rank from 1 to 9.
pub const fn square(file: usize, rank: usize) -> usize {
    (file - 1) * RANKS + rank - 1
}

/// The square at the beginning of `text` (`７六`, `76`, `７６`), and the rest of `text`.
pub fn destination(text: &str) -> Option<(usize, &str)> {
    let mut chars = text.chars();
    let (file, rank) = (digit(chars.next()?)?, digit(chars.next()?)?);
    Some((square(file, rank), chars.as_str()))
}

/// A square as written in moves, such as `７六`.
pub fn square_name(square: usize) -> [char; 2] {
    [WIDE[square / RANKS], KANJI[square % RANKS]]
}

/// A count of pieces from 1 to 99 in kanji: `二`, `十`, `十八`.
pub fn count(n: usize) -> String {
    let mut out = String::new();
    if n >= 20 {
        out.push(KANJI[(n / 10 - 1).min(8)]);
    }
    if n >= 10 {
        out.push('十');
    }
    if !n.is_multiple_of(10) {
        out.push(KANJI[n % 10 - 1]);
    }
    out
}

/// Reads a count in kanji or digits at the beginning of `text`. Returns the count, 1 if it is missing, and the rest of
/// `text`.
pub fn read_count(text: &str) -> (usize, &str) {
    let (mut sum, mut unit, mut rest) = (0, None, text);
    for (at, c) in text.char_indices() {
        match c {
            '十' => sum += unit.take().unwrap_or(1) * 10,
            '0' | '０' | '〇' => unit = Some(unit.unwrap_or(0) * 10),
            _ => match digit(c) {
                Some(n) if unit.unwrap_or(0) < 100 => unit = Some(unit.unwrap_or(0) * 10 + n),
                _ => {
                    rest = &text[at..];
                    let n = sum + unit.unwrap_or(0);
                    return (if at == 0 { 1 } else { n }, rest);
                }
            },
        }
    }
    if !text.is_empty() {
        rest = &text[text.len()..];
    }
    let n = sum + unit.unwrap_or(0);
    (if text.is_empty() { 1 } else { n }, rest)
}

/// The mark of a side, which is written before its moves.
pub const fn mark(color: Color) -> char {
    match color {
        Color::Black => '▲',
        Color::White => '△',
    }
}

pub const fn from_mark(c: char) -> Option<Color> {
    match c {
        '▲' | '☗' | '▼' => Some(Color::Black),
        '△' | '☖' | '▽' => Some(Color::White),
        _ => None,
    }
}

/// The two characters for a square in a diagram: ` ・`, ` 歩` or `v歩`.
pub fn cell(piece: Option<Piece>) -> [char; 2] {
    match piece {
        None => [' ', '・'],
        Some(piece) if piece.color() == Color::Black => [' ', on_board(piece.kind())],
        Some(piece) => ['v', on_board(piece.kind())],
    }
}

/// Splits a time into hours, minutes and seconds.
pub const fn hms(time: Duration) -> (u64, u64, u64) {
    let seconds = time.as_secs();
    (seconds / 3600, seconds / 60 % 60, seconds % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_come_back() {
        for n in 1..=99 {
            assert_eq!(read_count(&count(n)), (n, ""), "{}", count(n));
        }
        assert_eq!(read_count(""), (1, ""));
        assert_eq!(read_count("　香"), (1, "　香"));
        assert_eq!(read_count("18銀"), (18, "銀"));
        assert_eq!(count(18), "十八");
        assert_eq!(count(20), "二十");
    }

    #[test]
    fn pieces_come_back() {
        for kind in Kind::ALL {
            assert_eq!(piece(in_moves(kind)), Some((kind, "")));
            assert_eq!(from_char(on_board(kind)), Some(kind));
            assert_eq!(from_csa(in_csa(kind)), Some(kind));
        }
        assert_eq!(piece("成銀(33)"), Some((Kind::ProSilver, "(33)")));
        assert_eq!(piece("銀成(33)"), Some((Kind::Silver, "成(33)")));
        for (name, kind) in [
            ("と金(33)", Kind::ProPawn),
            ("飛車(33)", Kind::Rook),
            ("龍馬(33)", Kind::Horse),
            ("竜王(33)", Kind::Dragon),
            ("王将(33)", Kind::King),
        ] {
            assert_eq!(piece(name), Some((kind, "(33)")));
        }
        assert_eq!(piece("角行(33)"), Some((Kind::Bishop, "行(33)")));
    }
}
