//! Start positions: none is guessed. Records without a known start, with two, or with a broken board are rejected with
//! the location.

use crate::cases::RULE;
use sanban_formats::record::{Format, Reader, RecordError, read, write};

fn refused(text: &str) -> RecordError {
    match Reader::default().read_text(text) {
        Err(error) => error,
        Ok(reading) => panic!("read from {:?}\n{text}", reading.records[0].start),
    }
}

fn start(text: &str) -> String {
    let reading = Reader::default().read_text(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(reading.refused, [], "{text}");
    reading.records[0].start.clone().unwrap_or_default()
}

/// The rows of a diagram with two kings, without the lines around it.
fn rows() -> Vec<String> {
    let row = |number: usize, name: char| match number {
        1 => format!("| ・ ・ ・ ・v玉 ・ ・ ・ ・|{name}\n"),
        9 => format!("| ・ ・ ・ ・ 玉 ・ ・ ・ ・|{name}\n"),
        _ => format!("| ・ ・ ・ ・ ・ ・ ・ ・ ・|{name}\n"),
    };
    (1..).zip("一二三四五六七八九".chars()).map(|(number, name)| row(number, name)).collect()
}

#[test]
fn handicaps_have_one_table_for_all_formats() {
    let tail = "PPPPPPPPP/1B5R1/LNSGKGSNL w";
    for (japanese, english, sfen) in [
        ("歩三兵", "3 Pawns", format!("4k4/9/9/9/9/9/{tail} 3p 1")),
        ("裸玉", "Naked King", format!("4k4/9/9/9/9/9/{tail} - 1")),
        ("九枚落ち", "9-piece", format!("4kg3/9/ppppppppp/9/9/9/{tail} - 1")),
        ("兩香落ち", "Both Lance", format!("1nsgkgsn1/1r5b1/ppppppppp/9/9/9/{tail} - 1")),
        ("両香落ち", "two lances", format!("1nsgkgsn1/1r5b1/ppppppppp/9/9/9/{tail} - 1")),
        ("トンボ", "Dragonfly", format!("4k4/1r5b1/ppppppppp/9/9/9/{tail} - 1")),
        ("トンボ＋桂香", "Dragonfly + NL", format!("ln2k2nl/1r5b1/ppppppppp/9/9/9/{tail} - 1")),
        ("太閤落ち", "Taiko", format!("lnsgkgsnl/1r5b1/p1ppppppp/9/9/9/{tail} - 1")),
        ("香得", "Lance Gained", format!("lnsgkgsn1/1r5b1/ppppppppp/9/9/9/{tail} L 1")),
        ("五枚得", "5-piece Gained", format!("2sgkgsn1/9/ppppppppp/9/9/9/{tail} RBN2L 1")),
    ] {
        let kif = format!("手合割：{japanese}\n{RULE}\n   1 ５二玉(51)\n   2 ７六歩(77)\n");
        assert_eq!(start(&kif), sfen, "{japanese}");
        assert_eq!(start(&format!("手合割：{japanese}\n△５二玉 ▲７六歩\n")), sfen, "{japanese}");
        assert_eq!(start(&format!("[Handicap \"{english}\"]\n1... K-5b 2. P-7f\n")), sfen, "{english}");
        let record = &read(kif.as_bytes()).expect("a game")[0];
        for format in [Format::Kif, Format::Ki2, Format::Csa, Format::Jkf, Format::Western, Format::Psn] {
            let text = write(record, format).expect("a text");
            assert_eq!(read(text.as_bytes()).as_deref(), Ok(std::slice::from_ref(record)), "{format:?}");
        }
    }
    let lishogi = "場所：https://lishogi.org/abc\n手合割：三枚落ち\n△５二玉\n";
    assert!(start(lishogi).starts_with("1nsgkgsnl/"));
    assert!(start("手合割：三枚落ち\n△５二玉\n").starts_with("lnsgkgsn1/"));
}

#[test]
fn a_start_that_is_not_known_is_refused() {
    let moves = format!("{RULE}\n   1 ７六歩(77)\n");
    for name in ["その他", "5五将棋", "詰将棋", "桂香落ち", "安南将棋"] {
        let error = refused(&format!("先手：甲\n手合割：{name}\n{moves}"));
        assert_eq!((error.line, error.column), (2, 5), "{name}: {error}");
    }
    // In these handicaps, the other side moves first.
    for name in ["裸玉", "歩三兵", "十枚落ち"] {
        assert_eq!(refused(&format!("手合割：{name}\n{moves}")).line, 3, "{name}");
    }
    let other = refused(&format!("手合割：安南将棋\n後手の持駒：なし\n{}{moves}", rows().concat()));
    assert!(other.problem.contains("another game"), "{other}");
    assert_eq!(refused("[Handicap \"Queen\"]\n1. P-7f\n").line, 1);
    assert_eq!(refused("{\"initial\":{\"preset\":\"9\"},\"moves\":[{}]}").line, 1);
}

#[test]
fn the_side_to_move_follows_from_the_names_or_the_first_move() {
    let odds = format!("上手の持駒：なし\n{}下手の持駒：なし\n", rows().concat());
    assert!(start(&odds).ends_with(" w - 1"));
    assert!(start(&format!("{odds}{RULE}\n   1 ５二玉(51)\n")).ends_with(" w - 1"));
    assert!(start(&format!("{odds}{RULE}\n   1 ５八玉(59)\n")).ends_with(" b - 1"));
    assert!(start(&format!("上手：甲\n下手：乙\n{}", rows().concat())).ends_with(" w - 1"));
    assert!(start(&format!("{odds}下手番\n")).ends_with(" b - 1"));
    assert!(start(&format!("手合割：平手\n{odds}")).ends_with(" b - 1"));
    let even = format!("後手の持駒：なし\n{}先手の持駒：なし\n", rows().concat());
    assert!(start(&even).ends_with(" b - 1"));
    assert!(start(&format!("{even}{RULE}\n   1 ５二玉(51)\n")).ends_with(" w - 1"));
    assert!(start(&format!("{even}手番：後手\n")).ends_with(" w - 1"));
    let stated = refused(&format!("{even}先手番\n{RULE}\n   1 ５二玉(51)\n"));
    assert!(stated.problem.contains("other side"), "{stated}");
}

#[test]
fn two_starts_that_disagree_are_refused() {
    let board = format!("後手の持駒：なし\n{}先手の持駒：なし\n", rows().concat());
    let place = |text: &str| {
        let error = refused(text);
        (error.line, error.column)
    };
    assert_eq!(place("手合割：平手\n手合割：香落ち\n▲７六歩\n"), (2, 5));
    assert_eq!(place("手合割：その他\n手合割：香落ち\n△３四歩\n"), (2, 5));
    assert_eq!(place(&format!("手合割：香落ち\n{board}")), (5, 1));
    assert_eq!(place(&format!("{board}先手の持駒：金\n")), (12, 7));
    assert_eq!(place(&format!("{board}手番：後手\n先手番\n")), (13, 1));
    assert_eq!(place(&format!("{board}手数＝1 ▲５五歩 まで\n先手番\n")), (13, 1));
    assert_eq!(place("手合割：平手\n先手の持駒：歩\n▲７六歩\n").0, 3);
    let sfen = "4k4/9/9/9/9/9/9/9/4K4 b - 1";
    assert_eq!(place(&format!("[SFEN \"{sfen}\"]\n[Handicap \"rook\"]\n1. K5h\n")), (2, 1));
    assert_eq!(
        place(&format!("[SFEN \"{sfen}\"]\n[SFEN \"{}\"]\n1. K5h\n", sfen.replace(" b", " w"))),
        (2, 1)
    );
    assert_eq!(place("P+59OU55FU55KI\nP-51OU\n+\n"), (1, 11));
    assert_eq!(place("PI\nP2 *  *  *  *  *  *  *  *  * \n+\n+7776FU\n"), (2, 1));
    assert_eq!(place("To_Move:-\nPI\n+\n+7776FU\n"), (2, 1));
    assert_eq!(place("{\"header\":{\"手合割\":\"香落ち\"},\"moves\":[{}]}"), (1, 12));
    // A diagram headed 平手, a later position of a handicap game, and a repeated position agree.
    assert!(start(&format!("手合割：平手\n{board}")).starts_with("4k4/"));
    assert!(start(&format!("手合割：香落ち\n{board}手数＝12\n後手番\n")).starts_with("4k4/"));
}

#[test]
fn a_broken_board_is_refused_with_its_place() {
    let place = |change: &dyn Fn(&mut Vec<String>)| {
        let mut rows = rows();
        change(&mut rows);
        let error = refused(&format!(
            "後手の持駒：なし\n{}先手の持駒：なし\n{RULE}\n   1 ５八玉(59)\n",
            rows.concat()
        ));
        (error.line, error.column)
    };
    assert_eq!(place(&|rows| rows[2] = "| ・ ・ ・ ・ ・ ・ ・ ・|三\n".into()), (4, 19));
    assert_eq!(place(&|rows| rows[2] = "| ・ ・ ・ ・ ・ ・ ・ ・ ・ ・|三\n".into()), (4, 21));
    assert_eq!(place(&|rows| rows[2] = "| ・ ・ ・ 怪 ・ ・ ・ ・ ・|三\n".into()), (4, 9));
    assert_eq!(place(&|rows| drop(rows.remove(4))), (6, 21));
    assert_eq!(place(&|rows| drop(rows.pop())), (9, 1));
    assert_eq!(place(&|rows| rows[4] = rows[8].replace('九', "五")), (2, 1));
    let row = |row: &str| {
        let rows: String = (1..=9).map(|number| format!("P{number}{}\n", " * ".repeat(9))).collect();
        refused(&format!("V2.2\n{}+\n+5958OU\n", rows.replace("P5 *  *  *  *  *  *  *  *  * \n", row)))
    };
    for (text, place) in [
        ("P5 *  *  *  *  *  *  *  * \n", (6, 26)),
        ("P5 *  *  *  *  *  *  *  *  *  * \n", (6, 31)),
        ("P5 *  *  * +XX *  *  *  *  * \n", (6, 12)),
        ("", (2, 1)),
    ] {
        let error = row(text);
        assert_eq!((error.line, error.column), place, "{error}");
    }
    assert!(refused("sfen 4k4/9/9/9/9/9/9/9/4K3 b - 1 moves 5i5h\n").column > 1);
}
