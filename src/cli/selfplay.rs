//! `sanban selfplay`: generates training data from games of the engine against itself.

use super::args::{NetworkArgs, variants};
use super::bar::bar;
use super::failure::Failure;
use super::text::note;
use indicatif::ProgressBar;
use sanban_engine::{Game, each_game};
use sanban_lab::train::selfplay::Plan;
use sanban_lab::train::{TrainError, selfplay};
use sanban_rules::{AsBoard, VariantId};
use sanban_system::Part;
use sanban_system::clock::processor_time;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Generate training data from games of the engine against itself.
///
/// The same seed gives the same games. Existing shards are not played again; an interrupted run loses at most the open
/// shard of each thread. Simultaneous runs in one directory share the work.
#[derive(clap::Args)]
pub(super) struct Args {
    /// Number of games.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    games: u64,
    /// Soft node limit per move, after which no new iteration starts.
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = clap::value_parser!(u32).range(1..=100_000_000))]
    nodes: u32,
    /// Number of threads, each playing its own game.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Seed for the random openings and moves.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Output directory for the shards.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    #[command(flatten)]
    network: NetworkArgs,
    /// The game.
    #[arg(long, default_value = "shogi", value_parser = variants())]
    game: VariantId,
    /// Number of positions from each search tree to save next to the games (`.tree`), for `sanban train
    /// --tree`.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u8).range(0..=64))]
    tree: u8,
    /// Percentage of games that start from late positions, with many pieces in hand and advanced kings.
    #[arg(long, default_value_t = 0, value_name = "PERCENT", value_parser = clap::value_parser!(u8).range(0..=100))]
    wild: u8,
    /// Percentage of moves after the opening that are random, among those that do not lose material immediately.
    #[arg(long, default_value_t = 0, value_name = "PERCENT", value_parser = clap::value_parser!(u8).range(0..=50))]
    explore: u8,
    /// Play only the shards whose number modulo N is I, such as `0/4`, to split the work across machines.
    #[arg(long, default_value_t = Part::WHOLE, value_name = "I/N")]
    shard: Part,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    each_game!(args.game, G => play::<G>(args))
}

fn play<G: Game<Position: AsBoard>>(args: &Args) -> Result<(), Failure> {
    let network = args.network.load::<G>()?;
    let plan = Plan {
        game: args.game,
        games: args.games,
        nodes: args.nodes,
        threads: args.threads.into(),
        seed: args.seed,
        out: args.out.clone(),
        part: args.shard,
        tree: args.tree.into(),
        wild: args.wild,
        explore: args.explore,
    };
    let bar = Bar::new(plan.share(), plan.threads);
    let result = selfplay::run::<G>(&plan, &network, &bar).map_err(|error| {
        let kind = if error.is_unfit() { Failure::Request } else { Failure::Work };
        kind(error.to_string())
    });
    bar.bar.finish();
    let positions = bar.positions.load(Ordering::Relaxed);
    if positions > 0 {
        note(&format!("{positions} positions, {}", bar.speed()));
    }
    result
}

/// A progress bar on a terminal, one line per shard elsewhere.
struct Bar {
    bar: ProgressBar,
    positions: AtomicU64,
    threads: usize,
    /// Processor time used before the run.
    before: Option<Duration>,
}

impl Bar {
    fn new(games: u64, threads: usize) -> Self {
        let bar = bar(games, "{wide_bar} {pos}/{len} games  {msg}  {elapsed} of {duration}");
        Self { bar, positions: AtomicU64::new(0), threads, before: processor_time() }
    }

    /// The speed in positions per second, in total and per core.
    fn speed(&self) -> String {
        let (positions, time) = (self.positions.load(Ordering::Relaxed) as f64, self.bar.elapsed());
        let spent = processor_time().zip(self.before).map(|(now, before)| now.saturating_sub(before));
        let spent = spent.unwrap_or(time * self.threads as u32);
        let rate = |time: Duration| positions / time.as_secs_f64().max(0.001);
        format!("{:.0} positions/s, {:.0} per core", rate(time), rate(spent))
    }
}

impl selfplay::PlayProgress for Bar {
    fn game(&self, positions: u64) {
        self.positions.fetch_add(positions, Ordering::Relaxed);
        self.bar.set_message(self.speed());
        self.bar.inc(1);
    }

    fn shard(&self, path: &Path, games: u64, old: bool) {
        if old {
            self.bar.inc(games);
        } else if self.bar.is_hidden() {
            note(&format!("{}: {games} games, {}", path.display(), self.speed()));
        }
    }

    fn elsewhere(&self, path: &Path, games: u64) {
        self.bar
            .suspend(|| note(&format!("{}: another process is playing its {games} games", path.display())));
    }

    fn damaged(&self, error: &TrainError) {
        self.bar.suspend(|| note(&format!("{error}; playing the shard again")));
    }
}
