//! Difficult records with the expected results.

use sanban_formats::record::{Encoding, End, Format, Outcome, Reader, Reading, Record, encode, write};
use sanban_rules::{Color, VariantId};

pub fn read(text: &str) -> Reading {
    Reader::default().read_text(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

pub fn usi(record: &Record) -> String {
    let moves = record.moves().into_iter().map(sanban_rules::shogi::Position::usi);
    moves.collect::<Vec<_>>().join(" ")
}

/// Checks the games in `text` against `games`, each given as a line of moves, and the warnings against `warnings`, of
/// which each is a part of the message. Returns the records.
pub fn check(text: &str, games: &[&str], warnings: &[&str]) -> Vec<Record> {
    let reading = read(text);
    let found: Vec<String> = reading.records.iter().map(usi).collect();
    assert_eq!(found, games, "{text}");
    let told: Vec<String> = reading.warnings.iter().map(ToString::to_string).collect();
    assert_eq!(told.len(), warnings.len(), "{told:#?}\n{text}");
    for (told, wanted) in told.iter().zip(warnings) {
        assert!(told.contains(wanted), "{told}, expected {wanted}\n{text}");
    }
    assert_eq!(Reader { strict: true, ..Reader::default() }.read_text(text).is_err(), !warnings.is_empty());
    reading.records
}

pub const RULE: &str = "手数----指手---------消費時間--";

#[test]
fn several_games_in_one_text() {
    let two = &["7g7f 3c3d", "2g2f"];
    let kif = "手合割：平手\n先手：甲\n手数----指手---------消費時間--\n   1 ７六歩(77)\n   2 ３四歩(33)\n";
    let more = "   1 ２六歩(27)\n";
    check(&format!("#KIF version=2.0\n{kif}#KIF version=2.0\n{RULE}\n{more}"), two, &[]);
    check(&format!("{kif}手合割：平手\n{RULE}\n{more}"), two, &[]);
    check(&format!("{kif}先手：丙\n{RULE}\n{more}"), two, &[]);
    check(&format!("{kif}{RULE}\n{more}"), two, &[]);
    check(&format!("{kif}{more}"), two, &[]);
    check("先手：甲\n▲７六歩△３四歩\n先手：乙\n▲２六歩\n", two, &[]);
    check("V2.2\nPI\n+\n+7776FU\n-3334FU\nV2.2\nPI\n+\n+2726FU\n", two, &[]);
    check("PI\n+\n+7776FU\n-3334FU\n%TORYO\n\n先手：甲\n▲２六歩\n", two, &[]);
    check("startpos moves 7g7f 3c3d\n▲２六歩\n", two, &[]);
    check("PI\n+\n+7776FU\n-3334FU\nPI\n+\n+2726FU\n", two, &[]);
    check("1.P7f P3d\n#\n1.P2f", two, &[]);
    check("1.P7f P3d\n1.P2f", two, &[]);
    check("▲７六歩△３四歩\nまで2手で後手の勝ち\n▲２六歩\n", two, &[]);
    for format in Format::ALL.into_iter().filter(|format| format.streams() && format.suits(VariantId::Shogi))
    {
        let records = read("startpos moves 7g7f 3c3d\nstartpos moves 2g2f\n").records;
        let texts: Vec<String> =
            records.iter().map(|record| write(record, format).expect("legal moves")).collect();
        let between = std::str::from_utf8(format.between()).expect("text");
        let found: Vec<String> = read(&texts.join(between)).records.iter().map(usi).collect();
        assert_eq!(found, two, "{format:?}");
    }
}

#[test]
fn one_bad_game_does_not_disable_a_stream() {
    let reading = read("startpos moves 7g7f\nstartpos moves 7g7x\nstartpos moves 2g2f\n");
    assert_eq!(reading.records.len(), 2);
    assert_eq!((reading.refused.len(), reading.refused[0].line), (1, 2));
}

#[test]
fn text_between_moves_of_ki2() {
    let three = &["7g7f 3c3d 2g2f"];
    for text in [
        "▲７六歩、△３四歩、▲２六歩",
        "▲７六歩→△３四歩→▲２六歩",
        "▲７六歩 , △３四歩 / ▲２六歩",
        "1.▲７六歩 2.△３四歩 3.▲２六歩",
        "1手目▲７六歩、2手目△３四歩、3手目▲２六歩",
        "<b>▲７六歩</b><br>△３四歩 &rarr; ▲２六歩",
        "__▲７六歩__ *△３四歩* ▲２六歩。",
        "☗７六歩☖３四歩☗２六歩",
    ] {
        check(text, three, &[]);
    }
    let records = check("▲７六歩（角道を開ける）△３四歩▲２六歩", three, &["column 6: kept as a comment"]);
    let line = records[0].tree.main_line();
    assert_eq!(records[0].tree.comment(line[0]), "角道を開ける");
    check("初手から▲７六歩△３四歩と進んで▲２六歩", three, &["初手から", "と進んで"]);
    let records = check("先手：甲\n▲７六歩 △３四歩 投了\n", &["7g7f 3c3d"], &[]);
    assert_eq!(records[0].end(), Some(&End::Resign));
    let records = check("▲７六歩 △３四歩 まで2手で後手の勝ち", &["7g7f 3c3d"], &[]);
    assert_eq!(records[0].outcome(), Outcome::Win(Color::White));
    check("▲７六歩 ▲３四歩", &["7g7f 3c3d"], &["the mark"]);
}

#[test]
fn winners_are_those_of_the_words() {
    let text = format!("手合割：平手\n{RULE}\n   1 ７六歩(77)\n   2 ３四歩(33)\nまで2手で先手の勝ち\n");
    let records = check(&text, &["7g7f 3c3d"], &[]);
    assert_eq!(records[0].outcome(), Outcome::Win(Color::Black));
    for format in Format::ALL.into_iter().filter(|&format| {
        format.suits(VariantId::Shogi) && !matches!(format, Format::Usi | Format::Sfen | Format::Bod)
    }) {
        let text = write(&records[0], format).expect("legal moves");
        assert_eq!(read(&text).records[0].outcome(), Outcome::Win(Color::Black), "{format:?}\n{text}");
    }
    let foul = "先手：甲\n\n▲７六歩 △３四歩\nまで2手で後手の反則行為により先手の勝ち\n";
    let records = check(foul, &["7g7f 3c3d"], &[]);
    assert!(write(&records[0], Format::Csa).is_ok_and(|text| text.contains("%-ILLEGAL_ACTION")));
    let text = "手合割：平手\n   1 ７六歩(77)\n   2 投了\nまで1手で後手の勝ち\n";
    check(text, &["7g7f"], &["a win for white, but the record already states a win for black"]);
}

#[test]
fn what_is_wrong_with_a_record_is_reported() {
    let head = format!("手合割：平手\n{RULE}\n");
    check(
        &format!("{head}   1 ７六歩(77)\nまで115手で先手の勝ち\n"),
        &["7g7f"],
        &["states 115 moves but has 1"],
    );
    check("PI\n+\n+7776TO\n-3334FU\n", &["7g7f+ 3c3d"], &["line 3, column 1: move 1 is illegal"]);
    check(&format!("{head}   1 ７六歩(77) 好手\n"), &["7g7f"], &["line 3, column 14: unexpected text: 好手"]);
    check(&format!("{head}   1 ７六歩(77)\n備考：よい\n"), &["7g7f"], &["line 4, column 1: unexpected text"]);
    check(&format!("{head}   1 ７六歩(77)   ( 0:01/xx)\n"), &["7g7f"], &["unexpected text: ( 0:01/xx)"]);
    check("手合割：平手\n1. ７六歩(77) ( 0:01/00:00:01)\n", &["7g7f"], &[]);
    check("手合割：平手\n1手目 ７六歩(77) ( 0:01/00:00:01)\n", &["7g7f"], &[]);
    let error = Reader::default().read_text(&format!("手合割：その他\n{RULE}\n   1 ４二玉(51)\n"));
    assert_eq!(error.map_err(|error| error.line).err(), Some(1));
    let error = Reader::default().read_text("sfen 4k4/9/9/9/9/9/9/4K4/4K4 b - 1 moves 5i5h");
    assert!(error.is_err_and(|error| error.problem.contains("too many")));
    let text = format!(
        "{head}   1 ７六歩(77)\n   2 ３四歩(33)\n   3 ２二角成(88)\n   4 ８四歩(83)\n   5 ２一角(22)\n"
    );
    check(&text, &["7g7f 3c3d 8h2b+ 8c8d 2b2a"], &["is 馬, but the record calls it 角"]);
}

#[test]
fn headers_of_every_kind() {
    for text in ["先手: 甲 / 後手: 乙\n手合割：平手\n\n▲７六歩", "先手：甲　　後手：乙\n▲７六歩"]
    {
        let records = check(text, &["7g7f"], &[]);
        assert_eq!(Color::ALL.map(|color| records[0].headers.player(color)), [Some("甲"), Some("乙")]);
    }
    let csa = "'CSA encoding=UTF-8\nV3.0\nN+A\nN-B\n$MAX_MOVES:320\n$JISHOGI:27\nPI\n+\n+7776FU\n%CHUDAN\n";
    let records = check(csa, &["7g7f"], &[]);
    let back = write(&records[0], Format::Csa3).expect("legal moves");
    assert!(
        back.contains("$JISHOGI:27\n") && back.contains("$MAX_MOVES:320\n") && !back.contains('手'),
        "{back}"
    );
    assert!(Format::Csa3.loses(&records[0]).is_empty());
}

#[test]
fn times_of_ends_do_not_become_those_of_moves() {
    let text = format!(
        "手合割：平手\n{RULE}\n   1 ７六歩(77)   ( 3:00/00:03:00)\n   2 封じ手       (25:00/00:25:00)\n"
    );
    let records = check(&text, &["7g7f"], &[]);
    let csa = write(&records[0], Format::Csa).expect("legal moves");
    assert_eq!(csa.matches("\nT").count(), 1, "{csa}");
    assert_eq!(read(&csa).records[0].end(), records[0].end());
    let wide = text.replace("( 3:00/00:03:00)", "（　３：００／００：０３：００）");
    assert_eq!(read(&wide).records, records);
}

#[test]
fn psn_of_every_kind() {
    let records = check(
        "[Sente \"A\"]\n[Gote \"B\"]\n[Date \"1990/01/02\"]\n[Result \"0-1\"]\n1.P7g-7f P3c-3d\n",
        &["7g7f 3c3d"],
        &[],
    );
    assert_eq!(records[0].headers.player(Color::White), Some("B"));
    assert_eq!(records[0].outcome(), Outcome::Win(Color::White));
    let timed = "[Sente \"A\"]\n[Gote \"B\"]\n1.P7g-7f          (00:02 / 00:00:02)\n2.P3c-3d          (00:01 / 00:00:01)\n";
    let records = check(timed, &["7g7f 3c3d"], &[]);
    assert_eq!(write(&records[0], Format::Psn).expect("legal moves"), timed);
    check("1.P7f P3d 2.G65h G45b", &["7g7f 3c3d 6i5h 4a5b"], &[]);
    check("1.P7f P3d 2.Bx2b+ xS", &["7g7f 3c3d 8h2b+ 3a2b"], &[]);
    check("1.P7f P3d 2.Bx2b+ Sx", &["7g7f 3c3d 8h2b+ 3a2b"], &[]);
    check("1.P7f P3d 2.Bx2b+ xB", &["7g7f 3c3d 8h2b+ 3a2b"], &["several pieces can capture"]);
}

#[test]
fn server_and_take_back() {
    let text = "V2\nN+a\nN-b\nTo_Move:+\n$EVENT:EARTH\nI+1249,840,x2|W\nPI\n+\n+7776FU\nT6\n-3334FU\nT27\n\
                #ILLEGAL_MOVE\n#SENTE_WIN\n";
    let records = check(text, &["7g7f 3c3d"], &[]);
    assert_eq!(records[0].end(), Some(&End::FoulWin));
    let records = check("PI\n+\n+7776FU\n-3334FU\n%MATTA\n+2726FU\n-8384FU\n", &["2g2f 8c8d"], &[]);
    assert!(records[0].tree.branches());
    check("moves 7g7f 3c3d\n", &["7g7f 3c3d"], &[]);
}

/// An illegal last move ends the game, in every format but PGN, which holds only legal moves.
#[test]
fn an_illegal_last_move_ends_the_game() {
    for moves in ["7g7f 3c3d 8h1a", "7g7f 3c3d 1g1e", "7g7f 3c3d G*5e"] {
        let reading = read(&format!("startpos moves {moves}"));
        assert!(reading.warnings[0].problem.starts_with("move 3 is illegal"));
        let record = &reading.records[0];
        assert_eq!(record.end(), Some(&End::FoulWin));
        for format in
            Format::ALL.into_iter().filter(|&format| format.suits(VariantId::Shogi) && format != Format::Bod)
        {
            let text = match write(record, format) {
                Err(error) if format == Format::Pgn => {
                    assert!(error.to_string().contains("illegal"), "{error}");
                    continue;
                }
                text => text.unwrap_or_else(|error| panic!("{format:?}: {error}")),
            };
            let back = &read(&text).records[0];
            assert_eq!((back.moves(), back.end()), (record.moves(), record.end()), "{format:?}\n{text}");
        }
    }
}

#[test]
fn an_illegal_last_move_ends_a_game_of_janggi() {
    let reader = Reader { game: Some(VariantId::JanggiCasual), ..Reader::default() };
    let reading = reader.read_text("startpos moves 1g2g 9d8d 1j1a\n").expect("a game");
    assert_eq!(reading.warnings.len(), 1);
    assert_eq!(
        (reading.warnings[0].column, &reading.warnings[0].problem[..]),
        (26, "move 3 is illegal: 1j1a")
    );
    let record = &reading.records[0];
    assert_eq!((record.moves().len(), record.end()), (3, Some(&End::FoulWin)));
    assert_eq!(record.outcome(), Outcome::Win(Color::White));
    for format in [Format::Usi, Format::Sfen, Format::Gib] {
        let text = write(record, format).unwrap_or_else(|error| panic!("{format:?}: {error}"));
        let back = &reader.read_text(&text).expect("the written record").records[0];
        assert_eq!((back.moves(), back.end()), (record.moves(), record.end()), "{format:?}\n{text}");
    }
    assert!(reader.read_text("startpos moves 1j1a 9d8d\n").is_err(), "an illegal move before the last move");
}

/// An impasse by agreement is a draw if both sides have 24 points; a side with fewer points loses.
#[test]
fn an_impasse_has_points() {
    let draw = Outcome::Draw;
    for (words, points, outcome) in [
        ("持将棋（先手30点、後手24点）", [30, 24], draw),
        ("持将棋 ▲30点 △24点", [30, 24], draw),
        ("相入玉、先手の点数は３０点、後手の点数は２４点", [30, 24], draw),
        ("持将棋により先手の勝ち（先手31点、後手23点）", [31, 23], Outcome::Win(Color::Black)),
        ("持将棋、先手20点、後手34点で後手の勝ち", [20, 34], Outcome::Win(Color::White)),
    ] {
        let text = format!("{RULE}\n   1 ７六歩(77)\n   2 ３四歩(33)\nまで2手で{words}\n");
        let record = &check(&text, &["7g7f 3c3d"], &[])[0];
        assert_eq!(record.end(), Some(&End::Counted(points)), "{words}");
        assert_eq!(record.outcome(), outcome, "{words}");
        let formats = Format::ALL.into_iter().filter(|format| format.suits(record.game));
        for format in formats.filter(|format| !matches!(format, Format::Bod | Format::Usi | Format::Sfen)) {
            let text = write(record, format).expect("legal moves");
            assert_eq!(read(&text).records[0].end(), record.end(), "{format:?}\n{text}");
        }
    }
    let text = "1.P7f P3d <impasse,_black_30,_white_24>";
    assert_eq!(check(text, &["7g7f 3c3d"], &[])[0].end(), Some(&End::Counted([30, 24])));
}

#[test]
fn a_piece_of_another_name_is_reported() {
    let text = format!("{RULE}\n   1 ７六金(77)\n   2 ３四歩(33)\n");
    check(&text, &["7g7f 3c3d"], &["the piece on ７七 is 歩, but the record calls it 金"]);
}

/// Moves that cannot occur in a game are reported but read, because other programs accept them.
#[test]
fn impossible_moves_are_reported() {
    let text = format!("{RULE}\n   1 ７六歩(77)\n   2 ２六歩(27)\n   3 ８四歩(83)\n");
    let record = &check(&text, &["7g7f 2g2f 8c8d"], &["line 3, column 6: move 2 is illegal: 2g2f"])[0];
    for format in [Format::Kif, Format::Csa, Format::Jkf, Format::Usi] {
        let text = write(record, format).expect("a text");
        assert_eq!(usi(&read(&text).records[0]), usi(record), "{format:?}");
    }
}

#[test]
fn moves_without_marks() {
    check("７六歩\n", &["7g7f"], &[]);
    check("７六歩　３四歩、２二角成\n同　銀", &["7g7f 3c3d 8h2b+ 3a2b"], &[]);
    check("▲７六歩\n５五角 ほか\n△３四歩", &["7g7f 3c3d"], &["unexpected text: ５五角 ほか"]);
}

#[test]
fn null_is_no_field_in_jkf() {
    let text = r#"{"header":{},"moves":[{},{"move":{"from":{"x":7,"y":7},"to":{"x":7,"y":6},"piece":"FU"},"comments":null},
        {"move":{"from":{"x":3,"y":3},"to":{"x":3,"y":4},"piece":"FU"}},
        {"move":{"from":{"x":8,"y":8},"to":{"x":2,"y":2},"piece":"KA","promote":true}},
        {"move":{"from":{"x":3,"y":1},"to":{"x":2,"y":2},"piece":"GI"}},
        {"move":{"from":null,"to":{"x":5,"y":5},"piece":"KA"}}]}"#;
    check(text, &["7g7f 3c3d 8h2b+ 3a2b B*5e"], &[]);
}

