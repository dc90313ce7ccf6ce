//! Compares values with test vectors on which YaneuraOu and an independent evaluator agree, and checks that the path to
//! a position, mirroring and the implementation of the arithmetic do not affect the result.

use super::file::{self, Deep, Weights};
use super::formula::{self, TEXT};
use super::inputs::janggi;
use super::inputs::shogi::OWN;
use super::network::Affine;
use super::reader::chain;
use super::{Accumulator, FormatError, Network, halfkp, simd};
use crate::random_games;
use once_cell::sync::Lazy;
use sanban_rules::sfen::flip;
use sanban_rules::shogi::Position;
use sanban_rules::{Color, Observer, Placement, Position as _, Rng, Shogi};
use std::sync::Arc;

static FILE: Lazy<Vec<u8>> = Lazy::new(formula::file);
static FORMULA: Lazy<Arc<Network>> =
    Lazy::new(|| Arc::new(halfkp::parse(&FILE, 1, "formula").expect("a valid file")));

/// A network in our format with random weights, for `rows` inputs.
fn random_weights(rows: usize, hidden: usize, seed: u64) -> Weights {
    let mut rng = Rng::new(seed);
    let mut draw = |n: usize, spread: usize| -> Vec<i16> {
        (0..n).map(|_| (rng.below(2 * spread + 1) as i32 - spread as i32) as i16).collect()
    };
    Weights {
        hidden,
        bias: draw(hidden, 200),
        weights: draw(rows * hidden, 60),
        output: draw(2 * hidden, 127),
        output_bias: 77,
        shift: 2,
        unit: 64,
        scale: 400,
        origin: "random".into(),
    }
}

fn random_network(hidden: usize) -> Arc<Network> {
    Arc::new(random_weights(OWN.rows, hidden, 5).into_network(&OWN, "random".into()))
}

pub(super) fn position(sfen: &str) -> Position {
    Position::from_sfen(sfen).expect("a valid SFEN")
}

fn raw<P: sanban_rules::SearchPosition>(network: &Arc<Network>, pos: &P) -> i32 {
    let mut acc = Accumulator::new(Arc::clone(network));
    acc.reset(pos);
    acc.raw(pos)
}

/// Written files contain the text and the hashes that YaneuraOu expects.
#[test]
fn headers_are_yaneuraous() {
    let known = [
        ("halfkp-256", [0x3E5A_A6EE, 0x5D69_D7B8, 0x6333_7156], 64_216_868),
        ("halfkp-512", [0x3E5A_A772, 0x5D69_D1B8, 0x6333_76CA], 128_415_972),
        ("halfkp-1024", [0x3E5A_B7EC, 0x5D69_DDB8, 0x6333_6A54], 256_814_276),
        ("kp-256", [0x5C64_64A9, 0x3F57_15FF, 0x6333_7156], 893_732),
    ];
    for (name, [file, inputs, network], size) in known {
        let shape = halfkp::SHAPES.iter().find(|shape| shape.nickname == Some(name)).expect(name);
        let zeros = |(inputs, outputs): (usize, usize)| (vec![0; inputs * outputs], vec![0; outputs]);
        let weights = halfkp::Weights {
            bias: vec![1; shape.hidden],
            weights: vec![2; shape.hidden * shape.inputs.rows],
            layers: shape.dense().map(zeros),
        };
        let bytes = weights.to_bytes(shape);
        let number = |at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
        let text = number(8) as usize;
        assert_eq!(bytes.len(), 20 + text + size, "{name}");
        let first = 12 + text + 4 + 2 * shape.hidden * (1 + shape.inputs.rows);
        assert_eq!([number(4), number(12 + text), number(first)], [file, inputs, network], "{name}");
        if name == "halfkp-256" {
            assert_eq!(&bytes[..16 + text], &FILE[..16 + text]);
        }
        assert!(halfkp::parse(&bytes, 16, name).is_ok());
    }
}

