//! Counts that are split into units, for several runs or machines, and stored as one JSON line per unit.

use super::super::args::position;
use super::super::bar::{COUNT, bar};
use super::super::failure::Failure;
use super::super::text::{note, print};
use rayon::prelude::*;
use sanban_engine::perft::{Kinds, Perft, Unit, units};
use sanban_protocol::usi::totals;
use sanban_rules::{AnyPosition, UnknownVariant, VariantId};
use sanban_system::{Journal, Part, Signed};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The kind of file, as stored in its first line.
const KIND: &str = "perft";

/// The units of the last count, with its game, position and split, for cluster workers that count many shards in one
/// process.
static LISTED: Mutex<Option<(Listed, Arc<[Unit]>)>> = Mutex::new(None);

type Listed = (VariantId, String, u32);

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

/// Checks that a line is intact and was written by this version.
fn sound(line: serde_json::Result<Signed<Count>>, version: &str) -> Result<Count, String> {
    let signed = line.map_err(|error| error.to_string())?;
    if !signed.is_intact() {
        return Err("the checksum does not match".into());
    }
    if signed.version != version {
        return Err(format!("counted by version {}, not {version}", signed.version));
    }
    Ok(signed.work)
}

/// Adds the contribution of a unit to the total; `None` on overflow.
fn add(sum: Option<Kinds>, count: &Count) -> Option<Kinds> {
    sum?.checked_add(count.found(), count.times)
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
    let units = listed(plan, &root);
    let about = About {
        game: plan.game.name().into(),
        position: plan.position.into(),
        depth,
        split,
        units: units.len() as u64,
        kinds: plan.kinds,
        version: env!("CARGO_PKG_VERSION").into(),
    };
    let mut done = BTreeMap::new();
    let journal = plan.out.map(|path| {
        Journal::open(path, KIND, &json!(about), |line, count| {
            match sound(count, &about.version) {
                Ok(count) => drop(done.insert(count.unit, count)),
                Err(error) => note(&format!("{}: line {line}: {error}; recounting", path.display())),
            }
            Ok(())
        })
    });
    let mut journal = journal.transpose()?;
    let mine: Vec<u64> = (0..about.units).filter(|&unit| part.has(unit)).collect();
    done.retain(|&unit, _| part.has(unit));
    if !done.is_empty() {
        note(&format!("{} of {} units already counted", done.len(), mine.len()));
    }
    let old = done.values().try_fold(Kinds::default(), |sum, count| add(Some(sum), count));
    let open: Vec<u64> = mine.into_iter().filter(|unit| !done.contains_key(unit)).collect();
    let begin = Instant::now();
    let counted = run(plan, &root, (&units, depth - split), &open, journal.as_mut())?;
    let Some((sum, news)) =
        old.zip(counted).and_then(|(old, new)| Some((old.checked_add(new, 1)?, new.leaves)))
    else {
        return Err(Failure::Work("the count does not fit in 64 bits".into()));
    };
    let (time, counted) = (begin.elapsed(), open.len() + done.len());
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
    let speed = totals(news, time);
    let speed = speed.lines().last().unwrap_or_default();
    let (leaves, kinds) = (sum.leaves, if plan.kinds { by_kind(&sum) } else { String::new() });
    print(&format!(
        "Units           : {counted} of {}\n{kinds}Nodes searched  : {leaves}\n{speed}",
        about.units
    ))
}

fn listed(plan: &Plan<'_>, root: &AnyPosition) -> Arc<[Unit]> {
    let wanted = (plan.game, plan.position.to_string(), plan.split);
    let mut last = LISTED.lock().unwrap_or_else(PoisonError::into_inner);
    match &*last {
        Some((listed, units)) if *listed == wanted => units.clone(),
        _ => {
            let units: Arc<[Unit]> = units(root, plan.split).into();
            *last = Some((wanted, units.clone()));
            units
        }
    }
}

