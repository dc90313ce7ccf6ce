//! Inputs that are not regular files, too large, or in the wrong format.

use crate::command::sanban;
use crate::gui::{Gui, count};
use crate::outputs::failure;
use crate::scratch::Scratch;
use std::fs::File;

/// Options that have no effect in combination with the others are refused, not ignored.
#[test]
fn options_without_effect_are_refused() {
    const MATE: &str = "4k4/9/4P4/9/9/9/9/9/9 b G 1";
    for words in [
        &["mate", "--shard", "0/2", MATE][..],
        &["mate", "--out", "answers", MATE],
        &["perft", "--suite", "suite", "--shard", "0/2"],
        &["problems", "--embedded", "game.kif"],
        &["psv", "--seed", "4", "positions.psv"],
        &["psv", "--print", "--split", "2", "positions.psv"],
    ] {
        let out = sanban(words, "");
        let said = String::from_utf8_lossy(&out.stderr);
        assert_eq!((out.status.code(), said.lines().count()), (Some(2), 1), "{words:?}: {said}");
    }
}

#[test]
fn usage_errors_name_the_help_that_lists_the_options() {
    for (args, help) in [
        (&["--nonsense"][..], "sanban --help"),
        (&["nonsense"], "sanban --help"),
        (&["probe"], "sanban probe --help"),
        (&["perft", "many"], "sanban perft --help"),
        (&["csa", "--host", "localhost"], "sanban csa --help"),
        (&["match", "-", "-", "--games", "3"], "sanban match --help"),
        (&["book", "show", "--nonsense"], "sanban book show --help"),
    ] {
        let (code, sentence) = failure(args);
        assert!(
            code == Some(2) && sentence.ends_with(&format!("({help} lists the options)\n")),
            "{sentence}"
        );
    }
}

#[cfg(unix)]
#[test]
fn devices_without_an_end_are_refused() {
    let dir = Scratch::new();
    let out = dir.file("net.nnue");
    for args in [
        &["mate", "--suite", "/dev/zero"][..],
        &["perft", "--suite", "/dev/zero"],
        &["train", "--psv", "/dev/zero", "--out", &out],
        &["eval", "--eval-file", "/dev/zero"],
        &["probe", "--game", "dobutsu", "--table", "/dev/zero"],
        &["match", "-", "-", "--games", "2", "--out", &out, "--openings", "/dev/zero"],
        &["match", "--games", "2", "--out", &out, "--engines", "/dev/zero"],
    ] {
        let (code, sentence) = failure(args);
        assert_eq!(code, Some(2), "{args:?}: {sentence}");
        assert!(sentence.contains("/dev/zero: not a file"), "{sentence}");
    }
    let mut gui = Gui::ready();
    for option in ["BookFile", "EvalFile", "WriteDebugLog"] {
        gui.send(&format!("setoption name {option} value /dev/zero"));
        assert_eq!(count(&gui.settle(), "info string "), 1, "{option}");
    }
}

#[test]
fn lines_without_an_end_are_named() {
    let dir = Scratch::new();
    let path = dir.file("endless");
    File::create(&path).and_then(|file| file.set_len(64 << 20)).expect("a sparse file");
    for command in ["mate", "perft"] {
        let (code, sentence) = failure(&[command, "--suite", &path]);
        assert_eq!((code, sentence), (Some(2), format!("sanban: {path}: line 1: more than 1048576 bytes\n")));
    }
    let mut gui = Gui::ready();
    gui.send(&format!("setoption name BookFile value {path}"));
    let said = gui.settle().concat();
    assert!(said.contains(&path) && said.ends_with("no book is used"), "{said}");
}

