//! `sanban analyze`: analyses games move by move.

use super::args::{NetworkArgs, SolvedArgs, variants};
use super::bar::bar;
use super::convert::{distinct, files_of, folder_inside};
use super::failure::{Failure, make_directory};
use super::interrupt;
use super::records;
use super::text::{conclude, note};
use clap::builder::PossibleValuesParser;
use indicatif::ProgressBar;
use sanban_engine::Engine;
use sanban_engine::mate::Workspace;
use sanban_engine::search::{LastLines, Limits, Signals};
use sanban_engine::solved::SolvedTables;
use sanban_formats::record;
use sanban_formats::record::{Encoding, Format, LARGEST, Reader, Record, WriteError};
use sanban_rules::{AnyPosition, VariantId};
use sanban_study::analysis;
use sanban_study::analysis::{Analysis, Problem, Remark, Summary};
use sanban_study::teach::Language;
use sanban_study::teach::names::Table;
use sanban_system::{Part, Whole, clear_leftovers, read_file_or_pipe, read_whole, write_whole};
use std::collections::BTreeSet;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Node limit per position when no limit is given.
const NODES: u64 = 1_000_000;
/// Suffix for the name of a file written next to the record.
const BESIDE: &str = "-analysis";
/// Suffix for the name of a file with a part of a game.
const PARTIAL: &str = "-partial";

/// Analyse every position of game records; write annotated records (KIF, CSA, GIB), JSON lines and HTML reports
#[derive(clap::Args)]
pub(super) struct Args {
    /// Node limit per position [default: 1000000 if no other limit is given]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Time limit per position in milliseconds
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    movetime: Option<u64>,
    /// Depth limit per position in plies
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u32).range(1..256))]
    depth: Option<u32>,
    /// Number of principal variations per position
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=64))]
    multipv: u16,
    /// Number of search threads
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Transposition table size in megabytes
    #[arg(long, value_name = "MB", default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    hash: u32,
    #[command(flatten)]
    network: NetworkArgs,
    #[command(flatten)]
    solved: SolvedArgs,
    /// Output directory [default: next to the records, with `-analysis` in the file names]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Output formats [default: html, and kif for shogi, gib for Janggi, json otherwise]
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = ["kif", "csa", "gib", "json", "html"])]
    format: Vec<String>,
    /// Directory for the problems found: mates, and next-move problems (with --multipv 2 or more)
    #[arg(long, value_name = "DIR")]
    problems: Option<PathBuf>,
    /// Add reasons for moves and names of openings and castles to the comments of KIF and GIB, in this language
    #[arg(long, value_name = "LANGUAGE", num_args = 0..=1, default_missing_value = "ja", require_equals = true, value_parser = PossibleValuesParser::new(Language::ALL.map(Language::code)))]
    explain: Option<String>,
    /// File with additional names of openings and castles
    #[arg(long, value_name = "FILE")]
    names: Option<PathBuf>,
    /// Process only this shard of the files, counted from 0: `0/4` is the first of four
    #[arg(long, value_name = "I/N", default_value_t = Part::WHOLE)]
    shard: Part,
    /// Re-analyse records that have already been analysed
    #[arg(long)]
    again: bool,
    /// The game, if the format does not specify it
    #[arg(long, value_parser = variants())]
    game: Option<VariantId>,
    /// Record files, or directories with records
    #[arg(required = true)]
    files: Vec<PathBuf>,
}

impl Args {
    fn limits(&self) -> Limits {
        let unlimited = self.movetime.is_none() && self.depth.is_none();
        Limits {
            nodes: self.nodes.or(unlimited.then_some(NODES)),
            move_time: self.movetime.map(Duration::from_millis),
            depth: self.depth,
            ..Limits::default()
        }
    }

    /// The language of the reasons in comments, if they were requested.
    fn language(&self) -> Option<Language> {
        let wanted = self.explain.as_deref()?;
        Language::ALL.into_iter().find(|language| language.code() == wanted)
    }

    /// The names of openings and castles.
    ///
    /// # Errors
    /// The file with additional names cannot be read.
    fn table(&self) -> Result<Table, String> {
        let mut table = Table::built_in().clone();
        if let Some(path) = &self.names {
            let bytes = read_whole(path, LARGEST).map_err(|error| error.to_string())?;
            let text = String::from_utf8(bytes).map_err(|_| format!("{}: not UTF-8", path.display()))?;
            table.extend(&text).map_err(|error| format!("{}: {error}", path.display()))?;
        }
        Ok(table)
    }

