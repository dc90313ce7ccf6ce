//! Games of the built engine against itself. Every line is checked against the rules: all its moves are legal, the last
//! line begins with the best move, and an announced mate is reached in the announced number of plies.
//!
//! `LINES_GAMES=100 cargo test --release --test engine lines -- --nocapture` plays more games than the default.

use crate::gui::Gui;
use sanban::rules::shogi::Position;
use sanban::rules::{Move, Position as _, Rng};

/// Number of random plies at the start of a game.
const OPENING: usize = 6;
/// Maximum number of plies of a game after the random plies.
const LONGEST: usize = 200;

#[derive(Default, Debug)]
struct Seen {
    games: usize,
    lines: usize,
    mates: usize,
    /// Announced mates that the line does not reach, or not in the announced number of plies.
    short: usize,
}

/// The text after a word.
fn after<'a>(line: &'a str, word: &str) -> Option<&'a str> {
    line.split_once(&format!(" {word} ")).map(|(_, rest)| rest)
}

/// Checks a principal variation against the rules.
fn check(pos: &Position, line: &str, seen: &mut Seen) {
    let mut end = pos.clone();
    let Some(words) = after(line, "pv") else { return };
    if matches!(words, "win" | "resign") {
        return;
    }
    let pv: Vec<&str> = words.split(' ').collect();
    for (n, word) in pv.iter().enumerate() {
        let mv = end.legal_moves().into_iter().find(|&mv| Position::usi(mv) == *word);
        let Some(mv) = mv else { panic!("{}: move {n} is illegal: {line}", pos.sfen()) };
        end.make(mv, &mut ());
    }
    seen.lines += 1;
    let Some(mate) = after(line, "score mate").and_then(|rest| rest.split(' ').next()) else { return };
    if line.contains("bound ") {
        return;
    }
    let mate: i32 = mate.parse().expect("a number of plies");
    seen.mates += 1;
    let over =
        end.legal_moves().is_empty() && end.in_check() || end.can_declare() || end.verdict(0).is_some();
    let whole = pv.len() == mate.unsigned_abs() as usize && over;
    if !whole {
        seen.short += 1;
        println!("{}\n  {line}", pos.sfen());
    }
}

/// Plays one game.
fn play(gui: &mut Gui, rng: &mut Rng, go: &str, seen: &mut Seen) {
    gui.send("usinewgame");
    let mut pos = Position::from_sfen(sanban::rules::shogi::START).expect("the start position");
    let mut moves = String::new();
    let mut make = |pos: &mut Position, mv: Move| {
        moves += &format!(" {}", Position::usi(mv));
        pos.make(mv, &mut ());
        moves.clone()
    };
    let mut played = String::new();
    for _ in 0..OPENING {
        let list = pos.legal_moves();
        let mv = list[rng.below(list.len())];
        played = make(&mut pos, mv);
    }
    for _ in 0..LONGEST {
        if pos.legal_moves().is_empty() || pos.verdict(0).is_some() {
            break;
        }
        gui.send(&format!("position startpos moves{played}"));
        gui.send(go);
        let lines = gui.until("bestmove");
        let best = lines[lines.len() - 1].split(' ').nth(1).expect("an answer");
        let infos: Vec<&String> = lines.iter().filter(|line| line.contains(" score ")).collect();
        infos.iter().for_each(|line| check(&pos, line, seen));
        if matches!(best, "win" | "resign") {
            break;
        }
        let last = infos.last().expect("a line");
        assert_eq!(after(last, "pv").and_then(|pv| pv.split(' ').next()), Some(best), "{last}");
        let mv = pos.legal_moves().into_iter().find(|&mv| Position::usi(mv) == best);
        let Some(mv) = mv else { panic!("{}: {best} is illegal", pos.sfen()) };
        played = make(&mut pos, mv);
    }
    seen.games += 1;
}

#[test]
fn lines_are_legal_and_mates_are_there() {
    let games = std::env::var("LINES_GAMES").ok().and_then(|n| n.parse().ok()).unwrap_or(2);
    let (mut gui, mut rng, mut seen) = (Gui::ready(), Rng::new(20), Seen::default());
    gui.send("setoption name PvInterval value 0");
    for game in 0..games {
        // A node limit also ends a search in the middle of an iteration.
        let go = if game % 2 == 0 { "go movetime 30" } else { "go nodes 12345" };
        play(&mut gui, &mut rng, go, &mut seen);
    }
    println!("{seen:?}");
    assert!(seen.lines > 100 * games && seen.mates > games, "{seen:?}");
    assert_eq!(seen.short, 0, "{seen:?}");
}
