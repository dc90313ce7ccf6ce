//! `sanban train`: trains a network from recorded games.

use super::args::{same_file, variants};
use super::bar::bar;
use super::failure::Failure;
use super::text::{note, print};
use indicatif::ProgressBar;
use sanban_engine::nnue::FV_SCALE;
use sanban_engine::{Game, NetworkSource, each_game};
use sanban_lab::train::comparison::Comparison;
use sanban_lab::train::curve::Point;
use sanban_lab::train::data::{Data, Room};
use sanban_lab::train::deep::Shape;
use sanban_lab::train::games::{self, Labelling};
use sanban_lab::train::trainer::Plan;
use sanban_lab::train::{psv, samples, trainer};
use sanban_rules::{AsBoard, VariantId};
use std::path::PathBuf;

/// Train a network on games from `sanban selfplay`, or on files of positions.
///
/// After every epoch the network is written, and next to it a checkpoint (.ckpt instead of .nnue) and the training
/// curve as a table (.csv) and a plot (.svg).
#[derive(clap::Args)]
pub(super) struct Args {
    /// Directory with self-play shards (`*.games`); may be repeated. Either `--data` or `--psv` is required.
    #[arg(long, value_name = "DIR", required_unless_present = "psv")]
    data: Vec<PathBuf>,
    /// Directory with shards of earlier generations: half of the games are used, another half with another `--seed`; may
    /// be repeated.
    #[arg(long, value_name = "DIR")]
    older: Vec<PathBuf>,
    /// Also learn from the search-tree positions that `sanban selfplay --tree` saved (`.tree` files): from exact
    /// scores as usual, and from bounds only if the network violates them.
    #[arg(long)]
    tree: bool,
    /// File of shogi positions in the 40-byte format of other tools (PackedSfenValue); may be repeated.
    #[arg(long, value_name = "FILE")]
    psv: Vec<PathBuf>,
    /// Output network file.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// The game.
    #[arg(long, default_value = "shogi", value_parser = variants())]
    game: VariantId,
    /// Network architecture: Sanban's own (`pairs`), or one that other shogi engines can read (`nn.bin`).
    #[arg(long, default_value = "pairs", value_parser = Shape::names().collect::<Vec<_>>())]
    shape: String,
    /// Neurons per side of `pairs`, a multiple of 32 [default: 512].
    #[arg(long, value_name = "N", value_parser = hidden)]
    hidden: Option<usize>,
    /// Number of epochs.
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    epochs: u32,
    /// Batch size in positions.
    #[arg(long, value_name = "N", default_value_t = 16_384, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    batch: u32,
    /// Peak learning rate.
    #[arg(long, default_value_t = 0.001)]
    rate: f32,
    /// Weight of the game result in the target, 0 to 1; the rest is the search score.
    #[arg(long, default_value_t = 0.3, value_parser = share)]
    wdl: f32,
    /// Weight of the game result at the end of training [default: the value of --wdl].
    #[arg(long, value_parser = share)]
    wdl_end: Option<f32>,
    /// TD(lambda): factor by which the weight of later search scores in the target decays per ply, 0 to 1.
    #[arg(long, default_value_t = 0.7, value_parser = share)]
    lambda: f32,
    /// Centipawns for a network output of 1.0 [default: fitted to the results].
    #[arg(long)]
    scale: Option<f32>,
    /// Seed for the initial weights and the shuffling.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Number of threads.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Teacher network file, or `handwritten`: learn its evaluation of the game positions and of random successors,
    /// instead of scores and results.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["psv", "wdl", "wdl_end", "lambda", "tree"])]
    teacher: Option<PathBuf>,
    /// Output divisor of the teacher's file, if it does not contain one.
    #[arg(long, value_name = "N", default_value_t = FV_SCALE, value_parser = clap::value_parser!(i32).range(1..=128))]
    fv_scale: i32,
    /// Start from this file instead of random weights: a checkpoint or a Sanban network of the same architecture and
    /// size.
    #[arg(long, value_name = "FILE", conflicts_with = "resume")]
    start: Option<PathBuf>,
    /// Resume from the checkpoint next to the network file.
    #[arg(long)]
    resume: bool,
}

/// The default number of neurons per side.
const HIDDEN: usize = 512;

fn hidden(text: &str) -> Result<usize, String> {
    let n: usize = text.parse().map_err(|_| format!("not a number: {text}"))?;
    if n > 0 && n <= 1024 && n.is_multiple_of(32) {
        Ok(n)
    } else {
        Err(format!("{n} is not a multiple of 32 up to 1024"))
    }
}

fn share(text: &str) -> Result<f32, String> {
    let x: f32 = text.parse().map_err(|_| format!("not a number: {text}"))?;
    if (0.0..=1.0).contains(&x) { Ok(x) } else { Err(format!("{x} is not between 0 and 1")) }
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let threads = rayon::ThreadPoolBuilder::new().num_threads(args.threads.into()).build();
    let threads = threads.map_err(|error| Failure::Work(format!("cannot start threads: {error}")))?;
    threads.install(|| each_game!(args.game, G => train::<G>(args)))
}

