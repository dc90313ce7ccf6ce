//! Solves Janggi endings by material class, smaller classes first.

use super::super::bar::bar;
use super::super::failure::{Failure, make_directory};
use super::super::text::print;
use sanban_engine::solved::janggi::{
    self as endings, Class, ClassError, Counts, Layout, SolveError, Summary, Table, TableError, Tables,
};
use sanban_rules::janggi::Pass;
use sanban_system::clear_leftovers;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use thiserror::Error;

/// Number of positions per class whose values are re-derived from their moves as a check.
const SAMPLES: usize = 10_000;
/// Largest class that `guards` includes, in positions.
const MOST: usize = 100_000_000;
const HEAD: &str = "# class\tbytes\tstronger to move: positions\twon\tlost\tdrawn\tmated\tlongest\texample\t\
                    other to move: positions\twon\tlost\tdrawn\tmated\tlongest\texample";

/// Why a class has no table.
#[derive(Debug, Error)]
enum Missing {
    #[error(transparent)]
    Table(#[from] TableError),
    #[error(transparent)]
    Solve(#[from] SolveError),
    #[error("{0} is needed first")]
    Smaller(Class),
}

pub(super) fn run(pass: Pass, pieces: &[String], out: &Path) -> Result<(), Failure> {
    let classes = asked(pieces)?;
    make_directory(out)?;
    let tables = Tables::new(out, pass);
    let progress = bar(classes.len() as u64, "{msg:14} {wide_bar} {pos}/{len}  {elapsed}");
    print(HEAD)?;
    for &class in &classes {
        progress.set_message(class.to_string());
        tables.forget_all_but(&class.after_capture());
        let line = line(&tables, class).map_err(|e| Failure::Work(format!("{class}: {e}")))?;
        progress.suspend(|| print(&line))?;
        progress.inc(1);
    }
    progress.finish_and_clear();
    Ok(())
}

/// The requested classes and all that captures lead to, in an order in which they can be solved.
fn asked(pieces: &[String]) -> Result<Vec<Class>, Failure> {
    let all = Class::all();
    let mut wanted: Vec<Class> = Vec::new();
    for word in pieces.iter().flat_map(|words| words.split([',', ' '])).filter(|word| !word.is_empty()) {
        match word {
            "all" => wanted.extend(all.iter().filter(|class| class.attackers() + class.guards() <= 2)),
            "guards" => {
                let most = |class: &Class| class.attackers() <= 2 && Layout::new(*class).numbers() <= MOST;
                wanted.extend(all.iter().filter(|class| most(class)));
            }
            "threes" => wanted.extend(all.iter().filter(|class| class.attackers() == 3)),
            name => wanted.push(name.parse().map_err(|e: ClassError| Failure::Request(e.to_string()))?),
        }
    }
    let mut n = 0;
    while let Some(&class) = wanted.get(n) {
        for smaller in class.after_capture() {
            if smaller.attackers() > 0 && !wanted.contains(&smaller) {
                wanted.push(smaller);
            }
        }
        n += 1;
    }
    Ok(all.into_iter().filter(|class| wanted.contains(class)).collect())
}

/// Solves a class, unless its file exists, and summarises it.
fn line(tables: &Tables, class: Class) -> Result<String, String> {
    let found = tables.table(class).map_err(|e| e.to_string())?;
    let table = match found {
        Some(table) => {
            clear_leftovers(&tables.path(class));
            table
        }
        None => {
            let get = |class| tables.table(class)?.ok_or(Missing::Smaller(class));
            let table = endings::solve(class, tables.pass(), get).map_err(|e: Missing| e.to_string())?;
            let table = Arc::new(table);
            tables.keep(table.clone());
            endings::check(&table, tables, SAMPLES, 0x4A45).map_err(|e| e.to_string())?;
            table.write(&tables.path(class)).map_err(|e| e.to_string())?;
            table
        }
    };
    let bytes = fs::metadata(tables.path(class)).map_or(0, |about| about.len());
    let summary = Summary::of(&table);
    let [first, second] = summary.sides.map(|counts| columns(&table, &counts));
    Ok(format!("{class}\t{bytes}\t{first}\t{second}"))
}

fn columns(table: &Table, counts: &Counts) -> String {
    let example = counts.example.map_or_else(|| "-".into(), |index| table.layout().sfen(index));
    let Counts { won, lost, drawn, mated, longest, .. } = counts;
    format!("{}\t{won}\t{lost}\t{drawn}\t{mated}\t{longest}\t{example}", counts.all())
}
