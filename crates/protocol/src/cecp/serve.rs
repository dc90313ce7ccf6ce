//! The two threads of a session: one keeps the state, the other searches.

use super::job::Job;
use super::state::State;
use crate::usi::command::Command;
use crate::usi::engine::Answer;
use crate::usi::output::Output;
use crate::usi::task::{Ending, Task};
use crate::usi::worker::Worker;
use sanban_engine::search::STACK;
use std::io;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

/// How long `quit` waits for a stopped search.
const FAREWELL: Duration = Duration::from_millis(500);

enum Event {
    Line(String),
    Answer(Arc<Task>, Answer),
    /// The end of the session; after `quit`, a search for a move is not awaited.
    End {
        quit: bool,
    },
}

/// A session that runs in its own threads.
pub struct Cecp {
    events: Sender<Event>,
    finished: Receiver<()>,
}

impl Cecp {
    pub fn start(out: Arc<Output>) -> io::Result<Self> {
        let (events, queue) = channel();
        let (jobs, orders) = channel();
        let (farewell, finished) = channel();
        let (worker_out, answers) = (out.clone(), events.clone());
        let work = move || {
            work(&orders, &answers, &worker_out);
            let _ = farewell.send(());
        };
        thread::Builder::new().name("worker".into()).stack_size(STACK).spawn(work)?;
        let keep = move || keep(State::new(out, jobs), &queue);
        thread::Builder::new().name("cecp".into()).spawn(keep)?;
        Ok(Self { events, finished })
    }

    pub fn line(&self, line: String) {
        // This only fails after the end of the session.
        let _ = self.events.send(Event::Line(line));
    }

    /// Ends the session. Without `quit`, a search for a move is finished first.
    pub fn end(self, quit: bool) {
        let _ = self.events.send(Event::End { quit });
        if quit {
            let _ = self.finished.recv_timeout(FAREWELL);
        } else {
            let _ = self.finished.recv();
        }
    }
}

/// Handles the events until the end of the session.
fn keep(mut state: State, events: &Receiver<Event>) {
    let mut ending = false;
    while !ending || state.is_thinking() {
        match events.recv() {
            Ok(Event::Line(line)) => state.line(&line),
            Ok(Event::Answer(task, answer)) => state.answer(&task, answer),
            Ok(Event::End { quit: false }) => ending = true,
            Ok(Event::End { quit: true }) | Err(_) => break,
        }
    }
    state.abort();
}

/// Executes jobs until the channel is closed.
fn work(jobs: &Receiver<Job>, events: &Sender<Event>, out: &Output) {
    let mut worker = Worker::default();
    let idle = Task::prepare(Ending::Count, false, false);
    for job in jobs {
        match job {
            Job::Run(command) => {
                worker.execute(command, &idle, out);
            }
            Job::Ping(text) => {
                worker.execute(Command::IsReady, &idle, out);
                out.line(&format!("pong {text}"));
            }
            // The search was abandoned before it began.
            Job::Search { task, .. } if task.is_closed() => {}
            Job::Search { position, go, task } => {
                worker.execute(position, &task, out);
                if let Some(answer) = worker.execute(Command::Go(go), &task, out) {
                    let _ = events.send(Event::Answer(task, answer));
                }
            }
        }
    }
}
