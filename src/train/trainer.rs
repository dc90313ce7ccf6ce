//! The training itself: passes over shuffled data, a checkpoint and a network after each.

use super::adam::Optimizer;
use super::curve::{self, Point};
use super::error::TrainError;
use super::export::{self, Comparison};
use super::learn::{Work, Worker};
use super::model::{Model, Target};
use super::samples::{Data, Samples};
use crate::base::{Claim, Rng, Whole, checksum, read_whole, write_whole};
use crate::nnue::{Features, file};
use rayon::prelude::*;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// The learning rate ends at this share of where it began.
const LAST_RATE: f32 = 0.002_43;
/// Steps over which the learning rate rises at first.
const WARM_UP: u64 = 100;
/// Positions on which the integers are compared with the numbers they came from.
const COMPARED: usize = 20_000;

/// How to train.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Neurons a side, a multiple of 32.
    pub hidden: usize,
    /// Passes over the data.
    pub epochs: u32,
    /// Positions a step.
    pub batch: usize,
    /// Largest learning rate.
    pub rate: f32,
    /// Share of the game's result in the target, at the beginning and at the end.
    pub wdl: (f32, f32),
    /// Centipawns of an output of 1.0.
    pub scale: f32,
    /// What initial weights and order depend on.
    pub seed: u64,
    /// What tells the data apart ([`Data::fingerprint`]).
    pub data: u64,
    /// Threads at work.
    pub threads: usize,
    /// The network file; checkpoint, table and drawing stand beside it.
    pub out: PathBuf,
    /// The checkpoint whose weights to begin with, instead of random ones.
    pub start: Option<PathBuf>,
    /// Goes on from the checkpoint beside the network file.
    pub resume: bool,
}

impl Plan {
    fn beside(&self, extension: &str) -> PathBuf {
        beside(&self.out, extension)
    }
}

/// The name of a network file with this extension instead of `nnue`, or behind any other.
pub fn beside(network: &Path, extension: &str) -> PathBuf {
    if network.extension().is_some_and(|known| known == "nnue") {
        return network.with_extension(extension);
    }
    let mut name = network.as_os_str().to_os_string();
    name.push(".");
    name.push(extension);
    name.into()
}

/// Hears how the training goes on.
pub trait TrainProgress: Sync {
    /// So many positions of a pass of `all` are done.
    fn advance(&self, positions: u64, all: u64);
    /// A pass is over; how the exported integers compare.
    fn epoch(&self, point: &Point, comparison: &Comparison);
}

/// Where a training stands.
pub struct State {
    epoch: u32,
    model: Model,
    optimizer: Optimizer,
    points: Vec<Point>,
}

/// Makes sure that everything that a training writes can be written, by this process alone as long as the claim is held.
/// The error comes with the path that it is about.
pub fn claim(out: &Path) -> Result<Claim, (PathBuf, io::Error)> {
    if let Some(directory) = out.parent() {
        std::fs::create_dir_all(directory).map_err(|error| (directory.into(), error))?;
    }
    let claim = Claim::new(&beside(out, "lock")).map_err(|error| (out.into(), error))?;
    for path in [out.into(), beside(out, "ckpt"), beside(out, "csv"), beside(out, "svg")] {
        drop(Whole::create(&path).map_err(|error| (path, error))?);
    }
    Ok(claim)
}

/// Is this a whole checkpoint of a network of this size? An error names the file.
pub fn check(path: &Path, features: &Features, hidden: usize) -> Result<(), TrainError> {
    let bytes = read_whole(path, LARGEST)?;
    let fits = body(&bytes).and_then(numbers).is_some_and(|n| n.len() == 12 * Model::size(features, hidden));
    if fits { Ok(()) } else { Err(TrainError::Size(path.into())) }
}

/// Trains a network from where it stands. Stops with an error, and the last good checkpoint in place, when the numbers
/// diverge. The plan's threads are those of the current pool.
pub fn run(
    plan: &Plan,
    features: &'static Features,
    data: &Data,
    mut state: State,
    progress: &dyn TrainProgress,
) -> Result<Vec<Point>, TrainError> {
    if state.epoch == plan.epochs {
        // Nothing left to learn: the network is written anew.
        let comparison = publish(plan, features, data, &state)?;
        state.points.last().inspect(|point| progress.epoch(point, &comparison));
    }
    let mut workers: Vec<Worker> = (0..plan.threads.max(1)).map(|_| Worker::new(&state.model)).collect();
    while state.epoch < plan.epochs {
        let point = epoch(plan, features, data, &mut state, &mut workers, progress)?;
        state.points.push(point);
        // A network that cannot be written leaves the checkpoint before it.
        let comparison = publish(plan, features, data, &state)?;
        write_checkpoint(plan, features, &state)?;
        progress.epoch(&point, &comparison);
    }
    Ok(state.points)
}

