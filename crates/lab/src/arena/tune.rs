//! Tunes the search parameters with games: simultaneous perturbation stochastic approximation (SPSA, Spall 1992).
//!
//! In every pair of games, all parameters are perturbed simultaneously by their steps, up for one player and down for
//! the other; then they move towards the player that did better. Steps and rates decay as in Fishtest. The result of
//! pair `n` is self-contained: the seed determines the perturbations, so a file of results is enough to resume an
//! interrupted run.

use super::opening::{Openings, position};
use super::referee::over;
use sanban_engine::params::Params;
use sanban_engine::search::{Limits, STACK, Signals};
use sanban_engine::{Engine, Game as _, each_game};
use sanban_rules::{AnyPosition, Color, Rng, Score, VariantId, Verdict};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::sync::mpsc::Sender;
use std::sync::{Mutex, PoisonError};

/// Exponent of the decay of the steps.
const GAMMA: f64 = 0.101;
/// Exponent of the decay of the rates.
const ALPHA: f64 = 0.602;
/// Fraction of the run added to the pair number in the decay of the rate, which therefore decays slowly at first.
const STABLE: f64 = 0.1;
/// The rate in the last pair, as a fraction of the step per point of difference.
const RATE: f64 = 0.003;
/// Number of random plies in the opening of a pair.
const OPENING: usize = 7;
/// A game is won if both players agree on this score for this many plies.
const WON: (Score, u32) = (1500, 4);
/// A game is drawn after this many plies.
const MAX_PLIES: usize = 320;

#[derive(Clone, Debug)]
pub struct Plan {
    pub pairs: u64,
    /// Nodes per move.
    pub nodes: u64,
    /// Number of pairs played in parallel.
    pub threads: usize,
    /// Seed for the openings and perturbations.
    pub seed: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Pair {
    pub pair: u64,
    /// Games won minus games lost by the player whose perturbation was added.
    pub ahead: i32,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    pub name: &'static str,
    pub default: i32,
    pub value: f64,
    lo: f64,
    hi: f64,
    step: f64,
}

/// The parameters being tuned, with their values after the pairs so far.
#[derive(Clone, Debug)]
pub struct Tuner {
    plan: Plan,
    game: VariantId,
    start: Params,
    rows: Vec<Row>,
    played: u64,
}

impl Tuner {
    /// Starts with the parameters of a game, except those of time management and those with a step below 1.
    pub fn new(game: VariantId, plan: Plan) -> Self {
        let start = each_game!(game, G => G::PARAMS);
        let row = |&(name, _, lo, hi): &(&'static str, i32, i32, i32)| {
            let default = start.get(name)?;
            let step = Params::step(default, lo, hi);
            let fit = step >= 1.0 && !name.starts_with("time_");
            let (value, lo, hi) = (default.into(), lo.into(), hi.into());
            fit.then_some(Row { name, default, value, lo, hi, step })
        };
        let rows = Params::SPEC.iter().filter_map(row).collect();
        Self { plan, game, start, rows, played: 0 }
    }

    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    pub fn learn(&mut self, result: Pair) {
        self.played += 1;
        let (all, now) = (self.plan.pairs as f64, self.played as f64);
        let shift = STABLE * all;
        let rate = RATE * ((shift + all) / (shift + now)).powf(ALPHA) / self.fall(self.played);
        let directions = self.directions(result.pair);
        for (row, up) in self.rows.iter_mut().zip(directions) {
            let change = rate * row.step * f64::from(result.ahead);
            row.value = (row.value + if up { change } else { -change }).clamp(row.lo, row.hi);
        }
    }

    /// The parameters of the two players of a pair.
    fn players(&self, pair: u64) -> [Params; 2] {
        let mut players = [self.start; 2];
        let fall = self.fall(self.played + 1);
        for (row, up) in self.rows.iter().zip(self.directions(pair)) {
            let step = row.step * if up { fall } else { -fall };
            players[0].set(row.name, (row.value + step).round() as i32);
            players[1].set(row.name, (row.value - step).round() as i32);
        }
        players
    }

    /// Ratio of the step of a pair to the step of the last pair.
    fn fall(&self, played: u64) -> f64 {
        (self.plan.pairs as f64 / played.max(1) as f64).powf(GAMMA)
    }

