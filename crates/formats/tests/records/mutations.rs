//! Records in every format with inserted characters. The characters are kept in the record or reported, or the record
//! is rejected.

use crate::random;
use sanban_formats::record::{Format, Reader, Record, write};
use sanban_rules::{Rng, VariantId};

/// Number of changed records per format, unless `RECORD_MUTATIONS` is set.
const TEXTS: usize = 400;
/// Characters to insert: some that no record contains, and some that may occur in records.
const FOREIGN: [&str; 8] = ["Ω", "?!", "歩", "7", "▲", "x", ":", "\""];

/// Returns whether a line names the program or the format, so that it is not part of the game.
fn is_signature(line: &str) -> bool {
    ["#KIF", "#KI2", "'CSA", "V2", "V3"].iter().any(|word| line.starts_with(word))
}

fn vanishes(records: &[Record], changed: &str, reader: &Reader) -> bool {
    match reader.read_text(changed) {
        Ok(reading) => {
            reading.warnings.is_empty() && reading.refused.is_empty() && reading.records == records
        }
        Err(_) => false,
    }
}

fn mutate(format: Format, mut record: impl FnMut() -> Record) {
    let count = std::env::var("RECORD_MUTATIONS").ok().and_then(|text| text.parse().ok()).unwrap_or(TEXTS);
    let mut rng = Rng::new(2027);
    let mut vanished = Vec::new();
    let mut done = 0;
    while done < count {
        let record = record();
        let Ok(text) = write(&record, format) else { continue };
        let reader = Reader { format: Some(format), game: Some(record.game), ..Reader::default() };
        let whole = reader.read_text(&text).expect("the written record");
        assert!(whole.warnings.is_empty(), "{:?}\n{text}", whole.warnings);
        let places: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
        for _ in 0..10 {
            done += 1;
            let at = places[rng.below(places.len())];
            let line =
                text[text[..at].rfind('\n').map_or(0, |end| end + 1)..].lines().next().unwrap_or_default();
            let foreign = FOREIGN[rng.below(FOREIGN.len())];
            // Signatures are not part of the game. On other lines, only characters without any meaning must be
            // reported.
            if is_signature(line) {
                continue;
            }
            let changed = format!("{}{foreign}{}", &text[..at], &text[at..]);
            let known = foreign != "Ω" && foreign != "?!";
            if !known && vanishes(&whole.records, &changed, &reader) {
                vanished.push(format!("{foreign} at byte {at} of {line}"));
            }
            // Reading must not panic.
            let _ = reader.read_text(&changed);
            let rest: String = text[..at].chars().chain(text[at..].chars().skip(1 + rng.below(40))).collect();
            let _ = reader.read_text(&rest);
        }
    }
    assert!(
        vanished.is_empty(),
        "{}: {} of {done} vanish\n{}",
        format.name(),
        vanished.len(),
        vanished.join("\n")
    );
}

#[test]
fn nothing_foreign_vanishes_from_records_of_shogi() {
    for format in Format::ALL.into_iter().filter(|format| format.suits(VariantId::Shogi)) {
        let mut rng = Rng::new(77);
        mutate(format, || random::shogi(&mut rng));
    }
}

#[test]
fn nothing_foreign_vanishes_from_records_of_janggi() {
    for format in [Format::Gib, Format::Usi] {
        let mut rng = Rng::new(78);
        mutate(format, || {
            random::other(VariantId::JanggiCasual, &mut rng, &[VariantId::JanggiCasual.info().start], true)
        });
    }
}
