//! The training loop: epochs over shuffled data, with a checkpoint and a network after each.

use super::comparison::Comparison;
use super::curve::{self, Point};
use super::data::Data;
use super::deep::{Deep, Shape};
use super::error::TrainError;
use super::target::{Lesson, Target};
use sanban_engine::nnue::{Network, file};
use sanban_rules::Rng;
use sanban_system::{Claim, Whole, begins_with, checksum, read_whole, write_whole};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Ratio of the final to the peak learning rate.
const LAST_RATE: f32 = 0.002_43;
const WARM_UP: u64 = 100;
/// Number of warm-up steps of trained weights without the state of the optimiser, which must first learn how large the
/// gradients are.
const LONG_WARM_UP: u64 = 1000;

#[derive(Clone, Debug)]
pub struct Plan {
    pub shape: Shape,
    pub epochs: u32,
    /// Positions per step.
    pub batch: usize,
    /// Peak learning rate.
    pub rate: f32,
    /// Weight of the game's result in the target, at the beginning and at the end of the run.
    pub wdl: (f32, f32),
    /// Centipawns for an output of 1.0.
    pub scale: f32,
    /// Seed for the initial weights and the order of positions.
    pub seed: u64,
    /// The fingerprint of the data ([`Data::fingerprint`]).
    pub data: u64,
    pub threads: usize,
    /// The network file; checkpoint, table and plot are written beside it.
    pub out: PathBuf,
    /// The checkpoint or network to start from, instead of random weights.
    pub start: Option<PathBuf>,
    /// Whether to resume from the checkpoint beside the network file.
    pub resume: bool,
}

impl Plan {
    fn beside(&self, extension: &str) -> PathBuf {
        beside(&self.out, extension)
    }
}

/// The name of a network file with this extension instead of `nnue`, or appended to any other extension.
pub fn beside(network: &Path, extension: &str) -> PathBuf {
    if network.extension().is_some_and(|known| known == "nnue") {
        return network.with_extension(extension);
    }
    network.with_added_extension(extension)
}

pub trait TrainProgress: Sync {
    /// Called when this number of positions has been processed since the last call; an epoch has `all` positions.
    fn advance(&self, _positions: u64, _all: u64) {}
    /// Called at the end of an epoch, with the comparison of the exported network.
    fn epoch(&self, _point: &Point, _comparison: &Comparison) {}
}

pub struct State {
    epoch: u32,
    learner: Deep,
    points: Vec<Point>,
    warm_up: u64,
}

impl State {
    /// Returns whether the optimiser has its state, or none because training starts from random weights.
    pub fn has_moments(&self) -> bool {
        self.warm_up == WARM_UP
    }
}

/// Recognises an earlier file of the same kind.
type IsOwn = fn(&mut File) -> bool;

/// The files that a training run writes: the extension, empty for the network itself, and the function that recognises
/// an earlier file.
const WRITTEN: [(&str, IsOwn); 4] = [
    ("", file::is_network),
    ("ckpt", |old| begins_with(MAGIC)(old)),
    ("csv", |old| begins_with(curve::NAMES.as_bytes())(old)),
    ("svg", |old| begins_with(curve::DRAWING.as_bytes())(old)),
];

/// The path of the file with this extension, or of the network itself.
fn named(out: &Path, extension: &str) -> PathBuf {
    if extension.is_empty() { out.into() } else { beside(out, extension) }
}

/// Writes one of the files of [`WRITTEN`].
fn write(out: &Path, extension: &str, bytes: &[u8]) -> Result<(), TrainError> {
    let known = WRITTEN.iter().find(|(known, _)| *known == extension);
    let is_own = known.map_or::<IsOwn, _>(|_| false, |&(_, is_own)| is_own);
    Ok(write_whole(&named(out, extension), bytes, is_own)?)
}

/// Checks that all files of a training run can be written, and locks them for this process while the claim is held.
///
/// # Errors
/// Another process is training this network, or a file cannot be written. The error includes the path.
pub fn claim(out: &Path) -> Result<Claim, (PathBuf, io::Error)> {
    if let Some(directory) = out.parent() {
        std::fs::create_dir_all(directory).map_err(|error| (directory.into(), error))?;
    }
    let claim = Claim::new(&beside(out, "lock")).map_err(|error| (out.into(), error))?;
    for (path, is_own) in WRITTEN.map(|(extension, is_own)| (named(out, extension), is_own)) {
        drop(Whole::replace(&path, is_own).map_err(|error| (path, error))?);
    }
    Ok(claim)
}

/// Checks that this is an intact checkpoint of a network of this shape, or a network in Sanban's own format from which
/// training can start.
pub fn check(path: &Path, shape: Shape) -> Result<(), TrainError> {
    let bytes = read_whole(path, LARGEST)?;
    if known(path, &bytes, shape)?.is_some() {
        return Ok(());
    }
    let fits = body(&bytes).and_then(numbers).is_some_and(|n| n.len() == 4 * Deep::size(shape));
    if fits { Ok(()) } else { Err(TrainError::Size(path.into())) }
}

