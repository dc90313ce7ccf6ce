//! After any input, the next command works, and every search gets exactly one answer.

use crate::gui::{Gui, count};
use sanban::rules::Rng;

/// Asserts that the engine still answers, and that it has printed at most `notes` notes and nothing else.
#[track_caller]
fn still_plays(gui: &mut Gui, notes: usize, what: &str) {
    let lines = gui.settle();
    assert_eq!(count(&lines, "info string"), lines.len(), "{what}: {lines:#?}");
    assert!(lines.len() <= notes, "{what}: {lines:#?}");
    assert!(lines.iter().all(|line| line.len() < 1000 && line.bytes().all(|b| (b' '..127).contains(&b))));
    gui.send("position startpos");
    gui.send("go depth 1");
    let lines = gui.until("bestmove");
    assert_ne!(lines.last().unwrap(), "bestmove resign", "{what}");
}

#[test]
fn bytes_that_mean_nothing() {
    let mut gui = Gui::ready();
    let megabyte = vec![b'x'; 1 << 20];
    let huge = vec![b'y'; 5 << 20];
    let moves = format!("position startpos moves {}", "7g7f ".repeat(400_000));
    for (what, bytes) in [
        ("empty", &b""[..]),
        ("spaces", b"   \t  "),
        ("carriage return", b"\r"),
        ("zero bytes", b"\0\0\0"),
        ("invalid UTF-8", b"\xff\xfe\xc3\x28"),
        ("byte order mark", b"\xef\xbb\xbf"),
        ("Japanese", "こんにちは".as_bytes()),
        ("a megabyte", &megabyte),
        ("five megabytes", &huge),
        ("a line of moves that is too long", moves.as_bytes()),
        ("format characters", b"%s%n%d {} {0}"),
        ("wrong case", b"GO INFINITE"),
        ("error", b"error"),
    ] {
        gui.send_bytes(bytes);
        gui.send_bytes(b"\n");
        still_plays(&mut gui, 1, what);
    }
}

#[test]
fn random_bytes() {
    let mut gui = Gui::ready();
    let mut rng = Rng::new(1);
    for round in 0..200 {
        let line: Vec<u8> = (0..rng.below(60)).map(|_| rng.next() as u8).filter(|&b| b != b'\n').collect();
        gui.send_bytes(&line);
        gui.send_bytes(b"\n");
        if round % 20 == 0 {
            still_plays(&mut gui, 40, &format!("{line:?}"));
        }
    }
    still_plays(&mut gui, 40, "random bytes");
}

#[test]
fn commands_cut_off_and_overdone() {
    let mut gui = Gui::ready();
    for line in [
        "position",
        "position moves",
        "position sfen",
        "position sfen moves 7g7f",
        "position startpos startpos",
        "position startpos moves moves",
        "position sfen 9/9/9/9/9/9/9/9/9 b - 99999999999999999999",
        "position sfen 9/9/9/9/9/9/9/9/9 x - 1",
        "position sfen 99/9/9/9/9/9/9/9/9 b - 1",
        "position sfen kkkkkkkkk/9/9/9/9/9/9/9/K8 b - 1",
        "position sfen 4k4/9/9/9/9/9/9/9/4K4 b 99999999999P 1",
        "setoption",
        "setoption name",
        "setoption name value",
        "setoption name Threads",
        "setoption name Threads value",
        "setoption name Threads value abc",
        "setoption name Threads value -99999999999999999999999",
        "setoption name MultiPV value 1.5",
        "setoption name USI_Ponder value perhaps",
        "setoption name EnteringKingRule value Chess",
        "setoption name USI_Variant value",
        "setoption name NoSuchOption value 1",
        "setoption name WriteDebugLog value /no/such/directory/log",
        "perft",
        "perft x",
        "perft -1",
        "perft 1000",
        "bench x",
        "ponderhit btime x",
    ] {
        gui.send(line);
        still_plays(&mut gui, 1, line);
    }
}

#[test]
fn a_go_that_cannot_be_read_is_answered_all_the_same() {
    let mut gui = Gui::ready();
    gui.send("position startpos");
    for go in [
        "go depth",
        "go depth x",
        "go depth 0",
        "go nodes 0",
        "go nodes -1",
        "go movetime 0",
        "go movetime -5",
        "go btime -1000 wtime -1000",
        "go btime 0 wtime 0",
        "go btime 0 wtime 0 byoyomi 0",
        "go byoyomi",
        "go searchmoves depth 1",
        "go searchmoves 9z9z depth 1",
        "go hello world depth 1",
        "go depth 1 depth 2",
        "go movetime 1 byoyomi 99999999999999999999999999",
        "go binc 50 depth 1",
    ] {
        gui.send(go);
        let lines = gui.until("bestmove");
        assert_ne!(lines.last().unwrap(), "bestmove resign", "{go}");
        assert!(count(&lines, "info string") <= 1, "{go}: {lines:#?}");
        assert!(gui.settle().is_empty(), "{go}");
    }
}

