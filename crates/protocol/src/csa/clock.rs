//! Both clocks of a game, as the server counts them.

use super::summary::TimeControl;
use sanban_engine::search::Clock;
use sanban_rules::Color;
use std::time::Duration;

#[derive(Clone, Debug)]
pub struct Clocks {
    controls: [TimeControl; 2],
    left: [Duration; 2],
}

impl Clocks {
    pub fn new(controls: [TimeControl; 2]) -> Self {
        Self { controls, left: controls.map(|control| control.total) }
    }

    /// Deducts the time of a move, in units of the server, from a clock and adds the increment.
    pub fn spend(&mut self, side: Color, units: u32) {
        let control = &self.controls[side.index()];
        let left = &mut self.left[side.index()];
        *left = (*left + control.increment).saturating_sub(control.unit * units);
    }

    /// The clock for a search; `None` if the game has none. The time includes the increment of the next move.
    pub fn clock(&self) -> Option<Clock> {
        let [black, white] = &self.controls;
        let timed =
            |control: &TimeControl| control.total + control.byoyomi + control.increment > Duration::ZERO;
        if !timed(black) && !timed(white) {
            return None;
        }
        let time = Color::ALL.map(|side| self.left[side.index()] + self.controls[side.index()].increment);
        Some(Clock {
            time,
            increment: [black.increment, white.increment],
            byoyomi: black.byoyomi.min(white.byoyomi),
            ..Clock::default()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_run_as_the_server_counts() {
        let control = TimeControl {
            total: Duration::from_secs(60),
            increment: Duration::from_secs(5),
            ..TimeControl::default()
        };
        let mut clocks = Clocks::new([control; 2]);
        clocks.spend(Color::Black, 12);
        let time = |clocks: &Clocks| clocks.clock().expect("a clock").time.map(|time| time.as_secs());
        assert_eq!(time(&clocks), [58, 65]);
        clocks.spend(Color::Black, 100);
        assert_eq!(time(&clocks), [5, 65]);
        assert_eq!(Clocks::new([TimeControl::default(); 2]).clock(), None);
    }
}
