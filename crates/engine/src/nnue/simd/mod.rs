//! The arithmetic of [`layers`](super::layers) with vector instructions, selected once at run time by the features of
//! the processor. The only `unsafe` code of the networks.

/// Defines the kernels of a module that implements `affine` for these processor features; they must only
/// be used if the features are available. The other functions are simple loops, which the compiler vectorises.
#[cfg(target_arch = "x86_64")]
macro_rules! table {
    ($name:literal, $features:literal) => {
        static KERNELS: Kernels = Kernels {
            name: $name,
            narrow: rows(),
            wide: rows(),
            // SAFETY: for this and the following closures: the table is returned only if the processor has
            // the features.
            clip: |acc, out| unsafe { clip(acc, out) },
            // SAFETY: as above.
            pair: |acc, out| unsafe { pair(acc, out) },
            // SAFETY: as above.
            affine: |input, weights, bias, out| unsafe { affine(input, weights, bias, out) },
        };

        const fn rows<W: Weight>() -> RowKernels<W> {
            RowKernels {
                // SAFETY: for this and the following closures: the table is returned only if the processor
                // has the features.
                add: |acc, row| unsafe { add(acc, row) },
                // SAFETY: as above.
                sub: |acc, row| unsafe { sub(acc, row) },
                // SAFETY: as above.
                shift: |to, from, add, sub| unsafe { shift(to, from, add, sub) },
                // SAFETY: as above.
                shift_two: |to, from, add, sub| unsafe { shift_two(to, from, add, sub) },
            }
        }

        plain! { $features
            add<W: Weight>(acc: &mut [i16], row: &[W]);
            sub<W: Weight>(acc: &mut [i16], row: &[W]);
            shift<W: Weight>(to: &mut [i16], from: &[i16], add: &[W], sub: &[W]);
            shift_two<W: Weight>(to: &mut [i16], from: &[i16], add: [&[W]; 2], sub: [&[W]; 2]);
            clip(acc: &[i16], out: &mut [u8]);
            pair(acc: &[i16], out: &mut [u8]);
        }
    };
}

/// Compiles functions of the reference implementation for these processor features.
#[cfg(target_arch = "x86_64")]
macro_rules! plain {
    ($features:literal $($name:ident$(<$w:ident: Weight>)?($($arg:ident: $ty:ty),*);)*) => {
        $(#[target_feature(enable = $features)]
        fn $name$(<$w: Weight>)?($($arg: $ty),*) {
            layers::$name($($arg),*);
        })*
    };
}

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod kernels;
#[cfg(any(target_arch = "aarch64", all(target_arch = "wasm32", target_feature = "simd128")))]
mod lanes4;
#[cfg(target_arch = "aarch64")]
mod neon;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod wasm;

pub use kernels::Kernels;
use kernels::SCALAR;
use once_cell::sync::Lazy;

/// All implementations that this processor can run, in ascending order of vector width.
pub fn available() -> Vec<&'static Kernels> {
    let all = [
        Some(&SCALAR),
        #[cfg(target_arch = "x86_64")]
        avx2::kernels(),
        #[cfg(target_arch = "x86_64")]
        avx512::kernels(),
        #[cfg(target_arch = "aarch64")]
        neon::kernels(),
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
        wasm::kernels(),
    ];
    all.into_iter().flatten().collect()
}

/// The implementation with the widest vectors that this processor can run.
pub fn best() -> &'static Kernels {
    static BEST: Lazy<&'static Kernels> = Lazy::new(|| available().last().copied().unwrap_or(&SCALAR));
    *BEST
}

#[cfg(test)]
mod tests {
    use super::kernels::RowKernels;
    use super::*;
    use crate::nnue::layers::Weight;
    use sanban_rules::Rng;

    /// The sums after adding and removing rows in every way.
    fn carried<W: Weight>(k: &RowKernels<W>, sums: &[i16], rows: &[Vec<W>]) -> [Vec<i16>; 3] {
        let mut acc = sums.to_vec();
        (k.add)(&mut acc, &rows[1]);
        (k.sub)(&mut acc, &rows[2]);
        let mut one = vec![0; acc.len()];
        (k.shift)(&mut one, &acc, &rows[3], &rows[4]);
        let mut two = vec![0; acc.len()];
        (k.shift_two)(&mut two, &one, [&rows[0], &rows[1]], [&rows[2], &rows[3]]);
        [acc, one, two]
    }

    #[test]
    fn every_path_gives_the_same_bits() {
        let mut rng = Rng::new(7);
        for n in [32, 64, 128, 256, 512, 1024, 1536] {
            for _ in 0..20 {
                // Extreme values are frequent, so that clamps and the largest products are also compared.
                let mut words = |lo: i32, hi: i32| -> Vec<i16> {
                    (0..n)
                        .map(|_| match rng.below(8) {
                            0 => lo as i16,
                            1 => hi as i16,
                            _ => (lo + rng.below((hi - lo + 1) as usize) as i32) as i16,
                        })
                        .collect()
                };
                let rows: Vec<Vec<i16>> = (0..5).map(|_| words(-32768, 32767)).collect();
                let input: Vec<u8> = words(0, 127).iter().map(|&x| x as u8).collect();
                let outputs = [8, 16, 24, 32, 40, 48, 64, 96][rng.below(8)];
                let mut weight = || [i8::MIN, i8::MAX, rng.next() as i8][rng.below(3)];
                let matrix: Vec<i8> = (0..outputs * n).map(|_| weight()).collect();
                let bias: Vec<i32> = (0..outputs).map(|_| rng.next() as i32 >> 8).collect();
                let bytes: Vec<Vec<i8>> =
                    rows.iter().map(|row| row.iter().map(|&w| w as i8).collect()).collect();
                let run = |k: &Kernels| {
                    let [acc, one, two] = carried(&k.wide, &rows[0], &rows);
                    let narrow = carried(&k.narrow, &rows[0], &bytes);
                    let mut clipped = vec![0; n];
                    (k.clip)(&two, &mut clipped);
                    let mut products = vec![0; n / 2];
                    (k.pair)(&two, &mut products);
                    let mut sums = vec![0; outputs];
                    (k.affine)(&input, &matrix, &bias, &mut sums);
                    (acc, one, two, narrow, clipped, products, sums)
                };
                for kernels in available() {
                    assert!(run(kernels) == run(&SCALAR), "{} with {n} inputs", kernels.name);
                }
            }
        }
    }
}
