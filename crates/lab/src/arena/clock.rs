//! The time limits of a player: the words after `go`, and the game clock.

use sanban_rules::Color;
use std::fmt::{self, Write as _};
use std::str::FromStr;
use std::time::Duration;

/// The limits of a player: `nodes N`, `depth N`, `movetime N`, or a game clock of `btime N`, `wtime N`, `binc N`,
/// `winc N` and `byoyomi N`, in milliseconds. All given limits apply together.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Go {
    text: String,
    /// The limits in every `go` command: `nodes`, `depth` and `movetime`.
    fixed: String,
    move_time: Option<u64>,
    clock: Option<Times>,
}

/// A game clock, in milliseconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Times {
    main: [u64; 2],
    increment: [u64; 2],
    byoyomi: u64,
}

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum GoError {
    #[error("no limit is given")]
    Nothing,
    #[error("{0}: expected nodes, depth, movetime or clock times")]
    Word(String),
    #[error("{word} must be followed by a number, not '{value}'")]
    Number { word: String, value: String },
    #[error("{0} is given twice")]
    Twice(String),
    #[error("{0} requires {1}")]
    Half(&'static str, &'static str),
    #[error("the clock has no time")]
    NoTime,
    #[error("{0} must not be 0")]
    Zero(String),
}

impl FromStr for Go {
    type Err = GoError;

    fn from_str(text: &str) -> Result<Self, GoError> {
        let mut go = Self { text: text.split_whitespace().collect::<Vec<_>>().join(" "), ..Self::default() };
        let mut words = text.split_whitespace();
        let mut seen: Vec<&str> = Vec::new();
        while let Some(word) = words.next() {
            let value = words.next().unwrap_or_default();
            let number = || {
                let number = value.parse::<u64>().ok().filter(|&n| n <= 1_000_000_000_000);
                number.ok_or_else(|| GoError::Number { word: word.into(), value: value.into() })
            };
            if seen.contains(&word) {
                return Err(GoError::Twice(word.into()));
            }
            seen.push(word);
            match word {
                "nodes" | "depth" | "movetime" => {
                    let number = number()?;
                    if number == 0 {
                        return Err(GoError::Zero(word.into()));
                    }
                    if word == "movetime" {
                        go.move_time = Some(number);
                    }
                    let _ = write!(go.fixed, " {word} {number}");
                }
                "btime" => go.times().main[0] = number()?,
                "wtime" => go.times().main[1] = number()?,
                "binc" => go.times().increment[0] = number()?,
                "winc" => go.times().increment[1] = number()?,
                "byoyomi" => go.times().byoyomi = number()?,
                _ => return Err(GoError::Word(word.into())),
            }
        }
        if seen.is_empty() {
            return Err(GoError::Nothing);
        }
        for pair in [["btime", "wtime"], ["binc", "winc"]] {
            for [one, other] in [pair, [pair[1], pair[0]]] {
                if seen.contains(&one) && !seen.contains(&other) {
                    return Err(GoError::Half(one, other));
                }
            }
        }
        let has_time = |times: Times| {
            times.byoyomi > 0 || (0..2).all(|side| times.main[side] + times.increment[side] > 0)
        };
        if go.clock.is_some_and(|times| !has_time(times)) {
            return Err(GoError::NoTime);
        }
        Ok(go)
    }
}

impl fmt::Display for Go {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Go {
    /// The limits with every time multiplied by a factor; nodes and depth are unchanged.
    pub fn scaled(&self, factor: f64) -> Self {
        let scale = |time: u64| (time as f64 * factor).round() as u64;
        let mut words = self.text.split(' ');
        let mut text = Vec::new();
        while let (Some(word), Some(value)) = (words.next(), words.next()) {
            let number: u64 = value.parse().unwrap_or_default();
            let is_count = matches!(word, "nodes" | "depth");
            text.push(format!(
                "{word} {}",
                if is_count { number } else { scale(number).max(u64::from(number > 0)) }
            ));
        }
        text.join(" ").parse().unwrap_or_else(|_| self.clone())
    }

    pub(super) fn has_nodes(&self) -> bool {
        self.fixed.contains(" nodes")
    }

    fn times(&mut self) -> &mut Times {
        self.clock.get_or_insert_default()
    }
}

#[derive(Clone, Debug)]
pub struct Clock<'a> {
    go: &'a Go,
    side: Color,
    /// Main time left, in milliseconds.
    left: u64,
}

impl<'a> Clock<'a> {
    pub fn new(go: &'a Go, side: Color) -> Self {
        Self { go, side, left: go.clock.map_or(0, |times| times.main[side.index()]) }
    }

    /// Starts the turn of the side by adding its increment.
    pub fn turn(&mut self) {
        self.left += self.increment();
    }

    fn increment(&self) -> u64 {
        self.go.clock.map_or(0, |times| times.increment[self.side.index()])
    }

