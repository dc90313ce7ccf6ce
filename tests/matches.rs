//! `sanban match`: the built program plays itself, and engines that misbehave.

#[path = "common/command.rs"]
mod command;
#[path = "common/scratch.rs"]
mod scratch;

use command::sanban;
use sanban::VariantId;
use scratch::Scratch;
use serde_json::Value;

/// Exit code, standard output and standard error of a match.
fn play(words: &str, more: &[&str]) -> (Option<i32>, String, String) {
    let args: Vec<&str> =
        ["match"].into_iter().chain(words.split_whitespace()).chain(more.iter().copied()).collect();
    let out = sanban(&args, "");
    let text = |bytes| String::from_utf8(bytes).expect("text");
    (out.status.code(), text(out.stdout), text(out.stderr))
}

/// The games of a file, sorted, without what a clock says.
fn games(path: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(path).expect("the file of a match");
    let parsed = text.lines().map(|line| serde_json::from_str::<Value>(line).expect("a line of JSON"));
    let mut games: Vec<Value> = parsed.filter(|line| line.get("match").is_none()).collect();
    for game in &mut games {
        game["time"] = Value::Null;
    }
    games.sort_by_key(|game| (game["pair"].as_u64(), game["black"].to_string()));
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
    // The engine plays itself: what it wins as black it loses as white.
    assert!(said.contains("pairs 0 0 4 0 0"), "{said}");
    for pair in all.chunks(2) {
        assert_eq!(pair[0]["opening"], pair[1]["opening"]);
        assert_eq!(pair[0]["moves"], pair[1]["moves"]);
    }
    run("--concurrency 3", &again);
    assert_eq!(games(&again), all);
    // Cut off inside of a line: what is whole stays, the rest is played again.
    let bytes = std::fs::read(&again).expect("the file");
    std::fs::write(&again, &bytes[..bytes.len() / 2]).expect("the file is ours");
    run("--concurrency 2", &again);
    assert_eq!(games(&again), all);
    let lines = |path: &str| std::fs::read_to_string(path).expect("the file").lines().count();
    assert_eq!(lines(&again), 9);
    // Two parts are the whole.
    run("--shard 0/2", &first);
    run("--shard 1/2", &second);
    assert_eq!((games(&first).len(), games(&second).len()), (4, 4));
    let (code, tally, _) = play("--tally", &[&first, &second, &whole]);
    assert_eq!(code, Some(0));
    // What follows the pairs are speeds.
    let score = |text: &str| text.find("pairs").map(|at| text[..at + "pairs 0 0 4 0 0".len()].to_string());
    assert_eq!(score(&tally), score(&said));
    // Another match does not go on in this file.
    let (code, _, noted) =
        play(&format!("--games 8 --seed 6 {SMALL}"), &["--go", "nodes 60", "--out", &whole]);
    assert_eq!(code, Some(2));
    assert!(noted.contains("made otherwise: seed was 5, not 6"), "{noted}");
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
    // It is decided already: nothing is played.
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
    std::fs::write(&list, lines.join("\n")).expect("the folder is ours");
    let limits = ["--go", "nodes 40", "--openings", &list, "--out", &out];
    let (code, _, noted) = play(&format!("--games 6 {SMALL}"), &limits);
    assert_eq!(code, Some(0), "{noted}");
    let openings: Vec<Value> = games(&out).iter().map(|game| game["opening"].clone()).collect();
    let [one, two] = ["startpos moves 7g7f", "sfen 4k4/9/9/9/9/9/9/9/R3K4 b - 1"];
    assert_eq!(openings, [one, one, two, two, one, one]);
    for (line, expected) in [("startpos moves 7g7e", "line 1: illegal move 7g7e"), ("# none", "no opening")] {
        std::fs::write(&list, line).expect("the folder is ours");
        let (code, _, noted) = play("--games 2", &["--openings", &list]);
        assert_eq!(code, Some(2));
        assert!(noted.contains(&list) && noted.contains(expected), "{noted}");
    }
}

/// An engine in the shell that answers `go` with this command.
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
        assert_eq!(code, Some(0), "{name}: {noted}");
        assert!(said.starts_with("2 games, 0-0-2 "), "{name}: {said}");
        let games = games(&out);
        assert!(games.iter().all(|game| game["reason"] == reason && game["result"] == "loss"), "{games:?}");
        let fault = reason != "resignation";
        assert_eq!(said.contains("lost by a fault: A 2, B 0"), fault, "{name}: {said}");
        assert_eq!(
            noted.matches(&format!("engine A ({name}) lost by")).count(),
            if fault { 2 } else { 0 },
            "{noted}"
        );
    }
}

#[cfg(unix)]
#[test]
fn engines_that_do_not_start_are_named() {
    for (engine, expected) in [
        ("/no/such/engine", "engine A (/no/such/engine): "),
        ("true", "engine A (true): ended without usiok"),
        ("sh -c 'read usi; echo usiok; read more'", "engine A (sh): ended without readyok"),
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
        &["--games", "2", "--resign", "300"],
        &["--games", "2", "--option", "Threads"],
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
