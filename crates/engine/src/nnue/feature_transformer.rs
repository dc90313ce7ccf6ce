//! The first layer: a row of weights for each input; the accumulator sums the rows.

use super::aligned::Aligned;
use super::features::NONE;
use super::simd::Kernels;
use sanban_system::memory::{Memory, Zeroed};
use std::alloc::{Layout, handle_alloc_error};

/// The first layer: one sum of rows for each perspective.
pub struct FeatureTransformer {
    /// Number of neurons of one perspective, a multiple of 32.
    pub hidden: usize,
    /// One bias per neuron.
    pub bias: Aligned,
    weights: Weights,
    /// Index of the row that is all zero, after the rows of all inputs.
    zero: usize,
}

/// The weights, `[row][neuron]`. Rows are accessed randomly: with huge pages, most reads need no page walk, and weights
/// of one byte need half as many cache lines.
enum Weights {
    /// Used if all weights fit in one byte.
    Narrow(Memory<i8>),
    Wide(Memory<i16>),
}

/// Evaluates `$call` with the kernels for the layer's type of weights, and a function that returns a row.
macro_rules! either {
    ($self:ident, $kernels:ident => |$rows:ident, $row:ident| $call:expr) => {
        match &$self.weights {
            Weights::Narrow(weights) => {
                let ($rows, $row) = (&$kernels.narrow, |row| cut(weights, row, $self.hidden));
                $call
            }
            Weights::Wide(weights) => {
                let ($rows, $row) = (&$kernels.wide, |row| cut(weights, row, $self.hidden));
                $call
            }
        }
    };
}

impl FeatureTransformer {
    /// Creates a layer from biases and weights (`[row][neuron]`).
    pub fn new(bias: &[i16], weights: &[i16]) -> Self {
        let hidden = bias.len();
        let narrow = weights.iter().all(|&w| i8::try_from(w).is_ok());
        Self {
            hidden,
            bias: Aligned::copy_of(bias),
            weights: if narrow {
                Weights::Narrow(filled(weights, hidden, |w| w as i8))
            } else {
                Weights::Wide(filled(weights, hidden, |w| w))
            },
            zero: weights.len() / hidden,
        }
    }

    /// The weights of one input.
    pub fn row(&self, row: usize) -> Vec<i16> {
        match &self.weights {
            Weights::Narrow(weights) => cut(weights, row, self.hidden).iter().map(|&w| w.into()).collect(),
            Weights::Wide(weights) => cut(weights, row, self.hidden).to_vec(),
        }
    }

    /// The index of input `row` of the bucket that begins at `first`; for [`NONE`], that of the row of zeros.
    #[inline]
    pub fn row_or_zero(&self, row: u16, first: usize) -> usize {
        if row == NONE { self.zero } else { usize::from(row) + first }
    }

    /// Adds the weights of an input to sums.
    #[inline]
    pub fn add(&self, kernels: &Kernels, sums: &mut [i16], input: usize) {
        either!(self, kernels => |rows, row| (rows.add)(sums, row(input)));
    }

    /// Subtracts the weights of an input from sums.
    #[inline]
    pub fn sub(&self, kernels: &Kernels, sums: &mut [i16], input: usize) {
        either!(self, kernels => |rows, row| (rows.sub)(sums, row(input)));
    }

    /// Sets `to` to `from` with one input added and another removed.
    #[inline]
    pub fn shift(&self, kernels: &Kernels, to: &mut [i16], from: &[i16], add: usize, sub: usize) {
        either!(self, kernels => |rows, row| (rows.shift)(to, from, row(add), row(sub)));
    }

    /// Like [`FeatureTransformer::shift`], with two inputs added and two removed.
    #[inline]
    pub fn shift_two(
        &self,
        kernels: &Kernels,
        to: &mut [i16],
        from: &[i16],
        add: [usize; 2],
        sub: [usize; 2],
    ) {
        either!(self, kernels => |rows, row| (rows.shift_two)(to, from, add.map(row), sub.map(row)));
    }
}

/// One row of weights.
#[inline]
fn cut<W>(weights: &[W], row: usize, hidden: usize) -> &[W] {
    &weights[row * hidden..][..hidden]
}

/// The weights converted by `f`, followed by a row of zeros.
fn filled<W: Zeroed>(weights: &[i16], hidden: usize, f: impl Fn(i16) -> W) -> Memory<W> {
    let len = weights.len() + hidden;
    // Round up to whole huge pages, since a remainder would use small ones. Copying the weights allocates the pages.
    let mut out = Memory::lazy(len.next_multiple_of(Memory::<W>::PER_PAGE))
        .unwrap_or_else(|| handle_alloc_error(Layout::for_value(weights)));
    out.iter_mut().zip(weights).for_each(|(out, &w)| *out = f(w));
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nnue::simd;

    #[test]
    fn weights_of_one_byte_are_kept_in_one() {
        for (largest, narrow) in [(127, true), (128, false)] {
            let bias: Vec<i16> = (0..32).collect();
            let weights: Vec<i16> =
                (0..5 * 32).map(|n| (n * 37 % 256 - 128).min(largest)).chain([largest; 32]).collect();
            let first = FeatureTransformer::new(&bias, &weights);
            assert_eq!(matches!(first.weights, Weights::Narrow(_)), narrow, "{largest}");
            assert!((0..6).all(|row| first.row(row) == weights[row * 32..][..32]));
            assert!([first.row_or_zero(NONE, 2), 6].iter().all(|&row| first.row(row) == [0; 32]));
            let [mut sums, mut to] = [bias.clone(), bias.clone()];
            for kernels in simd::available() {
                first.add(kernels, &mut sums, 5);
                first.shift_two(kernels, &mut to, &sums, [1, 2], [3, 5]);
                first.shift(kernels, &mut sums, &to, 3, 1);
                first.sub(kernels, &mut sums, first.row_or_zero(1, 1));
                assert_eq!(sums, bias, "{largest} with {}", kernels.name);
            }
        }
    }
}