/// Position, output, and the sums of the input indices for black and white.
pub(super) const GOLDEN: [(&str, i32, usize, usize); 6] = [
    (sanban_rules::shogi::START, 2751, 2_605_103, 2_605_103),
    (
        "ln1gk2nl/1r1s1sgb1/p1pppp1pp/6p2/1p7/2P4P1/PPSPPPP1P/1BG2G1R1/LN2K1SNL w - 12",
        4316,
        2_605_103,
        2_605_103,
    ),
    ("l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1", 4355, 1_012_800, 4_660_214),
    ("l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL b RGgsn5p 1", 4153, 1_012_800, 4_660_214),
    ("4k4/9/9/9/9/9/9/9/4K4 b - 1", 4521, 2_588_256, 2_588_256),
    (
        "ln1g1g1nl/1ks2r3/1pppp1bpp/p4pp2/9/P1P3P1P/1P1PPPN2/1BG1G2R1/LNK2S2L b Sp 31",
        5321,
        3_662_602,
        956_541,
    ),
];

#[test]
fn halfkp_values_are_yaneuraous() {
    assert_eq!(FILE.len(), 64_217_066);
    for (sfen, value, black, white) in GOLDEN {
        let pos = position(sfen);
        for kernels in simd::available() {
            let mut acc = Accumulator::with(Arc::clone(&FORMULA), kernels);
            acc.reset(&pos);
            assert_eq!(acc.raw(&pos), value, "{sfen}, {}", kernels.name);
        }
        let features = FORMULA.features;
        let mut buckets = [0; 2];
        pos.placements(|p| {
            if let Some((color, bucket)) = features.king(p) {
                buckets[color.index()] = bucket;
            }
        });
        for (color, expected) in [(Color::Black, black), (Color::White, white)] {
            let bucket = buckets[color.index()];
            let mut rows = vec![];
            pos.placements(|p| rows.extend(features.row(color, bucket, p)));
            rows.resize(38, features.filler(bucket));
            assert_eq!(rows.iter().sum::<usize>(), expected, "{sfen}, {color:?}");
        }
    }
    // The output is divided by FV_SCALE and truncated towards zero.
    let network = Arc::new(halfkp::parse(&FILE, 24, "formula").expect("a valid file"));
    assert_eq!(raw(&network, &position(sanban_rules::shogi::START)), 2751 / 24);
}

/// Compares a hundred positions of every kind with another evaluator that agrees with YaneuraOu.
#[test]
fn halfkp_values_are_the_references() {
    let mut lines = 0;
    for line in include_str!("data/halfkp.tsv").lines().filter(|line| !line.starts_with('#')) {
        let (sfen, value) = line.split_once('\t').expect("a tab");
        assert_eq!(raw(&FORMULA, &position(sfen)).to_string(), value, "{sfen}");
        lines += 1;
    }
    assert_eq!(lines, 100);
}

/// Plays a random game and compares the accumulator, while moves are made and undone, with one that starts at each
/// position.
pub(super) fn walk<P: sanban_rules::SearchPosition>(
    mut pos: P,
    king: impl Fn(&P) -> Option<usize>,
    network: &Arc<Network>,
    seed: u64,
    plies: usize,
) {
    let mut rng = Rng::new(seed);
    let mut acc = Accumulator::new(Arc::clone(network));
    acc.reset(&pos);
    let mut trail = vec![];
    for _ in 0..plies {
        let moves = pos.legal_moves();
        if moves.is_empty() {
            break;
        }
        // Most nodes of a search are not evaluated, so the sums must be carried across gaps.
        if rng.below(3) > 0 {
            assert_eq!(acc.raw(&pos), raw(network, &pos), "{pos}");
        }
        if !pos.in_check() {
            pos.make_null();
            assert_eq!(acc.raw(&pos), raw(network, &pos), "after a null move: {pos}");
            pos.unmake_null();
        }
        trail.push(raw(network, &pos));
        // Move kings often, so that buckets change.
        let kings: Vec<_> =
            moves.iter().copied().filter(|mv| !mv.is_drop() && king(&pos) == Some(mv.from())).collect();
        let choice = if !kings.is_empty() && rng.below(3) == 0 { &kings[..] } else { &moves[..] };
        acc.push();
        pos.make(choice[rng.below(choice.len())], &mut acc);
    }
    for expected in trail.into_iter().rev() {
        pos.unmake();
        acc.pop();
        assert_eq!(acc.raw(&pos), expected, "{pos}");
    }
}