    /// The output path for a file and an output format; `number` distinguishes the games of one file, and `part` is
    /// added to the name.
    fn target(&self, file: &Path, number: usize, kind: &str, part: &str) -> PathBuf {
        let mut name = file.file_stem().unwrap_or_default().to_owned();
        if number > 0 {
            name.push(format!("-{}", number + 1));
        }
        let folder = match &self.out {
            Some(folder) => folder.join(folder_inside(&self.files, file)),
            None => {
                name.push(BESIDE);
                file.parent().unwrap_or(Path::new("")).into()
            }
        };
        name.push(part);
        name.push(match kind {
            "kif" => ".kifu",
            "csa" => ".csa",
            "gib" => ".gib",
            "json" => ".jsonl",
            _ => ".html",
        });
        folder.join(name)
    }

    /// The outputs of a record and their paths, without the formats that cannot represent the game.
    ///
    /// # Errors
    /// No format can represent the game.
    fn targets(&self, file: &Path, number: usize, record: &Record) -> Result<Vec<(&str, PathBuf)>, String> {
        let mut kinds: BTreeSet<&str> = self.format.iter().map(String::as_str).collect();
        if kinds.is_empty() {
            let own = ["kif", "gib"].into_iter().find(|kind| can_hold(kind, record));
            kinds.extend([own.unwrap_or("json"), "html"]);
        }
        if !kinds.iter().any(|kind| can_hold(kind, record)) {
            let kinds = kinds.into_iter().collect::<Vec<_>>().join(", ");
            return Err(format!("{}: {kinds} cannot represent this game of {}", file.display(), record.game));
        }
        kinds.retain(|kind| can_hold(kind, record));
        Ok(kinds.into_iter().map(|kind| (kind, self.target(file, number, kind, ""))).collect())
    }
}

/// Whether the record can be written in this format.
fn can_hold(kind: &str, record: &Record) -> bool {
    match kind {
        "kif" => Format::Kif.suits(record.game),
        "csa" => Format::Csa.suits(record.game),
        // This format can only represent the standard set-ups as start positions.
        "gib" => record::write(record, Format::Gib).is_ok(),
        _ => true,
    }
}

struct Task {
    file: PathBuf,
    number: usize,
    record: Record,
    /// Analyse the game even if its outputs exist.
    again: bool,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    if args.problems.is_some() && args.multipv < 2 {
        note("--problems: next-move problems need --multipv 2 or more; only mates are collected");
    }
    let mut files = files_of(&args.files)?;
    // Files that an earlier run has written next to the records are not input.
    let written = |stem: &str| stem.strip_suffix(PARTIAL).unwrap_or(stem).ends_with(BESIDE);
    files.retain(|file| !file.file_stem().is_some_and(|stem| written(&stem.to_string_lossy())));
    let mut number = 0..;
    files.retain(|_| number.next().is_some_and(|number| args.shard.has(number)));
    distinct(files.iter().map(|file| args.target(file, 0, "html", "")))?;
    for folder in args.out.iter().chain(&args.problems) {
        make_directory(folder)?;
    }
    let (mut tasks, mut passed, mut failures) = (vec![], 0, vec![]);
    for file in files {
        match tasks_of(args, &file) {
            Ok((mut found, over, mut refused)) => {
                tasks.append(&mut found);
                passed += over;
                failures.append(&mut refused);
            }
            Err(error) => failures.push(error),
        }
    }
    let positions = tasks.iter().map(|task| task.record.moves().len() as u64 + 1).sum();
    let bar = bar(positions, "{pos}/{len} positions  {wide_bar} {per_sec}  {eta}");
    let (count, before) = (tasks.len(), failures.len());
    // A second interrupt does not wait for the files with the part that has been analysed.
    let signals = interrupt::signals();
    for &game in VariantId::ALL {
        let own: Vec<&Task> = tasks.iter().filter(|task| task.record.game == game).collect();
        if !own.is_empty() {
            judge_all(args, game, &own, &bar, &signals, &mut failures)?;
        }
    }
    bar.finish_and_clear();
    if signals.stopped() {
        failures.iter().for_each(|failure| note(&format!("sanban: {failure}")));
        return Err(Failure::Interrupted);
    }
    let failed = failures.len() - before;
    for kind in &args.format {
        let unfit: Vec<&Task> = tasks.iter().filter(|task| !can_hold(kind, &task.record)).collect();
        let Some(first) = unfit.first() else { continue };
        let more = if unfit.len() > 1 { format!(" ({} games)", unfit.len()) } else { String::new() };
        let (file, game) = (first.file.display(), first.record.game);
        failures.push(format!("{file}: {kind} cannot represent this game of {game}{more}"));
    }
    if count + passed > 1 || passed > 0 {
        note(&format!(
            "{} games analysed, {passed} skipped because they were already analysed",
            count - failed
        ));
    }
    conclude(failures)
}

