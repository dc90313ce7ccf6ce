//! Checks a collection of problems, such as a classical book, and prints a table of the results.

use super::super::failure::Failure;
use super::super::text::{print, read_lines};
use super::super::units::Units;
use super::check::{accept, answer, examine, report_json};
use sanban_engine::mate::{MateLimits, Verdict};
use sanban_lab::jobs::{Job, suite_about};
use sanban_rules::shogi::Position;
use sanban_system::Part;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

struct ErrataJob {
    problems: Vec<(usize, (String, Position))>,
    limits: MateLimits,
}

#[derive(Serialize, Deserialize)]
struct Entry {
    /// Number of the problem, from 0, and its name.
    problem: u64,
    name: String,
    report: Value,
}

impl Job for ErrataJob {
    const KIND: &'static str = "errata";
    const WORDS: [&'static str; 2] = ["problems", "checking again"];
    type Unit = Entry;
    /// The worst verdict.
    type Total = Verdict;

    fn plan(&self) -> (Value, u64) {
        let texts = self.problems.iter().map(|(_, (name, pos))| format!("{name}\t{}\n", pos.sfen()));
        (suite_about(&texts.collect::<Vec<_>>(), &self.limits, None), self.problems.len() as u64)
    }

    fn number(entry: &Entry) -> u64 {
        entry.problem
    }

    fn run(&self, problem: u64) -> Option<Entry> {
        let (_, (name, pos)) = &self.problems[problem as usize];
        let report = examine(pos, &self.limits, None);
        let interrupted = matches!(answer(report.verdict), Err(Failure::Interrupted));
        (!interrupted).then(|| Entry { problem, name: name.clone(), report: report_json(pos, &report) })
    }

    fn merge(&self, entries: &BTreeMap<u64, Entry>) -> Option<Verdict> {
        let has = |verdict: &Verdict| entries.values().any(|it| it.report["result"] == verdict.to_string());
        let bad = [Verdict::NoMate, Verdict::Cooked, Verdict::Leftover, Verdict::Open];
        Some(bad.into_iter().find(has).unwrap_or(Verdict::Sound))
    }
}

fn row(Entry { name, report, .. }: &Entry) -> String {
    let length = match (&report["at_least"], &report["at_most"]) {
        (Value::Null, _) => "-".into(),
        (least, most) if least == most => least.to_string(),
        (least, most) => format!("{least}-{most}"),
    };
    let empty = Vec::new();
    let checks = report["checks"].as_array().unwrap_or(&empty);
    let cooks: Vec<String> = checks.iter().filter(|check| check["result"] == "cook").map(cook).collect();
    let open = checks.iter().filter(|check| check["result"] == "open").count();
    let result = report["result"].as_str().unwrap_or_default();
    format!("| {name} | {length} | {result} | {} | {open} |", cooks.join(", "))
}

/// The ply and the move of a cook, with the length of its mate.
fn cook(check: &Value) -> String {
    let ply = check["before"].as_array().map_or(0, Vec::len) + 1;
    let length = check["plies"].as_u64().map_or("longer".into(), |plies| plies.to_string());
    format!("{ply} {} ({length})", check["move"].as_str().unwrap_or_default())
}

/// A line of a collection: a name, a tab, and an SFEN.
fn problem(line: &str) -> Result<(String, Position), String> {
    let (name, sfen) = line.split_once('\t').ok_or("expected a name, a tab, and an SFEN")?;
    let pos = Position::from_sfen(sfen.trim()).map_err(|error| error.to_string())?;
    accept(&pos).map_err(|fault| format!("no mate problem: {fault}"))?;
    Ok((name.replace('|', "/"), pos))
}

/// Checks the open problems of a shard and prints the table of those that are done.
pub(super) fn run(path: &Path, limits: MateLimits, out: Option<&Path>, part: Part) -> Result<(), Failure> {
    let job = ErrataJob { problems: read_lines(path, problem)?, limits };
    let mut entries = Units::open(job, out, part)?;
    print("| problem | plies | result | cooks: ply, move (plies) | open |\n|---|---|---|---|---|")?;
    entries.done.values().try_for_each(|entry| print(&row(entry)))?;
    entries.run(1, |entry| print(&row(entry)))?;
    answer(entries.total()?)
}