fn train<G: Game<Position: AsBoard>>(args: &Args) -> Result<(), Failure> {
    let features = G::features().ok_or_else(|| Failure::Request(format!("{} has no networks", args.game)))?;
    if !(args.rate.is_finite() && args.rate > 0.0) {
        return Err(Failure::Request("the learning rate must be a finite number above 0".into()));
    }
    if !args.scale.is_none_or(|scale| (1.0..=10_000.0).contains(&scale)) {
        return Err(Failure::Request("the scale must be between 1 and 10000 centipawns".into()));
    }
    let shape = Shape::find(&args.shape, features, args.hidden.unwrap_or(HIDDEN));
    let shape = shape.ok_or_else(|| Failure::Request(format!("no shape {}", args.shape)))?;
    if shape.file.is_some() && args.game != VariantId::Shogi {
        return Err(Failure::Request(format!(
            "networks of shape {} are for shogi, not for {}",
            args.shape, args.game
        )));
    }
    if shape.file.is_some() && args.hidden.is_some() {
        return Err(Failure::Request(format!(
            "networks of shape {} have a fixed size, without --hidden",
            args.shape
        )));
    }
    if !args.psv.is_empty() && args.game != VariantId::Shogi {
        return Err(Failure::Request(format!(
            "--psv files contain shogi positions, not {} positions",
            args.game
        )));
    }
    if args.psv.iter().any(|path| same_file(path, &args.out)) {
        return Err(Failure::Request(format!("{} is both input and output", args.out.display())));
    }
    let teacher = args
        .teacher
        .as_ref()
        .map(|path| G::load_network(&NetworkSource::named(path, args.fv_scale)).map_err(|e| e.to_string()))
        .transpose();
    let teacher = teacher.map_err(Failure::Request)?;
    // Reading the games takes a while, so these files are checked first.
    let resumed = args.resume.then(|| trainer::beside(&args.out, "ckpt"));
    for path in args.start.iter().chain(&resumed) {
        trainer::check(path, shape)?;
    }
    let _alone = trainer::claim(&args.out).map_err(|(path, error)| Failure::file(&path, &error))?;
    let wdl = if teacher.is_some() { (0.0, 0.0) } else { (args.wdl, args.wdl_end.unwrap_or(args.wdl)) };
    let labelling = Labelling { teacher, lambda: args.lambda, tree: args.tree, half: None };
    let mut sources = games::shards::<G>(args.game, &args.data, &labelling)?;
    sources.extend(games::shards::<G>(
        args.game,
        &args.older,
        &Labelling { half: Some(args.seed), ..labelling },
    )?);
    for path in &args.psv {
        sources.extend(psv::sources(path)?);
    }
    let data = Data::load(sources, Room::available());
    for sentence in &data.damaged {
        note(&format!("skipped: {sentence}"));
    }
    data.suffices()?;
    let scale = match args.scale {
        Some(scale) => scale,
        None => data.excerpt(samples::fit_scale)?.unwrap_or(samples::USUAL_SCALE),
    };
    note(&format!(
        "{} games, {} moves, {} training positions, {} validation positions, scale {scale} cp",
        data.games,
        data.plies,
        data.len(),
        data.validation.len()
    ));
    let plan = Plan {
        shape,
        epochs: args.epochs,
        batch: args.batch as usize,
        rate: args.rate,
        wdl,
        scale,
        seed: args.seed,
        data: data.fingerprint(),
        threads: args.threads.into(),
        out: args.out.clone(),
        start: args.start.clone(),
        resume: args.resume,
    };
    let bar = bar(0, "{wide_bar} {pos}/{len}  {per_sec}  {eta} to go");
    let state = trainer::begin(&plan)?;
    if let (Some(start), false) = (&args.start, state.has_moments()) {
        note(&format!(
            "{}: a network without the state of the optimiser, which its checkpoint has; the learning rate rises slowly",
            start.display()
        ));
    }
    let result = trainer::run(&plan, &data, state, &Bar(bar));
    result.map(drop).map_err(|error| Failure::Work(error.to_string()))
}

struct Bar(ProgressBar);

impl trainer::TrainProgress for Bar {
    fn advance(&self, positions: u64, all: u64) {
        self.0.set_length(all);
        self.0.inc(positions);
    }

    fn epoch(&self, p: &Point, c: &Comparison) {
        self.0.suspend(|| {
            let line = format!(
                "epoch {:3}  rate {:.1e}  wdl {:.2}  training {:.6}  validation {:.6}  {:.0} positions/s  \
                 quantisation error {:.2} cp, {:.0} at most, sums {} to {}",
                p.epoch,
                p.rate,
                p.wdl,
                p.training,
                p.validation,
                p.speed,
                c.mean,
                c.largest,
                c.range.0,
                c.range.1
            );
            // A closed standard output does not end the training.
            let _ = print(&line);
        });
        self.0.reset();
    }
}
