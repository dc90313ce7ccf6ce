//! Sharded jobs: shards add up to the whole job, interrupted jobs resume, and damage is detected.

use crate::command::sanban;
use crate::scratch::Scratch;
use std::path::Path;

/// Exit code, standard output, standard error.
fn run(args: &str, files: &[&str]) -> (Option<i32>, String, String) {
    let args: Vec<&str> = args.split_whitespace().chain(files.iter().copied()).collect();
    let out = sanban(&args, "");
    let text = |bytes| String::from_utf8(bytes).expect("valid UTF-8");
    (out.status.code(), text(out.stdout), text(out.stderr))
}

fn lines(path: &str) -> Vec<String> {
    std::fs::read_to_string(path).expect("a readable file").lines().map(String::from).collect()
}

#[test]
fn a_count_in_units_is_the_count() {
    let folder = Scratch::new();
    let (first, second, whole) = (folder.file("0"), folder.file("1"), folder.file("whole"));
    for (part, file) in [("0/2", &first), ("1/2", &second), ("0/1", &whole)] {
        let (code, said, _) = run(&format!("perft 4 --split 2 --shard {part} --threads 2 --out"), &[file]);
        assert_eq!(code, Some(0));
        assert_eq!(said.contains("Nodes searched  : 719731\n"), part == "0/1", "{said}");
    }
    assert_eq!((lines(&first).len(), lines(&second).len(), lines(&whole).len()), (451, 451, 901));
    let (code, said, _) = run("perft --tally", &[&first, &second]);
    assert_eq!(code, Some(0));
    assert!(said.starts_with("Units           : 900 of 900\nNodes searched  : 719731\n"), "{said}");
    let (code, said, noted) = run("perft --tally", &[&first]);
    assert_eq!((code, said.as_str()), (Some(1), ""));
    assert!(noted.contains("450 of 900 units are missing; the first is 1"), "{noted}");
    // Another game, with a given position and a table.
    let (code, said, _) = run(
        "perft 4 --game janggicasual --split 2 --hash 1",
        &["--position", "4k4/9/9/9/9/9/9/9/4A4/4K4 b - 1"],
    );
    let (_, plain, _) =
        run("perft 4 --game janggicasual", &["--position", "4k4/9/9/9/9/9/9/9/4A4/4K4 b - 1"]);
    let count = |text: &str| text.lines().find(|line| line.starts_with("Nodes s")).map(String::from);
    assert_eq!((code, count(&said)), (Some(0), count(&plain)));
}

