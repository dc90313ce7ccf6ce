//! Clients that do not read the output, and closed pipes.

use std::io::Write;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

fn start() -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sanban"));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the engine starts")
}

/// Waits for the process to exit, which must take less than 30 seconds.
#[track_caller]
fn end(mut child: Child) -> ExitStatus {
    let begin = Instant::now();
    while begin.elapsed() < Duration::from_secs(30) {
        if let Some(status) = child.try_wait().expect("a child") {
            return status;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    let _ = child.kill();
    panic!("the engine does not exit");
}

#[test]
fn quit_is_heard_though_nobody_reads() {
    for last in ["quit\n", "go infinite\nquit\n", "go infinite\nstop\nperft 2\nquit\n"] {
        let mut child = start();
        let stdin = child.stdin.as_mut().expect("a pipe");
        // The answers are several megabytes, more than any pipe holds.
        stdin.write_all("usi\n".repeat(1000).as_bytes()).expect("written");
        stdin.write_all(last.as_bytes()).expect("written");
        assert!(end(child).success(), "{last}");
    }
}

#[test]
fn a_client_that_has_gone_is_no_failure() {
    let mut child = start();
    drop(child.stdout.take());
    child.stdin.as_mut().expect("a pipe").write_all(b"usi\ngo infinite\n").expect("written");
    assert!(end(child).success());
    let mut child = start();
    drop(child.stdin.take());
    assert!(end(child).success());
}

#[cfg(unix)]
#[test]
fn answers_that_cannot_be_written_are_a_failure() {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("the device");
    let mut command = Command::new(env!("CARGO_BIN_EXE_sanban"));
    let mut child = command.stdin(Stdio::piped()).stdout(full).spawn().expect("the engine starts");
    child.stdin.as_mut().expect("a pipe").write_all(b"usi\n").expect("written");
    assert_eq!(end(child).code(), Some(1));
}

/// After the end of the input, a search for a depth that is never reached ends all the same.
#[test]
fn a_search_for_a_depth_does_not_outlive_the_input_for_long() {
    let mut child = start();
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin.write_all(b"setoption name USI_OwnBook value false\ngo depth 200\n").expect("written");
    drop(stdin);
    let out = child.wait_with_output().expect("the engine ends");
    assert!(out.status.success() && String::from_utf8_lossy(&out.stdout).contains("\nbestmove "));
}
