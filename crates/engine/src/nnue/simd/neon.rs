//! 128-bit vectors for 64-bit ARM processors, all of which support them.

use super::kernels::{Kernels, SCALAR};
use super::lanes4::lanes4;
use std::arch::aarch64::*;

/// The arithmetic with NEON. The compiler vectorises plain additions.
pub(super) fn kernels() -> Option<&'static Kernels> {
    static KERNELS: Kernels = Kernels { name: "NEON", affine, ..SCALAR };
    Some(&KERNELS)
}

fn affine(input: &[u8], weights: &[i8], bias: &[i32], out: &mut [i32]) {
    for (out, bias, blocks) in lanes4(input, weights, bias, out) {
        // SAFETY: every processor that this is compiled for supports NEON; the arrays have exactly the bytes that are
        // read and written.
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
