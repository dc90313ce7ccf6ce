//! Time management: how long to think about one move.

use super::settings::Settings;
use super::{Clock, Limits, Signals};
use crate::params::{Params, percent};
use sanban_rules::Color;
use sanban_system::clock::Instant;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Acquire, Ordering::Relaxed, Ordering::Release};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The time budget of one move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Budget {
    /// Time after which no new iteration should begin; `None` if all of `hard` may be used.
    pub soft: Option<Duration>,
    /// Time after which the search ends in any case.
    pub hard: Duration,
    /// Minimum time before the search ends by itself.
    pub least: Duration,
}

impl Budget {
    /// The budget for a move at `game_ply` on this clock. `stall`: the time that the threads may take to stop on a busy
    /// machine.
    pub fn new(
        clock: &Clock,
        (side, game_ply): (Color, usize),
        settings: &Settings,
        stall: Duration,
        p: &Params,
    ) -> Self {
        let (main, increment) = (clock.time[side.index()], clock.increment[side.index()]);
        let all = clock.budget(side);
        // Subtract the delay to the referee, but at most two thirds of a tiny budget: busy machines can stall for 30
        // ms.
        let delay = settings.network_delay2.max(settings.network_delay) + stall;
        let hard = all - delay.min(all * 2 / 3);
        let always = increment + clock.byoyomi;
        if main <= clock.byoyomi / 2 {
            // Unused byoyomi is lost, so all of it is spent.
            return Self { soft: None, hard, least: settings.minimum_thinking_time };
        }
        // The reserve is excluded from the planned main time, of which at least a tenth remains.
        let reserve = Duration::from_millis(p.time_reserve as u64) + 2 * stall;
        let spare = main.saturating_sub(reserve).max(main / 10);
        let always_planned = always.mul_f64(percent(p.time_always));
        // A minimum thinking time that the clock cannot afford for every move would lose on time.
        let least = settings.minimum_thinking_time.min(spare / 10 + always_planned);
        // Games are seldom longer than 160 plies, so fewer moves are planned for as the game goes on.
        let horizon = f64::from(p.time_horizon) - percent(p.time_horizon_fall) * game_ply as f64;
        let horizon = horizon.max(f64::from(p.time_horizon_least));
        let horizon = clock.moves_to_go.map_or(horizon, |n| f64::from(n.max(1)).min(horizon));
        let share = spare.as_secs_f64() / horizon + always_planned.as_secs_f64();
        // The end of an iteration is noticed half a stall late on average.
        let late = settings.network_delay + stall / 2;
        let share = (share - late.as_secs_f64()).max(0.001);
        let share = share * f64::from(settings.slow_mover) / 100.0;
        let soft = Duration::from_secs_f64(share).max(least);
        let most = spare.mul_f64(percent(p.time_most_main)) + always.mul_f64(percent(p.time_most_always));
        // The clock is refilled after the last move of a time control.
        let is_last = clock.moves_to_go == Some(1);
        let most = if is_last { spare } else { most.min(soft.mul_f64(percent(p.time_most))) };
        let hard = hard.min(most.max(least));
        Self { soft: Some(soft.min(hard)), hard, least }
    }
}

/// The time that a search plans to spend on a move at `game_ply`, independent of the position.
pub fn planned_time(clock: &Clock, side: Color, game_ply: usize, settings: &Settings) -> Duration {
    let budget = Budget::new(clock, (side, game_ply), settings, Duration::ZERO, &Params::DEFAULT);
    budget.soft.unwrap_or(budget.hard)
}

/// Watches the time of one search. Every thread checks it, so that the search ends in time whichever thread is running.
pub(super) struct Timer {
    begin: Instant,
    /// When the search ends in any case, in nanoseconds after `begin`.
    deadline: AtomicU64,
    pondering: AtomicBool,
    /// The longest time between two clock checks of a thread, in nanoseconds.
    gap: AtomicU64,
    plan: Mutex<Plan>,
}

/// The inputs that determine the deadline.
struct Plan {
    /// When the clock started: at the start of the search, or at the ponderhit.
    origin: Instant,
    clock: Option<Clock>,
    move_time: Option<Duration>,
    budget: Option<Budget>,
    /// The scale of the planned time after the last iteration, and whether the position needed no further search;
    /// `None` before the end of the first iteration.
    last: Option<(f64, bool)>,
    side: Color,
    game_ply: usize,
    settings: Settings,
    /// The time that the threads may take to stop.
    stall: Duration,
    params: Params,
}

impl Timer {
    /// Starts the timer. `stall`: the time that the threads may take to stop.
    pub fn new(
        begin: Instant,
        limits: &Limits,
        (side, game_ply): (Color, usize),
        settings: &Settings,
        stall: Duration,
        params: &Params,
    ) -> Self {
        let plan = Plan {
            origin: begin,
            clock: limits.clock.filter(|_| !limits.infinite),
            move_time: limits.move_time,
            budget: None,
            last: None,
            side,
            game_ply,
            settings: settings.clone(),
            stall,
            params: *params,
        };
        let pondering = AtomicBool::new(limits.ponder);
        let (deadline, gap) = (AtomicU64::new(u64::MAX), AtomicU64::new(0));
        let timer = Self { begin, deadline, pondering, gap, plan: Mutex::new(plan) };
        timer.plan(&mut timer.lock());
        timer
    }

