//! Existing files of other programs or users that have the name of an output stay unchanged.

use crate::command::sanban;
use crate::outputs::failure;
use crate::scratch::Scratch;
use std::fs;
use std::path::Path;

const BOOK: &str = "#YANEURAOU-DB2016 1.00\nsfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n\
                    7g7f 3c3d 40 32 1\n2g2f none 38 32 1\n";
const RECORD: &str = "PI\n+\n+7776FU\n-3334FU\n+2726FU\n%TORYO\n";

/// Contents that no command has written, some of which resemble the output of a command.
fn contents() -> Vec<Vec<u8>> {
    let texts = [
        "precious",
        "precious\nlines\n",
        "{",
        "{\"match\":{}",
        "{\"match\":{}}\n",
        "{\"perft\":{\"game\":\"chess\"",
        "{\"mate\":1}\nnotes without an end",
        "{\"tuning\":{}}\n{\"pair\":0}",
        "# notes\nmore of them\n",
        "// a program\nint main() {}\n",
        "#!/bin/sh\nrm nothing\n",
        "epoch,loss\n1,2\n",
        "<svg xmlns='http://www.w3.org/2000/svg'></svg>\n",
        "<!DOCTYPE html>\n<html lang=\"ja\">\n",
        "\n",
        "\0",
    ];
    let mut all: Vec<Vec<u8>> = texts.map(|text| text.as_bytes().to_vec()).into();
    // Long contents without a line feed, and lengths that fit entries of a fixed size.
    all.push(vec![b'x'; 3 << 20]);
    all.push((0..=255).cycle().take(40 * 16).collect());
    all.push(vec![7; 16]);
    all
}

/// Runs a command whose output file already has each of these contents, and expects an error message and unchanged
/// bytes.
#[track_caller]
fn spares(args: &[&str], out: &str) {
    for content in contents() {
        fs::write(out, &content).expect("a writable directory");
        let (code, sentence) = failure(args);
        let shown = String::from_utf8_lossy(&content[..content.len().min(40)]).into_owned();
        assert!(fs::read(out).is_ok_and(|after| after == content), "{args:?} changed {shown:?}: {sentence}");
        assert!(
            matches!(code, Some(1 | 2)) && sentence.contains(out),
            "{args:?} {shown:?}: {code:?} {sentence}"
        );
        let sentences = sentence.lines().filter(|line| line.starts_with("sanban: ")).count();
        assert_eq!(sentences, 1, "{args:?} {shown:?}: {sentence}");
    }
    fs::remove_file(out).expect("a file that can be deleted");
}

#[test]
fn journals_begin_in_no_file_of_somebody_else() {
    let dir = Scratch::new();
    let [out, suite] = ["out", "suite"].map(|name| dir.file(name));
    fs::write(&suite, "4k4/9/4P4/9/9/9/9/9/9 b G 1\tmate 1\n").expect("a writable directory");
    spares(&["match", "--games", "2", "--go", "nodes 50", "--out", &out], &out);
    spares(&["perft", "2", "--split", "1", "--out", &out], &out);
    spares(&["mate", "--suite", &suite, "--out", &out], &out);
    spares(&["mate", "--proof", &out, "4k4/9/4P4/9/9/9/9/9/9 b G 1"], &out);
    assert_eq!(dir.names(), ["suite"]);
}

#[test]
fn books_replace_nothing_but_books() {
    let dir = Scratch::new();
    let [book, game] = ["book.db", "game.csa"].map(|name| dir.file(name));
    fs::write(&book, BOOK).expect("a writable directory");
    fs::write(&game, RECORD).expect("a writable directory");
    let out = dir.file("out.db");
    spares(&["book", "minimax", &book, "--out", &out], &out);
    spares(&["book", "prune", &book, "--out", &out], &out);
    spares(&["book", "from-games", &game, "--out", &out], &out);
    spares(&["book", "think", &book, "--nodes", "10", "--positions", "1", "--out", &out], &out);
    for extension in ["db", "ybb", "sbk", "bin"] {
        let out = dir.file(&format!("out.{extension}"));
        spares(&["book", "merge", &book, "--out", &out], &out);
        spares(&["book", "convert", &book, &out], &out);
        // An empty file and a book are replaced.
        fs::write(&out, "").expect("a writable directory");
        for _ in 0..2 {
            assert!(sanban(&["book", "merge", &book, "--out", &out], "").status.success(), "{extension}");
        }
    }
    assert_eq!(fs::read_to_string(&book).ok().as_deref(), Some(BOOK));
}