#[test]
fn the_way_to_a_position_does_not_matter() {
    let own = random_network(64);
    let king = |pos: &Position| pos.king(pos.side());
    for seed in 0..10 {
        walk(position(sanban_rules::shogi::START), king, &own, seed, 300);
    }
    walk(position(sanban_rules::shogi::START), king, &FORMULA, 1, 120);
}

#[test]
fn nor_in_janggi() {
    let weights = random_weights(janggi::OWN.rows, 64, 7);
    let network = Arc::new(weights.into_network(&janggi::OWN, "random".into()));
    for seed in 0..10 {
        let start = sanban_rules::janggi::Position::from_sfen(sanban_rules::janggi::START)
            .expect("the start position");
        walk(start, |pos| Some(pos.general(pos.side())), &network, seed, 300);
    }
}

/// Reverses a rank of an SFEN, in which a plus belongs to the piece after it.
fn reversed(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars().rev() {
        out.insert(if c == '+' { out.len() - 1 } else { out.len() }, c);
    }
    out
}

#[test]
fn side_and_mirror_do_not_matter() {
    let network = random_network(96);
    let mut mirrored = 0;
    for sfen in &random_games::positions::<Shogi>() {
        let pos = position(sfen);
        let fields: Vec<&str> = sfen.split(' ').collect();
        let (board, side, hands) = (fields[0], fields[1], fields[2]);
        let turned = position(&flip(sfen));
        assert_eq!(raw(&network, &pos), raw(&network, &turned), "{sfen}");
        assert_eq!(raw(&FORMULA, &pos), raw(&FORMULA, &turned), "{sfen}");
        // With a king on the middle file, neither image is mirrored.
        if Color::ALL.iter().all(|&c| pos.king(c).is_some_and(|sq| sq / 9 != 4)) {
            let flipped: Vec<String> = board.split('/').map(reversed).collect();
            let flipped = position(&format!("{} {side} {hands} 1", flipped.join("/")));
            assert_eq!(raw(&network, &pos), raw(&network, &flipped), "{sfen}");
            mirrored += 1;
        }
    }
    assert!(mirrored > 5);
}

#[test]
fn own_networks_follow_the_definition() {
    let weights = random_weights(OWN.rows, 128, 9);
    let network = Arc::new(random_weights(OWN.rows, 128, 9).into_network(&OWN, "random".into()));
    for (sfen, ..) in GOLDEN {
        let pos = position(sfen);
        // Compute both perspectives with plain sums.
        let mut sums = [[0i64; 128]; 2];
        for color in Color::ALL {
            let mirror = pos.king(color).is_some_and(|sq| match color {
                Color::Black => sq / 9 > 4,
                Color::White => sq / 9 < 4,
            });
            for (j, sum) in sums[color.index()].iter_mut().enumerate() {
                *sum = i64::from(weights.bias[j]);
                pos.placements(|p| {
                    let row = OWN.row(color, u8::from(mirror), p).expect("every placement is an input");
                    *sum += i64::from(weights.weights[row * 128 + j]);
                });
            }
        }
        let order = [pos.side(), !pos.side()];
        let total: i64 = order
            .iter()
            .enumerate()
            .flat_map(|(half, c)| sums[c.index()].iter().enumerate().map(move |(j, s)| (half * 128 + j, s)))
            .map(|(at, s)| (s >> 2).clamp(0, 181).pow(2) * i64::from(weights.output[at]))
            .sum();
        let expected = (total + 77) * 400 / (181 * 181 * 64);
        assert_eq!(i64::from(raw(&network, &pos)), expected, "{sfen}");
    }
}

