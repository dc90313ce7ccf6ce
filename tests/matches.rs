//! `sanban match`: the program plays itself and engines that misbehave.

#[path = "common/command.rs"]
mod command;

use command::sanban;
use sanban::VariantId;
use sanban_system::scratch::Scratch;
use serde_json::Value;

/// Runs a match. Returns the exit code, standard output and standard error.
fn play(words: &str, more: &[&str]) -> (Option<i32>, String, String) {
    let args: Vec<&str> =
        ["match"].into_iter().chain(words.split_whitespace()).chain(more.iter().copied()).collect();
    let out = sanban(&args, "");
    let text = |bytes| String::from_utf8(bytes).expect("text");
    (out.status.code(), text(out.stdout), text(out.stderr))
}

/// Reads the games of a file, sorted and without times.
fn games(path: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(path).expect("a match file");
    let parsed = text.lines().map(|line| serde_json::from_str::<Value>(line).expect("a line of JSON"));
    let mut games: Vec<Value> = parsed.filter(|line| line.get("match").is_none()).collect();
    for game in &mut games {
        game["time"] = Value::Null;
        game["times"] = Value::Null;
    }
    games.sort_by_key(|game| (game["pair"].as_u64(), game["engines"].to_string(), game["black"].to_string()));
    games
}

const SMALL: &str = "--option USI_Hash=1 --max-moves 60";

#[test]
fn a_match_is_the_same_whoever_plays_which_part_when() {
    let folder = Scratch::new();
    let [whole, again, first, second] = ["whole", "again", "first", "second"].map(|name| folder.file(name));
    let run = |more: &str, out: &str| {
        let (code, said, noted) =
            play(&format!("--games 8 --seed 5 {SMALL} {more}"), &["--go", "nodes 60", "--out", out]);
        assert_eq!(code, Some(0), "{noted}");
        said
    };
    let said = run("", &whole);
    let all = games(&whole);
    assert_eq!(all.len(), 8);
    assert!(said.starts_with("8 games, "), "{said}");
    // The engine plays itself, so each opening it wins as black, it loses as white.
    assert!(said.contains("pairs 0 0 4 0 0"), "{said}");
    for pair in all.chunks(2) {
        assert_eq!(pair[0]["opening"], pair[1]["opening"]);
        assert_eq!(pair[0]["moves"], pair[1]["moves"]);
    }
    run("--concurrency 3", &again);
    assert_eq!(games(&again), all);
    // The file is truncated within a line: complete games are kept, the rest is played again.
    let bytes = std::fs::read(&again).expect("the file");
    std::fs::write(&again, &bytes[..bytes.len() / 2]).expect("a writable file");
    run("--concurrency 2", &again);
    assert_eq!(games(&again), all);
    let lines = |path: &str| std::fs::read_to_string(path).expect("the file").lines().count();
    assert_eq!(lines(&again), 9);
    // Two shards together are the whole match.
    run("--shard 0/2", &first);
    run("--shard 1/2", &second);
    assert_eq!((games(&first).len(), games(&second).len()), (4, 4));
    let (code, tally, _) = play("--tally", &[&first, &second, &whole]);
    assert_eq!(code, Some(0));
    // The numbers after the pairs are speeds.
    let score = |text: &str| text.find("pairs").map(|at| text[..at + "pairs 0 0 4 0 0".len()].to_string());
    assert_eq!(score(&tally), score(&said));
    // A file that belongs to a different match is rejected.
    let (code, _, noted) =
        play(&format!("--games 8 --seed 6 {SMALL}"), &["--go", "nodes 60", "--out", &whole]);
    assert_eq!(code, Some(2));
    assert!(noted.contains("a different job: seed was 5, not 6"), "{noted}");
    let (code, _, noted) =
        play(&format!("--games 8 --seed 5 {SMALL} --margin 50"), &["--go", "nodes 60", "--out", &whole]);
    assert_eq!(code, Some(2));
    assert!(noted.contains("a different job: margin"), "{noted}");
}

/// A match is resumed only with the same networks, books and scripts.
#[test]
fn the_content_of_named_files_belongs_to_the_match() {
    let folder = Scratch::new();
    let [network, out] = ["own.nnue", "games"].map(|name| folder.file(name));
    std::fs::copy("crates/engine/nets/shogi.nnue", &network).expect("a writable file");
    let option = format!("EvalFile={network}");
    let run = |games: &str| {
        play(&format!("--games {games} {SMALL}"), &["--go", "nodes 10", "--option-b", &option, "--out", &out])
    };
    assert_eq!(run("2").0, Some(0));
    std::fs::write(&network, "another").expect("a writable file");
    let (code, _, noted) = run("4");
    assert_eq!(code, Some(2));
    assert!(noted.contains("a different job"), "{noted}");
}

