//! The protocol as a GUI uses it, with the built engine.

use crate::gui::{Gui, count};
use crate::scratch::{Scratch, ScratchFile};
use std::time::{Duration, Instant};

const MATED: &str = "position sfen 4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1";

#[test]
fn the_first_words_are_the_answer_to_usi() {
    let mut gui = Gui::start();
    gui.silent(100);
    gui.send("usi");
    let lines = gui.until("usiok");
    assert!(lines[0].starts_with("id name Sanban") && lines[1].starts_with("id author "));
    assert!(lines[2..lines.len() - 1].iter().all(|line| line.starts_with("option name ")), "{lines:#?}");
    assert!(lines.iter().all(|line| line.is_ascii() && !line.contains("  ")));
    for name in ["USI_Hash", "USI_Ponder", "Threads", "MultiPV", "EnteringKingRule", "USI_Variant"] {
        assert_eq!(count(&lines, &format!("option name {name} type ")), 1, "{name}");
    }
    gui.send("usi");
    assert_eq!(gui.until("usiok"), lines, "the answer to a second usi");
}

#[test]
fn the_last_info_before_bestmove_tells_its_score_and_line() {
    let mut gui = Gui::ready();
    for go in
        ["go depth 5", "go nodes 3000", "go movetime 50", "go byoyomi 100", "go btime 0 wtime 0 byoyomi 80"]
    {
        gui.send("position startpos moves 7g7f 3c3d");
        gui.send(go);
        let lines = gui.until("bestmove");
        let (answer, last) = (&lines[lines.len() - 1], &lines[lines.len() - 2]);
        let best = answer.split(' ').nth(1).unwrap();
        assert!(last.starts_with("info depth ") && last.contains(" score "), "{go}: {last}");
        let pv = last.split_once(" pv ").unwrap().1;
        assert_eq!(pv.split(' ').next(), Some(best), "{go}");
        assert!(matches!(answer.split(' ').count(), 2 | 4), "{answer}");
        for word in ["seldepth", "nodes", "nps", "hashfull", "time"] {
            assert!(last.contains(&format!(" {word} ")), "{last}");
        }
    }
    gui.silent(100);
}

#[test]
fn several_lines_come_as_a_block_with_their_ranks() {
    let mut gui = Gui::ready();
    gui.send("setoption name MultiPV value 3");
    gui.send("position startpos");
    gui.send("go depth 5");
    let lines = gui.until("bestmove");
    let block = &lines[lines.len() - 4..lines.len() - 1];
    for (rank, line) in block.iter().enumerate() {
        assert!(line.contains(&format!(" multipv {} ", rank + 1)), "{block:#?}");
    }
}

/// The last lines are sorted wherever the search is interrupted.
#[test]
fn the_last_block_is_best_first() {
    let mut gui = Gui::ready();
    gui.send("setoption name EvalFile value handwritten");
    gui.send("setoption name MultiPV value 4");
    for sfen in ["startpos", "sfen l4S2l/4g1gs1/5p1p1/pr2N1pkp/4Gn3/PP3PPPP/2GPP4/1K7/L3r+s2L w BS2N5Pb 1"] {
        for nodes in [3000, 9000, 15_000, 21_000] {
            gui.send("usinewgame");
            gui.send("isready");
            gui.until("readyok");
            gui.send(&format!("position {sfen}"));
            gui.send(&format!("go nodes {nodes}"));
            let lines = gui.until("bestmove");
            let block = &lines[lines.len() - 5..lines.len() - 1];
            let scores = block.iter().map(|line| {
                let (_, rest) = line.split_once(" score cp ").expect("a centipawn score");
                rest.split(' ').next().and_then(|score| score.parse::<i32>().ok()).expect("a score")
            });
            assert!(scores.is_sorted_by(|a, b| a >= b), "{nodes}: {block:#?}");
            let best = lines[lines.len() - 1].split(' ').nth(1).expect("a move");
            assert!(block[0].contains(&format!(" pv {best}")), "{nodes}: {lines:#?}");
        }
    }
}

