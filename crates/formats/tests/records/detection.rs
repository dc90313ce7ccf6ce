//! Records whose format is difficult to detect, and unusual records that are correct.

use crate::cases::{check, read};
use sanban_formats::record::{Format, NodeId, Record, write};
use sanban_rules::VariantId;

/// A game of two moves with a comment on one of its nodes.
fn with_comment(comment: &str, at: usize) -> Record {
    let mut record = read("startpos moves 7g7f 3c3d").records.remove(0);
    let line: Vec<NodeId> = std::iter::once(record.tree.root()).chain(record.tree.main_line()).collect();
    record.tree.set_comment(line[at], comment.into());
    record
}

/// Comments that look like ends, moves or other formats remain comments, in every format that has comments.
#[test]
fn comments_remain_comments() {
    let comments = [
        "好手",
        "▲２六歩も",
        "<b>次は？</b>",
        "resigns",
        "1-0",
        "White wins",
        "[%clk 0:01]",
        "\"a\": b",
        "a } b \\",
        "投了",
        "まで2手で後手の勝ち",
        "two\nlines",
        "7g7f",
        "V2.2",
        "  1 ７六歩(77)",
    ];
    let formats =
        [Format::Kif, Format::Ki2, Format::Csa, Format::Jkf, Format::Western, Format::Hodges, Format::Psn];
    for format in formats {
        for comment in comments {
            for at in 0..3 {
                let record = with_comment(comment, at);
                let text = write(&record, format).expect("legal moves");
                let reading = read(&text);
                assert_eq!(reading.warnings, [], "{format:?}\n{text}");
                assert_eq!(reading.records, [record], "{format:?}\n{text}");
            }
        }
    }
    let mut empty = Record::new(VariantId::Shogi, None);
    empty.tree.set_comment(empty.tree.root(), "好手".into());
    let text = write(&empty, Format::Western).expect("no moves");
    assert_eq!(read(&text).records, [empty], "{text}");
}

#[test]
fn formats_are_detected_by_any_first_line() {
    let two = &["7g7f 3c3d"];
    check("1.P7f {好手} P3d", two, &[]);
    check("1.P7f P3d {Black wins}", two, &[]);
    check("1.P7f {[%clk 0:01:00]} P3d {[%clk 0:01:00]}", two, &[]);
    check("{▲２六歩\nも} 1.P7f P3d", two, &[]);
    check("#\n1.P7f P3d", two, &[]);
    check("#\nstartpos moves 7g7f 3c3d\n#\nstartpos moves 2g2f", &["7g7f 3c3d", "2g2f"], &[]);
    check("1. ７六歩(77)\n2. ３四歩(33)\n", two, &[]);
    check("1手目 ７六歩(77)\n2手目 ３四歩(33)\n", two, &[]);
    let jkf = r#"{"header":{},"moves":[{},{"move":{"from":{"x":7,"y":7},"to":{"x":7,"y":6},"piece":"FU"}}]}"#;
    check(&format!("[{jkf},\n {jkf}]"), &["7g7f", "7g7f"], &[]);
    check(&format!("[\n{jkf}\n]"), &["7g7f"], &[]);
}

#[test]
fn correct_texts_are_not_refused() {
    let three = &["7g7f 3c3d 2g2f"];
    check("(1)▲７六歩(2)△３四歩(3)▲２六歩", three, &[]);
    check("▲７六歩(1分)△３四歩▲２六歩", three, &["kept as a comment: 1分"]);
    check("startpos moves\n", &[""], &[]);
    check("startpos moves \n", &[""], &[]);
    let start = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1";
    let white = format!("[SFEN \"{start}\"]\n1...P3c-3d 2.P7g-7f P8c-8d 3.P2g-2f\n");
    check(&white, &["3c3d 7g7f 8c8d 2g2f"], &[]);
}
