//! The formats of records, with their names, capabilities and detection.

use super::csa;
use super::encoding::Encoding;
use super::gib;
use super::holds::Holds;
use super::json;
use super::kif::{
    self,
    parts::{self, has_marked_move},
};
use super::names;
use super::source::lines;
use super::tree::{Headers, Record};
use super::usi;
use super::western::{
    self,
    items::{after_comments, is_game, is_western},
};
use sanban_rules::VariantId;

/// A format of game records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// KIF, the format of Kakinoki's programs: moves with numbers, origin squares and times.
    Kif,
    /// KI2: moves in the style of newspapers, without origin squares.
    Ki2,
    /// CSA 2.2.
    Csa,
    /// CSA 3.0: times to the millisecond, and the encoding in the first line.
    Csa3,
    /// JKF, the JSON format of Kifu for JS.
    Jkf,
    /// One line per game: `startpos moves ...` or `sfen ... moves ...`.
    Usi,
    /// Like `Usi`, but always with the start position as SFEN.
    Sfen,
    /// A diagram of one position.
    Bod,
    /// Western notation with an apostrophe for drops: `P7f`, `G'5f`.
    Western,
    /// Western notation in Hodges' style: `P-7f`, `G*5f`.
    Hodges,
    /// PSN: Western notation with headers, one move per line, and times.
    Psn,
    /// GIB, the Korean format for Janggi.
    Gib,
}

impl Format {
    /// Every format.
    pub const ALL: [Self; 12] = [
        Self::Kif,
        Self::Ki2,
        Self::Csa,
        Self::Csa3,
        Self::Jkf,
        Self::Usi,
        Self::Sfen,
        Self::Bod,
        Self::Western,
        Self::Hodges,
        Self::Psn,
        Self::Gib,
    ];

