//! The thread that executes the commands in order.

use super::command::Command;
use super::debug_log;
use super::engine::{Answer, Session, unanswered};
use super::options::Config;
use super::output::Output;
use super::task::Task;
use crate::uci::Dialect;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::Receiver;

pub struct Job {
    pub command: Command,
    /// The handle that stops it.
    pub task: Arc<Task>,
}

/// Executes jobs until the channel is closed.
pub fn work(queue: &Receiver<Job>, out: &Output) {
    let mut worker = Worker::default();
    queue.iter().for_each(|job| worker.work(job, out));
}

/// The state that jobs operate on.
pub struct Worker {
    config: Config,
    session: Option<Session>,
}

impl Default for Worker {
    fn default() -> Self {
        Self { config: Config::new(), session: None }
    }
}

impl Worker {
    /// Executes a job and prints the answer to a search.
    pub fn work(&mut self, Job { command, task }: Job, out: &Output) {
        if let Some(answer) = self.execute(command, &task, out)
            && task.close()
        {
            out.line(&answer.line(out.dialect()));
        }
        task.close();
    }

    /// Executes a command. The answer to a search is returned; all other output is printed.
    pub fn execute(&mut self, command: Command, task: &Task, out: &Output) -> Option<Answer> {
        let last_word = match &command {
            Command::Go(go) => Some(unanswered(go)),
            _ => None,
        };
        // A bug in the engine must not leave the GUI waiting: the panic is reported, and the game starts from a clean
        // state.
        let run = || run(command, task, &mut self.session, &mut self.config, out);
        catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|_| {
            self.session = None;
            out.note("an internal error aborted this command; please report it");
            last_word
        })
    }
}

impl Worker {
    /// The session, prepared for a search, and the options, for callers that run the search themselves.
    pub fn prepared(&mut self, out: &Output) -> (&mut Session, &Config) {
        let Self { config, session } = self;
        let session = session.get_or_insert_with(|| Session::new(config.variant));
        session.set_rules(config, out);
        session.prepare(config, out);
        (session, config)
    }
}

fn run(
    command: Command,
    task: &Task,
    session: &mut Option<Session>,
    config: &mut Config,
    out: &Output,
) -> Option<Answer> {
    if let Command::SetOption { name, value } = &command {
        set_option(name, value.as_deref(), session, config, out);
        return None;
    }
    let session = session.get_or_insert_with(|| Session::new(config.variant));
    session.set_rules(config, out);
    match command {
        Command::IsReady => {
            debug_log::settle();
            session.prepare(config, out);
            session.allocate(config, out);
            if out.dialect() != Dialect::Cecp {
                out.line("readyok");
            }
        }
        Command::Go(go) => {
            session.prepare(config, out);
            return Some(session.go(&go, task, config, out));
        }
        Command::Perft(depth) => session.perft(depth, config, task, out),
        Command::Bench(depth) => {
            session.prepare(config, out);
            session.bench(depth, &task.signals, out);
        }
        Command::UsiNewGame => session.new_game(),
        Command::Position { sfen, clock, moves } => {
            if let Err(error) = session.position((sfen.as_deref(), clock), &moves, out.dialect()) {
                out.note(&format!("{error}; waiting for a valid position"));
            }
        }
        Command::NoPosition(problem) => {
            session.invalidate_position();
            out.note(&format!("{problem}; waiting for a valid position"));
        }
        Command::Display => out.line(&session.board(out.dialect())),
        Command::Key => out.line(&session.key()),
        Command::Moves => out.line(&session.moves(out.dialect())),
        Command::Eval => {
            session.prepare(config, out);
            out.line(&session.eval());
        }
        // The reader answers the other commands.
        _ => {}
    }
    None
}

fn set_option(
    name: &str,
    value: Option<&str>,
    session: &mut Option<Session>,
    config: &mut Config,
    out: &Output,
) {
    let before = config.clone();
    let notes = config.set_in(out.dialect(), name, value);
    notes.iter().for_each(|note| out.note(note));
    let chosen =
        notes.is_empty() && ["USI_Variant", "UCI_Variant"].iter().any(|own| own.eq_ignore_ascii_case(name));
    if config.variant != before.variant {
        *session = None;
    } else if let (true, Some(session)) = (chosen, session.as_mut()) {
        session.set_rules(config, out);
        // The start position can always be set up.
        let _ = session.position((None, 0), &[], out.dialect());
    }
    if config.debug_log != before.debug_log
        && let Err(error) = debug_log::write_to(&config.debug_log)
    {
        out.note(&format!("WriteDebugLog: {error}"));
        config.debug_log = before.debug_log;
    }
    if let Some(session) = session {
        session.set_rules(config, out);
    }
}
