//! Networks on the command line and over USI: self-play games, training, data for other tools, values, and network
//! files.

use crate::command::sanban;
use crate::gui::{Gui, count};
use crate::scratch::Scratch;
use std::path::Path;

const MIDDLE: &str = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1";

#[track_caller]
fn good(args: &[&str], input: &str) -> String {
    let out = sanban(args, input);
    assert_eq!(out.status.code(), Some(0), "{args:?}: {}", String::from_utf8_lossy(&out.stderr));
    String::from_utf8(out.stdout).expect("valid UTF-8")
}

/// Exit code and message of a failure.
#[track_caller]
fn bad(args: &[&str], input: &str) -> (Option<i32>, String) {
    let out = sanban(args, input);
    assert!(!out.status.success(), "{args:?}");
    (out.status.code(), String::from_utf8(out.stderr).expect("valid UTF-8"))
}

/// The value on a line `SFEN<TAB>value`.
fn value(line: &str) -> i32 {
    line.rsplit_once('\t').expect("a tab").1.trim().parse().expect("a number")
}

/// The complete path from games to a network in use, on the command line.
#[test]
fn games_become_a_network() {
    let dir = Scratch::new();
    let (games, net, psv) = (dir.file("games"), dir.file("new/net.nnue"), dir.file("games.psv"));
    let play =
        ["selfplay", "--games", "240", "--nodes", "8", "--seed", "7", "--threads", "2", "--out", &games];
    good(&play, "");
    let shard = format!("{games}/shogi-7-000000.games");
    let whole = std::fs::read(&shard).expect("a readable file");
    // A second run has nothing to do. A damaged shard is reported and played again, with the same result.
    good(&play, "");
    std::fs::write(&shard, &whole[..whole.len() / 2]).expect("a writable file");
    let out = sanban(&play, "");
    let told = String::from_utf8_lossy(&out.stderr);
    assert!(out.status.success() && told.contains("shogi-7-000000.games"), "{told}");
    assert_eq!(std::fs::read(&shard).expect("a readable file"), whole);

    let train = |out: &str, more: &[&str]| {
        let args = ["train", "--hidden", "32", "--epochs", "1", "--out", out];
        good(&[&args[..], more].concat(), "")
    };
    assert!(train(&net, &["--data", &games]).contains("epoch   1"));
    for beside in ["ckpt", "csv", "svg"] {
        assert!(Path::new(&net).with_extension(beside).exists(), "{beside}");
    }
    // With `--older`, half of the games are used, and a network is not a checkpoint.
    let again = dir.file("again.nnue");
    let args = ["train", "--hidden", "32", "--epochs", "1", "--out", &again, "--start", &net];
    let out = sanban(&[&args[..], &["--data", &games, "--older", &games]].concat(), "");
    let told = String::from_utf8_lossy(&out.stderr);
    let played: u32 =
        told.lines().find_map(|line| line.split_once(" games, ")?.0.parse().ok()).expect("a number");
    assert!(out.status.success() && (320..400).contains(&played), "{told}");
    assert!(told.contains("without the state of the optimiser"), "{told}");
    good(&["psv", &shard, "--out", &psv], "");
    let mut bytes = std::fs::read(&psv).expect("a readable file");
    assert!(bytes.len() > 32_000 && bytes.len().is_multiple_of(40));
    // The positions are counted, printed, shuffled and split without loss.
    let positions = bytes.len() / 40;
    assert!(good(&["psv", &psv], "").starts_with(&format!("{positions} positions; ")));
    assert_eq!(good(&["psv", &psv], ""), good(&["psv", &shard], ""));
    let lines = |args: &[&str]| {
        let text = good(&[&["psv", "--print"], args].concat(), "");
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines.sort_unstable();
        lines
    };
    let (mixed, parts) = (dir.file("mixed.psv"), ["mixed-1.psv", "mixed-2.psv"].map(|name| dir.file(name)));
    good(&["psv", &psv, "--shuffle", "--split", "2", "--out", &mixed], "");
    let half = std::fs::metadata(&parts[0]).expect("a readable file").len() as usize / 40;
    assert_eq!((half, lines(&[&parts[0], &parts[1]])), (positions.div_ceil(2), lines(&[&psv])));
    let distinct = good(&["psv", &psv, &psv, "--dedupe", "--print"], "").lines().count();
    assert!(distinct > positions / 2 && distinct < positions, "{distinct} of {positions}");
    // Input files are not overwritten, and no empty output is written.
    for args in [["psv", &shard, "--out", &shard], ["psv", "/no/such/shard", "--out", &psv]] {
        assert_eq!(bad(&args, "").0, Some(2));
    }
    assert_eq!(std::fs::read(&shard).expect("a readable file"), whole);
    assert_eq!(std::fs::read(&psv).expect("a readable file"), bytes);
    // Invalid positions are skipped.
    bytes[4000..4040].fill(0xFF);
    bytes.extend([1, 2, 3]);
    std::fs::write(&psv, &bytes).expect("a writable file");
    let args = ["train", "--psv", &psv, "--hidden", "32", "--epochs", "1", "--out", &net];
    let out = sanban(&args, "");
    let told = String::from_utf8_lossy(&out.stderr);
    let (code, counts) = bad(&["psv", &psv], "");
    assert!(code == Some(1) && counts.contains("invalid records: 2"), "{counts}");
    assert!(out.status.success() && told.contains("invalid records: 2, the first at offset 4000"), "{told}");

    // The values of the network are the same in every form of the command.
    let file = ["eval", "--eval-file", &net];
    let direct = good(&[&file[..], &[MIDDLE]].concat(), "");
    assert!(direct.starts_with(&format!("{MIDDLE}\t")));
    assert_eq!(value(&good(&[&file[..], &["-"]].concat(), &format!("{MIDDLE}\n"))), value(&direct));
    assert_eq!(value(&good(&[&file[..], &["--position", MIDDLE]].concat(), "")), value(&direct));
    let moved = good(&[&file[..], &["--position", "startpos moves 7g7f"]].concat(), "");
    let sfen = "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2";
    assert_eq!(value(&moved), value(&good(&[&file[..], &[sfen]].concat(), "")));
    assert_ne!(value(&direct), value(&good(&["eval", MIDDLE], "")), "the embedded network");

    let (code, told) = bad(&["eval", "-"], &format!("{MIDDLE}\n\nnonsense\n"));
    assert!(code == Some(2) && told.contains("line 3: "), "{told}");
    let (code, told) = bad(&["train", "--data", &games, "--out", &net, "--scale", "20000"], "");
    assert!(code == Some(2) && told.contains("between 1 and 10000"), "{told}");
}