    fn lock(&self) -> MutexGuard<'_, Plan> {
        self.plan.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn plan(&self, plan: &mut Plan) {
        let moment = (plan.side, plan.game_ply);
        let budget = |clock| Budget::new(&clock, moment, &plan.settings, plan.stall, &plan.params);
        plan.budget = plan.clock.map(budget);
        let hard = plan.budget.map(|budget| budget.hard);
        let least = plan.move_time.into_iter().chain(hard).min();
        let waited = plan.origin.saturating_duration_since(self.begin);
        let deadline = least.map_or(u64::MAX, |time| nanos(waited.saturating_add(time)));
        self.deadline.store(deadline, Relaxed);
    }

    /// Time since the search began.
    pub fn elapsed(&self) -> Duration {
        self.begin.elapsed()
    }

    /// The time since the search began, for a thread that last checked the clock at `before`. Checks are frequent, so a
    /// long gap means that the system ran other programs.
    pub fn look(&self, before: Duration) -> Duration {
        let now = self.elapsed();
        let gap = nanos(now.saturating_sub(before));
        if gap > self.gap.load(Relaxed) {
            self.gap.fetch_max(gap, Relaxed);
        }
        now
    }

    /// The longest time that a thread was kept from running.
    pub fn stall(&self) -> Duration {
        Duration::from_nanos(self.gap.load(Relaxed))
    }

    /// Whether the clock limits the search, so that a move in a clear case may be played early.
    pub fn is_thrifty(&self) -> bool {
        let plan = self.lock();
        plan.clock.is_some() && plan.move_time.is_none()
    }

    /// Whether the time is up.
    pub fn is_up(&self, signals: &Signals) -> bool {
        if self.pondering.load(Acquire) {
            if signals.pondering() {
                return false;
            }
            if self.hit(signals) {
                return true;
            }
        }
        nanos(self.elapsed()) >= self.deadline.load(Relaxed)
    }

    /// Starts the clock after a ponderhit. Returns whether the time spent so far is enough.
    fn hit(&self, signals: &Signals) -> bool {
        let mut plan = self.lock();
        // The first thread that notices the ponderhit updates the plan.
        if self.pondering.load(Acquire) {
            if let Some(hit) = signals.hit() {
                plan.origin = hit.at;
                plan.clock = hit.clock.or(plan.clock);
                self.plan(&mut plan);
            }
            self.pondering.store(false, Release);
        }
        plan.last.is_some_and(|(factor, clear)| plan.is_ripe(self.elapsed(), factor, clear))
    }

    /// Returns whether the search should end after an iteration. `factor` scales the planned time; a `clear` case
    /// (a mate or an only move) needs no further search.
    pub fn is_enough(&self, factor: f64, clear: bool) -> bool {
        let mut plan = self.lock();
        plan.last = Some((factor, clear));
        !self.pondering.load(Acquire) && plan.is_ripe(self.elapsed(), factor, clear)
    }
}

impl Plan {
    /// Whether the time `spent`, including time spent pondering, is enough.
    fn is_ripe(&self, spent: Duration, factor: f64, clear: bool) -> bool {
        let soft = self.budget.and_then(|budget| budget.soft).filter(|_| self.move_time.is_none());
        match self.budget {
            Some(budget) if spent < budget.least => false,
            Some(_) => clear || soft.is_some_and(|soft| spent >= soft.mul_f64(factor)),
            None => clear && self.move_time.is_some(),
        }
    }
}

