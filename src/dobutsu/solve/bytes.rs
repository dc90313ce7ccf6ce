//! Bytes that threads share, eight to a word so that a value is searched for in eight of them at once.

use super::error::SolveError;
use crate::base::memory::Memory;
use crate::base::prefetch;
use rayon::prelude::*;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Words that one task changes.
const CHUNK: usize = 1 << 13;

/// Words of a cache line.
const LINE: usize = 8;
/// How far a search looks ahead, in words.
const AHEAD: usize = 128;

/// Bytes, zero at first. A change of one never disturbs its neighbours.
pub struct Bytes {
    words: Memory<AtomicU64>,
}

/// The same byte eight times.
const fn splat(byte: u8) -> u64 {
    byte as u64 * 0x0101_0101_0101_0101
}

/// How far a byte is from the low end of its word, in bits.
const fn shift(index: usize) -> usize {
    index % 8 * 8
}

impl Bytes {
    /// So many zeroes, or the reason why not.
    pub fn new(len: usize) -> Result<Self, SolveError> {
        let words = Memory::lazy(len.div_ceil(8)).ok_or(SolveError::Memory(len))?;
        Ok(Self { words })
    }

    /// Says that a byte will be wanted soon.
    #[inline]
    pub fn prefetch(&self, index: usize) {
        prefetch(&self.words[index / 8]);
    }

    /// A byte.
    #[inline]
    pub fn get(&self, index: usize) -> u8 {
        (self.words[index / 8].load(Relaxed) >> shift(index)) as u8
    }

    /// Subtracts from a byte that is not smaller; returns what it was before.
    #[inline]
    pub fn lower(&self, index: usize, by: u8) -> u8 {
        (self.words[index / 8].fetch_sub(u64::from(by) << shift(index), Relaxed) >> shift(index)) as u8
    }

    /// Replaces a byte if it is as it must be; was it?
    #[inline]
    pub fn replace(&self, index: usize, must_be: impl Fn(u8) -> bool, by: u8) -> bool {
        let changed = |word: u64| {
            let old = (word >> shift(index)) as u8;
            must_be(old).then(|| word ^ u64::from(old ^ by) << shift(index))
        };
        self.words[index / 8].fetch_update(Relaxed, Relaxed, changed).is_ok()
    }

    /// Gives the bytes of a range, which must be zero, what `f` says of their numbers within it.
    #[inline]
    pub fn fill(&self, range: Range<usize>, mut f: impl FnMut(usize) -> u8) {
        let mut word = 0;
        for index in range.clone() {
            word |= u64::from(f(index - range.start)) << shift(index);
            if index % 8 == 7 || index + 1 == range.end {
                self.words[index / 8].fetch_add(word, Relaxed);
                word = 0;
            }
        }
    }

    /// Calls `f` with the number within the range of every byte that has this value.
    #[inline]
    pub fn find(&self, range: Range<usize>, value: u8, mut f: impl FnMut(usize)) {
        for n in range.start / 8..range.end.div_ceil(8) {
            if n % LINE == 0 {
                // The next range is often next.
                prefetch(&self.words[(n + AHEAD).min(self.words.len() - 1)]);
            }
            let other = self.words[n].load(Relaxed) ^ splat(value);
            // The high bit of every byte that is zero; no carry leaves a byte.
            let mut equal = !(((other & splat(0x7F)) + splat(0x7F)) | other | splat(0x7F));
            while equal != 0 {
                let index = n * 8 + equal.trailing_zeros() as usize / 8;
                if range.contains(&index) {
                    f(index - range.start);
                }
                equal &= equal - 1;
            }
        }
    }

    /// Changes every byte as `f` says.
    pub fn map(&self, f: impl Fn(u8) -> u8 + Sync) {
        self.words.par_chunks(CHUNK).flatten().for_each(|word| {
            let bytes = word.load(Relaxed).to_le_bytes();
            word.store(u64::from_le_bytes(bytes.map(&f)), Relaxed);
        });
    }

    /// All bytes, eight to a word, the first one lowest, filled up with zeroes.
    pub fn words(&self) -> impl Iterator<Item = u64> + Clone {
        self.words.iter().map(|word| word.load(Relaxed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_independent() {
        let bytes = Bytes::new(100).unwrap();
        bytes.fill(0..13, |n| n as u8 + 1);
        bytes.fill(13..100, |n| 250 - n as u8);
        assert_eq!(bytes.lower(12, 13), 13);
        assert!(bytes.replace(13, |old| old == 250, 0) && !bytes.replace(14, |old| old == 250, 0));
        let expected = |n: usize| match n {
            0..12 => n as u8 + 1,
            12 | 13 => 0,
            _ => 250 - (n as u8 - 13),
        };
        assert!((0..100).all(|n| bytes.get(n) == expected(n)));
        assert_eq!(bytes.words().nth(1), Some(u64::from_le_bytes([9, 10, 11, 12, 0, 0, 249, 248])));
        bytes.map(|byte| byte.wrapping_mul(2));
        assert!((0..100).all(|n| bytes.get(n) == expected(n).wrapping_mul(2)));
    }

    #[test]
    fn every_equal_byte_is_found() {
        let values = [0, 1, 2, 0x7F, 0x80, 0x81, 0xFE, 0xFF];
        let bytes = Bytes::new(1000).unwrap();
        bytes.fill(0..1000, |n| values[n * n / 3 % 8]);
        for value in values {
            for range in [0..1000, 3..997, 8..16, 5..6, 7..9] {
                let expected: Vec<usize> = range.clone().filter(|&n| bytes.get(n) == value).collect();
                let mut found = Vec::new();
                bytes.find(range.clone(), value, |n| found.push(n + range.start));
                assert_eq!(found, expected, "{value} in {range:?}");
            }
        }
    }
}
