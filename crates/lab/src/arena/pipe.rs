//! The input and output of an engine, and the log of both.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::path::Path;
use std::process::{ChildStdin, ChildStdout};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// Maximum length of an engine's line in bytes; longer lines are split.
const LONGEST_LINE: u64 = 1 << 20;

pub enum Lines {
    /// The output is read on demand.
    Direct(BufReader<ChildStdout>),
    /// The output is read by a thread, so that a pondering engine is never blocked by a full pipe.
    Threaded(Receiver<Vec<u8>>),
}

impl Lines {
    /// Reads the output of a process. `threaded`: continuously, on a separate thread.
    pub fn new(stdout: ChildStdout, threaded: bool) -> io::Result<Self> {
        let mut reader = BufReader::with_capacity(1 << 13, stdout);
        if !threaded {
            return Ok(Self::Direct(reader));
        }
        let (sender, lines) = channel();
        let work = move || {
            let mut line = Vec::new();
            while read_line(&mut reader, &mut line) && sender.send(std::mem::take(&mut line)).is_ok() {}
        };
        thread::Builder::new().name("reader".into()).spawn(work)?;
        Ok(Self::Threaded(lines))
    }

    /// Reads the next line into `line`. Returns false at the end of the output.
    pub fn next(&mut self, line: &mut Vec<u8>) -> bool {
        match self {
            Self::Direct(reader) => read_line(reader, line),
            Self::Threaded(lines) => match lines.recv() {
                Ok(next) => {
                    *line = next;
                    true
                }
                Err(_) => false,
            },
        }
    }

    /// Like [`Lines::next`], but waits only up to a point in time; `None` if no line begins by then.
    pub fn next_before(&mut self, line: &mut Vec<u8>, end: Instant) -> Option<bool> {
        let left = end.saturating_duration_since(Instant::now());
        match self {
            Self::Direct(reader) if reader.buffer().is_empty() && !is_readable(reader, left) => None,
            Self::Direct(reader) => Some(read_line(reader, line)),
            Self::Threaded(lines) => match lines.recv_timeout(left) {
                Ok(next) => {
                    *line = next;
                    Some(true)
                }
                Err(RecvTimeoutError::Timeout) => None,
                Err(RecvTimeoutError::Disconnected) => Some(false),
            },
        }
    }

    /// Reads the next line into `line` if one has arrived; does not wait for one.
    pub fn pending(&mut self, line: &mut Vec<u8>) -> bool {
        match self {
            Self::Direct(reader) => {
                let arrived = reader.buffer().contains(&b'\n')
                    || reader.buffer().is_empty() && is_readable(reader, Duration::ZERO);
                arrived && read_line(reader, line)
            }
            Self::Threaded(lines) => lines.try_recv().map(|next| *line = next).is_ok(),
        }
    }

    pub fn drain(&mut self) {
        match self {
            Self::Direct(reader) => {
                let _ = io::copy(reader, &mut io::sink());
            }
            Self::Threaded(lines) => lines.iter().for_each(drop),
        }
    }
}

/// Whether the pipe of an engine contains data, or does within some time. It is closed once the engine has ended, which the next reader reports.
fn is_readable(reader: &BufReader<ChildStdout>, wait: Duration) -> bool {
    #[cfg(unix)]
    {
        use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
        use std::os::fd::AsFd as _;
        let mut fds = [PollFd::new(reader.get_ref().as_fd(), PollFlags::POLLIN)];
        let wait = PollTimeout::try_from(wait.as_millis()).unwrap_or(PollTimeout::MAX);
        let wanted = PollFlags::POLLIN | PollFlags::POLLHUP;
        poll(&mut fds, wait).is_ok() && fds[0].revents().is_some_and(|events| events.intersects(wanted))
    }
    #[cfg(not(unix))]
    {
        let _ = (reader, wait);
        false
    }
}

fn read_line(reader: &mut BufReader<ChildStdout>, line: &mut Vec<u8>) -> bool {
    line.clear();
    reader.take(LONGEST_LINE).read_until(b'\n', line).is_ok_and(|bytes| bytes > 0)
}

/// The log of an engine. Each line contains the milliseconds since the start of the engine, `>` for input or `<` for
/// output, and the text.
pub struct Log {
    file: BufWriter<File>,
    start: Instant,
    /// Number of bytes that may still be written.
    room: usize,
}

/// Maximum size of a log in bytes.
const LONGEST_LOG: usize = 64 << 20;

impl Log {
    /// Opens a log for appending.
    ///
    /// # Errors
    /// The file cannot be opened, or it contains something other than a log.
    pub fn open(path: &Path) -> io::Result<Self> {
        // Checked first, because opening a pipe can block forever.
        if std::fs::metadata(path).is_ok_and(|about| !about.is_file()) {
            return Err(io::Error::other("not a file"));
        }
        let mut file = OpenOptions::new().create(true).read(true).append(true).open(path)?;
        let mut start = Vec::new();
        (&mut file).take(64).read_to_end(&mut start)?;
        if !start.is_empty() && !is_log(&start) {
            return Err(io::Error::other("not a log; left unchanged"));
        }
        let room = LONGEST_LOG.saturating_sub(file.metadata()?.len() as usize);
        Ok(Self { file: BufWriter::new(file), start: Instant::now(), room })
    }

    pub fn sent(&mut self, commands: &str) {
        commands.lines().for_each(|line| self.line('>', line.as_bytes()));
        let _ = self.file.flush();
    }

    pub fn printed(&mut self, line: &[u8]) {
        self.line('<', line.trim_ascii_end());
    }

    fn line(&mut self, direction: char, text: &[u8]) {
        let length = text.len() + 32;
        if self.room < length {
            if self.room > 0 {
                let _ = writeln!(self.file, "{} < the log is full", self.start.elapsed().as_millis());
            }
            self.room = 0;
            return;
        }
        self.room -= length;
        // A full disk must not end the match.
        let _ = write!(self.file, "{} {direction} ", self.start.elapsed().as_millis());
        let _ = self.file.write_all(text).and_then(|()| self.file.write_all(b"\n"));
    }
}

fn is_log(start: &[u8]) -> bool {
    let digits = start.iter().take_while(|byte| byte.is_ascii_digit()).count();
    digits > 0 && [b" > ", b" < "].iter().any(|mark| start[digits..].starts_with(*mark))
}

/// Writes to the input of an engine. Returns false if it is closed.
pub fn write(stdin: Option<&mut ChildStdin>, commands: &str) -> bool {
    stdin.is_some_and(|stdin| stdin.write_all(commands.as_bytes()).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use sanban_system::scratch::ScratchFile;

    /// An engine that floods its output does not fill the disk.
    #[test]
    fn a_log_has_a_bound() {
        let path = ScratchFile::with("log", "1 > usi\n");
        let mut log = Log::open(path.path().as_ref()).expect("a log");
        log.room = 1000;
        (0..1000).for_each(|_| log.printed(b"info string flood\n"));
        drop(log);
        let text = std::fs::read_to_string(path.path()).expect("a log");
        assert!(text.len() < 1100 && text.starts_with("1 > usi\n"), "{}", text.len());
        assert!(text.ends_with(" < the log is full\n") && text.matches("full").count() == 1, "{text}");
    }
}
