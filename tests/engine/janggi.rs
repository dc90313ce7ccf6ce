//! Janggi over two pipes, as a GUI uses the engine.

use crate::gui::{Gui, count};

const START: &str = "rnba1abnr/4k4/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/4K4/RNBA1ABNR";

fn janggi(variant: &str) -> Gui {
    let mut gui = Gui::ready();
    gui.send(&format!("setoption name USI_Variant value {variant}"));
    gui.send("isready");
    gui.until("readyok");
    gui
}

/// The SFEN in the output of `d`.
fn shown(gui: &mut Gui) -> String {
    gui.send("d");
    gui.find("sfen ")
}

/// The move of the next `bestmove` line.
fn best(gui: &mut Gui) -> String {
    gui.find("bestmove").split(' ').nth(1).unwrap_or_default().to_string()
}

#[test]
fn a_game_is_played_move_by_move() {
    for variant in ["janggi", "janggicasual"] {
        let mut gui = janggi(variant);
        let mut moves = String::new();
        for _ in 0..30 {
            gui.send(&format!("position startpos moves{moves}"));
            gui.send("go nodes 3000");
            let mv = best(&mut gui);
            assert_ne!(mv, "resign", "{moves}");
            moves += &format!(" {mv}");
        }
        gui.send(&format!("position startpos moves{moves}"));
        assert!(shown(&mut gui).ends_with(" b - 31"), "{moves}");
    }
}

#[test]
fn a_mate_is_found_and_given() {
    let mut gui = janggi("janggi");
    // Two chariots on neighbouring ranks give mate.
    gui.send("position sfen 3k5/8R/7R1/9/9/9/9/9/9/4K4 b - 1");
    gui.send("go depth 5");
    let lines = gui.until("bestmove");
    assert!(lines[lines.len() - 2].contains("score mate 1 "), "{lines:#?}");
    // The mated side has no move.
    gui.send("position sfen 3k5/8R/7R1/9/9/9/9/9/9/4K4 b - 1 moves 2c2a");
    gui.send("go nodes 1000");
    assert_eq!(best(&mut gui), "resign");
}

#[test]
fn defaults_of_all_options_keep_the_casual_pass_free() {
    // GUIs send back every declared option with its default.
    let mut gui = Gui::start();
    gui.send("usi");
    let lines = gui.until("usiok");
    gui.send("setoption name USI_Variant value janggicasual");
    // The engine reports which evaluation is in use.
    gui.settle();
    for line in lines.iter().filter(|line| line.contains("Janggi_")) {
        let words: Vec<&str> = line.split(' ').collect();
        let after =
            |word: &str| words.iter().position(|w| *w == word).and_then(|at| words.get(at + 1).copied());
        let (name, value) = (after("name").expect("a name"), after("default").expect("a default"));
        gui.send(&format!("setoption name {name} value {value}"));
    }
    assert_eq!(count(&lines, "option name Janggi_"), 5);
    gui.send("position startpos moves 5i5i 9a9b");
    assert_eq!(count(&gui.settle(), "info string"), 0);
    assert!(shown(&mut gui).ends_with(" b - 3"));
}

#[test]
fn rules_are_options() {
    let mut gui = janggi("janggi");
    let moves = |gui: &mut Gui| {
        gui.send("position startpos");
        gui.send("moves");
        gui.find("3")
    };
    assert!(moves(&mut gui).starts_with("31 moves"));
    gui.send("setoption name Janggi_Pass value free");
    assert!(moves(&mut gui).starts_with("32 moves"));
    gui.send("setoption name Janggi_Pass value never");
    assert_eq!(count(&gui.settle(), "info string Janggi_Pass: expected one of literal, free, forced"), 1);
    // After two passes, the game is drawn.
    gui.send("position startpos moves 5i5i 5b5b");
    gui.send("go nodes 1000");
    // The referee announces the draw; until then the game continues.
    assert_ne!(best(&mut gui), "resign");
    gui.send("setoption name Janggi_SetupBlack value RBNA1ANBR");
    gui.send("position startpos");
    assert_eq!(shown(&mut gui), format!("sfen {} b - 1", START.replace("RNBA1ABNR", "RBNA1ANBR")));
    gui.send(&format!("position sfen {START} b - 1"));
    assert_eq!(shown(&mut gui), format!("sfen {START} b - 1"));
}

