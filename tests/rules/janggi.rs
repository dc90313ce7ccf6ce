//! The rules of Janggi: move lists, one test per rule, and invalid input.

use sanban::rules::janggi::{Position, Rules, START};
use sanban::rules::perft::plain;
use sanban::rules::{AnyPosition, Move, Position as _, Rules as _, VariantId, Verdict, uci};
use std::collections::BTreeSet;

fn rules(settings: &[(&str, &str)]) -> Rules {
    let mut rules = Rules::default();
    for (name, value) in settings {
        rules.set(name, value).unwrap_or_else(|e| panic!("{e}"));
    }
    rules
}

/// The position after these moves, under these settings.
fn play(settings: &[(&str, &str)], sfen: &str, moves: &str) -> Position {
    let mut pos = Position::from_sfen(sfen).unwrap_or_else(|e| panic!("{sfen}: {e}"));
    pos.set_rules(&rules(settings));
    for text in moves.split_whitespace() {
        let mv = pos.parse_usi(text).unwrap_or_else(|| panic!("{text} in {pos}"));
        pos.make(mv, &mut ());
    }
    pos
}

fn literal(sfen: &str, moves: &str) -> Position {
    play(&[], sfen, moves)
}

fn casual(sfen: &str, moves: &str) -> Position {
    casual_with(&[], sfen, moves)
}

fn casual_with(settings: &[(&str, &str)], sfen: &str, moves: &str) -> Position {
    play(&[&[("Janggi_Pass", "free")], settings].concat(), sfen, moves)
}

fn words(text: &str) -> BTreeSet<String> {
    text.split_whitespace().map(str::to_string).collect()
}

fn legal(pos: &Position) -> BTreeSet<String> {
    let moves = pos.legal_moves();
    moves.into_iter().map(Position::usi).collect()
}

/// Destinations of the piece on a square.
fn reach(sfen: &str, from: &str) -> String {
    let moves = legal(&literal(sfen, ""));
    moves.iter().filter_map(|mv| mv.strip_prefix(from)).collect::<Vec<_>>().join(" ")
}

#[test]
fn a_forced_pass_counts_as_its_reference_does() {
    // Under the forced rule, a side may pass only if it has no other move.
    let cases = [
        (START, [31, 961, 30_353]),
        ("1n1kaabn1/cr2N4/5C1c1/p1pNp3p/9/9/P1PbP1P1P/3r1p3/4A4/R1BA1KB1R w - 1", [2, 59, 2498]),
        ("2ba1Rb2/3r3n1/1cn1k4/2p1p4/p8/7p1/1PP3P2/NC5C1/5R3/2BAKA1N1 b - 1", [50, 1596, 74_224]),
        ("1n3a1R1/3a5/3k1b3/1C3p3/pB7/1c5r1/9/1C7/4R4/1N1AKA1N1 b - 1", [39, 1045, 39_814]),
        ("3ak4/2P6/3P1R3/9/1b6n/2N4n1/9/p2r5/p2A1A3/3KC1b2 b - 1", [37, 840, 28_143]),
        ("4k4/c7R/9/3R1R3/9/9/9/9/9/3K5 w - 1", [1, 45, 75]),
        ("3Ra4/C4a3/r3k1c2/9/8p/7C1/9/3A1c3/3KA4/5Np2 b - 1", [30, 763, 18_699]),
        ("6bn1/3a4r/3kcR3/1C3p3/2p1p2cp/9/1PPPN1P1P/7C1/4K3R/2BA1ABN1 b - 1", [42, 922, 37_353]),
    ];
    for (sfen, counts) in cases {
        let mut pos = play(&[("Janggi_Pass", "forced")], sfen, "");
        for (depth, nodes) in (1..).zip(counts) {
            assert_eq!(plain(&mut pos, depth), nodes, "{sfen} depth {depth}");
        }
    }
}

