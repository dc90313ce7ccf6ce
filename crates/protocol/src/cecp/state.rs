//! The state of a session: the game, the side that the engine plays, and the search in progress.

use super::clock::Times;
use super::command::Command;
use super::game::{Game, won};
use super::job::Job;
use crate::uci::{Dialect, UciVariant, setup};
use crate::usi::command::{Command as UsiCommand, Go, clip};
use crate::usi::engine::Answer;
use crate::usi::options::{self, Config};
use crate::usi::output::Output;
use crate::usi::task::{Ending, Task};
use sanban_rules::Color;
use std::sync::Arc;
use std::sync::mpsc::Sender;

pub struct State {
    out: Arc<Output>,
    jobs: Sender<Job>,
    /// The options, with the same values as in the search thread.
    config: Config,
    game: Game,
    times: Times,
    /// The side that the engine plays; `None` in force mode and in analysis.
    plays: Option<Color>,
    analysing: bool,
    post: bool,
    ponder: bool,
    running: Option<Running>,
    /// The move expected from the opponent.
    hint: Option<String>,
    /// `ping`s to answer after the move.
    pings: Vec<String>,
}

struct Running {
    task: Arc<Task>,
    kind: Kind,
}

#[derive(PartialEq, Eq)]
enum Kind {
    Move,
    /// Find the answer to this move, which the opponent has not played yet.
    Ponder(String),
    /// Analyse until stopped.
    Analysis,
}

impl State {
    /// Starts a session in which the engine plays the second side.
    pub fn new(out: Arc<Output>, jobs: Sender<Job>) -> Self {
        let mut config = Config::new();
        // Only unknown names produce notes.
        let _ = config.set_in(Dialect::Cecp, "UCI_Variant", Some(UciVariant::ALL[0].name));
        let game = Game::new(config.variant, &config.rules);
        let state = Self {
            out,
            jobs,
            config,
            game,
            times: Times::default(),
            plays: Some(Color::White),
            analysing: false,
            post: false,
            ponder: false,
            running: None,
            hint: None,
            pings: Vec::new(),
        };
        state.set_option("UCI_Variant", Some(UciVariant::ALL[0].name));
        state
    }

    /// Returns whether the engine is searching for its next move.
    pub fn is_thinking(&self) -> bool {
        self.running.as_ref().is_some_and(|running| running.kind == Kind::Move)
    }

    pub fn line(&mut self, line: &str) {
        match Command::parse(line) {
            Command::Nothing => {}
            Command::Error { reason, line } => self.error(&reason, &line),
            Command::Features => self.out.line(&features()),
            Command::New => {
                self.abort();
                self.game = Game::new(self.config.variant, &self.config.rules);
                (self.plays, self.analysing, self.hint) = (Some(Color::White), false, None);
                self.times.depth = None;
                self.times.restart();
                self.run(UsiCommand::UsiNewGame);
            }
            Command::Variant(name) => self.variant(&name),
            Command::SetBoard(fen) => {
                self.abort();
                match self.game.set_up(&fen, &self.config.rules) {
                    Ok(()) => self.go_on(),
                    Err(error) => self.out.line(&format!("tellusererror Illegal position: {error}")),
                }
            }
            Command::Move(text) => self.play(&text),
            Command::Force | Command::Result => {
                self.abort();
                (self.plays, self.analysing) = (None, false);
            }
            Command::Go => {
                self.abort();
                (self.plays, self.analysing) = (Some(self.game.side()), false);
                self.go_on();
            }
            Command::PlayOther => {
                self.abort();
                (self.plays, self.analysing) = (Some(!self.game.side()), false);
                self.start_pondering();
            }
            Command::MoveNow => {
                if self.is_thinking()
                    && let Some(running) = &self.running
                {
                    running.task.stop();
                }
            }
            Command::Undo(count) => {
                self.abort();
                self.hint = None;
                if self.game.played() < count {
                    self.error("command not legal now", if count == 1 { "undo" } else { "remove" });
                    return;
                }
                (0..count).for_each(|_| self.game.undo());
                if self.analysing {
                    self.go_on();
                }
            }
            Command::Level { moves, base, increment } => self.times.level(moves, base, increment),
            Command::MoveTime(time) => self.times.move_time(time),
            Command::Depth(depth) => self.times.depth = Some(depth),
            Command::Time(left) => self.times.mine(left),
            Command::OpponentTime(left) => self.times.theirs(left),
            Command::Post(post) => self.post = post,
            Command::Ponder(ponder) => {
                self.ponder = ponder;
                if !ponder && !self.is_thinking() && !self.analysing {
                    self.abort();
                }
            }
            Command::Analyze => {
                self.abort();
                (self.plays, self.analysing) = (None, true);
                self.go_on();
            }
            Command::Exit => {
                self.abort();
                self.analysing = false;
            }
            Command::Ping(text) => {
                if self.is_thinking() {
                    self.pings.push(text);
                } else {
                    self.pong(text);
                }
            }
            Command::Option { name, value } => self.option(&name, value.as_deref(), line),
            Command::Hint => {
                if let Some(hint) = &self.hint {
                    self.out.line(&format!("Hint: {hint}"));
                }
            }
            Command::Show(word) => {
                self.run(self.game.position());
                self.run(UsiCommand::parse(word.as_bytes()).0);
            }
        }
    }

