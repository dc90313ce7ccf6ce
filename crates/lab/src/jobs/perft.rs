//! Counts of leaves, split into the distinct positions a few plies below the root.

use super::Job;
use sanban_engine::perft::{Kinds, Perft, Unit};
use sanban_rules::{AnyPosition, Move};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::time::Instant;

/// The description of a count.
#[derive(Serialize, Deserialize)]
pub struct CountAbout {
    pub game: String,
    /// The root, as on the command line.
    pub position: String,
    /// Depth in plies.
    pub depth: u32,
    pub split: u32,
    pub units: u64,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub kinds: bool,
    pub version: String,
}

/// A count of leaves.
pub struct CountJob {
    pub about: CountAbout,
    pub root: AnyPosition,
    pub units: Vec<Unit>,
    /// Counts a unit on the calling thread.
    pub perft: Perft,
}

/// The count of a unit.
#[derive(Serialize, Deserialize)]
pub struct Count {
    /// Number of the unit, from 0.
    unit: u64,
    /// A move sequence that leads to the unit.
    moves: String,
    /// Number of move sequences that lead to the unit.
    times: u64,
    /// Number of leaves below the unit.
    nodes: u64,
    /// The leaves by the kind of the last move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    kinds: Option<ByKind>,
    /// Time taken in microseconds.
    pub us: u64,
}

/// The fields of [`Kinds`] except the number of leaves.
#[derive(Clone, Copy, Default, Serialize, Deserialize)]
pub struct ByKind {
    captures: u64,
    promotions: u64,
    drops: u64,
    checks: u64,
    mates: u64,
}

impl From<Kinds> for ByKind {
    fn from(Kinds { leaves: _, captures, promotions, drops, checks, mates }: Kinds) -> Self {
        Self { captures, promotions, drops, checks, mates }
    }
}

impl Count {
    /// The leaves of the unit; the kinds are 0 unless they were counted.
    fn found(&self) -> Kinds {
        let ByKind { captures, promotions, drops, checks, mates } = self.kinds.unwrap_or_default();
        Kinds { leaves: self.nodes, captures, promotions, drops, checks, mates }
    }
}

impl CountJob {
    fn line(&self, moves: &[Move]) -> String {
        moves.iter().map(|&mv| self.root.display(mv)).collect::<Vec<_>>().join(" ")
    }
}

impl Job for CountJob {
    const KIND: &'static str = "perft";
    const WORDS: [&'static str; 2] = ["units", "recounting"];
    type Unit = Count;
    type Total = Kinds;

    fn plan(&self) -> (Value, u64) {
        (json!(self.about), self.about.units)
    }

    fn number(unit: &Count) -> u64 {
        unit.unit
    }

    fn run(&self, unit: u64) -> Option<Count> {
        let Unit { moves, times } = &self.units[unit as usize];
        let (mut pos, depth) = (self.root.clone(), self.about.depth - self.about.split);
        moves.iter().for_each(|&mv| pos.play(mv));
        let begin = Instant::now();
        let (nodes, kinds) = if self.about.kinds {
            let kinds = self.perft.kinds(&pos, depth);
            (kinds.leaves, Some(kinds.into()))
        } else {
            (self.perft.total(&pos, depth), None)
        };
        let us = begin.elapsed().as_micros() as u64;
        Some(Count { unit, moves: self.line(moves), times: *times, nodes, kinds, us })
    }

    fn check(&self, count: &Count, known: Option<&Count>) -> Option<String> {
        let Count { unit, moves, times, .. } = count;
        let planned = usize::try_from(*unit).ok().and_then(|unit| self.units.get(unit));
        if !planned.is_some_and(|unit| unit.times == *times && self.line(&unit.moves) == *moves) {
            return Some(format!("unit {unit} does not match its moves {moves} ({times} times)"));
        }
        let (first, second) = (known?.found(), count.found());
        (first != second).then(|| format!("unit {unit} was counted as {first} and as {second}"))
    }

    fn merge(&self, counts: &BTreeMap<u64, Count>) -> Option<Kinds> {
        let add = |sum: Kinds, count: &Count| sum.checked_add(count.found(), count.times);
        counts.values().try_fold(Kinds::default(), add)
    }
}
