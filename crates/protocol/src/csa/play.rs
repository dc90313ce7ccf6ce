//! Logs in and plays game after game.

use super::connection::{Connection, OpenError};
use super::engine::Engine;
use super::event::Event;
use super::record::RecordFile;
use super::summary::Summary;
use super::table::{Outcome, Table};
use sanban_rules::printable::printable;
use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};
use thiserror::Error;

/// Shortest and longest wait before reconnecting.
const WAIT: [Duration; 2] = [Duration::from_secs(1), Duration::from_secs(60)];
/// Longest time between two checks of the clock.
const LOOK: Duration = Duration::from_millis(200);
/// Maximum length of a message in characters.
const LONGEST_MESSAGE: usize = 600;
/// Time limit for the answer to `LOGIN`.
const LOGIN: Duration = Duration::from_secs(60);
/// Maximum number of consecutive rejections of a login that was accepted before: after a disconnection, the server may
/// still hold the old connection.
const REFUSALS: u32 = 30;

/// The settings of the client.
#[derive(Clone)]
pub struct Settings {
    pub host: String,
    pub port: u16,
    pub user: String,
    /// The password, as it is sent.
    pub password: String,
    /// Number of games to finish; `None`: no limit.
    pub games: Option<u64>,
    /// Number of consecutive attempts to connect after which the client gives up; `None`: no limit.
    pub attempts: Option<u32>,
    /// Whether to search on the opponent's time.
    pub ponder: bool,
    /// Whether to send the score and the expected moves with each move.
    pub comments: bool,
    /// Time without any message after which an empty line is sent.
    pub keep_alive: Duration,
    pub records: Option<PathBuf>,
    pub options: Vec<(String, String)>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Wins, draws and losses.
    pub games: [u64; 3],
    /// Games that the server ended without a result.
    pub stopped: u64,
    /// Games interrupted by a lost connection.
    pub cut: u64,
}

impl Tally {
    pub fn finished(&self) -> u64 {
        self.games.iter().sum::<u64>() + self.stopped
    }
}

/// Why the client gives up.
#[derive(Debug, Error)]
pub enum CsaError {
    #[error("the server rejected the login: {0}")]
    Login(String),
    #[error("{host}:{port}: {source}")]
    Unreachable { host: String, port: u16, source: io::Error },
    #[error("{}: {source}", .path.display())]
    Record { path: PathBuf, source: io::Error },
    #[error(transparent)]
    System(io::Error),
}

enum Stage {
    /// `LOGIN` was sent.
    Login,
    /// Waiting for a game.
    Idle,
    /// Receiving a game summary; its lines so far.
    Summary(Vec<String>),
    /// `AGREE` was sent.
    Agreed(Box<Summary>),
    Game(Box<Table>),
}

/// Why a connection ended.
enum Left {
    /// All games were played, or the user wants to stop.
    Done,
    /// A game was finished; servers end the dialogue, so the next one needs a new login.
    Again,
    /// No connection was made, as reported.
    Unopened,
    Lost(String),
    Refused(String),
}

