//! 256-bit vectors of x86 processors since about 2014.

use super::Kernels;
use crate::nnue::layers;
use std::arch::x86_64::*;

/// The arithmetic with AVX2, if this processor has it.
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
            // SAFETY: both arrays have 32 numbers, 16 of which are read from `at` (0 or 16) on.
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

#[target_feature(enable = "avx2")]
fn affine(input: &[u8], weights: &[i8], bias: &[i32], out: &mut [i32]) {
    let n = input.len();
    let (blocks, rest) = input.as_chunks::<32>();
    if !rest.is_empty() {
        return layers::affine(input, weights, bias, out);
    }
    let ones = _mm256_set1_epi16(1);
    let dot = |sum, x, row: &[i8; 32]| {
        // SAFETY: the array has exactly the 32 bytes that are read.
        let w = unsafe { _mm256_loadu_si256(row.as_ptr().cast()) };
        // Inputs are at most 127: a pair of products fits 16 bits and nothing saturates.
        _mm256_add_epi32(sum, _mm256_madd_epi16(_mm256_maddubs_epi16(x, w), ones))
    };
    // Four outputs at a time share the load of the input and do not wait for each other.
    let mut fours = weights.chunks_exact(4 * n);
    let mut done = 0;
    for rows in &mut fours {
        let (a, rows) = rows.split_at(n);
        let (b, rows) = rows.split_at(n);
        let (c, d) = rows.split_at(n);
        let (a, b, c, d) = (a.as_chunks().0, b.as_chunks().0, c.as_chunks().0, d.as_chunks().0);
        let mut sums = [_mm256_setzero_si256(); 4];
        for ((((x, a), b), c), d) in blocks.iter().zip(a).zip(b).zip(c).zip(d) {
            // SAFETY: the array has exactly the 32 bytes that are read.
            let x = unsafe { _mm256_loadu_si256(x.as_ptr().cast()) };
            sums = [dot(sums[0], x, a), dot(sums[1], x, b), dot(sums[2], x, c), dot(sums[3], x, d)];
        }
        for sum in sums {
            if let (Some(out), Some(bias)) = (out.get_mut(done), bias.get(done)) {
                *out = bias.wrapping_add(horizontal(sum));
            }
            done += 1;
        }
    }
    layers::affine(input, fours.remainder(), &bias[done..], &mut out[done..]);
}
