//! What describes a format of records, and the detection of formats.

use super::encoding::Encoding;
use super::error::{RecordError, WriteError};
use super::holds::Holds;
use super::judge::Judge;
use super::source::{Source, lines};
use super::tree::Record;
use sanban_rules::VariantId;

/// A format of records.
pub(super) struct FormatInfo {
    /// The names by which the format is chosen, which are also file extensions, with the usual encodings of files.
    pub names: &'static [(&'static str, Encoding)],
    /// Other extensions of files in the format.
    pub extensions: &'static [&'static str],
    /// Whether the format can represent records of a game.
    pub suits: fn(VariantId) -> bool,
    /// What the format can represent besides a start position.
    pub holds: Holds,
    /// Whether the format can represent a header with this name and value.
    pub holds_header: fn(&str, &str) -> bool,
    /// The parts of a record that the format cannot represent although it can represent others of their kind.
    pub loses: fn(&Record) -> Holds,
    /// The separator between the games of a file; `None` if a file contains one game.
    pub between: Option<&'static str>,
    /// Whether several games can be written to one stream and read back.
    pub streams: bool,
    /// The sign of the format in a line.
    pub line: fn(&str) -> Option<Sign>,
    pub family: &'static Family,
    pub write: fn(&Record, Encoding) -> Result<String, WriteError>,
}

/// Formats that one reader reads.
pub(super) struct Family {
    /// The sign of the first format of the family in a whole text.
    pub text: fn(&str) -> Option<Sign>,
    /// The bytes with which a line that begins a game can begin, after blanks.
    pub first: fn(u8) -> bool,
    /// Whether the line at the beginning of a text begins a game without doubt.
    pub begins: fn(&str, &str) -> bool,
    /// Whether any line that is not blank belongs to a game.
    pub at_once: bool,
    /// Whether braces enclose comments.
    pub braces: bool,
    /// Whether games in other formats can follow in the same text.
    pub followed: bool,
    pub read: fn(&mut Source<'_>, &mut Request<'_>),
}

/// How clearly text shows its format, from the weakest sign to the strongest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Sign {
    /// Decides only if nothing else in the text does.
    Hint,
    Weak,
    Strong,
    Sure,
}

/// The options for reading, and the results.
pub(super) struct Request<'r> {
    pub game: Option<VariantId>,
    pub repair: bool,
    pub judge: &'r mut dyn Judge,
    /// Is called with each record as soon as it is finished.
    pub each: &'r mut dyn FnMut(&Record),
    pub mends: Vec<String>,
    pub games: Vec<Result<Record, RecordError>>,
}

impl Request<'_> {
    pub fn finish(&mut self, games: Vec<Result<Record, RecordError>>) {
        games.iter().flatten().for_each(&mut *self.each);
        self.games.extend(games);
    }
}

/// The index of the format with the strongest sign; of equal signs, the first counts.
fn strongest(
    infos: &[&'static FormatInfo],
    sign: impl Fn(&FormatInfo) -> Option<Sign>,
) -> Option<(Sign, usize)> {
    let mut best: Option<(Sign, usize)> = None;
    for (index, info) in infos.iter().enumerate() {
        if let Some(sign) = sign(info).filter(|&sign| best.is_none_or(|best| sign > best.0)) {
            best = Some((sign, index));
            if sign == Sign::Sure {
                break;
            }
        }
    }
    best
}

/// The families of these formats, each with its first format.
pub(super) fn families(infos: &[&'static FormatInfo]) -> Vec<&'static FormatInfo> {
    let mut out: Vec<&FormatInfo> = Vec::new();
    for info in infos {
        if !out.iter().any(|known| std::ptr::eq(known.family, info.family)) {
            out.push(info);
        }
    }
    out
}

/// Detects the format of `text` by the whole text, or else by the first line that is specific to a format. Returns its
/// index.
pub(super) fn detect(infos: &[&'static FormatInfo], text: &str) -> Option<usize> {
    let text = text.trim_start();
    let firsts = families(infos);
    if let Some((_, index)) = strongest(&firsts, |info| (info.family.text)(text)) {
        return infos.iter().position(|info| std::ptr::eq(*info, firsts[index]));
    }
    let mut hint: Option<usize> = None;
    for line in lines(text).map(|line| line.text.trim_end()).filter(|line| !line.trim_start().is_empty()) {
        match strongest(infos, |info| (info.line)(line)) {
            Some((Sign::Hint, index)) => hint = Some(hint.map_or(index, |hint| hint.min(index))),
            Some((_, index)) => return Some(index),
            None => {}
        }
    }
    hint
}
