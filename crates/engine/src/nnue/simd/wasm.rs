//! 128-bit vectors for WebAssembly, in builds with `simd128`.

use super::kernels::{Kernels, SCALAR};
use super::lanes4::lanes4;
use crate::nnue::layers;
use std::arch::wasm32::*;

/// The arithmetic with `simd128`. The compiler vectorises plain additions.
pub(super) fn kernels() -> Option<&'static Kernels> {
    static KERNELS: Kernels = Kernels { name: "simd128", screlu, affine, ..SCALAR };
    Some(&KERNELS)
}

fn screlu(acc: &[i16], weights: &[i16], shift: u32) -> i32 {
    let (acc, rest) = acc.as_chunks::<8>();
    let (weights, rest_weights) = weights.as_chunks::<8>();
    let (zero, one) = (i16x8_splat(0), i16x8_splat(layers::ONE));
    let mut sums = i32x4_splat(0);
    for (acc, weights) in acc.iter().zip(weights) {
        // SAFETY: both arrays have the 8 numbers that are read.
        let (a, w) = unsafe { (v128_load(acc.as_ptr().cast()), v128_load(weights.as_ptr().cast())) };
        let a = i16x8_min(i16x8_max(i16x8_shr(a, shift), zero), one);
        sums = i32x4_add(sums, i32x4_dot_i16x8(i16x8_mul(a, a), w));
    }
    let lanes = [
        i32x4_extract_lane::<0>(sums),
        i32x4_extract_lane::<1>(sums),
        i32x4_extract_lane::<2>(sums),
        i32x4_extract_lane::<3>(sums),
    ];
    let sum = lanes.into_iter().fold(0i32, i32::wrapping_add);
    sum.wrapping_add(layers::screlu(rest, rest_weights, shift))
}

fn affine(input: &[u8], weights: &[i8], bias: &[i32], out: &mut [i32]) {
    for (out, bias, blocks) in lanes4(input, weights, bias, out) {
        // SAFETY: the array has exactly the bytes that are read.
        let mut sum = unsafe { v128_load(bias.as_ptr().cast()) };
        for (x, w) in blocks {
            // Inputs are at most 127: they have the same value as signed bytes.
            let x = i32x4_splat(i32::from_le_bytes(x));
            // SAFETY: as above.
            let w = unsafe { v128_load(w.as_ptr().cast()) };
            let low = i32x4_extadd_pairwise_i16x8(i16x8_extmul_low_i8x16(x, w));
            let high = i32x4_extadd_pairwise_i16x8(i16x8_extmul_high_i8x16(x, w));
            let even = i32x4_shuffle::<0, 2, 4, 6>(low, high);
            let odd = i32x4_shuffle::<1, 3, 5, 7>(low, high);
            sum = i32x4_add(sum, i32x4_add(even, odd));
        }
        // SAFETY: the array has exactly the bytes that are written.
        unsafe { v128_store(out.as_mut_ptr().cast(), sum) };
    }
}