/// Converts moves in the notation a1 to i10 of other programs to USI notation.
fn translate(moves: &str) -> BTreeSet<String> {
    let text = |mv: &str| {
        let (mut out, mut chars) = (String::new(), mv.chars().peekable());
        while let Some(file) = chars.next() {
            let mut rank = 0;
            while let Some(digit) = chars.peek().and_then(|c| c.to_digit(10)) {
                rank = 10 * rank + digit as u8;
                chars.next();
            }
            out.push(char::from(b'1' + (b'i' - file as u8)));
            out.push(char::from(b'a' + (10 - rank)));
        }
        out
    };
    moves.split_whitespace().map(text).collect()
}

#[test]
fn move_lists_are_those_of_the_reference() {
    let cases = [
        (
            "2Pa4P/4P1N2/3kNn1C1/9/9/b2r5/7n1/3B5/3cAR3/3CK4 b - 1",
            "d1f1 d1g1 d1h1 d1i1 d1f3 e1f1 e2e3 e2d2 e2f3 e2f1 f2f3 f2f4 f2f5 f2f6 f2f7 f2f8 f2f1 f2g2 f2h2 f2i2
             d3f6 d3b6 d3g5 d3a5 d3a1 e8f6 e8d6 h8h3 h8h2 h8h1 e9e10 e9f9 e9d9 e9d10 e9f10 g9h7 g9f7 g9i8 g9e10
             c10d10 c10b10 i10h10",
        ),
        (
            "3rk4/9/3P5/9/9/6pn1/5cP1P/1r7/3AKA2b/3cp4 w - 1",
            "d1d3 d1d4 d1d5 d1d6 d1d7 d1d8 d1f1 d1g1 d1h1 d1i1 d1f3 e1f1 b3b4 b3b5 b3b6 b3b7 b3b8 b3b9 b3b10 b3b2
             b3b1 b3c3 b3d3 b3e3 b3f3 b3g3 b3h3 b3i3 b3a3 f4f1 f4h4 f4i4 g5g4 g5f5 h5i7 h5g7 h5i3 h5g3 d10d9 d10d8
             d10c10 d10b10 d10a10 d10e9 d10f8 e10f10",
        ),
        (
            "5r2C/3N1k3/4ba3/2R6/1c3P3/9/3c3N1/3pA3p/3A1K3/6n2 w - 1",
            "g1h3 g1f3 g1i2 g1e2 d3d2 d3e3 d3c3 d3e2 i3i2 i3h3 d4d10 d4d2 d4i4 b6g6 b6h6 b6i6 e8c5 e8b10 f8e9 f9e9
             f10g10 f10h10 f10i10 f10e10 f10d10 f10c10 f10b10 f10a10 f10e9 f10d8",
        ),
        (
            "3Ra4/C4a3/r3k1c2/9/8p/7C1/9/3A1c3/3KA4/5Np2 b - 1",
            "f1g3 f1e3 e2e3 e2e1 e2f2 e2f3 e2d1 d3e3 a9a7 a9a6 a9a5 a9a4 a9a3 a9a2 a9a1 a9g9 a9h9 a9i9 d10d9 d10d8
             d10d7 d10d6 d10d5 d10d4 d10e10 d10c10 d10b10 d10a10 d10e9 d10f8 d2d2",
        ),
    ];
    for (sfen, moves) in cases {
        assert_eq!(legal(&literal(sfen, "")), translate(moves), "{sfen}");
    }
}

#[test]
fn generals_and_guards_walk_along_the_lines_of_their_palace() {
    // Both generals are out of the way; the piece is on the centre, on a corner, or in the middle of an edge.
    assert_eq!(reach("3k5/9/9/9/9/9/9/9/4A4/3K5 b - 1", "5i"), "4h 4i 4j 5h 5j 6h 6i");
    assert_eq!(reach("3k5/9/9/9/9/9/9/5A3/9/3K5 b - 1", "4h"), "4i 5h 5i");
    assert_eq!(reach("3k5/9/9/9/9/9/9/9/5A3/3K5 b - 1", "4i"), "4h 4j 5i");
    assert_eq!(reach("3k5/9/9/9/9/9/9/9/5K3/9 b - 1", "4i"), "4h 4j 5i");
}

