//! Arrays aligned to a cache line, because a vector that straddles two lines is read more slowly.

use std::ops::{Deref, DerefMut};

/// Bytes in a cache line.
const LINE: usize = 64;

/// A fixed-size array of numbers, aligned to a cache line.
pub struct Aligned<T = i16> {
    data: Vec<T>,
    start: usize,
    len: usize,
}

impl<T: Copy + Default> Aligned<T> {
    /// An array of zeros.
    pub fn zeros(len: usize) -> Self {
        let data = vec![T::default(); len + LINE / size_of::<T>()];
        // The offset is in elements. If it cannot be computed, the array is unaligned, which is slower but correct.
        let start = data.as_ptr().align_offset(LINE).min(LINE / size_of::<T>());
        Self { data, start, len }
    }

    /// An aligned copy of these numbers.
    pub fn copy_of(values: &[T]) -> Self {
        let mut out = Self::zeros(values.len());
        out.copy_from_slice(values);
        out
    }
}

impl<T> Deref for Aligned<T> {
    type Target = [T];
    #[inline]
    fn deref(&self) -> &[T] {
        &self.data[self.start..self.start + self.len]
    }
}

impl<T> DerefMut for Aligned<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.data[self.start..self.start + self.len]
    }
}
