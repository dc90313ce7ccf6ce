//! Zobrist constants, computed at compile time.

use super::Rng;

/// `N` random keys from a seed. The index is a `Placement` of the game; the key of a position is the XOR of the keys of
/// its placements.
pub const fn keys<const N: usize>(seed: u64) -> [u64; N] {
    let mut rng = Rng::new(seed);
    let mut out = [0; N];
    let mut i = 0;
    while i < N {
        out[i] = rng.next();
        i += 1;
    }
    out
}