#[test]
fn legs_and_eyes_stop_horses_and_elephants() {
    assert_eq!(reach("4k4/9/9/9/4N4/9/9/9/9/3K5 b - 1", "5e"), "3d 3f 4c 4g 6c 6g 7d 7f");
    assert_eq!(reach("4k4/9/9/4p4/4N4/9/9/9/9/3K5 b - 1", "5e"), "3d 3f 4g 6g 7d 7f");
    assert_eq!(reach("4k4/9/9/9/4B4/9/9/9/9/3K5 b - 1", "5e"), "2c 2g 3b 3h 7b 7h 8c 8g");
    // One leg (5d) and one eye (3f) are taken.
    assert_eq!(reach("4k4/9/9/4p4/4B4/6p2/9/9/9/3K5 b - 1", "5e"), "2c 3h 7h 8c 8g");
}

#[test]
fn chariots_slide_along_the_diagonals_of_either_palace() {
    // A chariot goes from a corner through the centre to the corner beyond, or up to a piece on the centre.
    let corner = reach("4k4/9/3R5/9/9/9/9/9/9/3K5 b - 1", "6c");
    assert!(corner.contains("5b") && corner.contains("4a"), "{corner}");
    let blocked = reach("5k3/4a4/3R5/9/9/9/9/9/9/4K4 b - 1", "6c");
    assert!(blocked.contains("5b") && !blocked.contains("4a"), "{blocked}");
    // It can also do so in its own palace, but never from the middle of an edge.
    let centre = reach("3k5/9/9/9/9/9/9/9/4R4/5K3 b - 1", "5i");
    assert!(["4h", "6h", "6j"].iter().all(|to| centre.contains(to)) && !centre.contains("4j"), "{centre}");
    let edge = reach("3k5/9/9/9/9/9/9/4R4/9/5K3 b - 1", "5h");
    assert!(!edge.contains("4i") && !edge.contains("6i"), "{edge}");
}

#[test]
fn a_cannon_needs_one_screen_that_is_no_cannon_and_takes_none() {
    // Without a screen there is no move.
    assert_eq!(reach("4k4/9/9/9/9/1C7/9/9/9/3K5 b - 1", "8f"), "");
    // A cannon jumps over a soldier and goes up to and including the next piece; it cannot jump over two pieces.
    assert_eq!(reach("4k4/1r7/9/1P7/9/1C7/9/9/9/3K5 b - 1", "8f"), "8b 8c");
    // It can neither jump over a cannon nor capture one.
    assert_eq!(reach("4k4/1r7/9/1c7/9/1C7/9/9/9/3K5 b - 1", "8f"), "");
    assert_eq!(reach("4k4/1c7/9/1P7/9/1C7/9/9/9/3K5 b - 1", "8f"), "8c");
    // It jumps from corner to corner of a palace only over a piece on the centre.
    assert_eq!(reach("3k5/4a4/3C5/9/9/9/9/9/9/4K4 b - 1", "6c"), "4a");
    assert_eq!(reach("3k5/4c4/3C5/9/9/9/9/9/9/4K4 b - 1", "6c"), "");
    assert_eq!(reach("3k5/4C4/3a5/9/9/9/9/9/9/4K4 b - 1", "5b"), "");
}

#[test]
fn soldiers_step_forward_and_sideways_and_along_the_lines_of_the_enemy_palace() {
    assert_eq!(reach("3k5/9/9/9/9/9/4P4/9/9/4K4 b - 1", "5g"), "4g 5f 6g");
    assert_eq!(reach("4k4/9/5P3/9/9/9/9/9/9/3K5 b - 1", "4c"), "3c 4b 5b 5c");
    assert_eq!(reach("9/4P4/5k3/9/9/9/9/9/9/4K4 b - 1", "5b"), "4a 4b 5a 6a 6b");
    assert_eq!(reach("3k5/5P3/9/9/9/9/9/9/9/4K4 b - 1", "4b"), "3b 4a 5b");
    // On the last rank, only sideways, and without promotion.
    assert_eq!(reach("3k5/9/9/9/9/9/9/9/9/P3K4 b - 1", "9j"), "8j 9i");
    assert_eq!(reach("P8/4k4/9/9/9/9/9/9/9/3K5 b - 1", "9a"), "8a");
}