/// Where the plan's training begins: at its checkpoint, with the weights of another one, or with random weights.
pub fn begin(plan: &Plan, features: &Features) -> Result<State, TrainError> {
    if plan.resume {
        return read_checkpoint(plan, features);
    }
    let mut state = start(plan, features);
    if let Some(path) = &plan.start {
        let bytes = read_whole(path, LARGEST)?;
        let n = state.model.params.len();
        let numbers = body(&bytes).and_then(numbers).filter(|numbers| numbers.len() == 12 * n);
        let weights = &numbers.ok_or_else(|| TrainError::Size(path.into()))?[..4 * n];
        let numbers = weights.as_chunks().0.iter().map(|&b| f32::from_le_bytes(b));
        state.model.params.iter_mut().zip(numbers).for_each(|(p, number)| *p = number);
    }
    Ok(state)
}

fn start(plan: &Plan, features: &Features) -> State {
    let model = Model::new(features, plan.hidden, plan.seed);
    let optimizer = Optimizer::new(&model);
    State { epoch: 0, model, optimizer, points: vec![] }
}

/// One pass over all positions, in an order of its own.
fn epoch(
    plan: &Plan,
    features: &Features,
    data: &Data,
    state: &mut State,
    workers: &mut [Worker],
    progress: &dyn TrainProgress,
) -> Result<Point, TrainError> {
    let begin = Instant::now();
    let samples = &data.training;
    let mut rng = Rng::new(plan.seed ^ Rng::new(u64::from(state.epoch) + 1).next());
    let order = shuffled(samples.len(), &mut rng);
    let steps = order.len().div_ceil(plan.batch) as u64;
    let all_steps = steps * u64::from(plan.epochs);
    let (mut loss, mut rate, mut target) = (0.0, 0.0, Target { scale: plan.scale, wdl: plan.wdl.0 });
    for (at, batch) in order.chunks(plan.batch).enumerate() {
        let step = steps * u64::from(state.epoch) + at as u64;
        let done = step as f32 / all_steps as f32;
        rate = plan.rate * schedule(done) * ((step + 1) as f32 / WARM_UP as f32).min(1.0);
        target.wdl = plan.wdl.0 + (plan.wdl.1 - plan.wdl.0) * done;
        let model = &state.model;
        deal(batch, workers, |index, worker, order| {
            let coins = Rng::new(step << 8 | index as u64);
            worker.learn(Work { model, features, samples, order, target }, coins);
        });
        loss += workers.iter().map(|worker| worker.loss).sum::<f64>();
        if !loss.is_finite() {
            return Err(diverged(plan, state.epoch + 1));
        }
        state.optimizer.step(&mut state.model, workers, batch.len(), rate);
        progress.advance(batch.len() as u64, order.len() as u64);
    }
    state.epoch += 1;
    let speed = samples.len() as f64 / begin.elapsed().as_secs_f64().max(1e-9);
    let validation = validate(features, &data.validation, state, workers, target);
    if !validation.is_finite() || state.model.params.iter().any(|p| !p.is_finite()) {
        return Err(diverged(plan, state.epoch));
    }
    let training = loss / samples.len() as f64;
    Ok(Point { epoch: state.epoch, rate, wdl: target.wdl, training, validation, speed })
}

/// Gives every worker its part of the positions.
fn deal(order: &[u32], workers: &mut [Worker], work: impl Fn(usize, &mut Worker, &[u32]) + Sync) {
    let share = order.len().div_ceil(workers.len());
    workers.par_iter_mut().enumerate().for_each(|(index, worker)| {
        let from = (index * share).min(order.len());
        work(index, worker, &order[from..(from + share).min(order.len())]);
    });
}

/// The numbers ran away in a pass, counted from 1.
fn diverged(plan: &Plan, pass: u32) -> TrainError {
    match pass {
        1 => TrainError::DivergedAtOnce,
        _ => TrainError::Diverged { pass, kept: plan.beside("ckpt") },
    }
}

/// Cosine from 1 to [`LAST_RATE`].
fn schedule(done: f32) -> f32 {
    LAST_RATE + (1.0 - LAST_RATE) * (1.0 + (std::f32::consts::PI * done).cos()) / 2.0
}

/// The numbers below `n` in random order (Fisher and Yates).
fn shuffled(n: usize, rng: &mut Rng) -> Vec<u32> {
    let mut order: Vec<u32> = (0..n as u32).collect();
    for at in (1..n).rev() {
        order.swap(at, rng.below(at + 1));
    }
    order
}

