//! Mutated files with corrected checksums: networks, checkpoints, shards, packed positions.

use super::bytes::{changed, changes};
use super::check;
use super::sfens::walk_on;
use crate::scratch::Scratch;
use once_cell::sync::Lazy;
use proptest::prelude::*;
use proptest::test_runner::TestCaseResult;
use sanban::Variant;
use sanban::engine::nnue::file::Deep;
use sanban::engine::nnue::halfkp::Weights;
use sanban::engine::nnue::reader::chain;
use sanban::engine::{Evaluator, Game, NetworkSource};
use sanban::lab::train::comparison::Comparison;
use sanban::lab::train::data::{Data, Room};
use sanban::lab::train::deep::Shape;
use sanban::lab::train::games::{Labelling, shards};
use sanban::lab::train::psv::Entry;
use sanban::lab::train::record::{Ply, Record, Result as Outcome};
use sanban::lab::train::samples::Samples;
use sanban::lab::train::shard::Origin;
use sanban::lab::train::trainer::Plan;
use sanban::lab::train::{psv, shard, trainer};
use sanban::rules::score::MAX_EVAL;
use sanban::rules::{AsBoard, Color, Janggi, Position, Rng, Shogi, VariantId};
use sanban::system::checksum;
use std::path::Path;

/// Writes a checksum at an offset, if the file is long enough.
fn seal(bytes: &mut [u8], at: usize, sum: u64) {
    if let Some(place) = bytes.get_mut(at..at + 8) {
        place.copy_from_slice(&sum.to_le_bytes());
    }
}

/// Checks that a network, with any weights, gives scores in range, and that incremental updates equal a full
/// evaluation.
fn evaluates<G: Game<Position: AsBoard>>(path: &Path, seed: u64) -> TestCaseResult {
    let Ok(network) = G::load_network(&NetworkSource::file(path, 16)) else { return Ok(()) };
    let (mut along, mut fresh) = (G::evaluator(&network), G::evaluator(&network));
    for n in 0..3 {
        let (end, made) = walk_on::<G>(seed + n, 12);
        let mut pos = end.clone();
        made.iter().for_each(|_| pos.unmake());
        along.reset(&pos);
        for mv in made {
            along.push();
            pos.make(mv, &mut along);
            if !pos.in_check() {
                fresh.reset(&pos);
                let score = along.evaluate(&pos);
                prop_assert!(score.abs() <= MAX_EVAL, "{}: {}", pos.sfen(), score);
                prop_assert_eq!(score, fresh.evaluate(&pos), "{}", pos.sfen());
            }
        }
    }
    Ok(())
}

/// A network in our own format, with random weights from `-size` to `size`.
fn network<G: Game<Position: AsBoard>>(seed: u64, size: i16) -> Vec<u8> {
    let (mut rng, features) = (Rng::new(seed), G::features().expect("a game with networks"));
    let mut numbers = |n: usize, size: i16| -> Vec<i16> {
        let spread = 2 * size.unsigned_abs() as usize + 1;
        (0..n).map(|_| (rng.below(spread) as i32 - i32::from(size)) as i16).collect()
    };
    let outputs = [8 << (seed % 3), 32];
    let weights = Weights {
        bias: numbers(32, size),
        weights: numbers(features.rows * 32, size),
        layers: chain(32, outputs).map(|(inputs, outputs)| {
            let weights = numbers(inputs * outputs, size).into_iter().map(|w| w as i8).collect();
            (weights, numbers(outputs, size).into_iter().map(i32::from).collect())
        }),
    };
    Deep { weights: &weights, scale: 1 + (seed % 10_000) as i32, origin: "at random".into() }
        .to_bytes(features)
}

