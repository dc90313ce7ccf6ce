//! Formats the output lines of a search.

use super::output::{Output, lock};
use super::task::Task;
use crate::uci::{Dialect, cecp_text, move_text};
use sanban_engine::mate::{MateMonitor, MateProgress};
use sanban_engine::search::{Bound, Line, Report};
use sanban_rules::score::{DECISIVE, mate_distance};
use sanban_rules::{AnyPosition, Move, Score};
use std::sync::Mutex;

/// Converts the distance of a mate from plies to moves.
fn in_moves(plies: i32) -> i32 {
    (plies + i32::from(plies > 0)) / 2
}

/// Formats a score as `cp X` or `mate N`, with N in plies in USI and in moves otherwise. N is never zero, because zero
/// has no sign and GUIs interpret it differently.
pub fn score(score: Score, dialect: Dialect) -> String {
    let distance = match dialect {
        Dialect::Usi => mate_distance(score),
        Dialect::Uci | Dialect::Cecp => mate_distance(score).map(in_moves),
    };
    match distance {
        Some(n) if score > 0 => format!("mate {}", n.max(1)),
        Some(n) => format!("mate {}", n.min(-1)),
        None => format!("cp {score}"),
    }
}

/// Formats a principal variation for CECP: depth, score, time in centiseconds, nodes, selective depth, nodes per second
/// and tablebase hits, then the moves. A mate in N moves has the score 100000 + N.
fn thinking(pos: &AnyPosition, line: &Line) -> String {
    let score = match mate_distance(line.score).map(in_moves) {
        Some(n) if line.score > 0 => 100_000 + n.max(1),
        Some(n) => -100_000 + n.min(-1),
        None => line.score,
    };
    let nps = u128::from(line.nodes) * 1_000_000 / line.time.as_micros().max(1);
    let (depth, seldepth, nodes) = (line.depth, line.seldepth.max(line.depth), line.nodes);
    let time = line.time.as_millis() / 10;
    let bound = match line.bound {
        Bound::Exact => "",
        Bound::Lower => " !",
        Bound::Upper => " ?",
    };
    let pv = moves(pos, &line.pv, Dialect::Cecp);
    format!("{depth} {score} {time} {nodes} {seldepth} {nps} 0\t{}{bound}", pv.trim_start())
}

/// Formats a principal variation in the given protocol.
pub fn info(pos: &AnyPosition, line: &Line, dialect: Dialect) -> String {
    if dialect == Dialect::Cecp {
        return thinking(pos, line);
    }
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
        // The game is over: `win` or `resign` replaces the PV.
        (true, Dialect::Usi) => text + if line.score > DECISIVE { " win" } else { " resign" },
        _ => text + &moves(pos, &line.pv, dialect),
    }
}

/// Formats the progress of a mate search as an `info` line. No score is known yet.
fn mate_info(pos: &AnyPosition, progress: &MateProgress, dialect: Dialect) -> String {
    let MateProgress { time, nodes, hashfull, line } = progress;
    let nps = u128::from(*nodes) * 1_000_000 / time.as_micros().max(1);
    let (millis, depth, line) = (time.as_millis(), line.len(), moves(pos, line, dialect));
    format!("info depth {depth} nodes {nodes} nps {nps} hashfull {hashfull} time {millis} pv{line}")
}

/// Formats moves, each preceded by a space.
pub fn moves(pos: &AnyPosition, moves: &[Move], dialect: Dialect) -> String {
    moves.iter().map(|&mv| format!(" {}", text(pos, mv, dialect))).collect()
}

/// Formats a move in the notation of the protocol.
pub fn text(pos: &AnyPosition, mv: Move, dialect: Dialect) -> String {
    match dialect {
        Dialect::Usi => pos.display(mv),
        Dialect::Uci => move_text(pos, mv),
        Dialect::Cecp => cecp_text(pos, mv),
    }
}

/// Prints the lines of a search until its task is closed.
pub struct Printer<'a> {
    pos: &'a AnyPosition,
    out: &'a Output,
    search: &'a Task,
    /// The last line of the best move with an exact score.
    last: Mutex<Option<Line>>,
}

impl<'a> Printer<'a> {
    pub fn new(pos: &'a AnyPosition, out: &'a Output, search: &'a Task) -> Self {
        Self { pos, out, search, last: Mutex::new(None) }
    }

    /// Takes the last line of the best move with an exact score.
    pub fn last(&self) -> Option<Line> {
        lock(&self.last).take()
    }
}

impl Report for Printer<'_> {
    fn line(&self, line: &Line) {
        if line.multipv.0 == 1 && line.bound == Bound::Exact {
            *lock(&self.last) = Some(line.clone());
        }
        if !self.search.is_closed() && !self.search.silent {
            self.out.report(&info(self.pos, line, self.out.dialect()));
        }
    }

    fn note(&self, text: &str) {
        if !self.search.is_closed() {
            self.out.note(text);
        }
    }
}

impl MateMonitor for Printer<'_> {
    fn stopped(&self) -> bool {
        self.search.signals.stopped()
    }

    fn progress(&self, progress: &MateProgress) {
        if !self.search.is_closed() {
            self.out.report(&mate_info(self.pos, progress, self.out.dialect()));
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
    fn cecp_adds_mates_to_a_hundred_thousand() {
        let pos = AnyPosition::default();
        let line = |score| Line {
            depth: 3,
            seldepth: 5,
            multipv: (1, 1),
            score,
            bound: Bound::Exact,
            nodes: 2000,
            hashfull: 0,
            time: std::time::Duration::from_millis(1010),
            pv: vec![pos.parse_usi("7g7f").expect("a legal move")],
            last: true,
        };
        let text = |score| info(&pos, &line(score), Dialect::Cecp);
        assert_eq!(text(-31), "3 -31 101 2000 5 1980 0\tc3c4");
        let score = |value| text(value).split(' ').nth(1).map(str::to_string).unwrap_or_default();
        assert_eq!([score(mate_in(1)), score(mate_in(3))], ["100001", "100002"]);
        assert_eq!([score(mated_in(2)), score(mated_in(4))], ["-100001", "-100002"]);
    }

    #[test]
    fn uci_counts_mates_in_moves() {
        let score = |value| score(value, Dialect::Uci);
        assert_eq!((score(mate_in(1)), score(mate_in(3))), ("mate 1".into(), "mate 2".into()));
        assert_eq!((score(mated_in(2)), score(mated_in(4))), ("mate -1".into(), "mate -2".into()));
    }
}
