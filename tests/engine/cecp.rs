//! CECP: whole games of every variant, interruptions, pondering and analysis.

use crate::gui::{Gui, PATIENCE, count};
use sanban::protocol::uci::UciVariant;

/// Starts an engine for a variant and sends it more commands.
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

/// Waits for a line about the game: a move, a result, or an error.
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
                break "move limit reached".into();
            }
            std::mem::swap(&mut mover, &mut other);
        };
        // Both engines report the same result.
        if is_result(&result) {
            assert_eq!(next(&mut other), result, "{}", variant.name);
        }
        black = other;
        assert_eq!(count(&black.said, "Illegal"), 0);
    }
}

#[test]
fn a_search_is_given_up_or_hurried() {
    let mut gui = start("shogi", &["level 0 60 0"]);
    let answers = |gui: &mut Gui, commands: &[&str], number: u32| {
        commands.iter().for_each(|line| gui.send(line));
        gui.until(&format!("pong {number}"))
    };
    // After `force`, no move is printed, and none is made on the board.
    let lines = answers(&mut gui, &["go", "force", "ping 1"], 1);
    assert_eq!(count(&lines, "move "), 0, "{lines:#?}");
    // A `ping` waits for the move.
    let lines = answers(&mut gui, &["usermove c3c4", "st 1000", "go", "ping 2", "?"], 2);
    assert_eq!((count(&lines, "move "), count(&lines, "Illegal")), (1, 0), "{lines:#?}");
    let lines = answers(&mut gui, &["force", "remove", "usermove c3c4", "ping 3"], 3);
    assert_eq!(count(&lines, "Illegal"), 0, "{lines:#?}");
    let lines = answers(&mut gui, &["usermove g3g4", "ping 4"], 4);
    assert_eq!(count(&lines, "Illegal move: g3g4"), 1, "the other side is to move: {lines:#?}");
    let lines = answers(&mut gui, &["undo", "usermove g3g4", "ping 5"], 5);
    assert_eq!(count(&lines, "Illegal"), 0, "{lines:#?}");
    let lines = answers(&mut gui, &["force", "new", "force", "undo", "remove", "ping 6"], 6);
    let refused = lines.iter().filter(|line| line.starts_with("Error (command not legal now): "));
    assert_eq!(refused.count(), 2, "{lines:?}");
}

#[test]
fn it_ponders_and_takes_the_hit() {
    let mut gui = start("shogi", &["hard", "post", "option NodesLimit=0", "st 0.2"]);
    gui.send("go");
    let first = next(&mut gui);
    gui.send("hint");
    let hint = gui.find("Hint: ");
    let reply = hint.trim_start_matches("Hint: ");
    // Pondering continues, and a `ping` is answered meanwhile.
    gui.send("ping 1");
    gui.until("pong 1");
    gui.send(&format!("usermove {reply}"));
    let second = next(&mut gui);
    assert!(first.starts_with("move ") && second.starts_with("move "), "{first}, {second}");
    // A move other than the expected one ends pondering.
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

/// The rank of the origin of the best move in the first line of thinking output after a command.
fn origin_after(gui: &mut Gui, command: &str, number: u32) -> char {
    gui.send(command);
    gui.send(&format!("ping {number}"));
    gui.until(&format!("pong {number}"));
    loop {
        let line = gui.line(PATIENCE).unwrap_or_else(|| panic!("no thinking output: {:#?}", gui.said));
        if let Some((_, pv)) = line.split_once('\t') {
            return pv.chars().nth(1).expect("a move");
        }
    }
}

#[test]
fn analysis_follows_the_board() {
    let mut gui = start("janggi", &["option NodesLimit=0"]);
    // The first side is on ranks 0 to 3, the second on ranks 6 to 9.
    assert!(origin_after(&mut gui, "analyze", 1) <= '3');
    assert!(origin_after(&mut gui, "usermove a3b3", 2) >= '6');
    assert!(origin_after(&mut gui, "option MultiPV=2", 3) >= '6');
    assert!(origin_after(&mut gui, "undo", 4) <= '3');
    gui.send("exit");
    gui.send("ping 5");
    gui.until("pong 5");
    gui.send("quit");
    let (lines, status) = gui.end();
    assert!(status.success() && count(&lines, "move ") == 0);
}
