//! `sanban convert`: converts game records between formats.

mod judge;

use super::args::{same_file, variants};
use super::bar::{COUNT, bar};
use super::failure::{Failure, make_directory};
use super::records;
use super::text::{conclude, note, print_bytes};
use judge::{Search, TIME};
use rayon::prelude::*;
use sanban_formats::record;
use sanban_formats::record::{Encoding, Format, Holds, LARGEST, Reader, Record};
use sanban_rules::VariantId;
use sanban_system::{clear_leftovers, read_file_or_pipe, read_to_end, read_whole, write_whole};
use std::collections::{BTreeMap, HashSet};
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Convert game records: one file to standard output, or many into a directory.
#[derive(clap::Args)]
pub(super) struct Args {
    /// Input format [default: detected from the content]
    #[arg(long, value_name = "FORMAT", value_parser = format)]
    from: Option<Format>,
    #[arg(long, value_name = "FORMAT", value_parser = target, help = format!("Output format: {}", choices()))]
    to: Target,
    /// Output encoding, instead of the format's own: utf-8, shift_jis, euc-jp, iso-2022-jp or cp949
    #[arg(long, value_name = "NAME", value_parser = encoding)]
    encoding: Option<Encoding>,
    /// The game, if the format does not specify it
    #[arg(long, value_parser = variants())]
    game: Option<VariantId>,
    /// Repair misread moves of scanned records if exactly one legal move fits, and restore missing moves; a comment
    /// marks each restored move as certain, likely, or free (one of several possible moves)
    #[arg(long)]
    repair: bool,
    /// Time limit in seconds for restoring the missing moves of a file; one game may take a sixth of it, the first one a
    /// fifteenth [default: 60]
    #[arg(long, requires = "repair", value_name = "SECONDS", value_parser = seconds)]
    time: Option<Duration>,
    /// Reject files with unknown or invalid content, instead of warning about it
    #[arg(long)]
    strict: bool,
    /// Output directory, with one file for each input file
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Overwrite existing files in the output directory, whatever their content [default: leave them unchanged]
    #[arg(long, requires = "out")]
    overwrite: bool,
    /// Record files, or directories with records [default: `-`, standard input]
    files: Vec<PathBuf>,
}

/// A format with its usual encoding and file extension.
#[derive(Clone)]
struct Target {
    format: Format,
    encoding: Encoding,
    extension: String,
}

/// The names of the formats, with their encodings if these are not UTF-8.
fn choices() -> String {
    let choice = |(name, encoding): (&str, Encoding)| match encoding {
        Encoding::Utf8 => name.to_string(),
        _ => format!("{name} (in {})", encoding.name()),
    };
    Format::choices().map(choice).collect::<Vec<_>>().join(", ")
}

fn format(name: &str) -> Result<Format, String> {
    Format::from_name(name).ok_or_else(|| format!("expected one of {}", choices()))
}

fn target(name: &str) -> Result<Target, String> {
    let format = format(name)?;
    Ok(Target { format, encoding: format.custom(name), extension: name.into() })
}

fn encoding(name: &str) -> Result<Encoding, String> {
    Encoding::from_name(name).ok_or_else(|| "expected utf-8, shift_jis, euc-jp, iso-2022-jp or cp949".into())
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    seconds.filter(|time| time.as_secs() < 1_000_000).ok_or_else(|| "expected a number of seconds".into())
}

/// The result of converting one file.
#[derive(Default)]
struct Converted {
    /// The content of each file to write, with the suffix for its name.
    texts: Vec<(String, Vec<u8>)>,
    games: usize,
    mends: Vec<String>,
    /// Parse warnings and errors.
    warnings: Vec<String>,
    /// Why games of the file were rejected.
    refused: Vec<String>,
    lost: Option<Holds>,
    /// Number of characters that the encoding cannot represent.
    lacking: usize,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let piped = args.files.is_empty() || args.files.iter().any(|file| file.as_os_str() == "-");
    if piped && args.files.len() > 1 {
        return Err(Failure::Request("expected either - or files".into()));
    }
    let Some(out) = &args.out else { return to_output(args, piped) };
    if piped {
        return Err(Failure::Request("--out requires input files, not standard input".into()));
    }
    let files = files_of(&args.files)?;
    distinct(files.iter().map(|file| output_name(args, file, "")))?;
    make_directory(out)?;
    let convert = |file: &PathBuf| into_folder(args, file, out);
    // If no threads can be started, the files are converted one after the other.
    let results: Vec<_> = match rayon::ThreadPoolBuilder::new().build() {
        Ok(threads) => threads.install(|| files.par_iter().map(convert).collect()),
        Err(_) => files.iter().map(convert).collect(),
    };
    summary(args, &files, results)
}