#[test]
fn generals_may_face_each_other() {
    let pos = literal("4k4/9/9/9/9/9/9/R7r/9/3K5 b - 1", "6j5j");
    assert!(!pos.in_check() && pos.verdict(0).is_none() && pos.count() > 1);
}

#[test]
fn checkmates_have_no_move_and_no_pass() {
    for sfen in [
        "4c4/9/4k4/7BC/1c3B3/9/9/5A3/4r4/4pK3 b - 1",
        "4k4/5P3/3b1R3/2B2p3/6p2/9/9/5N3/3A1K3/4NA3 w - 1",
        "5k3/3P1C1n1/5P3/9/9/9/9/5p3/4r4/3K1p3 b - 1",
        "4ak3/5P3/3BCR3/9/P3P4/3N5/9/4r4/3A1K3/9 w - 1",
    ] {
        for pass in ["literal", "free", "forced"] {
            let pos = play(&[("Janggi_Pass", pass)], sfen, "");
            assert!(pos.in_check() && pos.count() == 0 && legal(&pos).is_empty(), "{sfen}");
            assert_eq!((pos.verdict(0), pos.verdict_without_moves()), (None, Verdict::Loss), "{sfen}");
        }
    }
}

/// Returns whether the pass is legal under each of the three rules.
fn passes(sfen: &str) -> [bool; 3] {
    ["literal", "free", "forced"].map(|pass| {
        let pos = play(&[("Janggi_Pass", pass)], sfen, "");
        legal(&pos).iter().any(|mv| mv[..2] == mv[2..])
    })
}

#[test]
fn a_pass_needs_what_its_rule_says() {
    // The cases: the general can move; only other pieces can move; no piece can move; the side is in check.
    assert_eq!(passes(START), [false, true, false]);
    assert_eq!(passes("1n3a1R1/3a5/3k1b3/1C3p3/pB7/1c5r1/9/1C7/4R4/1N1AKA1N1 b - 1"), [true, true, false]);
    assert_eq!(passes("4k4/c7R/9/3R1R3/9/9/9/9/9/3K5 w - 1"), [true, true, true]);
    assert_eq!(passes("rn1a1a1n1/7b1/1c3k2R/p2p3p1/2p1C2P1/9/N3P4/9/R2AK4/2B2ABN1 w - 1"), [false; 3]);
    // The defaults of the two games, and the common words for a pass.
    assert!(!legal(&literal(START, "")).contains("5i5i") && legal(&casual(START, "")).contains("5i5i"));
    assert_eq!(casual(START, "pass").sfen(), casual(START, "5i5i").sfen());
    assert_eq!(literal(START, "").parse_usi("pass"), None);
}

#[test]
fn two_passes_in_a_row_are_a_draw() {
    let once = casual(START, "5i5i");
    assert_eq!((once.verdict(0), once.count()), (None, 32));
    let twice = casual(START, "5i5i 5b5b");
    assert_eq!((twice.verdict(0), twice.count()), (Some(Verdict::Draw), 0));
    assert!(legal(&twice).is_empty());
    let between = casual(START, "5i5i 5b5a 5i5i");
    assert_eq!(between.verdict(0), None);
    // The same board after a different number of passes is a different position for the search.
    assert_ne!(casual(START, "5i5i 5b5b").key(), casual(START, "").key());
}

