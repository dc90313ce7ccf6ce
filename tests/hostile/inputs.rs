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
