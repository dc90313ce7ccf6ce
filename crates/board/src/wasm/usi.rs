//! USI without threads: one command at a time, and searches in slices.

use sanban_engine::EngineError;
use sanban_engine::search::Line;
use sanban_engine::slices::{MateSlices, Slices};
use sanban_protocol::usi::Output;
use sanban_protocol::usi::command::{Command, Go};
use sanban_protocol::usi::engine::{Answer, Plan, Session};
use sanban_protocol::usi::options::{self, Config};
use sanban_protocol::usi::print::Printer;
use sanban_protocol::usi::task::Task;
use sanban_protocol::usi::worker::{Job, Worker};
use std::collections::VecDeque;
use std::io::{self, Write};
use std::mem::take;
use std::sync::{Arc, Mutex, PoisonError};

/// A USI engine for a single caller.
pub struct Usi {
    worker: Worker,
    out: Output,
    written: Written,
    search: Option<Search>,
    /// Commands that arrived during a search and wait for its end.
    waiting: VecDeque<String>,
    closed: bool,
}

struct Search {
    go: Go,
    task: Arc<Task>,
    run: Run,
    /// The last line of the best move.
    line: Option<Line>,
}

enum Run {
    /// The answer is known, but must wait for `stop` or `ponderhit`.
    Known(Answer),
    Move(Box<Slices>),
    Mate(Box<MateSlices>),
}

impl Default for Usi {
    fn default() -> Self {
        let written = Written::default();
        Self {
            worker: Worker::default(),
            out: Output::direct(written.clone()),
            written,
            search: None,
            waiting: VecDeque::new(),
            closed: false,
        }
    }
}

/// Receives an output line of the engine.
type Say<'a> = &'a (dyn Fn(&str) + Sync);

impl Usi {
    /// Handles one line. Answers that need no search are sent before it returns.
    pub fn command(&mut self, line: &str, say: Say) {
        self.take(line);
        self.written.pass_on(say);
    }

    /// Runs one slice of the search; returns true while a search is running.
    pub fn poll(&mut self, say: Say) -> bool {
        if let Some(search) = &mut self.search {
            let waits = search.task.signals.pondering() || search.go.infinite;
            let (session, config) = self.worker.prepared(&self.out);
            if let Some(answer) = search.poll(session, config, &self.out).filter(|_| !waits) {
                self.answer(&answer);
            }
        }
        self.written.pass_on(say);
        self.search.is_some()
    }

    fn take(&mut self, line: &str) {
        if self.closed {
            return;
        }
        let (command, note) = Command::parse(line.as_bytes());
        if let Some(note) = note {
            self.out.note(&note);
        }
        match command {
            Command::Usi => self.out.line(&introduction()),
            Command::IsReady if self.search.is_some() => self.out.line("readyok"),
            Command::Quit => {
                self.closed = true;
                self.search = None;
            }
            Command::Stop => self.stop(),
            Command::PonderHit(clock) => {
                if let Some(Search { task, run, .. }) = &mut self.search {
                    task.ponderhit(clock);
                    if let Run::Move(slices) = run {
                        slices.hit(clock.as_ref());
                    }
                }
            }
            _ if self.search.is_some() => self.waiting.push_back(line.into()),
            Command::SetOption { name, .. } if let Some(refusal) = options::refusal_in_page(&name) => {
                self.out.note(&refusal);
            }
            Command::Uci | Command::Xboard => self.out.note("a web page speaks only USI"),
            Command::Go(go) => self.go(go),
            command => {
                let task = Task::new(sanban_protocol::usi::task::Ending::Count, false);
                self.worker.work(Job { command, task }, &self.out);
            }
        }
    }

    fn go(&mut self, go: Go) {
        let task = Task::of(&go);
        let (session, config) = self.worker.prepared(&self.out);
        let plan = session.plan(&go, &task, config, &self.out);
        let (engine, pos) = session.parts();
        let run = match plan {
            Plan::Known(answer) => Run::Known(answer),
            Plan::Move(limits) => Run::Move(Box::new(Slices::new(engine, pos, limits))),
            Plan::Mate(limits) => Run::Mate(Box::new(MateSlices::new(pos, limits))),
        };
        self.search = Some(Search { go, task, run, line: None });
    }

