//! 128-bit vectors for 64-bit ARM processors, all of which support them.

use super::kernels::{Kernels, SCALAR};
use super::lanes4::lanes4;
use crate::nnue::layers;
use std::arch::aarch64::*;

/// The arithmetic with NEON. The compiler vectorises plain additions.
pub(super) fn kernels() -> Option<&'static Kernels> {
    static KERNELS: Kernels = Kernels { name: "NEON", screlu, affine, ..SCALAR };
    Some(&KERNELS)
}

fn screlu(acc: &[i16], weights: &[i16], shift: u32) -> i32 {
    let (acc, rest) = acc.as_chunks::<16>();
    let (weights, rest_weights) = weights.as_chunks::<16>();
    // SAFETY: every processor that this is compiled for supports NEON; all arrays have the 16 numbers that are read, 8
    // at a time starting at `at` (0 or 8).
    let sum = unsafe {
        let (zero, one) = (vdupq_n_s16(0), vdupq_n_s16(layers::ONE));
        let bits = vdupq_n_s16(-(shift as i16));
        let mut sums = [vdupq_n_s32(0); 4];
        for (acc, weights) in acc.iter().zip(weights) {
            for (half, sums) in sums.as_chunks_mut::<2>().0.iter_mut().enumerate() {
                let at = half * 8;
                let (a, w) = (vld1q_s16(acc.as_ptr().add(at)), vld1q_s16(weights.as_ptr().add(at)));
                let a = vminq_s16(vmaxq_s16(vshlq_s16(a, bits), zero), one);
                let square = vmulq_s16(a, a);
                sums[0] = vmlal_s16(sums[0], vget_low_s16(square), vget_low_s16(w));
                sums[1] = vmlal_high_s16(sums[1], square, w);
            }
        }
        vaddvq_s32(vaddq_s32(vaddq_s32(sums[0], sums[1]), vaddq_s32(sums[2], sums[3])))
    };
    sum.wrapping_add(layers::screlu(rest, rest_weights, shift))
}

fn affine(input: &[u8], weights: &[i8], bias: &[i32], out: &mut [i32]) {
    for (out, bias, blocks) in lanes4(input, weights, bias, out) {
        // SAFETY: as above; the arrays have exactly the bytes that are read and written.
        unsafe {
            let mut sum = vld1q_s32(bias.as_ptr());
            for (x, w) in blocks {
                // Inputs are at most 127: they have the same value as signed bytes, and the sum of two products fits in
                // 16 bits.
                let x = vreinterpret_s8_u32(vdup_n_u32(u32::from_le_bytes(x)));
                let w = vld1q_s8(w.as_ptr());
                let (low, high) = (vmull_s8(x, vget_low_s8(w)), vmull_s8(x, vget_high_s8(w)));
                sum = vpadalq_s16(sum, vpaddq_s16(low, high));
            }
            vst1q_s32(out.as_mut_ptr(), sum);
        }
    }
}
