//! Output files that several processes write at the same time, on a full disk, or in the wrong place.

use crate::command::sanban;
use crate::scratch::Scratch;
use sanban::system::{Claim, Whole};
use std::io::Read;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const HARD: &str = "gns1p1+NG1/l3ks3/pp5+R1/9/1P+b2P3/8S/1KLPP2PP/2LBS3+p/1+l3GPN1 b RN5Pg2p 127";

/// Runs a command that must fail. Returns its exit code and message.
#[track_caller]
pub fn failure(args: &[&str]) -> (Option<i32>, String) {
    let out = sanban(args, "");
    let text = String::from_utf8(out.stderr).expect("text");
    assert!(!out.status.success(), "{args:?}: {text}");
    (out.status.code(), text)
}

/// Plays some games and returns the path of the shard.
fn selfplay(dir: &Scratch, name: &str, games: &str) -> String {
    let (out, path) = (dir.file(name), dir.file(&format!("{name}/shogi-1-000000.games")));
    let run = sanban(&["selfplay", "--games", games, "--nodes", "30", "--out", &out], "");
    let said = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success() && said.trim_end().ends_with(" per core"), "{said}");
    path
}

#[test]
fn the_second_writer_is_refused() {
    let dir = Scratch::new();
    let (shard, out) = (selfplay(&dir, "games", "3"), dir.file("net.nnue"));
    let psv = dir.file("positions.bin");
    let first = Whole::create(psv.as_ref()).expect("a file");
    assert_eq!(
        failure(&["psv", &shard, "--out", &psv]),
        (Some(1), format!("sanban: {psv}: another process is writing to it\n"))
    );
    drop(first);
    let first = Claim::new(dir.file("net.lock").as_ref()).expect("a file");
    let train = ["train", "--data", &dir.file("games"), "--out", &out, "--hidden", "32", "--epochs", "1"];
    assert_eq!(failure(&train), (Some(1), format!("sanban: {out}: another process is writing to it\n")));
    drop(first);
    // Leftovers of a killed process are deleted, but files of other programs are not.
    std::fs::write(Whole::lock_file(psv.as_ref()), "").expect("a file");
    std::fs::write(format!("{psv}.part"), "half").expect("a file");
    assert!(sanban(&["psv", &shard, "--out", &psv], "").status.success());
    assert_eq!(std::fs::metadata(&psv).expect("the file").len() % 40, 0);
    assert_eq!(dir.names(), ["games", "positions.bin", "positions.bin.part"]);
}

#[test]
fn a_proof_appears_when_it_is_complete() {
    let dir = Scratch::new();
    let proof = dir.file("proof");
    let args = ["mate", "--proof", &proof, "4k4/9/4P4/9/9/9/9/9/9 b G 1"];
    let first = Whole::create(proof.as_ref()).expect("a file");
    assert_eq!(failure(&args), (Some(1), format!("sanban: {proof}: another process is writing to it\n")));
    drop(first);
    // A file that a killed process leaves under its final name is complete.
    std::fs::write(Whole::lock_file(proof.as_ref()), "").expect("a file");
    assert!(sanban(&args, "").status.success());
    assert!(std::fs::read_to_string(&proof).expect("a proof").starts_with("sanban proof 1\nmate 1 "));
    assert_eq!(dir.names(), ["proof"]);
    // An older proof is replaced.
    assert!(sanban(&args, "").status.success());
    // An unsolved problem leaves no file.
    let unsolved = dir.file("unsolved");
    let run = sanban(&["mate", "--nodes", "1", "--proof", &unsolved, HARD], "");
    assert_eq!(String::from_utf8(run.stdout).expect("text"), format!("{HARD}\ttimeout\n"));
    assert_eq!(dir.names(), ["proof"]);
}

/// A process that is killed just after its file got its final name leaves a lock file. The next run, which finds the
/// file complete and writes nothing, deletes the lock.
#[test]
fn locks_of_complete_files_are_cleared() {
    let dir = Scratch::new();
    let (record, out) = (dir.file("game.csa"), dir.file("out"));
    std::fs::write(&record, "PI\n+\n+7776FU\n-3334FU\n%TORYO\n").expect("a file");
    for (args, name) in [
        (&["convert", "--to", "kif", "--out", &out, &record][..], "game.kif"),
        (&["analyze", "--nodes", "100", "--format", "json", "--out", &out, &record], "game.jsonl"),
        (&["solve", "--game", "janggi", "--pieces", "KNvK", "--out", &out], "KNvK.literal"),
    ] {
        assert!(sanban(args, "").status.success());
        let file = std::path::Path::new(&out).join(name);
        let before = std::fs::read(&file).expect("an output");
        let lock = Whole::lock_file(&file);
        std::fs::write(&lock, "").expect("a file");
        assert!(sanban(args, "").status.success());
        assert!(!lock.exists(), "{}", lock.display());
        assert!(std::fs::read(&file).is_ok_and(|after| after == before), "{name}");
    }
}