#[test]
fn material_that_cannot_mate_is_a_draw() {
    let guards = ["9", "3a5", "3a1a3"];
    // A lone piece, and the largest number of enemy guards against which it cannot give mate.
    for (piece, most) in [('R', 0), ('C', 1), ('N', 1), ('B', 1), ('P', 2)] {
        for (count, line) in guards.iter().enumerate() {
            let text = format!("{line}/4k4/9/9/9/{piece}8/9/9/9/4K4");
            let dead = literal(&format!("{text} w - 1"), "").verdict(0) == Some(Verdict::Draw);
            assert_eq!(dead, count <= most, "{text}");
            // The same with colours exchanged.
            let turned: String = text
                .chars()
                .rev()
                .map(|c| if c.is_ascii_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() })
                .collect();
            let dead = literal(&format!("{turned} b - 1"), "").verdict(0) == Some(Verdict::Draw);
            assert_eq!(dead, count <= most, "{turned}");
        }
    }
    // Guards of the attacker do not count, and neither do guards if neither side has attackers.
    assert_eq!(literal("9/4k4/9/9/9/R8/9/9/4A4/3AK4 w - 1", "").verdict(0), Some(Verdict::Draw));
    assert_eq!(literal("3a1a3/4k4/9/9/9/9/9/9/3A1A3/4K4 w - 1", "").verdict(0), Some(Verdict::Draw));
    // Two attackers: dead only if every placement was tried without finding a mate, guards included.
    for (sfen, dead) in [
        ("9/4k4/9/9/9/P7p/9/9/9/4K4 w - 1", true),
        ("9/4k4/9/9/9/C7C/9/9/9/4K4 w - 1", true),
        ("9/4k4/9/9/9/C7C/9/9/4A4/4K4 w - 1", false),
        ("9/4k4/9/9/9/N7p/9/9/4A4/4K4 w - 1", true),
        ("9/4k4/4a4/9/9/N7p/9/9/9/4K4 w - 1", false),
        ("9/4k4/9/9/9/N7N/9/9/9/4K4 w - 1", false),
        ("9/4k4/9/9/9/R7n/9/9/9/4K4 w - 1", true),
        ("9/4k4/9/9/9/R7b/9/9/9/4K4 w - 1", false),
        ("9/4k4/9/9/9/NBN6/9/9/9/4K4 w - 1", false),
    ] {
        assert_eq!(literal(sfen, "").verdict(0), dead.then_some(Verdict::Draw), "{sfen}");
        assert_eq!(casual(sfen, "").verdict(0), dead.then_some(Verdict::Draw), "{sfen}");
    }
}

#[test]
fn the_third_occurrence_is_a_draw() {
    let cycle = "9j9i 9a9b 9i9j 9b9a ";
    assert_eq!(casual(START, cycle).verdict(0), None);
    assert_eq!(casual(START, cycle).verdict(4), Some(Verdict::Draw), "one repetition is enough here");
    assert_eq!(casual(START, &cycle.repeat(2)).verdict(0), Some(Verdict::Draw));
    // A soldier's step forward is irreversible: no earlier position can be repeated.
    let moved = format!("{cycle}9g9f 9d9e {cycle}");
    assert_eq!(casual(START, &moved).verdict(0), None);
    // A sideways step is reversible.
    let sideways = "9g8g 9d8d 8g9g 8d9d ";
    assert_eq!(casual(START, &sideways.repeat(2)).verdict(0), Some(Verdict::Draw));
}

#[test]
fn perpetual_check_loses() {
    let sfen = "4k4/9/9/9/3R5/9/P8/9/9/3K5 b - 1";
    let cycle = "5a4a 5e4e 4a5a 4e5e ";
    let once = format!("6e5e {cycle}");
    assert_eq!(literal(sfen, &once).verdict(0), None);
    assert_eq!(literal(sfen, &once).verdict(4), Some(Verdict::Superior), "one repetition is enough here");
    // The side to move is the one that was in perpetual check.
    assert_eq!(literal(sfen, &format!("{once}{cycle}")).verdict(0), Some(Verdict::Win));
    // One ply earlier in the cycle the checking side is to move.
    let third = format!("6e5e {cycle}{cycle}5a4a");
    assert_eq!(literal(sfen, &third).verdict(0), Some(Verdict::Loss));
    // One quiet move in the cycle makes it a draw.
    let mixed = "5a4a 5e6e 4a5a 6e5e ";
    let pos = play(&[], "4k4/9/9/9/4R4/9/P8/9/9/3K5 w - 1", &mixed.repeat(2));
    assert_eq!(pos.verdict(0), Some(Verdict::Draw));
}