#[test]
fn the_test_ends_a_match_on_either_side() {
    let folder = Scratch::new();
    let out = folder.file("games");
    let run = |a: &str, b: &str, more: &[&str]| {
        let limits = ["--go-a", a, "--go-b", b, "--sprt", "0,200", "--resign", "1000,3"];
        play("--concurrency 2 --option USI_Hash=1 --max-moves 150", &[&limits, more].concat())
    };
    let (code, said, noted) = run("nodes 1500", "nodes 60", &["--out", &out]);
    assert_eq!(code, Some(0), "{noted}");
    assert!(said.trim_end().ends_with("H1 accepted"), "{said}");
    // The test is already decided, so no games are played.
    let before = std::fs::read(&out).expect("the file");
    let (code, again, _) = run("nodes 1500", "nodes 60", &["--out", &out]);
    assert_eq!(code, Some(0));
    assert!(again.trim_end().ends_with("H1 accepted") && !again.contains("games/h"), "{again}");
    assert_eq!(std::fs::read(&out).ok(), Some(before));
    let (code, said, noted) = run("nodes 60", "nodes 1500", &[]);
    assert_eq!(code, Some(1), "{noted}");
    assert!(said.trim_end().ends_with("H0 accepted"), "{said}");
}

#[test]
fn every_game_has_its_referee() {
    let folder = Scratch::new();
    for name in VariantId::NAMES {
        let out = folder.file(name);
        let limits = ["--go", "nodes 40", "--out", &out];
        let (code, said, noted) = play(&format!("--games 4 --game {name} {SMALL}"), &limits);
        assert_eq!(code, Some(0), "{name}: {noted}");
        assert!(said.starts_with("4 games, ") && !said.contains("fault"), "{name}: {said}");
        let games = games(&out);
        assert!(games.iter().all(|game| game["opening"].as_str().is_some_and(|text| text.len() > 20)));
        let natural = ["no-move", "rule", "declaration", "resignation", "max-moves"];
        assert!(games.iter().all(|game| game["reason"].as_str().is_some_and(|why| natural.contains(&why))));
    }
}

/// Writes a file with three engines that search a fixed number of nodes, and returns its path.
fn three_engines(folder: &Scratch) -> String {
    let program = env!("CARGO_BIN_EXE_sanban");
    let engine = |name: &str, more: &str| {
        format!(
            "[[engine]]\nname = \"{name}\"\ncommand = \"{program}\"\noptions = {{ USI_Hash = 1 }}\n{more}\n"
        )
    };
    let path = folder.file("engines.toml");
    let text = engine("one", "") + &engine("two", "go = \"nodes 90\"") + &engine("three", "folder = \"/\"");
    std::fs::write(&path, text).expect("a writable file");
    path
}

#[test]
fn a_tournament_is_resumed_and_tallied() {
    let folder = Scratch::new();
    let engines = three_engines(&folder);
    let [whole, again, first, second] = ["whole", "again", "first", "second"].map(|name| folder.file(name));
    let (page, pgn) = (folder.file("page.html"), folder.file("games.pgn"));
    let run = |more: &[&str], out: &str| {
        let common = ["--engines", &engines, "--go", "nodes 40", "--out", out];
        let (code, said, noted) = play("--games 4 --max-moves 40", &[&common[..], more].concat());
        assert_eq!(code, Some(0), "{noted}");
        said
    };
    let said = run(&["--page", &page, "--pgn", &pgn, "--logs", &folder.file("logs")], &whole);
    let all = games(&whole);
    assert_eq!(all.len(), 12);
    // Everything except the line with the number of games and the speed.
    let table =
        |said: &str| said.lines().filter(|line| !line.contains(" games")).collect::<Vec<_>>().join("\n");
    assert!(["one", "two", "three"].iter().all(|name| said.contains(name)), "{said}");
    let bytes = std::fs::read(&whole).expect("the file");
    for (n, share) in [(1, 5), (2, 3), (3, 2)] {
        std::fs::write(&again, &bytes[..bytes.len() * n / (n + share)]).expect("a writable file");
        assert_eq!(table(&run(&["--concurrency", "2"], &again)), table(&said));
        assert_eq!(games(&again), all);
    }
    run(&["--shard", "0/2"], &first);
    run(&["--shard", "1/2"], &second);
    let (code, tally, _) = play("--tally", &[&first, &second]);
    assert_eq!((code, table(&tally)), (Some(0), table(&said)));
    // A gauntlet has fewer pairings and is a different match.
    let (code, said, noted) = play(
        "--games 2 --max-moves 20 --format gauntlet",
        &["--engines", &engines, "--go", "nodes 20", "--out", &folder.file("gauntlet")],
    );
    assert_eq!(code, Some(0), "{noted}");
    assert!(said.contains("4 games"), "{said}");
    let text = |path: &str| std::fs::read_to_string(path).expect("a file");
    assert!(text(&page).contains("\"names\":[\"one\",\"two\",\"three\"]"));
    assert_eq!(text(&pgn).matches("[White ").count(), 12);
    let log = text(&format!("{}/engine-1-1.log", folder.file("logs")));
    assert!(log.contains(" > usi\n") && log.contains(" < bestmove "), "{log}");
    // Each move has a score, depth, time and node count, and `convert` can read all of them.
    let game = &all[0];
    for key in ["scores", "depths", "move_nodes"] {
        assert_eq!(game[key].as_array().map(Vec::len), game["moves"].as_array().map(Vec::len), "{key}");
    }
    let converted = sanban(&["convert", "--strict", "--to", "usi", &whole], "");
    assert!(converted.status.success(), "{}", String::from_utf8_lossy(&converted.stderr));
    assert_eq!(String::from_utf8_lossy(&converted.stdout).lines().count(), 12);
}