fn validate(
    features: &Features,
    samples: &Samples,
    state: &State,
    workers: &mut [Worker],
    target: Target,
) -> f64 {
    let order: Vec<u32> = (0..samples.len() as u32).collect();
    let model = &state.model;
    deal(&order, workers, |_, worker, order| {
        worker.measure(Work { model, features, samples, order, target })
    });
    workers.iter().map(|worker| worker.loss).sum::<f64>() / samples.len() as f64
}

/// Writes the network as it is now, read back and compared, and the course so far.
fn publish(
    plan: &Plan,
    features: &'static Features,
    data: &Data,
    state: &State,
) -> Result<Comparison, TrainError> {
    let origin = format!("{} games, {} positions", data.games, data.training.len());
    let bytes = export::quantise(&state.model, plan.scale, origin).to_bytes(features);
    let network = file::parse(&bytes, features, "exported").map_err(TrainError::Network)?;
    let comparison = export::compare(&state.model, &network, features, &data.validation, COMPARED)?;
    write_whole(&plan.out, &bytes)?;
    write_whole(&plan.beside("csv"), curve::csv(&state.points).as_bytes())?;
    write_whole(&plan.beside("svg"), curve::svg(&state.points).as_bytes())?;
    Ok(comparison)
}

const MAGIC: &[u8; 8] = b"SANBANC2";
/// No checkpoint is larger, in bytes.
const LARGEST: u64 = 1 << 30;

/// What a checkpoint must have been made with to be gone on from.
fn fingerprint(plan: &Plan, features: &Features) -> u64 {
    let text = format!(
        "{} {} {} {} {} {:?} {} {} {}",
        features.id,
        plan.hidden,
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

fn write_checkpoint(plan: &Plan, features: &Features, state: &State) -> Result<(), TrainError> {
    let mut body = vec![];
    body.extend(fingerprint(plan, features).to_le_bytes());
    body.extend(u64::from(state.epoch).to_le_bytes());
    body.extend(state.optimizer.step.to_le_bytes());
    for p in &state.points {
        for value in [f64::from(p.epoch), p.rate.into(), p.wdl.into(), p.training, p.validation, p.speed] {
            body.extend(value.to_le_bytes());
        }
    }
    for values in [&state.model.params, &state.optimizer.mean, &state.optimizer.square] {
        body.extend(values.iter().flat_map(|v| v.to_le_bytes()));
    }
    let mut out = MAGIC.to_vec();
    out.extend(checksum(&body).to_le_bytes());
    out.extend(body);
    Ok(write_whole(&plan.beside("ckpt"), &out)?)
}

fn read_checkpoint(plan: &Plan, features: &Features) -> Result<State, TrainError> {
    let path = plan.beside("ckpt");
    let bytes = read_whole(&path, LARGEST)?;
    parse_checkpoint(&bytes, plan, features).ok_or(TrainError::OtherTraining(path))
}

/// The numbers of a checkpoint behind the course so far: weights, then what the optimizer knows of each, twice.
fn numbers(body: &[u8]) -> Option<&[u8]> {
    let epoch = u64::from_le_bytes(*body.get(8..)?.first_chunk()?);
    let course = usize::try_from(epoch).ok()?.checked_mul(48)?;
    body.get(24..)?.get(course..)
}

/// What a checkpoint holds, if it is whole.
fn body(bytes: &[u8]) -> Option<&[u8]> {
    let (sum, body) = bytes.strip_prefix(MAGIC)?.split_at_checked(8)?;
    (sum == checksum(body).to_le_bytes()).then_some(body)
}

fn parse_checkpoint(bytes: &[u8], plan: &Plan, features: &Features) -> Option<State> {
    let body = body(bytes)?;
    let words: &[[u8; 8]] = body.as_chunks().0;
    let word = |at: usize| words.get(at).map(|&b| u64::from_le_bytes(b));
    if word(0)? != fingerprint(plan, features) {
        return None;
    }
    let mut state = start(plan, features);
    state.epoch = word(1)? as u32;
    state.optimizer.step = word(2)?;
    let points = state.epoch as usize;
    let number = |at: usize| word(at).map(f64::from_bits);
    for at in (3..3 + 6 * points).step_by(6) {
        state.points.push(Point {
            epoch: number(at)? as u32,
            rate: number(at + 1)? as f32,
            wdl: number(at + 2)? as f32,
            training: number(at + 3)?,
            validation: number(at + 4)?,
            speed: number(at + 5)?,
        });
    }
    let floats: &[[u8; 4]] = body.get(8 * (3 + 6 * points)..)?.as_chunks().0;
    let n = state.model.params.len();
    if floats.len() != 3 * n {
        return None;
    }
    let parts = [&mut state.model.params, &mut state.optimizer.mean, &mut state.optimizer.square];
    for (values, part) in parts.into_iter().zip(floats.chunks(n)) {
        values.iter_mut().zip(part).for_each(|(v, &b)| *v = f32::from_le_bytes(b));
    }
    Some(state)
}