/// An unusable network file changes nothing, and `readyok` is still sent.
#[test]
fn a_gui_names_a_network_file() {
    let dir = Scratch::new();
    let whole = std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/crates/engine/nets/shogi.nnue"))
        .expect("the embedded network file");
    let write = |name: &str, bytes: &[u8]| {
        std::fs::write(dir.file(name), bytes).expect("a writable file");
        dir.file(name)
    };
    let good = write("good.nnue", &whole);
    let mut gui = Gui::start();
    gui.send("usi");
    gui.until("usiok");
    let mut ready = |file: &str| {
        gui.send(&format!("setoption name EvalFile value {file}"));
        gui.send("isready");
        gui.until("readyok")
    };
    let first = ready(&dir.file("missing"));
    assert!(first.iter().any(|line| line.contains("missing: ") && line.contains("embedded")), "{first:#?}");
    for (name, bytes, word) in [
        ("short", &whole[..whole.len() - 7], "the checksum does not match"),
        ("long", &[&whole[..], b"1234567"].concat(), "the checksum does not match"),
        ("empty", &b""[..], "not a network file"),
        ("text", &b"hello"[..], "not a network file"),
        ("header", &whole[..50], "shorter than the header"),
        ("community", &b"\x16\x2f\xf3\x7a"[..], "more bytes expected"),
    ] {
        let lines = ready(&write(name, bytes));
        let about: Vec<&String> = lines.iter().filter(|line| line.contains(&format!("{name}: "))).collect();
        assert_eq!(about.len(), 1, "{lines:#?}");
        assert!(about[0].contains(word) && about[0].contains("; still using "), "{lines:#?}");
    }
    #[cfg(unix)]
    assert!(ready("/dev/zero").iter().any(|line| line.contains("/dev/zero: not a file")));
    let lines = ready(&good);
    assert_eq!(count(&lines, &format!("info string {good}")), 1, "{lines:#?}");
    // A file that was missing or has been replaced is checked again.
    let late = dir.file("late.nnue");
    let refused = |lines: &[String]| lines.iter().any(|line| line.contains("late.nnue: "));
    assert!(refused(&ready(&late)));
    write("late.nnue", &whole);
    assert_eq!(count(&ready(&late), &format!("info string {late}")), 1);
    assert!(!ready(&late).iter().any(|line| line.contains("late.nnue")), "reported again");
    write("late.nnue", b"hello");
    assert!(refused(&ready(&late)));
    let lines = ready("handwritten");
    assert!(lines.iter().any(|line| line.contains("hand-written")), "{lines:#?}");
    gui.send("position startpos");
    gui.send("go nodes 1000");
    gui.find("bestmove");
}