#[test]
fn games_are_adjudicated_and_openings_come_from_records() {
    let folder = Scratch::new();
    let (record, out) = (folder.file("game.csa"), folder.file("out"));
    std::fs::write(&record, "V2.2\nPI\n+\n+7776FU\n-3334FU\n+2726FU\n%TORYO\n").expect("a writable file");
    let limits = ["--go", "nodes 40", "--openings", &record, "--opening-plies", "2", "--out", &out];
    let (code, _, noted) = play(&format!("--games 2 {SMALL} --draw 0,30000,4 --ponder"), &limits);
    assert_eq!(code, Some(0), "{noted}");
    for game in games(&out) {
        assert_eq!(game["opening"], "startpos moves 7g7f 3c3d");
        assert_eq!((&game["result"], &game["reason"]), (&"draw".into(), &"adjudication".into()));
        assert_eq!(game["moves"].as_array().map(Vec::len), Some(4));
    }
    // The score of one side is lost from the first move on.
    let list = folder.file("list");
    std::fs::write(&list, "4k4/9/9/9/9/9/9/1R7/1R2K4 w - 1\n").expect("a writable file");
    let limits = ["--go", "nodes 40", "--openings", &list];
    let (code, said, noted) = play(&format!("--games 2 {SMALL} --resign-alone 300,1"), &limits);
    assert_eq!(code, Some(0), "{noted}");
    assert!(said.contains("1-0-1"), "{said}");
}

#[test]
fn clocks_are_kept() {
    let clock = ["--go", "btime 200 wtime 200 binc 10 winc 10", "--go-b", "byoyomi 20", "--margin", "5000"];
    let (code, said, noted) = play(&format!("--games 2 {SMALL}"), &clock);
    assert_eq!(code, Some(0), "{noted}");
    assert!(said.starts_with("2 games, ") && !said.contains("fault"), "{said}");
}

#[test]
fn openings_come_from_a_file() {
    let folder = Scratch::new();
    let (list, out) = (folder.file("list"), folder.file("games"));
    let lines = ["# two", "startpos moves 7g7f", "", "4k4/9/9/9/9/9/9/9/R3K4 b - 1"];
    std::fs::write(&list, lines.join("\n")).expect("a writable file");
    let limits = ["--go", "nodes 40", "--openings", &list, "--out", &out];
    let (code, _, noted) = play(&format!("--games 6 {SMALL}"), &limits);
    assert_eq!(code, Some(0), "{noted}");
    let openings: Vec<Value> = games(&out).iter().map(|game| game["opening"].clone()).collect();
    let [one, two] = ["startpos moves 7g7f", "sfen 4k4/9/9/9/9/9/9/9/R3K4 b - 1"];
    assert_eq!(openings, [one, one, two, two, one, one]);
    for (line, expected) in [("startpos moves 7g7e", "line 1: illegal move 7g7e"), ("# none", "no opening")] {
        std::fs::write(&list, line).expect("a writable file");
        let (code, _, noted) = play("--games 2", &["--openings", &list]);
        assert_eq!(code, Some(2));
        assert!(noted.contains(&list) && noted.contains(expected), "{noted}");
    }
}

