//! Headers of one format in another format: they are kept, converted, or reported as lost.

use crate::cases::{check, read};
use sanban_formats::record::{Encoding, Format, Headers, Holds, Reader, Record, write, write_as};

/// A game of one move with these headers.
fn with_headers(headers: &[(&str, &str)]) -> Record {
    let mut record = read("startpos moves 7g7f").records.remove(0);
    headers.iter().for_each(|(name, value)| record.headers.set(name, value));
    record
}

fn text(record: &Record, format: Format) -> String {
    write(record, format).expect("legal moves")
}

/// Headers that would be read as something else in a format are omitted, and the loss is reported.
#[test]
fn no_header_becomes_part_of_the_game() {
    let names = [
        "手合割",
        "後手の持駒",
        "先手の持駒",
        "手番",
        "変化",
        "手数",
        "まで",
        "#",
        "*",
        "&",
        "9",
        "９",
        "▲７六歩",
        "NOTE",
        "EVENT",
        "SFEN",
        "Result",
        "Black",
        "Sente",
        "下手",
        "a\"b",
        "a:b",
    ];
    for format in
        [Format::Kif, Format::Ki2, Format::Csa, Format::Csa3, Format::Western, Format::Hodges, Format::Psn]
    {
        for name in names {
            let record = with_headers(&[(name, "x"), (Headers::EVENT, "棋聖戦")]);
            let written = text(&record, format);
            let reading = read(&written);
            assert_eq!(reading.warnings, [], "{format:?}\n{written}");
            let mut kept = record.clone();
            if format.loses(&record).contains(Holds::ALL_HEADERS) {
                kept.headers.remove(name);
            }
            assert_eq!(reading.records, [kept], "{format:?}\n{written}");
        }
    }
    assert!(Format::Csa.loses(&with_headers(&[("NOTE", "x")])).contains(Holds::ALL_HEADERS));
    assert!(Format::Csa.loses(&with_headers(&[(Headers::NOTE, "x")])).is_empty());
}

#[test]
fn the_position_of_jkf_is_not_a_header() {
    let jkf = |header: &str, preset: &str, mv: &str| {
        format!(
            r#"{{"header":{{{header}}},"initial":{{"preset":"{preset}"}},"moves":[{{}},{{"move":{mv}}}]}}"#
        )
    };
    let black = r#"{"from":{"x":7,"y":7},"to":{"x":7,"y":6},"piece":"FU"}"#;
    let white = r#"{"from":{"x":3,"y":3},"to":{"x":3,"y":4},"piece":"FU"}"#;
    let records = check(&jkf(r#""手合割":"平手","後手の持駒":"なし""#, "HIRATE", black), &["7g7f"], &[]);
    assert_eq!(records[0].headers, Headers::default());
    for header in [r#""手合割":"香落ち""#, r#""先手の持駒":"歩""#] {
        let error = Reader::default().read_text(&jkf(header, "HIRATE", black)).expect_err("two starts");
        assert!(error.problem.contains("contradicts the start position"), "{error}");
    }
    let records = check(&jkf(r#""手合割":"香落ち","上手":"甲""#, "KY", white), &["3c3d"], &[]);
    assert_eq!(records[0].headers.get(Headers::WHITE), Some("甲"));
}

#[test]
fn each_version_of_csa_has_its_time_control() {
    for (value, old, new) in [
        ("00:25+30", "$TIME_LIMIT:00:25+30", "$TIME:1500+30+0"),
        ("1500+30+0", "$TIME_LIMIT:00:25+30", "$TIME:1500+30+0"),
        ("300+0+10", "$TIME:300+0+10", "$TIME:300+0+10"),
        ("各25分", "$TIME_LIMIT:各25分", "$TIME_LIMIT:各25分"),
    ] {
        let record = with_headers(&[(Headers::TIME, value)]);
        for (format, expected) in [(Format::Csa, old), (Format::Csa3, new)] {
            let text = text(&record, format);
            assert!(text.lines().any(|line| line == expected), "{value}\n{text}");
            assert_eq!(read(&text).warnings, []);
        }
    }
}

#[test]
fn csa_names_its_encoding() {
    let record = with_headers(&[]);
    for (encoding, name) in
        [(Encoding::Utf8, "UTF-8"), (Encoding::ShiftJis, "SHIFT_JIS"), (Encoding::EucJp, "EUC-JP")]
    {
        let text = write_as(&record, Format::Csa3, encoding).expect("legal moves");
        assert!(text.starts_with(&format!("'CSA encoding={name}\n")), "{text}");
    }
}

#[test]
fn quotes_and_backslashes_remain() {
    for value in ["東京 \"駅\"", "a\\b", "a\\", "\\\"", "\"] [x \"y"] {
        let record = with_headers(&[(Headers::SITE, value)]);
        for format in [Format::Western, Format::Hodges, Format::Psn] {
            let text = text(&record, format);
            assert_eq!(read(&text).records[0], record, "{text}");
        }
    }
    // If the quotes are not escaped, the last one ends the value.
    let records = check("[Site \"the \"Ryogoku\"\"]\n1.P7f", &["7g7f"], &[]);
    assert_eq!(records[0].headers.get(Headers::SITE), Some("the \"Ryogoku\""));
}

#[test]
fn what_formats_lack_is_named() {
    let start = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 7";
    let record = &read(&format!("sfen {start} moves 7g7f")).records[0];
    for format in Format::ALL {
        let lost = format.loses(record).contains(Holds::NUMBER);
        assert_eq!(
            lost,
            matches!(format, Format::Csa | Format::Csa3 | Format::Jkf | Format::Gib),
            "{format:?}"
        );
    }
    let timed = "手合割：平手\n   1 ７六歩(77)   ( 3:00/00:03:00)\n   2 封じ手       (25:00/00:25:00)\n";
    let record = &read(timed).records[0];
    assert!(Format::Csa.loses(record).contains(Holds::TIMES));
    assert!(!Format::Kif.loses(record).contains(Holds::TIMES));
}