/// After an unreadable position, nothing is searched or counted, and no move of the previous position is played.
#[test]
fn an_unreadable_position_is_no_position() {
    let mut gui = Gui::ready();
    for position in [
        "position",
        "position fen",
        "position fen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL[] x",
        "position sfen 9/9 b - 1",
        "position startpos moves 1a1a",
    ] {
        gui.send("position startpos");
        gui.send(position);
        gui.send("go depth 1");
        let lines = gui.until("bestmove");
        assert_eq!(lines.last().map(String::as_str), Some("bestmove resign"), "{position}");
        assert!(
            lines.iter().any(|line| line.ends_with("; waiting for a valid position")),
            "{position}: {lines:#?}"
        );
        gui.send("go perft 1");
        gui.until("info string no valid position to count");
    }
}

#[test]
fn choosing_the_game_sets_up_its_start_position() {
    let mut gui = Gui::ready();
    gui.send("position startpos moves 7g7f");
    gui.send("setoption name USI_Variant value shogi");
    gui.send("key");
    let again = gui.until("");
    gui.send("position startpos");
    gui.send("key");
    assert_eq!(gui.until(""), again);
}

/// A stop ends the count that a search waits for, and also the search.
#[test]
fn a_search_behind_a_count_is_stopped_with_it() {
    let mut gui = Gui::ready();
    gui.send("position startpos");
    gui.send("go perft 9");
    gui.send("go infinite");
    gui.send("stop");
    let lines = gui.until("bestmove");
    assert!(lines.iter().any(|line| line == "info string perft was stopped"), "{lines:#?}");
}

/// UCI has no command to declare a win, so a move is required.
#[test]
fn a_declared_win_is_a_move_in_uci() {
    let mut gui = Gui::ready();
    gui.send("uci");
    gui.until("uciok");
    gui.send("setoption name EnteringKingRule value CSARule27");
    gui.send("position fen +R1+B1K1+B1+R/1GSGSGSGS/9/9/9/9/9/9/4k4[PPPPPPPPP] w - - 0 1");
    for go in ["go depth 2", "go mate 1"] {
        gui.send(go);
        let answer = gui.until("bestmove").pop().expect("an answer");
        assert!(answer != "bestmove (none)", "{go}");
    }
}

#[test]
fn a_game_that_is_over_is_resigned_with_a_mate_score() {
    let mut gui = Gui::ready();
    gui.send(MATED);
    gui.send("go byoyomi 1000");
    let lines = gui.until("bestmove");
    assert_eq!(lines.last().unwrap(), "bestmove resign");
    assert!(lines[lines.len() - 2].contains(" score mate -1 "), "{lines:#?}");
}

#[test]
fn the_first_iteration_sees_that_every_move_is_answered_by_mate() {
    let mut gui = Gui::ready();
    gui.send("position sfen 4k4/9/9/9/9/9/7+p1/8L/7NK b g 1");
    gui.send("go depth 1");
    let lines = gui.until("bestmove");
    assert!(lines[lines.len() - 2].contains(" score mate -2 "), "{lines:#?}");
}

#[test]
fn no_answer_before_stop_whatever_is_found() {
    let mut gui = Gui::ready();
    let mate_in_one = "position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1";
    for (position, go) in [
        (MATED, "go infinite"),
        (mate_in_one, "go infinite"),
        ("position startpos", "go infinite depth 2"),
        (MATED, "go ponder"),
        (mate_in_one, "go ponder btime 1000 wtime 1000 byoyomi 100"),
        ("position sfen xyz", "go infinite"),
        ("position sfen xyz", "go ponder"),
    ] {
        gui.send(position);
        gui.send(go);
        let begin = Instant::now();
        while begin.elapsed() < Duration::from_millis(250) {
            if let Some(line) = gui.line(Duration::from_millis(50)) {
                assert!(!line.starts_with("bestmove"), "{position} {go}");
            }
        }
        gui.send("stop");
        gui.find("bestmove");
        assert_eq!(count(&gui.settle(), "bestmove"), 0, "{position} {go}");
    }
}

#[test]
fn pondering_ends_with_the_hit_or_the_stop() {
    let mut gui = Gui::ready();
    for (go, hit) in [
        ("go ponder btime 1000 wtime 1000 byoyomi 100", "ponderhit"),
        ("go ponder", "ponderhit btime 0 wtime 0 byoyomi 100"),
        ("go ponder", "ponderhit btime 300 wtime 300 binc 10 winc 10"),
        ("go ponder", "ponderhit"),
        ("go ponder btime 1000 wtime 1000", "stop"),
        ("go ponder", "gameover win"),
    ] {
        gui.send("position startpos moves 7g7f");
        gui.send(go);
        std::thread::sleep(Duration::from_millis(50));
        assert_eq!(count(&gui.settle(), "bestmove"), 0, "{go}");
        gui.send(hit);
        gui.find("bestmove");
        assert_eq!(count(&gui.settle(), "bestmove"), 0, "{go} {hit}");
    }
}

