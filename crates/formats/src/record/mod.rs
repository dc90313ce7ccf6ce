//! Reading and writing of game records in all formats.
//!
//! [`read`] detects the format by the content and returns [`Record`]s: trees of moves with comments, times and headers.
//! [`write`](write()) converts a record to any [`Format`]. [`Board`] also accepts illegal moves.

mod arena;
mod board;
mod csa;
mod encoding;
mod end;
mod error;
mod format;
mod games;
mod gib;
mod handicaps;
mod holds;
mod jkf;
mod json;
mod judge;
mod kif;
mod line;
mod names;
mod say;
mod segments;
mod source;
mod summary;
mod tree;
mod usi;
mod western;

pub use board::Board;
use format::{FormatInfo, Request, detect, families};
use sanban_rules::VariantId;
use sanban_system::affordable;
use segments::segments;
use source::Source;

pub use encoding::{Encoding, decode, encode};
pub use end::{End, Outcome};
pub use error::{RecordError, WriteError};
pub use gib::move_text as gib_text;
pub use holds::Holds;
pub use judge::Judge;
pub use say::{csa_text, ki2_text, kif_text, mark, western_text};
pub use tree::{Action, Headers, NodeId, Record, Tree};
pub use western::restore::Mark;

macro_rules! formats {
    ($($(#[$doc:meta])* $name:ident => $info:path,)*) => {
        /// A format of game records.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Format { $($(#[$doc])* $name,)* }

        impl Format {
            /// Every format.
            pub const ALL: [Self; [$(stringify!($name)),*].len()] = [$(Self::$name),*];

            const fn info(self) -> &'static FormatInfo {
                match self { $(Self::$name => &$info,)* }
            }
        }
    };
}

formats! {
    /// KIF, the format of Kakinoki's programs: moves with numbers, origin squares and times.
    Kif => kif::info::KIF,
    /// KI2: moves in the style of newspapers, without origin squares.
    Ki2 => kif::info::KI2,
    /// CSA 2.2.
    Csa => csa::CSA,
    /// CSA 3.0: times to the millisecond, and the encoding in the first line.
    Csa3 => csa::CSA3,
    /// JKF, the JSON format of Kifu for JS.
    Jkf => jkf::JKF,
    /// One line per game: `startpos moves ...` or `sfen ... moves ...`.
    Usi => usi::USI,
    /// Like `Usi`, but always with the start position as SFEN.
    Sfen => usi::SFEN,
    /// A diagram of one position.
    Bod => kif::info::BOD,
    /// Western notation with an apostrophe for drops: `P7f`, `G'5f`.
    Western => western::WESTERN,
    /// Western notation in Hodges' style: `P-7f`, `G*5f`.
    Hodges => western::HODGES,
    /// PSN: Western notation with headers, one move per line, and times.
    Psn => western::PSN,
    /// PGN of variants: the game in a header, and moves in coordinates.
    Pgn => western::PGN,
    /// GIB, the Korean format for Janggi.
    Gib => gib::GIB,
}

impl Format {
    /// The format's name.
    pub const fn name(self) -> &'static str {
        self.info().names[0].0
    }

    /// The format with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.info().names.iter().any(|(known, _)| *known == name))
    }

    /// The usual encoding of files in this format; `name` is the extension or the name of the format.
    pub fn custom(self, name: &str) -> Encoding {
        let names = self.info().names;
        names.iter().find(|(known, _)| *known == name).unwrap_or(&names[names.len() - 1]).1
    }

    /// Returns whether a file can contain several games.
    pub const fn holds_many(self) -> bool {
        self.info().between.is_some()
    }

    /// Returns whether several games can be written to one stream and read back.
    pub const fn streams(self) -> bool {
        self.info().streams
    }

    /// The separator between the games of a file.
    pub fn between(self) -> &'static [u8] {
        self.info().between.unwrap_or_default().as_bytes()
    }

    /// The names of all formats, for messages.
    pub fn names() -> String {
        Self::ALL.map(Self::name).join(", ")
    }

    /// Every name by which a format is chosen, with the usual encoding of files.
    pub fn choices() -> impl Iterator<Item = (&'static str, Encoding)> {
        Self::ALL.into_iter().flat_map(|format| format.info().names).copied()
    }

    /// The extensions of record files.
    pub fn extensions() -> impl Iterator<Item = &'static str> {
        let others = Self::ALL.into_iter().flat_map(|format| format.info().extensions).copied();
        Self::choices().map(|(name, _)| name).chain(others)
    }

    /// Returns whether the format can represent records of this game.
    pub fn suits(self, game: VariantId) -> bool {
        (self.info().suits)(game)
    }

    /// What the format can represent besides a start position.
    pub fn holds(self) -> Holds {
        self.info().holds
    }

    /// The parts of a record that the format cannot represent.
    pub fn loses(self, record: &Record) -> Holds {
        let info = self.info();
        let others = record.headers.iter().filter(|(name, value)| !(info.holds_header)(name, value));
        let headers = others.map(|(name, _)| Headers::kind(name)).fold(Holds::empty(), Holds::union);
        (record.needs() - info.holds - Holds::HEADERS - Holds::ALL_HEADERS) | headers | (info.loses)(record)
    }

    /// Detects the format of `text` by the first line that is specific to a format.
    pub fn detect(text: &str) -> Option<Self> {
        detect(&Self::ALL.map(Self::info), text).map(|index| Self::ALL[index])
    }
}

/// Maximum size of a record file in bytes.
pub const LARGEST: u64 = 256 << 20;
/// Bytes of memory that may be needed for each byte of a file, measured with files of short games.
const MEMORY: usize = 8;
/// Maximum number of bytes that are read whatever memory is available.
const SMALL: usize = 4 << 20;