    /// The maximum time for this move; `None` means no limit.
    pub fn limit(&self) -> Option<Duration> {
        let by_clock = self.go.clock.map(|times| self.left + times.byoyomi);
        let least = by_clock.into_iter().chain(self.go.move_time).min();
        least.map(Duration::from_millis)
    }

    pub fn spend(&mut self, took: Duration) {
        self.left = self.left.saturating_sub(took.as_millis() as u64);
    }

    /// Appends the command for the side to move, with `mode` after `go`. If the opponent has no game clock, the same
    /// times are sent for the opponent.
    pub fn write_go(&self, mode: &str, opponent: &Self, out: &mut String) {
        out.push_str("go");
        out.push_str(mode);
        out.push_str(&self.go.fixed);
        if let Some(times) = self.go.clock {
            let other = if opponent.go.clock.is_some() { opponent } else { self };
            let (black, white) = if self.side == Color::Black { (self, other) } else { (other, self) };
            let _ = write!(out, " btime {} wtime {}", black.left, white.left);
            if black.increment() + white.increment() > 0 {
                let _ = write!(out, " binc {} winc {}", black.increment(), white.increment());
            }
            if self.increment() == 0 || times.byoyomi > 0 {
                let _ = write!(out, " byoyomi {}", times.byoyomi);
            }
        }
        out.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn go(text: &str) -> Go {
        text.parse().expect("valid limits")
    }

    fn said(mine: &Clock, other: &Clock) -> String {
        let mut out = String::new();
        mine.write_go("", other, &mut out);
        out
    }

    #[test]
    fn what_is_no_limit_is_refused() {
        for text in ["nodes", "nodes x", "nodes -1", "nodes 5 depth"] {
            assert!(matches!(text.parse::<Go>(), Err(GoError::Number { .. })), "{text}");
        }
        assert_eq!("".parse::<Go>(), Err(GoError::Nothing));
        assert_eq!("nodes 0".parse::<Go>(), Err(GoError::Zero("nodes".into())));
        assert_eq!("ponder 1".parse::<Go>(), Err(GoError::Word("ponder".into())));
        assert_eq!("infinite".parse::<Go>(), Err(GoError::Word("infinite".into())));
    }

    #[test]
    fn fixed_limits_are_said_as_they_are() {
        let (a, b) = (go("nodes 5000"), go("movetime 100 depth 9"));
        let (a, b) = (Clock::new(&a, Color::Black), Clock::new(&b, Color::White));
        assert_eq!((said(&a, &b), a.limit()), ("go nodes 5000\n".into(), None));
        assert_eq!(said(&b, &a), "go movetime 100 depth 9\n");
        assert_eq!(b.limit(), Some(Duration::from_millis(100)));
    }

    #[test]
    fn clocks_run_down() {
        let both = go("btime 1000 wtime 2000 byoyomi 50");
        let (mut a, b) = (Clock::new(&both, Color::Black), Clock::new(&both, Color::White));
        a.turn();
        assert_eq!(said(&a, &b), "go btime 1000 wtime 2000 byoyomi 50\n");
        assert_eq!(a.limit(), Some(Duration::from_millis(1050)));
        a.spend(Duration::from_millis(1040));
        a.turn();
        assert_eq!(said(&b, &a), "go btime 0 wtime 2000 byoyomi 50\n");
        assert_eq!(a.limit(), Some(Duration::from_millis(50)));
    }

    #[test]
    fn odds_change_times_alone() {
        let text = |text: &str, factor| go(text).scaled(factor).to_string();
        assert_eq!(text("btime 1000 wtime 0 byoyomi 51", 0.5), "btime 500 wtime 0 byoyomi 26");
        assert_eq!(text("movetime 100 nodes 70 depth 3", 2.0), "movetime 200 nodes 70 depth 3");
        assert_eq!(text("movetime 1", 0.1), "movetime 1");
    }

    #[test]
    fn increments_come_before_the_move() {
        let both = go("btime 1000 wtime 1000 binc 100 winc 200");
        let (mut a, mut b) = (Clock::new(&both, Color::Black), Clock::new(&both, Color::White));
        a.turn();
        assert_eq!(said(&a, &b), "go btime 1100 wtime 1000 binc 100 winc 200\n");
        assert_eq!(a.limit(), Some(Duration::from_millis(1100)));
        a.spend(Duration::from_millis(50));
        b.turn();
        assert_eq!(said(&b, &a), "go btime 1050 wtime 1200 binc 100 winc 200\n");
    }

    #[test]
    fn an_opponent_without_a_clock_has_the_same_times() {
        let (a, b) = (go("byoyomi 100"), go("nodes 10"));
        let (a, b) = (Clock::new(&a, Color::White), Clock::new(&b, Color::Black));
        assert_eq!(said(&a, &b), "go btime 0 wtime 0 byoyomi 100\n");
    }
}
