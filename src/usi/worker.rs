//! The thread that works the commands off, one after the other.

use super::command::{Command, Go, clip};
use super::debug_log;
use super::engine::{Session, open};
use super::options::Config;
use super::output::Output;
use super::task::Task;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::Receiver;

/// Something to do.
pub enum Job {
    /// `isready`.
    Ready,
    /// `go`, and the line to it.
    Go(Go, Arc<Task>),
    /// `perft` or `bench`, and the line to it.
    Count(Command, Arc<Task>),
    /// Any other command that is not answered by the reader.
    Other(Command),
}

impl Job {
    /// What can be stopped about it.
    pub fn search(&self) -> Option<&Arc<Task>> {
        match self {
            Self::Go(_, search) | Self::Count(_, search) => Some(search),
            Self::Ready | Self::Other(_) => None,
        }
    }
}

/// Works until nobody can send a job any more.
pub fn work(queue: &Receiver<Job>, out: &Output) {
    let mut worker = Worker::new();
    queue.iter().for_each(|job| worker.work(job, out));
}

/// What the jobs work on.
pub struct Worker {
    config: Config,
    session: Option<Box<dyn Session>>,
}

impl Worker {
    /// Every option at its default.
    pub fn new() -> Self {
        Self { config: Config::new(), session: None }
    }

    /// Does a job.
    pub fn work(&mut self, job: Job, out: &Output) {
        let search = job.search().cloned();
        let mate = matches!(&job, Job::Go(go, _) if go.mate.is_some());
        // A mistake in the engine must not leave a GUI waiting: it is told, and the game starts from a clean state.
        let run = || run(job, &mut self.session, &mut self.config, out);
        if catch_unwind(AssertUnwindSafe(run)).is_err() {
            self.session = None;
            out.note("an internal mistake ended this command; please report it");
            if let Some(search) = &search
                && search.close()
            {
                out.line(if mate { "checkmate timeout" } else { "bestmove resign" });
            }
        }
        if let Some(search) = search {
            search.close();
        }
    }
}

fn run(job: Job, session: &mut Option<Box<dyn Session>>, config: &mut Config, out: &Output) {
    if let Job::Other(Command::SetOption { name, value }) = &job {
        set_option(name, value.as_deref(), session, config, out);
        return;
    }
    if session.is_none() {
        *session = open(&config.variant);
    }
    let Some(session) = session else {
        return out.note(&format!("no game is called {}", clip(&config.variant)));
    };
    session.set_rules(config, out);
    match job {
        Job::Ready => {
            session.prepare(config, out);
            session.allocate(config, out);
            out.line("readyok");
        }
        Job::Go(go, search) => {
            session.prepare(config, out);
            let answer = session.go(go, &search, config, out);
            if search.close() {
                out.line(&answer);
            }
        }
        Job::Count(Command::Perft(depth), search) => session.perft(depth, config, &search, out),
        Job::Count(Command::Bench(depth), search) => {
            session.prepare(config, out);
            session.bench(depth, &search.signals, out);
        }
        Job::Count(..) => {}
        Job::Other(command) => match command {
            Command::UsiNewGame => session.new_game(),
            Command::Position { sfen, moves } => {
                if let Err(error) = session.position(sfen.as_deref(), &moves) {
                    out.note(&format!("{error}; the position stays as it was"));
                }
            }
            Command::Display => out.line(&session.board()),
            Command::Key => out.line(&session.key()),
            Command::Moves => out.line(&session.moves()),
            Command::Eval => {
                session.prepare(config, out);
                out.line(&session.eval());
            }
            _ => {}
        },
    }
}

fn set_option(
    name: &str,
    value: Option<&str>,
    session: &mut Option<Box<dyn Session>>,
    config: &mut Config,
    out: &Output,
) {
    let before = config.clone();
    if let Some(note) = config.set(name, value) {
        out.note(&note);
    }
    if config.variant != before.variant {
        *session = None;
    }
    if config.debug_log != before.debug_log
        && let Err(error) = debug_log::write_to(&config.debug_log)
    {
        out.note(&error);
        config.debug_log = before.debug_log;
    }
    if let Some(session) = session {
        session.set_rules(config, out);
    }
}
