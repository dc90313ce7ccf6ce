//! Runs the built program as a command until it exits.

use std::io::Write;
use std::process::{Command, Output, Stdio};

/// Runs the program with these arguments and this standard input.
pub fn sanban(args: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_sanban"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the engine starts");
    // The program may exit without reading its input.
    let _ = child.stdin.take().expect("a pipe").write_all(input.as_bytes());
    child.wait_with_output().expect("the program exits")
}
