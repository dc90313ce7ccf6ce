//! The search thread.

use super::event::Event;
use crate::usi::command::{Command, Go};
use crate::usi::output::Output;
use crate::usi::task::{Ending, Task};
use crate::usi::worker::Worker;
use sanban_engine::search::STACK;
use std::io;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

struct Search {
    position: Command,
    go: Go,
    task: Arc<Task>,
}

enum Job {
    Run(Command),
    Search(Search),
}

/// The engine, on its own thread.
pub struct Engine {
    jobs: Sender<Job>,
}

impl Engine {
    /// Starts the thread; answers arrive as events.
    pub fn start(options: &[(String, String)], events: Sender<Event>) -> io::Result<Self> {
        let (jobs, orders) = channel();
        let work = move || work(&orders, &events);
        thread::Builder::new().name("worker".into()).stack_size(STACK).spawn(work)?;
        let engine = Self { jobs };
        for (name, value) in options {
            engine.set(name, value);
        }
        engine.run(Command::IsReady);
        Ok(engine)
    }

    pub fn set(&self, name: &str, value: &str) {
        self.run(Command::SetOption { name: name.into(), value: Some(value.into()) });
    }

    pub fn new_game(&self) {
        self.run(Command::UsiNewGame);
    }

    /// Starts a search of the position after these moves. The task can stop it.
    pub fn search(&self, start: Option<String>, moves: Vec<String>, go: Go) -> Arc<Task> {
        let task = Arc::new(Task::prepare(Ending::Finite, go.ponder, true));
        let position = Command::Position { sfen: start, clock: 0, moves };
        // The thread lives as long as the client.
        let _ = self.jobs.send(Job::Search(Search { position, go, task: task.clone() }));
        task
    }

    fn run(&self, command: Command) {
        let _ = self.jobs.send(Job::Run(command));
    }
}

fn work(jobs: &Receiver<Job>, events: &Sender<Event>) {
    let out = Output::notes(io::stderr());
    let mut worker = Worker::default();
    let idle = Task::prepare(Ending::Count, false, true);
    for job in jobs {
        match job {
            Job::Run(command) => {
                worker.execute(command, &idle, &out);
            }
            // The search was abandoned before it began.
            Job::Search(Search { task, .. }) if task.is_closed() => {}
            Job::Search(Search { position, go, task }) => {
                worker.execute(position, &task, &out);
                if let Some(answer) = worker.execute(Command::Go(go), &task, &out) {
                    let _ = events.send(Event::Answer(task, answer));
                }
            }
        }
    }
}
