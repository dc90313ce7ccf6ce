//! Analysed games and their comments.

use crate::command::sanban;
use crate::scratch::Scratch;
use sanban::engine::Engine;
use sanban::engine::search::{Limits, Signals};
use sanban::engine::solved::SolvedTables;
use sanban::formats::record::{Format, Record, read, write};
use sanban::rules::VariantId;
use sanban::study::analysis;
use sanban::study::analysis::{Analysis, Summary};
use sanban::study::teach::Language;
use sanban::study::teach::names::Table;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The analysis of a game with this number of nodes for a position. `each` is called with the number of each position.
fn analysed(engine: &mut dyn Engine, record: &Record, nodes: u64, each: impl FnMut(usize)) -> Analysis {
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    analysis::analyse(engine, record, &limits, &Signals::default(), &SolvedTables::default(), each)
        .expect("the start position")
}

/// A game is analysed with few nodes: its comments can be read back, and its page is self-contained.
#[test]
fn a_judged_game_is_told_in_every_form() {
    let moves = "7g7f 3c3d 2g2f 8c8d 2f2e 8d8e 6i7h 4a3b 9g9f 9c9d 8h2b+ 3a2b B*5e B*3c 5e3c+ 2b3c";
    let record = &read(format!("startpos moves {moves}").as_bytes()).expect("a game")[0];
    let mut engine = <dyn Engine>::new(VariantId::Shogi);
    engine.settings().multi_pv = 2;
    let mut judged = Vec::new();
    let analysis = analysed(engine.as_mut(), record, 300, |n| judged.push(n));
    assert_eq!(judged, (0..=16).rev().collect::<Vec<_>>(), "the last position is analysed first");
    assert!(analysis.positions.iter().all(|position| position.candidates.len() == 2));
    assert!((0..16).all(|n| analysis.class(n).is_some()) && analysis.class(16).is_none());

    let commented = analysis::kif_comments(record, &analysis, None).expect("moves that can be made");
    let text = write(&commented, Format::Kif).expect("moves that can be made");
    for word in
        ["**解析 0 候補1 時間 00:0", "**解析 0 候補2", " 評価値 ", " 読み筋 ▲", "*#評価値=", "*#読み筋="]
    {
        assert!(text.contains(word), "{word}");
    }
    let back = read(text.as_bytes()).expect("the written record");
    assert_eq!(back[0].moves(), record.moves());
    assert!(analysis::is_analysed(&back[0]) && !analysis::is_analysed(record));

    let commented = analysis::csa_comments(record, &analysis).expect("moves that can be made");
    let csa = write(&commented, Format::Csa).expect("moves that can be made");
    assert!(csa.lines().any(|line| line.starts_with("'** ") && line.contains(" +")), "{csa}");
    assert!(read(csa.as_bytes()).is_ok_and(|back| analysis::is_analysed(&back[0])));

    let remarks = analysis::explain(record, &analysis, Table::built_in(), None).expect("the start position");
    assert_eq!(remarks.len(), 16);
    let commented = analysis::kif_comments(record, &analysis, Some((&remarks, Language::Japanese)));
    let text =
        write(&commented.expect("moves that can be made"), Format::Kif).expect("moves that can be made");
    // Black drops the bishop at once, so only White's opening is Bishop Exchange.
    assert!(text.contains("*△角換わり\n") && text.contains("*▲居飛車\n"), "{text}");

    let summary = Summary::new(&analysis, &[]);
    assert_eq!(summary.0.iter().map(|side| side.moves).sum::<usize>(), 16);
    let html = analysis::html("a <game>.kif", record, &analysis, &summary, &remarks);
    let html = html.expect("moves that can be made");
    assert!(html.len() < 400_000 && html.contains("a &lt;game&gt;.kif") && !html.contains("{{"));
    assert!(!html.replace("http://www.w3.org/2000/svg", "").contains("http"), "the page fetches nothing");
    let lines = analysis::json_lines("game.kif", record, &analysis, &summary, &remarks);
    let values: Vec<serde_json::Value> =
        lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!((values.len(), &values[0]["move"]), (18, &serde_json::json!("7g7f")));
    assert!(values[..16].iter().all(|value| value["reasons"].is_array() && value["names"].is_array()));
}