#[test]
fn a_longest_game_can_be_set() {
    let pos = casual_with(&[("MaxMovesToDraw", "2")], START, "9j9i");
    assert_eq!(pos.verdict(0), None);
    let pos = casual_with(&[("MaxMovesToDraw", "2")], START, "9j9i 9a9b");
    assert_eq!(pos.verdict(0), Some(Verdict::Draw));
}

#[test]
fn generals_that_stay_face_to_face_end_the_game_on_request() {
    let on = [("Janggi_Bikjang", "true")];
    let sfen = "4k4/9/9/9/9/r8/9/R8/9/3K5 b - 1";
    let facing = play(&on, sfen, "6j5j");
    // White separates them with the general or another piece, or accepts by a pass. No other move is legal.
    assert_eq!(facing.verdict(0), None);
    assert_eq!(legal(&facing), words("5a4a 5a5a 5a6a 9f5f"));
    assert_eq!(play(&on, sfen, "6j5j 5a4a").verdict(0), None);
    let accepted = play(&on, sfen, "6j5j 5a5a");
    assert_eq!((accepted.verdict(0), accepted.count()), (Some(Verdict::Draw), 0));
    // Accepting is allowed even in check.
    let check = "4k4/9/9/9/r3N4/9/9/9/9/R3K4 b - 1";
    let pos = play(&on, check, "5e4c");
    assert!(pos.in_check() && legal(&pos).contains("5a5a"));
    assert!(!legal(&literal(check, "5e4c")).contains("5a5a"));
    assert_eq!(legal(&pos), words("5a4a 5a5a 5a6a"));
    assert_eq!(play(&on, check, "5e4c 5a5a").verdict(0), Some(Verdict::Draw));
}

/// The expected move lists come from Fairy-Stockfish.
#[test]
fn facing_generals_must_be_parted_or_accepted() {
    let on = [("Janggi_Bikjang", "true"), ("Janggi_Pass", "free")];
    let moves = "7g7f 4a4b 9g8g 3d2d 9j9g 2a3c 5g4g 5d6d";
    let answers = words("3j5g 4g5g 5i4h 5i4i 5i5i 5i6h 5i6i 7j5g");
    let pos = play(&on, START, moves);
    assert_eq!(legal(&pos), answers);
    assert_eq!(pos.count(), answers.len());
    // A capture elsewhere does not separate the generals.
    for capture in ["9g9d", "8h8c", "5i5h"] {
        assert_eq!(pos.parse_usi(capture), None, "{capture}");
    }
    // The rule also applies if the generals face each other in the first position.
    let facing = play(&on, "4k4/9/9/9/9/r8/9/R8/9/4K4 b - 1", "");
    assert_eq!(legal(&facing), words("5j4j 5j5j 5j6j 9h5h"));
    // In check, with only the pass left.
    let check = play(&on, "4P4/1n1R1k3/3r4c/9/3pP4/4r4/6P2/1B2NK3/3B1A3/4b4 w - 1", "");
    assert_eq!(legal(&check), words("4b4b"));
    // `is_legal` accepts every legal move and no other bit pattern.
    for pos in [&pos, &facing, &check] {
        let found = (0..u16::MAX).filter_map(Move::from_bits).filter(|&mv| pos.is_legal(mv)).count();
        assert_eq!(found, pos.count());
    }
}

/// A referee without this rule continues the game.
#[test]
fn a_game_that_passes_ended_can_be_resumed() {
    let closed = casual(START, "5i5i 5b5b");
    assert_eq!((closed.verdict(0), closed.count()), (Some(Verdict::Draw), 0));
    let resumed = closed.resumed().expect("a resumed game");
    assert_eq!((resumed.verdict(0), resumed.count()), (None, 32));
    assert!(resumed.resumed().is_none() && casual(START, "5i5i").resumed().is_none());
    let on = [("Janggi_Bikjang", "true")];
    let accepted = play(&on, "4k4/9/9/9/9/r8/9/R8/9/3K5 b - 1", "6j5j 5a5a");
    assert_eq!(legal(&accepted.resumed().expect("a resumed game")), words("5j4j 5j5j 5j6j 9h5h"));
}