#[test]
fn a_position_that_cannot_be_followed_is_named_and_resigned() {
    let mut gui = Gui::ready();
    for (line, named) in [
        ("position startpos moves 7g7e", "illegal move 7g7e at ply 1"),
        ("position startpos moves 7g7f 3c3d 8h9i", "illegal move 8h9i at ply 3"),
        ("position startpos moves 7g7f abc", "illegal move abc at ply 2"),
        ("position sfen lnsgkgsnl/9 b - 1", "the board has 2 ranks"),
        ("position sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL q - 1", "side to move"),
        ("position sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b Z 1", "hands"),
        ("position sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - x", "move count"),
    ] {
        gui.send("position startpos moves 2g2f");
        gui.send(line);
        let lines = gui.settle();
        assert!(
            lines.len() == 1 && lines[0].starts_with("info string ") && lines[0].contains(named),
            "{lines:#?}"
        );
        gui.send("go byoyomi 100");
        assert_eq!(gui.find("bestmove"), "bestmove resign", "{line}");
        assert!(gui.settle().is_empty());
        gui.send("d");
        assert!(gui.find("sfen").contains("PPPPPPP1P"), "the valid position is kept");
    }
    still_plays(&mut gui, 0, "afterwards");
}

#[test]
fn commands_at_the_wrong_time() {
    let mut gui = Gui::ready();
    for line in ["stop", "ponderhit", "gameover", "gameover win", "ponderhit btime 1 wtime 1", "usinewgame"] {
        gui.send(line);
        still_plays(&mut gui, 0, line);
    }
    // A search that is not stopped is abandoned when the next one starts.
    gui.send("go infinite");
    gui.send("position startpos moves 7g7f");
    gui.send("go depth 3");
    gui.find("bestmove");
    assert!(gui.settle().is_empty());
    // A stopped search still answers.
    gui.send("go infinite");
    gui.send("stop");
    gui.send("go depth 3");
    gui.find("bestmove");
    gui.find("bestmove");
    assert!(gui.settle().is_empty());
    // A second or late stop does not give a second answer.
    gui.send("go infinite");
    gui.send("stop");
    gui.send("stop");
    gui.send("gameover lose");
    gui.find("bestmove");
    gui.send("stop");
    assert!(gui.settle().is_empty());
    // `ponderhit` affects only a ponder search.
    gui.send("go infinite");
    gui.send("ponderhit");
    assert_eq!(count(&gui.settle(), "bestmove"), 0);
    gui.send("gameover draw");
    gui.find("bestmove");
    // A `position` command during a search takes effect after it.
    gui.send("go depth 4");
    gui.send("position sfen xyz");
    assert_ne!(gui.find("bestmove"), "bestmove resign");
    gui.settle();
    gui.send("go depth 1");
    assert_eq!(gui.find("bestmove"), "bestmove resign");
}

#[test]
fn a_stop_is_never_lost() {
    let mut gui = Gui::ready();
    gui.send("position startpos");
    for _ in 0..100 {
        gui.send_bytes(b"go infinite\nstop\n");
        gui.find("bestmove");
    }
    for _ in 0..30 {
        gui.send_bytes(b"go ponder\nponderhit btime 0 wtime 0 byoyomi 10\n");
        gui.find("bestmove");
    }
    assert!(gui.settle().is_empty());
}

#[cfg(target_os = "linux")]
#[test]
fn more_memory_than_there_is() {
    let mut gui = Gui::ready();
    let begin = std::time::Instant::now();
    gui.send("setoption name USI_Hash value 33554432");
    let notes = gui.settle();
    assert!(notes.len() == 1 && notes[0].contains("USI_Hash") && notes[0].contains("MB"), "{notes:#?}");
    still_plays(&mut gui, 0, "a large table");
    gui.send("usinewgame");
    still_plays(&mut gui, 0, "a large table, cleared");
    // Only pages that are used are allocated.
    assert!(begin.elapsed() < std::time::Duration::from_secs(10), "{:?}", begin.elapsed());
}
