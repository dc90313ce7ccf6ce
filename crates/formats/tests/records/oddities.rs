//! Odd endings, times, numbers and ends of lines: the game is read, and the line is reported. Reading fails if moves are
//! left out.

use crate::cases::{RULE, check};
use sanban_formats::record::{End, Format, Reader, read, write};
use std::time::{Duration, Instant};

const HEAD: &str = "手合割：平手\n";

/// The problems for which reading fails although games are read.
fn failures(text: &str) -> (usize, Vec<String>) {
    let reading = Reader::default().read_text(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let moves = reading.records.iter().map(|record| record.moves().len()).sum();
    (moves, reading.refused.into_iter().map(|error| error.problem).collect())
}

#[test]
fn a_second_end_is_reported() {
    let head = format!("{HEAD}{RULE}\n   1 ７六歩(77)   ( 0:10/00:00:10)\n");
    let record = &check(
        &format!("{head}   2 投了 ( 0:20/00:00:20)\n   3 中断 ( 0:00/00:00:10)\nまで2手で中断\n"),
        &["7g7f"],
        &["line 5, column 6: 中断, but the record already ends with 投了", "states 2 moves", "already ends"],
    )[0];
    assert_eq!(record.end(), Some(&End::Resign));
    let last = *record.tree.main_line().last().expect("an end");
    assert_eq!(record.tree.time(last), Some(Duration::from_secs(20)));
    check(&format!("{head}   9 投了\n"), &["7g7f"], &["expected move 2, found 9"]);
    let again = &["投了, but the record already ends with 投了"];
    check(&format!("{head}   2 投了\n   3 投了\n"), &["7g7f"], again);
    check("PI\n+\n+7776FU\n%TORYO\n%TORYO\n", &["7g7f"], &["TORYO, but the record already ends with 投了"]);
    check("startpos moves 7g7f resign resign", &["7g7f"], &["resign, but the record already ends with 投了"]);
    check("[Sente \"a\"]\n1.P7g-7f\n2.Resigns\n3.Resigns\n", &["7g7f"], &["already ends with 投了"]);
    check("PI\n+\n+7776FU\n%TORYO\n%CHUDAN\n", &["7g7f"], &["already ends with 投了"]);
    check("startpos moves 7g7f resign interrupt", &["7g7f"], &["already ends with 投了"]);
}

#[test]
fn a_game_that_goes_on_is_read() {
    let head = format!("{HEAD}{RULE}\n   1 ７六歩(77)\n");
    let kept = "kept as a comment";
    for next in [2, 3] {
        check(
            &format!("{head}   2 中断\n   {next} ３四歩(33)\n   {} ２六歩(27)\n", next + 1),
            &["7g7f 3c3d 2g2f"],
            &[kept],
        );
    }
    check(&format!("{head}   2 封じ手\n   3 ３四歩(33)\n   4 投了\n"), &["7g7f 3c3d"], &[kept]);
    check("▲７六歩\nまで1手で中断\n△３四歩\n", &["7g7f 3c3d"], &[kept]);
    check("PI\n+\n+7776FU\n%CHUDAN\n-3334FU\n", &["7g7f 3c3d"], &[kept]);
    check("startpos moves 7g7f interrupt 3c3d", &["7g7f 3c3d"], &[kept]);
    check("1. P-7f resigns P-3d\n2. P-2f\n", &["7g7f 3c3d 2g2f"], &[kept]);
    let jkf = r#"{"moves":[{},{"move":{"from":{"x":7,"y":7},"to":{"x":7,"y":6},"piece":"FU"}},{"special":"CHUDAN"},
        {"move":{"from":{"x":3,"y":3},"to":{"x":3,"y":4},"piece":"FU"}}]}"#;
    check(jkf, &["7g7f 3c3d"], &[kept]);
}

#[test]
fn wrong_numbers_are_reported() {
    let head = format!("{HEAD}{RULE}\n   1 ７六歩(77)\n");
    check(
        &format!("{head}   3 ３四歩(33)\n   4 ２六歩(27)\n   5 投了\n"),
        &["7g7f 3c3d 2g2f"],
        &["line 4, column 4: expected move 2, found 3"],
    );
    let error = |text: &str| Reader::default().read_text(text).expect_err("a gap").line;
    assert_eq!(error(&format!("{head}   3 ２六歩(27)\n")), 4, "white's move is missing");
    assert_eq!(error(&format!("{head}   4 ３四歩(33)\n")), 4, "two moves may be missing");
}