/// Compares our own networks that have dense layers with plain sums.
#[test]
fn so_do_those_with_dense_layers() {
    const HIDDEN: usize = 64;
    let mut rng = Rng::new(11);
    let mut draw = |spread: usize| rng.below(2 * spread + 1) as i32 - spread as i32;
    let dense = chain(HIDDEN, [16, 32]);
    let weights = halfkp::Weights {
        bias: (0..HIDDEN).map(|_| draw(150) as i16).collect(),
        weights: (0..OWN.rows * HIDDEN).map(|_| draw(25) as i16).collect(),
        layers: dense.map(|(inputs, outputs)| {
            let weights = (0..inputs * outputs).map(|_| draw(100) as i8).collect();
            (weights, (0..outputs).map(|_| draw(5000)).collect())
        }),
    };
    let deep = Deep { weights: &weights, scale: 1100, origin: "random".into() };
    let bytes = deep.to_bytes(&OWN);
    let network = Arc::new(file::parse(&bytes, &OWN, "test").expect("a valid file"));
    assert_eq!(network.name, "test (2344->64)x2->16->32->1 random");
    for (sfen, ..) in GOLDEN {
        let pos = position(sfen);
        let mut acc = Accumulator::new(Arc::clone(&network));
        acc.reset(&pos);
        let (us, them) = acc.sums(pos.side());
        let mut x: Vec<i32> = [us, them]
            .iter()
            .flat_map(|sums| {
                let one = |j: usize| i32::from(sums[j].clamp(0, 127));
                (0..HIDDEN / 2).map(move |j| one(j) * one(j + HIDDEN / 2) / 128).collect::<Vec<_>>()
            })
            .collect();
        for (at, ((weights, bias), (inputs, _))) in weights.layers.iter().zip(dense).enumerate() {
            let sums = weights.chunks(inputs).zip(bias).map(|(row, &bias)| {
                let sum = bias + row.iter().zip(&x).map(|(&w, x)| i32::from(w) * x).sum::<i32>();
                if at < 2 { (sum >> 6).clamp(0, 127) } else { sum }
            });
            x = sums.collect();
        }
        for kernels in simd::available() {
            let mut acc = Accumulator::with(Arc::clone(&network), kernels);
            acc.reset(&pos);
            assert_eq!(acc.evaluate(&pos), x[0] * 100 / (16 * 90), "{sfen}, {}", kernels.name);
        }
    }
    let refuse = |bytes: &[u8], words: &str| refused(file::parse(bytes, &OWN, "test"), words);
    refuse(&bytes[..bytes.len() - 1], "bytes, expected");
    for (at, words) in [(28, "dense layers with 144 and 32 outputs"), (200, "checksum")] {
        let mut bad = bytes.clone();
        bad[at] ^= 0x80;
        refuse(&bad, words);
    }
}

#[track_caller]
pub(super) fn refused(network: Result<Network, FormatError>, words: &str) {
    let error = network.err().expect("an error").to_string();
    assert!(error.contains(words), "{error}, expected: {words}");
}

#[test]
fn damaged_files_are_refused_in_words() {
    let good = random_weights(OWN.rows, 32, 1).to_bytes(&OWN);
    let refuse = |bytes: &[u8], words: &str| refused(file::parse(bytes, &OWN, "test"), words);
    let network = file::parse(&good, &OWN, "test").expect("a valid file");
    assert_eq!(network.name, "test (2344->32)x2->1 random");
    let again = Arc::new(network);
    let direct = random_weights(OWN.rows, 32, 1).into_network(&OWN, "direct".into());
    let start = position(sanban_rules::shogi::START);
    assert_eq!(raw(&again, &start), raw(&Arc::new(direct), &start));
    refuse(b"", "not a network file");
    refuse(b"hello", "not a network file");
    refuse(&FILE[..100], "which only shogi supports");
    refuse(&good[..50], "shorter than the header");
    refuse(&good[..good.len() - 1], "expected 150308 for 32 neurons");
    refuse(&[&good[..], b"x"].concat(), "150309 bytes, expected 150308");
    let mut bad = good.clone();
    bad[5000] ^= 1;
    refuse(&bad, "checksum");
    for (at, words) in
        [(8, "version 0, expected 2"), (12, "input set 3"), (20, "34 neurons"), (29, "out of range")]
    {
        let mut bad = good.clone();
        bad[at] ^= 2;
        refuse(&bad, words);
    }
    let heavy = Weights { output: vec![i16::MAX; 64], ..random_weights(OWN.rows, 32, 1) };
    refuse(&heavy.to_bytes(&OWN), "the absolute output weights sum to 2097088, expected at most 65550");
    let refuse = |bytes: &[u8], words: &str| refused(halfkp::parse(bytes, 16, "test"), words);
    refuse(&FILE[..8], "more bytes expected");
    refuse(&FILE[..FILE.len() - 1], "match no known architecture");
    refuse(&[&FILE[..], b"x"].concat(), "match no known architecture");
    let mut long = FILE[..1000].to_vec();
    long[8..12].copy_from_slice(&5000u32.to_le_bytes());
    refuse(&long, "a header text of 5000 bytes");
    let mut other = FILE[..12].to_vec();
    let text = b"Features=HalfKP-SCReLU";
    other[8..12].copy_from_slice(&(text.len() as u32).to_le_bytes());
    other.extend(text);
    other.extend(&FILE[12 + TEXT.len()..]);
    refuse(&other, "activation");
    // Without the two hashes, the shape is still recognised; a scale in the text takes precedence.
    let mut bare = FILE[..12].to_vec();
    bare[8..12].copy_from_slice(&11u32.to_le_bytes());
    bare.extend(b"fv_scale=20");
    let weights = &FILE[12 + TEXT.len() + 4..];
    let split = 2 * 256 * 125_389;
    bare.extend(&weights[..split]);
    bare.extend(&weights[split + 4..]);
    let bare = Arc::new(halfkp::parse(&bare, 16, "bare").expect("a valid file"));
    assert_eq!(raw(&bare, &start), 2751 / 20);
}

