//! Compares gradients with finite differences of a plain network without any rounding, and files with trained models.

use super::batch::groups;
use super::*;
use crate::scratch::Scratch;
use crate::train::curve::Point;
use crate::train::samples::{Label, Samples, sigmoid};
use crate::train::tests::{random_samples, train};
use crate::train::trainer::{Plan, TrainProgress};
use crate::train::{tests, trainer};
use sanban_engine::nnue::inputs::shogi::{HALFKP, KP, OWN};
use sanban_engine::nnue::{Accumulator, Features, simd};
use sanban_rules::shogi::Position;
use std::panic::AssertUnwindSafe;
use std::path::Path;
use std::sync::Arc;

fn shape(name: &str, hidden: usize) -> Shape {
    Shape::find(name, &OWN, hidden).expect("a known shape")
}

fn deep(name: &str) -> Deep {
    Deep::new(shape(name, 64), 600.0, 3, 2)
}

/// The rows of a position for a side, computed from the definition: group and row within it.
fn rows(features: &Features, samples: &Samples, index: usize, mine: bool) -> (Vec<(usize, usize)>, Label) {
    let (placements, label) = samples.get(index);
    let placements: Vec<_> = placements.collect();
    let color = if mine { label.side } else { !label.side };
    let kings = placements.iter().filter_map(|&p| features.king(p));
    let bucket =
        kings.filter(|(owner, _)| *owner == color).map(|(_, bucket)| bucket).next_back().expect("has a king");
    let width = groups(features).0;
    let rows = placements.iter().filter_map(|&p| features.row(color, bucket, p));
    (rows.map(|row| (row / width, row % width)).collect(), label)
}

/// The average error of rounding down.
const FLOOR: f64 = 0.5 / 127.0;

/// The squared error of one position by a network with these parameters, in floating point.
fn error(deep: &Deep, params: &[f32], samples: &Samples, index: usize, target: Target) -> f64 {
    let First { hidden, width, groups } = deep.first;
    let (common, rest) = params.split_at(if groups == 1 { 0 } else { width * hidden });
    let (own, rest) = rest.split_at(groups * width * hidden);
    let (bias, mut rest) = rest.split_at(hidden);
    let mut x = vec![];
    let mut label = None;
    for mine in [true, false] {
        let (rows, known) = rows(deep.shape.features, samples, index, mine);
        label = Some(known);
        for (j, &bias) in bias.iter().enumerate() {
            let (tile, lane) = (j / 32, j % 32);
            let part = |values: &[f32], at: usize| values.get(at * 32 + lane).map_or(0.0, |&w| f64::from(w));
            let sum: f64 = rows
                .iter()
                .map(|(group, row)| {
                    part(common, tile * width + row) + part(own, (tile * groups + group) * width + row)
                })
                .sum();
            x.push((f64::from(bias) + sum).clamp(0.0, 1.0));
        }
    }
    if deep.shape.pairs() {
        let half = hidden / 2;
        let product = |at: usize| (x[at] * x[at + half] * 127.0 / 128.0 - FLOOR).max(0.0);
        x = (0..hidden).map(|at| product(at / half * hidden + at % half)).collect();
    }
    for (at, (inputs, outputs)) in deep.shape.dense().into_iter().enumerate() {
        let (weights, next) = rest.split_at(inputs * outputs);
        let (bias, next) = next.split_at(outputs);
        let sums = weights.chunks(inputs).zip(bias).map(|(row, &b)| {
            let sum = f64::from(b) + row.iter().zip(&x).map(|(&w, x)| f64::from(w) * x).sum::<f64>();
            if at < 2 { (sum - FLOOR).clamp(0.0, 1.0) } else { sum }
        });
        x = sums.collect();
        rest = next;
    }
    let label = label.expect("both sides have rows");
    f64::from(target.error(&label, sigmoid(x[0] as f32))).powi(2)
}

/// Rounds all parameters to values that the file can represent, so that only sums between layers are rounded.
fn round(deep: &mut Deep) {
    let (first, mut rest) = deep.params.split_at_mut(deep.first.size());
    let near =
        |values: &mut [f32], unit: f32| values.iter_mut().for_each(|v| *v = (*v * unit).round() / unit);
    near(first, 127.0);
    for layer in deep.tail.layers() {
        let (own, next) = rest.split_at_mut(layer.size());
        near(own, 127.0 / layer.largest());
        rest = next;
    }
}

/// After the first step, the optimiser's mean is a tenth of the gradient.
fn gradients_are_correct(name: &str) {
    const POSITIONS: usize = 24;
    let (samples, _) = random_samples(4, 9);
    let order: Vec<u32> = (0..POSITIONS as u32).map(|n| 7 * n).collect();
    // Only game results are used: they are far from the outputs, so rounding matters less.
    let target = Target { scale: 400.0, wdl: 1.0 };
    let mut deep = deep(name);
    round(&mut deep);
    let before = deep.params.clone();
    let loss = deep.learn(Lesson { samples: &samples, order: &order, target }, 1e-3);
    let all = |params: &[f32]| -> f64 {
        order.iter().map(|&index| error(&deep, params, &samples, index as usize, target)).sum()
    };
    assert!((loss - all(&before)).abs() < 0.1 * loss, "{loss} is not {}", all(&before));
    let gradient = |at: usize| f64::from(deep.mean[at]) * POSITIONS as f64 / 0.1;
    // The largest gradients of every part: common rows, own rows, biases, each dense layer.
    let (first, mut end) = (deep.first.size(), deep.first.size());
    let common = deep.first.seeded();
    let mut parts = vec![0..common, common..first - deep.first.hidden, first - deep.first.hidden..first];
    for layer in deep.tail.layers() {
        parts.push(end..end + layer.size());
        end += layer.size();
    }
    for part in parts.into_iter().filter(|part| !part.is_empty()) {
        let mut largest: Vec<usize> = part.clone().filter(|&at| gradient(at) != 0.0).collect();
        largest.sort_by(|&a, &b| gradient(b).abs().total_cmp(&gradient(a).abs()));
        let largest = &largest[..largest.len().min(12)];
        assert!(!largest.is_empty(), "{name} {part:?}");
        for &at in largest {
            const STEP: f32 = 2e-3;
            let mut params = before.clone();
            params[at] += STEP;
            let up = all(&params);
            params[at] -= 2.0 * STEP;
            let exact = (up - all(&params)) / f64::from(2.0 * STEP);
            let found = gradient(at);
            assert!(
                (found - exact).abs() < 0.2 * exact.abs().max(0.05),
                "{name}, parameter {at} of {part:?}: {found} is not {exact}"
            );
        }
    }
}

