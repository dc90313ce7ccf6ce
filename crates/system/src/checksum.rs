//! A checksum that detects accidental damage to files.

/// 64-bit FNV-1a (Fowler, Noll, Vo). It detects damage, not tampering.
pub fn checksum(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xCBF2_9CE4_8422_2325, |sum, &b| (sum ^ u64::from(b)).wrapping_mul(0x0000_0100_0000_01B3))
}
