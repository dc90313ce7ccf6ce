//! `sanban mate --check`: verdicts, exit codes and reports.

use crate::command::sanban;
use crate::scratch::Scratch;
use serde_json::Value;

/// The exit code, and the lines of the report.
fn check(args: &[&str]) -> (Option<i32>, Vec<String>) {
    let out = sanban(&[&["mate", "--check"][..], args].concat(), "");
    let text = String::from_utf8(out.stdout).expect("valid UTF-8");
    (out.status.code(), text.lines().map(String::from).collect())
}

/// Zuko 7: a mate in 15 plies.
const ZUKO_7: &str = "1nkg5/2s6/3rp4/1B7/r8/1PN6/9/9/9 b BG3SN2gn4l16p 1";

#[test]
fn a_sound_problem_lists_the_refuted_checks() {
    let (code, lines) = check(&["4k4/9/4P4/9/9/9/9/9/9 b G 1"]);
    assert_eq!(code, Some(0));
    assert!(lines[0].ends_with("\tsound\tmate 1 G*5b"), "{lines:?}");
    let fields: Vec<&str> = lines[1].trim().split('\t').collect();
    let mut moves: Vec<&str> = fields[2].split(' ').collect();
    moves.sort_unstable();
    assert_eq!((fields[0], fields[1], fields[4]), ("refuted", "ply 1", "main line"));
    assert_eq!(moves, ["5c5b", "5c5b+", "G*4a", "G*4b", "G*6a", "G*6b"]);
}

/// Muso 74, where a piece that captures interposed drops on two lines in turn comes back to where it was.
#[test]
fn drops_captured_in_turn_leave_the_length_open() {
    let muso_74 = "3l5/9/2sS5/5+Rp2/7+P+P/2g1+p+b3/2N+R5/3Sp1+pPk/6N1+l b BGSL2g2nl11p 1";
    let (code, lines) = check(&["--nodes", "500000", muso_74]);
    assert_eq!(code, Some(3), "{lines:?}");
    assert!(lines[0].contains("\topen\tmate "), "{lines:?}");
}

#[test]
fn a_second_first_move_is_a_cook_even_in_one_ply() {
    let (code, lines) = check(&["3nkn3/9/3G1G3/9/9/9/9/9/9 b - 1"]);
    assert_eq!(code, Some(1));
    assert!(lines[0].contains("\tcooked\tmate 1 "), "{lines:?}");
    assert!(
        lines.iter().any(|line| line.starts_with("  cook\tply 1\t") && line.contains("\tmate 1\t")),
        "{lines:?}"
    );
}

#[test]
fn no_mate_and_pieces_left_over_are_negative_answers() {
    let (code, lines) = check(&["4k4/9/9/9/9/9/9/9/9 b G 1"]);
    assert!(code == Some(1) && lines[0].ends_with("\tnomate"), "{lines:?}");
    let (code, lines) = check(&["3nkn3/9/4P4/9/9/9/9/9/9 b GP 1"]);
    assert!(code == Some(1) && lines[0].ends_with("\tleftover\tmate 1 G*5b\tpieces left over"), "{lines:?}");
    // One problem that is not sound decides the exit code of several.
    let (code, lines) = check(&["4k4/9/4P4/9/9/9/9/9/9 b G 1", "4k4/9/9/9/9/9/9/9/9 b G 1"]);
    assert_eq!((code, lines.len()), (Some(1), 3));
}

#[test]
fn what_is_known_at_a_limit_is_reported() {
    let (code, lines) = check(&["--nodes", "20000", ZUKO_7]);
    assert_eq!(code, Some(3));
    assert!(lines[0].contains("\topen\tmate "), "{lines:?}");
    // Nothing is known after a few nodes, and this is reported as well.
    let (code, lines) = check(&["--nodes", "20", ZUKO_7]);
    assert!(code == Some(3) && lines[0].ends_with("\topen"), "{lines:?}");
}

#[test]
fn a_position_that_is_no_problem_is_refused() {
    for (sfen, reason) in [
        ("9/9/4P4/9/9/9/9/9/9 b G 1", "no king"),
        ("4k4/9/4P4/9/4P4/9/9/9/9 b G 1", "two pawns"),
        ("4k4/9/4P4/9/9/4p4/4p4/9/9 b G 1", "two pawns"),
        ("4k3P/9/4P4/9/9/9/9/9/9 b G 1", "1a can never move"),
        ("4k4/1N7/4P4/9/9/9/9/9/9 b G 1", "8b can never move"),
        ("4k4/9/4P4/9/9/9/9/9/l8 b G 1", "9i can never move"),
        ("4k4/4G4/4P4/9/9/9/9/9/9 b - 1", "captured"),
    ] {
        let out = sanban(&["mate", "--check", sfen], "");
        let text = String::from_utf8_lossy(&out.stderr);
        assert!(out.status.code() == Some(2) && text.contains(reason), "{sfen}: {text}");
    }
}