#[test]
fn counting_gives_a_draw_to_the_side_with_more() {
    let on = [("Janggi_Counting", "true")];
    // Equal material: white has one and a half points more for moving second; black is to move.
    assert_eq!(casual_with(&on, START, "5i5i 5b5b").verdict(0), Some(Verdict::Loss));
    // A soldier is worth two points, which is enough for black.
    let more = START.replacen("p1p1p1p1p", "p1p1p1p2", 1);
    assert_eq!(casual_with(&on, &more, "5i5i 5b5b").verdict(0), Some(Verdict::Win));
    assert_eq!(casual_with(&on, &more, "9g9f 5b5b 5i5i").verdict(0), Some(Verdict::Loss), "white is to move");
    // A guard for an elephant is an even exchange.
    let traded = START.replacen("rnba1abnr", "rnb2abnr", 1).replacen("RNBA1ABNR", "RN1A1ABNR", 1);
    assert_eq!(casual_with(&on, &traded, "5i5i 5b5b").verdict(0), Some(Verdict::Loss));
    // Draws by repetition and by the move limit are counted as well.
    let cycle = "9j9i 9a9b 9i9j 9b9a ".repeat(2);
    assert_eq!(casual_with(&on, START, &cycle).verdict(0), Some(Verdict::Loss));
    assert_eq!(casual_with(&on, &more, &cycle).verdict(0), Some(Verdict::Win));
    let both = [on[0], ("MaxMovesToDraw", "1")];
    assert_eq!(casual_with(&both, START, "9j9i").verdict(0), Some(Verdict::Win));
    // Material that cannot mate is counted: the chariot decides.
    let dead = "9/4k4/9/9/9/R8/9/9/9/4K4 w - 1";
    assert_eq!(casual_with(&on, dead, "").verdict(0), Some(Verdict::Loss));
    assert_eq!(casual_with(&[], dead, "").verdict(0), Some(Verdict::Draw));
}

#[test]
fn horses_and_elephants_change_places_on_request() {
    let mut rules = Rules::default();
    assert_eq!(rules.start(), None);
    for (name, value) in [("Janggi_SetupBlack", "RBNA1ANBR"), ("Janggi_SetupWhite", "RBNA1ABNR")] {
        rules.set(name, value).expect("a valid setup");
    }
    let start = rules.start().expect("another start position");
    assert_eq!(start, "rbna1abnr/4k4/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/4K4/RBNA1ANBR b - 1");
    assert!(casual(&start, "").count() > 20);
    assert!(rules.set("Janggi_SetupBlack", "RNBAABNR").is_err());
    // The pass rule of the casual game is fixed.
    let settings = |id: VariantId| id.info().settings.len();
    assert_eq!(settings(VariantId::JanggiCasual) + 1, settings(VariantId::Janggi));
    assert!(Rules::default().set("Janggi_Pass", "never").is_err_and(|e| e.to_string().contains("never")));
}

