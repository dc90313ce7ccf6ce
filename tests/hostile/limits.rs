//! The engine with little memory and few threads.

use crate::gui::{Gui, count};
use crate::scratch::Scratch;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::process::Command;

/// The id of a user without processes.
const NOBODY: u32 = 61_234;

/// Sets a resource limit of the command.
fn limit(command: &mut Command, resource: libc::__rlimit_resource_t, amount: u64) {
    let limit = libc::rlimit { rlim_cur: amount, rlim_max: amount };
    // SAFETY: the call is allowed between fork and exec.
    unsafe {
        command.pre_exec(move || match libc::setrlimit(resource, &limit) {
            0 => Ok(()),
            _ => Err(io::Error::last_os_error()),
        });
    }
}

#[test]
fn threads_fall_back_to_what_fits_into_memory() {
    for megabytes in [800, 1200, 3000] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sanban"));
        limit(&mut command, libc::RLIMIT_AS, megabytes << 20);
        let mut gui = Gui::start_as(command);
        gui.send("setoption name USI_Hash value 16");
        gui.send("setoption name Threads value 128");
        let notes = gui.settle();
        assert_eq!(
            count(&notes, "info string Threads: not enough memory for 128; "),
            1,
            "{megabytes} MB: {notes:#?}"
        );
        gui.send("position startpos");
        for go in ["go nodes 20000", "go movetime 200"] {
            gui.send(go);
            assert_ne!(gui.find("bestmove"), "bestmove resign");
        }
        gui.send("go mate 100");
        gui.find("checkmate");
        gui.send("quit");
        assert!(gui.end().1.success(), "{megabytes} MB");
    }
}

/// With any limit on the address space, the transposition table leaves room for the rest of the program.
#[test]
fn the_default_table_fits_into_few_addresses() {
    for megabytes in [110, 150, 180, 200, 220, 250, 300] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sanban"));
        limit(&mut command, libc::RLIMIT_AS, megabytes << 20);
        let mut gui = Gui::start_as(command);
        gui.settle();
        gui.send("position startpos");
        gui.send("go nodes 2000");
        assert_ne!(gui.find("bestmove"), "bestmove resign", "{megabytes} MB");
        gui.send("quit");
        assert!(gui.end().1.success(), "{megabytes} MB");
    }
}

/// With any limit on the number of threads, the engine works, if necessary in a single thread.
#[test]
fn one_thread_does_where_no_more_can_be_had() {
    let dir = Scratch::new();
    // Limits do not apply to root. The engine then runs as another user, who may not be able to read our build
    // directory. SAFETY: the call only returns a number.
    let root = unsafe { libc::geteuid() } == 0;
    let program = dir.file("sanban");
    // Copied by another process: a child that another test starts at this moment would inherit the file, open for
    // writing.
    let copied = Command::new("cp").args([env!("CARGO_BIN_EXE_sanban"), &program]).status();
    assert!(copied.is_ok_and(|status| status.success()), "the program can be copied");
    for path in [dir.file(""), program.clone()] {
        std::fs::set_permissions(path, PermissionsExt::from_mode(0o755)).expect("permissions can be set");
    }
    // Any other user already has processes, so a limit of one leaves no room for another thread.
    for threads in if root { 1..=6 } else { 1..=1 } {
        let mut command = Command::new(&program);
        if root {
            command.uid(NOBODY);
        }
        limit(&mut command, libc::RLIMIT_NPROC, threads);
        let mut gui = Gui::start_as(command);
        gui.send("setoption name USI_Hash value 64");
        gui.send("setoption name Threads value 4");
        gui.settle();
        gui.send("position startpos");
        gui.send("perft 3");
        gui.until("Nodes searched  : 25470");
        for go in ["go depth 6", "go infinite"] {
            gui.send(go);
            gui.send("stop");
            assert_ne!(gui.find("bestmove"), "bestmove resign", "{threads} threads");
        }
        gui.send("go mate 100");
        gui.find("checkmate");
        gui.send("quit");
        assert!(gui.end().1.success(), "{threads} threads");
    }
}
