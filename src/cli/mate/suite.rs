//! Suites of problems with known answers, which can be split across runs and machines.

use super::super::bar::bar;
use super::super::failure::Failure;
use super::super::text::{note, print, read_lines};
use super::super::units::Units;
use sanban_engine::mate::MateLimits;
use sanban_lab::jobs::{Answer, SuiteJob, problem};
use sanban_system::Part;
use std::path::{Path, PathBuf};

/// Solves the open problems of a shard and counts the answers.
pub(super) fn run(path: &Path, limits: MateLimits, out: Option<&Path>, part: Part) -> Result<(), Failure> {
    let mut answers = Units::open(SuiteJob::new(read_lines(path, problem)?, limits), out, part)?;
    if !answers.done.is_empty() {
        note(&format!("{} answers already present", answers.done.len()));
    }
    let bar = bar(answers.open.len() as u64, "{pos}/{len} {wide_bar} {elapsed}");
    answers.done.values().filter_map(Answer::complaint).try_for_each(|line| print(&line))?;
    answers.run(1, |answer| {
        answer.complaint().map_or(Ok(()), |line| bar.suspend(|| print(&line)))?;
        bar.inc(1);
        Ok(())
    })?;
    bar.finish_and_clear();
    conclude(&answers)
}

/// Combines the files of all shards; none may be missing.
pub(super) fn tally(paths: &[PathBuf]) -> Result<(), Failure> {
    let answers = Units::<SuiteJob>::combine(paths, Ok)?;
    answers.done.values().filter_map(Answer::complaint).try_for_each(|line| print(&line))?;
    conclude(&answers)
}

fn conclude(answers: &Units<SuiteJob>) -> Result<(), Failure> {
    let [right, wrong, timeout] = answers.total()?;
    let all = right + wrong + timeout;
    print(&format!("{right} right, {wrong} wrong, {timeout} timeout of {all}"))?;
    if right == all {
        Ok(())
    } else {
        Err(Failure::Work(format!("{} of {all} not answered correctly", all - right)))
    }
}