#[test]
fn a_mate_found_while_pondering_waits_for_the_hit_or_the_stop() {
    let mut gui = Gui::ready();
    for (go, end) in [
        ("go ponder mate 5000", "ponderhit"),
        ("go ponder mate infinite", "ponderhit btime 0 wtime 0 byoyomi 100"),
        ("go mate 5000.5 ponder", "stop"),
        ("go ponder mate", "gameover win"),
    ] {
        gui.send("position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1");
        gui.send(go);
        std::thread::sleep(Duration::from_millis(100));
        assert_eq!(count(&gui.settle(), "checkmate"), 0, "{go}");
        gui.send(end);
        assert_eq!(gui.find("checkmate"), "checkmate G*5b", "{go} {end}");
        assert_eq!(count(&gui.settle(), "checkmate"), 0, "{go} {end}");
    }
    // The same holds in games without a mate solver.
    gui.send("setoption name USI_Variant value janggi");
    gui.send("position startpos");
    gui.send("go ponder mate infinite");
    assert_eq!(count(&gui.settle(), "checkmate"), 0);
    gui.send("stop");
    assert_eq!(gui.find("checkmate"), "checkmate notimplemented");
}

/// The score of the moves that `searchmoves` excludes is unknown.
#[test]
fn it_does_not_resign_for_some_of_its_moves() {
    let mut gui = Gui::ready();
    gui.send("setoption name ResignValue value 500");
    gui.send("position startpos moves 7g7f 3c3d");
    gui.send("go depth 4 searchmoves 8h3c+");
    assert_eq!(gui.find("bestmove").split(' ').nth(1), Some("8h3c+"));
}

#[test]
fn stochastic_pondering_answers_for_the_real_position() {
    let mut gui = Gui::ready();
    gui.send("setoption name Stochastic_Ponder value true");
    for end in ["ponderhit", "stop"] {
        gui.send("position startpos moves 7g7f 3c3d 8h2b+");
        gui.send("go ponder btime 0 wtime 0 byoyomi 100");
        std::thread::sleep(Duration::from_millis(50));
        assert_eq!(count(&gui.settle(), "bestmove"), 0);
        gui.send(end);
        let best = gui.find("bestmove");
        let moves = {
            gui.send("moves");
            gui.until("").pop().unwrap()
        };
        assert!(moves.split(' ').any(|mv| Some(mv) == best.split(' ').nth(1)), "{best}: {moves}");
    }
}

#[test]
fn a_search_does_not_block_the_conversation() {
    let mut gui = Gui::ready();
    gui.send("position startpos");
    gui.send("go infinite");
    gui.send("isready");
    gui.until("readyok");
    gui.send("usi");
    gui.until("usiok");
    gui.send("setoption name MultiPV value 2");
    gui.send("setoption name USI_Hash value 8");
    gui.send("usinewgame");
    gui.send("position startpos moves 7g7f");
    gui.send("isready");
    gui.until("readyok");
    gui.send("stop");
    gui.find("bestmove");
    gui.send("go depth 3");
    let lines = gui.until("bestmove");
    assert!(lines[lines.len() - 2].contains(" multipv 2 "), "the option takes effect: {lines:#?}");
}

#[test]
fn only_the_moves_asked_for_are_considered() {
    let mut gui = Gui::ready();
    gui.send("position startpos");
    gui.send("go searchmoves 9g9f 1g1f depth 4");
    let best = gui.find("bestmove");
    assert!(best.starts_with("bestmove 9g9f") || best.starts_with("bestmove 1g1f"), "{best}");
    gui.send("go depth 2 searchmoves 1a1b");
    assert_eq!(count(&gui.until("bestmove"), "info string searchmoves: not legal: 1a1b"), 1);
}

