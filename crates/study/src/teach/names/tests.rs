//! Tests the names found in whole games.

use super::*;
use sanban_formats::record::Reader;
use std::collections::BTreeSet;
use std::path::Path;

fn names_of(start: Option<&str>, moves: &[Move]) -> Vec<(Color, &'static str, usize)> {
    let mut namer = Namer::new(Table::built_in(), start).expect("a position");
    moves
        .iter()
        .flat_map(|&mv| namer.play(mv).expect("a move that can be made"))
        .map(|found| (found.side, found.name.id.as_str(), found.ply))
        .collect()
}

#[test]
fn the_scanned_openings_have_names() {
    use Color::{Black, White};
    // A published package does not contain the other crates.
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates");
    if !crates.exists() {
        return;
    }
    let text = std::fs::read_to_string(crates.join("formats/tests/data/western-openings-scanned.txt"));
    let text = text.expect("the text of the openings");
    let reading = Reader { repair: true, ..Reader::default() }.read_text(&text).expect("the openings");
    let expected: [&[(Color, &str)]; 14] = [
        &[(White, "third-file-rook"), (White, "mino"), (Black, "boat")],
        &[(White, "snow-roof-opening"), (White, "central-rook")],
        &[(White, "fourth-file-rook"), (White, "mino"), (Black, "slow-against-ranging")],
        &[(White, "third-file-rook"), (Black, "climbing-gold")],
        &[(White, "fourth-file-rook"), (White, "mino"), (Black, "fifth-vanguard")],
        &[(White, "fourth-file-rook"), (White, "mino"), (Black, "rapid-against-fourth"), (Black, "boat")],
        &[(White, "fourth-file-rook"), (White, "mino"), (Black, "top-knot-mino")],
        &[(White, "snow-roof-opening")],
        &[(Black, "double-wing"), (White, "double-wing")],
        &[(Black, "yagura"), (White, "yagura")],
        &[(Black, "yagura"), (White, "fifth-file-attack")],
        &[(Black, "double-wing"), (Black, "vertical-pawn")],
        &[(Black, "double-wing"), (White, "double-wing")],
        &[(Black, "yagura"), (White, "yagura")],
    ];
    for (number, (record, expected)) in reading.records.iter().zip(expected).enumerate() {
        let found = names_of(record.start.as_deref(), &record.moves());
        let told: BTreeSet<(usize, &str)> = found.iter().map(|&(side, id, _)| (side.index(), id)).collect();
        for &(side, id) in expected {
            assert!(
                told.contains(&(side.index(), id)),
                "opening {}: {side:?} {id} is not in {found:?}",
                number + 1
            );
        }
    }
}

#[test]
fn set_ups_of_janggi_have_names() {
    let start = sanban_rules::janggi::START;
    let korean = |sfen: &str, side| janggi_set_up(sfen, side).map(|names| names[2]);
    assert_eq!(korean(start, Color::Black), Some("안상차림"));
    let mixed = start.replace("RNBA1ABNR", "RBNA1ABNR").replace("rnba1abnr", "rbna1abnr");
    // Left for one side is right for the other.
    assert_eq!(korean(&mixed, Color::Black), Some("왼상차림"));
    assert_eq!(korean(&mixed, Color::White), Some("오른상차림"));
    assert_eq!(janggi_set_up("4k4/9/9/9/9/9/9/9/9/4K4 b - 1", Color::Black), None);
}

/// Parses a move given by square numbers, or a drop such as `P*47`.
fn move_of(text: &str) -> Move {
    let square = |text: &str| {
        let digit = |at: usize| usize::from(text.as_bytes()[at] - b'1');
        digit(0) * 9 + digit(1)
    };
    match text.split_once('*') {
        Some((letter, to)) => {
            let kind = Kind::from_letter(letter.as_bytes()[0]).expect("a piece");
            Move::drop(kind.index(), square(to))
        }
        None if text.ends_with('+') => Move::promotion(square(text), square(&text[2..])),
        None => Move::board(square(text), square(&text[2..])),
    }
}

#[test]
fn a_king_that_stays_at_home_until_the_fight_has_a_name() {
    let sits = |moves: &[&str]| {
        let moves: Vec<Move> = moves.iter().map(|mv| move_of(mv)).collect();
        let found = names_of(Some("4k4/9/7s1/9/9/9/9/7R1/4K4 b - 1"), &moves);
        found.iter().any(|&(side, id, _)| side == Color::Black && id == "sitting-king")
    };
    assert!(sits(&["2823+"]));
    assert!(!sits(&["2824"]));
    assert!(!sits(&["5948", "5141", "2823+"]));
    assert!(!sits(&["5948", "5141", "4859", "4151", "2823+"]));
}

/// Returns whether a name is found for Black when these moves are made.
fn has_name(start: &str, moves: &str, id: &str) -> bool {
    let moves: Vec<Move> = moves.split(' ').map(move_of).collect();
    names_of(Some(start), &moves).iter().any(|&(side, found, _)| (side, found) == (Color::Black, id))
}

