//! Output shared by all threads: whole lines of plain ASCII, except for notes. A client that does not read the output
//! cannot delay `stop` and `quit`: a thread writes a line itself only if the pipe accepts it immediately; otherwise, a separate thread
//! writes it.

use crate::uci::{Dialect, Spoken};
use sanban_rules::printable::printable;
use sanban_system::clock::Instant;
#[cfg(target_os = "linux")]
use sanban_system::pipe::Pipe;
use std::io::{self, ErrorKind, Write};
#[cfg(target_os = "linux")]
use std::os::fd::AsFd as _;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// Number of pending bytes above which reports are dropped.
const FULL: usize = 16 << 20;

/// Maximum length of a note in characters.
const LONGEST_NOTE: usize = 10_000;

/// The text in printable ASCII.
fn ascii(text: &str) -> String {
    let plain = |c: char| if matches!(c, '\n' | '\t' | ' ') || c.is_ascii_graphic() { c } else { '?' };
    text.chars().map(plain).collect()
}

/// The output stream. Lines of different threads are never interleaved.
pub struct Output {
    shared: Arc<Shared>,
    /// Whether a separate thread writes the lines, rather than the callers.
    threaded: bool,
    /// The pipe that the lines are written to, if the sink is a pipe.
    #[cfg(target_os = "linux")]
    pipe: Option<Pipe>,
    dialect: Spoken,
    /// Whether only notes are written, without the words of a protocol.
    only_notes: bool,
}

struct Shared {
    sink: Mutex<Box<dyn Write + Send>>,
    queue: Mutex<Queue>,
    /// Signalled when there are lines to write, and when no more will be added.
    changed: Condvar,
    /// Signalled when a write has ended.
    written: Condvar,
}

#[derive(Default)]
struct Queue {
    waiting: Vec<u8>,
    /// Number of writes in progress.
    writing: usize,
    /// The error that occurred; nothing is written after it.
    error: Option<io::Error>,
    /// No more lines will be added.
    closed: bool,
}

impl Output {
    /// Writes to `sink` from a separate thread. After a write error the process exits: with success if the reader has
    /// closed the pipe, with failure otherwise.
    pub fn new(sink: impl Write + Send + 'static) -> Self {
        let mut out = Self::direct(sink);
        let shared = out.shared.clone();
        // If no thread can be started, callers write the lines and may block.
        out.threaded = thread::Builder::new().name("output".into()).spawn(move || shared.work()).is_ok();
        out
    }

    /// Writes to standard output. If it is a pipe with free space, the calling thread writes the line itself, because
    /// on a busy machine another thread may not be scheduled soon.
    pub fn stdout() -> Self {
        #[cfg_attr(not(target_os = "linux"), allow(unused_mut))]
        let mut out = Self::new(io::stdout());
        #[cfg(target_os = "linux")]
        {
            out.pipe = Pipe::of(io::stdout().as_fd()).ok().flatten();
        }
        out
    }

    /// Writes every line to `sink` before `line` returns; [`Output::error`] returns a write error.
    pub fn direct(sink: impl Write + Send + 'static) -> Self {
        let shared = Shared {
            sink: Mutex::new(Box::new(sink)),
            queue: Mutex::default(),
            changed: Condvar::new(),
            written: Condvar::new(),
        };
        Self {
            shared: Arc::new(shared),
            threaded: false,
            #[cfg(target_os = "linux")]
            pipe: None,
            dialect: Spoken::default(),
            only_notes: false,
        }
    }

    /// Writes only notes to `sink`, as plain text, and drops everything that is meant for a GUI.
    pub fn notes(sink: impl Write + Send + 'static) -> Self {
        let mut out = Self::direct(sink);
        out.only_notes = true;
        out
    }

    pub fn dialect(&self) -> Dialect {
        self.dialect.get()
    }

    /// Switches to this protocol.
    pub fn speak(&self, dialect: Dialect) {
        self.dialect.set(dialect);
    }

    /// Sends one or more lines. Characters outside ASCII are replaced by question marks, because several GUIs read only
    /// ASCII, and so are control characters, which a terminal would interpret.
    pub fn line(&self, text: &str) {
        if !self.only_notes {
            self.send(&ascii(text), false);
        }
    }

    /// Sends a line about a search in progress. It is dropped if the reader is far behind.
    pub fn report(&self, text: &str) {
        if !self.only_notes {
            self.send(&ascii(text), true);
        }
    }

    fn send(&self, text: &str, optional: bool) {
        log::debug!("< {text}");
        let mut queue = lock(&self.shared.queue);
        if queue.error.is_some() || queue.waiting.len() > FULL && optional {
            return;
        }
        queue.waiting.extend(text.bytes().chain([b'\n']));
        if self.threaded && !self.takes_at_once(&queue) {
            self.shared.changed.notify_all();
        } else {
            drop(self.shared.write(queue));
        }
    }