#[test]
fn a_count_behind_a_search_is_not_in_the_way() {
    let mut gui = Gui::ready();
    gui.send("position startpos");
    gui.send("go ponder btime 100 wtime 100");
    gui.send("perft 2");
    gui.send("isready");
    assert_eq!(count(&gui.until("readyok"), "Nodes searched"), 0, "the search continues");
    gui.send("ponderhit");
    assert_eq!(count(&gui.until("bestmove"), "Nodes searched"), 0, "the count waits for the search");
    gui.until("Nodes searched");
}

#[test]
fn bare_go_thinks_a_second() {
    let mut gui = Gui::ready();
    gui.send("position startpos");
    let begin = Instant::now();
    gui.send("go");
    gui.find("bestmove");
    let time = begin.elapsed();
    assert!(time > Duration::from_millis(500) && time < Duration::from_secs(10), "{time:?}");
}

/// A fractional clock time is accepted, and an unreadable one counts as no time.
#[test]
fn a_strange_clock_never_gives_more_time() {
    let mut gui = Gui::ready();
    gui.send("position startpos");
    for (go, millis) in [
        ("go btime 200.5 wtime 200.5", 200),
        ("go movetime 100.5", 110),
        ("go byoyomi 2e2", 200),
        ("go btime 200ms wtime 200ms", 0),
        ("go movetime nan", 0),
        ("go byoyomi 0x10", 0),
        ("go time 20 otim 20", 0),
    ] {
        gui.send(go);
        let last = gui.until("bestmove");
        let time = last.iter().rev().find_map(|line| line.split_once(" time ")).expect("a time").1;
        let time: u64 = time.split(' ').next().and_then(|n| n.parse().ok()).expect("a number");
        // Allow for a busy machine.
        assert!(time < millis + 400, "{go}: {last:#?}");
        let reported = count(&last, "info string go: ");
        assert_eq!(reported > 0, millis == 0, "{go}: {last:#?}");
    }
    gui.send("setoption name Threads value 2.5");
    assert_eq!(count(&gui.settle(), "info string Threads: whole numbers only; using 2"), 1);
}

/// The limit applies to the nodes of all threads together.
#[test]
fn a_node_limit_holds_with_several_threads() {
    let mut gui = Gui::ready();
    gui.send("position startpos");
    for threads in [2, 4, 8] {
        gui.send(&format!("setoption name Threads value {threads}"));
        for limit in [1000, 50_000] {
            gui.send(&format!("go nodes {limit}"));
            let lines = gui.until("bestmove");
            let nodes =
                lines.iter().rev().find_map(|line| line.split_once(" nodes ")).expect("a node count").1;
            let nodes: u64 = nodes.split(' ').next().and_then(|n| n.parse().ok()).expect("a number");
            assert!(nodes.abs_diff(limit) <= limit / 50 + 1000, "{threads} threads: {nodes} of {limit}");
        }
    }
}

#[test]
fn a_mate_question_gets_one_mate_answer() {
    let mut gui = Gui::ready();
    gui.send("position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1");
    gui.send("go mate 5000");
    let lines = gui.until("checkmate");
    assert_eq!(count(&lines, "bestmove"), 0);
    assert!(gui.settle().is_empty());
}

/// A mate problem that is too hard for a short search and a table of 16 MB.
const HARD: &str = "gns1p1+NG1/l3ks3/pp5+R1/9/1P+b2P3/8S/1KLPP2PP/2LBS3+p/1+l3GPN1 b RN5Pg2p 127";

#[test]
fn mate_questions_end_by_every_limit() {
    let mut gui = Gui::ready();
    gui.send("position sfen 4k4/9/9/9/9/9/9/9/4K4 b - 1");
    gui.send("go mate infinite");
    assert_eq!(gui.find("checkmate"), "checkmate nomate");
    gui.send(&format!("position sfen {HARD}"));
    for go in ["go mate 50", "go mate nodes 2000", "go mate infinite nodes 2000", "go mate movetime 50"] {
        gui.send(go);
        assert_eq!(gui.find("checkmate"), "checkmate timeout", "{go}");
    }
    for go in ["go mate", "go mate infinite"] {
        gui.send(go);
        std::thread::sleep(Duration::from_millis(50));
        gui.send("stop");
        assert_eq!(gui.find("checkmate"), "checkmate timeout", "{go}");
    }
    assert!(gui.settle().is_empty());
}