#[test]
fn training_and_tables_replace_nothing_but_their_own() {
    let dir = Scratch::new();
    let games = dir.file("games");
    let shard = dir.file("games/shogi-1-000000.games");
    let play = ["selfplay", "--games", "3", "--nodes", "30", "--out", &games];
    fs::create_dir(&games).expect("a writable directory");
    spares(&play, &shard);
    assert!(sanban(&play, "").status.success());
    let [table, psv, net] = ["table", "psv", "net.nnue"].map(|name| dir.file(name));
    spares(&["solve", "--game", "dobutsu", "--out", &table], &table);
    spares(&["psv", &shard, "--out", &psv], &psv);
    for _ in 0..2 {
        assert!(sanban(&["psv", &shard, "--out", &psv], "").status.success());
    }
    let train = ["train", "--data", &games, "--out", &net, "--hidden", "32", "--epochs", "1"];
    for extension in ["nnue", "ckpt", "csv", "svg"] {
        spares(&train, &Path::new(&net).with_extension(extension).to_string_lossy());
    }
    spares(&train, &dir.file("net.lock"));
    assert_eq!(dir.names(), ["games", "psv"]);
}

#[test]
fn records_are_not_replaced_by_records() {
    let dir = Scratch::new();
    let [game, out] = ["game.csa", "out"].map(|name| dir.file(name));
    fs::write(&game, RECORD).expect("a writable directory");
    fs::create_dir(&out).expect("a writable directory");
    let convert = ["convert", "--to", "kif", "--out", &out, &game];
    let kif = dir.file("out/game.kif");
    spares(&convert, &kif);
    // The second run finds the output of the first.
    for _ in 0..2 {
        assert!(sanban(&convert, "").status.success());
    }
    let own = fs::read(&kif).expect("a record");
    // A record to which the user has added notes is replaced only with --overwrite.
    let noted = [&own[..], b"*a note\n"].concat();
    fs::write(&kif, &noted).expect("a writable directory");
    assert!(failure(&convert).1.contains("--overwrite"));
    assert_eq!(fs::read(&kif).ok(), Some(noted));
    assert!(sanban(&[&convert[..], &["--overwrite"]].concat(), "").status.success());
    assert_eq!(fs::read(&kif).ok(), Some(own));

    let analyze = ["analyze", "--nodes", "20", "--format", "kif,csa,json,html", "--again", &game];
    for extension in ["kifu", "csa", "jsonl", "html"] {
        spares(&analyze, &dir.file(&format!("game-analysis.{extension}")));
    }
    for _ in 0..2 {
        assert!(sanban(&analyze, "").status.success());
    }
}

/// Files beside the output stay unchanged, whatever their names.
#[cfg(unix)]
#[test]
fn neighbours_stay_and_links_are_followed() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let dir = Scratch::new();
    let [real, link, part] = ["real.db", "link.db", "real.db.part"].map(|name| dir.file(name));
    fs::write(&real, BOOK).expect("a writable directory");
    fs::write(&part, "half a download").expect("a writable directory");
    fs::set_permissions(&real, fs::Permissions::from_mode(0o600)).expect("permissions can be set");
    symlink("real.db", &link).expect("a link");
    for args in [
        &["book", "minimax", &link][..],
        &["book", "prune", &link],
        &["book", "think", &link, "--nodes", "10", "--positions", "1"],
        &["book", "merge", &real, "--out", &link],
    ] {
        let run = sanban(args, "");
        assert!(run.status.success(), "{args:?}: {}", String::from_utf8_lossy(&run.stderr));
        assert!(Path::new(&link).is_symlink(), "{args:?}");
        assert_eq!(fs::metadata(&real).expect("the book").permissions().mode() & 0o777, 0o600, "{args:?}");
        assert_eq!(fs::read(&part).ok().as_deref(), Some(&b"half a download"[..]), "{args:?}");
        assert_eq!(dir.names(), ["link.db", "real.db", "real.db.part"], "{args:?}");
    }
}