/// Trains a network from its current state. The current rayon pool must have the plan's number of threads.
///
/// # Errors
/// Training diverges, and the last good checkpoint is kept; or a file cannot be written.
pub fn run(
    plan: &Plan,
    data: &Data,
    mut state: State,
    progress: &dyn TrainProgress,
) -> Result<Vec<Point>, TrainError> {
    if state.epoch == plan.epochs {
        // The training is complete: the network is written again.
        let comparison = publish(plan, data, &mut state)?;
        state.points.last().inspect(|point| progress.epoch(point, &comparison));
    }
    while state.epoch < plan.epochs {
        let point = epoch(plan, data, &mut state, progress)?;
        state.points.push(point);
        // If the network cannot be written, the previous checkpoint is kept.
        let comparison = publish(plan, data, &mut state)?;
        write_checkpoint(plan, &mut state)?;
        progress.epoch(&point, &comparison);
    }
    Ok(state.points)
}

/// Reads a network file in Sanban's own format; `None` for other files.
fn known(path: &Path, bytes: &[u8], shape: Shape) -> Result<Option<Network>, TrainError> {
    if !file::is_own(bytes) {
        return Ok(None);
    }
    let network = file::decode(path, bytes, shape.features, None)?;
    if shape.is_of(&network) { Ok(Some(network)) } else { Err(TrainError::Size(path.into())) }
}

/// The initial state of a training run: its checkpoint, the weights of another checkpoint or of a network, or random
/// weights.
pub fn begin(plan: &Plan) -> Result<State, TrainError> {
    let start = match &plan.start {
        Some(path) => Some((path, read_whole(path, LARGEST)?)),
        None => None,
    };
    let known = match &start {
        Some((path, bytes)) => known(path, bytes, plan.shape)?,
        None => None,
    };
    let checkpoint = start.filter(|_| known.is_none());
    let mut learner = Deep::new(plan.shape, plan.scale, plan.seed, plan.threads);
    known.iter().for_each(|network| learner.take(network));
    let warm_up = if known.is_some() { LONG_WARM_UP } else { WARM_UP };
    let mut state = State { epoch: 0, learner, points: vec![], warm_up };
    if plan.resume {
        let path = plan.beside("ckpt");
        let bytes = read_whole(&path, LARGEST)?;
        read_checkpoint(&bytes, plan, &mut state).ok_or(TrainError::OtherTraining(path))?;
    } else if let Some((path, bytes)) = checkpoint {
        load(&bytes, &mut state.learner).ok_or_else(|| TrainError::Size(path.into()))?;
    }
    Ok(state)
}

/// Reads numbers from the front of some bytes.
fn fill(numbers: &mut [f32], bytes: &[u8]) {
    numbers.iter_mut().zip(bytes.as_chunks().0).for_each(|(n, &b)| *n = f32::from_le_bytes(b));
}

/// One epoch over all positions in a new random order, or in a random order within each block if they do not fit into
/// memory.
fn epoch(
    plan: &Plan,
    data: &Data,
    state: &mut State,
    progress: &dyn TrainProgress,
) -> Result<Point, TrainError> {
    let begin = Instant::now();
    let mut rng = Rng::new(plan.seed ^ Rng::new(u64::from(state.epoch) + 1).next());
    let all = data.len() as u64;
    // A long warm-up ends with the first epoch, after which a run can be resumed.
    let warm_up =
        if state.epoch == 0 { state.warm_up.min(WARM_UP.max(all / plan.batch as u64)) } else { WARM_UP };
    // Number of positions processed so far in all epochs.
    let mut learned = u64::from(state.epoch) * all;
    let (mut loss, mut rate, mut target) = (0.0, 0.0, Target { scale: plan.scale, wdl: plan.wdl.0 });
    data.pass(&mut rng, |samples, rng| {
        for order in shuffled(samples.len(), rng).chunks(plan.batch) {
            let done = learned as f32 / (all * u64::from(plan.epochs)) as f32;
            let step = learned / plan.batch as u64;
            rate = plan.rate * schedule(done) * ((step + 1) as f32 / warm_up as f32).min(1.0);
            target.wdl = plan.wdl.0 + (plan.wdl.1 - plan.wdl.0) * done;
            loss += state.learner.learn(Lesson { samples, order, target }, rate);
            if !loss.is_finite() {
                return Err(diverged(plan, state.epoch + 1));
            }
            learned += order.len() as u64;
            progress.advance(order.len() as u64, all);
        }
        Ok(())
    })?;
    state.epoch += 1;
    let speed = all as f64 / begin.elapsed().as_secs_f64().max(1e-9);
    let order: Vec<u32> = (0..data.validation.len() as u32).collect();
    let lesson = Lesson { samples: &data.validation, order: &order, target };
    let validation = state.learner.measure(lesson) / order.len() as f64;
    if !validation.is_finite() || state.learner.numbers()[0].iter().any(|p| !p.is_finite()) {
        return Err(diverged(plan, state.epoch));
    }
    let training = loss / all as f64;
    Ok(Point { epoch: state.epoch, rate, wdl: target.wdl, training, validation, speed })
}