#[test]
fn a_declared_win_is_claimed() {
    let mut gui = Gui::ready();
    gui.send("position sfen +R1+B1K1+B1+R/1GSGSGSGS/9/9/9/9/9/9/4k4 b 9P 1");
    gui.send("go byoyomi 1000");
    let lines = gui.until("bestmove");
    assert_eq!(lines.last().unwrap(), "bestmove win", "{lines:#?}");
    gui.send("setoption name EnteringKingRule value NoEnteringKing");
    gui.send("go byoyomi 100");
    assert_ne!(gui.find("bestmove"), "bestmove win");
}

#[test]
fn every_game_plays_and_keeps_the_options_that_apply() {
    let mut gui = Gui::ready();
    gui.send("setoption name MultiPV value 2");
    for &game in sanban::VariantId::NAMES {
        gui.send(&format!("setoption name USI_Variant value {game}"));
        gui.send("isready");
        gui.until("readyok");
        gui.send("usinewgame");
        gui.send("position startpos");
        gui.send("go depth 3");
        let lines = gui.until("bestmove");
        assert!(!lines.last().unwrap().contains("resign"), "{game}: {lines:#?}");
        assert!(lines[lines.len() - 2].contains("multipv 2"), "{game}: {lines:#?}");
    }
    gui.send("setoption name USI_Variant value chess");
    assert_eq!(count(&gui.settle(), "info string USI_Variant: expected one of "), 1);
}

#[test]
fn a_long_game_is_no_trouble() {
    let mut gui = Gui::ready();
    let shuffle = ["2h3h", "8b7b", "3h2h", "7b8b"];
    let moves: String = shuffle.iter().cycle().take(1500).map(|mv| format!(" {mv}")).collect();
    gui.send(&format!("position startpos moves{moves}"));
    gui.send("go depth 3");
    let lines = gui.until("bestmove");
    assert!(!lines.last().unwrap().contains("resign"), "{:?}", lines.last());
    assert_eq!(count(&lines, "info string"), 0);
}

#[test]
fn passes_and_small_drop_letters_are_understood() {
    let mut gui = Gui::ready();
    for pass in ["0000", "null", "pass"] {
        gui.send(&format!("position startpos moves {pass}"));
        gui.send("d");
        assert!(gui.find("sfen").contains(" w - "), "{pass}");
    }
    gui.send("position sfen 4k4/9/9/9/9/9/9/9/4K4 b P 1 moves p*5e");
    gui.send("d");
    assert!(gui.find("sfen").starts_with("sfen 4k4/9/9/9/4P4/"));
}

#[test]
fn one_thread_and_fixed_nodes_play_the_same_twice() {
    let play = || {
        let mut gui = Gui::ready();
        gui.send("position startpos moves 7g7f 3c3d 2g2f 8c8d");
        gui.send("go nodes 20000");
        let lines = gui.until("bestmove");
        let nodes =
            lines[lines.len() - 2].split(" nodes ").nth(1).unwrap().split(' ').next().unwrap().to_string();
        (lines.last().unwrap().clone(), nodes)
    };
    let first = play();
    assert_eq!(first.1, "20000");
    assert_eq!(first, play());
}

#[test]
fn the_other_commands_answer() {
    let mut gui = Gui::ready();
    gui.send("position startpos");
    gui.send("go perft 3");
    assert_eq!(gui.until("Nodes searched").last().unwrap(), "Nodes searched  : 25470");
    gui.find("Nodes/second    : ");
    gui.send("perft 0");
    assert_eq!(gui.find("Nodes searched"), "Nodes searched  : 1");
    gui.find("Nodes/second    : ");
    gui.send("perft 12");
    gui.send("stop");
    gui.find("info string perft was stopped");
    gui.send("moves");
    assert!(gui.find("30 moves: ").contains(" 7g7f"));
    gui.send("eval");
    assert!(gui.find("").contains("centipawns"));
    gui.send("key");
    assert_eq!(gui.find("").len(), 16);
    gui.send("bench 3");
    gui.find("Nodes searched  : ");
    gui.find("Nodes/second    : ");
}

#[test]
fn everything_ends_with_exit_code_zero() {
    for last in ["quit", "position startpos\ngo infinite\nquit", "go ponder\nquit", "go mate infinite\nquit"]
    {
        let mut gui = Gui::ready();
        gui.send(last);
        let (_, status) = gui.end();
        assert_eq!(status.code(), Some(0), "{last}");
    }
}

