//! Records that contradict themselves: the contradictions are reported, so that `--strict` rejects the records.

use crate::cases::{RULE, check};
use sanban_formats::record::{Reader, Record};
use sanban_rules::Color;

const GIB: &str = "[초차림 \"상마상마\"]\n[한차림 \"마상마상\"]\n";

/// The problems that are reported about `text`.
fn reports(text: &str) -> Vec<String> {
    let reading = Reader::default().read_text(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    reading.warnings.into_iter().map(|warning| warning.problem).collect()
}

fn players(record: &Record) -> [Option<&str>; 2] {
    Color::ALL.map(|color| record.headers.player(color))
}

#[test]
fn a_piece_has_its_name() {
    let mv = |piece: &str, more: &str| {
        format!(
            r#"{{"header":{{}},"moves":[{{}},{{"move":{{"from":{{"x":7,"y":7}},"to":{{"x":7,"y":6}},"piece":"{piece}"{more}}}}}]}}"#
        )
    };
    check(&mv("FU", ""), &["7g7f"], &[]);
    check(&mv("HI", ""), &["7g7f"], &["is 歩, but the record calls it 飛"]);
    check(&mv("FU", r#","relative":"L""#), &["7g7f"], &[]);
    check(&mv("FU", r#","relative":"D""#), &["7g7f"], &["do not match its origin square"]);
    let other = "the record and the board disagree on the piece";
    assert_eq!(reports(&format!("{GIB}1. 79卒78 2. 41兵42 3. 75졸74 4. 47漢兵46\n")), [""; 0]);
    assert_eq!(reports(&format!("{GIB}1. 79車78 2. 41兵42\n")), [other]);
    assert_eq!(reports(&format!("{GIB}1. 79卒78 2. 41兵42車\n")), [other]);
}

#[test]
fn numbers_and_setups_of_janggi_agree() {
    assert_eq!(reports(&format!("{GIB}1. 79卒78 5. 41兵42\n")), ["expected move 2, found 5"]);
}

#[test]
fn words_after_a_piece_fit_the_move() {
    let head = format!("{RULE}\n   1 ７六歩(77)\n   2 ３四歩(33)\n");
    check(&format!("{head}   3 ５八金右(49)\n"), &["7g7f 3c3d 4i5h"], &[]);
    check(&format!("{head}   3 ５八金左(69)\n"), &["7g7f 3c3d 6i5h"], &[]);
    check(&format!("{head}   3 ５八金左(49)\n"), &["7g7f 3c3d 4i5h"], &["do not match its origin square"]);
    check(&format!("{head}   3 ５八金引(49)\n"), &["7g7f 3c3d 4i5h"], &["do not match its origin square"]);
    let bishops = format!("{head}   3 ２二角成(88)\n   4 同　銀(31)\n");
    let moves = &["7g7f 3c3d 8h2b+ 3a2b B*7g"];
    check(&format!("{bishops}   5 ７七角打\n"), moves, &[]);
    check(&format!("{bishops}   5 ７七角打(88)\n"), moves, &["a drop cannot have an origin square"]);
    let both = Reader::default().read_text(&format!("{head}   3 ２二角成不成(88)\n"));
    assert!(both.is_err_and(|error| error.problem.contains("not both")));
}

#[test]
fn a_position_may_be_repeated() {
    check("P+59OU55FU55FU\nP-51OU\n+\n+5958OU\n", &["5i5h"], &["already has this piece"]);
    check("PI\nP1-KY-KE-GI-KI-OU-KI-GI-KE-KY\n+\n+7776FU\n", &["7g7f"], &["given twice"]);
    check("PI\nPI\n+\n+7776FU\n", &["7g7f"], &["given twice"]);
    check("手合割：平手\n手合割：平手\n▲７六歩\n", &["7g7f"], &[]);
}

#[test]
fn numbers_of_json_are_checked() {
    let cells = "[{},{},{},{},{},{},{},{},{}]";
    let king =
        |color: u8| format!(r#"[{{"color":{color},"kind":"OU"}},{{}},{{}},{{}},{{}},{{}},{{}},{{}},{{}}]"#);
    let text = |files: &str, hand: &str, color: &str| {
        format!(
            r#"{{"header":{{}},"initial":{{"preset":"OTHER","data":{{"color":{color},"board":[{files}],"hands":[{{"FU":{hand}}},{{}}]}}}},"moves":[{{}}]}}"#
        )
    };
    let nine = [vec![king(1), king(0)], vec![cells.into(); 7]].concat().join(",");
    assert_eq!(reports(&text(&nine, "1", "0")), [""; 0]);
    let problem = |text: &str| Reader::default().read_text(text).expect_err("a broken board").problem;
    assert_eq!(problem(&text(&nine, "1.5", "0")), "expected a number of pieces");
    assert_eq!(problem(&text(&nine, "-1", "0")), "expected a number of pieces");
    assert_eq!(problem(&text(&nine, "1", "2")), "expected 0 for black or 1 for white");
    assert_eq!(problem(&text(&format!("{nine},{cells}"), "1", "0")), "expected nine files, found 10");
    let short = text(&nine.replacen("{},{},{}", "{},{}", 1), "1", "0");
    assert_eq!(problem(&short), "expected nine squares in a file, found 8");
    let time = r#"{"header":{},"moves":[{},{"move":{"from":{"x":7,"y":7},"to":{"x":7,"y":6},"piece":"FU"},"time":{"now":{"m":1,"s":-5}}}]}"#;
    check(time, &["7g7f"], &["expected a non-negative time"]);
    let line = |black: &str, result: &str| {
        format!(
            r#"{{"pair":0,"black":"{black}","result":"{result}","reason":"","opening":"startpos","moves":["7g7f"]}}"#
        )
    };
    check(&line("b", "win"), &["7g7f"], &[]);
    check(&line("c", "win"), &["7g7f"], &["expected a or b, found c"]);
    check(&line("b", "foo"), &["7g7f"], &["expected win or loss or draw, found foo"]);
}

#[test]
fn free_text_remains_text() {
    let text = "手合割：平手\n備考：角換わり 先手：早繰り銀 後手：腰掛け銀\n先手：甲\n後手：乙\n▲７六歩\n";
    assert_eq!(players(&check(text, &["7g7f"], &[])[0]), [Some("甲"), Some("乙")]);
    let three = &["7g7f 3c3d 2g2f"];
    let kept = "kept as a comment: ";
    for (text, remarks) in [
        ("▲７六歩 △３四歩 (▲６六歩なら△８四歩) ▲２六歩", vec!["(▲６六歩なら△８四歩)"]),
        ("▲７六歩 △３四歩（▲６六歩なら△８四歩）▲２六歩", vec!["（▲６六歩なら△８四歩）"]),
        ("▲７六歩 +50 △３四歩 -30 ▲２六歩", vec!["+50", "-30"]),
        ("▲７六歩 △３四歩 0:02 ▲２六歩", vec!["0:02"]),
        ("▲７六歩 △３四歩 2020/01/02 ▲２六歩", vec!["2020/01/02"]),
        ("▲７六歩 △３四歩 77 ▲２六歩", vec!["77"]),
        ("1 ▲７六歩 △３四歩 2 ▲２六歩", vec![]),
    ] {
        let problems: Vec<String> = remarks.iter().map(|remark| format!("{kept}{remark}")).collect();
        check(text, three, &problems.iter().map(String::as_str).collect::<Vec<_>>());
    }
    check("（▲７六歩 △３四歩 ▲２六歩）", three, &[]);
}