/// A shell command that acts as an engine and answers `go` with the command `answer`.
#[cfg(unix)]
fn engine(name: &str, answer: &str) -> String {
    let line = format!(
        "while read word rest; do case $word in usi) echo id name {name}; echo usiok;; isready) echo readyok;; \
         go) {answer};; quit) exit;; esac; done"
    );
    format!("sh -c '{line}'")
}

#[cfg(unix)]
#[test]
fn who_misbehaves_loses_and_is_named() {
    let folder = Scratch::new();
    for (name, answer, reason, slow) in [
        ("Cheater", "echo bestmove 5i5a", "illegal-move", false),
        ("Boaster", "echo bestmove win", "illegal-move", false),
        ("Mute", "echo bestmove", "illegal-move", false),
        ("Corpse", "exit", "crash", false),
        ("Sleeper", "sleep 1000", "hang", true),
        ("Dreamer", "sleep 0.4; echo bestmove resign", "time", false),
        ("Quitter", "echo bestmove resign", "resignation", false),
    ] {
        let out = folder.file(name);
        let limits = ["--go-a", "movetime 100", "--go-b", "nodes 20", "--margin", "100", "--out", &out];
        let patience = if slow { "3" } else { "60" };
        let (code, said, noted) = play(
            &format!("--games 2 --option-b USI_Hash=1 --patience {patience}"),
            &[&[engine(name, answer).as_str()], &limits[..]].concat(),
        );
        // The match stops at the second consecutive fault.
        let fault = reason != "resignation";
        assert_eq!(code, Some(if fault { 1 } else { 0 }), "{name}: {noted}");
        assert_eq!(noted.contains("--recover"), fault, "{name}: {noted}");
        assert!(said.starts_with("2 games, 0-0-2 "), "{name}: {said}");
        let games = games(&out);
        assert!(games.iter().all(|game| game["reason"] == reason && game["result"] == "loss"), "{games:?}");
        assert_eq!(said.contains("lost through faults: A 2, B 0"), fault, "{name}: {said}");
        assert_eq!(
            noted.matches(&format!("engine A ({name}) lost by")).count(),
            if fault { 2 } else { 0 },
            "{noted}"
        );
    }
}

/// A second `bestmove` after a search is not the answer to the next one.
#[cfg(unix)]
#[test]
fn a_stray_answer_is_dropped() {
    let answer = "[ $n ] && echo bestmove resign || echo bestmove 7g7f; echo bestmove 5i5a; n=1";
    let engine = engine("Stutterer", answer);
    let limits = ["--plies", "0", "--option-b", "USI_OwnBook=false", "--go", "movetime 300"];
    let (code, said, noted) =
        play("--games 2 --option-b USI_Hash=1", &[&[engine.as_str()], &limits[..]].concat());
    assert_eq!(code, Some(0), "{noted}");
    assert!(said.starts_with("2 games, 0-0-2 ") && !said.contains("fault"), "{said}");
}

/// The name of an engine is bounded.
#[cfg(unix)]
#[test]
fn a_long_name_is_cut() {
    let engine = engine("$(printf %0300000d 0)", "echo bestmove resign");
    let (code, said, noted) = play("--games 2 --option-b USI_Hash=1 --go", &["nodes 20", &engine]);
    assert_eq!(code, Some(0), "{noted}");
    assert!(said.contains(&"0".repeat(200)) && said.len() < 1000, "{}", said.len());
}

/// In a field of three engines, an engine is called by its number, and without games there is no speed.
#[cfg(unix)]
#[test]
fn engines_of_a_field_have_numbers() {
    let folder = Scratch::new();
    let (file, program) = (folder.file("engines.toml"), env!("CARGO_BIN_EXE_sanban"));
    let corpse = engine("Corpse", "exit").replace('"', "\\\"");
    let text: String =
        [program, program, &corpse].map(|command| format!("[[engine]]\ncommand = \"{command}\"\n")).concat();
    std::fs::write(&file, text).expect("a writable file");
    let (code, said, noted) = play(&format!("--games 2 {SMALL}"), &["--go", "nodes 20", "--engines", &file]);
    assert_eq!(code, Some(1), "{said}{noted}");
    assert!(noted.contains("engine 3 (Corpse) lost by a crash") && !noted.contains("engine B"), "{noted}");
    let (_, said, _) = play("--games 2", &["--go", "nodes 20", "--engines", &file, "--shard", "5/9"]);
    assert!(!said.contains("games/h"), "{said}");
}