fn to_output(args: &Args, piped: bool) -> Result<(), Failure> {
    let sources = if piped { vec![PathBuf::from("-")] } else { files_of(&args.files)? };
    if sources.len() > 1 && !(args.to.format.holds_many() && args.to.format.between().is_empty()) {
        return Err(Failure::Request(format!("{} input files: --out must name a directory", sources.len())));
    }
    let mut results = Vec::new();
    for source in &sources {
        let read = if piped {
            Ok(read_input()?)
        } else {
            read_file_or_pipe(source, LARGEST).map_err(|e| e.to_string())
        };
        // Restoring moves takes time, so each game is printed as soon as it is finished.
        let live = args.repair && !args.strict && args.to.format.streams();
        let result = read.and_then(|bytes| convert(args, &bytes, live).map_err(|e| named(source, &e)));
        if let Ok(converted) = &result {
            for (_, text) in &converted.texts {
                print_bytes(text)?;
            }
        }
        results.push(result);
    }
    summary(args, &sources, results)
}

fn read_input() -> Result<Vec<u8>, Failure> {
    let read = read_to_end(std::io::stdin().lock(), 0, LARGEST);
    read.map_err(|error| Failure::Work(format!("standard input: {error}")))
}

/// Adds the file to an error message.
fn named(source: &Path, error: &str) -> String {
    if source.as_os_str() == "-" {
        format!("standard input: {error}")
    } else {
        format!("{}: {error}", source.display())
    }
}

/// Expands each directory to the record files in it, in sorted order.
pub(super) fn files_of(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut out = Vec::new();
    for path in paths {
        if path.is_dir() {
            out.extend(record_files(path));
        } else {
            out.push(path.clone());
        }
    }
    if out.is_empty() {
        return Err(Failure::Request("the given directories contain no records".into()));
    }
    Ok(out)
}

/// The record files in a directory and its subdirectories, in sorted order.
pub fn record_files(folder: &Path) -> Vec<PathBuf> {
    let mut inside = Vec::new();
    walk(folder, &mut inside);
    inside.sort();
    inside
}

/// A folder that cannot be read is listed itself, so that the error is reported where the files are read.
fn walk(folder: &Path, out: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return out.push(folder.into()) };
    for entry in entries {
        let Ok(entry) = entry else { return out.push(folder.into()) };
        let path = entry.path();
        // Self-play shards, which are no format of records, end in `.games`.
        let known = |end: &std::ffi::OsStr| {
            Format::extensions().chain(["games"]).any(|known| end.eq_ignore_ascii_case(known))
        };
        // The type of the entry is known even if the path is too long for the system.
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            walk(&path, out);
        } else if path.extension().is_some_and(known) && !is_report(&path) {
            out.push(path);
        }
    }
}

/// Whether this is a file of JSON lines other than a match, such as the output of `sanban analyze`.
fn is_report(path: &Path) -> bool {
    let lines = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("jsonl"));
    let mut start = [0; 8];
    let unread = lines && std::fs::File::open(path).and_then(|mut file| file.read_exact(&mut start)).is_err();
    lines && (unread || !start.starts_with(b"{\"match") && !start.starts_with(b"{\"pair"))
}

/// Converts a file. With `live`, each game is printed as soon as it is finished, and the result has no texts.
fn convert(args: &Args, bytes: &[u8], live: bool) -> Result<Converted, String> {
    let reader = Reader { format: args.from, game: args.game, repair: args.repair, strict: args.strict };
    let target = &args.to;
    let encoding = args.encoding.unwrap_or(target.encoding);
    let progress = args.repair.then(|| bar(0, COUNT));
    let mut out = Converted::default();
    let mut failed = None;
    let mut texts: Vec<Vec<u8>> = Vec::new();
    let mut each = |record: &Record| {
        if failed.is_some() {
            return;
        }
        out.games += 1;
        let (mut text, lacking) = match encoded(record, target.format, encoding) {
            Ok(encoded) => encoded,
            Err(error) => {
                failed = Some((out.games, error));
                return;
            }
        };
        out.lacking += lacking;
        out.lost = Some(out.lost.unwrap_or(Holds::empty()) | target.format.loses(record));
        if out.games > 1 {
            text.splice(0..0, target.format.between().iter().copied());
        }
        if !live {
            texts.push(text);
            return;
        }
        let print = || print_bytes(&text);
        let printed = progress.as_ref().map_or_else(print, |bar| bar.suspend(print));
        if let Err(Failure::Work(error) | Failure::Request(error)) = printed {
            failed = Some((out.games, error));
        }
    };
    let reading = match &progress {
        Some(bar) => {
            let mut judge = Search::new(args.time.unwrap_or(TIME), bar.clone());
            let reading = records::read_with(&reader, bytes, &mut judge, &mut each)?;
            bar.finish_and_clear();
            reading
        }
        None => records::read_with(&reader, bytes, &mut (), &mut each)?,
    };
    let many = reading.records.len() > 1;
    if let Some((game, error)) = failed {
        return Err(if many { format!("game {game}: {error}") } else { error });
    }
    if many && args.out.is_none() && !target.format.streams() {
        let (games, name) = (reading.records.len(), target.format.name());
        return Err(format!("{name} can contain only one game, not {games}: --out must name a directory"));
    }
    out.mends = reading.mends;
    out.warnings.extend(reading.warnings.iter().map(ToString::to_string));
    out.refused.extend(reading.refused.iter().map(ToString::to_string));
    out.texts = if target.format.holds_many() {
        vec![(String::new(), texts.concat())]
    } else {
        let name = |number: usize| if many { format!("-{}", number + 1) } else { String::new() };
        texts.into_iter().enumerate().map(|(number, text)| (name(number), text)).collect()
    };
    Ok(out)
}