#[test]
fn variations_belong_to_the_nearest_line_that_is_long_enough() {
    let main = format!("{HEAD}{RULE}\n   1 ７六歩(77)\n   2 ３四歩(33)\n   3 ２六歩(27)\n   4 ４四歩(43)\n");
    let text = format!("{main}\n変化：1手\n   1 ２六歩(27)\n\n変化：3手\n   3 ６六歩(67)\n");
    let record = &check(&text, &["7g7f 3c3d 2g2f 4c4d"], &[])[0];
    let tree = &record.tree;
    let second = tree.main_line()[1];
    assert_eq!((tree.children(tree.root()).count(), tree.children(second).count()), (2, 2));
    // 変化：4手 belongs to the variation at move 2, and 変化：3手 after it to the main line.
    let text = format!("{main}\n変化：2手\n   2 ８四歩(83)\n   3 ２五歩(26)\n\n変化：4手\n   4 ３四歩(33)\n");
    assert_eq!(failures(&text).0, 4, "the pawn is not there");
    let text = text.replace("２五歩(26)", "２六歩(27)")
        + "\n変化：1手\n   1 ５六歩(57)\n\n変化：4手\n   4 ８四歩(83)\n";
    let record = &check(&text, &["7g7f 3c3d 2g2f 4c4d"], &[])[0];
    let third = record.tree.main_line()[2];
    assert_eq!(record.tree.children(third).count(), 2);
    // A variation that belongs to no line is left out, up to the next one.
    for number in ["9", "0", "", "99999999999999999999"] {
        let lost = format!("変化：{number}手\n   1 ２六歩(27)\n*comment\n");
        let text = format!("{main}\n{lost}\n変化：3手\n   3 ６六歩(67)\n");
        assert_eq!(
            failures(&text),
            (4, vec!["expected a variation at a move from 1 to 5; it is left out".into()])
        );
        let reading = Reader::default().read_text(&text).expect("a game");
        assert_eq!((reading.records.len(), reading.warnings.len()), (1, 1), "{:?}", reading.warnings);
        let second = reading.records[0].tree.main_line()[1];
        assert_eq!(reading.records[0].tree.children(second).count(), 2, "the variation after it is read");
    }
}

#[test]
fn wrong_times_and_ends_of_lines_are_reported() {
    for time in ["T-600", "T", "Tabc", "T1:20"] {
        let text = format!("PI\n+\n+7776FU,T+600\n-3334FU,{time}\n+2726FU,T3\n");
        let record =
            &check(&text, &["7g7f 3c3d 2g2f"], &["line 4, column 10: expected a time in seconds"])[0];
        let times: Vec<_> = record.tree.main_line().iter().map(|&node| record.tree.time(node)).collect();
        assert_eq!(times, [Some(Duration::from_secs(600)), None, Some(Duration::from_secs(3))], "{time}");
    }
    check(
        &format!("{HEAD}{RULE}\n   1 ７六歩(77) (-1:00/00:00:00)\n   2 ３四歩(33)\n"),
        &["7g7f 3c3d"],
        &["unexpected text: (-1:00/00:00:00)"],
    );
    check(
        "[Sente \"a\"]\n1.P7g-7f (-0:05 / 00:00:00)\n2.P3c-3d (0:01 / 00:00:01)\n",
        &["7g7f 3c3d"],
        &["unexpected text"],
    );
    // Anything else behind nine cells, but not a tenth cell.
    let row = |behind: &str| {
        let empty: String = (2..9).map(|row| format!("P{row}{}\n", " * ".repeat(9))).collect();
        format!(
            "P1 *  *  *  * -OU *  *  *  * {behind}\n{empty}P9 *  *  *  * +OU *  *  *  * \nP-00AL\n+\n+5958OU\n"
        )
    };
    for behind in ["|", "  a", ":", "」"] {
        check(&row(behind), &["5i5h"], &["line 1, column"]);
    }
    assert!(Reader::default().read_text(&row("*")).is_err());
    let rows = "V2.2\nP1-KY-KE-GI-KI-OU-KI-GI-KE-KY.\nP2 * -HI *  *  *  *  * -KA *.\nP3-FU-FU-FU-FU-FU-FU-FU-FU-FU\n\
        P4 *  *  *  *  *  *  *  *  *.\nP5 *  *  *  *  *  *  *  *  *\nP6 *  *  *  *  *  *  *  *  *\n\
        P7+FU+FU+FU+FU+FU+FU+FU+FU+FU\nP8 * +KA *  *  *  *  * +HI *\nP9+KY+KE+GI+KI+OU+KI+GI+KE+KY\n+\n\
        +7776FU.\n-3334FU\n%TORYO.\n";
    let record = &check(rows, &["7g7f 3c3d"], &["unexpected text: ."; 5])[0];
    assert_eq!((record.start.as_deref(), record.end()), (None, Some(&End::Resign)));
    assert!(Reader::default().read_text("PI\n+\n+7776FU\n3334FU\n").is_err_and(|error| error.line == 4));
}