#[test]
fn networks_are_read_or_refused() {
    let dir = Scratch::new();
    let path = dir.file("net.nnue");
    let sizes = prop::sample::select(vec![1i16, 100, 3000, i16::MAX]);
    check(file!(), 40, (any::<bool>(), any::<u32>(), sizes, changes()), |(janggi, seed, size, changes)| {
        let seed = u64::from(seed);
        let bytes = if janggi { network::<Janggi>(seed, size) } else { network::<Shogi>(seed, size) };
        let mut bytes = changed(bytes, &changes);
        let sum = checksum(bytes.get(96..).unwrap_or_default());
        seal(&mut bytes, 88, sum);
        std::fs::write(&path, &bytes).expect("a writable file");
        if janggi {
            evaluates::<Janggi>(path.as_ref(), seed)
        } else {
            evaluates::<Shogi>(path.as_ref(), seed)
        }
    });
}

/// The smallest architecture in use in the community: K+P, 256 neurons per side.
#[test]
fn community_networks_are_read_or_refused() {
    let dir = Scratch::new();
    let path = dir.file("nn.bin");
    let text = b"Features=K+P";
    check(file!(), 12, (any::<u64>(), 1u8.., changes()), |(seed, size, changes)| {
        let mut rng = Rng::new(seed);
        let rows = sanban::engine::nnue::inputs::shogi::KP.rows;
        let mut bytes = [0x7AF3_2F16u32, 7, text.len() as u32].map(u32::to_le_bytes).concat();
        bytes.extend(text);
        // Two hashes, the first layer in 16 bits, then layers with weights of 8 bits and biases of 32 bits.
        let rest = 8 + 512 * (1 + rows) + 32 * (4 + 512) + 32 * (4 + 32) + 4 + 32;
        bytes.extend((0..rest).map(|_| (rng.next() % u64::from(size)) as u8));
        std::fs::write(&path, changed(bytes, &changes)).expect("a writable file");
        evaluates::<Shogi>(path.as_ref(), seed)
    });
}

/// Records of games with random moves.
fn records(seed: u64) -> Vec<Record> {
    let game = |n: u64| {
        let (end, made) = walk_on::<Shogi>(seed + n, 40);
        let mut pos = end.clone();
        made.iter().for_each(|_| pos.unmake());
        // Records in shards begin at the start position.
        let from_start = pos.sfen().starts_with(Shogi::START.split(' ').next().expect("a board"));
        let plies = made.into_iter().filter(|_| from_start);
        let plies = plies.enumerate().map(|(at, mv)| Ply { mv, score: (at > 2).then_some(31) }).collect();
        Record { result: [Outcome::Loss, Outcome::Draw, Outcome::Win][n as usize % 3], plies }
    };
    (0..12).map(game).collect()
}

#[test]
fn shards_are_read_or_refused() {
    let dir = Scratch::new();
    let path = dir.file("a.games");
    check(file!(), 200, (any::<u32>(), any::<bool>(), changes()), |(seed, packed, changes)| {
        let origin =
            Origin { game: "shogi".into(), evaluation: "by hand".into(), seed: 1, nodes: 500, first: 0 };
        let records = records(seed.into());
        let bytes = if packed {
            shard::bytes(&origin, &records).expect("legal games")
        } else {
            shard::raw_bytes(&origin, &records)
        };
        let mut bytes = changed(bytes, &changes);
        if bytes.len() > 32 {
            let sum = checksum(&[&bytes[..24], &bytes[32..]].concat());
            seal(&mut bytes, 24, sum);
        }
        std::fs::write(&path, &bytes).expect("a writable file");
        match shard::parse(&bytes) {
            Err(error) => prop_assert!(error.to_string().contains("offset "), "{}", error),
            Ok((_, records)) => {
                for record in records {
                    let start = Shogi::parse(Shogi::START).expect("the start position");
                    let _ = record.replay(start, |pos, _, _| assert!(pos.game_ply() < 1 << 20));
                    let mut positions = vec![];
                    let _ = psv::export(&record, &mut positions);
                    prop_assert_eq!(positions.len() % psv::SIZE, 0);
                }
            }
        }
        let labelling = Labelling { teacher: None, lambda: 0.7, tree: true, half: Some(seed.into()) };
        let sources = shards::<Shogi>(VariantId::Shogi, std::slice::from_ref(&dir.0), &labelling);
        Data::load(sources.expect("a readable folder"), Room { held: 100, block: 10 });
        Ok(())
    });
}

