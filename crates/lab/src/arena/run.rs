//! A whole match: the games still to be played, the workers that play them, and the decision.

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
/// Longest wait for a game before checking whether the match was interrupted.
const LOOK: Duration = Duration::from_millis(100);
/// Faults of one engine in a row after which the match is stopped.
const FAULTS: u32 = 2;
/// Least number of pairs that only repeat earlier ones after which a match without an end is over.
const REPEATED: u64 = 100;

/// A match to play.
#[derive(Clone, Debug)]
pub struct Plan<R> {
    /// How to start A and B.
    pub engines: [Command; 2],
    /// Settings shared by every game.
    pub conditions: Conditions<R>,
    /// Where pairs begin.
    pub openings: Openings,
    /// Seed of the random openings.
    pub seed: u64,
    /// Most pairs, including those of other shards; `None`: until the test decides.
    pub pairs: Option<u64>,
    /// The test that may end the match early.
    pub sprt: Option<Sprt>,
    /// Number of games at a time.
    pub concurrency: usize,
    /// The pairs that this process plays.
    pub part: Part,
    /// The longest time an engine may take for an answer, beyond the limits of a search.
    pub patience: Duration,
    /// Play on when an engine loses two games in a row by a fault of its program.
    pub recover: bool,
}

impl<R> Plan<R> {
    /// Pairs in a row that only repeat earlier ones, after which a match without an end is over.
    fn patience_with_repetition(&self) -> u64 {
        match &self.openings {
            Openings::Listed(lines) => REPEATED.max(lines.len() as u64),
            Openings::Random(_) => REPEATED,
        }
    }
}

/// Why a match cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// An engine does not start.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// An engine that has played does not start again.
    #[error("{0} when it was started again")]
    Restart(EngineError),
    /// An engine has lost several games in a row by faults of its program.
    #[error("{name} lost {FAULTS} games in a row by a fault, the last one by {reason}; --recover plays on")]
    Faults {
        /// The engine.
        name: String,
        /// The last fault.
        reason: Reason,
    },
    /// A game cannot be written down.
    #[error(transparent)]
    Ledger(#[from] JournalError),
    /// No random opening leaves a game to be played.
    #[error("pair {0}: no random opening leaves a game to play")]
    NoOpening(u64),
    /// An opening is invalid.
    #[error("pair {pair}: opening {opening}: {error}")]
    Opening {
        /// Number of the pair.
        pair: u64,
        /// The words after `position`.
        opening: String,
        /// The fault.
        error: OpeningError,
    },
}

/// Is notified of the course of a match.
pub trait Observer {
    /// A game was lost by a fault of the program of this name.
    fn fault(&mut self, record: &Record, name: &str);
    /// A game was finished.
    fn game(&mut self, standing: &Standing);
    /// Games have been finished since the last report, some seconds ago.
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

/// Plays the missing games of a match. `old` are games of earlier runs; new ones go to the ledger. When `stop` is set,
/// the match ends after the moves that are being searched. The standing counts the games up to the end of the match,
/// however it ended.
///
/// # Errors
/// When an engine cannot be started or fails again and again, an opening is invalid, or a game cannot be written.
pub fn run<G: Game>(
    plan: &Plan<RulesOf<G>>,
    old: &[Played],
    ledger: Option<&mut Ledger>,
    observer: &mut dyn Observer,
    stop: &AtomicBool,
) -> (Standing, Result<(), Error>) {
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
        return (standing, Ok(()));
    }
    let queue = Mutex::new(Queue { next: 0, pairs: plan.pairs.unwrap_or(u64::MAX), part: plan.part, done });
    let ending = AtomicBool::new(false);
    let (sender, games) = channel();
    std::thread::scope(|scope| {
        for _ in 0..plan.concurrency.max(1) {
            let (sender, queue, ending) = (sender.clone(), &queue, &ending);
            scope.spawn(move || {
                if let Err(error) = work::<G>(plan, queue, &sender, ending) {
                    let _ = sender.send(Err(error));
                }
            });
        }
        drop(sender);
        let result = collect(plan, &games, &mut standing, ledger, observer, stop);
        ending.store(true, Ordering::Relaxed);
        (standing, result)
    })
}

/// A worker's result: a finished game and the names that the engines report; or why it cannot continue.
type Finished = Result<(Record, [String; 2]), Error>;

/// Takes finished games until there are no more, the test is decided, or the match is interrupted.
fn collect<R>(
    plan: &Plan<R>,
    games: &std::sync::mpsc::Receiver<Finished>,
    standing: &mut Standing,
    mut ledger: Option<&mut Ledger>,
    observer: &mut dyn Observer,
    stop: &AtomicBool,
) -> Result<(), Error> {
    let start = Instant::now();
    let (mut last, mut news, mut faults) = (start, false, [0; 2]);
    let endless = |standing: &Standing| {
        plan.pairs.is_none() && standing.repeated_in_a_row >= plan.patience_with_repetition()
    };
    while standing.decision.is_none() && !endless(standing) && !stop.load(Ordering::Relaxed) {
        match games.recv_timeout(REPORT.saturating_sub(last.elapsed()).min(LOOK)) {
            Ok(Ok((record, names))) => {
                if let Some(ledger) = ledger.as_deref_mut() {
                    ledger.append(&record)?;
                }
                let loser = record.fault();
                for player in [Player::A, Player::B] {
                    let at = player.index();
                    faults[at] = if loser == Some(player) { faults[at] + 1 } else { 0 };
                }
                let called = loser.map(|player| format!("{player} ({})", names[player.index()]));
                standing.names = names.map(Some);
                standing.add(Played::from(&record), plan.part.count(), plan.sprt);
                standing.played += 1;
                standing.elapsed = start.elapsed();
                news = true;
                if let Some(name) = called {
                    observer.fault(&record, &name);
                    if !plan.recover && faults.contains(&FAULTS) {
                        return Err(Error::Faults { name, reason: record.reason });
                    }
                }
                observer.game(standing);
            }
            Ok(Err(error)) => return Err(error),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
        if last.elapsed() >= REPORT {
            last = Instant::now();
            if std::mem::take(&mut news) {
                observer.report(standing);
            }
        }
    }
    Ok(())
}

/// Plays games until there are no more.
fn work<G: Game>(
    plan: &Plan<RulesOf<G>>,
    queue: &Mutex<Queue>,
    games: &Sender<Finished>,
    stop: &AtomicBool,
) -> Result<(), Error> {
    let mut seats = [Player::A, Player::B].map(|player| Seat { player, engine: None, started: false });
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
        let names =
            [0, 1].map(|at| seats[at].engine.as_ref().map_or_else(String::new, |e| e.name().to_string()));
        if let Some(loser) = record.fault()
            && matches!(record.reason, Reason::Crash | Reason::Hang)
        {
            seats[loser.index()].engine = None;
        }
        if games.send(Ok((record, names))).is_err() {
            break;
        }
    }
    Ok(())
}

/// Where an engine plays.
struct Seat {
    player: Player,
    engine: Option<Engine>,
    /// Has an engine been started here before?
    started: bool,
}

/// The engine of a seat; started if it is not running.
fn sit<'a, R>(plan: &Plan<R>, seat: &'a mut Seat) -> Result<&'a mut Engine, Error> {
    let engine = match seat.engine.take() {
        Some(engine) => engine,
        None => {
            let engine = Engine::start(seat.player, &plan.engines[seat.player.index()], plan.patience);
            engine.map_err(|error| if seat.started { Error::Restart(error) } else { error.into() })?
        }
    };
    seat.started = true;
    Ok(seat.engine.insert(engine))
}
