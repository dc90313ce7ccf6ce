//! A whole match: the games still to be played, the workers that play them, and the decision.

use super::adjudicate::Solver;
use super::command::Command;
use super::conditions::Conditions;
use super::engine::Engine;
use super::fault::EngineError;
use super::game::{Fixture, play};
use super::opening::{OpeningError, Openings};
use super::record::{Played, Player, Reason, Record};
use super::schedule::{Format, Queue, pairings};
use super::stats::Sprt;
use super::table::Table;
use sanban_system::{Journal, JournalError, Part};
use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Time between two reports.
const REPORT: Duration = Duration::from_secs(5);
/// Time between two checks for an interrupt.
const LOOK: Duration = Duration::from_millis(100);
/// Number of consecutive faults of one engine after which the match is stopped.
const FAULTS: u32 = 2;
/// Minimum number of consecutive pairs that only repeat earlier games after which an unlimited match ends.
const REPEATED: u64 = 100;

#[derive(Clone, Debug)]
pub struct Plan {
    /// The engines, at least two.
    pub engines: Vec<Command>,
    pub format: Format,
    pub conditions: Conditions,
    pub openings: Openings,
    pub seed: u64,
    /// Number of pairs of each pairing, including those of other shards; `None`: until the test decides.
    pub pairs: Option<u64>,
    /// The test that may end a match of two engines early.
    pub sprt: Option<Sprt>,
    pub concurrency: usize,
    pub part: Part,
    /// The maximum time that an engine may take for an answer beyond the limits of a search.
    pub patience: Duration,
    /// Continue when an engine loses two games in a row through faults of its program.
    pub recover: bool,
    pub logs: Option<PathBuf>,
}

impl Plan {
    pub fn pairings(&self) -> Vec<[usize; 2]> {
        pairings(self.format, self.engines.len())
    }

    /// Number of consecutive pairs that only repeat earlier games after which an unlimited match ends.
    fn patience_with_repetition(&self) -> u64 {
        match &self.openings {
            Openings::Listed(lines) => REPEATED.max(lines.len() as u64),
            Openings::Random(_) => REPEATED,
        }
    }
}

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    Engine(#[from] EngineError),
    #[error("{0} (on restart)")]
    Restart(EngineError),
    #[error(
        "{name} lost {FAULTS} games in a row through faults, the last one through {reason}; use --recover to continue"
    )]
    Faults { name: String, reason: Reason },
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error("pair {0}: every random opening ended the game")]
    NoOpening(u64),
    #[error("pair {pair}: opening {opening}: {error}")]
    Opening {
        pair: u64,
        /// The words after `position`.
        opening: String,
        error: OpeningError,
    },
}

pub trait Observer {
    /// A game was lost through a fault of the engine with this name.
    fn fault(&mut self, record: &Record, name: &str);
    fn game(&mut self, record: &Record, table: &Table);
    /// Called every few seconds if games have been finished since the last report.
    fn report(&mut self, table: &Table);
}

/// Plays the missing games of a match. `old` are games of earlier runs; new ones are written to the journal. When `stop`
/// is set, the match ends after the current moves. Positions that the solver knows are adjudicated. The returned table
/// contains all games up to the end of the match, even after an error.
pub fn run(
    plan: &Plan,
    solver: Option<&Solver>,
    old: &[Played],
    journal: Option<&mut Journal>,
    observer: &mut dyn Observer,
    stop: &AtomicBool,
) -> (Table, Result<(), Error>) {
    let pairings = plan.pairings();
    let mut table = Table::new(plan.engines.iter().map(|engine| engine.name.clone()).collect(), &pairings);
    let mut done = HashSet::new();
    for game in old {
        let mine = plan.part.has(game.pair) && pairings.contains(&game.engines);
        let wanted = plan.pairs.is_none_or(|pairs| game.pair < pairs);
        if mine && wanted && done.insert((game.engines, game.pair, game.black)) {
            table.add(*game, plan.part.count(), plan.sprt);
        }
    }
    if table.is_decided() {
        return (table, Ok(()));
    }
    let queue = Mutex::new(Queue::new(pairings, plan.pairs.unwrap_or(u64::MAX), plan.part, done));
    let ending = AtomicBool::new(false);
    let (sender, games) = channel();
    std::thread::scope(|scope| {
        for number in 0..plan.concurrency.max(1) {
            let (sender, queue, ending) = (sender.clone(), &queue, &ending);
            scope.spawn(move || {
                if let Err(error) = work(plan, solver, number, queue, &sender, ending) {
                    let _ = sender.send(Err(error));
                }
            });
        }
        drop(sender);
        let result = collect(plan, &games, &mut table, journal, observer, stop);
        ending.store(true, Ordering::Relaxed);
        (table, result)
    })
}

/// A worker's result: a finished game, its engines, and their names; or the error that stopped it.
type Finished = Result<(Record, [usize; 2], [String; 2]), Error>;

