//! Scanned openings and games in Western notation.

use sanban_formats::record::{Board, End, Format, Judge, Reader, read, western_text, write};
use sanban_rules::shogi::{Position, START};
use std::time::Duration;

const OPENINGS: &[u8] = include_bytes!("../data/western-openings-scanned.txt");
const GAMES: [&[u8]; 2] = [
    include_bytes!("../data/western-game-1-scanned.txt"),
    include_bytes!("../data/western-game-2-scanned.txt"),
];

fn repair() -> Reader {
    Reader { format: Some(Format::Western), repair: true, ..Reader::default() }
}

/// Fourteen scanned openings with misread letters and numbers out of order.
#[test]
fn scanned_openings_are_mended_and_survive_every_format() {
    let strict = Reader { strict: true, ..Reader::default() };
    let error = strict.read(OPENINGS).expect_err("Plg-lf is not a move");
    assert_eq!((error.line, error.column), (1, 168));
    let reading = Reader { repair: true, ..Reader::default() }.read(OPENINGS).expect("the openings");
    let lengths: Vec<usize> = reading.records.iter().map(|record| record.moves().len()).collect();
    assert_eq!(lengths, [26, 26, 28, 24, 24, 24, 28, 28, 26, 24, 24, 28, 22, 24]);
    assert_eq!(reading.mends.len(), 9, "{:#?}", reading.mends);
    assert!(reading.mends.contains(&"line 6, column 22: P7q-7f read as P7f".to_string()));
    for record in &reading.records {
        for format in
            Format::ALL.into_iter().filter(|&format| format.suits(record.game) && format != Format::Bod)
        {
            let text = write(record, format).expect("legal moves");
            let back = read(text.as_bytes()).expect("the written record");
            assert_eq!(back[0].moves(), record.moves(), "{format:?}");
        }
    }
}

/// Without repair, the readable moves are kept, and reading fails at the first unreadable move.
#[test]
fn readable_moves_come_out_without_repair() {
    let reading = Reader::default().read(OPENINGS).expect("the readable moves");
    assert_eq!(reading.records[0].moves().len(), 20);
    let error = &reading.refused[0];
    assert_eq!((error.line, error.column), (1, 168), "{error}");
    let reading = Reader::default().read(GAMES[0]).expect("the readable moves");
    let record = &reading.records[0];
    assert!(record.tree.comment(record.tree.root()).contains("2.P2f P8e"));
    assert!(reading.refused[0].problem.starts_with("missing moves: 1, 3 to 5"), "{}", reading.refused[0]);
}

/// If too many moves are missing, the readable parts are kept as text, and the missing numbers are reported.
#[test]
fn parts_of_a_lost_game_come_out() {
    let reading = Reader { repair: true, format: Some(Format::Western), ..Reader::default() }.read(GAMES[0]);
    let reading = reading.expect("the readable parts");
    let record = &reading.records[0];
    assert!(record.tree.comment(record.tree.root()).contains("6.Sx7g S4b"));
    assert!(reading.refused[0].problem.contains("1, 3 to 5"), "{}", reading.refused[0]);
}

/// A judge that does not rate moves, with a time limit that is sufficient on any machine.
struct Patient;

impl Judge for Patient {
    fn time(&mut self, _left: usize) -> Duration {
        Duration::from_secs(60)
    }
}

/// The second scanned game: 21 of its 66 pairs of moves are missing. In the restored game, all moves are legal, and
/// every readable move is in its place.
#[test]
fn the_second_scanned_game_is_restored() {
    let reading = repair().read_with(GAMES[1], &mut Patient, &mut |_| ()).expect("a game");
    let record = &reading.records[0];
    let mut pos = Position::from_sfen(START).expect("the start position");
    let mut words = vec![];
    for mv in record.moves() {
        assert!(pos.is_legal(mv), "{}", Position::usi(mv));
        words.push(western_text(&Board::from_sfen(&pos.sfen()).expect("a position"), mv).expect("a move"));
        pos.make(mv, &mut ());
    }
    assert_eq!((words.len(), record.end()), (131, Some(&End::Resign)));
    // The text without the marks of captures and dashes, and with `1` for a misread `l`.
    let plain = |word: &str| {
        word.replace("Pl", "P1").replace('*', "'").chars().filter(|c| !"x-".contains(*c)).collect::<String>()
    };
    let text = std::str::from_utf8(GAMES[1]).expect("text");
    let mut seen = 0;
    for row in text.split_whitespace().filter(|word| word.contains('.')) {
        let Some((number, first)) = row.split_once('.') else { continue };
        let Ok(number) = number.parse::<usize>() else { continue };
        let after = &text[row.as_ptr() as usize - text.as_ptr() as usize + row.len()..];
        let second = after.split_whitespace().next().unwrap_or_default();
        for (word, found) in [first, second].into_iter().zip(words.iter().skip(2 * number - 2)) {
            assert_eq!(word.contains('x'), found.contains('x'), "{number}: {word} became {found}");
            let (word, found) = (plain(word), plain(found));
            let same = word == found
                || word.len() > found.len() && word.starts_with(&found[..1]) && word.ends_with(&found[1..])
                || found.len() > word.len() && found.starts_with(&word[..1]) && found.ends_with(&word[1..]);
            assert!(same, "{number}: {word} became {found}");
            seen += 1;
        }
    }
    assert!(seen > 90, "{seen}");
}

/// Scans have different characters for dashes and for the marks of drops and captures.
#[test]
fn marks_of_scans_are_repaired() {
    let start = "1.P7f P3d 2.Bx2b+ Sx2b 3.";
    for drop in ["B\u{2018}4e", "B\u{2019}4e", "B\u{2032}4e", "B\u{b4}4e", "B\"4e", "B,4e", "B*4e", "b'4e"] {
        let reading = repair().read_text(&format!("{start}{drop}")).expect("a game");
        assert_eq!(reading.records[0].moves().len(), 5, "{drop}");
    }
    for capture in ["B\u{d7}2b+", "B:2b+", "B,x2b+", "B8h\u{2013}2b+", "B8h\u{2014}2b+", "b8hx2b+"] {
        let reading = repair().read_text(&format!("1.P7f P3d 2.{capture} Sx2b")).expect("a game");
        assert_eq!(reading.records[0].moves().len(), 4, "{capture}");
    }
}

/// A whole document with prose around its games.
#[test]
fn prose_around_games_is_left_out() {
    let text = "Notation (e.g. P2f). A capture is an x (e.g. Px3c).\n\nOpenings\n\n#1 1.P7f P3d 2.P2f P4d\n\nFor the end:\n\
                #2 1.P2f P8d\nGood luck to you.\n";
    let reading = repair().read_text(text).expect("two games");
    let lengths: Vec<usize> = reading.records.iter().map(|record| record.moves().len()).collect();
    assert_eq!(lengths, [4, 2], "{:#?}", reading.mends);
    assert!(reading.mends.iter().any(|mend| mend.contains("prose")), "{:#?}", reading.mends);
}