#[test]
fn reports_are_available_as_json() {
    let (_, lines) = check(&["--json", "4k4/9/4P4/9/9/9/9/9/9 b G 1"]);
    let report: Value = serde_json::from_str(&lines[0]).expect("a line of JSON");
    assert_eq!((lines.len(), &report["result"], &report["moves"][0]), (1, &"sound".into(), &"G*5b".into()));
    assert_eq!((&report["at_least"], &report["at_most"]), (&1.into(), &1.into()));
    assert_eq!((&report["complete"], &report["checks"][0]["result"]), (&true.into(), &"refuted".into()));
    let brink = "l2K2Bnl/1PsnG+R1gk/p2b1S1p1/2sp2L2/P4GpPp/g2P5/2+r2+n2P/9/2Ps4L b NP6p 175";
    let out = sanban(&["mate", "--brink", "1", "--json", brink], "");
    let report: Value = serde_json::from_slice(&out.stdout).expect("a line of JSON");
    assert_eq!((&report["result"], &report["plies"]), (&"brink".into(), &1.into()));
    let defences = report["defences"].as_array().expect("a list of defences");
    assert!(!defences.is_empty() && defences.iter().all(|defence| defence["result"] == "mate"));
}

/// `tests/oracles/proof_checker.py` verifies the proofs.
#[test]
fn verdicts_have_proofs() {
    let folder = Scratch::new();
    let file = folder.file("proof");
    for (sfen, claim, kinds) in [
        ("4k4/9/4P4/9/9/9/9/9/9 b G 1", "sound 1", &["never", "solution", "least", "most"][..]),
        ("3nkn3/9/3G1G3/9/9/9/9/9/9 b - 1", "cooked 1", &["solution", "cook", "most"]),
        ("3nkn3/9/4P4/9/9/9/9/9/9 b GP 1", "leftover 1", &["never", "solution", "most"]),
    ] {
        let (_, lines) = check(&["--proof", &file, sfen]);
        let proof = std::fs::read_to_string(&file).expect("a proof");
        let mut rows = proof.lines();
        assert_eq!(rows.next(), Some("sanban proof 1"));
        assert_eq!(
            rows.next().and_then(|row| row.strip_suffix(&sfen[..sfen.len() - 2])),
            Some(&*format!("{claim} "))
        );
        let rows: Vec<&str> = rows.collect();
        let verdict = claim.split(' ').next().expect("a word");
        assert_eq!(*lines.last().expect("a line"), format!("  proof\t{verdict}\t{} lines", rows.len()));
        assert!(
            kinds.iter().all(|kind| rows.iter().any(|row| row.starts_with(&format!("{kind}\t")))),
            "{rows:?}"
        );
    }
    let (_, lines) = check(&["--json", "--proof", &file, "4k4/9/9/9/9/9/9/9/9 b G 1"]);
    let report: Value = serde_json::from_str(&lines[0]).expect("a line of JSON");
    let proof = std::fs::read_to_string(&file).expect("a proof");
    assert!(proof.starts_with("sanban proof 1\nnomate 4k4/9/9/9/9/9/9/9/9 b G\n"));
    assert_eq!(
        (&report["result"], report["proof"].as_u64()),
        (&"nomate".into(), Some(proof.lines().count() as u64 - 2))
    );
    // What is not proved has no proof, and an older one stays.
    let (code, lines) = check(&["--nodes", "20", "--proof", &file, ZUKO_7]);
    assert_eq!((code, lines[1].as_str()), (Some(3), "  no proof"));
    assert_eq!(std::fs::read_to_string(&file).expect("a proof"), proof);
    // A file has one proof.
    let two = format!("{ZUKO_7}\n{ZUKO_7}\n");
    let out = sanban(&["mate", "--check", "--nodes", "20", "--proof", &file, "-"], &two);
    assert_eq!(out.status.code(), Some(2), "{out:?}");
}

#[test]
fn a_collection_is_checked_once_and_printed_as_a_table() {
    let folder = Scratch::new();
    let (suite, out) = (folder.file("suite"), folder.file("journal"));
    std::fs::write(&suite, "one\t4k4/9/4P4/9/9/9/9/9/9 b G 1\ntwo\t3nkn3/9/3G1G3/9/9/9/9/9/9 b - 1\n")
        .expect("the file can be written");
    let (suite, out) = (suite.as_str(), out.as_str());
    let (code, table) = check(&["--suite", suite, "--out", out]);
    assert_eq!((code, table.len()), (Some(1), 4));
    assert_eq!(table[2], "| one | 1 | sound |  | 0 |");
    assert!(
        table[3].starts_with("| two | 1 | cooked | 1 6c5b")
            || table[3].starts_with("| two | 1 | cooked | 1 4c5b")
    );
    let journal = std::fs::read(out).expect("the journal exists");
    assert_eq!(check(&["--suite", suite, "--out", out]), (code, table));
    assert_eq!(std::fs::read(out).expect("the journal exists"), journal, "nothing is checked again");
    // A collection is read completely before the first check.
    std::fs::write(suite, "three\t9/9/9/9/9/9/9/9/9 b G 1\n").expect("the file can be written");
    assert_eq!(check(&["--suite", suite]).0, Some(2));
}
