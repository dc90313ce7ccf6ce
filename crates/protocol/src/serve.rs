//! The thread that reads commands. It never waits for a search: it answers immediately where it can, passes `stop` and
//! `ponderhit` to the running search, and queues the rest for the worker thread.

use crate::cecp::Cecp;
use crate::uci::{Dialect, UciVariant};
use crate::usi::command::Command;
use crate::usi::output::Output;
use crate::usi::task::{Ending, Task};
use crate::usi::worker::{self, Job, Worker};
use crate::usi::{help, options, tunables};
use sanban_engine::search::STACK;
use sanban_system::line_reader::{Input, LONGEST_LINE, read_line};
use std::io::BufRead;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

/// How long `quit` waits for the answer of a stopped search, which takes a few milliseconds on a machine that is not
/// overloaded.
const FAREWELL: Duration = Duration::from_millis(500);
/// How long `quit` waits for the answers to earlier commands when no search is running.
const ANSWERS: Duration = Duration::from_secs(2);

/// How long a search for a depth may continue after the end of the input.
const DEPTH: Duration = Duration::from_secs(30);

/// Runs the USI loop until `quit` or the end of the input. The caller can then exit: nothing needs an orderly shutdown.
pub fn serve(mut input: impl BufRead, out: Output) {
    let out = Arc::new(out);
    let (jobs, queue) = mpsc::channel();
    let (farewell, finished) = mpsc::channel();
    let worker_out = out.clone();
    let worker = move || {
        worker::work(&queue, &worker_out);
        let _ = farewell.send(());
    };
    let started = thread::Builder::new().name("worker".into()).stack_size(STACK).spawn(worker);
    let alone = started.err().map(|error| {
        out.note(&format!("cannot start a worker thread; commands are executed by the reader: {error}"));
        Worker::default()
    });
    let mut reader = Reader { out, jobs, alone, searches: Vec::new() };
    let mut line = Vec::new();
    let mut xboard: Option<Cecp> = None;
    let quit = loop {
        // A read error is treated as the end of the input.
        match read_line(&mut input, &mut line).unwrap_or(Input::End) {
            Input::End => break false,
            Input::TooLong => {
                reader.out.note(&format!("a line of more than {LONGEST_LINE} bytes was ignored"));
            }
            Input::Line => {
                let text = String::from_utf8_lossy(&line);
                log::debug!("> {}", text.trim_end());
                if let Some(session) = &xboard {
                    match text.trim() {
                        "quit" => break true,
                        "usi" | "uci" => xboard.take().into_iter().for_each(|session| session.end(true)),
                        _ => {
                            session.line(text.into_owned());
                            continue;
                        }
                    }
                }
                let (command, note) = Command::parse(&line);
                if let Some(note) = note {
                    reader.out.note(&note);
                }
                match command {
                    Command::Quit => break true,
                    Command::Xboard => xboard = reader.xboard(),
                    _ => reader.take(command),
                }
            }
        }
    };
    if let Some(session) = xboard {
        session.end(quit);
    }
    reader.leave(quit, &finished);
}

struct Reader {
    out: Arc<Output>,
    jobs: Sender<Job>,
    /// Executes the commands if no worker thread could be started.
    alone: Option<Worker>,
    /// The running and queued searches and counts, the latest last; some may have ended meanwhile.
    searches: Vec<Arc<Task>>,
}

impl Reader {
    /// The latest search, ignoring counts, if it has not answered yet.
    fn running(&self) -> Option<&Arc<Task>> {
        let last = self.searches.iter().rev().find(|search| search.ending != Ending::Count);
        last.filter(|search| !search.is_closed())
    }

    /// Registers a search that is about to be queued.
    fn expect(&mut self, search: &Arc<Task>) {
        self.searches.retain(|search| !search.is_closed());
        self.searches.push(search.clone());
    }

