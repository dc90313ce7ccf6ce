//! Counts that are split into units, for several runs or machines.

use super::super::args::position;
use super::super::bar::{COUNT, bar};
use super::super::failure::Failure;
use super::super::text::{note, print};
use super::super::units::Units;
use sanban_engine::perft::{Kinds, Perft, units};
use sanban_lab::jobs::{ByKind, CountAbout, CountJob};
use sanban_protocol::usi::totals;
use sanban_rules::{UnknownVariant, VariantId};
use serde_json::json;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Counts the open units and prints the total.
pub(super) fn count(mut counts: Units<CountJob>, threads: usize, as_json: bool) -> Result<(), Failure> {
    if !counts.done.is_empty() {
        let (old, open) = (counts.done.len(), counts.open.len());
        note(&format!("{old} of {} units already counted", old + open));
    }
    let old = counts.total()?.leaves;
    let bar = bar(counts.open.len() as u64, COUNT);
    let begin = Instant::now();
    counts.run(threads, |_| {
        bar.inc(1);
        Ok(())
    })?;
    bar.finish_and_clear();
    let time = begin.elapsed();
    if !as_json {
        return report(&counts, old, time);
    }
    let (CountJob { about, root, .. }, sum) = (&counts.job, counts.total()?);
    let mut out = json!({
        "sfen": root.sfen(),
        "depth": about.depth,
        "units": [counts.done.len(), counts.job.units.len()],
        "nodes": sum.leaves,
        "seconds": time.as_secs_f64(),
    });
    if about.kinds {
        out["kinds"] = json!(ByKind::from(sum));
    }
    print(&out.to_string())
}

/// Prints the total. The speed does not include the leaves counted earlier.
fn report(counts: &Units<CountJob>, earlier: u64, time: Duration) -> Result<(), Failure> {
    let CountAbout { units, kinds, .. } = counts.job.about;
    let Kinds { leaves, captures, promotions, drops, checks, mates } = counts.total()?;
    let mut text = format!("Units           : {} of {units}\n", counts.done.len());
    if kinds {
        text += &format!("Captures        : {captures}\nPromotions      : {promotions}\n");
        text +=
            &format!("Drops           : {drops}\nChecks          : {checks}\nMates           : {mates}\n");
    }
    let speed = totals(leaves - earlier, time);
    let speed = speed.lines().last().unwrap_or_default();
    print(&format!("{text}Nodes searched  : {leaves}\n{speed}"))
}

/// The count that a file describes.
fn described(about: CountAbout) -> Result<CountJob, Failure> {
    let game: VariantId =
        about.game.parse().map_err(|error: UnknownVariant| Failure::Request(error.to_string()))?;
    let root = position(game, &about.position)?;
    let units = units(&root, about.split);
    if units.len() as u64 != about.units {
        let (found, CountAbout { units, split, .. }) = (units.len(), about);
        return Err(Failure::Work(format!("{found} units instead of {units} after {split} plies")));
    }
    Ok(CountJob { about, root, units, perft: Perft::default() })
}

/// Combines the files of all shards, which must be complete and consistent.
pub(super) fn tally(paths: &[PathBuf]) -> Result<(), Failure> {
    let counts = Units::combine(paths, described)?;
    let us = counts.done.values().map(|count| count.us).sum();
    report(&counts, 0, Duration::from_micros(us))
}