/// Variants with the names of Fairy-Stockfish and additional rules.
#[test]
fn the_traditional_game_knows_facing_generals_and_the_modern_one_a_count() {
    // The generals face each other, and white accepts this by passing.
    let face = "position sfen 4k4/9/9/9/9/9/9/R2P5/9/4K4 w - 1 moves 5a5a";
    for (variant, over) in [("janggicasual", false), ("janggitraditional", true), ("janggimodern", false)] {
        let mut gui = janggi(variant);
        // GUIs send back every default.
        gui.send("setoption name Janggi_Bikjang value false");
        gui.send("setoption name Janggi_Counting value false");
        gui.send(face);
        gui.send("moves");
        let lines = gui.settle();
        let closed = lines.iter().any(|line| line == "0 moves:");
        assert_eq!(closed, over, "{variant}: {lines:#?}");
    }
    // After two passes, the game is drawn, or decided by the count.
    for (variant, lost) in [("janggicasual", false), ("janggitraditional", false), ("janggimodern", true)] {
        let mut gui = janggi(variant);
        gui.send("position startpos moves 5i5i 5b5b");
        gui.send("go nodes 100");
        assert_eq!(best(&mut gui) == "resign", lost, "{variant}");
    }
}

/// The engine resigns neither at the draw nor after it.
#[test]
fn a_drawn_game_is_not_resigned() {
    let facing = "sfen 4k4/9/9/9/9/r8/9/R8/9/3K5 b - 1 moves 6j5j 5a5a";
    let position = |variant, text: &str| {
        let mut gui = janggi(variant);
        gui.send(&format!("position {text}"));
        for go in ["go depth 5", "go movetime 20", "go nodes 500", "go depth 3 searchmoves 5i5h"] {
            gui.send(go);
            assert_ne!(best(&mut gui), "resign", "{variant}: {text}: {go}");
        }
    };
    for variant in ["janggicasual", "janggitraditional"] {
        position(variant, "startpos moves 5i5i 5b5b");
        position(variant, "startpos moves 5i5i 5b5b 5i5h");
        position(variant, "startpos moves 5i5i 5b5b 5i5i");
    }
    position("janggi", "startpos moves 5i5i 5b5b");
    position("janggitraditional", facing);
    position("janggitraditional", &format!("{facing} 5j6j"));
    // The score is below the resignation threshold, but the game is drawn by the move limit.
    let mut gui = janggi("janggi");
    gui.send("setoption name MaxMovesToDraw value 2");
    gui.send("setoption name ResignValue value 100");
    gui.send("position sfen 4k4/9/9/9/9/9/9/rr1r5/9/4K4 w - 2 moves 5a4a");
    gui.send("go nodes 2000");
    assert_ne!(best(&mut gui), "resign");
}

/// Settings that the variant fixes are ignored and reported, in whichever order the options are set.
#[test]
fn a_setting_that_the_variant_fixes_is_reported() {
    for (variant, setting, value) in [
        ("janggitraditional", "Janggi_Counting", "true"),
        ("janggimodern", "Janggi_Bikjang", "true"),
        ("janggicasual", "Janggi_Pass", "forced"),
        ("janggitraditional", "Janggi_Pass", "forced"),
    ] {
        let note = format!("info string {setting}: {variant} fixes this rule; '{value}' is ignored");
        let set = format!("setoption name {setting} value {value}");
        let choose = format!("setoption name USI_Variant value {variant}");
        for lines in [[&choose, &set], [&set, &choose]] {
            let mut gui = Gui::ready();
            lines.iter().for_each(|line| gui.send(line));
            gui.send("isready");
            assert_eq!(count(&gui.until("readyok"), &note), 1, "{lines:?}");
        }
    }
}

/// A given game may have been played under different rules, so every pass is accepted except in check.
#[test]
fn a_pass_is_followed_in_every_janggi_but_in_check() {
    for variant in ["janggi", "janggicasual", "janggitraditional", "janggimodern"] {
        let mut gui = janggi(variant);
        // Only `janggi` restricts the pass.
        let rules: &[&str] = if variant == "janggi" { &["literal", "free", "forced"] } else { &["free"] };
        for rule in rules {
            gui.send(&format!("setoption name Janggi_Pass value {rule}"));
            for pass in ["5i5i", "0000", "pass", "null"] {
                gui.send(&format!("position startpos moves {pass} 9a9b"));
                assert_eq!(gui.settle(), [""; 0], "{variant} {rule} {pass}");
                assert!(shown(&mut gui).ends_with(" b - 3"));
                gui.send("go nodes 100");
                assert_ne!(best(&mut gui), "resign");
            }
            // Also after two passes, for a referee that does not end the game.
            gui.send("position startpos moves 5i5i 5b5b 5i5i");
            assert_eq!(gui.settle(), [""; 0], "{variant} {rule}");
            gui.send("position startpos moves 5b5b");
            assert_eq!(count(&gui.settle(), "info string illegal move"), 1, "{variant} {rule}");
        }
        gui.send("position sfen 3k5/9/9/9/4r4/9/9/9/9/4K4 b - 1 moves 5j5j");
        assert_eq!(count(&gui.settle(), "info string illegal move 5j5j at ply 1"), 1, "{variant}: in check");
    }
}

