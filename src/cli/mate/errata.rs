//! Checks a collection of problems, such as a classical book, and prints a table of the results.

use super::super::failure::Failure;
use super::super::text::{print, read_lines};
use super::super::units::{Unit, Units};
use super::check::{accept, answer, examine, report_json};
use super::suite::Plan;
use sanban_engine::mate::Verdict;
use sanban_rules::shogi::Position;
use sanban_system::checksum;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Entry {
    /// Number of the problem, from 0, and its name.
    problem: u64,
    name: String,
    report: Value,
}

impl Unit for Entry {
    const JOB: &'static str = "errata";
    const WORDS: [&'static str; 2] = ["problems", "checking again"];

    fn number(&self) -> u64 {
        self.problem
    }
}

impl Entry {
    fn is(&self, verdict: Verdict) -> bool {
        self.report["result"] == verdict.to_string()
    }

    fn row(&self) -> String {
        let report = &self.report;
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
        format!("| {} | {length} | {result} | {} | {open} |", self.name, cooks.join(", "))
    }
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

/// Checks the remaining problems of a shard and prints the table of those that are done.
pub(super) fn run(plan: &Plan<'_>) -> Result<(), Failure> {
    let &Plan { path, part, out, ref limits } = plan;
    let problems = read_lines(path, problem)?;
    if problems.is_empty() {
        return Err(Failure::Request(format!("{}: contains no positions", path.display())));
    }
    let texts: Vec<String> =
        problems.iter().map(|(_, (name, pos))| format!("{name}\t{}\n", pos.sfen())).collect();
    let about = json!({
        "problems": problems.len(),
        "suite": format!("{:016x}", checksum(texts.concat().as_bytes())),
        "time": limits.time.map(|time| time.as_millis() as u64),
        "nodes": limits.nodes,
        "version": env!("CARGO_PKG_VERSION"),
    });
    let mut entries = Units::<Entry>::open(out, &about, part)?;
    print("| problem | plies | result | cooks: ply, move (plies) | open |\n|---|---|---|---|---|")?;
    entries.done.values().try_for_each(|entry| print(&entry.row()))?;
    for (number, (_, (name, pos))) in (0..).zip(&problems) {
        if !part.has(number) || entries.done.contains_key(&number) {
            continue;
        }
        let report = examine(pos, limits, None);
        if let Err(Failure::Interrupted) = answer(report.verdict) {
            return Err(Failure::Interrupted);
        }
        let entry = Entry { problem: number, name: name.clone(), report: report_json(pos, &report) };
        let row = entry.row();
        entries.add(entry)?;
        print(&row)?;
    }
    match entries.done.values() {
        entries if entries.clone().all(|entry| entry.is(Verdict::Sound)) => Ok(()),
        mut entries => {
            let decided = entries.all(|entry| entry.is(Verdict::Sound) || entry.is(Verdict::Open));
            Err(if decided { Failure::Open } else { Failure::No })
        }
    }
}