#[test]
fn the_end_of_input_finishes_what_is_finite_and_stops_the_rest() {
    let whole = |input: &str| {
        let mut gui = Gui::start();
        gui.send(input);
        gui.hang_up();
        let (lines, status) = gui.end();
        assert_eq!(status.code(), Some(0), "{input}");
        lines
    };
    let lines = whole("setoption name USI_Hash value 16\nposition startpos\ngo depth 7");
    assert!(lines[lines.len() - 2].starts_with("info depth 7 "), "{lines:#?}");
    for go in ["go infinite", "go ponder", "go ponder btime 1 wtime 1"] {
        let lines = whole(&format!("setoption name USI_Hash value 16\nposition startpos\n{go}"));
        assert_eq!(count(&lines, "bestmove"), 1, "{lines:#?}");
    }
    assert_eq!(whole("go perft 3").last().map(|line| line.starts_with("Nodes/second")), Some(true));
    let lines =
        whole("setoption name USI_Hash value 16\nisready\nposition startpos moves 7g7f\nkey\nd\nquit");
    assert_eq!(count(&lines, "readyok"), 1, "commands before quit are answered: {lines:#?}");
    assert!(lines.iter().any(|line| line.contains("2P6")), "{lines:#?}");
    let lines = whole("bench 2\nquit");
    assert_eq!(count(&lines, "Nodes searched"), 1, "the bench before quit is completed: {lines:#?}");
    let lines = whole("bench 5\ngo infinite\nquit");
    assert_eq!(count(&lines, "Nodes searched"), 1, "the bench before a search is completed: {lines:#?}");
    let lines = whole("go infinite\nbench 2\nquit");
    assert_eq!(count(&lines, "Nodes searched"), 1, "the bench after a search is completed: {lines:#?}");
}

#[cfg(unix)]
#[test]
fn a_termination_signal_ends_it_at_once() {
    let mut gui = Gui::ready();
    gui.send("position startpos");
    gui.send("go infinite");
    gui.find("info");
    let kill = std::process::Command::new("kill").args(["-TERM", &gui.id().to_string()]).status();
    assert!(kill.expect("kill should run").success());
    assert_eq!(gui.end().1.code(), Some(0));
}

#[test]
fn a_debug_log_has_both_sides() {
    let log = ScratchFile::new("log");
    let mut gui = Gui::start();
    gui.send("usi");
    gui.until("usiok");
    gui.send(&format!("setoption name WriteDebugLog value {}", log.path()));
    gui.settle();
    gui.send("position startpos moves 7g7f");
    gui.send("go depth 1");
    gui.find("bestmove");
    gui.send("quit");
    gui.end();
    let text = std::fs::read_to_string(log.path()).expect("a readable file");
    assert!(text.contains("> position startpos moves 7g7f") && text.contains("< bestmove "), "{text}");
    // The log begins with the first line received, with the seconds since the start.
    let first = text.lines().next().unwrap_or_default();
    let time = first.split(' ').next().and_then(|time| time.parse::<f64>().ok());
    assert!(first.ends_with(" > usi") && time.is_some_and(|time| time < 3600.0), "{first}");
    // Another session continues the log; other files are left unchanged.
    for (content, continues) in
        [(text.as_str(), true), ("precious\n", false), ("0.000 1 > usi\nhalf a li", false)]
    {
        std::fs::write(log.path(), content).expect("a writable file");
        let mut gui = Gui::start();
        gui.send("usi");
        gui.send(&format!("setoption name WriteDebugLog value {}", log.path()));
        gui.send("isready");
        let said = gui.until("readyok");
        gui.send("quit");
        gui.end();
        let now = std::fs::read_to_string(log.path()).expect("a readable file");
        assert_eq!(now.len() > content.len(), continues, "{now}");
        assert_eq!(
            said.iter().any(|line| line.contains("not a log; left unchanged")),
            !continues,
            "{said:?}"
        );
    }
}

/// Repetition is detected for any length of the cycle: here 12 plies, three times.
#[test]
fn a_move_that_ends_the_game_by_repetition_is_seen() {
    let mut gui = Gui::ready();
    gui.send("setoption name DrawValueWhite value 77");
    let round = "5i5h 8b7b 5h4h 7b8b 4h5i 8b7b 5i5h 7b8b 5h4h 8b7b 4h5i";
    gui.send(&format!("position startpos moves {round} 7b8b {round} 7b8b {round}"));
    gui.send("go searchmoves 7b8b depth 1");
    let lines = gui.until("bestmove");
    assert!(lines[lines.len() - 2].contains("score cp 77 "), "{lines:#?}");
}