fn encoded(record: &Record, format: Format, encoding: Encoding) -> Result<(Vec<u8>, usize), String> {
    let text = record::write_as(record, format, encoding).map_err(|error| error.to_string())?;
    Ok(record::encode(&text, encoding))
}

fn into_folder(args: &Args, file: &Path, out: &Path) -> Result<Converted, String> {
    let bytes = read_whole(file, LARGEST).map_err(|error| error.to_string())?;
    let converted = convert(args, &bytes, false).map_err(|error| named(file, &error))?;
    for (behind, text) in &converted.texts {
        let path = out.join(output_name(args, file, behind));
        if same_file(&path, file) {
            return Err(format!("{}: the output would replace the input", file.display()));
        }
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        }
        if read_whole(&path, LARGEST).is_ok_and(|old| old == *text) {
            clear_leftovers(&path);
            continue;
        }
        write_whole(&path, text, |_| args.overwrite).map_err(|error| match error.source.kind() {
            ErrorKind::AlreadyExists if path.is_file() => {
                format!(
                    "{}: a file with different content already exists (--overwrite replaces it)",
                    path.display()
                )
            }
            _ => error.to_string(),
        })?;
    }
    Ok(converted)
}

fn output_name(args: &Args, file: &Path, behind: &str) -> PathBuf {
    let mut name = file.file_stem().unwrap_or_default().to_owned();
    name.push(behind);
    name.push(".");
    name.push(&args.to.extension);
    folder_inside(&args.files, file).join(name)
}

/// The directory of a file, relative to the directory given on the command line.
pub(super) fn folder_inside<'a>(given: &[PathBuf], file: &'a Path) -> &'a Path {
    let inside = given.iter().find_map(|given| file.strip_prefix(given).ok());
    inside.and_then(Path::parent).unwrap_or(Path::new(""))
}

/// Reports the results; fails if a file failed.
fn summary(args: &Args, files: &[PathBuf], results: Vec<Result<Converted, String>>) -> Result<(), Failure> {
    let (mut games, mut lacking, mut done, mut failures) = (0, 0, 0, Vec::new());
    let mut lost: BTreeMap<&'static str, usize> = BTreeMap::new();
    for (file, result) in files.iter().zip(results) {
        match result {
            Ok(converted) => {
                done += 1;
                games += converted.games;
                lacking += converted.lacking;
                for word in converted.lost.map(Holds::words).unwrap_or_default() {
                    *lost.entry(word).or_default() += 1;
                }
                for sentence in converted.mends.iter().chain(&converted.warnings) {
                    note(&named(file, sentence));
                }
                failures.extend(converted.refused.iter().map(|error| named(file, error)));
            }
            Err(error) => failures.push(error),
        }
    }
    if !lost.is_empty() {
        let words: Vec<String> = lost
            .iter()
            .map(|(word, n)| if files.len() > 1 { format!("{word} (in {n} files)") } else { (*word).into() })
            .collect();
        note(&format!("{} cannot represent {}: omitted", args.to.format.name(), words.join(", ")));
    }
    if lacking > 0 {
        note(&format!("{lacking} characters that the encoding cannot represent are written as 〓"));
    }
    if files.len() > 1 {
        note(&format!("{done} of {} files converted, {games} games", files.len()));
    }
    conclude(failures)
}

/// Fails if two inputs would be written to the same file.
pub(super) fn distinct(names: impl Iterator<Item = PathBuf>) -> Result<(), Failure> {
    let mut seen = HashSet::new();
    for name in names {
        if let Some(twice) = Some(&name).filter(|name| !seen.insert((*name).clone())) {
            return Err(Failure::Request(format!("two files would be written to {}", twice.display())));
        }
    }
    Ok(())
}
