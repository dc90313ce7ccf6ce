//! The command line: exit codes, and exactly one message for every error.

use crate::command::sanban;
use crate::scratch::ScratchFile;

fn stdout(args: &[&str]) -> String {
    let out = sanban(args, "");
    assert_eq!(out.status.code(), Some(0), "{args:?}: {}", String::from_utf8_lossy(&out.stderr));
    assert!(out.stderr.is_empty(), "unexpected output on standard error");
    String::from_utf8(out.stdout).expect("valid UTF-8")
}

/// The message of a usage error.
fn mistake(args: &[&str]) -> String {
    let out = sanban(args, "");
    assert_eq!(out.status.code(), Some(2), "{args:?}");
    assert!(out.stdout.is_empty(), "{args:?}");
    let text = String::from_utf8(out.stderr).expect("valid UTF-8");
    assert!(text.starts_with("sanban: ") && text.lines().count() == 1, "{args:?}: {text}");
    text
}

#[test]
fn perft_ends_with_its_two_lines() {
    for more in [&[][..], &["--threads", "2"], &["--hash", "8"], &["--threads", "2", "--hash", "8"]] {
        let text = stdout(&[&["perft", "4"][..], more].concat());
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "Nodes searched  : 719731");
        assert!(lines[1].strip_prefix("Nodes/second    : ").is_some_and(|n| n.parse::<u64>().is_ok()));
        assert_eq!(lines.len(), 2);
    }
    assert!(stdout(&["perft", "0"]).starts_with("Nodes searched  : 1\n"));
    assert!(
        stdout(&["perft", "1", "--position", "startpos moves 7g7f"]).starts_with("Nodes searched  : 30\n")
    );
    let sfen = "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1";
    assert!(stdout(&["perft", "1", "--position", sfen]).starts_with("Nodes searched  : 593\n"));
    assert!(
        stdout(&["perft", "1", "--position", &format!("sfen {sfen}")]).starts_with("Nodes searched  : 593\n")
    );
}

#[test]
fn divide_shows_every_root_move() {
    let text = stdout(&["perft", "3", "--divide"]);
    let counts: Vec<u64> = text.lines().filter_map(|line| line.split_once(": ")?.1.parse().ok()).collect();
    assert_eq!((counts.len(), counts[..30].iter().sum::<u64>()), (32, 25_470));
}

#[test]
fn a_suite_that_agrees_and_one_that_does_not() {
    let good = ScratchFile::with(
        "good",
        b"# a comment\n\nlnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1 ;D1 30 ;D2 900\r\n",
    );
    assert!(stdout(&["perft", "--suite", good.path()]).ends_with("1 of 1 positions agree\n"));
    let start = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
    let bad = ScratchFile::with("bad", format!("{start} ;D1 30\n{start} ;D1 31 ;D2 900\n"));
    let out = sanban(&["perft", "--suite", bad.path()], "");
    assert_eq!(out.status.code(), Some(1));
    let text = String::from_utf8(out.stdout).expect("valid UTF-8");
    assert_eq!(text.lines().last(), Some("1 of 2 positions agree"));
    assert!(text.contains("line 2: depth 1: 30 instead of 31"), "{text}");
    let large = ScratchFile::with("large", format!("{start} ;D1 30 ;D6 900\n"));
    assert!(
        stdout(&["perft", "--suite", large.path(), "--max-nodes", "30"])
            .ends_with("1 of 1 positions agree\n")
    );
    assert!(mistake(&["perft", "--suite", large.path(), "--max-nodes", "0"]).contains("no count"));
}