/// The games of a file that are to be analysed, the number of games skipped, and why others could not be read.
fn tasks_of(args: &Args, file: &Path) -> Result<(Vec<Task>, usize, Vec<String>), String> {
    let source = if file == Path::new("-") { Path::new("/dev/stdin") } else { file };
    let bytes = read_file_or_pipe(source, LARGEST).map_err(|error| error.to_string())?;
    let reading = records::read(&Reader { game: args.game, ..Reader::default() }, &bytes);
    let reading = reading.map_err(|error| format!("{}: {error}", file.display()))?;
    for warning in &reading.warnings {
        note(&format!("{}: {warning}", file.display()));
    }
    let refused = reading.refused.iter().map(|error| format!("{}: {error}", file.display())).collect();
    let records = reading.records;
    let (mut out, mut passed) = (vec![], 0);
    for (number, record) in records.into_iter().enumerate() {
        let targets = args.targets(file, number, &record)?;
        let written = targets.iter().all(|(_, path)| path.exists());
        let again = args.again || args.problems.is_some();
        if written && !again || !args.again && analysis::is_analysed(&record) {
            targets.iter().for_each(|(_, path)| clear_leftovers(path));
            passed += 1;
        } else {
            out.push(Task { file: file.into(), number, record, again });
        }
    }
    Ok((out, passed, refused))
}

fn judge_all(
    args: &Args,
    game: VariantId,
    tasks: &[&Task],
    bar: &ProgressBar,
    signals: &Signals,
    failures: &mut Vec<String>,
) -> Result<(), Failure> {
    let mut engine = args.network.engine(game)?;
    engine.set_threads(args.threads.into());
    engine.set_hash(args.hash as usize);
    engine.settings().multi_pv = args.multipv.into();
    let limits = args.limits();
    let mut workspace = Workspace::default();
    let table = args.table().map_err(Failure::Request)?;
    let tables = args.solved.read()?;
    if tables.games().contains(&game) {
        engine.set_tables(&tables);
    }
    for task in tasks {
        if signals.stopped() {
            break;
        }
        engine.clear();
        let known = (&table, &tables);
        let result = judge(args, task, engine.as_mut(), (&limits, signals), bar, &mut workspace, known);
        if let Err(error) = result {
            failures.push(format!("{}: {error}", task.file.display()));
        }
    }
    Ok(())
}

fn judge(
    args: &Args,
    task: &Task,
    engine: &mut dyn Engine,
    (limits, signals): (&Limits, &Signals),
    bar: &ProgressBar,
    workspace: &mut Workspace,
    (table, tables): (&Table, &SolvedTables),
) -> Result<(), String> {
    // The files are opened before the search, so that no other process analyses the same game.
    let mut files = open(args, task, "")?;
    // Another process may have analysed the game since this run began.
    if !task.again && files.iter().all(|(_, path, _)| path.exists()) {
        return Ok(());
    }
    let analysis = analysis::analyse(engine, &task.record, limits, signals, tables, |_| bar.inc(1));
    let mut analysis = analysis.map_err(|error| error.to_string())?;
    let first = analysis.first();
    if first == analysis.positions.len() {
        return Ok(());
    }
    if first > 0 {
        // The game is analysed again by the next run, so its part has another name.
        files = open(args, task, PARTIAL)?;
        let (file, part) = (task.file.display(), files[0].1.display());
        bar.suspend(|| note(&format!("{file}: stopped; the analysis from move {first} on is in {part}")));
    }
    if analysis.cut {
        let number = analysis.positions.len();
        bar.suspend(|| {
            note(&format!("{}: move {number} is illegal: analysed only up to that move", task.file.display()))
        });
    }
    let shown = |&(kind, ..): &(&str, _, _)| matches!(kind, "json" | "html");
    let remarks = if args.explain.is_some() || files.iter().any(shown) {
        engine.settings().multi_pv = 1;
        let mut again = |pos: &AnyPosition, nodes| {
            let (limits, lines) = (Limits { nodes: Some(nodes), ..Limits::default() }, LastLines::default());
            engine.search(pos, &limits, signals, &lines).ok()?;
            if signals.stopped() {
                return None;
            }
            lines.into_lines().into_iter().next().map(|line| (line.score, line.pv))
        };
        let remarks = analysis::explain(&task.record, &analysis, table, Some(&mut again));
        engine.settings().multi_pv = args.multipv.into();
        remarks.map_err(|error| error.to_string())?
    } else {
        Vec::new()
    };
    analysis.raise(&remarks);
    let line = task.record.tree.main_line();
    let times: Vec<Option<Duration>> = line.into_iter().map(|node| task.record.tree.time(node)).collect();
    let summary = Summary::new(&analysis, &times);
    let source = task.file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    for (kind, path, mut file) in files {
        let text = output(kind, &source, &task.record, (&analysis, &summary, &remarks), args.language());
        let text = text.map_err(|error| error.to_string())?;
        let encoding = if kind == "gib" { Format::Gib.custom(kind) } else { Encoding::Utf8 };
        let bytes = record::encode(&text, encoding).0;
        let written = file.file().write_all(&bytes).and_then(|()| file.finish());
        written.map_err(|error| format!("{}: {error}", path.display()))?;
        if first == 0 {
            let part = args.target(&task.file, task.number, kind, PARTIAL);
            if File::open(&part).is_ok_and(|mut part_file| is_written(&part, &mut part_file)) {
                std::fs::remove_file(&part).map_err(|error| format!("{}: {error}", part.display()))?;
            }
        }
    }
    if let Some(folder) = &args.problems {
        let game = task.record.game;
        if game != VariantId::Shogi {
            return Err(format!("problems are extracted only from shogi games, not {game} games"));
        }
        write_problems(folder, &task.file, task.number, &analysis::problems(&analysis, workspace))?;
    }
    Ok(())
}