    fn take(&mut self, command: Command) {
        let command = if self.out.dialect() == Dialect::Uci { command.in_uci() } else { command };
        match command {
            Command::Nothing | Command::Quit | Command::Xboard => {}
            Command::Usi => {
                self.out.speak(Dialect::Usi);
                let options: String =
                    options::declared().into_iter().map(|option| options::line(option) + "\n").collect();
                let name = concat!("Sanban ", env!("CARGO_PKG_VERSION"));
                self.out.line(&format!("id name {name}\nid author the Sanban authors\n{options}usiok"));
            }
            Command::Uci => {
                self.out.speak(Dialect::Uci);
                // The default game of UCI has its own rule settings.
                let name = UciVariant::ALL[0].name;
                let game = Command::SetOption { name: "UCI_Variant".into(), value: Some(name.into()) };
                self.queue(game, Task::new(Ending::Count, false));
                let name = concat!("Sanban ", env!("CARGO_PKG_VERSION"));
                let options = options::uci();
                self.out.line(&format!("id name {name}\nid author the Sanban authors\n{options}uciok"));
            }
            Command::Help => self.out.line(&help::commands()),
            Command::Tunables => self.out.line(&tunables::manifest()),
            Command::IsReady => match self.running() {
                // A running search must not delay `readyok`. A search that has been stopped is awaited.
                Some(search) if !search.signals.stopped() => self.out.line("readyok"),
                _ => self.queue(command, Task::new(Ending::Count, false)),
            },
            Command::Stop => {
                // Commands are executed in order: a count before a search delays the search, and a count after it has
                // not begun.
                let running = |search: &&Arc<Task>| !search.is_closed() && !search.signals.stopped();
                let open: Vec<&Arc<Task>> = self.searches.iter().filter(running).collect();
                let last = open.iter().rposition(|search| search.ending != Ending::Count);
                let meant = open.iter().take(last.map_or(open.len(), |last| last + 1));
                meant.for_each(|search| search.stop());
            }
            Command::PonderHit(clock) => {
                if let Some(search) = self.running() {
                    search.ponderhit(clock);
                }
            }
            Command::Go(go) => {
                // A client that sends `go` without stopping the last search no longer waits for its answer.
                let given_up = |last: &&Arc<Task>| {
                    last.ending != Ending::Count && !last.signals.stopped() && last.close()
                };
                self.searches.iter().filter(given_up).for_each(|last| last.stop());
                let search = Task::of(&go);
                self.expect(&search);
                self.queue(Command::Go(go), search);
            }
            Command::Perft(_) | Command::Bench(_) => {
                let count = Task::new(Ending::Count, false);
                self.expect(&count);
                self.queue(command, count);
            }
            other => self.queue(other, Task::new(Ending::Count, false)),
        }
    }

    /// Switches to CECP and stops all running searches.
    fn xboard(&mut self) -> Option<Cecp> {
        for search in self.searches.drain(..).filter(|search| search.close()) {
            search.stop();
        }
        let before = self.out.dialect();
        self.out.speak(Dialect::Cecp);
        match Cecp::start(self.out.clone()) {
            Ok(session) => {
                // XBoard waits for an empty line.
                self.out.line("");
                Some(session)
            }
            Err(error) => {
                self.out.speak(before);
                self.out.note(&format!("cannot start a thread: {error}"));
                None
            }
        }
    }

    fn queue(&mut self, command: Command, task: Arc<Task>) {
        let job = Job { command, task };
        if let Some(worker) = &mut self.alone {
            // The search blocks the reader, which could not stop it later.
            if matches!(job.task.ending, Ending::Endless | Ending::Ponder) {
                job.task.stop();
            }
            worker.work(job, &self.out);
        } else if self.jobs.send(job).is_err() {
            self.out.note("the worker thread has ended");
        }
    }

    /// Ends the session. Counts are always finished. `quit` stops a search; the end of the input stops it only if it
    /// would never end by itself, or does not reach its depth in time.
    fn leave(self, quit: bool, finished: &Receiver<()>) {
        let (mut counts, mut patience) = (false, ANSWERS);
        let mut deep = Vec::new();
        for search in self.searches.iter().filter(|search| !search.is_closed()) {
            match search.ending {
                Ending::Count => counts = true,
                Ending::Deep if !quit => deep.push(search),
                Ending::Finite if !quit => {}
                Ending::Ponder if !quit && !search.signals.pondering() => {}
                Ending::Finite | Ending::Deep | Ending::Ponder | Ending::Endless => {
                    search.stop();
                    patience = FAREWELL;
                }
            }
        }
        drop(self.jobs);
        if !deep.is_empty() && finished.recv_timeout(DEPTH) == Err(RecvTimeoutError::Timeout) {
            deep.iter().for_each(|search| search.stop());
        }
        if quit && !counts {
            let _ = finished.recv_timeout(patience);
        } else {
            let _ = finished.recv();
        }
        // After `quit` the client may have stopped reading.
        self.out.drain(quit.then_some(ANSWERS));
    }
}
