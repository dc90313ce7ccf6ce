//! A byte array shared between threads.

use super::error::SolveError;
use rayon::prelude::*;
use sanban_system::memory::Memory;
use sanban_system::prefetch;
use std::ops::Range;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

/// Number of bytes compared at a time.
const WIDTH: usize = 16;
/// Number of bytes per task.
const CHUNK: usize = 1 << 16;

/// A byte array, initially zero.
pub struct Bytes {
    /// `len` bytes and `WIDTH` more, so that the last ones can be read as a vector.
    bytes: Memory<AtomicU8>,
    len: usize,
}

impl Bytes {
    /// Creates an array of `len` zero bytes. Fails if there is not enough memory.
    pub fn new(len: usize) -> Result<Self, SolveError> {
        let bytes = Memory::lazy(len + WIDTH).ok_or(SolveError::Memory(len))?;
        Ok(Self { bytes, len })
    }

    /// Prefetches a byte if the index is in range.
    #[inline]
    pub fn prefetch(&self, index: usize) {
        if let Some(byte) = self.bytes.get(index) {
            prefetch(byte);
        }
    }

    /// Reads a byte.
    #[inline]
    pub fn get(&self, index: usize) -> u8 {
        self.bytes[index].load(Relaxed)
    }

    /// Replaces a byte.
    #[inline]
    pub fn set(&self, index: usize, byte: u8) {
        self.bytes[index].store(byte, Relaxed);
    }

    /// Subtracts one from a byte, which must not be zero. Returns the previous value.
    #[inline]
    pub fn lower(&self, index: usize) -> u8 {
        self.bytes[index].fetch_sub(1, Relaxed)
    }

    /// Sets each byte of a range to the value of `f` for its index within the range.
    #[inline]
    pub fn fill(&self, range: Range<usize>, mut f: impl FnMut(usize) -> u8) {
        for (n, byte) in self.bytes[range].iter().enumerate() {
            byte.store(f(n), Relaxed);
        }
    }

    /// Compares up to sixteen bytes from `index` on with a value. Returns one bit per byte, set if the byte is equal.
    #[inline]
    pub fn equal(&self, index: usize, len: usize, value: u8) -> u16 {
        let bytes = self.bytes[index..][..WIDTH].iter().enumerate();
        let bits = bytes.fold(0, |bits, (n, byte)| bits | u16::from(byte.load(Relaxed) == value) << n);
        bits & (u16::MAX >> (WIDTH - len))
    }

    /// Applies `f` to every byte.
    pub fn map(&mut self, f: impl Fn(u8) -> u8 + Sync) {
        let chunks = self.bytes.plain().par_chunks_mut(CHUNK);
        chunks.for_each(|chunk| chunk.iter_mut().for_each(|byte| *byte = f(*byte)));
    }

    /// All bytes; exclusive access ensures that no other thread changes them.
    pub fn values(&mut self) -> &[u8] {
        &self.bytes.plain()[..self.len]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_independent() {
        let mut bytes = Bytes::new(100).unwrap();
        bytes.fill(0..13, |n| n as u8 + 1);
        bytes.fill(13..100, |n| 250 - n as u8);
        assert_eq!(bytes.lower(12), 13);
        bytes.set(13, 0);
        let expected = |n: usize| match n {
            0..12 => n as u8 + 1,
            12 => 12,
            13 => 0,
            _ => 250 - (n as u8 - 13),
        };
        assert!((0..100).all(|n| bytes.get(n) == expected(n)));
        bytes.map(|byte| byte.wrapping_mul(2));
        assert!((0..100).all(|n| bytes.get(n) == expected(n).wrapping_mul(2)));
        assert_eq!(bytes.values().len(), 100);
        assert!(bytes.values().iter().enumerate().all(|(n, &byte)| byte == expected(n).wrapping_mul(2)));
    }

    #[test]
    fn every_equal_byte_is_found() {
        let values = [0, 1, 2, 0x7F, 0x80, 0x81, 0xFE, 0xFF];
        let bytes = Bytes::new(1000).unwrap();
        bytes.fill(0..1000, |n| values[n * n / 3 % 8]);
        for value in values {
            for (index, len) in [(0, 16), (3, 16), (17, 8), (997, 3), (999, 1)] {
                let expected: u16 = (0..len).filter(|&n| bytes.get(index + n) == value).map(|n| 1 << n).sum();
                assert_eq!(bytes.equal(index, len, value), expected, "{value} in {len} from {index}");
            }
        }
    }
}
