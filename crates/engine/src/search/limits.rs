//! The limits of a search.

use sanban_rules::{Color, Move};
use std::time::Duration;

/// The times of a game clock. Black is always the first player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    /// Time left for black and white. A time below the increment does not include the increment of this move; any other
    /// time is assumed to include it.
    pub time: [Duration; 2],
    /// Increment per move for black and white.
    pub increment: [Duration; 2],
    /// Time for every move once the main time is used up.
    pub byoyomi: Duration,
    /// Number of moves to the next time control, if the clock has one.
    pub moves_to_go: Option<u32>,
}

impl Clock {
    /// Returns the clock with the sides swapped: in UCI, white is the first player.
    #[must_use]
    pub fn swapped(self) -> Self {
        let ([black, white], [black_increment, white_increment]) = (self.time, self.increment);
        Self { time: [white, black], increment: [white_increment, black_increment], ..self }
    }

    /// The time that `side` can spend on this move if it is the last one. According to the protocol, the increment is
    /// added to the time, but some referees have already included it; only a time below the increment shows that they
    /// have not.
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
    /// Maximum depth of an iteration, in plies.
    pub depth: Option<u32>,
    /// Maximum number of nodes of all threads together; exact with one thread.
    pub nodes: Option<u64>,
    /// Ends the search after the iteration in which this many nodes are reached (self-play).
    pub soft_nodes: Option<u64>,
    /// Time for this move, spent in full unless a mate is found.
    pub move_time: Option<Duration>,
    /// The game clock.
    pub clock: Option<Clock>,
    /// Root moves to consider; empty means all.
    pub search_moves: Vec<Move>,
    /// Ponder on the opponent's time: clock limits count from `Signals::ponderhit`.
    pub ponder: bool,
    /// The side whose draw value is used; `None`: the side to move.
    pub side: Option<Color>,
    /// Answer as UCI and CECP require: with a move exactly when there is a legal one, even after a rule has ended the
    /// game.
    pub always_moves: bool,
    /// Search until stopped: no answer may be given before `stop`.
    pub infinite: bool,
}
