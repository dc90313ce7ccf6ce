//! Game ends: their keywords, winners and positions in the file, and the moves after them.

use crate::cases::{RULE, check, read, usi};
use sanban_formats::record::{End, Format, Outcome, Reader, Record, write};
use sanban_rules::{Color, VariantId};

const BLACK: Outcome = Outcome::Win(Color::Black);
const WHITE: Outcome = Outcome::Win(Color::White);

/// The formats that can represent the end of a game.
fn formats() -> impl Iterator<Item = Format> {
    let without = [Format::Usi, Format::Sfen, Format::Bod];
    Format::ALL.into_iter().filter(move |format| format.suits(VariantId::Shogi) && !without.contains(format))
}

/// A game of one move with these headers and an end.
fn game(headers: &str, end: &str) -> String {
    format!("手合割：平手\n{headers}{RULE}\n   1 ７六歩(77)\n{end}\n")
}

fn comments(record: &Record) -> Vec<&str> {
    let line = record.tree.main_line();
    line.iter().map(|&node| record.tree.comment(node)).filter(|comment| !comment.is_empty()).collect()
}

#[test]
fn a_summary_ends_before_the_next_move() {
    let four = &["7g7f 3c3d 2g2f 8c8d"];
    let records = check("先手：甲\n\n▲７六歩 △３四歩 まで2手 ▲２六歩 △８四歩", four, &[]);
    assert_eq!(records[0].end(), None);
    for text in [
        "▲７六歩 △３四歩\nまで2手で後手の勝ち ▲２六歩",
        "▲７六歩 △３四歩\n2手で後手の勝ち ▲２六歩",
        "▲７六歩 △３四歩\n以上2手で後手の勝ち ▲２六歩",
    ] {
        let records = check(text, &["7g7f 3c3d 2g2f"], &["move after the end of the game: "]);
        assert_eq!(records[0].end(), None);
        assert!(comments(&records[0])[0].ends_with("2手で後手の勝ち"));
    }
    for text in ["▲７六歩 △３四歩まで進んだ。▲２六歩", "▲７六歩 △３四歩\nまでは定跡。\n▲２六歩"]
    {
        let records = check(text, &["7g7f 3c3d 2g2f"], &["kept as a comment: まで"]);
        assert!(!records[0].tree.branches());
    }
}

/// Only a number or 変化 leads back to an earlier move.
#[test]
fn a_move_after_an_end_goes_on() {
    let three = &["7g7f 3c3d 2g2f"];
    let end = "move after the end of the game";
    for (text, reports) in [
        ("▲７六歩 △３四歩\n中断\n▲２六歩", vec![end]),
        ("▲７六歩 △３四歩 投了も考えた ▲２六歩", vec!["kept as a comment: 投了も考えた"]),
        ("▲７六歩 △３四歩 詰みはない ▲２六歩", vec!["kept as a comment: 詰みはない"]),
        ("▲７六歩 △３四歩 千日手模様だが ▲２六歩", vec!["kept as a comment: 千日手模様だが"]),
        ("▲７六歩 △３四歩 昼食のため中断 ▲２六歩", vec!["kept as a comment: 昼食のため", end]),
        ("PI\n+\n+7776FU\n-3334FU\n%CHUDAN\n+2726FU\n", vec![end]),
        ("PI\n+\n+7776FU\n-3334FU\n'までは定跡\n+2726FU\n", vec![]),
        ("手合割：平手\n   1 ７六歩(77)\n   2 ３四歩(33)\n   3 中断\n   3 ２六歩(27)\n", vec![end]),
    ] {
        let records = check(text, three, &reports);
        assert!(!records[0].tree.branches(), "{text}");
        assert_eq!(records[0].end(), None, "{text}");
        assert_eq!(comments(&records[0]).len(), 1, "{text}");
    }
    let jkf = r#"{"header":{},"moves":[{},{"move":{"from":{"x":7,"y":7},"to":{"x":7,"y":6},"piece":"FU"}},
        {"special":"CHUDAN"},{"move":{"from":{"x":3,"y":3},"to":{"x":3,"y":4},"piece":"FU"}}]}"#;
    assert!(!check(jkf, &["7g7f 3c3d"], &[end])[0].tree.branches());
    let two = &["7g7f 3c3d", "2g2f 8c8d"];
    check("▲７六歩 △３四歩 投了\n\n▲２六歩 △８四歩 投了", two, &[]);
    check("▲７六歩 △３四歩\nまで2手で後手の勝ち\n▲２六歩 △８四歩", two, &[]);
    let back = "手合割：平手\n   1 ７六歩(77)\n   2 ３四歩(33)\n   3 投了\n   2 ８四歩(83)\n";
    assert!(check(back, &["7g7f 3c3d"], &[])[0].tree.branches());
}

