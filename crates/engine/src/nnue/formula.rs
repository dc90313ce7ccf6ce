//! A HalfKP 256x2-32-32 file with weights given by a formula, for tests and benchmarks.

/// The text in the header.
pub const TEXT: &[u8] = b"Features=HalfKP(Friend)[125388->256x2],Network=AffineTransform[1<-32](ClippedReLU[32](AffineTransform[32<-32](ClippedReLU[32](AffineTransform[32<-512](InputSlice[512(0:512)])))))";

/// The `i`-th number of a hashed sequence, modulo `n`, minus half of `n`.
fn hashed(i: u64, seed: u64, n: i64) -> i64 {
    let mut x = i.wrapping_add(seed) as u32;
    x ^= x >> 16;
    x = x.wrapping_mul(0x7FEB_352D);
    x ^= x >> 15;
    x = x.wrapping_mul(0x846C_A68B);
    x ^= x >> 16;
    i64::from(x) % n - n / 2
}

/// The whole file.
pub fn file() -> Vec<u8> {
    let mut out = Vec::with_capacity(64_217_066);
    for n in [0x7AF3_2F16, 0x3E5A_A6EE, TEXT.len() as u32] {
        out.extend(n.to_le_bytes());
    }
    out.extend(TEXT);
    out.extend(0x5D69_D7B8u32.to_le_bytes());
    out.extend((0..256).flat_map(|i: i64| (((i * 40503 + 12345) % 65536 % 160 - 40) as i16).to_le_bytes()));
    out.extend((0..125_388 * 256).flat_map(|i| (hashed(i, 2_654_435_761, 49) as i16).to_le_bytes()));
    out.extend(0x6333_7156u32.to_le_bytes());
    let mut dense = |n: u64, seed: u64, modulus: i64, bias: &dyn Fn(i32) -> i32, outputs: i32| {
        out.extend((0..outputs).flat_map(|i| bias(i).to_le_bytes()));
        out.extend((0..n).map(|i| hashed(i, seed, modulus) as i8 as u8));
    };
    dense(32 * 512, 2_246_822_519, 81, &|i| i * 173 - 1500, 32);
    dense(32 * 32, 3_266_489_917, 81, &|i| 2000 - i * 97, 32);
    dense(32, 668_265_263, 25, &|_| 1234, 1);
    out
}