/// Limited skill does not depend on the number of threads.
#[test]
fn skill_does_not_depend_on_threads() {
    let mut gui = Gui::ready();
    gui.send("setoption name SkillLevel value 15");
    let mut last = |threads: usize| {
        gui.send(&format!("setoption name Threads value {threads}"));
        gui.send("usinewgame");
        gui.send("position startpos");
        gui.send("go btime 60000 wtime 60000");
        let lines = gui.until("bestmove");
        let nodes = lines[lines.len() - 2].split(" nodes ").nth(1).and_then(|rest| rest.split(' ').next());
        nodes.map(str::to_string).expect("a number of nodes")
    };
    assert_eq!(last(1), last(4));
}

/// A weak level plays a different game each time.
#[test]
fn skill_varies_from_game_to_game() {
    let mut gui = Gui::ready();
    gui.send("setoption name SkillLevel value 0");
    let mut answers = std::collections::BTreeSet::new();
    for _ in 0..40 {
        gui.send("usinewgame");
        gui.send("position startpos");
        gui.send("go btime 60000 wtime 60000");
        answers.insert(gui.find("bestmove").split(' ').nth(1).map(str::to_string));
    }
    assert!(answers.len() > 1, "{answers:?}");
}

#[test]
fn every_game_shows_its_board_and_sfen() {
    let mut gui = Gui::ready();
    for variant in sanban::VariantId::NAMES {
        gui.send(&format!("setoption name USI_Variant value {variant}"));
        gui.send("d");
        let lines = gui.settle();
        assert!(
            lines.len() > 5 && lines.iter().any(|line| line.starts_with("sfen ")),
            "{variant}: {lines:#?}"
        );
    }
}

/// The first book that contains the position is used, even after a book that cannot be read.
#[test]
fn several_books_are_asked_in_order() {
    let dir = Scratch::new();
    let start = sanban::rules::shogi::START;
    let later = "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2";
    let book = |name: &str, lines: &str| std::fs::write(dir.file(name), lines).expect("a writable file");
    book("first.db", &format!("sfen {start}\n7g7f none 0 0\n"));
    book("second.db", &format!("sfen {start}\n9g9f none 0 0\nsfen {later}\n1c1d none 0 0\n"));
    book("broken.ybb", "nonsense");
    let mut gui = Gui::start();
    gui.send(&format!("setoption name BookDir value {}", dir.0.display()));
    gui.send("setoption name BookDepthLimit value 0");
    let mut answers = |books: &str, expected: [&str; 2]| {
        gui.send(&format!("setoption name BookFile value {books}"));
        for (position, expected) in ["position startpos", "position startpos moves 7g7f"].iter().zip(expected)
        {
            gui.send(position);
            gui.send("go depth 1");
            let lines = gui.until("bestmove");
            assert!(lines.last().is_some_and(|line| line.contains(expected)), "{books}: {lines:?}");
        }
    };
    answers("first.db;second.db", ["7g7f", "1c1d"]);
    answers("second.db; first.db", ["9g9f", "1c1d"]);
    answers("broken.ybb;second.db", ["9g9f", "1c1d"]);
    book("second-000.db", &format!("sfen {start}\n1g1f none 0 0\n"));
    answers("second.db", ["1g1f", "1c1d"]);
}