    /// Returns whether all pending lines can be written without blocking.
    #[cfg_attr(not(target_os = "linux"), allow(unused_variables))]
    fn takes_at_once(&self, queue: &Queue) -> bool {
        #[cfg(target_os = "linux")]
        if let Some(pipe) = &self.pipe {
            return queue.writing == 0 && queue.waiting.len() <= Pipe::AT_ONCE && pipe.is_ready();
        }
        false
    }

    /// Sends the user a message on one line, in which file names keep their characters. In CECP it is a comment.
    pub fn note(&self, text: &str) {
        let word = match self.dialect() {
            _ if self.only_notes => "",
            Dialect::Cecp => "# ",
            Dialect::Usi | Dialect::Uci => "info string ",
        };
        let text = printable(&text.replace(['\n', '\r'], " "), LONGEST_NOTE);
        self.send(&format!("{word}{text}"), true);
    }

    /// Waits until everything is written or the time is up.
    pub fn drain(&self, patience: Option<Duration>) {
        let deadline = patience.map(|patience| Instant::now() + patience);
        let mut queue = lock(&self.shared.queue);
        while (queue.writing > 0 || !queue.waiting.is_empty()) && queue.error.is_none() {
            let rest = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
            queue = match rest {
                Some(Duration::ZERO) => return,
                Some(rest) => {
                    let waited = self.shared.written.wait_timeout(queue, rest);
                    waited.unwrap_or_else(PoisonError::into_inner).0
                }
                None => self.shared.written.wait(queue).unwrap_or_else(PoisonError::into_inner),
            };
        }
    }

    /// Takes the write error, if one has occurred.
    pub fn error(&self) -> Option<io::Error> {
        lock(&self.shared.queue).error.take()
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        lock(&self.shared.queue).closed = true;
        self.shared.changed.notify_all();
    }
}

impl Shared {
    fn work(&self) {
        let mut queue = lock(&self.queue);
        loop {
            queue = self.write(queue);
            if let Some(error) = &queue.error {
                std::process::exit(i32::from(error.kind() != ErrorKind::BrokenPipe));
            }
            if queue.waiting.is_empty() {
                if queue.closed {
                    return;
                }
                queue = self.changed.wait(queue).unwrap_or_else(PoisonError::into_inner);
            }
        }
    }

    /// Writes the pending lines; other threads may add more meanwhile.
    fn write<'a>(&'a self, mut queue: MutexGuard<'a, Queue>) -> MutexGuard<'a, Queue> {
        let bytes = std::mem::take(&mut queue.waiting);
        if bytes.is_empty() {
            return queue;
        }
        queue.writing += 1;
        // Locked before the queue is released, so that the lines stay in order.
        let mut sink = lock(&self.sink);
        drop(queue);
        let written = sink.write_all(&bytes).and_then(|()| sink.flush());
        drop(sink);
        queue = lock(&self.queue);
        queue.writing -= 1;
        queue.error = written.err().or(queue.error.take());
        if queue.error.is_some() || !queue.waiting.is_empty() {
            // The writing thread ends the process or continues.
            self.changed.notify_all();
        }
        self.written.notify_all();
        queue
    }
}

/// Locks a mutex even if another thread panicked while holding it.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::{Receiver, Sender, channel};

    /// A writer that waits for a permit before each write.
    struct Slow(Receiver<()>, Sender<Vec<u8>>);

    impl Write for Slow {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let _ = self.0.recv();
            self.1.send(bytes.to_vec()).map_err(|_| ErrorKind::BrokenPipe)?;
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_reader_that_waits_keeps_nobody_and_misses_no_answer() {
        let ((permit, permits), (sink, written)) = (channel(), channel());
        let out = Output::new(Slow(permits, sink));
        out.line("first");
        // Wait until the writer thread has taken the first line; it then blocks with only that line.
        while !lock(&out.shared.queue).waiting.is_empty() {
            thread::yield_now();
        }
        let info = format!("info string {}", "x".repeat(1 << 20));
        (0..40).for_each(|_| out.report(&info));
        out.line("bestmove resign");
        let begin = Instant::now();
        out.drain(Some(Duration::from_millis(20)));
        assert!(begin.elapsed() >= Duration::from_millis(20));
        drop(permit);
        out.drain(None);
        let all: Vec<u8> = written.try_iter().flatten().collect();
        assert!(all.starts_with(b"first\ninfo ") && all.ends_with(b"x\nbestmove resign\n"));
        assert!(all.len() < 20 << 20, "{}", all.len());
    }

    #[test]
    fn lines_are_plain_text() {
        let (permit, permits) = channel();
        let (sink, written) = channel();
        drop(permit);
        let out = Output::direct(Slow(permits, sink));
        out.note("\u{1b}[31m\n将\u{7}");
        assert_eq!(written.recv(), Ok("info string ?[31m 将?\n".as_bytes().to_vec()));
        out.line("\u{1b}[31m 将");
        assert_eq!(written.recv(), Ok(b"?[31m ?\n".to_vec()));
        drop(written);
        out.line("nobody reads");
        assert!(out.error().is_some_and(|error| error.kind() == ErrorKind::BrokenPipe));
    }
}
