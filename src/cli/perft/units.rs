//! Counts that are split into units, for several runs or machines.

use super::super::args::position;
use super::super::bar::{COUNT, bar};
use super::super::failure::Failure;
use super::super::text::{note, print};
use super::super::units::{self as files, Units};
use rayon::prelude::*;
use sanban_engine::perft::{Kinds, Perft, Unit, units};
use sanban_protocol::usi::totals;
use sanban_rules::{AnyPosition, UnknownVariant, VariantId};
use sanban_system::Part;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::time::{Duration, Instant};

pub(super) struct Plan<'a> {
    pub game: VariantId,
    /// The root, as on the command line.
    pub position: &'a str,
    /// Depth in plies.
    pub depth: u32,
    pub split: u32,
    pub threads: usize,
    /// Size of the subtree table in megabytes.
    pub hash: usize,
    pub kinds: bool,
    pub part: Part,
    pub out: Option<&'a Path>,
    pub json: bool,
}

/// The header of a file of counts.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
struct About {
    game: String,
    position: String,
    depth: u32,
    split: u32,
    units: u64,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    kinds: bool,
    version: String,
}

#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Count {
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
    us: u64,
}

/// The fields of [`Kinds`] except the number of leaves.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct ByKind {
    captures: u64,
    promotions: u64,
    drops: u64,
    checks: u64,
    mates: u64,
}

impl Count {
    /// The leaves of the unit; the kinds are 0 unless they were counted.
    fn found(&self) -> Kinds {
        let leaves = self.nodes;
        match self.kinds {
            None => Kinds { leaves, ..Kinds::default() },
            Some(ByKind { captures, promotions, drops, checks, mates }) => {
                Kinds { leaves, captures, promotions, drops, checks, mates }
            }
        }
    }
}

impl files::Unit for Count {
    const JOB: &'static str = "perft";
    const WORDS: [&'static str; 2] = ["units", "recounting"];

    fn number(&self) -> u64 {
        self.unit
    }

    fn difference(&self, other: &Self) -> Option<String> {
        let (first, second) = (self.found(), other.found());
        (first != second).then(|| format!("unit {} was counted as {first} and as {second}", self.unit))
    }
}

fn total<'a>(mut counts: impl Iterator<Item = &'a Count>) -> Result<Kinds, Failure> {
    let sum = counts.try_fold(Kinds::default(), |sum, count| sum.checked_add(count.found(), count.times));
    sum.ok_or_else(|| Failure::Work("the count does not fit in 64 bits".into()))
}

/// The totals of the kinds, one line each.
fn by_kind(sum: &Kinds) -> String {
    let &Kinds { leaves: _, captures, promotions, drops, checks, mates } = sum;
    let lines = [
        ("Captures", captures),
        ("Promotions", promotions),
        ("Drops", drops),
        ("Checks", checks),
        ("Mates", mates),
    ];
    lines.iter().map(|(kind, count)| format!("{kind:<16}: {count}\n")).collect()
}

/// Counts the units of a shard that are not yet in the file.
pub(super) fn count(plan: &Plan<'_>) -> Result<(), Failure> {
    let &Plan { depth, split, part, .. } = plan;
    if split > depth {
        return Err(Failure::Request(format!("--split {split}: deeper than the count of {depth} plies")));
    }
    if plan.kinds && split == depth && depth > 0 {
        return Err(Failure::Request(format!(
            "--kinds needs units above the last move: --split {}",
            depth - 1
        )));
    }
    let root = position(plan.game, plan.position)?;
    let units = units(&root, split);
    let about = About {
        game: plan.game.name().into(),
        position: plan.position.into(),
        depth,
        split,
        units: units.len() as u64,
        kinds: plan.kinds,
        version: env!("CARGO_PKG_VERSION").into(),
    };
    let mut stored = Units::<Count>::open(plan.out, &json!(about), part)?;
    let mine: Vec<u64> = (0..about.units).filter(|&unit| part.has(unit)).collect();
    if !stored.done.is_empty() {
        note(&format!("{} of {} units already counted", stored.done.len(), mine.len()));
    }
    let old = total(stored.done.values())?.leaves;
    let open: Vec<u64> = mine.into_iter().filter(|unit| !stored.done.contains_key(unit)).collect();
    let begin = Instant::now();
    run(plan, &root, (&units, depth - split), &open, &mut stored)?;
    let (time, counted, sum) = (begin.elapsed(), stored.done.len(), total(stored.done.values())?);
    if plan.json {
        let mut out = json!({
            "sfen": root.sfen(),
            "depth": depth,
            "units": [counted, about.units],
            "nodes": sum.leaves,
            "seconds": time.as_secs_f64(),
        });
        if plan.kinds {
            let Kinds { captures, promotions, drops, checks, mates, .. } = sum;
            out["kinds"] = json!(ByKind { captures, promotions, drops, checks, mates });
        }
        return print(&out.to_string());
    }
    // The speed includes only the units that this run has counted.
    let speed = totals(sum.leaves - old, time);
    let speed = speed.lines().last().unwrap_or_default();
    let (leaves, kinds) = (sum.leaves, if plan.kinds { by_kind(&sum) } else { String::new() });
    print(&format!(
        "Units           : {counted} of {}\n{kinds}Nodes searched  : {leaves}\n{speed}",
        about.units
    ))
}