#[test]
fn packed_positions_are_read_or_left_out() {
    let dir = Scratch::new();
    let path = dir.file("positions.bin");
    check(file!(), 1000, (any::<u32>(), changes()), |(seed, changes)| {
        let mut bytes = vec![];
        for n in 0..4 {
            let (pos, _) = walk_on::<Shogi>(u64::from(seed) + n, 60);
            bytes.extend(Entry { pos, score: 12, mv: None, result: 1 }.to_bytes());
        }
        let bytes = changed(bytes, &changes);
        for bytes in bytes.as_chunks::<{ psv::SIZE }>().0 {
            let Some(entry) = Entry::from_bytes(bytes) else { continue };
            // Entries survive being written and read again, except those without a king, which would need another bit.
            if Color::ALL.iter().all(|&color| entry.pos.king(color).is_some()) {
                let again = Entry::from_bytes(&entry.to_bytes()).map(|entry| entry.pos.sfen());
                prop_assert_eq!(again, Some(entry.pos.sfen()));
            }
        }
        std::fs::write(&path, &bytes).expect("a writable file");
        if let Ok(sources) = psv::sources(path.as_ref()) {
            Data::load(sources, Room { held: 3, block: 2 });
        }
        Ok(())
    });
}

struct Silent;

impl trainer::TrainProgress for Silent {
    fn advance(&self, _: u64, _: u64) {}
    fn epoch(&self, _: &sanban::lab::train::curve::Point, _: &Comparison) {}
}

/// A completed training run of two epochs over a few positions, with its final checkpoint.
static TRAINING: Lazy<(Scratch, Data, Plan, Vec<u8>)> = Lazy::new(|| {
    let dir = Scratch::new();
    let samples = |seed: u64| {
        let mut samples = Samples::default();
        (0..30).for_each(|n| samples.push(&walk_on::<Shogi>(seed + n, 30).0, 50, Outcome::Win));
        samples
    };
    let data = Data::held(samples(0), samples(100));
    let plan = Plan {
        shape: Shape::find("pairs", Shogi::features().expect("shogi has networks"), 32)
            .expect("a known shape"),
        epochs: 2,
        batch: 16,
        rate: 1e-3,
        wdl: (0.3, 0.3),
        scale: 400.0,
        seed: 1,
        data: data.fingerprint(),
        threads: 1,
        out: dir.file("net.nnue").into(),
        start: None,
        resume: false,
    };
    let begin = trainer::begin(&plan).expect("random weights");
    trainer::run(&plan, &data, begin, &Silent).expect("a short training");
    let checkpoint = std::fs::read(dir.file("net.ckpt")).expect("just written");
    (dir, data, plan, checkpoint)
});

#[test]
fn checkpoints_are_read_or_refused() {
    check(file!(), 24, (any::<bool>(), changes(), 0usize..40), |(resume, changes, pass)| {
        let (dir, data, plan, checkpoint) = &*TRAINING;
        let mut bytes = changed(checkpoint.clone(), &changes);
        // The epoch number, which determines the offsets of the remaining data.
        if pass < 4 && bytes.len() > 32 {
            bytes[24..32].copy_from_slice(&[0, 1, u64::MAX / 48, 1 << 40][pass].to_le_bytes());
        }
        let sum = checksum(bytes.get(16..).unwrap_or_default());
        seal(&mut bytes, 8, sum);
        let start = dir.file("net.ckpt");
        std::fs::write(&start, &bytes).expect("a writable file");
        let start = (!resume).then(|| start.into());
        let plan = Plan { resume, start, ..plan.clone() };
        if let Ok(state) = trainer::begin(&plan) {
            // Training may diverge, which is an error.
            let _ = trainer::run(&plan, data, state, &Silent);
        }
        Ok(())
    });
}
