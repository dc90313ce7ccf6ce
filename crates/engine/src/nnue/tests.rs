//! Compares values with test vectors on which YaneuraOu and an independent evaluator agree, and checks that the path to
//! a position, mirroring and the implementation of the arithmetic do not affect the result.

use super::file::{self, Deep};
use super::formula::{self, TEXT};
use super::inputs::janggi;
use super::inputs::shogi::OWN;
use super::network::Affine;
use super::reader::chain;
use super::{Accumulator, Features, FormatError, Network, halfkp, simd};
use crate::random_games;
use once_cell::sync::Lazy;
use sanban_rules::sfen::flip;
use sanban_rules::shogi::Position;
use sanban_rules::{Color, Observer, Placement, Position as _, Rng, Shogi};
use sanban_system::checksum;
use std::sync::Arc;

static FILE: Lazy<Vec<u8>> = Lazy::new(formula::file);
static FORMULA: Lazy<Arc<Network>> =
    Lazy::new(|| Arc::new(halfkp::parse(&FILE, 1, "formula").expect("a valid file")));

/// Random weights of a network in our format, with this number of neurons per side.
fn random_weights(features: &Features, hidden: usize, seed: u64) -> halfkp::Weights {
    let mut rng = Rng::new(seed);
    let mut draw = |spread: usize| rng.below(2 * spread + 1) as i32 - spread as i32;
    halfkp::Weights {
        bias: (0..hidden).map(|_| draw(300) as i16).collect(),
        weights: (0..features.rows * hidden).map(|_| draw(25) as i16).collect(),
        layers: chain(hidden, [16, 32]).map(|(inputs, outputs)| {
            let weights = (0..inputs * outputs).map(|_| draw(100) as i8).collect();
            (weights, (0..outputs).map(|_| draw(5000)).collect())
        }),
    }
}

/// The file of a network in our format.
fn file_of(weights: &halfkp::Weights, features: &Features) -> Vec<u8> {
    Deep { weights, scale: 1100, origin: "random".into() }.to_bytes(features)
}

fn random_network(features: &'static Features, hidden: usize, seed: u64) -> Arc<Network> {
    let bytes = file_of(&random_weights(features, hidden, seed), features);
    Arc::new(file::parse(&bytes, features, "test").expect("a valid file"))
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
    let own = random_network(&OWN, 64, 5);
    let king = |pos: &Position| pos.king(pos.side());
    for seed in 0..10 {
        walk(position(sanban_rules::shogi::START), king, &own, seed, 300);
    }
    walk(position(sanban_rules::shogi::START), king, &FORMULA, 1, 120);
}

#[test]
fn nor_in_janggi() {
    let network = random_network(&janggi::OWN, 64, 7);
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
    let network = random_network(&OWN, 96, 5);
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
    const HIDDEN: usize = 64;
    let weights = random_weights(&OWN, HIDDEN, 11);
    let bytes = file_of(&weights, &OWN);
    let network = Arc::new(file::parse(&bytes, &OWN, "test").expect("a valid file"));
    assert_eq!(network.name, "test (2344->64)x2->16->32->1 random");
    for (sfen, ..) in GOLDEN {
        let pos = position(sfen);
        let sums = |color: Color| {
            let mirror = pos.king(color).is_some_and(|sq| match color {
                Color::Black => sq / 9 > 4,
                Color::White => sq / 9 < 4,
            });
            let mut sums: Vec<i32> = weights.bias.iter().map(|&bias| bias.into()).collect();
            pos.placements(|p| {
                let row = OWN.row(color, u8::from(mirror), p).expect("every placement is an input");
                let row = &weights.weights[row * HIDDEN..][..HIDDEN];
                sums.iter_mut().zip(row).for_each(|(sum, &w)| *sum += i32::from(w));
            });
            sums
        };
        let mut x: Vec<i32> = [pos.side(), !pos.side()]
            .into_iter()
            .flat_map(|color| {
                let sums = sums(color);
                let one = |j: usize| sums[j].clamp(0, 127);
                (0..HIDDEN / 2).map(|j| one(j) * one(j + HIDDEN / 2) / 128).collect::<Vec<_>>()
            })
            .collect();
        for (at, ((weights, bias), (inputs, _))) in
            weights.layers.iter().zip(chain(HIDDEN, [16, 32])).enumerate()
        {
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
}

/// The form of earlier versions of the program, with 16 bits for every weight of the first layer.
#[test]
fn files_with_wide_weights_are_read() {
    let weights = random_weights(&OWN, 32, 1);
    let file = file_of(&weights, &OWN);
    let wide = [&weights.bias, &weights.weights].map(|values| values.iter().flat_map(|v| v.to_le_bytes()));
    let mut payload: Vec<u8> = wide.into_iter().flatten().collect();
    weights.put_layers(&chain(32, [16, 32]), &mut payload);
    let mut old = file[..88].to_vec();
    old[8] = 3;
    old.extend(checksum(&payload).to_le_bytes());
    old.extend(payload);
    assert!(file.len() < old.len() * 2 / 3);
    let network = Arc::new(file::parse(&old, &OWN, "test").expect("a valid file"));
    let pos = position(sanban_rules::shogi::START);
    assert_eq!(raw(&network, &pos), raw(&random_network(&OWN, 32, 1), &pos));
}

#[track_caller]
pub(super) fn refused(network: Result<Network, FormatError>, words: &str) {
    let error = network.err().expect("an error").to_string();
    assert!(error.contains(words), "{error}, expected: {words}");
}

#[test]
fn damaged_files_are_refused_in_words() {
    let good = file_of(&random_weights(&OWN, 32, 1), &OWN);
    let refuse = |bytes: &[u8], words: &str| refused(file::parse(bytes, &OWN, "test"), words);
    assert!(file::parse(&good, &OWN, "test").is_ok());
    refuse(b"", "not a network file");
    refuse(b"hello", "not a network file");
    refuse(&FILE[..100], "which only shogi supports");
    refuse(&good[..50], "shorter than the header");
    refuse(&good[..good.len() - 1], "checksum");
    let resealed = |payload: &[u8]| [&good[..88], &checksum(payload).to_le_bytes(), payload].concat();
    refuse(&resealed(&good[96..good.len() - 1]), "more bytes expected");
    refuse(&resealed(&good[96..1000]), "more weights expected");
    refuse(&resealed(&[&good[96..], b"x"].concat()), "1 bytes after the weights of 32 neurons");
    for (at, bit, words) in [
        (8, 6, "a network of one layer, which is no longer supported"),
        (8, 2, "version 6, expected 4"),
        (12, 2, "input set 3"),
        (20, 2, "34 neurons"),
        (28, 0x80, "dense layers with 144 and 32 outputs"),
        (5000, 1, "checksum"),
    ] {
        let mut bad = good.clone();
        bad[at] ^= bit;
        refuse(&bad, words);
    }
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
    assert_eq!(raw(&bare, &position(sanban_rules::shogi::START)), 2751 / 20);
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
    let network = random_network(&OWN, 32, 5);
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