/// Options for reading records. By default, everything is detected.
#[derive(Clone, Debug, Default)]
pub struct Reader {
    /// The format; `None` to detect it by the content.
    pub format: Option<Format>,
    /// The game, if the format does not specify it; `None` to infer it from the board or the format.
    pub game: Option<VariantId>,
    /// Whether to repair misread moves of scans if exactly one legal move fits, and to restore missing moves. Applies
    /// to Western notation.
    pub repair: bool,
    /// Whether to reject input with unknown or invalid content instead of warning about it.
    pub strict: bool,
}

/// The result of reading a file or string.
#[derive(Clone, Debug, Default)]
pub struct Reading {
    /// The records, in order.
    pub records: Vec<Record>,
    /// Messages about repairs, with their locations.
    pub mends: Vec<String>,
    /// Warnings about unknown content and faults in the records, with their locations.
    pub warnings: Vec<RecordError>,
    /// The errors for which other games of the text were rejected, or moves were left out.
    pub refused: Vec<RecordError>,
}

impl Reader {
    /// Reads the bytes of a file.
    ///
    /// # Errors
    /// The location of the first text that cannot be read, and what was expected there.
    pub fn read(&self, bytes: &[u8]) -> Result<Reading, RecordError> {
        self.read_with(bytes, &mut (), &mut |_| ())
    }

    /// Reads the bytes of a file; `judge` chooses between possible moves when a missing move is restored, and `each` is
    /// called with each record as soon as it is finished.
    ///
    /// # Errors
    /// See [`Reader::read`].
    pub fn read_with(
        &self,
        bytes: &[u8],
        judge: &mut dyn Judge,
        each: &mut dyn FnMut(&Record),
    ) -> Result<Reading, RecordError> {
        let needed = bytes.len().saturating_mul(MEMORY);
        if bytes.len() > SMALL && affordable(needed) < needed {
            let problem = format!("not enough memory: the records may need {} MB", needed >> 20);
            return Err(RecordError { line: 1, column: 1, problem });
        }
        let (text, _) = decode(bytes)?;
        self.follow(&text, judge, each)
    }

    /// Reads text. See [`Reader::read`].
    ///
    /// # Errors
    /// See [`Reader::read`].
    pub fn read_text(&self, text: &str) -> Result<Reading, RecordError> {
        self.follow(text, &mut (), &mut |_| ())
    }

    fn follow(
        &self,
        text: &str,
        judge: &mut dyn Judge,
        each: &mut dyn FnMut(&Record),
    ) -> Result<Reading, RecordError> {
        let Some(format) = self.format.or_else(|| Format::detect(text)) else {
            let problem = format!("expected a game record ({})", Format::names());
            return Err(RecordError { line: 1, column: 1, problem });
        };
        let source = &mut Source::new(text);
        let mut request = Request {
            game: self.game,
            repair: self.repair,
            judge,
            each,
            mends: Vec::new(),
            games: Vec::new(),
        };
        for (part, family) in segments(text, format.info().family, &families(&Format::ALL.map(Format::info)))
        {
            source.choose(part);
            (family.read)(source, &mut request);
        }
        let Request { games, mends, .. } = request;
        let (mut records, mut refused) = (Vec::new(), source.failures());
        let warnings = std::mem::replace(source, Source::new("")).finish();
        for game in games {
            match game {
                Ok(record) => records.push(record),
                Err(error) => refused.push(error),
            }
        }
        if records.is_empty() && !refused.is_empty() {
            return Err(refused.swap_remove(0));
        }
        if self.strict
            && let Some(error) =
                refused.iter().chain(&warnings).min_by_key(|error| (error.line, error.column))
        {
            return Err(error.clone());
        }
        Ok(Reading { records, mends, warnings, refused })
    }
}

/// Reads the bytes of a file in any format; see [`Reader`] for more.
///
/// # Errors
/// The location of the first text that cannot be read, and what was expected there.
///
/// ```
/// let records = sanban_formats::record::read("startpos moves 7g7f 3c3d\n".as_bytes())?;
/// assert_eq!(records[0].moves().len(), 2);
/// # Ok::<(), sanban_formats::record::RecordError>(())
/// ```
pub fn read(bytes: &[u8]) -> Result<Vec<Record>, RecordError> {
    Reader::default().read(bytes).map(|reading| reading.records)
}

/// Writes a record in a format. Anything that the format cannot represent is omitted; see [`Format::holds`].
///
/// # Errors
/// The format does not support the game, or a move is impossible on the board.
pub fn write(record: &Record, format: Format) -> Result<String, WriteError> {
    write_as(record, format, Encoding::Utf8)
}

/// Like [`write`](write()), for text that will be passed to [`encode`]: formats that declare their encoding declare
/// this one.
///
/// # Errors
/// See [`write`](write()).
pub fn write_as(record: &Record, format: Format, encoding: Encoding) -> Result<String, WriteError> {
    if !format.suits(record.game) {
        return Err(WriteError::Game { format: format.name(), game: record.game });
    }
    (format.info().write)(record, encoding)
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
        // Comments do not hide the format, however many there are.
        let comments = "# a\n*b\n\n".repeat(500);
        assert_eq!(Format::detect(&format!("{comments}▲７六歩\n")), Some(Format::Ki2));
        assert_eq!(Format::detect(&format!("{comments}startpos\n")), Some(Format::Usi));
        assert_eq!(Format::detect("hello world\n"), None);
        for format in Format::ALL {
            assert_eq!(Format::from_name(format.name()), Some(format));
        }
    }
}