    fn stop(&mut self) {
        let Some(mut search) = self.search.take() else { return };
        let (session, config) = self.worker.prepared(&self.out);
        let answer = search.stop(session, config, &self.out);
        self.answer(&answer);
    }

    /// Sends the answer, then executes the commands that waited for it.
    fn answer(&mut self, answer: &Answer) {
        self.search = None;
        self.out.line(&answer.line(self.out.dialect()));
        while self.search.is_none()
            && let Some(line) = self.waiting.pop_front()
        {
            self.take(&line);
        }
    }
}

impl Search {
    /// Runs one slice; returns the answer when the search is over.
    fn poll(&mut self, session: &mut Session, config: &Config, out: &Output) -> Option<Answer> {
        let Self { go, task, run, line } = self;
        let (engine, pos) = session.parts();
        let printer = Printer::new(pos, out, task);
        match run {
            Run::Known(answer) => Some(answer.clone()),
            Run::Move(slices) => {
                let outcome = slices.poll(engine, &printer);
                *line = printer.last().or(line.take());
                let outcome = reported(outcome, out)?;
                Some(session.move_answer(go, &outcome, line.take(), config, out.dialect()))
            }
            Run::Mate(slices) => {
                let outcome = reported(slices.poll(engine, &printer), out)?;
                Some(session.mate_answer(&outcome, out.dialect()))
            }
        }
    }

    /// Ends the search.
    fn stop(&mut self, session: &mut Session, config: &Config, out: &Output) -> Answer {
        let (engine, pos) = session.parts();
        let printer = Printer::new(pos, out, &self.task);
        match &mut self.run {
            Run::Known(answer) => answer.clone(),
            Run::Move(slices) => {
                let outcome = slices.stop(engine, &printer).unwrap_or_default();
                let line = printer.last().or(take(&mut self.line));
                session.move_answer(&self.go, &outcome, line, config, out.dialect())
            }
            Run::Mate(_) => session.mate_answer(&sanban_engine::mate::MateOutcome::Unknown, out.dialect()),
        }
    }
}

/// The outcome of a slice; an error is reported.
fn reported<T>(outcome: Result<Option<T>, EngineError>, out: &Output) -> Option<T> {
    outcome.unwrap_or_else(|error| {
        out.note(&error.to_string());
        None
    })
}

/// The answer to `usi`: the options that have an effect in a page.
fn introduction() -> String {
    let options = options::declared();
    let options = options.into_iter().filter(|option| options::refusal_in_page(option.name).is_none());
    let options: String = options.map(|option| options::line(option) + "\n").collect();
    format!("id name Sanban {}\nid author the Sanban authors\n{options}usiok", env!("CARGO_PKG_VERSION"))
}

/// What the engine has written and the caller has not received.
#[derive(Clone, Default)]
struct Written(Arc<Mutex<Vec<u8>>>);

impl Written {
    fn pass_on(&self, say: Say) {
        let bytes = take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        String::from_utf8_lossy(&bytes).lines().for_each(say);
    }
}

impl Write for Written {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value as Json;

    /// Returns all output for these lines; after each line, the search is polled until it ends.
    fn talk(lines: &[&str]) -> Vec<String> {
        let said = Mutex::new(Vec::new());
        let say = |text: &str| said.lock().expect("no panic").extend(text.lines().map(str::to_string));
        let mut usi = Usi::default();
        for line in lines {
            usi.command(line, &say);
            // A search that never ends by itself is polled a few times.
            let ends = line.starts_with("go ") && !line.contains("infinite");
            for _ in 0..if ends { 10_000 } else { 3 } {
                if !usi.poll(&say) {
                    break;
                }
            }
        }
        said.into_inner().expect("no panic")
    }

