//! 512-bit vectors with dot products of bytes (VNNI), for server and some desktop processors since 2019.

use super::kernels::{Kernels, RowKernels};
use crate::nnue::layers;
use crate::nnue::layers::{TOGETHER, Weight};
use std::arch::x86_64::*;

/// The arithmetic with AVX-512, if this processor supports it.
pub(super) fn kernels() -> Option<&'static Kernels> {
    let found = is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512vnni");
    found.then_some(&KERNELS)
}

table!("AVX-512", "avx512f,avx512bw,avx512vnni");

/// Number of outputs in a vector.
const LANES: usize = 16;

#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
fn affine(input: &[u8], weights: &[i8], bias: &[i32], out: &mut [i32]) {
    let mut at = 0;
    while at + 2 * LANES <= bias.len() {
        columns::<2, 4, true>(input, weights, bias, at, out);
        at += 2 * LANES;
    }
    while at < bias.len() {
        columns::<1, 8, false>(input, weights, bias, at, out);
        at += LANES;
    }
}

/// Computes `V` vectors of outputs, starting at `at` (unless `FULL`, the last one may be partial), with `U` blocks of
/// inputs at a time: enough independent sums to hide the latency of the products.
#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
#[inline]
fn columns<const V: usize, const U: usize, const FULL: bool>(
    input: &[u8],
    weights: &[i8],
    bias: &[i32],
    at: usize,
    out: &mut [i32],
) {
    let outputs = bias.len();
    let inputs = input.as_chunks::<TOGETHER>().0;
    let least = if FULL { V * LANES } else { (V - 1) * LANES + 1 };
    assert!(inputs.len().is_multiple_of(U) && at + least <= outputs && outputs == out.len());
    assert!(weights.len() == inputs.len() * outputs * TOGETHER);
    // A constant full mask costs no instruction.
    let mask: [u16; V] = std::array::from_fn(|v| {
        if FULL { u16::MAX } else { u16::MAX >> LANES.saturating_sub(outputs - at - v * LANES) }
    });
    let mut sums = [[_mm512_setzero_si512(); V]; U];
    for first in (0..inputs.len()).step_by(U) {
        for (u, sums) in sums.iter_mut().enumerate() {
            // SAFETY: `first + u` is less than the number of blocks, a multiple of `U`.
            let x = _mm512_set1_epi32(i32::from_le_bytes(*unsafe { inputs.get_unchecked(first + u) }));
            for (v, sum) in sums.iter_mut().enumerate() {
                let place = ((first + u) * outputs + at + v * LANES) * TOGETHER;
                // SAFETY: the mask selects weights of outputs below `outputs`, in one of the blocks.
                let w = unsafe { _mm512_maskz_loadu_epi32(mask[v], weights.as_ptr().add(place).cast()) };
                *sum = _mm512_dpbusd_epi32(*sum, x, w);
            }
        }
    }
    for (v, mask) in mask.into_iter().enumerate() {
        let place = at + v * LANES;
        // SAFETY: the mask selects elements below the length of `bias` and `out`.
        unsafe {
            let bias = _mm512_maskz_loadu_epi32(mask, bias.as_ptr().add(place));
            let sum = sums.iter().fold(bias, |sum, part| _mm512_add_epi32(sum, part[v]));
            _mm512_mask_storeu_epi32(out.as_mut_ptr().add(place), mask, sum);
        }
    }
}