#[test]
fn the_rapid_yagura_of_yonenaga_is_played_against_yagura_with_the_bishops_at_home() {
    let yonenaga = |white: &str, home: &str, hands: &str| {
        let start = format!("4k4/9/{white}/9/9/3S5/3P1P3/{home}G4R1/4K4 b {hands} 1");
        has_name(&start, "4746", "yonenaga")
    };
    assert!(yonenaga("6s2", "1B", "-"));
    assert!(!yonenaga("9", "1B", "-"));
    assert!(!yonenaga("6s2", "2", "Bb"));
}

#[test]
fn what_was_a_yagura_does_not_become_a_bishop_exchange() {
    let exchanged = |silvers: &str| {
        let start = format!("4k4/1r4s2/6b2/9/4B4/2PP2P2/{silvers}/2G4R1/4K4 b - 1");
        let name = |id: &str| has_name(&start, "5948 5141 5533 3233 5746", id);
        (name("yagura"), name("exchange-rapid"))
    };
    assert_eq!(exchanged("2S1S4"), (true, false));
    assert_eq!(exchanged("3SS4"), (false, true));
}

/// Some formations differ by only one piece.
#[test]
fn castles_that_look_alike_are_told_apart() {
    let castles = |ranks: &str, last: &str| -> Vec<&str> {
        let start = format!("4k4/9/9/9/9/9/PPPPPPPPP/{ranks} b - 1");
        let found = names_of(Some(&start), &[move_of(last)]);
        found.into_iter().filter(|found| found.0 == Color::Black).map(|found| found.1).collect()
    };
    // Beside the king on 3h, a silver or a gold.
    assert_eq!(castles("5S3/LNSG1GKNL", "3938"), ["quick"]);
    assert_eq!(castles("6K2/LNSG1GSNL", "4948"), ["three-move"]);
    // The other gold on 5h, 4g or 5i.
    assert_eq!(castles("3G2SK1/LNS2G1NL", "6858"), ["half-mino", "mino"]);
    assert_eq!(castles("3G2SK1/LNS2G1NL", "6869"), ["half-mino"]);
}

/// A name waits until other openings that begin alike are excluded.
#[test]
fn names_are_certain_when_they_are_given() {
    let named = |moves: &str, id: &str| {
        let moves: Vec<Move> = moves.split(' ').map(move_of).collect();
        names_of(None, &moves).iter().any(|&(_, found, _)| found == id)
    };
    let primitive = "5756 3334 2858";
    assert!(!named(primitive, "primitive-central"));
    assert!(!named(&format!("{primitive} 8384 7776"), "primitive-central"));
    assert!(named(&format!("{primitive} 8384 3948 8485 4857"), "primitive-central"));
    let exchange = "7776 3334 8822+ 3122";
    assert!(!named(&format!("{exchange} B*45"), "bishop-exchange"));
    assert!(named(&format!("{exchange} B*45"), "wrong-diagonal"));
    assert!(named(&format!("{exchange} 7988"), "bishop-exchange"));
    assert!(named("7776 3334 8977", "onigoroshi"));
    assert!(named("7776 8384 8977", "onigoroshi"));
    assert!(!named("7776 3334 8786 8384 8977", "onigoroshi"));
    let bear = |rook: &str, ranks: &str, id: &str| {
        let start = format!("4k4/{rook}/9/9/9/2PP5/PP2PPPPP/{ranks} b - 1");
        has_name(&start, "3736", id)
    };
    let yagura = |rook: &str| {
        let start = format!("4k4/{rook}/9/9/9/2PP5/PP1GPPPPP/LSG4R1/KN7 b - 1");
        has_name(&start, "3736", "yagura-bear")
    };
    assert!(yagura("1r7") && !yagura("4r4"));
    assert!(bear("4r4", "LS2G2R1/KNG6", "bear"));
}

/// At least nine in ten labels of a public collection are found for the same side.
#[test]
fn names_agree_with_labels_of_others() {
    let mut labels = Vec::new();
    let (mut agreed, mut missed) = (0, Vec::new());
    for row in include_str!("../../../../../tests/data/names.txt").lines().filter(|row| !row.starts_with('#'))
    {
        if let Some((side @ ("b" | "w"), label)) = row.split_once(' ') {
            labels.push((if side == "b" { Color::Black } else { Color::White }, label));
            continue;
        }
        let moves: Vec<Move> = row.split(' ').map(move_of).collect();
        let found = names_of(None, &moves);
        for (side, label) in labels.drain(..) {
            let same = |id: &str| Table::built_in().get(id).is_some_and(|name| name.japanese == label);
            if found.iter().any(|&(owner, id, _)| owner == side && same(id)) {
                agreed += 1;
            } else {
                missed.push((label, side, found.clone()));
            }
        }
    }
    assert!(10 * missed.len() <= agreed + missed.len(), "{agreed} agreed, missed: {missed:#?}");
}
