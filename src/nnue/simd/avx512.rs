//! 512-bit vectors with dot products of bytes (VNNI): server and some desktop processors since 2019.

use super::Kernels;
use crate::nnue::layers;
use std::arch::x86_64::*;

/// The arithmetic with AVX-512, if this processor has what it takes.
pub(super) fn kernels() -> Option<&'static Kernels> {
    let found = is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512vnni");
    found.then_some(&KERNELS)
}

table!("AVX-512", "avx512f,avx512bw,avx512vnni");

#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
fn screlu(acc: &[i16], weights: &[i16], shift: u32) -> i32 {
    let (zero, one) = (_mm512_setzero_si512(), _mm512_set1_epi16(layers::ONE));
    let bits = _mm_cvtsi32_si128(shift as i32);
    let mut sum = zero;
    let (acc, rest) = acc.as_chunks::<32>();
    let (weights, rest_weights) = weights.as_chunks::<32>();
    for (acc, weights) in acc.iter().zip(weights) {
        // SAFETY: both arrays have exactly the 64 bytes that are read.
        let (a, w) =
            unsafe { (_mm512_loadu_si512(acc.as_ptr().cast()), _mm512_loadu_si512(weights.as_ptr().cast())) };
        let a = _mm512_min_epi16(_mm512_max_epi16(_mm512_sra_epi16(a, bits), zero), one);
        let square = _mm512_mullo_epi16(a, a);
        sum = _mm512_add_epi32(sum, _mm512_madd_epi16(square, w));
    }
    _mm512_reduce_add_epi32(sum).wrapping_add(layers::screlu(rest, rest_weights, shift))
}

#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
fn affine(input: &[u8], weights: &[i8], bias: &[i32], out: &mut [i32]) {
    let n = input.len();
    // Four outputs at a time share the load of the input and do not wait for each other.
    let mut fours = weights.chunks_exact(4 * n);
    let (mut done, mut outs) = (0, out.chunks_exact_mut(4));
    for (rows, out) in (&mut fours).zip(&mut outs) {
        let mut sums = [_mm512_setzero_si512(); 4];
        for at in (0..n).step_by(64) {
            // The last block may be a short one.
            let mask = u64::MAX >> 64_usize.saturating_sub(n - at);
            // SAFETY: the mask leaves `n - at` bytes at most to be read from `at` on, of `n`.
            let x = unsafe { _mm512_maskz_loadu_epi8(mask, input.as_ptr().add(at).cast()) };
            for (i, sum) in sums.iter_mut().enumerate() {
                // SAFETY: the same in row `i` of the four, `n` bytes each.
                let w = unsafe { _mm512_maskz_loadu_epi8(mask, rows.as_ptr().add(i * n + at)) };
                *sum = _mm512_dpbusd_epi32(*sum, x, w);
            }
        }
        for ((out, bias), sum) in out.iter_mut().zip(&bias[done..]).zip(sums) {
            *out = bias.wrapping_add(_mm512_reduce_add_epi32(sum));
        }
        done += 4;
    }
    layers::affine(input, fours.remainder(), &bias[done..], outs.into_remainder());
}
