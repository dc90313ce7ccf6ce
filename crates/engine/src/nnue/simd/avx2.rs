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

#[target_feature(enable = "avx2")]
fn screlu(acc: &[i16], weights: &[i16], shift: u32) -> i32 {
    let (zero, one) = (_mm256_setzero_si256(), _mm256_set1_epi16(layers::ONE));
    let bits = _mm_cvtsi32_si128(shift as i32);
    let mut sums = [zero; 2];
    let (acc, rest) = acc.as_chunks::<32>();
    let (weights, rest_weights) = weights.as_chunks::<32>();
    for (acc, weights) in acc.iter().zip(weights) {
        for (half, sum) in sums.iter_mut().enumerate() {
            let at = half * 16;
            // SAFETY: both arrays have 32 numbers, 16 of which are read, starting at `at` (0 or 16).
            let (a, w) = unsafe {
                (
                    _mm256_loadu_si256(acc.as_ptr().add(at).cast()),
                    _mm256_loadu_si256(weights.as_ptr().add(at).cast()),
                )
            };
            let a = _mm256_min_epi16(_mm256_max_epi16(_mm256_sra_epi16(a, bits), zero), one);
            let square = _mm256_mullo_epi16(a, a);
            *sum = _mm256_add_epi32(*sum, _mm256_madd_epi16(square, w));
        }
    }
    horizontal(_mm256_add_epi32(sums[0], sums[1])).wrapping_add(layers::screlu(rest, rest_weights, shift))
}

#[target_feature(enable = "avx2")]
fn horizontal(v: __m256i) -> i32 {
    let v = _mm_add_epi32(_mm256_castsi256_si128(v), _mm256_extracti128_si256::<1>(v));
    let v = _mm_add_epi32(v, _mm_shuffle_epi32::<0b01_00_11_10>(v));
    let v = _mm_add_epi32(v, _mm_shuffle_epi32::<0b10_11_00_01>(v));
    _mm_cvtsi128_si32(v)
}

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