/// Engines that are named play 100 games.
#[cfg(unix)]
#[test]
fn named_engines_need_no_number_of_games() {
    let quitter = engine("Quitter", "echo bestmove resign");
    let (code, said, noted) = play("", &[&quitter, &quitter, "--go", "nodes 20"]);
    assert_eq!(code, Some(0), "{noted}");
    assert!(said.starts_with("100 games, 50-0-50 "), "{said}");
}

#[cfg(unix)]
#[test]
fn an_engine_that_fails_again_and_again_stops_the_match() {
    let folder = Scratch::new();
    let corpse = engine("Corpse", "exit");
    let limits = ["--go", "nodes 20", "--out", &folder.file("stopped")];
    let (code, said, noted) =
        play("--games 40 --option-b USI_Hash=1", &[&[corpse.as_str()], &limits[..]].concat());
    assert_eq!(code, Some(1), "{noted}");
    assert!(said.starts_with("2 games, 0-0-2 ") && said.contains("A Corpse, B Sanban"), "{said}");
    assert!(
        noted
            .contains("engine A (Corpse) lost 2 games in a row through faults, the last one through a crash"),
        "{noted}"
    );
    assert_eq!(games(limits[3]).len(), 2);
    let recover = [corpse.as_str(), "--recover", "--go", "nodes 20"];
    let (code, said, noted) = play("--games 6 --option-b USI_Hash=1", &recover);
    assert_eq!(code, Some(0), "{noted}");
    assert!(said.starts_with("6 games, 0-0-6 ") && said.contains("(no points scored)"), "{said}");
    assert!(!said.contains("inf"), "{said}");
}

/// Engines that also support UCI use a different name for the option that selects the game.
#[cfg(unix)]
#[test]
fn the_game_is_set_by_the_option_that_an_engine_declares() {
    let folder = Scratch::new();
    let heard = folder.file("heard");
    let line = |option: &str| {
        format!(
            "sh -c 'while read line; do echo \"$line\" >> {heard}; case $line in usi) echo \"{option}\"; echo usiok;; \
             isready) echo readyok;; go*) echo bestmove resign;; quit) exit;; esac; done'"
        )
    };
    let combo = "option name UCI_Variant type combo default chess var chess var janggi var shogi";
    for (game, more, expected) in [
        ("janggi", None, Some("setoption name UCI_Variant value janggi")),
        ("shogi", None, Some("setoption name UCI_Variant value shogi")),
        ("janggicasual", Some("UCI_Variant=janggi"), Some("setoption name UCI_Variant value janggi")),
        ("dobutsu", None, None),
    ] {
        let _ = std::fs::remove_file(&heard);
        let engine = line(combo);
        let mut args = vec![engine.as_str(), "--game", game, "--go", "nodes 20"];
        args.extend(more.iter().flat_map(|&more| ["--option-a", more]));
        let (code, _, noted) = play("--games 2", &args);
        let heard = std::fs::read_to_string(&heard).expect("the engine has run");
        match expected {
            Some(expected) => {
                assert_eq!(code, Some(0), "{game}: {noted}");
                assert!(heard.lines().any(|line| line == expected), "{game}: {heard}");
                assert_eq!(heard.matches("_Variant").count(), 1, "{game}: {heard}");
            }
            None => {
                assert_eq!(code, Some(2), "{game}: {noted}");
                assert!(noted.contains("the engine does not play dobutsu"), "{noted}");
            }
        }
    }
}

#[test]
fn the_name_of_an_option_may_contain_spaces() {
    let folder = Scratch::new();
    let heard = folder.file("heard");
    let engine = format!(
        "sh -c 'while read line; do echo \"$line\" >> {heard}; case $line in uci) \
         echo option name UCI_Variant type combo default shogi; echo option name Move Overhead type spin; echo uciok;; \
         isready) echo readyok;; go*) echo bestmove resign;; quit) exit;; esac; done'"
    );
    let limits = ["--protocol-a", "uci", "--option-a", "Move Overhead=7", "--go", "nodes 20"];
    let (_, _, noted) = play("--games 2", &[&[engine.as_str()], &limits[..]].concat());
    let heard = std::fs::read_to_string(&heard).expect("the engine has run");
    assert!(heard.lines().any(|line| line == "setoption name Move Overhead value 7"), "{heard}{noted}");
}

