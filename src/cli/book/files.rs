//! Reads and writes book files, with a progress bar and with the path in error messages.

use super::super::bar::bar;
use super::super::failure::Failure;
use super::super::text::note;
use indicatif::ProgressBar;
use sanban_formats::book::{BookError, Collection, Format};
use sanban_rules::VariantId;
use std::path::Path;

/// The format implied by a file name.
pub(super) fn format_of(path: &Path) -> Result<Format, Failure> {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    match extension.to_ascii_lowercase().as_str() {
        "db" => Ok(Format::Db),
        "ybb" => Ok(Format::Ybb),
        "sbk" => Ok(Format::Sbk),
        "bin" => Ok(Format::Apery),
        _ => Err(Failure::Request(format!(
            "{}: expected a name that ends in .db, .ybb, .sbk or .bin",
            path.display()
        ))),
    }
}

/// A spinner for work of unknown length.
pub(super) fn spinner(what: &'static str) -> ProgressBar {
    let bar = bar(0, "{spinner} {msg}  {elapsed}").with_message(what);
    bar.enable_steady_tick(std::time::Duration::from_millis(200));
    bar
}

pub(super) fn read(path: &Path, game: VariantId) -> Result<Collection, Failure> {
    let bar = spinner("reading");
    let book = Collection::read(path, game).map_err(|error| failure(path, &error));
    bar.finish_and_clear();
    let book = book?;
    book.left_out().iter().for_each(|sentence| note(&format!("{}: {sentence}", path.display())));
    Ok(book)
}

pub(super) fn write(book: &Collection, path: &Path, format: Format) -> Result<(), Failure> {
    let bar = spinner("writing");
    let written = book.write(path, format).map_err(|error| failure(path, &error));
    bar.finish_and_clear();
    let left_out = written?;
    book.losses(format).iter().for_each(|loss| note(loss));
    if left_out > 0 {
        note(&format!("skipped: {left_out} positions with a missing king, which {format} cannot represent"));
    }
    note(&format!("{}: {} positions", path.display(), book.len()));
    Ok(())
}

/// Refuses a book in which a filter has left nothing, before anything is written.
pub(super) fn not_empty(book: &Collection, out: &Path) -> Result<(), Failure> {
    if !book.is_empty() {
        return Ok(());
    }
    Err(Failure::Request(format!("{}: the filters leave no position; nothing was written", out.display())))
}

/// The error of a file as a failure with its path.
pub(super) fn failure(path: &Path, error: &BookError) -> Failure {
    let sentence = format!("{}: {error}", path.display());
    match error {
        BookError::Io(error) => Failure::system(sentence, error),
        _ => Failure::Request(sentence),
    }
}