#[test]
fn the_loser_is_the_one_that_resigns() {
    for (words, outcome, reports) in [
        ("White resigns", BLACK, vec![]),
        ("Black resigns", WHITE, vec![]),
        ("white lost", BLACK, vec![]),
        ("White resigns 1-0", BLACK, vec![]),
        ("Black resigns 1-0", WHITE, vec!["a win for black, but the record already states a win for white"]),
        ("resigns 1-0", WHITE, vec!["a win for black"]),
        ("draw 1-0", Outcome::Draw, vec!["a win for black"]),
        ("{White resigns}", BLACK, vec![]),
        ("{White wins a pawn}", Outcome::Unknown, vec![]),
        ("[Result \"Jishogi\"]", Outcome::Draw, vec![]),
        ("[Result \"White resigns\"]", BLACK, vec![]),
        ("[Result \"foo\"]", Outcome::Unknown, vec!["unknown result foo"]),
    ] {
        let (words, head) = if words.starts_with('[') { ("", words) } else { (words, "") };
        let records = check(&format!("{head}\n1.P7g-7f P3c-3d {words}"), &["7g7f 3c3d"], &reports);
        assert_eq!(records[0].outcome(), outcome, "{words}");
    }
}

/// If such words are inserted between any moves, every move remains in the main line of a game, and the words are
/// reported, or the record is rejected.
#[test]
fn no_words_between_moves_hide_a_move() {
    let moves = ["▲７六歩", "△３四歩", "▲２六歩", "△８四歩", "▲２五歩", "△８五歩", "▲７八金", "△３二金"];
    let words = [
        "投了",
        "中断",
        "詰み",
        "千日手",
        "まで2手で後手の勝ち",
        "まで進んで",
        "後手投了",
        "先手勝ち",
        "+50",
        "12:34",
        "99",
        "（▲１六歩）",
        "投了も",
        "以上",
        "2手で後手の勝ち",
        "封じ手",
        "ここまで",
        "*",
        "まで77手で指し掛け",
    ];
    let whole = usi(&read(&moves.join(" ")).records[0]);
    for word in words {
        for at in 1..moves.len() {
            for apart in [" ", "\n", "\n\n", ""] {
                let (before, after) = (moves[..at].join(" "), moves[at..].join(" "));
                let text = format!("{before}{apart}{word}{apart}{after}\n");
                let Ok(reading) = Reader::default().read_text(&text) else { continue };
                let found: Vec<String> = reading.records.iter().map(usi).collect();
                assert_eq!(found.join(" "), whole, "{text}");
                assert!(reading.records.iter().all(|record| !record.tree.branches()), "{text}");
                let kept = reading.records.len() > 1 || word == "*";
                assert!(kept || !reading.warnings.is_empty(), "{text}");
            }
        }
    }
}

/// The loser is the side that the phrase names.
#[test]
fn ends_between_the_moves_of_ki2() {
    for (words, outcome) in [
        ("後手投了", BLACK),
        ("後手の投了 以上", BLACK),
        ("後手投了、おわり", BLACK),
        ("\n後手投了", BLACK),
        ("\n先手勝ち", BLACK),
        ("まで、先手の勝ち。", BLACK),
        ("☖の勝ち", WHITE),
        ("投了", WHITE),
    ] {
        let reading = read(&format!("▲７六歩 △３四歩 {words}\n"));
        assert_eq!(reading.records[0].outcome(), outcome, "{words}");
        assert_eq!(reading.warnings.is_empty(), !words.contains("おわり"), "{words}");
    }
    check(&game("", "1手詰め"), &["7g7f"], &["unexpected text: 1手詰め"]);
}