/// The engine is found by asking, or speaks the stated protocol.
#[test]
fn games_are_played_in_every_protocol() {
    let folder = Scratch::new();
    let (out, file) = (folder.file("games"), folder.file("engines.toml"));
    for (game, a, b) in [("shogi", "uci", "cecp"), ("janggicasual", "cecp", "uci"), ("janggi", "usi", "uci")]
    {
        let _ = std::fs::remove_file(&out);
        let protocols =
            ["--protocol-a", a, "--protocol-b", b, "--game", game, "--out", &out, "--go", "depth 2"];
        let (code, said, noted) = play(&format!("--games 2 {SMALL}"), &protocols);
        assert_eq!(code, Some(0), "{game}: {noted}");
        assert!(said.starts_with("2 games, ") && !said.contains("fault"), "{game}: {said}");
        let games = games(&out);
        let scored =
            |game: &Value| game["scores"].as_array().is_some_and(|all| all.iter().all(Value::is_i64));
        assert!(games.iter().all(scored), "{games:?}");
    }
    let program = env!("CARGO_BIN_EXE_sanban");
    let engine = |more: &str| format!("[[engine]]\ncommand = \"{program}\"\n{more}\n");
    let text = engine("protocol = \"cecp\"") + &engine("");
    std::fs::write(&file, text).expect("a writable file");
    let limits = ["--engines", &file, "--go", "btime 1000 wtime 1000 binc 100 winc 100", "--margin", "5000"];
    let (code, said, noted) = play("--games 2 --game dobutsu --max-moves 20", &limits);
    assert_eq!(code, Some(0), "{noted}");
    assert!(said.starts_with("2 games, "), "{said}");
    std::fs::write(&file, engine("protocol = \"ucci\"") + &engine("")).expect("a writable file");
    let (code, _, noted) = play("--games 2", &["--engines", &file]);
    assert_eq!(code, Some(2));
    assert!(noted.contains("protocol: expected one of usi, uci, cecp"), "{noted}");
}

#[test]
fn positions_reach_every_protocol() {
    let folder = Scratch::new();
    let (list, out) = (folder.file("list"), folder.file("games"));
    let lines = [
        "4k4/9/9/9/9/9/9/9/4K4[RBb] b - - 0 3 moves B@e5",
        "fen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w 0 1 moves 7g7f",
    ];
    std::fs::write(&list, lines.join("\n")).expect("a writable file");
    let limits = ["--protocol-a", "uci", "--protocol-b", "cecp", "--openings", &list, "--out", &out];
    let (code, said, noted) =
        play(&format!("--games 4 {SMALL}"), &[&limits[..], &["--go", "depth 1"]].concat());
    assert_eq!(code, Some(0), "{noted}");
    assert!(!said.contains("fault"), "{said}");
    let openings: Vec<Value> = games(&out).iter().map(|game| game["opening"].clone()).collect();
    assert_eq!(openings[0], "sfen 4k4/9/9/9/9/9/9/9/4K4 w RBb 6 moves B*5e");
    let even = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
    assert_eq!(openings[2], format!("sfen {even} moves 7g7f"));
    std::fs::write(&list, "4k4/9/9/9/9/9/9/9/4K4[ b - - 0 1\n").expect("a writable file");
    let (code, _, noted) = play("--games 2", &["--openings", &list]);
    assert_eq!(code, Some(2));
    assert!(noted.contains("line 1: FEN: hands: missing ]"), "{noted}");
}

/// Engines that speak one protocol only, and engines that cannot play.
#[cfg(unix)]
#[test]
fn protocols_are_found_by_asking() {
    let line = |greeting: &str, answer: &str, mv: &str| {
        format!(
            "sh -c 'while read word rest; do case $word in {greeting}) {answer};; isready) echo readyok;; \
             ping) echo pong $rest;; go) {mv};; quit) exit;; esac; done'"
        )
    };
    let uci = |option: &str| {
        line("uci", &format!("echo id name Ucilla; echo {option}; echo uciok"), "echo bestmove c3c3")
    };
    let cecp = |variants: &str| {
        let features =
            format!("echo feature ping=1 setboard=1 usermove=1 variants=$(printf {variants}) done=1");
        line("protover", &features, "echo resign")
    };
    let shogi = "option name UCI_Variant type combo default chess var chess var shogi";
    // The time is spent waiting.
    std::thread::scope(|scope| {
        for (engine, go, code, expected) in [
            (uci(shogi), "nodes 5", 1, "engine A (Ucilla) lost by an illegal move 7g7g at move"),
            (
                uci("option name Hash type spin"),
                "nodes 5",
                2,
                "engine A (Ucilla): the engine has no option UCI_Variant",
            ),
            (
                uci("option name UCI_Variant type combo var chess"),
                "nodes 5",
                2,
                "the engine does not play shogi",
            ),
            (cecp("shogi"), "depth 1", 0, ""),
            (cecp("shogi"), "nodes 5", 2, "CECP has no limit by nodes"),
            (cecp("chess,janggi"), "depth 1", 2, "the engine does not play shogi: its list of variants"),
            (
                "sleep 100".into(),
                "depth 1",
                2,
                "engine A (sleep): answers neither usi, uci nor xboard within ten seconds",
            ),
        ] {
            scope.spawn(move || {
                let (got, said, noted) = play("--games 2 --option-b USI_Hash=1", &[&engine, "--go", go]);
                assert_eq!(got, Some(code), "{engine}: {said}{noted}");
                assert!(noted.contains(expected), "{engine}: {noted}");
            });
        }
    });
}

