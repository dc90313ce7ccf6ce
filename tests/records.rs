//! Game records: every format written and read again.

use sanban::analysis::{self, Summary};
use sanban::base::{Move, MoveList, Rng};
use sanban::games::Shogi;
use sanban::record::{Action, Board, End, Format, Headers, NodeId, Reader, Record, read, write};
use sanban::search::{Limits, Pool, Signals};
use sanban::shogi::Position;
use std::time::Duration;

/// Start positions: the even game, handicaps, a position of a game, and a problem.
const STARTS: [Option<&str>; 8] = [
    None,
    Some("lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
    Some("lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
    Some("2sgkgs2/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
    Some("4k4/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
    Some("l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1"),
    Some("lnsgkg1nl/1r5s1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/7R1/LNSGKGSNL b Bb 1"),
    Some("9/3+R1+R3/2+B3+B2/1G5G1/+S+S1k1+S+S2/2GNGN3/9/9/4K4 b 2N2L9P 1"),
];

fn random_move(rng: &mut Rng, board: &Board) -> Option<Move> {
    let pos = Position::from_sfen(&board.sfen()).ok()?;
    let mut list = MoveList::new();
    pos.legal(&mut list);
    list.get(rng.below(list.len().max(1))).copied()
}

const WORDS: [&str; 6] = ["好手", "*解析 0", "と金 (77)", "変化：3手", "a { b } ( c )", "まで 次の一手"];
const NAMES: [&str; 4] = ["羽生 善治", "Bonanza 6.0", "表千家", "A B"];
const ENDS: [End; 8] = [
    End::Resign,
    End::Interrupt,
    End::Impasse,
    End::Repetition,
    End::Mate,
    End::Timeout,
    End::FoulLoss,
    End::Declaration,
];

/// A random game with comments, variations, times and an end.
fn random_record(rng: &mut Rng) -> Record {
    let start = STARTS[rng.below(STARTS.len())];
    let mut record = Record::new("shogi", start.map(str::to_string));
    for name in [Headers::STARTED, Headers::EVENT, Headers::BLACK, Headers::WHITE, "消費時間"] {
        if rng.below(2) == 0 {
            record.headers.set(name, NAMES[rng.below(NAMES.len())]);
        }
    }
    let mut board = Board::from_start(start).expect("a position");
    let root = record.tree.root();
    let timed = rng.below(2) == 0;
    let length = 20 + rng.below(100);
    grow(rng, &mut record, root, &mut board, length, timed, 3);
    if rng.below(3) == 0 {
        record.tree.set_comment(root, WORDS[rng.below(6)].into());
    }
    record
}

fn grow(
    rng: &mut Rng,
    record: &mut Record,
    parent: NodeId,
    board: &mut Board,
    length: usize,
    timed: bool,
    branches: usize,
) {
    let before = board.made();
    let mut line = vec![parent];
    while line.len() <= length {
        let Some(mv) = random_move(rng, board) else { break };
        let Some(&node) = line.last() else { break };
        if record.tree.children(node).any(|child| record.tree.mv(child) == Some(mv)) {
            break;
        }
        let node = record.tree.add(node, Action::Move(mv)).expect("room");
        board.play(mv).expect("a legal move");
        texts(rng, record, node, timed);
        line.push(node);
    }
    if let Some(&last) = line.last()
        && last != parent
        && rng.below(3) > 0
    {
        let end = record.tree.add(last, Action::End(ENDS[rng.below(ENDS.len())].clone())).expect("room");
        texts(rng, record, end, timed);
    }
    for _ in 0..if branches > 0 { rng.below(branches) } else { 0 } {
        let at = rng.below(line.len());
        while board.made() > before + at {
            board.undo();
        }
        let length = 1 + rng.below(8);
        let (node, made) = (line[at], board.made());
        grow(rng, record, node, board, length, timed, branches - 1);
        while board.made() > made {
            board.undo();
        }
        // The line is off the board now from here on.
        line.truncate(at + 1);
    }
}

fn texts(rng: &mut Rng, record: &mut Record, node: NodeId, timed: bool) {
    if timed {
        record.tree.set_time(node, Some(Duration::from_millis(rng.below(100_000) as u64)));
    }
    if rng.below(12) == 0 {
        let lines: Vec<&str> = (0..=rng.below(3)).map(|_| WORDS[rng.below(WORDS.len())]).collect();
        record.tree.set_comment(node, lines.join("\n"));
    }
    if rng.below(40) == 0 {
        record.tree.set_bookmark(node, "しおり");
    }
}

#[test]
fn diagrams_come_back() {
    for sfen in [
        "4k4/9/4P4/9/9/9/9/9/9 b 2G2r2b2g4s4n4l17p 1",
        "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 62",
        "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 7",
    ] {
        let record = Record::new("shogi", Some(sfen.into()));
        let text = write(&record, Format::Bod).expect("a diagram");
        let back = read(text.as_bytes()).expect("what was written");
        assert_eq!(back[0].start.as_deref(), Some(sfen), "{text}");
    }
}

/// Fourteen openings as a scan has left them: some letters are others, some numbers out of order.
#[test]
fn scanned_openings_are_mended_and_survive_every_format() {
    let bytes = include_bytes!("data/western-openings-scanned.txt");
    let error = read(bytes).expect_err("Plg-lf is no move");
    assert_eq!((error.line, error.column), (1, 168));
    let reading = Reader { repair: true, ..Reader::default() }.read(bytes).expect("all of it");
    let lengths: Vec<usize> = reading.records.iter().map(|record| record.moves().len()).collect();
    assert_eq!(lengths, [26, 26, 28, 24, 24, 24, 28, 28, 26, 24, 24, 28, 22, 24]);
    assert_eq!(reading.mends.len(), 9, "{:#?}", reading.mends);
    assert!(reading.mends.contains(&"line 6, column 22: P7q-7f read as P7f".to_string()));
    for record in &reading.records {
        for format in
            Format::ALL.into_iter().filter(|&format| format.suits(record.game) && format != Format::Bod)
        {
            let text = write(record, format).expect("legal moves");
            let back = read(text.as_bytes()).expect("what was written");
            assert_eq!(back[0].moves(), record.moves(), "{format:?}");
        }
    }
}

/// Of this game the scan has lost most of the first twenty moves: no repair can know them.
#[test]
fn a_game_with_holes_is_refused_where_the_first_one_is() {
    let bytes = include_bytes!("data/western-game-scanned.txt");
    let repair = Reader { format: Some(Format::Western), repair: true, ..Reader::default() };
    let error = repair.read(bytes).expect_err("number 1 is missing");
    assert_eq!(error.problem, "expected number 1, found 2");
}

/// Files made in bad faith: an error with its place, or a record, and in no time.
#[test]
fn hostile_files_end_soon() {
    let head = "手合割：平手\n手数----指手---------消費時間--\n";
    let king = ["５八玉(59)", "５二玉(51)", "５九玉(58)", "５一玉(52)"];
    let line: String = (0..5000).map(|n| format!("{} {}\n", n + 1, king[n % 4])).collect();
    let side = |n: usize| if n % 2 == 1 { "９六歩(97)" } else { "９四歩(93)" };
    let branches: String = (2..5000).rev().map(|n| format!("変化：{n}手\n{n} {}\n", side(n))).collect();
    let deep = read(format!("{head}{line}{branches}").as_bytes()).expect("a deep tree");
    for format in [Format::Kif, Format::Ki2, Format::Jkf, Format::Western] {
        assert!(write(&deep[0], format).is_ok_and(|text| text.len() > 50_000), "{format:?}");
    }
    let board = format!("{}{}", "後手の持駒：なし\n", "| ・ ・ ・ ・ ・ ・ ・ ・ ・|一\n".repeat(9));
    for (text, line) in [
        (format!("手合割：平手\n   1 {}\n", "７".repeat(300_000)), 2),
        (format!("startpos moves {}\n", "7g7f ".repeat(200_000)), 1),
        (format!("sfen {} b - 1\n", "9/".repeat(200_000)), 1),
        (board.repeat(1000), 12),
        (format!("PI\n+\n+{}\n", "7".repeat(500_000)), 3),
        (format!("{{\"moves\":{}", "[".repeat(100_000)), 1),
        ("1.P7f P3d ".to_string() + &"( ".repeat(100_000), 1),
        ("手合割：平手\n   1 ７六歩(77)\n   3 ２六歩(27)\n".into(), 3),
    ] {
        let error = read(text.as_bytes()).expect_err("no record");
        assert_eq!(error.line, line, "{error}");
    }
    let noise: Vec<u8> =
        (0..100_000u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 11) as u8 | 0x80).collect();
    assert!(read(&noise).is_err());
}

/// A game judged with few nodes: its comments are read again, and its page stands alone.
#[test]
fn a_judged_game_is_told_in_every_form() {
    let moves = "7g7f 3c3d 2g2f 8c8d 2f2e 8d8e 6i7h 4a3b 9g9f 9c9d 8h2b+ 3a2b B*5e B*3c 5e3c+ 2b3c";
    let record = &read(format!("startpos moves {moves}").as_bytes()).expect("a game")[0];
    let limits = Limits { nodes: Some(300), ..Limits::default() };
    let mut pool = Pool::<Shogi>::new();
    pool.settings().multi_pv = 2;
    let mut judged = Vec::new();
    let analysis = analysis::analyse(&mut pool, record, &limits, &Signals::default(), |n| judged.push(n));
    let analysis = analysis.expect("the start position").expect("nobody says stop");
    assert_eq!(judged, (0..=16).rev().collect::<Vec<_>>(), "the last position first");
    assert!(analysis.positions.iter().all(|position| position.candidates.len() == 2));
    assert!((0..16).all(|n| analysis.class(n).is_some()) && analysis.class(16).is_none());

    let commented = analysis::kif_comments(record, &analysis).expect("moves that can be made");
    let text = write(&commented, Format::Kif).expect("moves that can be made");
    for word in
        ["**解析 0 候補1 時間 00:0", "**解析 0 候補2", " 評価値 ", " 読み筋 ▲", "*#評価値=", "*#読み筋="]
    {
        assert!(text.contains(word), "{word}");
    }
    let back = read(text.as_bytes()).expect("what was written");
    assert_eq!(back[0].moves(), record.moves());
    assert!(analysis::is_analysed(&back[0]) && !analysis::is_analysed(record));

    let commented = analysis::csa_comments(record, &analysis).expect("moves that can be made");
    let csa = write(&commented, Format::Csa).expect("moves that can be made");
    assert!(csa.lines().any(|line| line.starts_with("'** ") && line.contains(" +")), "{csa}");
    assert!(read(csa.as_bytes()).is_ok_and(|back| analysis::is_analysed(&back[0])));

    let summary = Summary::new(&analysis, &[]);
    assert_eq!(summary.0.iter().map(|side| side.moves).sum::<usize>(), 16);
    let html = analysis::html("a <game>.kif", record, &analysis, &summary).expect("moves that can be made");
    assert!(html.len() < 400_000 && html.contains("a &lt;game&gt;.kif") && !html.contains("{{"));
    assert!(!html.replace("http://www.w3.org/2000/svg", "").contains("http"), "nothing is fetched");
    let lines = analysis::json_lines::<Shogi>("game.kif", record, &analysis, &summary);
    let values: Vec<serde_json::Value> =
        lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!((values.len(), &values[0]["move"]), (18, &serde_json::json!("7g7f")));
}

/// The first lines in which two records differ, written in the format that holds most.
fn difference(one: &Record, two: &Record) -> String {
    let [one, two] = [one, two].map(|record| write(record, Format::Kif).expect("moves that can be made"));
    let pairs = one.lines().zip(two.lines()).enumerate().filter(|(_, (one, two))| one != two);
    let shown: Vec<String> = pairs.take(3).map(|(n, (one, two))| format!("{n}: {one} | {two}")).collect();
    format!("{} | {} lines\n{}", one.lines().count(), two.lines().count(), shown.join("\n"))
}

/// Through one format and another: what both can hold comes back the same.
#[test]
fn random_games_survive_every_pair_of_formats() {
    let mut rng = Rng::new(2024);
    let formats: Vec<Format> =
        Format::ALL.into_iter().filter(|&f| f != Format::Bod && f.suits("shogi")).collect();
    for number in 0..1000 {
        let record = random_record(&mut rng);
        for &one in &formats {
            let text = write(&record, one).expect("legal moves");
            let back = read(text.as_bytes()).unwrap_or_else(|e| panic!("{number} {one:?}: {e}\n{text}"));
            assert_eq!(back.len(), 1, "{number} {one:?}\n{text}");
            let expected = record.reduced(one.holds());
            assert!(back[0] == expected, "{number} {one:?}\n{text}\n{}", difference(&back[0], &expected));
            // The second step starts from what was read: with all formats as first step, that is every pair.
            let two = formats[(number + one as usize) % formats.len()];
            let text = write(&back[0], two).expect("legal moves");
            let back =
                read(text.as_bytes()).unwrap_or_else(|e| panic!("{number} {one:?} {two:?}: {e}\n{text}"));
            let expected = expected.reduced(two.holds());
            assert!(
                back[0] == expected,
                "{number} {one:?} {two:?}\n{text}\n{}",
                difference(&back[0], &expected)
            );
        }
    }
}