fn nanos(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(n: u64) -> Duration {
        Duration::from_secs(n)
    }

    fn budget(clock: &Clock, ply: usize, settings: &Settings) -> Budget {
        Budget::new(clock, (Color::Black, ply), settings, Duration::ZERO, &Params::DEFAULT)
    }

    fn timer(begin: Instant, limits: &Limits, settings: &Settings) -> Timer {
        Timer::new(begin, limits, (Color::Black, 30), settings, Duration::ZERO, &Params::DEFAULT)
    }

    /// Time spent pondering counts as soon as the clock is known, even if it is known only at the ponderhit.
    #[test]
    fn a_ponderhit_may_be_answered_at_once() {
        let signals = Signals::default();
        for (thought, enough) in [(300, true), (0, false)] {
            signals.arm(true);
            let Some(begin) = Instant::now().checked_sub(seconds(thought)) else { continue };
            let limits = Limits { ponder: true, ..Limits::default() };
            let timer = timer(begin, &limits, &Settings::default());
            assert!(!timer.is_enough(1.0, false) && !timer.is_up(&signals));
            signals.ponderhit(Some(Clock { time: [seconds(300); 2], ..Clock::default() }));
            assert_eq!(timer.is_up(&signals), enough, "{thought} s");
        }
    }

    #[test]
    fn the_least_time_holds_for_clear_cases_too() {
        let settings = Settings { minimum_thinking_time: seconds(2), ..Settings::default() };
        let clock = Some(Clock { time: [seconds(300); 2], ..Clock::default() });
        let limits = Limits { clock, ..Limits::default() };
        for (spent, enough) in [(1, false), (3, true)] {
            let Some(begin) = Instant::now().checked_sub(seconds(spent)) else { continue };
            let timer = timer(begin, &limits, &settings);
            assert_eq!(timer.is_enough(1.0, true), enough, "{spent} s");
        }
    }

    /// The minimum thinking time never takes time that later moves need.
    #[test]
    fn the_least_time_does_not_lose_on_time() {
        let settings = Settings { minimum_thinking_time: seconds(2), ..Settings::default() };
        let mut left = seconds(60);
        for ply in 0..100 {
            let clock = Clock { time: [left; 2], ..Clock::default() };
            let plan = budget(&clock, 2 * ply, &settings);
            assert!(plan.least <= plan.hard && plan.hard < left, "{left:?}");
            left -= plan.least;
        }
        assert!(left > Duration::ZERO);
        // Byoyomi is available again for every move, so all of it can be spent.
        let clock = Clock { byoyomi: seconds(10), ..Clock::default() };
        assert_eq!(budget(&clock, 30, &settings).least, seconds(2));
    }

    /// The last move before the clock is refilled may take nearly the whole time.
    #[test]
    fn the_last_move_of_a_control_takes_its_time() {
        let hard = |moves| {
            let clock = Clock { time: [seconds(5); 2], moves_to_go: Some(moves), ..Clock::default() };
            budget(&clock, 30, &Settings::default()).hard
        };
        assert!((seconds(4)..seconds(5)).contains(&hard(1)), "{:?}", hard(1));
        assert!(hard(2) < seconds(4), "{:?}", hard(2));
    }

    /// The usual delay applies even if it exceeds the maximum delay.
    #[test]
    fn the_larger_delay_is_kept_back() {
        let settings = Settings { network_delay: seconds(1), ..Settings::default() };
        let clock = Clock { byoyomi: seconds(10), ..Clock::default() };
        assert_eq!(budget(&clock, 30, &settings).hard, seconds(9));
    }

    /// With a byoyomi of 50 ms, a stall of 30 ms does not lose on time.
    #[test]
    fn a_tiny_byoyomi_survives_an_accident() {
        let clock = Clock { byoyomi: Duration::from_millis(50), ..Clock::default() };
        let hard = budget(&clock, 30, &Settings::default()).hard;
        assert!((Duration::from_millis(15)..Duration::from_millis(20)).contains(&hard), "{hard:?}");
    }

    /// With a small increment, moves that use their maximum time leave enough time for a stall.
    #[test]
    fn a_reserve_stays_on_the_clock() {
        let settings = Settings::default();
        let mut left = Duration::from_millis(500);
        for ply in (0..200).step_by(2) {
            let increment = Duration::from_millis(50);
            let clock = Clock { time: [left; 2], increment: [increment; 2], ..Clock::default() };
            left += increment;
            left -= budget(&clock, ply, &settings).hard;
            assert!(left >= Duration::from_millis(150), "ply {ply}: {left:?}");
        }
    }

    /// The clock does not run out even if the end of every search is noticed late.
    #[test]
    fn stalls_are_planned_for() {
        let settings = Settings::default();
        let (stall, increment) = (Duration::from_millis(40), Duration::from_millis(50));
        let mut left = Duration::from_millis(500);
        for ply in (0..200).step_by(2) {
            left += increment;
            let clock = Clock { time: [left; 2], increment: [increment; 2], ..Clock::default() };
            let budget = Budget::new(&clock, (Color::Black, ply), &settings, stall, &Params::DEFAULT);
            left -= budget.soft.expect("a clock") + stall;
            assert!(left >= Duration::from_millis(150), "ply {ply}: {left:?}");
        }
    }

    /// Whether or not the referee has added the increment already, the move ends in time.
    #[test]
    fn increments_are_not_counted_twice() {
        let settings = Settings::default();
        let hard = |time, increment| {
            let [time, increment] = [time, increment].map(Duration::from_millis);
            let clock = Clock { time: [time; 2], increment: [increment; 2], ..Clock::default() };
            budget(&clock, 200, &settings).hard
        };
        for time in [100, 110, 150, 200, 400] {
            assert!(hard(time, 100) <= Duration::from_millis(time - 50), "{time}");
        }
        // A time below the increment does not include the increment yet.
        for time in [0, 30, 90] {
            assert!(hard(time, 100) > Duration::from_millis(35), "{time}");
            assert!(hard(time, 100) <= Duration::from_millis(time + 50), "{time}");
        }
    }
}
