//! `sanban perft`: counts leaves, checks counts, and splits counts across machines.

mod units;

use super::args::{position, variants};
use super::bar::{COUNT, bar};
use super::failure::Failure;
use super::text::{print, read_lines};
use super::units::Units;
use sanban_engine::perft::{self, Perft};
use sanban_lab::jobs::{CountAbout, CountJob};
use sanban_protocol::usi::totals;
use sanban_rules::{AnyPosition, VariantId};
use sanban_system::Part;
use serde_json::{Value, json};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Count the leaf nodes of the legal move tree, or check a file of reference counts
#[derive(clap::Args)]
pub struct Args {
    /// Depth in plies
    #[arg(required_unless_present_any = ["suite", "tally"], conflicts_with_all = ["suite", "tally"],
          value_parser = clap::value_parser!(u32).range(0..256))]
    depth: Option<u32>,
    /// The game
    #[arg(long, default_value = "shogi", value_parser = variants())]
    game: VariantId,
    /// `startpos` or an SFEN, optionally followed by `moves ...`
    #[arg(long, default_value = "startpos", conflicts_with = "suite")]
    position: String,
    /// Number of threads
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Size of the hash table for subtree counts in megabytes
    #[arg(long, default_value_t = 0, value_name = "MB")]
    hash: usize,
    /// Print the count of every root move
    #[arg(long, conflicts_with = "suite")]
    divide: bool,
    /// Also count the leaf nodes whose last move is a capture, promotion, drop, check or mate
    #[arg(long, conflicts_with_all = ["suite", "divide"])]
    kinds: bool,
    /// Print the count as a line of JSON, with `moves` if `--divide` is given, and with the kinds if `--kinds` is given
    #[arg(long, conflicts_with_all = ["suite", "tally"])]
    json: bool,
    /// Check a file with lines of the form `SFEN ;D1 30 ;D2 900`
    #[arg(long)]
    suite: Option<PathBuf>,
    /// Skip reference counts above this number
    #[arg(long, value_name = "N", conflicts_with = "depth")]
    max_nodes: Option<u64>,
    /// Split the count into units, one for each distinct position K plies below the root, for `--shard` and `--out`
    #[arg(long, value_name = "K", conflicts_with_all = ["suite", "divide"])]
    split: Option<u32>,
    /// Process only this shard of the units, counted from 0: `0/4` is the first of four
    #[arg(long, default_value_t = Part::WHOLE, value_name = "I/N", requires = "split")]
    shard: Part,
    /// Output file for the unit counts, as JSON lines; the same command resumes an interrupted run
    #[arg(long, value_name = "FILE", requires = "split")]
    out: Option<PathBuf>,
    /// Do not count; check and combine the files of all shards
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["suite", "divide", "kinds", "split", "position"])]
    tally: Vec<PathBuf>,
}

impl Args {
    fn job(&self, split: u32) -> Result<CountJob, Failure> {
        let depth = self.depth.unwrap_or_default();
        if split > depth {
            return Err(Failure::Request(format!("--split {split}: deeper than the count of {depth} plies")));
        }
        if self.kinds && split == depth && depth > 0 {
            let sentence = format!("--kinds needs units above the last move: --split {}", depth - 1);
            return Err(Failure::Request(sentence));
        }
        let root = position(self.game, &self.position)?;
        let units = perft::units(&root, split);
        let about = CountAbout {
            game: self.game.name().into(),
            position: self.position.clone(),
            depth,
            split,
            units: units.len() as u64,
            kinds: self.kinds,
            version: env!("CARGO_PKG_VERSION").into(),
        };
        let perft = Perft::new(1, self.hash).map_err(|e| e.to_string())?;
        Ok(CountJob { about, root, units, perft })
    }
}

pub fn run(args: &Args) -> Result<(), Failure> {
    if !args.tally.is_empty() {
        return units::tally(&args.tally);
    }
    // clap does not enforce `requires = "split"` if `--suite`, which conflicts with it, is given.
    if args.split.is_none() && (args.out.is_some() || args.shard != Part::WHOLE) {
        return Err(Failure::Request("--out and --shard need --split".into()));
    }
    // Kinds are counted in units.
    let split = args.split.or(args.kinds.then(|| args.depth.unwrap_or_default().saturating_sub(1).min(2)));
    match (&args.suite, split) {
        (Some(path), _) => suite(args, path),
        (None, Some(split)) => {
            let units = Units::open(args.job(split)?, args.out.as_deref(), args.shard)?;
            units::count(units, args.threads.into(), args.json)
        }
        (None, None) => count(args),
    }
}