#[test]
fn moves_that_are_left_out_make_reading_fail() {
    let (moves, told) = failures("1. P-7f P-3d 2. P-2f P-8e 3. P-2e\n");
    assert_eq!((moves, told.len()), (3, 1), "{told:?}");
    let (moves, told) = failures("７六歩　３四歩\n２二角成　９九銀\n同　銀\n");
    assert_eq!((moves, told.len()), (2, 2), "{told:?}");
    let (moves, told) = failures("sfen gle/1c1/1C1/ELG b - 1 moves 2c2b resign 3a3b\n");
    assert_eq!((moves, told.len()), (1, 1), "{told:?}");
    assert!(
        Reader::default()
            .read_text("[초차림 \"상마상마\"]\n[한차림 \"마상상마\"]\n1. 79卒78 2. ?1兵42\n")
            .is_err()
    );
    assert!(Reader::default().read_text(r#"{"moves":[{},{"forks":[{}]}]}"#).is_err());
}

#[test]
fn games_in_different_formats_follow_each_other() {
    let kif = format!("{HEAD}{RULE}\n   1 ７六歩(77)\n   2 投了\n");
    let csa = "V2.2\nPI\n+\n+2726FU\n%TORYO\n";
    let usi = "position startpos moves 7g7f 3c3d\n";
    let western = "[Sente \"a\"]\n1.P7g-7f\n";
    check(&format!("{kif}\n{csa}\n{usi}"), &["7g7f", "2g2f", "7g7f 3c3d"], &[]);
    check(&format!("{csa}{kif}"), &["2g2f", "7g7f"], &[]);
    check(&format!("{usi}{csa}{western}"), &["7g7f 3c3d", "2g2f", "7g7f"], &[]);
    let jkf = r#"{"moves":[{},{"move":{"from":{"x":7,"y":7},"to":{"x":7,"y":6},"piece":"FU"}}]}"#;
    check(&format!("{kif}{jkf}\n"), &["7g7f", "7g7f"], &[]);
    // In a comment, it is no game.
    check(&format!("{kif}*{usi}"), &["7g7f"], &[]);
}

#[test]
fn a_deep_tree_is_read_back_from_every_format_with_variations() {
    let king = ["５八玉(59)", "５二玉(51)", "５九玉(58)", "５一玉(52)"];
    let pawn = |n: usize| if n % 2 == 1 { "９六歩(97)" } else { "９四歩(93)" };
    // Every variation has one.
    let depth = 600;
    let mut text = format!("{HEAD}{RULE}\n");
    for n in 0..depth {
        text += &format!("{} {}\n", n + 1, king[n % 4]);
    }
    for n in (2..=depth).rev() {
        text += &format!("変化：{n}手\n{n} {}\n", pawn(n));
    }
    let record = &read(text.as_bytes()).expect("a game")[0];
    for format in [Format::Kif, Format::Ki2, Format::Jkf, Format::Western, Format::Hodges, Format::Psn] {
        let text = write(record, format).expect("a text");
        assert_eq!(read(text.as_bytes()).as_deref(), Ok(std::slice::from_ref(record)), "{format:?}");
    }
}

/// Each header is processed only once.
#[test]
fn many_headers_take_linear_time() {
    let lines = |line: &dyn Fn(usize) -> String| (0..100_000).map(line).collect::<String>();
    for (name, text) in [
        ("kif", lines(&|n| format!("見出し{n}：値{n}\n")) + "手合割：平手\n   1 ７六歩(77)\n"),
        ("kif notes", lines(&|n| format!("備考：値{n}\n")) + "手合割：平手\n   1 ７六歩(77)\n"),
        ("csa", "V2.2\n".to_string() + &lines(&|n| format!("$X{n}:{n}\n")) + "PI\n+\n+7776FU\n"),
        ("csa positions", "PI\n+\n+7776FU\n".to_string() + &lines(&|_| "PI\n".into())),
        ("psn", lines(&|n| format!("[X{n} \"{n}\"]\n")) + "1.P7g-7f\n"),
        (
            "pgn",
            "[Variant \"janggi\"]\n".to_string() + &lines(&|n| format!("[X{n} \"{n}\"]\n")) + "\n1. i4h4 *\n",
        ),
        (
            "jkf",
            format!(
                "{{\"header\":{{{}\"a\":\"b\"}},\"moves\":[{{}}]}}",
                lines(&|n| format!("\"x{n}\":\"{n}\",\n"))
            ),
        ),
        (
            "gib",
            "[초차림 \"상마상마\"]\n[한차림 \"마상상마\"]\n".to_string()
                + &lines(&|n| format!("[표{n} \"{n}\"]\n"))
                + "\n1. 79卒78\n",
        ),
        ("usi", "startpos moves 7g7f\n".to_string() + &lines(&|n| format!("# {n}\n"))),
    ] {
        let begin = Instant::now();
        let records = read(text.as_bytes()).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(records.len(), 1, "{name}");
        // Quadratic time would be minutes.
        assert!(begin.elapsed().as_secs() < 20, "{name}: {:?}", begin.elapsed());
    }
}

/// A variation with an impossible move is left out from there on, and the game is kept.
#[test]
fn a_broken_variation_does_not_cost_the_game() {
    let head = format!("{HEAD}{RULE}\n   1 ７六歩(77)\n   2 ３四歩(33)\n   3 投了\n");
    let texts = [
        format!("{head}変化：1手\n   1 ２六歩(25)\n   2 ８四歩(83)\n"),
        format!("{head}変化：2手\n   2 ８四歩(83)\n   3 ２六歩(25)\n"),
        format!("{head}変化：2手\n   2 ８四歩(83)\n   9 ２六歩(27)\n"),
        "▲７六歩△３四歩\nまで2手で後手の勝ち\n\n変化：1手\n△８四歩\n".into(),
    ];
    for text in texts {
        let (moves, problems) = failures(&text);
        assert_eq!((moves, problems.len()), (2, 1), "{problems:?}\n{text}");
    }
    let next = format!("{head}変化：1手\n   1 ２六歩(25)\n変化：2手\n   2 ８四歩(83)\n");
    let reading = Reader::default().read_text(&next).expect("a game");
    let tree = &reading.records[0].tree;
    assert_eq!((reading.refused.len(), tree.children(tree.main_line()[0]).count()), (1, 2));
}

/// Without a board, the first number is 1.
#[test]
fn a_game_does_not_begin_with_a_later_number() {
    check(&format!("{HEAD}72 投了\n"), &[""], &["expected move 1, found 72"]);
    for first in ["3 ７六歩(77)", "35 ７六歩(77)", "2 ３四歩(33)"] {
        assert!(Reader::default().read_text(&format!("{HEAD}{RULE}\n  {first}\n")).is_err(), "{first}");
    }
    let players = read("先手：甲\n後手：乙\n\n先手：丙\n後手：丁\n▲７六歩\n".as_bytes()).expect("two games");
    assert_eq!(players.len(), 2);
}

#[test]
fn an_end_without_moves_comes_back() {
    let text = "PI\n+\n%KACHI,T3\n";
    for format in [Format::Psn, Format::Western, Format::Kif, Format::Ki2, Format::Jkf] {
        let written = write(&read(text.as_bytes()).expect("a game")[0], format).expect("a text");
        assert_eq!(check(&written, &[""], &[])[0].end(), Some(&End::Declaration), "{format:?}");
    }
}

/// Forms that the collection of bioshogi contains.
#[test]
fn forms_of_bioshogi_are_read() {
    let kept = "unexpected lines";
    check(
        "先手: 甲 / 後手: 乙\n手合割：平手\n\n▲７六歩△３四歩\n-----\n  generated by 甲\n",
        &["7g7f 3c3d"],
        &[kept],
    );
    check(
        "２六歩 ３四歩\n２五歩 ３二銀\n２四歩 同歩\n同飛 ３一金\n",
        &["2g2f 3c3d 2f2e 3a3b 2e2d 2c2d 2h2d 4a3a"],
        &[],
    );
    check("　　#甲\n　　\t開始日時：2000年01月02日(金) 01：02：03\n1 ７六歩\n", &["7g7f"], &[]);
    check("手合割：香落ち\n下手：甲\n上手：乙\n△３四歩\n", &["3c3d"], &[]);
    check("+7968GI,,T30\n-3334FU,T1\n%TORYO,,,T1\n", &["7i6h 3c3d"], &[]);
    let record = &check(&format!("{HEAD}{RULE}\n   1 ７六歩(77)\n   2 反則勝ち\n"), &["7g7f"], &[])[0];
    assert_eq!(record.end(), Some(&End::FoulWin));
}