/// Plays until the games are finished or `stop` is set; a game in progress is finished first. `report` receives
/// progress messages.
pub fn play(settings: &Settings, stop: &AtomicBool, report: &mut dyn FnMut(&str)) -> Result<Tally, CsaError> {
    let (events, queue) = channel();
    let engine = Engine::start(&settings.options, events.clone()).map_err(CsaError::System)?;
    let mut client = Client {
        settings,
        stop,
        report,
        engine,
        events,
        queue,
        tally: Tally::default(),
        was_in: false,
        progress: false,
    };
    let (mut wait, mut refusals, mut failures) = (WAIT[0], 0, 0);
    for number in 1.. {
        let opened = Connection::open(&settings.host, settings.port, number, &client.events);
        let left = match opened {
            Ok(connection) => {
                failures = 0;
                client.serve(connection)?
            }
            Err(error) => {
                failures += 1;
                let (host, port) = (settings.host.clone(), settings.port);
                // A name without an address is a mistake, unless it had one before.
                let unknown = !client.was_in && matches!(error, OpenError::Name(_));
                let source = match error {
                    OpenError::Name(source) | OpenError::Connect(source) => source,
                };
                if unknown || settings.attempts.is_some_and(|attempts| failures >= attempts) {
                    return Err(CsaError::Unreachable { host, port, source });
                }
                client.say(&format!("{host}:{port}: {source}; trying again in {} s", wait.as_secs()));
                Left::Unopened
            }
        };
        match left {
            Left::Done => break,
            Left::Unopened => {}
            Left::Again => {
                wait = WAIT[0];
                client.progress = false;
                continue;
            }
            Left::Lost(reason) => {
                if !client.was_in {
                    return Err(CsaError::Login(reason));
                }
                refusals = 0;
                client.say(&format!("{reason}; reconnecting in {} s", wait.as_secs()));
            }
            Left::Refused(reason) => {
                refusals += 1;
                if !client.was_in || refusals > REFUSALS {
                    return Err(CsaError::Login(reason));
                }
                client.say(&format!("{reason}; logging in again in {} s", wait.as_secs()));
            }
        }
        if !client.pause(wait) {
            break;
        }
        wait = if std::mem::take(&mut client.progress) { WAIT[0] } else { (2 * wait).min(WAIT[1]) };
    }
    Ok(client.tally)
}

struct Client<'a> {
    settings: &'a Settings,
    stop: &'a AtomicBool,
    report: &'a mut dyn FnMut(&str),
    engine: Engine,
    events: Sender<Event>,
    queue: Receiver<Event>,
    tally: Tally,
    /// Whether a login has been accepted.
    was_in: bool,
    /// Whether a login has been accepted since the last wait.
    progress: bool,
}