#[test]
fn files_of_another_kind_are_told_from_the_right_ones() {
    let dir = Scratch::new();
    let (games, out) = (dir.file("games"), dir.file("net.nnue"));
    assert!(sanban(&["selfplay", "--games", "2", "--nodes", "30", "--out", &games], "").status.success());
    let shard = format!("{games}/shogi-1-000000.games");
    let (code, sentence) = failure(&["train", "--psv", &shard, "--out", &out]);
    assert!(code == Some(2) && sentence.contains(&shard) && sentence.contains("--data"), "{sentence}");
    let (code, sentence) = failure(&["analyze", &shard, "--out", &shard]);
    assert_eq!((code, sentence), (Some(2), format!("sanban: {shard}: not a directory\n")));
    // A checkpoint is checked before the games are read.
    let checkpoint = dir.file("bad.ckpt");
    std::fs::write(&checkpoint, "SANBANC2 and more").expect("a file");
    let nowhere = dir.file("nowhere");
    let (code, sentence) = failure(&["train", "--data", &nowhere, "--out", &out, "--start", &checkpoint]);
    assert!(code == Some(2) && sentence.contains(&checkpoint), "{sentence}");
    // A record without moves.
    let kifu = dir.file("tsume.kif");
    std::fs::write(&kifu, "手数----指手---------消費時間--\n").expect("a file");
    let (code, sentence) = failure(&["mate", &kifu]);
    assert!(
        code == Some(2)
            && sentence.contains(&kifu)
            && sentence.contains("line 2, column 1: expected moves, a diagram or headers")
    );
    let text = failure(&["perft", "2", "--position", "\u{1b}[31m"]).1;
    assert!(text.trim_end().chars().all(|c| !c.is_control()), "{text:?}");
}

#[test]
fn typing_mistakes_are_answered_with_the_right_word() {
    let (code, sentence) = failure(&["pefrt", "3"]);
    assert!(code == Some(2) && sentence.contains("'perft'"), "{sentence}");
}