/// Collects finished games until none is left, the test is decided, or the match is interrupted.
fn collect(
    plan: &Plan,
    games: &std::sync::mpsc::Receiver<Finished>,
    table: &mut Table,
    mut journal: Option<&mut Journal>,
    observer: &mut dyn Observer,
    stop: &AtomicBool,
) -> Result<(), Error> {
    let start = Instant::now();
    let (mut last, mut news, mut faults) = (start, false, vec![0; plan.engines.len()]);
    let endless = |table: &Table| {
        let repeated = table.first().map_or(0, |standing| standing.repeated_in_a_row);
        plan.pairs.is_none() && repeated >= plan.patience_with_repetition()
    };
    while !table.is_decided() && !endless(table) && !stop.load(Ordering::Relaxed) {
        match games.recv_timeout(REPORT.saturating_sub(last.elapsed()).min(LOOK)) {
            Ok(Ok((record, engines, names))) => {
                if let Some(journal) = journal.as_deref_mut() {
                    journal.append(&record)?;
                }
                let loser = record.fault().map(Player::index);
                let called = loser.map(|at| format!("{} ({})", plan.engines[engines[at]].label, names[at]));
                for (at, name) in names.into_iter().enumerate() {
                    let engine = engines[at];
                    faults[engine] = if loser == Some(at) { faults[engine] + 1 } else { 0 };
                    table.names[engine] = Some(name);
                }
                table.add(Played::from(&record), plan.part.count(), plan.sprt);
                table.played += 1;
                table.elapsed = start.elapsed();
                news = true;
                if let Some(name) = called {
                    observer.fault(&record, &name);
                    if !plan.recover && faults.contains(&FAULTS) {
                        return Err(Error::Faults { name, reason: record.reason });
                    }
                }
                observer.game(&record, table);
            }
            Ok(Err(error)) => return Err(error),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
        if last.elapsed() >= REPORT {
            last = Instant::now();
            if std::mem::take(&mut news) {
                observer.report(table);
            }
        }
    }
    Ok(())
}

/// Plays games until none is left.
fn work(
    plan: &Plan,
    solver: Option<&Solver>,
    number: usize,
    queue: &Mutex<Queue>,
    games: &Sender<Finished>,
    stop: &AtomicBool,
) -> Result<(), Error> {
    let seat = |engine| Seat { engine, number, process: None, started: false };
    let mut seats: Vec<Seat> = (0..plan.engines.len()).map(seat).collect();
    while !stop.load(Ordering::Relaxed) {
        let next = queue.lock().unwrap_or_else(PoisonError::into_inner).next();
        let Some((engines, pair, black)) = next else { break };
        let opening = plan.openings.of(&plan.conditions.start, plan.seed, pair);
        let opening = opening.ok_or(Error::NoOpening(pair))?;
        let fixture = Fixture { pair, engines, black, opening };
        let Ok([a, b]) = seats.get_disjoint_mut(engines) else { break };
        let both = [sit(plan, a)?, sit(plan, b)?];
        both.iter().try_for_each(|engine| engine.check_opening(&fixture.opening))?;
        let record = play(both, &fixture, &plan.conditions, solver, stop);
        let record = record.map_err(|error| Error::Opening { pair, opening: fixture.opening, error })?;
        let Some(record) = record else { break };
        let names = engines.map(|at| {
            seats[at].process.as_ref().map_or_else(String::new, |engine| engine.name().to_string())
        });
        if let Some(loser) = record.fault()
            && matches!(record.reason, Reason::Crash | Reason::Hang)
        {
            seats[engines[loser.index()]].process = None;
        }
        if games.send(Ok((record, engines, names))).is_err() {
            break;
        }
    }
    Ok(())
}

/// A slot for a running engine.
struct Seat {
    /// The number of the engine, from 0.
    engine: usize,
    /// The number of the worker, from 0.
    number: usize,
    process: Option<Engine>,
    /// Whether an engine has been started in this slot before.
    started: bool,
}

/// Returns the engine of a slot, and starts it if it is not running.
fn sit<'a>(plan: &Plan, seat: &'a mut Seat) -> Result<&'a mut Engine, Error> {
    let engine = match seat.process.take() {
        Some(engine) => engine,
        None => {
            let command = &plan.engines[seat.engine];
            let log = plan.logs.as_ref().map(|folder| {
                folder.join(format!("{}-{}.log", command.label.replace(' ', "-"), seat.number + 1))
            });
            let engine = {
                let go = &plan.conditions.go[seat.engine];
                Engine::start(command, plan.patience, &plan.conditions, go, log.as_deref())
            };
            engine.map_err(|error| if seat.started { Error::Restart(error) } else { error.into() })?
        }
    };
    seat.started = true;
    Ok(seat.process.insert(engine))
}
