//! Bits shared between threads, up to sixteen of which are read or set together.

use super::error::SolveError;
/// The numbers of the bits that are set, lowest first.
pub use sanban_rules::dobutsu::piece::squares as ones;
use sanban_system::memory::Memory;
use sanban_system::prefetch;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Bits, initially zero.
pub struct Bits {
    words: Memory<AtomicU64>,
}

impl Bits {
    /// An array of this many zeros, or the reason why the memory is not available.
    pub fn new(len: usize) -> Result<Self, SolveError> {
        // One extra word, for reads that begin in the last one.
        let words = Memory::lazy(len / 64 + 2).ok_or(SolveError::Memory(len / 8))?;
        Ok(Self { words })
    }

    /// Prefetches a bit.
    #[inline]
    pub fn prefetch(&self, index: usize) {
        prefetch(&self.words[index / 64]);
    }

    /// Up to sixteen bits, the first one lowest.
    #[inline]
    pub fn get(&self, index: usize, len: usize) -> u16 {
        let word = |n: usize| u128::from(self.words[n].load(Relaxed));
        let both = word(index / 64) | word(index / 64 + 1) << 64;
        (both >> (index % 64)) as u16 & (u16::MAX >> (16 - len))
    }

    /// Sets bits.
    #[inline]
    pub fn add(&self, index: usize, bits: u16) {
        let both = u128::from(bits) << (index % 64);
        for (n, bits) in [both as u64, (both >> 64) as u64].into_iter().enumerate() {
            if bits != 0 {
                self.words[index / 64 + n].fetch_or(bits, Relaxed);
            }
        }
    }
}