/// Runs a line of a shell in which `$SANBAN` is the program; returns the exit code and both outputs.
#[cfg(unix)]
fn shell(dir: &Scratch, line: &str) -> (Option<i32>, String, String) {
    let mut command = std::process::Command::new("bash");
    command.args(["-c", line]).env("SANBAN", env!("CARGO_BIN_EXE_sanban")).current_dir(dir.file(""));
    let out = command.stdin(std::process::Stdio::null()).output().expect("a shell");
    let [said, noted] = [&out.stdout, &out.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    (out.status.code(), said, noted)
}

const GAME: &str = "V2.2\nPI\n+\n+7776FU\n-3334FU\n%TORYO\n";

#[cfg(unix)]
#[test]
fn pipes_are_read_to_their_end() {
    let dir = Scratch::new();
    std::fs::write(dir.file("game.csa"), GAME).expect("written");
    for line in [
        "\"$SANBAN\" convert --to usi <(cat game.csa)",
        "cat game.csa | \"$SANBAN\" convert --to usi /dev/stdin",
        "mkfifo fifo; cat game.csa >fifo & \"$SANBAN\" convert --to usi fifo",
    ] {
        let (code, said, noted) = shell(&dir, line);
        assert_eq!((code, said.trim()), (Some(0), "startpos moves 7g7f 3c3d"), "{line}: {noted}");
    }
}

#[cfg(unix)]
#[test]
fn a_file_that_does_not_fit_into_memory_is_an_error() {
    let dir = Scratch::new();
    let limit = "truncate -s 10G huge.bin; ulimit -v 4000000;";
    let (code, _, noted) = shell(&dir, &format!("{limit} \"$SANBAN\" book show huge.bin"));
    assert!(code == Some(1) && noted.contains("huge.bin: not enough memory"), "{code:?}: {noted}");
    // The engine continues without a book.
    let lines = "setoption name BookFile value huge.bin\\nisready\\ngo nodes 100\\n";
    let (code, said, noted) = shell(&dir, &format!("{limit} printf '{lines}' | \"$SANBAN\""));
    assert!(
        code == Some(0) && said.contains("not enough memory") && said.contains("bestmove "),
        "{said}{noted}"
    );
}

#[cfg(unix)]
#[test]
fn a_folder_that_cannot_be_entered_is_named_and_the_rest_is_done() {
    let dir = Scratch::new();
    std::fs::create_dir(dir.file("games")).expect("a directory");
    std::fs::write(dir.file("games/one.csa"), GAME).expect("written");
    // A path of more than 4,096 bytes.
    let deep = "cd games; for n in $(seq 20); do d=$(printf 'd%.0s' $(seq 240)); mkdir $d; cd $d; done;";
    let (code, said, noted) = shell(&dir, &format!("({deep}) ; \"$SANBAN\" convert --to usi games"));
    assert_eq!((code, said.trim()), (Some(1), "startpos moves 7g7f 3c3d"), "{noted}");
    assert!(noted.contains("dddd") && noted.contains("too long"), "{noted}");
}

#[cfg(unix)]
#[test]
fn a_reader_that_leaves_is_no_failure() {
    let dir = Scratch::new();
    for line in ["problems --embedded", "perft 1 --help", "convert --to csa game.csa"] {
        std::fs::write(dir.file("game.csa"), GAME).expect("written");
        let (code, _, noted) = shell(&dir, &format!("\"$SANBAN\" {line} | true; exit ${{PIPESTATUS[0]}}"));
        assert_eq!((code, noted.as_str()), (Some(0), ""), "{line}");
    }
}

/// Each game is written in the formats that can represent it, and the others are reported once.
#[test]
fn a_mixed_folder_is_analysed_as_far_as_possible() {
    let dir = Scratch::new();
    std::fs::create_dir(dir.file("in")).expect("a directory");
    std::fs::write(dir.file("in/shogi.csa"), GAME).expect("written");
    std::fs::write(dir.file("in/janggi.gib"), "[초차림 \"상마상마\"]\n[한차림 \"상마상마\"]\n\n1. 79卒78\n")
        .expect("written");
    let (out, input) = (dir.file("out"), dir.file("in"));
    let args = ["analyze", "--format", "kif,gib,html", "--nodes", "5", "--out", &out, &input];
    let (code, said) = failure(&args);
    assert_eq!(code, Some(1));
    assert!(said.contains("2 games analysed"), "{said}");
    for part in ["shogi.csa: gib cannot represent", "janggi.gib: kif cannot represent"] {
        assert_eq!(said.matches(part).count(), 1, "{said}");
    }
    let mut names: Vec<_> =
        std::fs::read_dir(&out).expect("a folder").flatten().map(|entry| entry.file_name()).collect();
    names.sort();
    assert_eq!(names, ["janggi.gib", "janggi.html", "shogi.html", "shogi.kifu"]);
}

/// A record file that can be read, but whose moves may not fit into memory, is an error.
#[cfg(target_os = "linux")]
#[test]
fn records_that_do_not_fit_into_memory_are_refused() {
    let dir = Scratch::new();
    let game = "手合割：平手\n   1 ７六歩(77)\n   2 ３四歩(33)\n   3 投了\n\n";
    std::fs::write(dir.file("huge.kif"), game.repeat((60 << 20) / game.len())).expect("written");
    let line = "ulimit -v 450000; \"$SANBAN\" convert --to usi huge.kif";
    let (code, said, noted) = shell(&dir, line);
    assert_eq!((code, said.as_str()), (Some(1), ""), "{noted}");
    assert!(noted.contains("huge.kif: ") && noted.contains("not enough memory"), "{noted}");
}

/// A filter that keeps nothing leaves the book as it is, and every number has a range.
#[test]
fn a_book_is_not_emptied() {
    let dir = Scratch::new();
    let (game, book) = (dir.file("game.csa"), dir.file("book.db"));
    std::fs::write(&game, GAME).expect("written");
    assert!(sanban(&["book", "from-games", &game, "--out", &book], "").status.success());
    let before = std::fs::read(&book).expect("a book");
    for (args, code) in [
        (&["--loss=-5"][..], 2),
        (&["--ply", "0"], 2),
        (&["--moves", "0"], 2),
        (&["--count", "0"], 2),
        (&["--count", "99"], 2),
    ] {
        let out = sanban(&[&["book", "prune", &book][..], args].concat(), "");
        assert_eq!(out.status.code(), Some(code), "{args:?}");
        assert_eq!(std::fs::read(&book).ok().as_ref(), Some(&before), "{args:?}");
    }
    let none = dir.file("none.db");
    for args in [["--plies", "0"], ["--count", "9"]] {
        let out = sanban(&[&["book", "from-games", &game, "--out", &none][..], &args].concat(), "");
        assert!(out.status.code() == Some(2) && !std::path::Path::new(&none).exists(), "{args:?}");
    }
}

#[test]
fn a_command_line_without_a_command_names_the_commands() {
    let (code, sentence) = failure(&["book"]);
    assert!(code == Some(2) && sentence.contains("from-games, think, minimax"), "{sentence}");
    let dir = Scratch::new();
    let game = dir.file("game.kif");
    std::fs::write(&game, "").expect("written");
    let (code, sentence) = failure(&[game.as_str()]);
    assert!(code == Some(2) && sentence.contains("sanban convert, analyze, mate and book"), "{sentence}");
}

/// File names are printed as they are, but without control characters.
#[test]
fn notes_name_files_as_they_are() {
    let mut gui = Gui::ready();
    gui.send("setoption name BookFile value 定跡\u{1b}.db");
    gui.send("isready");
    let lines = gui.until("readyok");
    assert!(lines.iter().any(|line| line.contains("BookFile: 定跡?.db: ")), "{lines:#?}");
}