#[test]
fn equal_games_count_once() {
    let folder = Scratch::new();
    let list = folder.file("list");
    let run = |lines: &[&str], games: &str| {
        std::fs::write(&list, lines.join("\n")).expect("a writable file");
        let (code, said, noted) =
            play(&format!("--games {games} {SMALL}"), &["--go", "nodes 40", "--openings", &list]);
        assert_eq!(code, Some(0), "{noted}");
        (said, noted)
    };
    // Three pairs with two openings.
    let (said, noted) = run(&["startpos moves 7g7f", "startpos moves 2g2f"], "6");
    assert!(
        said.starts_with("4 games, ") && said.contains("pairs excluded because they repeat earlier games: 1"),
        "{said}"
    );
    assert!(noted.contains("2 openings for 3 pairs"), "{noted}");
    // The same position, reached by different moves, given as SFEN, and with a different move count.
    let start = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - ";
    let lines = ["startpos moves 7g7f 3c3d 2g2f", "startpos moves 2g2f 3c3d 7g7f"].map(str::to_string);
    let sfens = [1, 1, 9].map(|count| format!("{start}{count}"));
    let all: Vec<&str> = lines.iter().chain(&sfens).map(String::as_str).collect();
    let (said, noted) = run(&all, "4");
    assert!(noted.contains("openings skipped because an earlier line leads to the same position: 3, such as line 2 (as line 1)"), "{noted}");
    assert!(said.starts_with("4 games, ") && !said.contains("excluded"), "{said}");
    // The error bounds are not zero even if all pairs have the same result.
    assert!(said.contains("Elo +0.0 [-") && !said.contains("[+0.0") && !said.contains("-0.0,"), "{said}");
}

/// An unlimited match with few openings ends when all games repeat earlier ones.
#[test]
fn a_match_without_an_end_ends_with_its_openings() {
    let limits = ["--go", "nodes 5", "--plies", "0", "--sprt", "0,1"];
    let (code, said, noted) = play("--game dobutsu --option USI_Hash=1 --max-moves 4", &limits);
    assert_eq!(code, Some(0), "{noted}");
    assert!(said.starts_with("2 games, ") && said.contains("pairs excluded"), "{said}");
}

/// Logs are appended to, but a different file with the name of a log is left unchanged.
#[test]
fn logs_are_not_written_to_other_files() {
    let logs = Scratch::new();
    let notes = logs.file("engine-A-1.log");
    let run =
        || play("--game dobutsu --games 2 --max-moves 4", &["--go", "nodes 5", "--logs", &logs.file("")]);
    assert_eq!(run().0, Some(0));
    assert_eq!(run().0, Some(0));
    let begin = std::fs::read_to_string(&notes).expect("a log");
    assert!(begin.contains(" > usi\n") && begin.contains(" < usiok\n"));
    std::fs::write(&notes, "precious\n").expect("a writable file");
    let (code, _, noted) = run();
    assert_eq!(code, Some(2), "{noted}");
    assert!(noted.contains("engine-A-1.log: not a log; left unchanged"), "{noted}");
    assert_eq!(std::fs::read_to_string(&notes).ok().as_deref(), Some("precious\n"));
}