/// Opens the output files of a game; `part` is added to their names.
fn open<'a>(args: &'a Args, task: &Task, part: &str) -> Result<Vec<(&'a str, PathBuf, Whole)>, String> {
    let open = |(kind, _): (&'a str, PathBuf)| {
        let path = args.target(&task.file, task.number, kind, part);
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        }
        let file = Whole::replace(&path, |old| is_written(&path, old));
        let file = file.map_err(|error| format!("{}: {error}", path.display()))?;
        Ok((kind, path, file))
    };
    args.targets(&task.file, task.number, &task.record)?.into_iter().map(open).collect()
}

/// Whether this file was written by an earlier analysis; other files are not overwritten.
fn is_written(path: &Path, file: &mut File) -> bool {
    let is_part = path.file_stem().is_some_and(|stem| stem.to_string_lossy().ends_with(PARTIAL));
    analysis::is_written(&path.extension().unwrap_or_default().to_string_lossy(), is_part, file)
}

fn output(
    kind: &str,
    source: &str,
    record: &Record,
    (analysis, summary, remarks): (&Analysis, &Summary, &[Remark]),
    explain: Option<Language>,
) -> Result<String, WriteError> {
    match kind {
        "json" => Ok(analysis::json_lines(source, record, analysis, summary, remarks)),
        "kif" => {
            let record =
                analysis::kif_comments(record, analysis, explain.map(|language| (remarks, language)))?;
            record::write_as(&record, Format::Kif, Encoding::Utf8)
        }
        "csa" => record::write(&analysis::csa_comments(record, analysis)?, Format::Csa),
        "gib" => {
            let remarks = explain.map(|language| (remarks, language));
            record::write(&analysis::gib_comments(record, analysis, remarks)?, Format::Gib)
        }
        _ => Ok(analysis::html(source, record, analysis, summary, remarks)?),
    }
}

/// Writes `SFEN<TAB>moves ...` and `SFEN<TAB>mate N MOVES`, one file per game and kind.
fn write_problems(folder: &Path, file: &Path, number: usize, problems: &[Problem]) -> Result<(), String> {
    let (mut next, mut mates) = (String::new(), String::new());
    for problem in problems {
        match problem {
            Problem::Next { sfen, line } => next += &format!("{sfen}\tmoves {}\n", line.join(" ")),
            Problem::Mate { sfen, line } => {
                mates += &format!("{sfen}\tmate {} {}\n", line.len(), line.join(" "));
            }
        }
    }
    for (kind, text) in [("next", next), ("mate", mates)] {
        if !text.is_empty() {
            let stem = file.file_stem().unwrap_or_default().to_string_lossy();
            let number = if number > 0 { format!("-{}", number + 1) } else { String::new() };
            let path = folder.join(format!("{stem}{number}-{kind}.sfen"));
            write_whole(&path, text.as_bytes(), |old| is_written(&path, old))
                .map_err(|error| error.to_string())?;
        }
    }
    Ok(())
}