    #[test]
    fn a_conversation() {
        let no_book = "setoption name USI_OwnBook value false";
        let said = talk(&[
            "usi",
            no_book,
            "isready",
            "usinewgame",
            "position startpos moves 7g7f",
            "go movetime 60",
        ]);
        assert!(said.contains(&"usiok".to_string()) && said.contains(&"readyok".to_string()));
        let last = said.last().map(String::as_str).unwrap_or_default();
        assert!(last.starts_with("bestmove ") && !last.contains("resign"), "{last}");
        assert!(said.iter().any(|line| line.starts_with("info depth 1 ")), "{said:?}");
    }

    /// ShogiHome compares the listed options with the options that the engine sends.
    #[test]
    fn the_manifest_lists_the_options() {
        let manifest: Json =
            serde_json::from_str(include_str!("../../../../web/shogihome/engine.json")).expect("JSON");
        let said = talk(&["usi"]);
        assert!(said.contains(&format!("id name {}", manifest["name"].as_str().expect("a name"))));
        let line = |option: &Json| {
            let text = |name: &str| match &option[name] {
                Json::String(text) => Some(text.clone()),
                Json::Null => None,
                other => Some(other.to_string()),
            };
            let kind = text("type").expect("a type");
            let mut line = format!("option name {} type {kind}", text("name").expect("a name"));
            for word in ["default", "min", "max"] {
                line.extend(text(word).map(|value| format!(" {word} {value}")));
            }
            let vars = option["vars"].as_array().into_iter().flatten().filter_map(Json::as_str);
            line.extend(vars.map(|var| format!(" var {var}")));
            line
        };
        let listed: Vec<String> = manifest["options"].as_array().expect("options").iter().map(line).collect();
        let options: Vec<&String> = said.iter().filter(|line| line.starts_with("option ")).collect();
        assert_eq!(options, listed.iter().collect::<Vec<_>>());
    }

    #[test]
    fn stop_answers_at_once_and_what_waited_follows() {
        let said = talk(&[
            "position startpos",
            "go infinite",
            "setoption name USI_Variant value dobutsu",
            "isready",
            "stop",
            "position startpos moves 2c2b",
            "stop",
            "go depth 3",
        ]);
        let answers: Vec<&String> = said.iter().filter(|line| line.starts_with("bestmove")).collect();
        assert_eq!(answers.len(), 2, "{said:?}");
        assert!(!answers[1].contains("resign"), "{said:?}");
    }

    /// The options are those of the program; one without an effect in a page is refused with the reason.
    #[test]
    fn options_are_those_of_the_program() {
        let mut usi = Usi::default();
        let said = Mutex::new(Vec::new());
        let say = |text: &str| said.lock().expect("no panic").push(text.to_string());
        usi.command("setoption name SkillLevel value 3", &say);
        usi.command("setoption name SkillLevel value abc", &say);
        usi.command("setoption name threads value 4", &say);
        usi.command("setoption name BookFile value user.db", &say);
        let said = said.into_inner().expect("no panic");
        assert_eq!(said.len(), 3, "{said:?}");
        for (line, words) in said.iter().zip([
            "SkillLevel: ",
            "Threads: a web page has no files or threads",
            "BookFile: a web page has no files",
        ]) {
            assert!(line.starts_with("info string ") && line.contains(words), "{line}");
        }
        // An invalid value leaves the level unchanged.
        let (session, _) = usi.worker.prepared(&usi.out);
        assert_eq!(session.parts().0.settings().skill_level, 3);
        // Root moves, lines and rules are searched as asked.
        let said = talk(&[
            "setoption name MultiPV value 2",
            "position startpos",
            "go depth 2 searchmoves 9i9h 1i1h",
        ]);
        assert!(said.iter().any(|line| line.contains(" multipv 2 ")), "{said:?}");
        assert!(said.last().is_some_and(|line| line.contains("9i9h") || line.contains("1i1h")), "{said:?}");
    }

    #[test]
    fn mates_and_what_cannot_be_done() {
        let said = talk(&["position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1", "go mate 1000"]);
        assert_eq!(said.last().map(String::as_str), Some("checkmate G*5b"));
        let said = talk(&["position startpos moves 1a1a", "go movetime 10"]);
        assert_eq!(said.last().map(String::as_str), Some("bestmove resign"));
        assert!(talk(&["quit", "usi"]).is_empty());
    }
}
