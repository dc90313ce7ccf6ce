//! What a scan has left of openings and games in Western notation.

use sanban::formats::record::{Format, Reader, read, write};

/// Fourteen openings as a scan has left them: some letters are others, some numbers out of order.
#[test]
fn scanned_openings_are_mended_and_survive_every_format() {
    let bytes = include_bytes!("../data/western-openings-scanned.txt");
    let error = read(bytes).expect_err("Plg-lf is no move");
    assert_eq!((error.line, error.column), (1, 168));
    let reading = Reader { repair: true, ..Reader::default() }.read(bytes).expect("all of it");
    let lengths: Vec<usize> = reading.records.iter().map(|record| record.moves().len()).collect();
    assert_eq!(lengths, [26, 26, 28, 24, 24, 24, 28, 28, 26, 24, 24, 28, 22, 24]);
    assert_eq!(reading.mends.len(), 9, "{:#?}", reading.mends);
    assert!(reading.mends.contains(&"line 6, column 22: P7q-7f read as P7f".to_string()));
    for record in &reading.records {
        for format in
            Format::ALL.into_iter().filter(|&format| format.suits(record.game) && format != Format::Bod)
        {
            let text = write(record, format).expect("legal moves");
            let back = read(text.as_bytes()).expect("what was written");
            assert_eq!(back[0].moves(), record.moves(), "{format:?}");
        }
    }
}

/// Whole games of which a scan has lost most of the opening: no repair can know the moves, and it says which are lost.
#[test]
fn games_with_too_many_holes_are_refused_with_what_is_lost() {
    let repair = Reader { format: Some(Format::Western), repair: true, ..Reader::default() };
    for (text, lost) in [
        (
            &include_bytes!("../data/western-game-1-scanned.txt")[..],
            "1, 3 to 5, 7, 8, 10, 12, 14 to 16, 18 to 20, 22 to 24, 26 to 28, 31, 32, 34 to 36, 38 to 40, 42 to 45, \
             47 to 49, 51 to 53 and 55, 56",
        ),
        (
            &include_bytes!("../data/western-game-2-scanned.txt")[..],
            "1, 3 to 5, 7, 8, 10 to 12, 14 to 16, 18 to 20, 57, 59 and 61 to 64",
        ),
    ] {
        let error = repair.read(text).expect_err("number 1 is missing");
        let problem = format!("the moves of number {lost} are lost, and what follows does not tell them");
        assert_eq!(error.problem, problem);
    }
}

/// Numbers that are lost together with their moves come back where the other moves leave one reading only.
#[test]
fn lost_numbers_are_told_from_what_follows() {
    let openings = include_str!("../data/western-openings-scanned.txt");
    let repair = Reader { format: Some(Format::Western), repair: true, ..Reader::default() };
    let mut mended = 0;
    for (number, opening) in openings.lines().take(4).enumerate() {
        let whole = repair.read_text(opening).expect("an opening").records.remove(0);
        let rows: Vec<&str> = opening.split_inclusive(' ').collect();
        // Each number with its two moves in turn.
        for at in (1..rows.len() - 2).step_by(2) {
            let text = [&rows[..at], &rows[at + 2..]].concat().concat();
            let Ok(reading) = repair.read_text(&text) else { continue };
            // Moves behind a gap that nobody misses are those of a game that was counted wrongly.
            if reading.records[0].moves().len() == whole.moves().len() {
                assert_eq!(reading.records[0].moves(), whole.moves(), "opening {}: {text}", number + 1);
                assert!(reading.mends.iter().any(|mend| mend.ends_with("nothing else fits")), "{text}");
                mended += 1;
            }
        }
    }
    println!("{mended} numbers come back");
    assert!(mended > 5, "{mended}");
}