#[test]
fn winners_survive_every_format() {
    let names = "先手：甲\n後手：乙\n";
    for (end, outcome) in [
        ("まで1手で甲時間切れ負け", WHITE),
        ("まで1手で乙の勝ち", WHITE),
        ("まで1手で甲の勝ち", BLACK),
        ("まで1手で後手の勝ち", WHITE),
        ("   2 後手の負け", BLACK),
        ("   2 先手の勝ち", BLACK),
        ("   2 後手の勝ち", WHITE),
        ("   2 後手投了", BLACK),
        ("   2 先手投了", WHITE),
        ("   2 後手時間切れ", BLACK),
        ("   2 先手の反則負け", WHITE),
        ("   2 後手の反則", BLACK),
        ("1手で後手の勝ち", WHITE),
        ("1手にて先手の勝ち", BLACK),
        ("1手まで先手の勝ち", BLACK),
        ("まで1手で後手の連続王手の千日手", BLACK),
        ("まで1手で先手の連続王手の千日手", WHITE),
        ("まで1手で後手が先手に勝ち", WHITE),
        ("まで1手で先手が後手に勝ち", BLACK),
        ("まで1手で先手が後手に負け", WHITE),
        ("まで1手で先手に勝ち", WHITE),
        ("まで1手で先手が詰ます", BLACK),
        ("まで1手で先手が詰まされる", WHITE),
        ("まで1手で後手の二歩", BLACK),
        ("まで1手で後手の王手放置", BLACK),
        ("まで1手で二歩", BLACK),
        ("まで1手で先手の宣言負け", WHITE),
        ("まで1手で先手の入玉宣言失敗", WHITE),
        ("まで1手で後手の入玉宣言負け", BLACK),
        ("まで1手で両者反則負け", Outcome::Unknown),
        ("まで1手で両者負け", Outcome::Unknown),
    ] {
        let record = &check(&game(names, end), &["7g7f"], &[])[0];
        assert_eq!(record.outcome(), outcome, "{end}");
        assert!(!record.tree.branches(), "{end}");
        for format in formats() {
            let text = write(record, format).expect("legal moves");
            let back = &read(&text).records[0];
            assert_eq!((back.outcome(), back.end()), (outcome, record.end()), "{end}, {format:?}\n{text}");
        }
    }
    let perpetual = check(&game("", "まで1手で連続王手の千日手"), &["7g7f"], &["unknown end"]);
    assert_eq!(perpetual[0].outcome(), Outcome::Unknown);
}

#[test]
fn counts_of_moves_in_any_digits() {
    for count in ["廿一手", "第21手", "21手目", "二十一手", "２１手", "弐拾壱手"] {
        check(&game("", &format!("まで{count}で先手の勝ち")), &["7g7f"], &["states 21 moves but has 1"]);
    }
    check(&game("", "まで壱手で先手の勝ち"), &["7g7f"], &[]);
}

#[test]
fn unknown_ends_are_reported() {
    for word in ["指了", "パス", "resign", "以下略"] {
        let records = check(&game("", &format!("   2 {word}")), &["7g7f"], &["unknown end"]);
        assert_eq!(records[0].end(), Some(&End::Other(word.into())));
    }
    for word in ["toryo", "FOO", ""] {
        check(&format!("PI\n+\n+7776FU\n%{word}\n"), &["7g7f"], &["unknown end"]);
    }
    let jkf = r#"{"header":{},"moves":[{},{"special":"FOO"}]}"#;
    check(jkf, &[""], &["unknown end"]);
    check(&game("", "   1 定跡"), &["7g7f"], &["unexpected text"]);
}

#[test]
fn two_ends_that_differ_are_reported() {
    for (second, reports) in [
        ("まで1手で先手の勝ち", vec![]),
        ("まで1手で中断", vec!["already ends with 投了"]),
        ("まで1手で時間切れにより先手の勝ち", vec!["already ends with 投了"]),
        ("まで1手で千日手", vec!["a draw, but the record already states a win for black"]),
    ] {
        check(&game("", &format!("   2 投了\n{second}")), &["7g7f"], &reports);
    }
    // The end with a winner is kept.
    let twice = game("", "   2 中断\nまで1手で先手の勝ち");
    assert_eq!(check(&twice, &["7g7f"], &["already ends with 中断"])[0].outcome(), BLACK);
    let server = "PI\n+\n+7776FU\n%TORYO\n#RESIGN\n#GOTE_WIN\n";
    check(server, &["7g7f"], &["a win for white, but the record already states a win for black"]);
    check(&server.replace("GOTE", "SENTE"), &["7g7f"], &[]);
    assert_eq!(usi(&read(server).records[0]), "7g7f");
}

/// An illegal last move is reported unless the stated end is a foul by the side that made it.
#[test]
fn the_side_of_an_illegal_move_loses() {
    let illegal =
        |end: &str| format!("手合割：平手\n   1 ７六歩(77)\n   2 ８四歩(83)\n   3 ５五角打\n{end}\n");
    let moves = &["7g7f 8c8d B*5e"];
    check(&illegal("   4 反則勝ち"), moves, &[]);
    check(&illegal("まで3手で先手の反則負け"), moves, &[]);
    check(&illegal("まで3手で後手の反則負け"), moves, &["move 3 is illegal"]);
    check(&illegal("まで3手で先手の勝ち"), moves, &["move 3 is illegal"]);
}
