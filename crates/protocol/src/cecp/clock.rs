//! The time control of a game.

use crate::usi::command::Go;
use sanban_engine::search::Clock;
use sanban_rules::Color;
use std::time::Duration;

#[derive(Clone, Debug, Default)]
pub struct Times {
    /// `level`: moves per time control (0: the whole game), time and increment.
    level: Option<(u32, Duration, Duration)>,
    /// `st`: the time for each move.
    move_time: Option<Duration>,
    /// `sd`: the maximum iteration depth.
    pub depth: Option<u32>,
    /// The engine's clock and the opponent's.
    left: [Option<Duration>; 2],
}

impl Times {
    /// Sets a time control for a number of moves, or for the whole game if `moves` is 0.
    pub fn level(&mut self, moves: u32, base: Duration, increment: Duration) {
        (self.level, self.move_time) = (Some((moves, base, increment)), None);
        self.restart();
    }

    pub fn move_time(&mut self, time: Duration) {
        (self.level, self.move_time) = (None, Some(time));
    }

    /// Resets both clocks for a new game.
    pub fn restart(&mut self) {
        self.left = [self.level.map(|(_, base, _)| base); 2];
    }

    /// Sets the engine's clock.
    pub fn mine(&mut self, left: Duration) {
        self.left[0] = Some(left);
    }

    /// Sets the opponent's clock.
    pub fn theirs(&mut self, left: Duration) {
        self.left[1] = Some(left);
    }

    /// Returns the clock for a search by this side, which has made `moves` moves in the game.
    pub fn clock(&self, side: Color, moves: u32) -> Option<Clock> {
        if let Some(time) = self.move_time {
            return Some(Clock { byoyomi: time, ..Clock::default() });
        }
        let (per_control, base, increment) = self.level?;
        let [mine, theirs] = self.left.map(|left| left.unwrap_or(base));
        let time = if side == Color::Black { [mine, theirs] } else { [theirs, mine] };
        let moves_to_go = (per_control > 0).then(|| per_control - moves % per_control.max(1));
        Some(Clock { time, increment: [increment; 2], moves_to_go, ..Clock::default() })
    }

    pub fn go(&self, side: Color, moves: u32) -> Go {
        Go { clock: self.clock(side, moves), depth: self.depth, ..Go::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn secs(n: u64) -> Duration {
        Duration::from_secs(n)
    }

    #[test]
    fn clocks_belong_to_the_sides() {
        let mut times = Times::default();
        assert_eq!(times.clock(Color::Black, 0), None);
        times.level(40, secs(300), secs(0));
        times.mine(secs(100));
        let clock = times.clock(Color::White, 39).expect("a clock");
        assert_eq!((clock.time, clock.moves_to_go), ([secs(300), secs(100)], Some(1)));
        assert_eq!(times.clock(Color::Black, 40).and_then(|clock| clock.moves_to_go), Some(40));
        times.level(0, secs(60), secs(2));
        let clock = times.clock(Color::Black, 7).expect("a clock");
        assert_eq!((clock.time, clock.increment, clock.moves_to_go), ([secs(60); 2], [secs(2); 2], None));
        times.move_time(secs(3));
        assert_eq!(times.clock(Color::Black, 7).map(|clock| clock.byoyomi), Some(secs(3)));
    }
}