/// The problems of a game are kept or printed before the next game is searched.
#[test]
fn problems_found_before_a_kill_are_kept() {
    let dir = Scratch::new();
    let [mate, game, out] = ["mate.usi", "game.usi", "out.tsv"].map(|name| dir.file(name));
    std::fs::write(&mate, "sfen 8k/9/8P/9/9/9/9/9/K8 b G 1 moves G*1b\n").expect("a file");
    std::fs::write(&game, "startpos moves 7g7f\n").expect("a file");
    let found = "mate\t1\t8k/9/8P/9/9/9/9/9/K8 b G 1\tG*1b\n";
    let part = format!("{out}-partial");
    let start = |more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sanban"));
        command.args(["problems", &mate, &game, "--nodes", "100000000000"]).args(more);
        command.stdout(Stdio::piped()).spawn().expect("the program starts")
    };
    let end = |mut child: Child| {
        child.kill().expect("the program runs");
        child.wait_with_output().expect("the program ends").stdout
    };
    let (child, begin) = (start(&["--out", &out]), Instant::now());
    while !std::path::Path::new(&part).exists() && begin.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(end(child).is_empty());
    assert_eq!(std::fs::read_to_string(&part).ok().as_deref(), Some(found));
    assert!(!std::path::Path::new(&out).exists());
    assert!(sanban(&["problems", &mate, &game, "--nodes", "1", "--out", &out], "").status.success());
    assert_eq!(std::fs::read_to_string(&out).ok().as_deref(), Some(found));
    assert_eq!(dir.names(), ["game.usi", "mate.usi", "out.tsv"]);

    let mut child = start(&[]);
    let mut line = vec![0; found.len()];
    child.stdout.as_mut().expect("a pipe").read_exact(&mut line).expect("a problem");
    assert_eq!(String::from_utf8_lossy(&line), found);
    assert!(end(child).is_empty());
}

#[test]
fn runs_of_selfplay_share_the_work() {
    let dir = Scratch::new();
    let expected = std::fs::read(selfplay(&dir, "alone", "30")).expect("a shard");
    // A shard that another process is playing is skipped.
    std::fs::create_dir(dir.file("both")).expect("a folder");
    let path = dir.file("both/shogi-1-000000.games");
    let first = Whole::create(path.as_ref()).expect("a file");
    let both = dir.file("both");
    let args = ["selfplay", "--games", "30", "--nodes", "30", "--out", &both];
    let run = sanban(&args, "");
    let said = String::from_utf8(run.stderr).expect("text");
    assert!(run.status.success() && said.contains(&path) && said.contains("another process"), "{said}");
    drop(first);
    assert!(!std::path::Path::new(&path).exists());
    // Whichever process is first, the shard is written once and equals that of a single run.
    let start = |_| Command::new(env!("CARGO_BIN_EXE_sanban")).args(args).stderr(Stdio::null()).spawn();
    let runs: Vec<Child> = (0..3).map(start).collect::<Result<_, _>>().expect("processes");
    runs.into_iter().for_each(|mut run| assert!(run.wait().expect("a child").success()));
    assert!(std::fs::read(&path).expect("a shard") == expected);
    assert_eq!(std::fs::read_dir(&both).expect("a folder").count(), 1);
}

/// An output that cannot be created is a usage error in every command.
#[test]
fn outputs_in_the_wrong_place() {
    let dir = Scratch::new();
    let shard = selfplay(&dir, "games", "3");
    let games = dir.file("games");
    let file = dir.file("file");
    std::fs::write(&file, "a file").expect("a file");
    let below = format!("{file}/below");
    for place in [dir.file(""), below, "/dev/null".into()] {
        for args in [
            &["psv", &shard, "--out", &place][..],
            &["solve", "--game", "dobutsu", "--out", &place],
            &["train", "--data", &games, "--out", &place],
            &["selfplay", "--games", "1", "--out", if place == dir.file("") { &file } else { &place }],
        ] {
            let (code, sentence) = failure(args);
            assert_eq!((code, sentence.lines().count()), (Some(2), 1), "{args:?}: {sentence}");
        }
    }
}

