//! A whole match: which games are still to be played, who plays them, and when it is decided.

use super::engine::{Command, Engine};
use super::game::{Conditions, Fixture, play};
use super::ledger::Ledger;
use super::opening::{Openings, RulesOf};
use super::record::{Outcome, Player, Reason, Record};
use super::stats::{Decision, Pentanomial, Sprt};
use crate::game::Game;
use std::collections::{BTreeMap, HashSet};
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
    /// This process plays pairs `index` of every `count`.
    pub part: (u64, u64),
    /// The longest time an engine may take for an answer, beyond the limits of a search.
    pub patience: Duration,
}

/// Why a match ended early: a sentence.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct Error(pub String);

/// Hears how a match goes on.
pub trait Observer {
    /// A game was lost by a fault of the program of this name.
    fn fault(&mut self, record: &Record, name: &str);
    /// Games have been finished since the last report.
    fn report(&mut self, standing: &Standing);
}

/// How a match stands. Only pairs both of whose games are finished count, and only those before the first that is not:
/// so the games say the same, whichever was finished first.
#[derive(Clone, Debug, Default)]
pub struct Standing {
    /// Wins, draws and losses of A.
    pub games: [u64; 3],
    /// Games that ended by a fault, of A and of B.
    pub faults: [u64; 2],
    /// The pairs by their points.
    pub pairs: Pentanomial,
    /// What the test has come to.
    pub decision: Option<Decision>,
    /// Number of games finished by this process.
    pub played: u64,
    /// Time since it began.
    pub elapsed: Duration,
    /// Finished games that do not count yet, by the number of the pair within this part.
    waiting: BTreeMap<u64, Vec<(Outcome, Option<Player>)>>,
}

impl Standing {
    /// Counts a game, and every pair that is complete by it.
    fn add<R>(&mut self, record: &Record, plan: &Plan<R>) {
        if self.decision.is_some() {
            return;
        }
        let loser = if record.result == Outcome::Win { Player::B } else { Player::A };
        let fault = record.reason.is_fault().then_some(loser);
        let pair = record.pair / plan.part.1;
        self.waiting.entry(pair).or_default().push((record.result, fault));
        while self.decision.is_none()
            && let Some(first) = self.waiting.first_entry()
            && *first.key() == self.pairs.pairs()
            && first.get().len() == 2
        {
            let games = first.remove();
            self.pairs.add(games.iter().map(|(outcome, _)| outcome.half_points()).sum());
            for (outcome, fault) in games {
                self.games[2 - outcome.half_points()] += 1;
                if let Some(player) = fault {
                    self.faults[player.index()] += 1;
                }
            }
            self.decision = plan.sprt.and_then(|sprt| sprt.decision(&self.pairs));
        }
    }
}

/// The games that are still to be played, in order.
struct Queue {
    next: u64,
    pairs: u64,
    part: (u64, u64),
    /// Played by an earlier run.
    done: HashSet<(u64, Player)>,
}

impl Queue {
    fn next(&mut self) -> Option<(u64, Player)> {
        let (index, count) = self.part;
        loop {
            let pair = (self.next / 2).checked_mul(count)?.checked_add(index)?;
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
    old: &[Record],
    ledger: Option<&mut Ledger>,
    observer: &mut dyn Observer,
) -> Result<Standing, Error> {
    let mut standing = Standing::default();
    let mut done = HashSet::new();
    for record in old {
        let mine = record.pair % plan.part.1 == plan.part.0;
        let wanted = plan.pairs.is_none_or(|pairs| record.pair < pairs);
        if mine && wanted && done.insert((record.pair, record.black)) {
            standing.add(record, plan);
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
                    ledger.append(&record).map_err(Error)?;
                }
                if let Some(name) = name {
                    observer.fault(&record, &name);
                }
                standing.add(&record, plan);
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
        let opening = opening.ok_or_else(|| Error(format!("no opening for pair {pair}")))?;
        let fixture = Fixture { pair, black, opening };
        let [a, b] = &mut seats;
        let engines = [sit(plan, a)?, sit(plan, b)?];
        let record = play::<G>(engines, &fixture, &plan.conditions, stop).map_err(Error)?;
        let Some(record) = record else { break };
        let mut name = None;
        if record.reason.is_fault() {
            let loser = if record.result == Outcome::Win { Player::B } else { Player::A };
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
    (player, engine): &'a mut (Player, Option<Engine>),
) -> Result<&'a mut Engine, Error> {
    if engine.is_none() {
        let started = Engine::start(*player, &plan.engines[player.index()], plan.patience).map_err(Error)?;
        *engine = Some(started);
    }
    engine.as_mut().ok_or_else(|| Error(format!("{player}: gone")))
}
