//! Solved tables of Dobutsu shogi over USI, and the commands that write and read them.

use crate::command::sanban;
use crate::gui::Gui;
use crate::scratch::ScratchFile;
use sanban::engine::solved::Value;
use sanban::engine::solved::dobutsu::index::SLOTS;
use sanban::engine::solved::dobutsu::slot as slot_of;
use sanban::engine::solved::dobutsu::table;
use sanban::engine::solved::dobutsu::table::{DRAW, HEADER};
use sanban::rules::MoveList;
use sanban::rules::dobutsu::{Original, START};
use std::fs::{File, OpenOptions};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The side to move wins in five plies.
const WIN_5: &str = "l1e/1CC/g1L/EG1 w - 1";

/// A file of this length that begins with these bytes.
fn file(name: &str, bytes: &[u8], length: u64) -> ScratchFile {
    let file = ScratchFile::with(name, bytes);
    let opened = OpenOptions::new().write(true).open(file.path()).expect("the file");
    opened.set_len(length).expect("enough disk space");
    file
}

/// A valid header with a wrong checksum.
fn header(version: u32, game: u32) -> Vec<u8> {
    let slots = (SLOTS as u64).to_le_bytes();
    [&b"SANBANdb"[..], &version.to_le_bytes(), &game.to_le_bytes(), &slots, &[7; 8]].concat()
}

fn dobutsu() -> Gui {
    let mut gui = Gui::ready();
    gui.send("setoption name USI_Variant value dobutsu");
    gui
}

/// Exit code and message of a command that fails.
fn failure(args: &[&str], input: &str) -> (Option<i32>, String) {
    let out = sanban(args, input);
    let text = String::from_utf8(out.stderr).expect("valid UTF-8");
    assert!(text.starts_with("sanban: ") && text.lines().count() == 1, "{args:?}: {text}");
    (out.status.code(), text)
}

#[test]
fn a_table_that_is_none_is_refused_and_the_search_goes_on() {
    let full = (HEADER + SLOTS) as u64;
    let files = [
        (file("damaged", &header(1, 0), full), "damaged: checksum is"),
        (file("truncated", &header(1, 0), full - 5), "expected 249442767"),
        (file("longer", &header(1, 0), full + 1), "expected 249442767"),
        (file("version", &header(2, 0), full), "format version 2, expected 1"),
        (file("other", &header(1, 1), full), "table is for dobutsumate, expected dobutsu"),
        (file("text", b"hello", 5), "not a table"),
        (ScratchFile::new("missing"), "No such file"),
    ];
    let mut gui = dobutsu();
    for (file, reason) in &files {
        gui.send(&format!("setoption name DobutsuTable value {}", file.path()));
        let notes = gui.settle();
        assert!(notes.len() == 1 && notes[0].starts_with("info string DobutsuTable: "), "{notes:#?}");
        assert!(notes[0].contains(reason) && notes[0].contains(file.path()), "{notes:#?}");
        gui.send("position startpos");
        gui.send("go depth 4");
        let lines = gui.until("bestmove");
        assert!(lines.iter().any(|line| line.starts_with("info depth 4 ")), "{reason}: {lines:#?}");
        let args = ["probe", "--game", "dobutsu", "--table", file.path(), START];
        let (code, sentence) = failure(&args, "");
        assert!(code == Some(2) && sentence.contains(reason), "{sentence}");
    }
}

/// Stores the values of all positions up to `plies` plies ahead, where the game ends within that distance.
fn fill(pos: &mut Original, plies: u8, values: &mut [u8]) -> Value {
    let over = pos.verdict(0).is_some();
    if over || pos.mate_in_one().is_some() {
        if let Some(place) = slot_of(pos).and_then(|slot| slot.place()).filter(|_| !over) {
            values[place.index as usize] = 1;
        }
        return if over { Value::Loss(0) } else { Value::Win(1) };
    }
    let (mut win, mut loss, mut moves) = (None, Some(0), MoveList::new());
    pos.legal(&mut moves);
    if plies == 0 {
        return Value::Draw;
    }
    for mv in moves {
        pos.make(mv, &mut ());
        match fill(pos, plies - 1, values) {
            Value::Loss(n) => win = Some(win.map_or(n + 1, |best: u8| best.min(n + 1))),
            Value::Win(n) => loss = loss.map(|worst: u8| worst.max(n + 1)),
            Value::Draw => loss = None,
        }
        pos.unmake();
    }
    let (byte, value) = match (win, loss) {
        (Some(n), _) => (n, Value::Win(n)),
        (None, Some(n)) => (n, Value::Loss(n)),
        (None, None) => (DRAW, Value::Draw),
    };
    let place = slot_of(pos).and_then(|slot| slot.place());
    if let Some(place) = place
        && values[place.index as usize] == DRAW
    {
        values[place.index as usize] = byte;
    }
    value
}