#[test]
fn the_book_answers_when_it_may() {
    let dir = Scratch::new();
    let path = dir.0.join("book.db");
    let start = sanban::rules::shogi::START;
    let away = "lnsgkgsnl/2r4b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 4";
    let text = format!("sfen {start}\n9g9f 1c1d 12 7\nsfen {away}\n7b8b none 0 9\n");
    std::fs::write(&path, format!("#YANEURAOU-DB2016 1.00\n{text}")).expect("a writable file");
    let mut gui = Gui::start();
    gui.send(&format!("setoption name BookFile value {}", path.display()));
    gui.send("setoption name BookDepthLimit value 0");
    gui.send("setoption name IgnoreBookPly value true");
    gui.send("position startpos");
    gui.send("go btime 60000 wtime 60000");
    let lines = gui.until("bestmove");
    assert!(
        lines.iter().any(|line| line.starts_with("info string book book.db:") && line.ends_with(": 9g9f 12"))
    );
    let book = |line: &String| line.starts_with("info depth 7 ") && line.ends_with(" pv 9g9f 1c1d");
    assert!(lines.iter().any(book), "{lines:?}");
    assert_eq!(lines.last().map(String::as_str), Some("bestmove 9g9f ponder 1c1d"));
    // The book ignores the game history: a fourth occurrence of a position is left to the search.
    for (times, known) in [(0, true), (2, false)] {
        let moves = format!("{}2h3h 8b7b 3h2h", "2h3h 8b7b 3h2h 7b8b ".repeat(times));
        gui.send(&format!("position startpos moves {moves}"));
        gui.send("go depth 2");
        let lines = gui.until("bestmove");
        assert_eq!(lines.iter().any(|line| line.starts_with("info depth 9 ")), known, "{lines:?}");
    }
    // A changed book is read again, an unchanged one is not.
    std::fs::write(&path, text.replace("9g9f", "1g1f")).expect("a writable file");
    for expected in ["bestmove 1g1f", "bestmove 1g1f"] {
        gui.send("position startpos");
        gui.send("go depth 1");
        let lines = gui.until("bestmove");
        assert!(lines.last().is_some_and(|line| line.starts_with(expected)), "{lines:?}");
    }
    gui.send("position startpos");
    gui.send("setoption name USI_OwnBook value false");
    gui.send("go depth 3");
    assert!(
        gui.until("bestmove").iter().any(|line| line.starts_with("info depth 3 ")),
        "a search instead of the book"
    );
    // A book that cannot be parsed is reported, and the engine plays without one.
    let broken = path.with_extension("broken");
    std::fs::write(&broken, format!("sfen {start}\n9g9e none 0 0\n")).expect("a writable file");
    gui.send(&format!("setoption name BookFile value {}", broken.display()));
    gui.send("isready");
    let lines = gui.until("readyok");
    assert!(lines.iter().any(|line| line.contains("line 2") && line.contains("no book")), "{lines:?}");
}

/// The embedded book is used in timed searches and does not affect other searches.
#[test]
fn the_book_in_the_binary_leaves_searches_alone() {
    let mut gui = Gui::start();
    gui.send("setoption name USI_Hash value 16");
    for (go, known) in [
        ("go byoyomi 200", true),
        ("go movetime 200", true),
        ("go nodes 100", false),
        ("go depth 2", false),
        ("go movetime 200 depth 2", false),
    ] {
        gui.send("position startpos");
        gui.send(go);
        let lines = gui.until("bestmove");
        assert_eq!(count(&lines, "info string book embedded: ") == 1, known, "{go}: {lines:#?}");
        if known {
            let best = lines[lines.len() - 1].split(' ').nth(1).expect("a move");
            let first = lines.iter().find(|line| line.starts_with("info depth")).expect("a line");
            assert!(first.contains(&format!(" pv {best}")), "{lines:#?}");
        }
    }
    gui.send("setoption name BookFile value no_book");
    gui.send("go movetime 50");
    assert_eq!(count(&gui.until("bestmove"), "info string book"), 0);
}

/// Games differ, and the same seed reproduces the same games.
#[test]
fn book_games_vary_and_can_be_repeated() {
    let dir = Scratch::new();
    let path = dir.0.join("book.db");
    let moves: String =
        ["7g7f", "2g2f", "5g5f", "9g9f", "1g1f"].map(|mv| format!("{mv} none 0 20\n")).concat();
    std::fs::write(&path, format!("sfen {}\n{moves}", sanban::rules::shogi::START)).expect("a writable file");
    let play = |seed: u64| -> Vec<String> {
        let mut gui = Gui::ready();
        gui.send(&format!("setoption name BookSeed value {seed}"));
        gui.send(&format!("setoption name BookFile value {}", path.display()));
        let game = |gui: &mut Gui| {
            gui.send("usinewgame");
            gui.send("position startpos");
            gui.send("go byoyomi 100");
            gui.find("bestmove")
        };
        (0..12).map(|_| game(&mut gui)).collect()
    };
    let (games, again, others) = (play(5), play(5), play(6));
    assert_eq!(games, again);
    assert_ne!(games, others);
    assert!(games.iter().any(|game| *game != games[0]), "{games:?}");
}