impl Client<'_> {
    fn say(&mut self, text: &str) {
        // Names and identifiers come from strangers.
        (self.report)(&printable(text, LONGEST_MESSAGE));
    }

    fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Waits; returns false if the user wants to stop.
    fn pause(&self, wait: Duration) -> bool {
        let end = Instant::now() + wait;
        while Instant::now() < end && !self.stopped() {
            std::thread::sleep(LOOK.min(end.saturating_duration_since(Instant::now())));
        }
        !self.stopped()
    }

    fn is_done(&self) -> bool {
        self.settings.games.is_some_and(|games| self.tally.finished() >= games)
    }

    fn serve(&mut self, mut connection: Connection) -> Result<Left, CsaError> {
        let Settings { user, password, .. } = self.settings;
        log::debug!("server > LOGIN {user} *****");
        if let Err(error) = connection.send(&format!("LOGIN {user} {password}")) {
            return Ok(Left::Lost(error.to_string()));
        }
        let mut stage = Stage::Login;
        let begin = Instant::now();
        loop {
            if self.stopped() && !matches!(stage, Stage::Game(_)) {
                let _ = connection.send("LOGOUT");
                return Ok(Left::Done);
            }
            let lost = match self.queue.recv_timeout(LOOK).ok() {
                Some(Event::Line(number, line)) if number == connection.number => {
                    connection.heard = Instant::now();
                    log::debug!("server < {line}");
                    match self.line(stage, &line, &mut connection)? {
                        Ok(next) => stage = next,
                        Err(left) => return Ok(left),
                    }
                    None
                }
                Some(Event::Closed(number, reason)) if number == connection.number => Some(reason),
                Some(Event::Answer(task, answer)) => match &mut stage {
                    Stage::Game(table) => table
                        .answer(&task, answer, &self.engine, &mut connection)
                        .err()
                        .map(|error| error.to_string()),
                    _ => None,
                },
                _ => self.keep_alive(&mut connection, begin, &stage),
            };
            if let Some(reason) = lost {
                if let Stage::Game(mut table) = stage {
                    self.tally.cut += 1;
                    self.record(table.cut(&reason))?;
                    self.say(&format!("{} interrupted", table.id()));
                }
                return Ok(Left::Lost(reason));
            }
        }
    }

    /// Sends a keep-alive line when it is due, and checks that the server is still alive.
    fn keep_alive(&self, connection: &mut Connection, begin: Instant, stage: &Stage) -> Option<String> {
        if matches!(stage, Stage::Login) && begin.elapsed() > LOGIN {
            return Some("the server did not answer the login request".into());
        }
        let interval = self.settings.keep_alive;
        if connection.heard.elapsed() > 3 * interval {
            return Some(format!(
                "the server has been silent for {} s",
                connection.heard.elapsed().as_secs()
            ));
        }
        if connection.sent.elapsed() >= interval {
            return connection.send("").err().map(|error| error.to_string());
        }
        None
    }

    /// Handles a line from the server; returns the next stage, or why the connection ends.
    fn line(
        &mut self,
        stage: Stage,
        line: &str,
        connection: &mut Connection,
    ) -> Result<Result<Stage, Left>, CsaError> {
        let lost = |error: io::Error| Left::Lost(error.to_string());
        Ok(Ok(match stage {
            Stage::Login if line.starts_with("LOGIN:") => {
                if !line.ends_with(" OK") {
                    return Ok(Err(Left::Refused(line.into())));
                }
                if !self.was_in {
                    self.say(&format!("logged in as {}", self.settings.user));
                }
                (self.was_in, self.progress) = (true, true);
                Stage::Idle
            }
            Stage::Login => Stage::Login,
            Stage::Idle if line == "BEGIN Game_Summary" => Stage::Summary(Vec::new()),
            Stage::Idle => Stage::Idle,
            Stage::Summary(lines) if line == "END Game_Summary" => match Summary::read(&lines) {
                Ok(summary) => match connection.send(&format!("AGREE {}", summary.id)) {
                    Ok(()) => Stage::Agreed(Box::new(summary)),
                    Err(error) => return Ok(Err(lost(error))),
                },
                Err(error) => {
                    self.say(&format!("game rejected: {error}"));
                    match connection.send("REJECT") {
                        Ok(()) => Stage::Idle,
                        Err(error) => return Ok(Err(lost(error))),
                    }
                }
            },
            Stage::Summary(mut lines) => {
                if !line.is_empty() {
                    lines.push(line.into());
                }
                Stage::Summary(lines)
            }
            Stage::Agreed(summary) if line.starts_with("START:") => {
                let mut table = self.begin(*summary)?;
                table.start(&self.engine);
                Stage::Game(table)
            }
            Stage::Agreed(summary) if line.starts_with("REJECT:") => {
                self.say(&format!("{} rejected: {line}", summary.id));
                Stage::Idle
            }
            Stage::Agreed(summary) => Stage::Agreed(summary),
            Stage::Game(mut table) => match self.record(table.line(line, &self.engine))? {
                None => Stage::Game(table),
                Some(outcome) => {
                    self.finish(&table, outcome);
                    let _ = connection.send("LOGOUT");
                    let done = self.is_done() || self.stopped();
                    return Ok(Err(if done { Left::Done } else { Left::Again }));
                }
            },
        }))
    }

    fn begin(&mut self, summary: Summary) -> Result<Box<Table>, CsaError> {
        let Settings { ponder, comments, records, .. } = self.settings;
        let record = records.as_ref().map(|folder| RecordFile::create(folder, &summary)).transpose();
        let record = self.record(record)?;
        self.engine.new_game();
        self.engine.set("MaxMovesToDraw", &summary.max_moves.to_string());
        let [black, white] = &summary.names;
        self.say(&format!("{} begins: {black} against {white}", summary.id));
        Ok(Box::new(Table::new(summary, record, *ponder, *comments)))
    }

    fn finish(&mut self, table: &Table, outcome: Outcome) {
        let word = match outcome {
            Outcome::Win => "won",
            Outcome::Loss => "lost",
            Outcome::Draw => "drawn",
            Outcome::Stopped => "stopped",
        };
        match outcome {
            Outcome::Win => self.tally.games[0] += 1,
            Outcome::Draw => self.tally.games[1] += 1,
            Outcome::Loss => self.tally.games[2] += 1,
            Outcome::Stopped => self.tally.stopped += 1,
        }
        self.say(&format!("{} {word}: {}", table.id(), table.reason()));
    }

    /// Adds the path to an error while writing the record.
    fn record<T>(&self, result: io::Result<T>) -> Result<T, CsaError> {
        let path = || self.settings.records.clone().unwrap_or_default();
        result.map_err(|source| CsaError::Record { path: path(), source })
    }
}
