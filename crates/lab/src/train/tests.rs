//! Tests of the trainer: a function that it must learn, and resumed runs.

use super::TrainError;
use super::comparison::Comparison;
use super::curve::Point;
use super::data::Data;
use super::deep::Shape;
use super::record::Result as Outcome;
use super::samples::Samples;
use super::trainer::{self, Plan, TrainProgress};
use crate::scratch::Scratch;
use sanban_engine::Evaluator;
use sanban_engine::nnue::inputs::shogi::OWN;
use sanban_engine::nnue::{Accumulator, file};
use sanban_rules::shogi::{Kind, Position};
use sanban_rules::{Color, Position as _, Rng, Score};
use std::panic::AssertUnwindSafe;
use std::path::Path;
use std::sync::Arc;

/// Material on the board and in hand for the side to move, in centipawns.
fn material(pos: &Position) -> Score {
    let value = |color: Color| -> Score {
        let board: Score =
            pos.pieces(color).filter_map(|sq| pos.piece_on(sq)).map(|(_, kind)| worth(kind)).sum();
        let hand: usize =
            Kind::ALL[..Kind::HAND].iter().map(|&k| pos.hand_count(color, k) * worth(k) as usize).sum();
        board + hand as Score
    };
    value(pos.side()) - value(!pos.side())
}

fn worth(kind: Kind) -> Score {
    if kind == Kind::King { 0 } else { kind.value() / 4 }
}

/// Positions of random games, labelled with their material.
pub(super) fn random_samples(games: u64, seed: u64) -> (Samples, Vec<Position>) {
    let (mut samples, mut positions) = (Samples::default(), vec![]);
    let mut rng = Rng::new(seed);
    for _ in 0..games {
        let mut pos = Position::from_sfen(sanban_rules::shogi::START).expect("valid start position");
        for _ in 0..120 {
            let moves = pos.legal_moves();
            if moves.is_empty() {
                break;
            }
            pos.make(moves[rng.below(moves.len())], &mut ());
            samples.push(&pos, material(&pos), Outcome::Draw);
            positions.push(pos.clone());
        }
    }
    (samples, positions)
}

struct Silent;

impl TrainProgress for Silent {
    fn epoch(&self, _: &Point, comparison: &Comparison) {
        assert!(comparison.mean < 5.0, "{comparison:?}");
    }
}

/// Sanban's own shape with this number of neurons per side.
fn pairs(hidden: usize) -> Shape {
    Shape::find("pairs", &OWN, hidden).expect("a known shape")
}

pub(super) fn plan(dir: &Scratch, name: &str) -> Plan {
    Plan {
        shape: pairs(32),
        epochs: 6,
        batch: 256,
        rate: 4e-3,
        wdl: (0.0, 0.0),
        scale: 400.0,
        seed: 1,
        data: 1,
        threads: 2,
        out: dir.0.join(name).with_extension("nnue"),
        start: None,
        resume: false,
    }
}

/// Random games for training and validation.
pub(super) fn data(training: u64, validation: u64) -> Data {
    let [training, validation] =
        [(training, 1), (validation, 2)].map(|(games, seed)| random_samples(games, seed).0);
    Data::held(training, validation)
}

pub(super) fn train(
    plan: &Plan,
    data: &Data,
    progress: &dyn TrainProgress,
) -> Result<Vec<Point>, TrainError> {
    trainer::run(plan, data, trainer::begin(plan)?, progress)
}

/// Random games with material as the score: the network must learn the piece values.
#[test]
fn material_is_learned() {
    let data = data(600, 10);
    let dir = Scratch::new();
    let plan = plan(&dir, "material");
    let points = train(&plan, &data, &Silent).expect("training succeeds");
    let (first, last) = (points[0].validation, points[points.len() - 1].validation);
    assert!(last < first / 2.0 && last < 0.005, "{points:?}");
    let network = Arc::new(file::load(&plan.out, &OWN, None).expect("valid network"));
    let mut eval = sanban_engine::nnue::Evaluation::<sanban_engine::eval::shogi::Handwritten>::Trained(
        Accumulator::new(network),
    );
    let (mut error, mut spread, (_, positions)) = (0, 0, random_samples(5, 3));
    for pos in &positions {
        eval.reset(pos);
        error += (eval.evaluate(pos) - material(pos)).abs();
        spread += material(pos).abs();
    }
    assert!(
        error * 3 < spread,
        "mean error {} of {}",
        error / positions.len() as i32,
        spread / positions.len() as i32
    );
}