#[test]
fn what_cannot_be_is_refused_with_the_reason() {
    let mut gui = janggi("janggi");
    let cases = [
        ("position sfen 4k4/9/9/9/9/9/9/9/9/9 b - 1", "black has no general"),
        ("position sfen 3kk4/9/9/9/9/9/9/9/9/3K5 b - 1", "a second white general"),
        ("position sfen 4k4/9/9/K8/9/9/9/9/9/9 b - 1", "a black general outside its palace"),
        ("position sfen 4k4/9/9/9/RRRRR4/9/9/9/9/3K5 b - 1", "more than 4 chariots"),
        ("position sfen 4k4/9/9/9/9/9/9/9/9/3K5 b P 1", "expected - (Janggi has no hands), found P"),
        ("position startpos moves 9j9i 9j9i", "illegal move 9j9i at ply 2"),
    ];
    for (command, reason) in cases {
        gui.send(command);
        let said = gui.settle();
        assert_eq!(said.len(), 1, "{command}: {said:#?}");
        assert!(said[0].contains(reason), "{command}: {said:#?}");
        gui.send("go nodes 100");
        assert_eq!(best(&mut gui), "resign", "{command}");
    }
    // The state is intact: the next position can be searched.
    gui.send("position startpos");
    gui.send("go nodes 100");
    assert_ne!(best(&mut gui), "resign");
}

/// The score of the last line before the best move.
fn last_score(gui: &mut Gui, sfen: &str, nodes: u32) -> (String, i32) {
    gui.send(&format!("position sfen {sfen}"));
    gui.send(&format!("go nodes {nodes}"));
    let lines = gui.until("bestmove");
    let line = lines.iter().rev().find(|line| line.contains(" score ")).expect("a line with a score");
    let mut words = line.split(' ').skip_while(|word| *word != "score").skip(1);
    let kind = words.next().expect("cp or mate");
    (kind.into(), words.next().and_then(|number| number.parse().ok()).expect("a number"))
}

#[test]
fn material_that_hardly_ever_wins_is_no_advantage_but_mates_are_found() {
    let mut gui = janggi("janggicasual");
    // These are drawn according to the tables, although one side has far more material.
    for sfen in [
        "4k4/9/9/9/2N6/6N2/9/9/9/4K4 b - 1",
        "9/3k5/9/4B4/9/2N6/9/9/4K4/9 b - 1",
        "5k3/9/9/9/C8/9/4P4/9/4K4/9 b - 1",
        "9/4k4/9/4C4/9/9/2B6/9/9/4K4 w - 1",
        "9/4ka3/9/9/2N3P2/9/9/9/9/4K4 b - 1",
        "4k4/9/9/9/2B6/6N2/9/9/3A5/4K4 b - 1",
        // Classes of which only some positions are won: these are drawn.
        "9/4ak3/9/9/9/7R1/8P/3K5/9/9 w - 1",
        "9/4a4/5k3/9/8R/9/8P/9/9/5K3 w - 1",
        "2P6/4a4/5k3/9/9/3R5/9/4K4/9/9 b - 1",
    ] {
        let (kind, score) = last_score(&mut gui, sfen, 20_000);
        assert!(kind == "cp" && score.abs() <= 50, "{sfen}: {kind} {score}");
    }
    // Corrections learned in the search do not exceed the limit.
    let mut literal = janggi("janggi");
    for sfen in ["9/4k4/8R/9/9/1c7/9/3K5/9/3A5 b - 1", "9/3B5/4k4/9/8B/9/9/9/3K5/9 b - 1"] {
        let (kind, score) = last_score(&mut literal, sfen, 100_000);
        assert!(kind == "cp" && score.abs() <= 50, "{sfen}: {kind} {score}");
    }
    assert_eq!(last_score(&mut gui, "9/5k2C/9/8N/9/9/9/5K3/9/9 b - 1", 1_000), ("mate".into(), 1));
    assert_eq!(last_score(&mut gui, "4k4/4C4/9/4P4/9/9/9/4K4/9/9 b - 1", 100_000), ("mate".into(), 9));
}

