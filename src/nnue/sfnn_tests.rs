//! Newer files against their definition, written down a second time.

use super::inputs::shogi::{HALFKA, HALFKA_HM};
use super::tests::{GOLDEN, position, refused, walk};
use super::{Accumulator, Features, halfkp, simd};
use crate::base::{Color, Rng};
use crate::game::Position as _;
use crate::shogi::Position;
use std::sync::Arc;

/// Numbers as the newer files have them.
fn compressed(values: &[i16]) -> Vec<u8> {
    let mut bytes = vec![];
    for &value in values {
        let mut value = i32::from(value);
        loop {
            let (low, rest) = ((value & 0x7F) as u8, value >> 7);
            let last = (rest == 0 && low & 0x40 == 0) || (rest == -1 && low & 0x40 != 0);
            bytes.push(if last { low } else { low | 0x80 });
            value = rest;
            if last {
                break;
            }
        }
    }
    [b"COMPRESSED_LEB128".to_vec(), (bytes.len() as u32).to_le_bytes().to_vec(), bytes].concat()
}

/// A newer file with random weights.
struct Newer {
    hidden: usize,
    bias: Vec<i16>,
    weights: Vec<i16>,
    layers: [usize; 2],
    /// Biases and weights of the layers of each set.
    stacks: Vec<[(Vec<i32>, Vec<i8>); 3]>,
}

impl Newer {
    fn new(rows: usize, hidden: usize, layers: [usize; 2], sets: usize) -> Self {
        let mut rng = Rng::new(hidden as u64);
        let mut shorts = |n: usize, spread: usize| -> Vec<i16> {
            (0..n).map(|_| rng.below(2 * spread + 1) as i16 - spread as i16).collect()
        };
        let (bias, weights) = (shorts(hidden, 300), shorts(rows * hidden, 70));
        let dense = [(hidden, layers[0] + 1), (2 * layers[0], layers[1]), (layers[1], 1)];
        let stacks = (0..sets).map(|_| {
            dense.map(|(inputs, outputs)| {
                let bias = shorts(outputs, 3000).into_iter().map(i32::from).collect();
                let padded = inputs.next_multiple_of(32);
                (bias, shorts(outputs * padded, 90).into_iter().map(|w| w as i8).collect())
            })
        });
        let stacks = stacks.collect();
        Self { hidden, bias, weights, layers, stacks }
    }

    fn bytes(&self) -> Vec<u8> {
        let mut out = vec![];
        for n in [0x7AF3_2F16u32, 0x3C20_3B32, 4] {
            out.extend(n.to_le_bytes());
        }
        out.extend(b"text");
        out.extend(0x5F13_4AB8u32.to_le_bytes());
        out.extend(compressed(&self.bias));
        out.extend(compressed(&self.weights));
        for stack in &self.stacks {
            out.extend(0x6333_718Au32.to_le_bytes());
            for (bias, weights) in stack {
                out.extend(bias.iter().flat_map(|b| b.to_le_bytes()));
                out.extend(weights.iter().map(|&w| w as u8));
            }
        }
        out
    }