    /// For every parameter, whether it is increased for the first player of a pair.
    fn directions(&self, pair: u64) -> impl Iterator<Item = bool> + use<> {
        let mut rng = Rng::new(!self.plan.seed ^ Rng::new(pair).next());
        std::iter::repeat_with(move || rng.next() >> 63 == 1)
    }
}

/// Plays the pairs that are not in `done`, alternating between the networks of the engines. The tuner learns from each
/// result, which is then sent to `results`. Ends early if the receiver is dropped.
///
/// # Panics
/// If an engine plays a game with a different board.
pub fn run(tuner: &mut Tuner, engines: &[Box<dyn Engine>], done: &BTreeSet<u64>, results: &Sender<Pair>) {
    let plan = tuner.plan.clone();
    let start = AnyPosition::new(tuner.game);
    let pairs = || engines.iter().map(|engine| [engine.fork(), engine.fork()]).collect();
    let players: Vec<Vec<_>> = (0..plan.threads.max(1)).map(|_| pairs()).collect();
    let mut open = (0..plan.pairs).filter(|pair| !done.contains(pair));
    let shared = Mutex::new((tuner, &mut open));
    let lock = || shared.lock().unwrap_or_else(PoisonError::into_inner);
    let work = |mut players: Vec<[Box<dyn Engine>; 2]>| {
        loop {
            let next = {
                let mut shared = lock();
                shared.1.next().map(|pair| (pair, shared.0.players(pair)))
            };
            let Some((pair, params)) = next else { break };
            let network = pair as usize % players.len();
            for (player, params) in players[network].iter_mut().zip(params) {
                *player.params() = params;
            }
            let Some(ahead) = play(&mut players[network], &start, &plan, pair) else { continue };
            let result = Pair { pair, ahead };
            let mut shared = lock();
            shared.0.learn(result);
            // Results are sent in the order in which the tuner learned from them.
            if results.send(result).is_err() {
                break;
            }
        }
    };
    std::thread::scope(|scope| {
        for players in players {
            let thread = std::thread::Builder::new().stack_size(STACK);
            // With fewer threads, the run only takes longer.
            if thread.spawn_scoped(scope, || work(players)).is_err() {
                break;
            }
        }
    });
}

/// Plays a pair of games. Returns the wins of the first player minus its losses, or `None` if there is no opening.
fn play(players: &mut [Box<dyn Engine>; 2], start: &AnyPosition, plan: &Plan, pair: u64) -> Option<i32> {
    let opening = Openings::Random(OPENING).of(start, plan.seed, pair)?;
    let pos = position(start, &opening).ok()?;
    let limits = Limits { nodes: Some(plan.nodes), ..Limits::default() };
    Some([Color::Black, Color::White].map(|first| game(players, pos.clone(), first, &limits)).iter().sum())
}

/// Plays a game. Returns 1 if the first player, who has the side `first`, wins, -1 if the second one does, and 0 for a
/// draw.
fn game(players: &mut [Box<dyn Engine>; 2], mut pos: AnyPosition, first: Color, limits: &Limits) -> i32 {
    for player in players.iter_mut() {
        player.clear();
    }
    let for_first = |side: Color, score: i32| if side == first { score.signum() } else { -score.signum() };
    let mut agreed = 0i32;
    for _ in 0..MAX_PLIES {
        let side = pos.side();
        if let Some((verdict, _)) = over(&pos) {
            return for_first(
                side,
                match verdict {
                    Verdict::Draw => 0,
                    Verdict::Win | Verdict::Superior => 1,
                    Verdict::Loss | Verdict::Inferior => -1,
                },
            );
        }
        if pos.can_declare() {
            return for_first(side, 1);
        }
        let player = usize::from(side != first);
        let outcome = players[player].search(&pos, limits, &Signals::default(), &());
        let outcome = outcome.expect("an engine of this game");
        let Some(mv) = outcome.best else { return for_first(side, -1) };
        let winner = for_first(side, if outcome.score.abs() >= WON.0 { outcome.score } else { 0 });
        agreed = if winner == 0 || winner != agreed.signum() { winner } else { agreed + winner };
        if agreed.unsigned_abs() >= WON.1 {
            return winner;
        }
        pos.play(mv);
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;
    fn plan(pairs: u64) -> Plan {
        Plan { pairs, nodes: 100, threads: 1, seed: 5 }
    }

    /// If the player with the increased parameter always wins, the parameter rises, in proportion to its step;
    /// parameters perturbed at random hardly change.
    #[test]
    fn numbers_follow_the_player_that_wins() {
        let mut tuner = Tuner::new(VariantId::Shogi, plan(2000));
        for pair in 0..2000 {
            let up = tuner.directions(pair).next() == Some(true);
            tuner.learn(Pair { pair, ahead: if up { 1 } else { -1 } });
        }
        let moved = |row: &Row| (row.value - f64::from(row.default)) / row.step;
        assert!(moved(&tuner.rows()[0]) > 5.0, "{:?}", tuner.rows()[0]);
        assert!(tuner.rows()[1..].iter().all(|row| moved(row).abs() < 2.0));
    }

    /// The parameters of the two players are above and below the values, within their ranges.
    #[test]
    fn players_differ_by_their_steps() {
        let tuner = Tuner::new(VariantId::Shogi, plan(100));
        let [a, b] = tuner.players(3);
        for row in tuner.rows() {
            let [a, b] = [&a, &b].map(|params| params.get(row.name).expect("known parameter"));
            assert!(a != b && (f64::from(a + b) / 2.0 - row.value).abs() <= row.step, "{}", row.name);
        }
    }

    /// Equal seeds give equal results, and a run continues from the results of an earlier one.
    #[test]
    fn runs_are_repeatable() {
        let play = |done: &[Pair]| {
            let mut tuner = Tuner::new(VariantId::Shogi, plan(3));
            done.iter().for_each(|&pair| tuner.learn(pair));
            let (sender, results) = std::sync::mpsc::channel();
            run(
                &mut tuner,
                &[<dyn Engine>::new(VariantId::Shogi)],
                &done.iter().map(|d| d.pair).collect(),
                &sender,
            );
            drop(sender);
            (results.iter().collect::<Vec<_>>(), tuner.rows)
        };
        let (pairs, rows) = play(&[]);
        assert_eq!(pairs.len(), 3);
        assert_eq!(play(&pairs[..1]), (pairs[1..].to_vec(), rows));
    }
}