fn uci(variant: &str) -> Gui {
    let mut gui = Gui::start();
    gui.send("uci");
    gui.until("uciok");
    gui.send(&format!("setoption name UCI_Variant value {variant}"));
    gui.send("setoption name Hash value 1");
    gui
}

/// Fairy-Stockfish and its hosts do not end a game because neither side can give mate.
#[test]
fn no_living_game_is_given_up_over_uci() {
    for variant in ["janggi", "janggicasual", "janggitraditional", "janggimodern"] {
        let mut gui = uci(variant);
        for position in [
            "fen 3k5/9/4n4/9/9/6B2/9/9/9/5K3 w - - 0 1",
            "fen 3k5/9/4n4/9/9/6B2/9/9/9/5K3 b - - 0 1",
            "fen 3k5/9/9/9/9/9/9/9/9/5K3 w - - 0 1",
            // The limits on plies without a capture, and repetition, are claimed by the host.
            "fen 3k5/4a4/9/4r4/9/9/8P/9/4A4/4RK3 w - - 250 180",
            "startpos moves a1a2 a10a9 a2a1 a9a10 a1a2 a10a9 a2a1 a9a10 a1a2 a10a9",
        ] {
            gui.send(&format!("position {position}"));
            gui.send("go nodes 500");
            assert_ne!(best(&mut gui), "(none)", "{variant}: {position}");
        }
        // Two passes end every game; then there is no legal move.
        gui.send("position startpos moves e2e2 e9e9");
        gui.send("moves");
        gui.find("0 moves:");
        gui.send("go nodes 500");
        assert_eq!(best(&mut gui), "(none)", "{variant}");
        // A resignation is possible only if it was asked for, and never in a game that is drawn or won.
        gui.send("setoption name ResignValue value 300");
        let limit = if variant == "janggimodern" { 200 } else { 100 };
        let counts = matches!(variant, "janggi" | "janggimodern");
        for (clock, resigns) in [(0, true), (limit, counts)] {
            gui.send(&format!("position fen 3k5/9/9/9/4R4/9/8R/9/9/4K4 b - - {clock} 200"));
            gui.send("go nodes 2000");
            assert_eq!(best(&mut gui) == "(none)", resigns, "{variant}: {clock}");
        }
    }
    // In USI, the game is over.
    let mut gui = janggi("janggimodern");
    gui.send("position sfen 3k5/9/4n4/9/9/6B2/9/9/9/5K3 b - 1");
    gui.send("go nodes 500");
    assert_eq!(best(&mut gui), "resign");
}

/// The last score of a search over UCI.
fn uci_score(gui: &mut Gui, fen: &str, depth: u32) -> String {
    gui.send(&format!("position fen {fen}"));
    gui.send(&format!("go depth {depth}"));
    let lines = gui.until("bestmove");
    let line = lines.iter().rev().find_map(|line| line.split(" score ").nth(1)).expect("a score");
    line.split(' ').take(2).collect::<Vec<_>>().join(" ")
}

#[test]
fn the_halfmove_clock_of_a_fen_counts() {
    let fen = |clock: u32| format!("3k5/4a4/9/4r4/9/9/8P/9/4A4/4RK3 w - - {clock} 80");
    for (variant, last) in [("janggi", 98), ("janggimodern", 198)] {
        let mut gui = uci(variant);
        assert_eq!(uci_score(&mut gui, &fen(last), 8), "mate 1", "{variant}");
        assert!(uci_score(&mut gui, &fen(last - 40), 4).starts_with("cp "), "{variant}");
    }
    for variant in ["janggicasual", "janggitraditional"] {
        let mut gui = uci(variant);
        gui.send("setoption name DrawValueBlack value 7");
        gui.send("setoption name DrawValueWhite value 7");
        // Two chariots would win, but the game is drawn at the next ply.
        let score = uci_score(&mut gui, "3k5/9/9/9/4R4/9/8R/9/9/4K4 b - - 99 80", 6);
        assert!(score == "cp 7" || score == "cp -7", "{variant}: {score}");
    }
    let mut gui = uci("janggi");
    gui.send(&format!("position fen {} moves i4i5", fen(98)));
    gui.send("d");
    assert!(gui.find("fen ").ends_with(" b - - 99 80"), "the clock runs on");
}
