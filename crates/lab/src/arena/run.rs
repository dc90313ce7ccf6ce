//! A whole match: which games are still to be played, who plays them, and when it is decided.

use super::engine::{Command, Engine, EngineError};
use super::game::{Conditions, Fixture, play};
use super::ledger::Ledger;
use super::opening::{OpeningError, Openings, RulesOf};
use super::record::{Played, Player, Reason, Record};
use super::standing::Standing;
use super::stats::Sprt;
use sanban_engine::Game;
use sanban_system::{JournalError, Part};
use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Time between two reports.
const REPORT: Duration = Duration::from_secs(5);

/// A match to play.
#[derive(Clone, Debug)]
pub struct Plan<R> {
    /// How to start A and B.
    pub engines: [Command; 2],
    /// What holds for every game.
    pub conditions: Conditions<R>,
    /// Where pairs begin.
    pub openings: Openings,
    /// What random openings depend on.
    pub seed: u64,
    /// Most pairs, those of other parts included; `None`: until the test decides.
    pub pairs: Option<u64>,
    /// The test that may end the match early.
    pub sprt: Option<Sprt>,
    /// Number of games at a time.
    pub concurrency: usize,
    /// The pairs that this process plays.
    pub part: Part,
    /// The longest time an engine may take for an answer, beyond the limits of a search.
    pub patience: Duration,
}

/// Why a match cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// An engine does not start.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// A game cannot be written down.
    #[error(transparent)]
    Ledger(#[from] JournalError),
    /// No random opening leaves a game to be played.
    #[error("pair {0}: no random opening leaves a game to play")]
    NoOpening(u64),
    /// An opening makes no sense.
    #[error("pair {pair}: opening {opening}: {error}")]
    Opening {
        /// Number of the pair.
        pair: u64,
        /// The words after `position`.
        opening: String,
        /// What is wrong with it.
        error: OpeningError,
    },
}

/// Hears how a match goes on.
pub trait Observer {
    /// A game was lost by a fault of the program of this name.
    fn fault(&mut self, record: &Record, name: &str);
    /// Games have been finished since the last report.
    fn report(&mut self, standing: &Standing);
}

/// The games that are still to be played, in order.
struct Queue {
    next: u64,
    pairs: u64,
    part: Part,
    /// Played by an earlier run.
    done: HashSet<(u64, Player)>,
}

impl Queue {
    fn next(&mut self) -> Option<(u64, Player)> {
        loop {
            let pair = self.part.piece(self.next / 2)?;
            let black = if self.next.is_multiple_of(2) { Player::A } else { Player::B };
            if pair >= self.pairs {
                return None;
            }
            self.next += 1;
            if !self.done.remove(&(pair, black)) {
                return Some((pair, black));
            }
        }
    }
}

/// Plays what is missing of a match. `old` are games of earlier runs; new ones go to the ledger.
///
/// # Errors
/// When an engine cannot be started, an opening makes no sense, or a game cannot be written down.
pub fn run<G: Game>(
    plan: &Plan<RulesOf<G>>,
    old: &[Played],
    ledger: Option<&mut Ledger>,
    observer: &mut dyn Observer,
) -> Result<Standing, Error> {
    let mut standing = Standing::default();
    let mut done = HashSet::new();
    for game in old {
        let mine = plan.part.has(game.pair);
        let wanted = plan.pairs.is_none_or(|pairs| game.pair < pairs);
        if mine && wanted && done.insert((game.pair, game.black)) {
            standing.add(*game, plan.part.count(), plan.sprt);
        }
    }
    if standing.decision.is_some() {
        return Ok(standing);
    }
    let queue = Mutex::new(Queue { next: 0, pairs: plan.pairs.unwrap_or(u64::MAX), part: plan.part, done });
    let stop = AtomicBool::new(false);
    let (sender, games) = channel();
    std::thread::scope(|scope| {
        for _ in 0..plan.concurrency.max(1) {
            let (sender, queue, stop) = (sender.clone(), &queue, &stop);
            scope.spawn(move || {
                if let Err(error) = work::<G>(plan, queue, &sender, stop) {
                    let _ = sender.send(Err(error));
                }
            });
        }
        drop(sender);
        let result = collect(plan, &games, standing, ledger, observer);
        stop.store(true, Ordering::Relaxed);
        result
    })
}

/// What a worker hands over: a finished game and, after a fault, the name of the program; or why it cannot go on.
type Finished = Result<(Record, Option<String>), Error>;

/// Takes finished games until there are no more, or the test is decided.
fn collect<R>(
    plan: &Plan<R>,
    games: &std::sync::mpsc::Receiver<Finished>,
    mut standing: Standing,
    mut ledger: Option<&mut Ledger>,
    observer: &mut dyn Observer,
) -> Result<Standing, Error> {
    let start = Instant::now();
    let (mut last, mut news) = (start, false);
    while standing.decision.is_none() {
        match games.recv_timeout(REPORT.saturating_sub(last.elapsed())) {
            Ok(Ok((record, name))) => {
                if let Some(ledger) = ledger.as_deref_mut() {
                    ledger.append(&record)?;
                }
                if let Some(name) = name {
                    observer.fault(&record, &name);
                }
                standing.add(Played::from(&record), plan.part.count(), plan.sprt);
                standing.played += 1;
                standing.elapsed = start.elapsed();
                news = true;
            }
            Ok(Err(error)) => return Err(error),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
        if last.elapsed() >= REPORT {
            last = Instant::now();
            if std::mem::take(&mut news) {
                observer.report(&standing);
            }
        }
    }
    Ok(standing)
}

/// Plays games until there are no more.
fn work<G: Game>(
    plan: &Plan<RulesOf<G>>,
    queue: &Mutex<Queue>,
    games: &Sender<Finished>,
    stop: &AtomicBool,
) -> Result<(), Error> {
    let mut seats = [Player::A, Player::B].map(|player| (player, None));
    while !stop.load(Ordering::Relaxed) {
        let next = queue.lock().unwrap_or_else(PoisonError::into_inner).next();
        let Some((pair, black)) = next else { break };
        let opening = plan.openings.of::<G>(&plan.conditions.rules, plan.seed, pair);
        let opening = opening.ok_or(Error::NoOpening(pair))?;
        let fixture = Fixture { pair, black, opening };
        let [a, b] = &mut seats;
        let engines = [sit(plan, a)?, sit(plan, b)?];
        let record = play::<G>(engines, &fixture, &plan.conditions, stop);
        let record = record.map_err(|error| Error::Opening { pair, opening: fixture.opening, error })?;
        let Some(record) = record else { break };
        let mut name = None;
        if let Some(loser) = record.fault() {
            let (_, engine) = &mut seats[loser.index()];
            name = engine.as_ref().map(Engine::called);
            if matches!(record.reason, Reason::Crash | Reason::Hang) {
                *engine = None;
            }
        }
        if games.send(Ok((record, name))).is_err() {
            break;
        }
    }
    Ok(())
}

/// The engine of a seat; started if there is none.
fn sit<'a, R>(
    plan: &Plan<R>,
    (player, seat): &'a mut (Player, Option<Engine>),
) -> Result<&'a mut Engine, EngineError> {
    let engine = match seat.take() {
        Some(engine) => engine,
        None => Engine::start(*player, &plan.engines[player.index()], plan.patience)?,
    };
    Ok(seat.insert(engine))
}