#[test]
fn gradients_are_correct_without_groups() {
    gradients_are_correct("kp-256");
    gradients_are_correct("pairs");
}

#[test]
fn gradients_are_correct_with_groups() {
    gradients_are_correct("halfkp-256");
}

fn data() -> (Samples, Data, Vec<Position>) {
    let (validation, positions) = random_samples(10, 2);
    (random_samples(60, 1).0, Data::held(Samples::default(), validation), positions)
}

/// The outputs of the file equal those of the trained model exactly.
fn files_say_what_was_trained(name: &str, features: &'static Features) {
    let (samples, data, positions) = data();
    let order: Vec<u32> = (0..samples.len() as u32).collect();
    let target = Target { scale: 600.0, wdl: 0.0 };
    let mut deep = deep(name);
    for order in order.chunks(1000) {
        deep.learn(Lesson { samples: &samples, order, target }, 2e-3);
    }
    let (bytes, comparison) = deep.export(&data, 600.0).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(comparison.positions, positions.len());
    assert!(comparison.largest < 1.0, "{comparison:?}");
    let network = Arc::new(halfkp::parse(&bytes, 1, name).unwrap_or_else(|error| panic!("{error}")));
    assert_eq!(network.features.id, features.id);
    let order: Vec<u32> = (0..positions.len() as u32).collect();
    let (outputs, _) = deep.outputs(Lesson { samples: &data.validation, order: &order, target });
    for (pos, output) in positions.iter().zip(outputs) {
        for kernels in simd::available() {
            let mut acc = Accumulator::with(Arc::clone(&network), kernels);
            acc.reset(pos);
            assert_eq!(acc.raw(pos), output as i32, "{pos}, {}", kernels.name);
        }
    }
}

#[test]
fn files_say_what_was_trained_with_kings_beside() {
    files_say_what_was_trained("kp-256", &KP);
}

#[test]
fn files_say_what_was_trained_with_kings_before() {
    files_say_what_was_trained("halfkp-256", &HALFKP);
}

#[test]
fn deep_networks_learn_and_go_on() {
    struct Exact(u32);
    impl TrainProgress for Exact {
        fn epoch(&self, point: &Point, comparison: &Comparison) {
            assert!(comparison.largest < 1.0, "{comparison:?}");
            assert!(point.epoch < self.0, "stop here");
        }
    }
    let data = tests::data(200, 4);
    let (shape, dir) = (shape("pairs", 32), Scratch::new());
    let plan = |name| Plan { shape, epochs: 4, rate: 2e-3, threads: 1, ..tests::plan(&dir, name) };
    let straight = plan("straight");
    let points = train(&straight, &data, &Exact(9)).expect("training succeeds");
    assert!(points[3].validation < points[0].validation / 1.5 && points[3].validation < 0.01, "{points:?}");
    let broken = plan("broken");
    let interrupted = std::panic::catch_unwind(AssertUnwindSafe(|| train(&broken, &data, &Exact(2))));
    assert!(interrupted.is_err());
    let resumed = Plan { resume: true, ..broken.clone() };
    // The checkpoint of the last completed epoch already existed.
    train(&resumed, &data, &Exact(9)).expect("training succeeds");
    let read = |path: &Path| std::fs::read(path).expect("network was written");
    assert!(read(&straight.out) == read(&broken.out));
    let checkpoint = straight.out.with_extension("ckpt");
    assert!(trainer::check(&checkpoint, shape).is_ok());
    assert!(trainer::check(&checkpoint, self::shape("kp-256", 0)).is_err());
}

struct Silent;
impl TrainProgress for Silent {}

/// Training can start from a network in Sanban's own format, but not from one of a different shape.
#[test]
fn our_own_begin_with_a_network() {
    let data = tests::data(60, 4);
    let (shape, dir) = (shape("pairs", 32), Scratch::new());
    let first = Plan { shape, epochs: 1, threads: 1, ..tests::plan(&dir, "first") };
    train(&first, &data, &Silent).expect("training succeeds");
    let again = Plan { start: Some(first.out.clone()), rate: 1e-12, ..tests::plan(&dir, "again") };
    let again = Plan { shape, epochs: 1, threads: 1, ..again };
    train(&again, &data, &Silent).expect("training succeeds");
    let read = |path: &Path| std::fs::read(path).expect("network was written");
    assert!(read(&first.out) == read(&again.out));
    for other in [self::shape("pairs", 64), self::shape("kp-256", 0)] {
        assert!(trainer::check(&first.out, other).is_err(), "{other:?}");
    }
}
