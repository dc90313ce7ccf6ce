//! `sanban problems`: extracts mates and next-move problems from game records.

use super::bar::bar;
use super::convert::files_of;
use super::failure::Failure;
use super::text::{note, print_bytes};
use sanban_engine::Engine;
use sanban_engine::mate::Workspace;
use sanban_formats::record::{LARGEST, Reader, Record};
use sanban_rules::VariantId;
use sanban_study::problems::{
    Distinct, Mistakes, NEAR, Problem, Task, embedded, next_move, read, unique_mate,
};
use sanban_system::{FileError, Whole, read_whole, write_whole};
use std::fs::{File, remove_file};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

/// Extract shogi problems from game records: mates with a unique solution, and next-move problems
///
/// A mate qualifies if the solver proves that no other check mates at any move of the solution; a next-move problem
/// qualifies if two searches, the second with ten times the nodes, find one move far better than all others. Near copies
/// of problems are left out. Each problem is one line: `mate` or `next`, the grade, the SFEN and the solution, separated
/// by tabs.
#[derive(clap::Args)]
pub(super) struct Args {
    /// Output file, from easy to hard; until all games have been searched, the problems are in `FILE-partial` [default:
    /// standard output, game by game]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Kinds of problems to extract
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_values = ["mate", "next"], value_parser = ["mate", "next"])]
    kinds: Vec<String>,
    /// Node limit of the first search for a next-move problem
    #[arg(long, value_name = "N", default_value_t = 30_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Maximum number of problems per kind and grade
    #[arg(long, value_name = "N")]
    most: Option<usize>,
    /// Only positions in which a mate or the one clearly best move was missed, or one move punishes a mistake; a third
    /// search must confirm the move
    #[arg(long)]
    mistakes: bool,
    /// Print the embedded problems and exit
    #[arg(long)]
    embedded: bool,
    /// Record files, or directories with records
    #[arg(required_unless_present = "embedded", conflicts_with = "embedded")]
    files: Vec<PathBuf>,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    // A file that may not be written is refused before the search.
    let files = args.out.as_deref().map(|path| Ok::<_, Failure>((path, open(path)?))).transpose()?;
    let mut problems = if args.embedded { embedded() } else { find(args)? };
    problems.sort_by_key(|problem| (problem.task, problem.grade));
    match files {
        Some((path, mut file)) => {
            let written = file.file().write_all(text(&problems).as_bytes()).and_then(|()| file.finish());
            written.map_err(|source| FileError { path: path.into(), source })?;
            if !args.embedded && !problems.is_empty() {
                let part = partial(path);
                remove_file(&part).map_err(|source| FileError { path: part, source })?;
            }
        }
        None if args.embedded => print_bytes(text(&problems).as_bytes())?,
        // The others were printed when they were found.
        None => {}
    }
    let count = |task| problems.iter().filter(|problem| problem.task == task).count();
    note(&format!("{} mates and {} next-move problems", count(Task::Mate), count(Task::Next)));
    Ok(())
}

fn open(path: &Path) -> Result<Whole, FileError> {
    Whole::replace(path, is_written).map_err(|source| FileError { path: path.into(), source })
}

fn text(problems: &[Problem]) -> String {
    problems.iter().map(|problem| format!("{problem}\n")).collect()
}

/// The file of the problems found so far.
fn partial(out: &Path) -> PathBuf {
    let mut name = out.as_os_str().to_owned();
    name.push("-partial");
    name.into()
}

/// Whether the file contains problems and may therefore be overwritten.
fn is_written(file: &mut File) -> bool {
    let mut text = String::new();
    file.read_to_string(&mut text).is_ok() && read(&text).is_ok()
}

fn find(args: &Args) -> Result<Vec<Problem>, Failure> {
    let mut records = Vec::new();
    for file in files_of(&args.files)? {
        let reading = read_whole(&file, LARGEST).map_err(|error| error.to_string()).and_then(|bytes| {
            Reader::default().read(&bytes).map_err(|error| format!("{}: {error}", file.display()))
        });
        records.extend(reading.map_err(Failure::Work)?.records);
    }
    let others = records.iter().filter(|record| record.game != VariantId::Shogi).count();
    if others > 0 {
        note(&format!("skipped: {others} records of other games"));
    }
    records.retain(|record| record.game == VariantId::Shogi);
    let wants = |task: Task| args.kinds.iter().any(|kind| kind == task.word());
    let mut finder = Finder {
        wants: [wants(Task::Mate), wants(Task::Next)],
        nodes: args.nodes,
        most: args.most.unwrap_or(usize::MAX),
        mistakes: args.mistakes,
        workspace: Workspace::default(),
        engine: <dyn Engine>::new(VariantId::Shogi),
        // A chance that was missed twice is worth two exercises.
        found: Distinct::new(if args.mistakes { 0 } else { NEAR }),
    };
    let bar = bar(records.len() as u64, "{pos}/{len} games  {wide_bar} {eta}");
    let part = args.out.as_deref().map(partial);
    let mut kept = 0;
    for record in &records {
        finder.look(record)?;
        let found = &finder.found.problems;
        match &part {
            _ if found.len() == kept => {}
            Some(part) => write_whole(part, text(found).as_bytes(), is_written)?,
            None => bar.suspend(|| print_bytes(text(&found[kept..]).as_bytes()))?,
        }
        kept = found.len();
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(finder.found.problems)
}

/// The problems found so far, and the solvers.
struct Finder {
    /// Whether mates and next-move problems are wanted.
    wants: [bool; 2],
    nodes: u64,
    most: usize,
    /// Whether only mistakes are wanted.
    mistakes: bool,
    workspace: Workspace,
    engine: Box<dyn Engine>,
    found: Distinct,
}

impl Finder {
    fn look(&mut self, record: &Record) -> Result<(), Failure> {
        let line = record.legal_moves().map_err(|error| Failure::Work(error.to_string()))?;
        let (mut pos, moves, _) = line;
        // Of consecutive mates by one side, only the first is used.
        let mut mating = [false; 2];
        let mut mistakes = Mistakes::default();
        for mv in moves {
            let side = pos.side().index();
            let problem = if self.wants[0] { unique_mate(&mut self.workspace, &pos) } else { None };
            let was_mating = std::mem::replace(&mut mating[side], problem.is_some());
            if problem.is_some() {
                mistakes.skip_mate();
            }
            let problem = match problem {
                Some(problem) if self.mistakes => (problem.line[0] != mv).then_some(problem),
                Some(problem) if !was_mating => Some(problem),
                None if self.wants[1] => {
                    let found = match self.mistakes {
                        true => mistakes.next(self.engine.as_mut(), &pos, mv, self.nodes),
                        false => next_move(self.engine.as_mut(), &pos, self.nodes),
                    };
                    found.map_err(|error| Failure::Work(error.to_string()))?
                }
                _ => None,
            };
            if let Some(problem) = problem {
                self.keep(problem);
            }
            pos.play(mv);
        }
        Ok(())
    }

    fn keep(&mut self, problem: Problem) {
        let alike = |known: &&Problem| (known.task, known.grade) == (problem.task, problem.grade);
        if self.found.problems.iter().filter(alike).count() < self.most {
            self.found.add(problem);
        }
    }
}