#[test]
fn a_checkpoint_goes_on() {
    struct Stop;
    impl TrainProgress for Stop {
        fn epoch(&self, point: &Point, _: &Comparison) {
            assert!(point.epoch < 2, "stop here");
        }
    }
    let data = data(20, 2);
    let dir = Scratch::new();
    let straight = Plan { epochs: 3, ..plan(&dir, "straight") };
    let points = train(&straight, &data, &Silent).expect("training succeeds");
    let broken = Plan { epochs: 3, ..plan(&dir, "broken") };
    let interrupted = std::panic::catch_unwind(AssertUnwindSafe(|| train(&broken, &data, &Stop)));
    assert!(interrupted.is_err());
    let resumed = Plan { resume: true, ..broken.clone() };
    let again = train(&resumed, &data, &Silent).expect("training succeeds");
    let errors = |points: &[Point]| points.iter().map(|p| (p.training, p.validation)).collect::<Vec<_>>();
    assert_eq!(errors(&points), errors(&again));
    let read = |path: &Path| std::fs::read(path).expect("network was written");
    assert_eq!(read(&straight.out), read(&broken.out));
    // Another training run starts from the final weights of this one and is better than one from random weights.
    let start = Some(straight.out.with_extension("ckpt"));
    let further = Plan { epochs: 1, rate: 1e-5, start, ..plan(&dir, "further") };
    let begun = train(&further, &data, &Silent).expect("training succeeds");
    let last = points[points.len() - 1].validation;
    assert!((begun[0].validation - last).abs() < last / 10.0, "{begun:?}, {points:?}");
    // The same holds for the network file instead of the checkpoint.
    let from_file = Plan { start: Some(straight.out.clone()), epochs: 1, rate: 1e-5, ..plan(&dir, "file") };
    let begun = train(&from_file, &data, &Silent).expect("training succeeds");
    assert!((begun[0].validation - last).abs() < last / 10.0, "{begun:?}, {points:?}");
    // Networks of a different size, larger or smaller, cannot start from the checkpoint.
    let large = Plan { shape: pairs(96), ..further.clone() };
    assert!(train(&large, &data, &Silent).is_err_and(|error| error.to_string().contains("a different size")));
    let start = Some(large.out.with_file_name("large.ckpt"));
    let large = Plan { out: large.out.with_file_name("large.nnue"), start: None, ..large };
    train(&large, &data, &Silent).expect("training succeeds");
    let small = Plan { start, ..further.clone() };
    assert!(train(&small, &data, &Silent).is_err_and(|error| error.to_string().contains("a different size")));
    // A checkpoint with different settings is rejected, and so is a damaged one.
    for other in [Plan { shape: pairs(64), ..resumed.clone() }, Plan { data: 2, ..resumed.clone() }] {
        assert!(
            train(&other, &data, &Silent)
                .is_err_and(|error| error.to_string().contains("different data, settings"))
        );
    }
    let path = resumed.out.with_extension("ckpt");
    let mut bytes = read(&path);
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&path, &bytes).expect("directory is writable");
    assert!(train(&resumed, &data, &Silent).is_err_and(|error| error.to_string().contains("damaged")));
}

#[test]
fn divergence_stops_and_keeps_the_checkpoint() {
    let data = data(5, 2);
    let dir = Scratch::new();
    let plan = Plan { rate: f32::NAN, ..plan(&dir, "nan") };
    assert!(train(&plan, &data, &Silent).is_err_and(|error| error.to_string().contains("diverged")));
    assert!(!plan.out.exists());
}