/// Published numbers for shogi, with different units.
#[test]
fn kinds_are_counted_in_units() {
    let folder = Scratch::new();
    let kinds = "Captures        : 1803\nPromotions      : 842\nDrops           : 0\nChecks          : 1121\n\
                 Mates           : 0\nNodes searched  : 719731\n";
    for split in ["", "--split 0", "--split 3", "--split 0 --hash 1"] {
        let (code, said, _) = run(&format!("perft 4 --kinds {split}"), &[]);
        assert!(code == Some(0) && said.contains(kinds), "{said}");
    }
    let (_, said, _) = run("perft 4 --kinds --json", &[]);
    assert!(said.contains(r#""nodes":719731"#), "{said}");
    let kinds_json = r#""kinds":{"captures":1803,"promotions":842,"drops":0,"checks":1121,"mates":0}"#;
    assert!(said.contains(kinds_json), "{said}");
    let (first, second) = (folder.file("0"), folder.file("1"));
    for (part, file) in [("0/2", &first), ("1/2", &second)] {
        let (code, _, noted) = run(&format!("perft 4 --kinds --split 2 --shard {part} --out"), &[file]);
        assert_eq!(code, Some(0), "{noted}");
    }
    let (code, said, _) = run("perft --tally", &[&first, &second]);
    assert!(code == Some(0) && said.contains(kinds), "{said}");
    // A count without kinds is a different count.
    let (code, _, noted) = run("perft 4 --split 2 --out", &[&first]);
    assert_eq!(code, Some(2), "{noted}");
    let (code, _, noted) = run("perft 4 --kinds --split 4", &[]);
    assert_eq!(code, Some(2));
    assert!(noted.contains("--kinds needs units above the last move: --split 3"), "{noted}");
}

#[test]
fn a_count_goes_on_and_damage_is_counted_again() {
    let folder = Scratch::new();
    let out = folder.file("counts");
    let again = |noted: &str| {
        let (code, said, notes) = run("perft 3 --split 1 --out", &[&out]);
        assert_eq!(code, Some(0), "{notes}");
        assert!(said.contains("Units           : 30 of 30\nNodes searched  : 25470\n"), "{said}");
        assert!(notes.contains(noted), "{notes}");
    };
    again("");
    let text = std::fs::read_to_string(&out).expect("a readable file");
    // Truncate the file within the tenth unit.
    let tenth = text.lines().take(10).map(|line| line.len() + 1).sum::<usize>();
    std::fs::write(&out, &text[..tenth + 20]).expect("a writable file");
    again("9 of 30 units already counted");
    assert_eq!(lines(&out).len(), 31);
    // Change a count.
    let bad = text.replacen("\"nodes\":", "\"nodes\":1", 1);
    std::fs::write(&out, &bad).expect("a writable file");
    let (code, _, noted) = run("perft --tally", &[&out]);
    assert_eq!(code, Some(1));
    assert!(noted.contains("line 2: the checksum does not match; skipped"), "{noted}");
    again("line 2: the checksum does not match; recounting");
    let (code, said, _) = run("perft --tally", &[&out]);
    assert_eq!((code, said.contains(": 25470\n")), (Some(0), true), "{said}");
    // Intact lines of a count from another position.
    let foreign = folder.file("foreign");
    run("perft 3 --split 1 --out", &[&foreign, "--position", "startpos moves 7g7f"]);
    let (head, rest) = text.split_once('\n').expect("several lines");
    let line = lines(&foreign).swap_remove(1);
    std::fs::write(&foreign, format!("{head}\n{line}\n{rest}")).expect("a writable file");
    let (code, _, noted) = run("perft --tally", &[&foreign]);
    assert!(code == Some(1) && noted.contains("line 2: unit "), "{noted}");
    std::fs::write(&out, format!("{head}\n{line}\n")).expect("a writable file");
    again("times); recounting");
    // A file written by a different version.
    let other = text.replace(env!("CARGO_PKG_VERSION"), "0.0.0");
    std::fs::write(&out, other).expect("a writable file");
    let (code, _, noted) = run("perft 3 --split 1 --out", &[&out]);
    assert_eq!(code, Some(2));
    assert!(noted.contains("a different job: version was \"0.0.0\""), "{noted}");
    // A file of a different job.
    std::fs::write(&out, &text).expect("a writable file");
    let (code, _, noted) = run("perft 4 --split 1 --out", &[&out]);
    assert_eq!(code, Some(2));
    assert!(noted.contains("a different job: depth was 3, not 4"), "{noted}");
}

#[test]
fn one_process_at_a_time_writes() {
    let folder = Scratch::new();
    for (name, args) in [
        ("perft", "perft 3 --split 1 --out"),
        ("mate", "mate --suite tests/data/mates.tsv --out"),
        ("match", "match --games 2 --out"),
    ] {
        let out = folder.file(name);
        let file = std::fs::File::create(&out).expect("a writable file");
        file.lock().expect("an unlocked file");
        let (code, said, noted) = run(args, &[&out]);
        assert_eq!((code, said.as_str()), (Some(1), ""));
        assert_eq!(noted, format!("sanban: {out}: another {name} is writing to it\n"));
    }
    let book = folder.file("book.db");
    let lock = std::fs::File::create(format!("{book}.sanban-lock")).expect("a writable file");
    lock.lock().expect("an unlocked file");
    let (code, _, noted) = run("book think --positions 1 --nodes 100", &[&book]);
    assert_eq!(code, Some(1));
    assert!(noted.ends_with("another process is writing to it\n"), "{noted}");
    let record = folder.file("game.usi");
    std::fs::write(&record, "startpos moves 7g7f\n").expect("a writable file");
    let part =
        std::fs::File::create(folder.file("game-analysis.jsonl.sanban-lock")).expect("a writable file");
    part.lock().expect("an unlocked file");
    let (code, _, noted) = run("analyze --format json --nodes 100", &[&record]);
    assert_eq!(code, Some(1));
    assert!(noted.ends_with("another process is writing to it\n"), "{noted}");
    drop(part);
    assert_eq!(run("analyze --format json --nodes 100", &[&record]).0, Some(0));
    assert!(Path::new(&folder.file("game-analysis.jsonl")).exists());
}

#[test]
fn a_suite_in_parts_is_the_suite() {
    let folder = Scratch::new();
    let suite = folder.file("suite.tsv");
    let problems: Vec<String> = lines("tests/data/mates.tsv").into_iter().take(12).collect();
    std::fs::write(&suite, problems.join("\n")).expect("a writable file");
    let (first, second) = (folder.file("0"), folder.file("1"));
    let solve = |part: &str, out: &str| {
        run("mate --nodes 100000", &["--suite", &suite, "--shard", part, "--out", out])
    };
    let (code, whole, _) = run("mate --nodes 100000 --suite", &[&suite]);
    let (a, b) = (solve("0/2", &first), solve("1/2", &second));
    assert_eq!(a.0.max(b.0), code);
    assert_eq!(run("mate --tally", &[&first, &second]).1, whole);
    let (code, _, noted) = run("mate --tally", &[&second]);
    assert_eq!(code, Some(1));
    assert!(noted.contains("answers are missing; the first is 0"), "{noted}");
    // No problem is solved twice.
    let before = lines(&first);
    let (_, _, noted) = solve("0/2", &first);
    assert!(noted.contains("answers already present"), "{noted}");
    assert_eq!(lines(&first), before);
}
