//! Random games are converted between every pair of formats: read from one, written in the other, and read back.
//!
//! `RECORD_GAMES=1000 cargo test --release -p sanban-formats --test records pairs` converts a thousand games for every
//! pair.

use crate::random;
use sanban_formats::record::{Format, Reader, Record, write};
use sanban_rules::{Rng, VariantId};

/// Number of games for every pair, unless `RECORD_GAMES` is set.
const GAMES: usize = 100;

fn games() -> usize {
    std::env::var("RECORD_GAMES").ok().and_then(|text| text.parse().ok()).unwrap_or(GAMES)
}

/// The first lines in which two records differ.
fn difference(one: &Record, two: &Record) -> String {
    // The records are compared in the most expressive format.
    let most = [Format::Kif, Format::Gib, Format::Usi].into_iter().find(|format| format.suits(one.game));
    let text = |record| write(record, most.expect("a format")).expect("moves that can be made");
    let [one, two] = [one, two].map(text);
    let pairs = one.lines().zip(two.lines()).enumerate().filter(|(_, (one, two))| one != two);
    let shown: Vec<String> = pairs.take(3).map(|(n, (one, two))| format!("{n}: {one} | {two}")).collect();
    format!("{} | {} lines\n{}", one.lines().count(), two.lines().count(), shown.join("\n"))
}

/// Writes a record, reads it back, and compares everything that the format can represent.
fn through(record: &Record, format: Format, what: &str) -> Record {
    let text = write(record, format).unwrap_or_else(|error| panic!("{what}: {error}"));
    let reader = Reader { game: Some(record.game), ..Reader::default() };
    let mut back = reader.read_text(&text).unwrap_or_else(|error| panic!("{what}: {error}\n{text}")).records;
    assert_eq!(back.len(), 1, "{what}\n{text}");
    let expected = record.reduced(format.holds());
    assert!(back[0] == expected, "{what}\n{text}\n{}", difference(&back[0], &expected));
    back.remove(0)
}

fn through_every_pair(game: VariantId, mut record: impl FnMut() -> Record) {
    for number in 0..games() {
        let record = record();
        // A diagram has only one position, and PGN no position that breaks the rules.
        let holds = |format| match format {
            Format::Bod => false,
            Format::Pgn => record.start_position().is_ok(),
            _ => true,
        };
        let formats = || Format::ALL.into_iter().filter(|&format| holds(format) && format.suits(game));
        for one in formats() {
            let back = through(&record, one, &format!("{game} {number}: {}", one.name()));
            for two in formats() {
                through(&back, two, &format!("{game} {number}: {} to {}", one.name(), two.name()));
            }
        }
    }
}

#[test]
fn shogi() {
    let mut rng = Rng::new(2024);
    through_every_pair(VariantId::Shogi, || random::shogi(&mut rng));
}

/// All four set-ups of each side.
#[test]
fn janggi() {
    let wings = ["NBNB", "NBBN", "BNNB", "BNBN"];
    let row = |wings: &str| format!("R{}A1A{}R", &wings[..2], &wings[2..]);
    let starts: Vec<String> = (0..16)
        .map(|n| {
            let (black, white) = (row(wings[n / 4]), row(wings[n % 4]).to_ascii_lowercase());
            format!("{white}/4k4/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/4K4/{black} b - 1")
        })
        .collect();
    let starts: Vec<&str> = starts.iter().map(String::as_str).collect();
    let mut rng = Rng::new(2025);
    through_every_pair(VariantId::JanggiCasual, || {
        random::other(VariantId::JanggiCasual, &mut rng, &starts, true)
    });
}

#[test]
fn dobutsu() {
    let mut rng = Rng::new(2026);
    through_every_pair(VariantId::Dobutsu, || {
        random::other(VariantId::Dobutsu, &mut rng, &[VariantId::Dobutsu.info().start], false)
    });
}