/// The error for a divergence in an epoch, counted from 1.
fn diverged(plan: &Plan, pass: u32) -> TrainError {
    match pass {
        1 => TrainError::DivergedAtOnce,
        _ => TrainError::Diverged { pass, kept: plan.beside("ckpt") },
    }
}

/// A cosine schedule from 1 to [`LAST_RATE`].
fn schedule(done: f32) -> f32 {
    LAST_RATE + (1.0 - LAST_RATE) * (1.0 + (std::f32::consts::PI * done).cos()) / 2.0
}

/// The numbers below `n` in random order.
fn shuffled(n: usize, rng: &mut Rng) -> Vec<u32> {
    let mut order: Vec<u32> = (0..n as u32).collect();
    rng.shuffle(&mut order);
    order
}

/// Writes the current network, after reading it back and comparing it, and the training curve.
fn publish(plan: &Plan, data: &Data, state: &mut State) -> Result<Comparison, TrainError> {
    let (bytes, comparison) = state.learner.export(data, plan.scale)?;
    write(&plan.out, "", &bytes)?;
    write(&plan.out, "csv", curve::csv(&state.points).as_bytes())?;
    write(&plan.out, "svg", curve::svg(&state.points).as_bytes())?;
    Ok(comparison)
}

const MAGIC: &[u8; 8] = b"SANBANC2";
/// Maximum size of a checkpoint in bytes.
const LARGEST: u64 = 2 << 30;

/// A fingerprint of the settings that a checkpoint must have to be resumed.
fn fingerprint(plan: &Plan, learner: &Deep) -> u64 {
    let text = format!(
        "{} {} {} {} {:?} {} {} {}",
        learner.label(),
        plan.epochs,
        plan.batch,
        plan.rate,
        plan.wdl,
        plan.scale,
        plan.seed,
        plan.data
    );
    checksum(text.as_bytes())
}

fn write_checkpoint(plan: &Plan, state: &mut State) -> Result<(), TrainError> {
    let mut out = [&MAGIC[..], &[0; 8]].concat();
    out.extend(fingerprint(plan, &state.learner).to_le_bytes());
    out.extend(u64::from(state.epoch).to_le_bytes());
    out.extend(state.learner.step().to_le_bytes());
    for p in &state.points {
        let values = [p.epoch.into(), p.rate.into(), p.wdl.into(), p.training, p.validation, p.speed];
        out.extend(values.iter().flat_map(|value: &f64| value.to_le_bytes()));
    }
    for values in state.learner.numbers() {
        out.extend(values.iter().flat_map(|v| v.to_le_bytes()));
    }
    let sum = checksum(&out[16..]);
    out[8..16].copy_from_slice(&sum.to_le_bytes());
    write(&plan.out, "ckpt", &out)
}

/// The numbers of a checkpoint after the training curve: weights, then the optimiser state.
fn numbers(body: &[u8]) -> Option<&[u8]> {
    let epoch = u64::from_le_bytes(*body.get(8..)?.first_chunk()?);
    let course = usize::try_from(epoch).ok()?.checked_mul(48)?;
    body.get(24..)?.get(course..)
}

/// The contents of a checkpoint, if it is intact.
fn body(bytes: &[u8]) -> Option<&[u8]> {
    let (sum, body) = bytes.strip_prefix(MAGIC)?.split_at_checked(8)?;
    (sum == checksum(body).to_le_bytes()).then_some(body)
}

/// Loads the contents of a checkpoint, if it is intact and fits.
fn read_checkpoint(bytes: &[u8], plan: &Plan, state: &mut State) -> Option<()> {
    let body = body(bytes)?;
    let words: &[[u8; 8]] = body.as_chunks().0;
    let word = |at: usize| words.get(at).map(|&b| u64::from_le_bytes(b));
    if word(0)? != fingerprint(plan, &state.learner) {
        return None;
    }
    state.epoch = word(1)? as u32;
    let points = state.epoch as usize;
    for values in words.get(3..3 + 6 * points)?.as_chunks().0 {
        let [epoch, rate, wdl, training, validation, speed] = values.map(f64::from_le_bytes);
        let (epoch, rate, wdl) = (epoch as u32, rate as f32, wdl as f32);
        state.points.push(Point { epoch, rate, wdl, training, validation, speed });
    }
    load(bytes, &mut state.learner)
}

/// Loads the weights and the state of the optimiser from a checkpoint, if it is intact and fits.
fn load(bytes: &[u8], learner: &mut Deep) -> Option<()> {
    let body = body(bytes)?;
    *learner.step() = u64::from_le_bytes(*body.get(16..)?.first_chunk()?);
    let mut rest = numbers(body)?;
    for part in learner.numbers() {
        let (own, next) = rest.split_at_checked(4 * part.len())?;
        fill(part, own);
        rest = next;
    }
    rest.is_empty().then_some(())
}