    /// The output as the definition has it.
    fn value(&self, features: &Features, pos: &Position) -> i64 {
        let view = |color: Color| {
            let sq = pos.king(color).expect("two kings");
            let seen = if color == Color::Black { sq } else { 80 - sq };
            let (file, rank) = (seen / 9, seen % 9);
            let turned = features.views == 2 && file > 4;
            let square = if turned { (8 - file) * 9 + rank } else { seen };
            (square, turned, rank / 3)
        };
        let mut x = vec![];
        let order = [pos.side(), !pos.side()];
        for color in order {
            let (square, turned, _) = view(color);
            let mut sums: Vec<i64> = self.bias.iter().map(|&b| b.into()).collect();
            let mut pieces = 0;
            pos.placements(|p| {
                let view = color.index() * features.views + usize::from(turned);
                let row = features.table[view * features.placements + p.index()];
                let row = square * 1629 + usize::from(row);
                sums.iter_mut()
                    .zip(&self.weights[row * self.hidden..])
                    .for_each(|(s, &w)| *s += i64::from(w));
                pieces += 1;
            });
            for _ in pieces..40 {
                let row = square * 1629 * self.hidden;
                sums.iter_mut().zip(&self.weights[row..]).for_each(|(s, &w)| *s += i64::from(w));
            }
            let (first, second) = sums.split_at(self.hidden / 2);
            x.extend(first.iter().zip(second).map(|(a, b)| a.clamp(&0, &127) * b.clamp(&0, &127) / 128));
        }
        let stack = &self.stacks[(3 * view(order[0]).2 + view(order[1]).2) % self.stacks.len()];
        let run = |at: usize, x: &[i64]| -> Vec<i64> {
            let (bias, weights) = &stack[at];
            let rows = weights.chunks(weights.len() / bias.len());
            let sum = |row: &[i8]| row.iter().zip(x).map(|(&w, x)| i64::from(w) * x).sum::<i64>();
            bias.iter().zip(rows).map(|(&b, row)| i64::from(b) + sum(row)).collect()
        };
        let y = run(0, &x);
        let passed = &y[..self.layers[0]];
        let mut x: Vec<i64> = passed.iter().map(|y| ((y * y) >> 19).min(127)).collect();
        x.extend(passed.iter().map(|y| (y >> 6).clamp(0, 127)));
        let x: Vec<i64> = run(1, &x).iter().map(|y| (y >> 6).clamp(0, 127)).collect();
        run(2, &x)[0] + y[self.layers[0]]
    }
}

#[test]
fn newer_files_follow_the_definition() {
    for (features, hidden, layers, sets, name) in [
        (&*HALFKA_HM, 1536, [15, 32], 9, "test HalfKA_hm 1536x2-15-32x9 FV_SCALE 1"),
        (&*HALFKA, 1024, [7, 64], 9, "test HalfKA 1024x2-7-64x9 FV_SCALE 1"),
        (&*HALFKA_HM, 1024, [15, 64], 1, "test HalfKA_hm 1024x2-15-64x1 FV_SCALE 1"),
    ] {
        let newer = Newer::new(features.rows, hidden, layers, sets);
        let bytes = newer.bytes();
        let network = halfkp::parse(&bytes, 1, "test").expect("a good file");
        assert_eq!(network.name, name);
        let network = Arc::new(network);
        let halfkp =
            include_str!("../../tests/data/halfkp.tsv").lines().filter_map(|line| line.split_once('\t'));
        let sfens = GOLDEN.iter().map(|(sfen, ..)| *sfen).chain(halfkp.map(|(sfen, _)| sfen).step_by(5));
        let mut values = std::collections::BTreeSet::new();
        for sfen in sfens.filter(|sfen| !sfen.starts_with('#')) {
            let pos = position(sfen);
            if Color::ALL.iter().any(|&color| pos.king(color).is_none()) {
                continue;
            }
            let expected = newer.value(features, &pos);
            values.insert(expected);
            for kernels in simd::available() {
                let mut acc = Accumulator::with(Arc::clone(&network), kernels);
                acc.reset(&pos);
                assert_eq!(i64::from(acc.raw(&pos)), expected, "{sfen}, {}, {name}", kernels.name);
            }
        }
        assert!(values.len() > 15, "{values:?}");
        walk(position(crate::shogi::START), |pos| pos.king(pos.side()), &network, 3, 60);
        let cut = |end: usize| halfkp::parse(&bytes[..end], 16, "test");
        refused(cut(bytes.len() - 1), "bytes of dense layers fit no known shape");
        refused(cut(1_000_000), "more bytes expected");
    }
    let head = Newer { weights: vec![1; 5 * 1024], ..Newer::new(0, 1024, [15, 32], 9) }.bytes();
    refused(halfkp::parse(&head, 16, "test"), "weights of 5 inputs, expected 73305 or 131949");
    let head = Newer::new(0, 512, [15, 32], 9).bytes();
    refused(halfkp::parse(&head, 16, "test"), "512 neurons a side, expected 1024 or 1536");
}