#[cfg(unix)]
#[test]
fn an_interrupted_match_prints_its_standing() {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_sanban"));
    let words = format!("match --games 100000 {SMALL} --go");
    command.args(words.split(' ')).arg("nodes 40").stdout(std::process::Stdio::piped());
    let folder = Scratch::new();
    let out = folder.file("out");
    let child = command.args(["--out", &out]).stderr(std::process::Stdio::null()).spawn().expect("a child");
    let begin = std::time::Instant::now();
    while std::fs::read_to_string(&out).map_or(0, |text| text.lines().count()) < 4 {
        assert!(begin.elapsed().as_secs() < 120, "no games");
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    // SIGTERM is used because a shell makes its background jobs ignore SIGINT.
    nix::sys::signal::kill(nix::unistd::Pid::from_raw(child.id() as i32), nix::sys::signal::SIGTERM)
        .expect("the program is running");
    let ended = child.wait_with_output().expect("the program exits");
    let said = String::from_utf8(ended.stdout).expect("text");
    assert_eq!(ended.status.code(), Some(130), "{said}");
    assert!(
        said.contains(" games, ") && said.contains("A Sanban") && said.trim_end().ends_with("; interrupted"),
        "{said}"
    );
}

#[cfg(unix)]
#[test]
fn engines_that_do_not_start_are_named() {
    for (engine, expected) in [
        ("/no/such/engine", "engine A (/no/such/engine): "),
        ("true", "engine A (true): exited before sending usiok"),
        ("sh -c 'read usi; echo usiok; read more'", "engine A (sh): exited before sending readyok"),
    ] {
        let (code, said, noted) = play("--games 2", &[engine]);
        assert_eq!((code, said.as_str()), (Some(2), ""), "{engine}");
        assert!(noted.contains(expected), "{noted}");
    }
    let (code, _, noted) = play("--games 2 --option-b Nonsense=1", &[]);
    assert_eq!(code, Some(2));
    assert!(noted.contains("engine B (Sanban") && noted.contains("no option Nonsense"), "{noted}");
    let (code, _, noted) = play("--games 2 --option-a Threads=many", &[]);
    assert_eq!(code, Some(2));
    assert!(noted.contains("engine A (Sanban") && noted.contains("Threads: not a whole number"), "{noted}");
    // An option whose value cannot be used is also an error.
    for (option, expected) in [
        ("EvalFile=/no/such/file", "EvalFile: /no/such/file"),
        ("BookFile=/no/such/file", "BookFile: /no/such/file"),
        ("SkillLevel=99", "SkillLevel: the range is"),
        ("Threads=1.5", "Threads: whole numbers only"),
    ] {
        let (code, _, noted) = play("--games 2", &["--option-b", option]);
        assert_eq!(code, Some(2), "{option}");
        assert!(noted.contains("engine B (Sanban") && noted.contains(expected), "{noted}");
    }
}

#[test]
fn mistakes_are_one_sentence() {
    for args in [
        &[][..],
        &["--games", "3"],
        &["--games", "0"],
        &["--sprt", "5,0"],
        &["--sprt", "5"],
        &["--games", "2", "--go", "infinite"],
        &["--games", "2", "--go", "nodes"],
        &["--games", "2", "--go", "btime 1000"],
        &["--games", "2", "--go", "btime 1000 wtime 1000 binc 5"],
        &["--games", "2", "--go", "nodes 5 nodes 6"],
        &["--games", "2", "--go", "byoyomi 0"],
        &["--games", "2", "--resign", "300"],
        &["--games", "2", "--draw", "30,5"],
        &["--games", "2", "--format", "swiss"],
        &["--games", "2", "--sprt", "0,5", "-", "-", "-"],
        &["--games", "2", "--engines", "/no/such/file"],
        &["--games", "2", "--engines", "rustfmt.toml"],
        &["--games", "2", "--page", "page.html"],
        &["--games", "2", "--out", "/no/such/directory/games", "--page", "page.html"],
        &["--games", "2", "--out", "target/games", "--page", "target/games"],
        &["--games", "2", "--out", "target/games", "--pgn", "/no/such/directory/games.pgn"],
        &["--games", "2", "--out", "target/games", "--page", "Cargo.toml"],
        &["--games", "2", "--shuffle"],
        &["--games", "2", "--table", "/no/such/file"],
        &["--games", "2", "--option", "Threads"],
        &["--games", "2", "--option-b", "Threads =1"],
        &["--games", "2", "--option", "USI_Variant=dobutsu"],
        &["--games", "2", "--option", "EnteringKingRule=Chess"],
        &["--games", "2", "--shard", "2/2"],
        &["--games", "2", "--openings", "/no/such/file"],
        &["--games", "2", "'not closed"],
        &["--games", "2", "--out", "/"],
        &["--tally", "/no/such/file"],
        &["--tally", "Cargo.toml"],
    ] {
        let (code, said, noted) = play("", args);
        assert_eq!((code, said.as_str()), (Some(2), ""), "{args:?}");
        assert!(noted.starts_with("sanban: ") && noted.lines().count() == 1, "{args:?}: {noted}");
    }
}