/// Counts these units in parallel and stores each count. Returns the totals, `None` on overflow.
fn run(
    plan: &Plan<'_>,
    root: &AnyPosition,
    (units, depth): (&[Unit], u32),
    open: &[u64],
    mut journal: Option<&mut Journal>,
) -> Result<Option<Kinds>, Failure> {
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
        let mut sum = Some(Kinds::default());
        for count in counts {
            sum = add(sum, &count);
            let written =
                journal.as_deref_mut().map_or(Ok(()), |journal| journal.append(&Signed::new(count)));
            if let Err(error) = written {
                failed.store(true, Ordering::Relaxed);
                return Err(Failure::Work(error.to_string()));
            }
            bar.inc(1);
        }
        bar.finish_and_clear();
        Ok(sum)
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
    let mut about: Option<Value> = None;
    let mut counts: BTreeMap<u64, Count> = BTreeMap::new();
    for path in paths {
        let mut lines = Vec::new();
        let found = Journal::read(path, KIND, |line, count| {
            lines.push((line, count));
            Ok(())
        });
        let found = found?;
        if about.is_some() && found.is_some() && found != about {
            return Err(Failure::Request(format!(
                "{}: belongs to a different count from the previous file",
                path.display()
            )));
        }
        about = found.or(about);
        for (line, count) in lines {
            take(path, line, count, &mut counts)?;
        }
    }
    let about = about.and_then(|about| serde_json::from_value::<About>(about).ok());
    let Some(about) = about else {
        return Err(Failure::Request(format!("{}: contains no counts", paths[0].display())));
    };
    let game: VariantId =
        about.game.parse().map_err(|error: UnknownVariant| Failure::Request(error.to_string()))?;
    conclude(game, &about, &counts)
}

/// Adds a line of a file. A damaged line is ignored: its unit may be in another file.
fn take(
    path: &Path,
    line: usize,
    count: serde_json::Result<Signed<Count>>,
    counts: &mut BTreeMap<u64, Count>,
) -> Result<(), Failure> {
    let place = format!("{}: line {line}", path.display());
    let count = match sound(count, env!("CARGO_PKG_VERSION")) {
        Ok(count) => count,
        Err(error) => {
            note(&format!("{place}: {error}; skipped"));
            return Ok(());
        }
    };
    match counts.get(&count.unit) {
        Some(known) if known.found() != count.found() => {
            let (unit, first, second) = (count.unit, known.found(), count.found());
            Err(Failure::Work(format!("{place}: unit {unit} was counted as {first} and as {second}")))
        }
        _ => {
            counts.insert(count.unit, count);
            Ok(())
        }
    }
}

fn conclude(game: VariantId, about: &About, counts: &BTreeMap<u64, Count>) -> Result<(), Failure> {
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
    let missing = (0..about.units).filter(|unit| !counts.contains_key(unit));
    let mut missing = missing.peekable();
    if let Some(&first) = missing.peek() {
        let many = missing.count();
        let all = about.units;
        return Err(Failure::Work(format!("{many} of {all} units are missing; the first is {first}")));
    }
    let (mut sum, mut us) = (Some(Kinds::default()), 0);
    for (&number, count) in counts {
        let fits = units
            .get(number as usize)
            .is_some_and(|unit| unit.times == count.times && line(&root, unit) == count.moves);
        if !fits {
            return Err(Failure::Work(format!(
                "unit {number} does not match its moves {} ({} times)",
                count.moves, count.times
            )));
        }
        sum = add(sum, count);
        us += count.us;
    }
    let Some(sum) = sum else {
        return Err(Failure::Work("the count does not fit in 64 bits".into()));
    };
    let kinds = if about.kinds { by_kind(&sum) } else { String::new() };
    let totals = totals(sum.leaves, Duration::from_micros(us));
    print(&format!("Units           : {0} of {0}\n{kinds}{totals}", about.units))
}
