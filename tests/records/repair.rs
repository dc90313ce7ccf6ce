//! `sanban convert --repair`: exit codes, time limits, and output during the work.

use crate::command::sanban;
use crate::scratch::ScratchFile;
use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};

const WHOLE: &str = "1.P7f P3d 2.P2f P8d 3.P2e P8e 4.G7h G3b 5.P2d Px2d 6.Rx2d P8f 7.Px8f Rx8f";
const MOVES: &str = "startpos moves 7g7f 3c3d 2g2f 8c8d 2f2e 8d8e 6i7h 4a3b 2e2d 2c2d 2h2d 8e8f 8g8f 8b8f";

/// A game of which the moves before number 25 are lost but for the first three.
fn long_gap() -> String {
    let moves: Vec<&str> = WHOLE.split_whitespace().collect();
    let rest = "25.S8h S2b 26.S7g S3c 27.P6f P5d 28.S4h S6b";
    format!("{} {rest}", moves[..6].join(" "))
}

/// Runs `convert --repair --to usi` on scanned text; returns the exit code and both outputs.
fn repair(more: &[&str], text: &str) -> (Option<i32>, String, String) {
    let args = [&["convert", "--from", "western", "--repair", "--to", "usi"], more].concat();
    let out = sanban(&args, text);
    let [said, noted] = [out.stdout, out.stderr].map(|bytes| String::from_utf8(bytes).expect("text"));
    (out.status.code(), said, noted)
}

#[test]
fn the_exit_code_states_whether_a_gap_remains() {
    let gap = WHOLE.replace("2.P2f P8d ", "");
    let (code, said, noted) = repair(&[], &gap);
    assert_eq!((code, said.trim()), (Some(0), MOVES), "{noted}");
    assert!(noted.contains("restored moves: 2"), "{noted}");
    // No move of white leads to this one.
    let (code, said, noted) = repair(&[], &gap.replace("P8e", "K1i"));
    assert_eq!(code, Some(1), "{said}{noted}");
    // The other games of the text are still read.
    let both = format!("#1 {WHOLE}\n#2 {}\n#3 {WHOLE}\n", gap.replace("P8e", "K1i"));
    let (code, said, noted) = repair(&[], &both);
    assert_eq!((code, said.matches(MOVES).count()), (Some(1), 2), "{said}{noted}");
}

#[test]
fn the_time_limit_is_kept() {
    let took = |time: &str| {
        let begin = std::time::Instant::now();
        let (code, said, noted) = repair(&["--time", time], &long_gap());
        assert_eq!((code, said.lines().count()), (Some(0), 1), "{noted}");
        begin.elapsed()
    };
    let times = [took("0"), took("60")];
    assert!(times[0] < times[1], "{times:?}");
    for args in [&["--time", "-1"][..], &["--time", "soon"], &["--time", "inf"]] {
        let (code, _, noted) = repair(args, WHOLE);
        assert_eq!((code, noted.lines().count()), (Some(2), 1), "{args:?}: {noted}");
    }
    let out = sanban(&["convert", "--time", "3", "--to", "usi"], WHOLE);
    assert_eq!(out.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&out.stderr).contains("--repair"));
}

/// Each game is printed as soon as it is finished.
#[test]
fn games_are_printed_while_others_are_restored() {
    let file = ScratchFile::with("games", format!("#1 {WHOLE}\n#2 {}\n", long_gap()));
    let mut child = Command::new(env!("CARGO_BIN_EXE_sanban"))
        .args(["convert", "--from", "western", "--repair", "--time", "60", "--to", "usi", file.path()])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    let mut output = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut line = String::new();
    output.read_line(&mut line).expect("a line");
    assert_eq!(line.trim(), MOVES);
    assert!(child.try_wait().expect("a child").is_none(), "the second game takes longer");
    output.read_to_string(&mut line).expect("the rest");
    child.wait().expect("a child");
}