#[test]
fn a_damaged_suite_is_named_with_its_line() {
    let start = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
    for (name, content, expected) in [
        ("sfen", format!("{start} ;D1 30\nnonsense ;D1 30\n"), "line 2: "),
        ("count", format!("{start} ;D1 x\n"), "line 1: "),
        ("depth", format!("# c\n{start} ;Dx 30\n"), "line 2: "),
        ("nothing", format!("{start}\n"), "line 1: "),
        ("empty", String::new(), "no position"),
    ] {
        let file = ScratchFile::with(name, content);
        let text = mistake(&["perft", "--suite", file.path()]);
        assert!(text.contains(file.path()) && text.contains(expected), "{text}");
    }
    let binary = ScratchFile::with("binary", b"\xff\xfe\x00\n");
    assert!(mistake(&["perft", "--suite", binary.path()]).contains("line 1: "));
    assert!(mistake(&["perft", "--suite", "/no/such/file"]).contains("/no/such/file"));
    let empty = ScratchFile::with("empty.suite", b"# nothing\n");
    for command in ["perft", "mate"] {
        assert!(mistake(&[command, "--suite", empty.path()]).contains("contains no positions"), "{command}");
    }
}

#[test]
fn mistakes_are_one_sentence_and_exit_code_two() {
    for args in [
        &["nonsense"][..],
        &["--nonsense"],
        &["perft"],
        &["perft", "x"],
        &["perft", "-1"],
        &["perft", "3", "--threads", "0"],
        &["perft", "3", "--threads", "many"],
        &["perft", "3", "--game", "chess"],
        &["perft", "3", "--position", "nonsense"],
        &["perft", "3", "--position", ""],
        &["perft", "3", "--position", "startpos moves 7g7e"],
        &["perft", "3", "--suite", "x"],
        &["perft", "3", "--max-nodes", "1"],
        &["perft", "3", "--hash", "99999999999999"],
        &["bench", "0"],
        &["bench", "x"],
        &["bench", "--game", "chess"],
        &["eval", "--position", "startpos moves 1a1b"],
        &["eval", "--position", "startpos 7g7f"],
        &["probe", "--game", "dobutsu", "--table", "/no/such/file"],
        &["train", "--data", "tests", "--out", "x.nnue", "--start", "/no/such/file"],
    ] {
        mistake(args);
    }
    assert!(mistake(&["perft", "3", "--game", "chess"]).contains("shogi"), "the message lists the games");
}

#[test]
fn help_and_version_are_no_mistake() {
    for args in [&["--help"][..], &["perft", "--help"], &["--version"]] {
        assert!(!stdout(args).is_empty());
    }
}

#[test]
fn bench_is_the_same_every_time() {
    let nodes = || {
        let text = stdout(&["bench", "4"]);
        let mut lines = text.lines().rev();
        assert!(lines.next().is_some_and(|line| line.starts_with("Nodes/second    : ")));
        lines.next().expect("a total").to_string()
    };
    let first = nodes();
    assert!(first.starts_with("Nodes searched  : "));
    assert_eq!(first, nodes());
    for game in sanban::VariantId::NAMES {
        assert!(stdout(&["bench", "2", "--game", game]).contains("Nodes searched"));
        assert!(stdout(&["eval", "--game", game]).contains("centipawns"));
    }
}

#[test]
fn bench_counts_the_nodes_that_are_written_down() {
    let (file, mut found) = (include_str!("../data/bench.txt"), String::new());
    for line in file.lines().filter(|line| !line.starts_with('#')) {
        let [game, evaluation, _] = line.split(' ').collect::<Vec<_>>()[..] else { panic!("{line}") };
        let file = if evaluation == "handwritten" { evaluation } else { "" };
        let input = format!(
            "setoption name USI_Variant value {game}\nsetoption name EvalFile value {file}\nbench\nquit\n"
        );
        let out = String::from_utf8(sanban(&[], &input).stdout).expect("valid UTF-8");
        let nodes = out.lines().find_map(|line| line.strip_prefix("Nodes searched  : ")).expect("a count");
        found += &format!("{game} {evaluation} {nodes}\n");
    }
    let written: String = file.split_inclusive('\n').filter(|line| !line.starts_with('#')).collect();
    assert_eq!(
        written, found,
        "the node counts have changed; if this is intended, update tests/data/bench.txt"
    );
}

/// The list of commands names the ways into the other protocols.
#[test]
fn help_at_the_prompt_names_the_protocols() {
    let out = sanban(&[], "help\nquit\n");
    let text = String::from_utf8(out.stdout).expect("valid UTF-8");
    assert!(["uci: ", "xboard: "].iter().all(|word| text.contains(word)), "{text}");
}