/// These cases were found by inserting foreign characters.
#[test]
fn nothing_vanishes_from_ends_and_rules() {
    let text = format!("{RULE}\n   1 ７六歩(77)\n   2 千日手\nまで1手で千日手\n");
    check(&text, &["7g7f"], &[]);
    check(&text.replace("   2 千日手", "   2 千Ω日手"), &["7g7f"], &["unknown end of the game: 千Ω日手"]);
    check(&text.replace("--消費", "--Ω消費"), &["7g7f"], &["unexpected text: Ω"]);
    let told = read(&text.replace("   2 千日手\n", "").replace("で千日手", "で後手の反則?!負け"));
    let node = *told.records[0].tree.main_line().last().expect("an end");
    assert!(told.records[0].tree.comment(node).contains("?!"));
}

#[test]
fn encodings_and_line_ends() {
    let text = format!(
        "開始日時：2020/01/02\n棋戦：練習\n手合割：平手\n先手：甲\n後手：乙\n{RULE}\n   1 ７六歩(77)\n"
    );
    let whole = read(&text).records;
    for encoding in [Encoding::Utf8, Encoding::ShiftJis, Encoding::EucJp, Encoding::Iso2022Jp] {
        let (bytes, _) = encode(&text, encoding);
        assert_eq!(Reader::default().read(&bytes).expect("a game").records, whole, "{encoding:?}");
    }
    for end in ["\r\n", "\r\r\n", "\r"] {
        let reading = read(&text.replace('\n', end));
        assert_eq!((reading.records, reading.warnings), (whole.clone(), vec![]), "{end:?}");
    }
}
