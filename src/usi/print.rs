//! Formats the output lines of a search.

use super::output::Output;
use super::task::Task;
use crate::dialect::{Dialect, move_text};
use sanban_engine::mate::{MateMonitor, MateProgress};
use sanban_engine::search::{Bound, Line, Report};
use sanban_rules::score::{DECISIVE, mate_distance};
use sanban_rules::{Move, Position, Score};
use std::marker::PhantomData;

/// `cp X` or `mate N`, in plies, or in moves over UCI. The distance is at least 1: zero has no sign, and GUIs interpret
/// it differently.
pub fn score(score: Score, dialect: Dialect) -> String {
    let distance = match dialect {
        Dialect::Usi => mate_distance(score),
        Dialect::Uci => mate_distance(score).map(|plies| (plies + i32::from(plies > 0)) / 2),
    };
    match distance {
        Some(n) if score > 0 => format!("mate {}", n.max(1)),
        Some(n) => format!("mate {}", n.min(-1)),
        None => format!("cp {score}"),
    }
}

/// The `info` line of a principal variation.
pub fn info<P: Position>(line: &Line, dialect: Dialect) -> String {
    let millis = line.time.as_millis();
    let nps = u128::from(line.nodes) * 1_000_000 / line.time.as_micros().max(1);
    let mut text = format!("info depth {} seldepth {}", line.depth, line.seldepth.max(line.depth));
    let (rank, of) = line.multipv;
    if of > 1 {
        text += &format!(" multipv {rank}");
    }
    text += &format!(" score {}", score(line.score, dialect));
    text += match line.bound {
        Bound::Exact => "",
        Bound::Lower => " lowerbound",
        Bound::Upper => " upperbound",
    };
    text += &format!(" nodes {} nps {nps} hashfull {} time {millis} pv", line.nodes, line.hashfull);
    match (line.pv.is_empty(), dialect) {
        // The game is over: the answer replaces the PV.
        (true, Dialect::Usi) => text + if line.score > DECISIVE { " win" } else { " resign" },
        _ => text + &moves::<P>(&line.pv, dialect),
    }
}

/// The `info` line of a mate problem. No score is known yet.
fn mate_info<P: Position>(progress: &MateProgress, dialect: Dialect) -> String {
    let MateProgress { time, nodes, hashfull, line } = progress;
    let nps = u128::from(*nodes) * 1_000_000 / time.as_micros().max(1);
    let (millis, depth, line) = (time.as_millis(), line.len(), moves::<P>(line, dialect));
    format!("info depth {depth} nodes {nodes} nps {nps} hashfull {hashfull} time {millis} pv{line}")
}

/// Moves, each after a space.
pub fn moves<P: Position>(moves: &[Move], dialect: Dialect) -> String {
    moves.iter().map(|&mv| format!(" {}", text::<P>(mv, dialect))).collect()
}

/// A move in the notation of the protocol.
pub fn text<P: Position>(mv: Move, dialect: Dialect) -> String {
    match dialect {
        Dialect::Usi => P::usi(mv),
        Dialect::Uci => move_text::<P>(mv),
    }
}

/// Prints the lines of a search as long as its answer is wanted.
pub struct Printer<'a, P> {
    out: &'a Output,
    search: &'a Task,
    game: PhantomData<fn() -> P>,
}

impl<'a, P: Position> Printer<'a, P> {
    /// A printer for one search.
    pub fn new(out: &'a Output, search: &'a Task) -> Self {
        Self { out, search, game: PhantomData }
    }
}

impl<P: Position> Report for Printer<'_, P> {
    fn line(&self, line: &Line) {
        if !self.search.is_closed() {
            self.out.line(&info::<P>(line, self.out.dialect()));
        }
    }

    fn note(&self, text: &str) {
        if !self.search.is_closed() {
            self.out.note(text);
        }
    }
}

impl<P: Position> MateMonitor for Printer<'_, P> {
    fn stopped(&self) -> bool {
        self.search.signals.stopped()
    }

    fn progress(&self, progress: &MateProgress) {
        if !self.search.is_closed() {
            self.out.line(&mate_info::<P>(progress, self.out.dialect()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sanban_rules::score::{MATE, mate_in, mated_in};

    #[test]
    fn mates_have_a_sign_and_are_never_zero() {
        let score = |value| score(value, Dialect::Usi);
        assert_eq!(score(0), "cp 0");
        assert_eq!(score(-31), "cp -31");
        assert_eq!(score(mate_in(1)), "mate 1");
        assert_eq!(score(mate_in(9)), "mate 9");
        assert_eq!(score(mated_in(4)), "mate -4");
        assert_eq!((score(MATE), score(-MATE)), ("mate 1".into(), "mate -1".into()));
    }

    #[test]
    fn uci_counts_mates_in_moves() {
        let score = |value| score(value, Dialect::Uci);
        assert_eq!((score(mate_in(1)), score(mate_in(3))), ("mate 1".into(), "mate 2".into()));
        assert_eq!((score(mated_in(2)), score(mated_in(4))), ("mate -1".into(), "mate -2".into()));
    }
}
