//! The client side of the protocol: the built engine connected by two pipes, as a GUI runs it.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// Time limit for every request of the tests, long enough for a busy machine.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// A running engine.
pub struct Gui {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    /// All output so far, for messages of failed tests.
    pub said: Vec<String>,
}

impl Gui {
    /// Starts the engine without sending anything.
    pub fn start() -> Self {
        Self::start_as(Command::new(env!("CARGO_BIN_EXE_sanban")))
    }

    /// Starts the engine with a custom command.
    pub fn start_as(mut command: Command) -> Self {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .expect("the engine starts");
        let stdout = child.stdout.take().expect("a pipe");
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Self { stdin: child.stdin.take(), child, lines, said: Vec::new() }
    }

    /// Starts the engine without a book and waits until it is ready.
    pub fn ready() -> Self {
        let mut gui = Self::start();
        gui.send("usi");
        gui.until("usiok");
        gui.send("setoption name USI_Hash value 16");
        // These tests are about the search, so no book is used.
        gui.send("setoption name BookFile value no_book");
        gui.send("isready");
        gui.until("readyok");
        gui
    }

    pub fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    pub fn send_bytes(&mut self, bytes: &[u8]) {
        let stdin = self.stdin.as_mut().expect("an open pipe");
        stdin.write_all(bytes).and_then(|()| stdin.flush()).expect("the engine reads its input");
    }

    /// The next line, if it arrives in time; also `None` at the end of the output.
    pub fn line(&mut self, patience: Duration) -> Option<String> {
        match self.lines.recv_timeout(patience) {
            Ok(line) => {
                self.said.push(line.clone());
                Some(line)
            }
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => None,
        }
    }

    /// Reads lines up to and including the first that starts with `start`.
    #[track_caller]
    pub fn until(&mut self, start: &str) -> Vec<String> {
        let (begin, mut out) = (Instant::now(), Vec::new());
        while begin.elapsed() < PATIENCE {
            match self.line(PATIENCE) {
                Some(line) => out.push(line),
                None => break,
            }
            if out.last().is_some_and(|line| line.starts_with(start)) {
                return out;
            }
        }
        panic!("no line starts with {start}: {:#?}", self.said);
    }

    /// Reads lines up to the first that starts with `start`, and returns it.
    #[track_caller]
    pub fn find(&mut self, start: &str) -> String {
        self.until(start).pop().unwrap_or_default()
    }

    /// Fails if the engine prints anything within this time.
    #[track_caller]
    pub fn silent(&mut self, millis: u64) {
        let line = self.line(Duration::from_millis(millis));
        assert_eq!(line, None, "{:#?}", self.said);
    }

    /// Reads all pending lines: sends `isready`, waits for `readyok`, and returns the lines before it.
    #[track_caller]
    pub fn settle(&mut self) -> Vec<String> {
        self.send("isready");
        let mut lines = self.until("readyok");
        lines.pop();
        lines
    }

    /// Closes the engine's input.
    pub fn hang_up(&mut self) {
        self.stdin = None;
    }

    /// Waits until the process exits; returns its remaining output and its exit status.
    #[track_caller]
    pub fn end(mut self) -> (Vec<String>, ExitStatus) {
        let (begin, mut out) = (Instant::now(), Vec::new());
        while let Some(line) = self.line(PATIENCE) {
            out.push(line);
        }
        loop {
            if let Some(status) = self.child.try_wait().expect("a child process") {
                return (out, status);
            }
            assert!(begin.elapsed() < PATIENCE, "the engine does not exit: {:#?}", self.said);
            thread::sleep(Duration::from_millis(1));
        }
    }

    /// The process ID.
    pub fn id(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for Gui {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Number of lines that start with `start`.
pub fn count(lines: &[String], start: &str) -> usize {
    lines.iter().filter(|line| line.starts_with(start)).count()
}