#[test]
fn with_a_table_wins_are_shortest_and_scores_exact() {
    let mut values = vec![DRAW; SLOTS];
    let mut pos = Original::from_sfen(WIN_5).expect("a valid position");
    assert_eq!(fill(&mut pos, 5, &mut values), Value::Win(5));
    let file = ScratchFile::new("partial");
    let mut out = File::create(file.path()).expect("a writable file");
    table::write(&mut out, false, &values).expect("enough disk space");
    let mut gui = dobutsu();
    gui.send(&format!("setoption name DobutsuTable value {}", file.path()));
    let mut moves: Vec<String> = Vec::new();
    // Both sides play by the table: each position is one ply closer to the end of the game.
    for plies in (1..=5_i32).rev() {
        gui.send(&format!("position sfen {WIN_5} moves {}", moves.join(" ")));
        gui.send("go movetime 1000");
        let lines = gui.until("bestmove");
        let mate = if plies % 2 == 1 { plies } else { -plies };
        assert!(lines[0].contains(&format!(" score mate {mate} ")), "{lines:#?}");
        let line: Vec<&str> = lines[0].split(" pv ").nth(1).expect("a line").split(' ').collect();
        assert_eq!(line.len(), plies.unsigned_abs() as usize, "{lines:#?}");
        for mv in &line {
            let mv = pos.parse_usi(mv).expect("a legal move");
            pos.make(mv, &mut ());
        }
        assert!(pos.verdict(0).is_some(), "the line ends the game: {lines:#?}");
        line.iter().for_each(|_| pos.unmake());
        let best = lines[lines.len() - 1].split(' ').nth(1).expect("a move").to_string();
        let mv = pos.parse_usi(&best).expect("a legal move");
        pos.make(mv, &mut ());
        moves.push(best);
    }
    assert!(pos.verdict(0).is_some(), "the end of the game");

    // `probe` reads positions line by line until an error.
    let probe = |input: &str| sanban(&["probe", "--game", "dobutsu", "--table", file.path(), "-"], input);
    let start = probe("startpos\nstartpos moves 2c2b\n");
    assert!(start.status.success(), "{start:?}");
    let good = probe(&format!("# a comment\n\n{WIN_5}\r\n{START}\n"));
    assert_eq!(good.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&good.stdout), format!("{WIN_5}\twin 5\n{START}\tdraw\n"));
    for wrong in ["nonsense", "lle/1c1/1C1/ELG b - 1", "\u{3042}", "gle/1c1/1C1/ELG b 3C 1", "gle/1c1 b - 1"]
    {
        let out = probe(&format!("{WIN_5}\n{wrong}\n{START}\n"));
        assert_eq!(out.status.code(), Some(2), "{wrong}");
        assert_eq!(String::from_utf8_lossy(&out.stdout), format!("{WIN_5}\twin 5\n"), "{wrong}");
        let text = String::from_utf8_lossy(&out.stderr).to_string();
        assert!(text.starts_with("sanban: line 2: ") && text.lines().count() == 1, "{text}");
    }
    let (code, sentence) = failure(&["probe", "--game", "dobutsumate", "--table", file.path(), START], "");
    assert!(code == Some(2) && sentence.contains("table is for dobutsu, expected dobutsumate"), "{sentence}");
}

#[test]
fn mistakes_in_the_command_line() {
    let out = ScratchFile::new("unused");
    for args in [
        &["solve"][..],
        &["solve", "--game", "dobutsu"],
        &["solve", "--game", "shogi", "--out", out.path()],
        &["solve", "--game", "dobutsu", "--out", out.path(), "--threads", "0"],
        &["solve", "--game", "dobutsu", "--out", out.path(), "--threads", "x"],
        &["solve", "--game", "dobutsu", "--out", "/"],
        &["probe"],
        &["probe", "--game", "dobutsu"],
        &["probe", "--game", "janggi", "--table", out.path()],
    ] {
        assert_eq!(failure(args, "").0, Some(2), "{args:?}");
    }
    let nowhere = ["solve", "--game", "dobutsu", "--out", "/no/such/folder/table"];
    let (code, sentence) = failure(&nowhere, "");
    assert!(code == Some(2) && sentence.contains("/no/such/folder/table"), "{sentence}");
    assert!(!Path::new(out.path()).exists());
}

#[cfg(unix)]
#[test]
fn an_interrupted_solve_leaves_nothing() {
    let out = ScratchFile::new("interrupted");
    let folder = Path::new(out.path()).parent().expect("a parent folder");
    let files = || std::fs::read_dir(folder).expect("a readable folder").count();
    for signal in ["-INT", "-TERM"] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_sanban"))
            .args(["solve", "--game", "dobutsu", "--threads", "1", "--out", out.path()])
            .stderr(Stdio::null())
            .spawn()
            .expect("the engine starts");
        let begin = Instant::now();
        while files() == 0 {
            assert!(begin.elapsed() < crate::gui::PATIENCE, "no file was created");
            std::thread::sleep(Duration::from_millis(5));
        }
        let kill = Command::new("kill").args([signal, &child.id().to_string()]).status();
        assert!(kill.expect("kill should run").success());
        assert_eq!(child.wait().expect("an exit status").code(), Some(130), "{signal}");
        assert_eq!(files(), 0, "{signal}");
    }
}