    pub fn answer(&mut self, task: &Arc<Task>, answer: Answer) {
        if !self.running.as_ref().is_some_and(|running| Arc::ptr_eq(&running.task, task)) {
            return;
        }
        let Some(Running { kind: Kind::Move, .. }) = self.running.take() else { return };
        let side = self.game.side();
        self.hint = None;
        match answer {
            Answer::Move { best, ponder, .. } => {
                if self.game.play(&best).is_some() {
                    self.out.line(&format!("move {best}"));
                    self.hint = ponder.filter(|reply| self.game.read(reply).is_some());
                    self.announce();
                }
            }
            Answer::Declaration => self.out.line(&won(side, "by declaration")),
            Answer::Resignation if self.announce() => {}
            Answer::Resignation | Answer::Mate(_) => self.out.line("resign"),
        }
        for text in std::mem::take(&mut self.pings) {
            self.pong(text);
        }
        self.start_pondering();
    }

    /// Ends the search in progress without an answer.
    pub fn abort(&mut self) {
        if let Some(running) = self.running.take() {
            running.task.close();
            running.task.stop();
        }
        for text in std::mem::take(&mut self.pings) {
            self.pong(text);
        }
    }

    fn error(&self, reason: &str, line: &str) {
        self.out.line(&format!("Error ({reason}): {}", clip(line)));
    }

    /// Answers a `ping` when the commands before it are done. Pondering and analysis continue meanwhile.
    fn pong(&self, text: String) {
        if self.running.is_some() {
            self.out.line(&format!("pong {}", clip(&text)));
        } else {
            self.send(Job::Ping(text));
        }
    }

    fn send(&self, job: Job) {
        if self.jobs.send(job).is_err() {
            self.out.note("the search thread has ended");
        }
    }

    fn run(&self, command: UsiCommand) {
        self.send(Job::Run(command));
    }

    fn set_option(&self, name: &str, value: Option<&str>) {
        self.run(UsiCommand::SetOption { name: name.into(), value: value.map(str::to_string) });
    }

    fn variant(&mut self, name: &str) {
        self.abort();
        if !self.config.set_in(Dialect::Cecp, "UCI_Variant", Some(name)).is_empty() {
            return self.error("unknown variant", name);
        }
        self.set_option("UCI_Variant", Some(name));
        self.game = Game::new(self.config.variant, &self.config.rules);
        self.hint = None;
        if let Some(lines) = setup(self.config.variant) {
            self.out.line(lines);
        }
    }

    fn option(&mut self, name: &str, value: Option<&str>, line: &str) {
        if !options::is_known(name) {
            return self.error("unknown option", line.trim());
        }
        if !self.is_thinking() {
            self.abort();
        }
        // The search thread prints the notes.
        let _ = self.config.set_in(Dialect::Cecp, name, value);
        self.set_option(name, value);
        self.game.set_rules(&self.config.rules);
        if self.analysing {
            self.go_on();
        }
    }

    /// Plays the opponent's move, or any move in force mode.
    fn play(&mut self, text: &str) {
        if self.game.read(text).is_none() {
            return self.out.line(&format!("Illegal move: {}", clip(text)));
        }
        let expected = |running: &Running| matches!(&running.kind, Kind::Ponder(reply) if reply == text);
        let hit = self.running.as_ref().is_some_and(expected);
        if !hit {
            self.abort();
        }
        self.game.play(text);
        self.hint = None;
        if !hit {
            return self.go_on();
        }
        let clock = self.times.clock(self.game.side(), self.game.moves_made());
        if let Some(running) = &mut self.running {
            running.kind = Kind::Move;
            running.task.ponderhit(clock);
        }
    }

    /// Announces the result if the game is over; returns whether it is.
    fn announce(&self) -> bool {
        let result = self.game.result();
        if let Some(line) = &result {
            self.out.line(line);
        }
        result.is_some()
    }

    /// Starts a search if the engine is to move or is analysing.
    fn go_on(&mut self) {
        if self.analysing {
            if self.game.result().is_none() {
                self.search(Kind::Analysis, Go { infinite: true, ..Go::default() });
            }
        } else if self.plays.is_some() && !self.announce() && self.plays == Some(self.game.side()) {
            let go = self.times.go(self.game.side(), self.game.moves_made());
            self.search(Kind::Move, go);
        }
    }

    /// Starts pondering on the expected move, if pondering is enabled.
    fn start_pondering(&mut self) {
        if !self.ponder || self.plays != Some(!self.game.side()) {
            return;
        }
        let Some(reply) = self.hint.clone() else { return };
        let mut next = self.game.clone();
        if next.play(&reply).is_none() || next.result().is_some() {
            return;
        }
        let go = Go { ponder: true, ..self.times.go(next.side(), next.moves_made()) };
        let here = std::mem::replace(&mut self.game, next);
        self.search(Kind::Ponder(reply), go);
        self.game = here;
    }

    fn search(&mut self, kind: Kind, go: Go) {
        let silent = !self.post && kind != Kind::Analysis;
        let task = Arc::new(Task::prepare(Ending::Finite, go.ponder, silent));
        self.running = Some(Running { task: task.clone(), kind });
        self.send(Job::Search { position: self.game.position(), go, task });
    }
}

fn features() -> String {
    let variants: Vec<&str> = UciVariant::ALL.iter().map(|variant| variant.name).collect();
    let mut out = format!(
        "feature done=0\nfeature ping=1 setboard=1 playother=1 san=0 usermove=1 time=1 draw=0 sigint=0 sigterm=0 reuse=1 \
         analyze=1 colors=0 ics=0 name=0 pause=0 nps=0 debug=1 memory=1 smp=1\nfeature myname=\"Sanban {}\"\n\
         feature variants=\"{}\"",
        env!("CARGO_PKG_VERSION"),
        variants.join(",")
    );
    for option in options::cecp() {
        out += &format!("\nfeature option=\"{option}\"");
    }
    out + "\nfeature done=1"
}