/// Counts these units in parallel and stores each count.
fn run(
    plan: &Plan<'_>,
    root: &AnyPosition,
    (units, depth): (&[Unit], u32),
    open: &[u64],
    stored: &mut Units<Count>,
) -> Result<(), Failure> {
    let perft = Perft::new(1, plan.hash).map_err(|e| e.to_string())?;
    let threads = rayon::ThreadPoolBuilder::new().num_threads(plan.threads).build();
    let threads = threads.map_err(|error| Failure::Work(format!("cannot start threads: {error}")))?;
    let bar = bar(0, COUNT);
    bar.set_length(open.len() as u64);
    let (failed, (sender, counts)) = (AtomicBool::new(false), channel());
    std::thread::scope(|scope| {
        scope.spawn(|| {
            threads.install(|| {
                let one = |sender: &mut Sender<Count>, &unit: &u64| {
                    // After a write error, further counts would not be stored.
                    if !failed.load(Ordering::Relaxed) {
                        let _ = sender.send(count_one(
                            &perft,
                            plan.kinds,
                            root,
                            &units[unit as usize],
                            depth,
                            unit,
                        ));
                    }
                };
                open.par_iter().with_max_len(1).for_each_with(sender, one);
            });
        });
        for count in counts {
            stored.add(count).inspect_err(|_| failed.store(true, Ordering::Relaxed))?;
            bar.inc(1);
        }
        bar.finish_and_clear();
        Ok(())
    })
}

fn count_one(perft: &Perft, by_kind: bool, root: &AnyPosition, of: &Unit, depth: u32, unit: u64) -> Count {
    let mut pos = root.clone();
    of.moves.iter().for_each(|&mv| pos.play(mv));
    let begin = Instant::now();
    let (nodes, kinds) = if by_kind {
        let Kinds { leaves, captures, promotions, drops, checks, mates } = perft.kinds(&pos, depth);
        (leaves, Some(ByKind { captures, promotions, drops, checks, mates }))
    } else {
        (perft.total(&pos, depth), None)
    };
    let us = begin.elapsed().as_micros() as u64;
    Count { unit, moves: line(root, of), times: of.times, nodes, kinds, us }
}

fn line(root: &AnyPosition, unit: &Unit) -> String {
    unit.moves.iter().map(|&mv| root.display(mv)).collect::<Vec<_>>().join(" ")
}

/// Combines the files of all shards, which must be complete and consistent.
pub(super) fn tally(paths: &[PathBuf]) -> Result<(), Failure> {
    let (about, counts) = files::combine::<About, Count>(paths, |about| about.units)?;
    let game: VariantId =
        about.game.parse().map_err(|error: UnknownVariant| Failure::Request(error.to_string()))?;
    let root = position(game, &about.position)?;
    let units = units(&root, about.split);
    if units.len() as u64 != about.units {
        return Err(Failure::Work(format!(
            "{} units instead of {} after {} plies",
            units.len(),
            about.units,
            about.split
        )));
    }
    for count in counts.values() {
        let fits = units
            .get(count.unit as usize)
            .is_some_and(|unit| unit.times == count.times && line(&root, unit) == count.moves);
        if !fits {
            return Err(Failure::Work(format!(
                "unit {} does not match its moves {} ({} times)",
                count.unit, count.moves, count.times
            )));
        }
    }
    let (sum, us) = (total(counts.values())?, counts.values().map(|count| count.us).sum());
    let kinds = if about.kinds { by_kind(&sum) } else { String::new() };
    let totals = totals(sum.leaves, Duration::from_micros(us));
    print(&format!("Units           : {0} of {0}\n{kinds}{totals}", about.units))
}
