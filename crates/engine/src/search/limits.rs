//! The limits of a search.

use sanban_rules::{Color, Move};
use std::time::Duration;

/// The times of a game clock. Black is always the first player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    /// Time left for black and white. A time below the increment excludes the increment of this move; any other time is
    /// taken to include it.
    pub time: [Duration; 2],
    /// Increment per move for black and white.
    pub increment: [Duration; 2],
    /// Time for every move once the main time is used up.
    pub byoyomi: Duration,
    /// Moves to the next time control, when the clock has one.
    pub moves_to_go: Option<u32>,
}

impl Clock {
    /// The clock with the sides exchanged: in UCI, white is the first player.
    #[must_use]
    pub fn swapped(self) -> Self {
        let ([black, white], [black_increment, white_increment]) = (self.time, self.increment);
        Self { time: [white, black], increment: [white_increment, black_increment], ..self }
    }

    /// The time that `side` can spend on this move if it is the last one. By the protocol, the increment is added to
    /// the time, but some referees have already included it; only a time below the increment shows that they have not.
    pub fn budget(&self, side: Color) -> Duration {
        let (time, increment) = (self.time[side.index()], self.increment[side.index()]);
        let on_top = if time < increment { increment } else { Duration::ZERO };
        time + on_top + self.byoyomi
    }
}

/// The limits of one search. The first limit reached ends the search; without any, the search runs until it
/// is stopped.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// Deepest iteration.
    pub depth: Option<u32>,
    /// Nodes of all threads together; exact with one thread.
    pub nodes: Option<u64>,
    /// End after the iteration in which this many nodes were reached (self-play).
    pub soft_nodes: Option<u64>,
    /// Time for this move, spent in full unless a mate is found.
    pub move_time: Option<Duration>,
    /// The game clock.
    pub clock: Option<Clock>,
    /// Root moves to consider; empty means all.
    pub search_moves: Vec<Move>,
    /// Think on the opponent's time: clock limits count from `Signals::ponderhit`.
    pub ponder: bool,
    /// The side for which draws are valued; `None`: the side to move.
    pub side: Option<Color>,
    /// Runs until stopped, whatever the result: no answer before `stop`.
    pub infinite: bool,
}
