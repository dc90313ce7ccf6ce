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
use sanban_rules::VariantId;
use segments::segments;
use source::Source;
use western::Repairing;
use western::moves::Family;
use western::pgn;

pub use encoding::{Encoding, decode, encode};
pub use end::{End, Outcome};
pub use error::{RecordError, WriteError};
pub use format::Format;
pub use gib::move_text as gib_text;
pub use holds::Holds;
pub use say::{csa_text, ki2_text, kif_text, mark, western_text};
pub use tree::{Action, Headers, NodeId, Record, Tree};
pub use western::restore::{Judge, Mark};

/// Maximum size of a record file in bytes.
pub const LARGEST: u64 = 256 << 20;

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
    ///
    /// The location of the first text that cannot be read, and what was expected there.
    pub fn read(&self, bytes: &[u8]) -> Result<Reading, RecordError> {
        self.read_with(bytes, &mut (), &mut |_| ())
    }

    /// Reads the bytes of a file; `judge` chooses between possible moves when a missing move is restored, and `each` is
    /// called with each record as soon as it is finished.
    ///
    /// # Errors
    ///
    /// See [`Reader::read`].
    pub fn read_with(
        &self,
        bytes: &[u8],
        judge: &mut dyn Judge,
        each: &mut dyn FnMut(&Record),
    ) -> Result<Reading, RecordError> {
        let (text, _) = decode(bytes)?;
        self.follow(&text, judge, each)
    }

    /// Reads text. See [`Reader::read`].
    ///
    /// # Errors
    ///
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
        let mut mends = Vec::new();
        let source = &mut Source::new(text);
        let mut games = Vec::new();
        for (part, format) in segments(text, format) {
            source.choose(part);
            let told = match format {
                Format::Kif | Format::Ki2 | Format::Bod => kif::read(source),
                Format::Csa | Format::Csa3 => csa::read(source),
                Format::Jkf if arena::is_match(source.text()) => arena::read(source, self.game),
                Format::Jkf => jkf::read(source),
                Format::Usi | Format::Sfen => usi::read(source, self.game),
                Format::Gib => gib::read(source),
                _ if pgn::is_pgn(source.text()) => pgn::read(source, self.game),
                Format::Western | Format::Hodges | Format::Psn => {
                    let (on, mends) = (self.repair, &mut mends);
                    let repairing = &mut Repairing { on, numbers: false, mends, judge, left: 0, each };
                    games.extend(western::read(source, repairing));
                    continue;
                }
            };
            told.iter().flatten().for_each(&mut *each);
            games.extend(told);
        }
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
///
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
///
/// The format does not support the game, or a move is impossible on the board.
pub fn write(record: &Record, format: Format) -> Result<String, WriteError> {
    write_as(record, format, Encoding::Utf8)
}

/// Like [`write`](write()), for text that will be passed to [`encode`]: formats that declare their encoding declare
/// this one.
///
/// # Errors
///
/// See [`write`](write()).
pub fn write_as(record: &Record, format: Format, encoding: Encoding) -> Result<String, WriteError> {
    if !format.suits(record.game) {
        return Err(WriteError::Game { format: format.name(), game: record.game });
    }
    match format {
        Format::Kif => kif::write::write(record, encoding),
        Format::Ki2 => kif::write::write_ki2(record, encoding),
        Format::Bod => kif::write::write_bod(record),
        Format::Csa => csa::write(record, csa::Version::V22, encoding),
        Format::Csa3 => csa::write(record, csa::Version::V30, encoding),
        Format::Jkf => jkf::write(record),
        Format::Usi => Ok(usi::write(record, false)),
        Format::Sfen => Ok(usi::write(record, true)),
        Format::Gib => gib::write(record),
        Format::Western => western::write::write(record, Family::Apostrophe),
        Format::Hodges => western::write::write(record, Family::Hodges),
        Format::Psn => western::write::write(record, Family::Psn),
    }
}