#[test]
fn texts_of_positions_that_cannot_be_are_refused_with_the_reason() {
    let with = |from: &str, to: &str| START.replacen(from, to, 1);
    let cases = [
        (String::new(), "board is missing"),
        ("rnba1abnr/4k4 b - 1".into(), "2 ranks instead of 10"),
        (with("4k4", "4k5"), "rank b of the board: more than 9 squares"),
        (with("4k4", "4k3"), "rank b of the board: 8 squares instead of 9"),
        (with("4k4", "3xk4"), "unknown piece x"),
        (with("4k4", "3+k4"), "k does not promote"),
        (with("4k4", "9"), "white has no general"),
        (with("4K4", "9"), "black has no general"),
        (with("4k4", "3kk4"), "a second white general"),
        (with("4k4", "2k6"), "a white general outside its palace"),
        (with("4k4/1c5c1", "9/4K4"), "a black general outside its palace"),
        (with("p1p1p1p1p/9", "p1p1p1p1p/A8"), "a black guard outside its palace"),
        (with("p1p1p1p1p/9", "p1p1p1p1p/rrr6"), "more than 4 chariots"),
        (with("p1p1p1p1p/9", "p1p1p1p1p/p8"), "more than 10 soldiers"),
        (with(" b - 1", " x - 1"), "side to move: expected b or w, found x"),
        (with(" b - 1", ""), "side to move is missing"),
        (with(" b - 1", " b"), "hands are missing"),
        (with(" b - 1", " b P 1"), "expected - (Janggi has no hands), found P"),
        (with(" b - 1", " b - x"), "not a move count: x"),
        (with(" b - 1", " b - 1 2"), "unexpected text after the move count"),
        ("4k4/9/9/4R4/9/9/9/9/9/3K5 b - 1".into(), "can be captured"),
    ];
    for (sfen, reason) in cases {
        let error = Position::from_sfen(&sfen).err().unwrap_or_else(|| panic!("{sfen} was accepted"));
        assert!(error.to_string().contains(reason), "{sfen}: {error}");
    }
}

#[test]
fn both_letters_of_horse_and_elephant_are_read() {
    let other = START.replace(['n', 'N'], "h").replace(['b', 'B'], "e");
    // The side letter is not a piece, and case determines the owner.
    let (board, _) = other.split_once(' ').expect("a board");
    let (white, black) = board.rsplit_once('/').expect("ranks");
    let sfen = format!("{white}/{} b - 1", black.to_uppercase());
    assert_eq!(literal(&sfen, "").sfen(), START);
}

#[test]
fn move_texts() {
    let pos = literal(START, "");
    for text in ["9j9i", "09j9i", "9j09i", "09j09i"] {
        assert_eq!(pos.parse_usi(text).map(Position::usi).as_deref(), Some("9j9i"), "{text}");
    }
    for text in [
        "", "9j", "9j9", "9j9ii", "0j9i", "9k9i", "9j9a", "9j9i+", "P*5e", "5i5i", "1a1a", "resign", "９j9i",
        "9a9b",
    ] {
        assert_eq!(pos.parse_usi(text), None, "{text}");
    }
}

/// Random games with the ends that pyffish sees (`tests/oracles/uci_ends.py --cases`): each game ends at its last move
/// with the given result, and no earlier.
#[test]
fn games_of_uci_end_as_pyffish_ends_them() {
    let mut games = 0;
    for line in include_str!("../data/janggi_ends.txt").lines().filter(|line| !line.starts_with('#')) {
        let [name, fen, moves, result] = line.split('\t').collect::<Vec<_>>()[..] else { panic!("{line}") };
        let variant = uci::named(name).expect("a variant");
        let sfen = uci::sfen(fen).expect("a FEN");
        let mut pos = AnyPosition::parse(variant.id, &sfen).expect("a position");
        pos.set_rules(variant.rules.iter().copied());
        pos.set_quiet_plies(uci::halfmove_clock(fen));
        let end = |pos: &AnyPosition| {
            let without = || (pos.count() == 0).then(|| pos.verdict_without_moves());
            pos.verdict().or_else(without).map(|verdict| match verdict {
                Verdict::Win => 1,
                Verdict::Loss => -1,
                _ => 0,
            })
        };
        for (ply, text) in moves.split(' ').enumerate() {
            assert_eq!(end(&pos), None, "{name} {fen} before ply {ply} of {moves}");
            let usi = uci::usi_text(&pos, text).expect("a move");
            pos.try_play(pos.parse_move(&usi).unwrap_or_else(|error| panic!("{line}: {error}")))
                .expect("legal");
        }
        assert_eq!(end(&pos), result.parse().ok(), "{line}");
        games += 1;
    }
    assert!(games >= 40, "{games} games");
}