fn count(args: &Args) -> Result<(), Failure> {
    let pos = position(args.game, &args.position)?;
    let depth = args.depth.unwrap_or_default();
    let perft = Perft::new(usize::from(args.threads), args.hash).map_err(|e| e.to_string())?;
    let bar = bar(0, COUNT);
    let begin = Instant::now();
    let counts = perft.divide(&pos, depth, &|done, of| {
        bar.set_length(of as u64);
        bar.set_position(done as u64);
        ControlFlow::Continue(())
    });
    let time = begin.elapsed();
    bar.finish_and_clear();
    let counts = counts.unwrap_or_default();
    let total = if depth == 0 { 1 } else { counts.iter().map(|&(_, nodes)| nodes).sum() };
    if args.json {
        let mut out = json!({
            "sfen": pos.sfen(),
            "depth": depth,
            "nodes": total,
            "seconds": time.as_secs_f64(),
        });
        if args.divide {
            let moves = counts.iter().map(|&(mv, nodes)| (pos.display(mv), json!(nodes)));
            out["moves"] = Value::Object(moves.collect());
        }
        return print(&out.to_string());
    }
    if args.divide {
        counts.iter().try_for_each(|&(mv, nodes)| print(&format!("{}: {nodes}", pos.display(mv))))?;
    }
    print(&totals(total, time))
}

/// A position of a suite, with depths and counts.
type Entry = (AnyPosition, Vec<(u32, u64)>);

fn suite(args: &Args, path: &Path) -> Result<(), Failure> {
    let shown = path.display();
    let mut entries = read_lines(path, |text| entry(args.game, text))?;
    let most = args.max_nodes.unwrap_or(u64::MAX);
    for (_, (_, counts)) in &mut entries {
        counts.retain(|&(_, nodes)| nodes <= most);
    }
    entries.retain(|(_, (_, counts))| !counts.is_empty());
    if entries.is_empty() {
        return Err(format!("{shown}: contains no count of at most {most}").into());
    }
    let perft = Perft::new(usize::from(args.threads), args.hash).map_err(|e| e.to_string())?;
    let bar = bar(0, COUNT);
    bar.set_length(entries.len() as u64);
    let mut agree = 0;
    for (line, (pos, counts)) in &entries {
        let mut good = true;
        for &(depth, expected) in counts {
            let nodes = perft.total(pos, depth);
            if nodes != expected {
                good = false;
                bar.suspend(|| print(&format!("line {line}: depth {depth}: {nodes} instead of {expected}")))?;
            }
        }
        agree += usize::from(good);
        bar.inc(1);
    }
    bar.finish_and_clear();
    print(&format!("{agree} of {} positions agree", entries.len()))?;
    match entries.len() - agree {
        0 => Ok(()),
        n => Err(Failure::Work(format!("{shown}: {n} of {} positions do not agree", entries.len()))),
    }
}

/// Parses a line such as `SFEN ;D1 30 ;D2 900`.
fn entry(game: VariantId, text: &str) -> Result<Entry, String> {
    let mut fields = text.split(';');
    let sfen = fields.next().unwrap_or_default().trim();
    let pos = AnyPosition::parse(game, sfen).map_err(|e| e.to_string())?;
    let counts = fields
        .map(|field| {
            let count = field.trim().strip_prefix('D').and_then(|rest| {
                let (depth, nodes) = rest.split_once(char::is_whitespace)?;
                Some((depth.parse().ok().filter(|&depth| depth < 256)?, nodes.trim().parse().ok()?))
            });
            count.ok_or_else(|| format!("expected D<depth> <nodes>, found '{}'", field.trim()))
        })
        .collect::<Result<Vec<_>, String>>()?;
    if counts.is_empty() {
        return Err("no count (;D<depth> <nodes>) after the position".into());
    }
    Ok((pos, counts))
}
