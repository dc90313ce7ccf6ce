//! CECP: whole games of every variant, interruptions, pondering and analysis.

use crate::gui::{Gui, PATIENCE, count};
use sanban::dialect::UciVariant;

/// Starts an engine that plays a game with few nodes a move.
fn start(variant: &str, more: &[&str]) -> Gui {
    let mut gui = Gui::start();
    gui.send("xboard");
    gui.send("protover 2");
    gui.until("feature done=1");
    for line in ["new", &format!("variant {variant}"), "memory 1", "option OwnBook=0", "easy", "level 0 5 1"]
    {
        gui.send(line);
    }
    more.iter().for_each(|line| gui.send(line));
    gui.send("ping 0");
    gui.until("pong 0");
    gui
}

/// A line about the course of the game: a move, a result, or a complaint.
fn next(gui: &mut Gui) -> String {
    loop {
        let line = gui.line(PATIENCE).unwrap_or_else(|| panic!("no answer: {:#?}", gui.said));
        let complaint = line.starts_with("Illegal") || line.starts_with("Error");
        if complaint || line.starts_with("move ") || is_result(&line) {
            return line;
        }
    }
}

fn is_result(line: &str) -> bool {
    ["1-0 {", "0-1 {", "1/2-1/2 {"].iter().any(|start| line.starts_with(start))
}

#[test]
fn two_engines_play_whole_games_of_every_variant() {
    for variant in &UciVariant::ALL {
        let limits = ["option NodesLimit=60"];
        let mut white = start(variant.name, &limits);
        let mut black = start(variant.name, &limits);
        white.send("go");
        let (mut mover, mut other) = (white, black);
        let mut moves = 0;
        let result = loop {
            let line = next(&mut mover);
            if is_result(&line) {
                break line;
            }
            let mv = line.strip_prefix("move ").unwrap_or_else(|| panic!("{}: {line}", variant.name));
            other.send("time 30000");
            other.send("otim 30000");
            other.send(&format!("usermove {mv}"));
            moves += 1;
            if moves > 400 {
                break "it is long enough".into();
            }
            std::mem::swap(&mut mover, &mut other);
        };
        // Both see the same end.
        if is_result(&result) {
            assert_eq!(next(&mut other), result, "{}", variant.name);
        }
        black = other;
        assert_eq!(count(&black.said, "Illegal"), 0);
    }
}

#[test]
fn a_search_is_given_up_or_hurried() {
    let mut gui = start("shogi", &["level 0 60 0", "go"]);
    // No move after `force`, and the move is not on the board.
    gui.send("force");
    gui.send("ping 1");
    let lines = gui.until("pong 1");
    assert_eq!(count(&lines, "move "), 0, "{lines:#?}");
    gui.send("usermove c3c4");
    gui.send("st 1000");
    gui.send("go");
    gui.send("ping 2");
    gui.send("?");
    let lines = gui.until("pong 2");
    assert_eq!(count(&lines, "move "), 1, "{lines:#?}");
    gui.send("remove");
    gui.send("undo");
    gui.send("usermove g3g4");
    gui.send("ping 3");
    let lines = gui.until("pong 3");
    assert_eq!(count(&lines, "Illegal move"), 1, "the first side has moved already: {lines:#?}");
}

#[test]
fn it_ponders_and_takes_the_hit() {
    let mut gui = start("shogi", &["hard", "post", "option NodesLimit=0", "st 0.2", "go"]);
    let first = next(&mut gui);
    gui.send("hint");
    let hint = gui.find("Hint: ");
    let reply = hint.trim_start_matches("Hint: ");
    // It goes on thinking and answers a `ping` meanwhile.
    gui.send("ping 1");
    gui.until("pong 1");
    gui.send(&format!("usermove {reply}"));
    let second = next(&mut gui);
    assert!(first.starts_with("move ") && second.starts_with("move "), "{first}, {second}");
    // Another move than the expected one.
    gui.send("force");
    gui.send("moves");
    let list = loop {
        let line = gui.line(PATIENCE).expect("the list");
        if line.contains(" moves: ") {
            break line;
        }
    };
    let other = list.split(' ').next_back().unwrap_or_default().to_string();
    gui.send(&format!("usermove {other}"));
    gui.send("ping 2");
    assert_eq!(count(&gui.until("pong 2"), "Illegal"), 0, "{other}");
}

#[test]
fn analysis_follows_the_board() {
    let mut gui = start("janggi", &["analyze"]);
    gui.until("3 ");
    gui.send("usermove a3b3");
    gui.until("1 ");
    gui.send("undo");
    gui.until("1 ");
    gui.send("option MultiPV=2");
    gui.until("1 ");
    gui.send("exit");
    gui.send("ping 1");
    gui.until("pong 1");
    gui.send("quit");
    let (lines, status) = gui.end();
    assert!(status.success() && count(&lines, "move ") == 0);
}
