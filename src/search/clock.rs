//! Time management: how long to think about one move.

use super::settings::Settings;
use super::{Clock, Limits, Signals};
use crate::base::Color;
use std::time::{Duration, Instant};

/// What one move may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Budget {
    /// Time after which no new iteration should begin; `None` when all of `hard` is to be used.
    pub soft: Option<Duration>,
    /// Time after which the search ends wherever it is.
    pub hard: Duration,
}

impl Budget {
    /// The budget of a clock for a move at `game_ply`.
    pub fn new(clock: &Clock, side: Color, game_ply: usize, settings: &Settings) -> Self {
        let (main, increment) = (clock.time[side.index()], clock.increment[side.index()]);
        let all = clock.budget(side);
        // What the way to the referee may cost; of tiny budgets at most half.
        let hard = all - settings.network_delay2.min(all / 2);
        let always = increment + clock.byoyomi;
        if main <= clock.byoyomi / 2 || (main.is_zero() && clock.byoyomi > Duration::ZERO) {
            // Byoyomi cannot be saved.
            return Self { soft: None, hard };
        }
        // Games are seldom longer than 160 plies; plan for fewer moves as they go on.
        let horizon = (52.0 - 0.2 * game_ply as f64).max(24.0);
        let horizon = clock.moves_to_go.map_or(horizon, |n| f64::from(n.max(1)).min(horizon));
        let share = main.as_secs_f64() / horizon + always.as_secs_f64() * 0.85;
        let share = (share - settings.network_delay.as_secs_f64()).max(0.001);
        let share = share * f64::from(settings.slow_mover) / 100.0;
        let soft = Duration::from_secs_f64(share).max(settings.minimum_thinking_time);
        let most = (soft * 4).min(main.mul_f64(0.3) + always.mul_f64(0.9));
        let hard = hard.min(most.max(settings.minimum_thinking_time));
        Self { soft: Some(soft.min(hard)), hard }
    }
}

/// Watches the time of one search.
pub(super) struct Timer {
    begin: Instant,
    /// The clock runs from here: the start, or the ponderhit.
    origin: Instant,
    pondering: bool,
    move_time: Option<Duration>,
    budget: Option<Budget>,
    /// Time from the start to the end of the last iteration that would have ended a search without pondering.
    ripe: bool,
    side: Color,
    game_ply: usize,
    settings: Settings,
    clock: Option<Clock>,
}

impl Timer {
    /// Starts watching.
    pub fn new(begin: Instant, limits: &Limits, side: Color, game_ply: usize, settings: &Settings) -> Self {
        let mut timer = Self {
            begin,
            origin: begin,
            pondering: limits.ponder,
            move_time: limits.move_time,
            budget: None,
            ripe: false,
            side,
            game_ply,
            settings: settings.clone(),
            clock: limits.clock.filter(|_| !limits.infinite),
        };
        timer.plan();
        timer
    }

    fn plan(&mut self) {
        self.budget = self.clock.map(|c| Budget::new(&c, self.side, self.game_ply, &self.settings));
    }

    /// Time since the search began.
    pub fn elapsed(&self) -> Duration {
        self.begin.elapsed()
    }

    /// Does the search end by the clock, so that a clear case may be answered early?
    pub fn is_thrifty(&self) -> bool {
        self.clock.is_some() && self.move_time.is_none()
    }

    /// Does a found mate end the search?
    pub fn is_timed(&self) -> bool {
        !self.pondering && (self.clock.is_some() || self.move_time.is_some())
    }

    /// Is the time up, at this moment?
    pub fn is_up(&mut self, signals: &Signals) -> bool {
        if self.pondering {
            if signals.pondering() {
                return false;
            }
            self.hit(signals);
            if self.ripe {
                return true;
            }
        }
        let spent = self.origin.elapsed();
        self.move_time.is_some_and(|t| spent >= t) || self.budget.is_some_and(|b| spent >= b.hard)
    }

    /// The opponent played the expected move.
    fn hit(&mut self, signals: &Signals) {
        self.pondering = false;
        let Some(hit) = signals.hit() else { return };
        self.origin = hit.at;
        if hit.clock.is_some() {
            self.clock = hit.clock;
        }
        self.plan();
    }

    /// An iteration ended: should the search end, too? `factor` scales the planned time. Thinking on the opponent's
    /// time counts.
    pub fn is_enough(&mut self, factor: f64) -> bool {
        let enough = self.budget.and_then(|b| b.soft).is_some_and(|soft| {
            self.elapsed() >= soft.mul_f64(factor).max(self.settings.minimum_thinking_time)
        });
        self.ripe = enough && self.move_time.is_none();
        self.ripe && !self.pondering
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether or not the referee has added the increment already, the move ends in time.
    #[test]
    fn increments_are_not_counted_twice() {
        let settings = Settings::default();
        let hard = |time, increment| {
            let [time, increment] = [time, increment].map(Duration::from_millis);
            let clock = Clock { time: [time; 2], increment: [increment; 2], ..Clock::default() };
            Budget::new(&clock, Color::Black, 200, &settings).hard
        };
        for time in [100, 110, 150, 200, 400] {
            assert!(hard(time, 100) <= Duration::from_millis(time - 50), "{time}");
        }
        // Below the increment it must come on top.
        for time in [0, 30, 90] {
            assert!(hard(time, 100) > Duration::from_millis(35), "{time}");
            assert!(hard(time, 100) <= Duration::from_millis(time + 50), "{time}");
        }
    }
}