    /// The format's name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Kif => "kif",
            Self::Ki2 => "ki2",
            Self::Csa => "csa",
            Self::Csa3 => "csa3",
            Self::Jkf => "jkf",
            Self::Usi => "usi",
            Self::Sfen => "sfen",
            Self::Bod => "bod",
            Self::Western => "western",
            Self::Hodges => "hodges",
            Self::Psn => "psn",
            Self::Gib => "gib",
        }
    }

    /// The format with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "kifu" => Some(Self::Kif),
            "ki2u" => Some(Self::Ki2),
            _ => Self::ALL.into_iter().find(|format| format.name() == name),
        }
    }

    /// The usual encoding of files in this format; `name` is the extension or the name of the format.
    pub fn custom(self, name: &str) -> Encoding {
        match (self, name) {
            (Self::Kif | Self::Ki2, "kif" | "ki2") => Encoding::ShiftJis,
            (Self::Gib, _) => Encoding::Cp949,
            _ => Encoding::Utf8,
        }
    }

    /// Returns whether a file can contain several games.
    pub const fn holds_many(self) -> bool {
        matches!(
            self,
            Self::Usi | Self::Sfen | Self::Csa | Self::Csa3 | Self::Western | Self::Hodges | Self::Psn
        )
    }

    /// Returns whether several games can be written to one stream and read back.
    pub const fn streams(self) -> bool {
        !matches!(self, Self::Jkf | Self::Bod)
    }

    /// The separator between the games of a file.
    pub const fn between(self) -> &'static [u8] {
        match self {
            Self::Csa | Self::Csa3 => b"/\n",
            Self::Western | Self::Hodges => b"\n#\n",
            Self::Psn => b"\n",
            _ => b"",
        }
    }

    /// The names of all formats, for messages.
    pub fn names() -> String {
        Self::ALL.map(Self::name).join(", ")
    }

    /// Returns whether the format can represent records of this game.
    pub fn suits(self, game: VariantId) -> bool {
        match self {
            Self::Usi | Self::Sfen => true,
            Self::Gib => matches!(game, VariantId::Janggi | VariantId::JanggiCasual),
            _ => game == VariantId::Shogi,
        }
    }

    /// What the format can represent besides a start position.
    pub fn holds(self) -> Holds {
        match self {
            Self::Kif => Holds::all() - Holds::MILLISECONDS,
            Self::Ki2 => Holds::all() - Holds::MILLISECONDS - Holds::TIMES,
            Self::Csa => Holds::MOVES | Holds::COMMENTS | Holds::TIMES | Holds::ENDS | Holds::HEADERS,
            Self::Csa3 => Self::Csa.holds() | Holds::MILLISECONDS,
            Self::Jkf => Holds::all() - Holds::MILLISECONDS - Holds::BOOKMARKS - Holds::NUMBER,
            Self::Usi | Self::Sfen => Holds::MOVES | Holds::NUMBER,
            Self::Bod => Holds::HEADERS | Holds::ALL_HEADERS | Holds::NUMBER,
            Self::Gib => Holds::MOVES | Holds::COMMENTS | Holds::HEADERS | Holds::ALL_HEADERS,
            Self::Psn => Holds::all() - Holds::BOOKMARKS - Holds::MILLISECONDS,
            Self::Western | Self::Hodges => {
                Holds::all() - Holds::BOOKMARKS - Holds::TIMES - Holds::MILLISECONDS
            }
        }
    }

    /// The parts of a record that the format cannot represent.
    pub fn loses(self, record: &Record) -> Holds {
        let mut out = record.needs() - self.holds() - Holds::HEADERS - Holds::ALL_HEADERS;
        for (name, value) in record.headers.iter() {
            let holds = match self {
                Self::Kif | Self::Ki2 | Self::Bod => kif::write::holds_header(name, value),
                Self::Csa | Self::Csa3 => csa::holds_header(name),
                Self::Western | Self::Hodges | Self::Psn => western::write::holds_header(name),
                _ => self.holds().contains(Headers::kind(name)),
            };
            if !holds {
                out |= Headers::kind(name);
            }
        }
        if matches!(self, Self::Csa | Self::Csa3) && csa::loses_time(record) {
            out |= Holds::TIMES;
        }
        out
    }

    /// Detects the format of `text` by the first line that is specific to a format.
    pub fn detect(text: &str) -> Option<Self> {
        let text = text.trim_start();
        if text.starts_with("#KIF") {
            return Some(Self::Kif);
        }
        // Only Western notation can begin with a comment in braces.
        let after = after_comments(text);
        if after.len() < text.len() && lines(after).next().is_some_and(|line| is_western(line.text)) {
            return Some(Self::Western);
        }
        if json::is_json(text) {
            return Some(Self::Jkf);
        }
        if gib::is_gib(text) {
            return Some(Self::Gib);
        }
        if after.is_empty() && !text.is_empty() {
            return Some(Self::Western);
        }
        let (mut diagram, mut game) = (false, false);
        for line in lines(text).take(400) {
            let line = line.text.trim_end();
            let start = line.trim_start();
            if start.is_empty() {
                continue;
            }
            if usi::is_usi(start) {
                return Some(Self::Usi);
            }
            if ["[Sente \"", "[Gote \""].iter().any(|player| start.starts_with(player)) {
                return Some(Self::Psn);
            }
            if is_western(start) {
                return Some(Self::Western);
            }
            if csa::is_csa(line) {
                return Some(Self::Csa);
            }
            if start.starts_with("手数---") || parts::is_numbered(start) {
                return Some(Self::Kif);
            }
            let marked = start.chars().next().is_some_and(|c| names::from_mark(c).is_some());
            if marked || has_marked_move(start) || kif::spoken::is_unmarked(start) {
                return Some(Self::Ki2);
            }
            let row = start.starts_with('|') && start.contains('・');
            game |= is_game(line);
            diagram |= row || line.starts_with("+---") || line.contains("：") || start.ends_with("手番");
        }
        if diagram { Some(Self::Kif) } else { game.then_some(Self::Western) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_told_by_content() {
        let cases = [
            ("startpos moves 7g7f", Format::Usi),
            ("position startpos", Format::Usi),
            ("4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1", Format::Usi),
            ("V2.2\nPI\n+\n", Format::Csa),
            ("'comment\nPI\n", Format::Csa),
            ("手合割：平手\n手数----指手---------消費時間--\n", Format::Kif),
            ("開始日時：2020/01/01\n   1 ７六歩(77)\n", Format::Kif),
            ("先手：a\n▲７六歩 △３四歩", Format::Ki2),
            ("後手の持駒：なし\n", Format::Kif),
            ("７六歩　３四歩", Format::Ki2),
            ("| ・ ・ ・ ・ ・ ・ ・ ・ ・|一\n", Format::Kif),
            ("開始日時：2014/09/13 14：59\n", Format::Kif),
            ("1. 79卒78 2. 41兵42\n", Format::Gib),
        ];
        for (text, format) in cases {
            assert_eq!(Format::detect(text), Some(format), "{text}");
        }
        assert_eq!(Format::detect("hello world\n"), None);
        for format in Format::ALL {
            assert_eq!(Format::from_name(format.name()), Some(format));
        }
    }
}