/// A symbolic link that points to itself is an error.
#[cfg(unix)]
#[test]
fn outputs_through_links_in_a_circle() {
    let dir = Scratch::new();
    let circle = dir.file("circle");
    std::os::unix::fs::symlink("circle", &circle).expect("a link");
    let shard = selfplay(&dir, "games", "1");
    for args in [
        &["match", "-", "-", "--games", "2", "--go", "nodes 50", "--out", &circle][..],
        &["perft", "1", "--split", "1", "--out", &circle],
        &["psv", &shard, "--out", &circle],
        &["selfplay", "--games", "1", "--out", &circle],
    ] {
        let (code, sentence) = failure(args);
        assert_eq!((code, sentence.lines().count()), (Some(2), 1), "{args:?}: {sentence}");
    }
}

#[cfg(unix)]
#[test]
fn a_full_disk_is_noticed_before_the_work_and_named() {
    use std::os::unix::process::CommandExt;
    let dir = Scratch::new();
    let (games, table) = (dir.file("games"), dir.file("table"));
    // A shard that was completed earlier is kept.
    let closed = selfplay(&dir, "games", "3");
    let kept = std::fs::read(&closed).expect("a shard");
    for (args, path) in [
        (&["selfplay", "--games", "100000", "--nodes", "30", "--out", &games][..], &games),
        (&["solve", "--game", "dobutsu", "--out", &table], &table),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sanban"));
        command.args(args).stderr(Stdio::piped());
        let limit = libc::rlimit { rlim_cur: 100_000, rlim_max: 100_000 };
        // SAFETY: both calls are allowed between fork and exec.
        unsafe {
            command.pre_exec(move || {
                // Without this, the signal would end the process before it can report the error.
                libc::signal(libc::SIGXFSZ, libc::SIG_IGN);
                match libc::setrlimit(libc::RLIMIT_FSIZE, &limit) {
                    0 => Ok(()),
                    _ => Err(std::io::Error::last_os_error()),
                }
            });
        }
        let begin = Instant::now();
        let out = command.output().expect("the program starts");
        let said = String::from_utf8(out.stderr).expect("text");
        assert_eq!(out.status.code(), Some(1), "{said}");
        assert!(said.contains(path) && said.lines().count() == 1, "{said}");
        assert!(begin.elapsed() < Duration::from_secs(20));
    }
    assert_eq!(dir.names(), ["games"]);
    assert_eq!(std::fs::read_dir(&games).expect("a folder").count(), 1);
    assert!(std::fs::read(&closed).expect("a shard") == kept);
}

#[cfg(unix)]
#[test]
fn standard_output_that_is_full_is_a_failure() {
    for args in [
        &["--help"][..],
        &["--version"],
        &["match", "--help"],
        &["bench", "1"],
        &["perft", "1"],
        &["eval"],
        &["mate", "4k4/9/4P4/9/9/9/9/9/9 b G 1"],
    ] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("the device");
        let mut command = Command::new(env!("CARGO_BIN_EXE_sanban"));
        let out = command.args(args).stdout(full).output().expect("the program starts");
        let said = String::from_utf8(out.stderr).expect("text");
        assert_eq!(out.status.code(), Some(1), "{args:?}: {said}");
        assert!(said.contains("standard output"), "{args:?}: {said}");
    }
}

/// Ctrl-C and SIGTERM end every command with the documented exit code, and without temporary files.
#[cfg(unix)]
#[test]
fn interrupted_commands_leave_nothing() {
    use std::process::{Command, Stdio};
    let dir = Scratch::new();
    let out = dir.file("games");
    let (book, long) = (dir.file("book.db"), "4000000000");
    let commands: [&[&str]; 4] = [
        &["selfplay", "--games", "100000", "--nodes", "20", "--out", &out],
        &["perft", "9"],
        &["bench", "30"],
        &["book", "think", &book, "--nodes", long],
    ];
    for words in commands {
        for signal in ["-INT", "-TERM"] {
            let mut child = Command::new(env!("CARGO_BIN_EXE_sanban"))
                .args(words)
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .expect("the program starts");
            std::thread::sleep(std::time::Duration::from_millis(500));
            let kill = Command::new("kill").args([signal, &child.id().to_string()]).status();
            assert!(kill.expect("kill runs").success());
            let status = child.wait().expect("a child");
            assert_eq!(status.code(), Some(130), "{words:?} {signal} {status}");
        }
    }
    let left = std::fs::read_dir(&out).expect("the folder of self-play").flatten();
    let left: Vec<_> = left
        .map(|entry| entry.file_name())
        .filter(|name| !name.to_string_lossy().ends_with(".games"))
        .collect();
    assert!(left.is_empty(), "{left:?}");
}
