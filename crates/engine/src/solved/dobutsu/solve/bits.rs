//! A bit array shared between threads; up to sixteen bits are read or set at a time.

use super::error::SolveError;
/// The numbers of the bits that are set, lowest first.
pub use sanban_rules::dobutsu::piece::squares as ones;
use sanban_system::memory::Memory;
use sanban_system::prefetch;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// A bit array, initially zero.
pub struct Bits {
    words: Memory<AtomicU64>,
}

impl Bits {
    /// Creates an array of `len` zero bits. Fails if there is not enough memory.
    pub fn new(len: usize) -> Result<Self, SolveError> {
        // One extra word, for reads that begin in the last one.
        let words = Memory::lazy(len / 64 + 2).ok_or(SolveError::Memory(len / 8))?;
        Ok(Self { words })
    }

    /// Prefetches the word of a bit.
    #[inline]
    pub fn prefetch(&self, index: usize) {
        prefetch(&self.words[index / 64]);
    }

    /// Reads up to sixteen bits; the first one becomes the lowest bit.
    #[inline]
    pub fn get(&self, index: usize, len: usize) -> u16 {
        let word = |n: usize| u128::from(self.words[n].load(Relaxed));
        let both = word(index / 64) | word(index / 64 + 1) << 64;
        (both >> (index % 64)) as u16 & (u16::MAX >> (16 - len))
    }

    /// Sets bits, counted from `index`.
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