/// K+P inputs include the kings, and the first input counts the missing pieces, kings included.
#[test]
fn kp_sums_are_the_definition() {
    let mut rng = Rng::new(3);
    let mut bytes = FILE[..8].to_vec();
    bytes.extend([0; 4]);
    bytes.extend((0..893_732).map(|i| if i % 2 == 0 { rng.below(50) as u8 } else { 0 }));
    let network = Arc::new(halfkp::parse(&bytes, 16, "random").expect("a valid file"));
    assert_eq!(network.features.rows, 1710);
    let missing = [
        (sanban_rules::shogi::START, 0),
        ("4k4/9/9/9/9/9/9/9/4K4 b - 1", 38),
        ("4k4/9/4P4/9/9/9/9/9/9 b G 1", 37),
    ];
    for (sfen, missing) in missing {
        let pos = position(sfen);
        let mut acc = Accumulator::new(Arc::clone(&network));
        acc.reset(&pos);
        acc.update(&pos);
        let (black, _) = acc.sums(Color::Black);
        for (j, &sum) in black.iter().enumerate() {
            let mut expected = network.first.bias[j] + missing * network.first.row(0)[j];
            pos.placements(|p| {
                let row = network.features.row(Color::Black, 0, p).expect("every placement is an input");
                expected += network.first.row(row)[j];
            });
            assert_eq!(sum, expected, "{sfen}, neuron {j}");
        }
    }
}

#[test]
fn a_long_line_grows_the_stack() {
    let network = random_network(32);
    let pos = position(sanban_rules::shogi::START);
    let mut acc = Accumulator::new(Arc::clone(&network));
    acc.reset(&pos);
    let expected = acc.raw(&pos);
    let there = Placement(0);
    for _ in 0..400 {
        acc.push();
        acc.put(there);
        acc.push();
        acc.take(there);
    }
    assert_eq!(acc.raw(&pos), expected);
}

#[test]
fn dense_layers_are_sums_of_rows() {
    let mut rng = Rng::new(0xDE4);
    for (inputs, outputs) in
        [(32, 1), (32, 8), (32, 64), (64, 16), (96, 32), (512, 96), (2048, 8), (2048, 40)]
    {
        let bias: Vec<i32> = (0..outputs).map(|_| rng.next() as i32 >> 8).collect();
        let weights: Vec<i8> = (0..inputs * outputs).map(|_| rng.next() as i8).collect();
        let layer = Affine::new(&bias, &weights);
        let input: Vec<u8> = (0..inputs).map(|_| rng.below(128) as u8).collect();
        let row = |o: usize| weights[o * inputs..][..inputs].iter().zip(&input);
        let mut sums: Vec<i32> = (0..outputs)
            .map(|o| bias[o] + row(o).map(|(&w, &x)| i32::from(w) * i32::from(x)).sum::<i32>())
            .collect();
        sums.resize(layer.outputs(), 0);
        for kernels in simd::available() {
            let mut out = vec![-1; layer.outputs()];
            layer.run(kernels, &input, &mut out);
            assert_eq!(out, sums, "{inputs} to {outputs} with {}", kernels.name);
        }
    }
}
