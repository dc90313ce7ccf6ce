//! Numbers that start at a cache line: a row of weights that straddles one line more is read more slowly.

use std::ops::{Deref, DerefMut};

/// Bytes in a cache line.
const LINE: usize = 64;

/// A fixed number of 16-bit numbers, aligned to a cache line.
pub struct Aligned {
    data: Vec<i16>,
    start: usize,
    len: usize,
}

impl Aligned {
    /// All zero.
    pub fn zeros(len: usize) -> Self {
        let data = vec![0i16; len + LINE / size_of::<i16>()];
        // The offset is counted in elements; where it cannot be computed, unaligned is slower and as correct.
        let start = data.as_ptr().align_offset(LINE).min(LINE / size_of::<i16>());
        Self { data, start, len }
    }

    /// A copy of these numbers.
    pub fn copy_of(values: &[i16]) -> Self {
        let mut out = Self::zeros(values.len());
        out.copy_from_slice(values);
        out
    }
}

impl Deref for Aligned {
    type Target = [i16];
    #[inline]
    fn deref(&self) -> &[i16] {
        &self.data[self.start..self.start + self.len]
    }
}

impl DerefMut for Aligned {
    #[inline]
    fn deref_mut(&mut self) -> &mut [i16] {
        &mut self.data[self.start..self.start + self.len]
    }
}