/// Checks a page about another game than shogi.
fn page_of(game: VariantId, moves: &str, words: &[&str]) {
    let reader = sanban::formats::record::Reader { game: Some(game), ..Default::default() };
    let record = &reader.read_text(&format!("startpos moves {moves}")).expect("a game").records[0];
    let analysis = analysed(<dyn Engine>::new(game).as_mut(), record, 200, |_| {});
    let html = analysis::html("a game", record, &analysis, &Summary::new(&analysis, &[]), &[]);
    let html = html.expect("moves that can be made");
    for word in words {
        assert!(html.contains(word), "{game}: {word}");
    }
    if Format::Gib.suits(record.game) {
        let commented = analysis::gib_comments(record, &analysis, None).expect("moves that can be made");
        let text = write(&commented, Format::Gib).expect("a game from its start");
        let back = read(text.as_bytes()).expect("the written record");
        assert_eq!(back[0].moves(), record.moves());
        assert!(analysis::is_analysed(&back[0]), "{text}");
    }
}

#[test]
fn pages_of_the_other_games() {
    page_of(
        VariantId::JanggiCasual,
        "1g2g 9d8d 5g6g 3d4d",
        &["\"game\":\"janggicasual\"", "\"ranks\":10", ">soldier 1g-2g<", ">79졸78<"],
    );
    page_of(
        VariantId::Dobutsu,
        "2c2b 2a2b",
        &["\"game\":\"dobutsu\"", "\"files\":3", ">chick 2cx2b<", "▲２２ひよこ(23)"],
    );
}

/// The files that an analysis wrote.
fn written(out: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(out).into_iter().flatten().map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|file| file.extension().is_some_and(|end| end != "part" && end != "sanban-lock"));
    files.sort();
    files
}

/// The files that an analysis wrote, after checking that each of them is complete.
fn complete(out: &Path) -> Vec<PathBuf> {
    let mut files = written(out);
    files.retain(|file| !is_part(file));
    for file in &files {
        let text = std::fs::read_to_string(file).expect("text");
        let whole = match file.extension().and_then(|end| end.to_str()) {
            Some("kifu") => {
                let record = read(text.as_bytes()).expect("a record");
                record[0].moves().len() == 8 && analysis::is_analysed(&record[0])
            }
            Some("html") => text.ends_with("</html>\n"),
            Some("jsonl") => text.lines().count() == 10 && text.lines().last().is_some_and(is_summary),
            _ => false,
        };
        assert!(whole, "{}", file.display());
    }
    files
}

fn is_part(file: &Path) -> bool {
    file.file_stem().is_some_and(|stem| stem.to_string_lossy().ends_with("-partial"))
}

fn is_summary(line: &str) -> bool {
    serde_json::from_str::<serde_json::Value>(line).is_ok_and(|value| value["summary"].is_object())
}

fn arguments(folder: &Scratch) -> Vec<String> {
    let words =
        ["analyze", &folder.file("games"), "--nodes", "8000", "--hash", "1", "--format", "kif,json,html"];
    let mut out: Vec<String> = words.map(String::from).to_vec();
    out.extend(["--out".into(), folder.file("judged")]);
    out
}

fn start(folder: &Scratch) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sanban"));
    command.args(arguments(folder)).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().expect("the program starts")
}

