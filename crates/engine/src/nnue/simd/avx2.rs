//! 256-bit vectors for x86 processors (since about 2014).

use super::kernels::{Kernels, RowKernels};
use crate::nnue::layers;
use crate::nnue::layers::{TOGETHER, Weight};
use std::arch::x86_64::*;

/// The arithmetic with AVX2, if this processor supports it.
pub(super) fn kernels() -> Option<&'static Kernels> {
    is_x86_feature_detected!("avx2").then_some(&KERNELS)
}

table!("AVX2", "avx2");

/// Number of outputs in a vector.
const LANES: usize = 8;

#[target_feature(enable = "avx2")]
fn affine(input: &[u8], weights: &[i8], bias: &[i32], out: &mut [i32]) {
    let mut at = 0;
    while at + 4 * LANES <= bias.len() {
        columns::<4, 1>(input, weights, bias, at, out);
        at += 4 * LANES;
    }
    while at < bias.len() {
        columns::<1, 4>(input, weights, bias, at, out);
        at += LANES;
    }
}

/// Computes `V` vectors of outputs, starting at `at`, with `U` blocks of inputs at a time: enough independent sums to
/// hide the latency of the products.
#[target_feature(enable = "avx2")]
#[inline]
fn columns<const V: usize, const U: usize>(
    input: &[u8],
    weights: &[i8],
    bias: &[i32],
    at: usize,
    out: &mut [i32],
) {
    let outputs = bias.len();
    let inputs = input.as_chunks::<TOGETHER>().0;
    assert!(inputs.len().is_multiple_of(U) && at + V * LANES <= outputs && outputs == out.len());
    assert!(weights.len() == inputs.len() * outputs * TOGETHER);
    let ones = _mm256_set1_epi16(1);
    let mut sums = [[_mm256_setzero_si256(); V]; U];
    for first in (0..inputs.len()).step_by(U) {
        for (u, sums) in sums.iter_mut().enumerate() {
            // SAFETY: `first + u` is less than the number of blocks, a multiple of `U`.
            let x = _mm256_set1_epi32(i32::from_le_bytes(*unsafe { inputs.get_unchecked(first + u) }));
            for (v, sum) in sums.iter_mut().enumerate() {
                let place = ((first + u) * outputs + at + v * LANES) * TOGETHER;
                // SAFETY: reads the weights of eight outputs, all below `outputs`, in one of the blocks.
                let w = unsafe { _mm256_loadu_si256(weights.as_ptr().add(place).cast()) };
                // Inputs are at most 127: the sum of two products fits in 16 bits, and nothing saturates.
                *sum = _mm256_add_epi32(*sum, _mm256_madd_epi16(_mm256_maddubs_epi16(x, w), ones));
            }
        }
    }
    for v in 0..V {
        let place = at + v * LANES;
        // SAFETY: reads and writes eight outputs, all below the length of `bias` and `out`.
        unsafe {
            let bias = _mm256_loadu_si256(bias.as_ptr().add(place).cast());
            let sum = sums.iter().fold(bias, |sum, part| _mm256_add_epi32(sum, part[v]));
            _mm256_storeu_si256(out.as_mut_ptr().add(place).cast(), sum);
        }
    }
}
