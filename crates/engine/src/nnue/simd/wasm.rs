//! 128-bit vectors for WebAssembly, in builds with `simd128`.

use super::kernels::{Kernels, SCALAR};
use super::lanes4::lanes4;
use std::arch::wasm32::*;

/// The arithmetic with `simd128`. The compiler vectorises plain additions.
pub(super) fn kernels() -> Option<&'static Kernels> {
    static KERNELS: Kernels = Kernels { name: "simd128", affine, ..SCALAR };
    Some(&KERNELS)
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
