//! `sanban tune`: tunes the search parameters with games.

use super::args::{NetworkArgs, variants};
use super::bar::bar;
use super::failure::Failure;
use super::text::{note, print};
use sanban_lab::arena::tune;
use sanban_lab::arena::tune::{Pair, Plan, Row, Tuner};
use sanban_rules::VariantId;
use sanban_system::Journal;
use serde_json::json;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::mpsc::channel;

/// Tune the search parameters with SPSA, in games at fixed nodes.
///
/// One line per pair of games is written to `--out`, and the same command resumes an interrupted run. At the end each
/// parameter is printed with its value before and after.
#[derive(clap::Args)]
pub(super) struct Args {
    /// Number of games, two per step.
    #[arg(long, value_name = "N", default_value_t = 30_000, value_parser = clap::value_parser!(u64).range(2..=1_000_000_000))]
    games: u64,
    /// Node limit per move.
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    nodes: u64,
    /// Number of threads, each playing its own game.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Seed for the openings and perturbations.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Output file for the results.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    network: NetworkArgs,
    /// Network file used in every second pair, to avoid overfitting the parameters to one network
    #[arg(long, value_name = "FILE")]
    second_eval_file: Option<PathBuf>,
    /// The game.
    #[arg(long, default_value = "shogi", value_parser = variants())]
    game: VariantId,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let mut engines = vec![args.network.engine(args.game)?];
    if let Some(file) = &args.second_eval_file {
        let second = NetworkArgs { eval_file: Some(file.clone()), ..args.network };
        engines.push(second.engine(args.game)?);
    }
    let pairs = args.games / 2;
    let plan = Plan { pairs, nodes: args.nodes, threads: args.threads.into(), seed: args.seed };
    let mut tuner = Tuner::new(args.game, plan);
    let start: Vec<_> = tuner.rows().iter().map(|row| (row.name, row.default)).collect();
    let about = json!({
        "game": args.game.name(), "games": args.games, "nodes": args.nodes, "seed": args.seed,
        "evaluations": engines.iter().map(|engine| engine.evaluation_id()).collect::<Vec<_>>(), "start": start,
    });
    let mut done = BTreeSet::new();
    let mut journal = Journal::open(&args.out, "tuning", &about, |_, pair: serde_json::Result<Pair>| {
        let pair = pair?;
        if done.insert(pair.pair) {
            tuner.learn(pair);
        }
        Ok(())
    })?;
    let bar = bar(pairs, "{wide_bar} {pos}/{len} pairs  {elapsed} of {duration}");
    bar.set_position(done.len() as u64);
    let (sender, results) = channel();
    std::thread::scope(|scope| {
        let (tuner, done) = (&mut tuner, &done);
        scope.spawn(move || tune::run(tuner, &engines, done, &sender));
        for pair in results {
            journal.append(&pair).map_err(|error| Failure::Work(error.to_string()))?;
            bar.inc(1);
        }
        Ok::<(), Failure>(())
    })?;
    bar.finish();
    note(&format!("{pairs} pairs"));
    for Row { name, default, value, .. } in tuner.rows() {
        print(&format!("{name} {default} {value:.0}"))?;
    }
    Ok(())
}