/// When killed or terminated in the middle, `sanban analyze` leaves only complete files, and a second run continues
/// from there. An interrupt has the same effect, but is not tested because shells make background jobs ignore it.
#[cfg(unix)]
#[test]
fn an_analysis_that_is_killed_goes_on() {
    use nix::sys::signal::{Signal, kill};
    use nix::unistd::Pid;

    const GAMES: usize = 12;
    let folder = Scratch::new();
    std::fs::create_dir_all(folder.file("games")).expect("a folder");
    for (number, first) in ["7g7f", "2g2f", "5g5f", "1g1f"].iter().cycle().take(GAMES).enumerate() {
        let moves = format!("startpos moves {first} 3c3d 6g6f 8c8d 3i4h 8d8e 6i7h 5a4b\n");
        std::fs::write(folder.file(&format!("games/{number}.usi")), moves).expect("a file");
    }
    let judged = folder.0.join("judged");
    let mut known: Vec<PathBuf> = vec![];
    for signal in [Signal::SIGKILL, Signal::SIGTERM] {
        let mut child = start(&folder);
        // Kill the process during a game, after it has written some new files.
        let begin = Instant::now();
        while written(&judged).len() < known.len() + 4 && begin.elapsed() < Duration::from_secs(120) {
            std::thread::sleep(Duration::from_millis(3));
        }
        kill(Pid::from_raw(child.id() as i32), signal).expect("the process runs");
        assert!(!child.wait().expect("the process ends").success());
        let files = complete(&judged);
        assert!(files.len() >= known.len() + 4 && files.len() < 3 * GAMES, "{signal}: {} files", files.len());
        known = files;
    }
    let before: Vec<_> =
        known.iter().map(|file| std::fs::metadata(file).and_then(|about| about.modified())).collect();
    let arguments = arguments(&folder);
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let out = sanban(&words, "");
    let said = String::from_utf8_lossy(&out.stderr);
    assert!(out.status.success(), "{said}");
    assert!(said.contains("skipped because they were already analysed"), "{said}");
    assert_eq!(complete(&judged).len(), 3 * GAMES);
    // At most the last unfinished game is analysed again.
    let after: Vec<_> =
        known.iter().map(|file| std::fs::metadata(file).and_then(|about| about.modified())).collect();
    let again = before.iter().zip(&after).filter(|(one, two)| one.as_ref().ok() != two.as_ref().ok()).count();
    assert!(again < 3, "{again} files were written again");
    let parts = std::fs::read_dir(&judged).expect("the folder").filter(|entry| {
        entry.as_ref().is_ok_and(|entry| entry.path().extension().is_some_and(|end| end == "part"))
    });
    assert!(parts.count() <= 3);
}

/// An analysis that is interrupted within a game leaves what it has analysed of it, in every format, until the whole game
/// has been analysed.
#[cfg(unix)]
#[test]
fn an_analysis_that_is_interrupted_keeps_the_part_of_a_game() {
    use nix::sys::signal::{Signal, kill};
    use nix::unistd::Pid;

    let folder = Scratch::new();
    let moves = "7g7f 8c8d 7i6h 3c3d 6g6f 7a6b 5g5f 5c5d 3i4h 3a4b 4i5h 4a3b 5h6g 5a4a 6i7h 6a5b 5i6i 4b3c";
    std::fs::write(folder.file("game.usi"), format!("startpos moves {moves}\n")).expect("a file");
    let (game, out) = (folder.file("game.usi"), folder.file("judged"));
    let words = |nodes| {
        ["analyze", &game, "--nodes", nodes, "--hash", "1", "--format", "kif,json,html", "--out", &out]
    };
    let part = |end| folder.0.join(format!("judged/game-partial.{end}"));
    let interrupt = |milliseconds| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sanban"));
        let child = command.args(words("100000")).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        let mut child = child.expect("the program starts");
        std::thread::sleep(Duration::from_millis(milliseconds));
        kill(Pid::from_raw(child.id() as i32), Signal::SIGTERM).expect("the process runs");
        assert_eq!(child.wait().expect("the process ends").code(), Some(130));
    };
    let mut milliseconds = 0;
    while !part("jsonl").exists() {
        milliseconds += 300;
        assert!(milliseconds < 20_000, "no part of the game is kept");
        interrupt(milliseconds);
    }
    // A part replaces another one.
    interrupt(milliseconds + 300);
    let text = |end| std::fs::read_to_string(part(end)).expect("a part");
    let json = text("jsonl");
    let lines: Vec<serde_json::Value> =
        json.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let first = lines.last().and_then(|last| last["summary"]["first"].as_u64()).expect("a first position");
    assert!(first > 0 && lines[0]["ply"] == first, "{json}");
    assert_eq!(lines.len() as u64, 18 + 1 - first + 1);
    assert_eq!(text("kifu").matches(" 候補1 時間 ").count() as u64, 18 + 1 - first);
    assert!(text("html").ends_with("</html>\n"));
    let done = sanban(&words("100"), "");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    assert!(folder.0.join("judged/game.jsonl").exists());
    assert!(["jsonl", "kifu", "html"].iter().all(|end| !part(end).exists()));
}
