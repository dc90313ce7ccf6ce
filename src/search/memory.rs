//! Large zeroed memory, straight from the system: nothing is touched before it is used, and the system is asked for
//! huge pages, which spare most misses of the address cache.

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;

/// Size of a huge page in bytes.
const HUGE: usize = 2 << 20;

/// Types for which all bits zero is a value, and that need no drop.
///
/// # Safety
/// Both must be true of the type.
pub(super) unsafe trait Zeroed: Sync + Send {}

/// A slice of zeroed values that begins on a huge page, or an empty one.
pub(super) struct Memory<T: Zeroed> {
    /// What the allocator gave, and for which layout.
    block: NonNull<u8>,
    layout: Layout,
    first: NonNull<T>,
    len: usize,
}

// SAFETY: `Memory` owns its values alone, as a `Vec` does, and `T` is `Send` and `Sync`.
unsafe impl<T: Zeroed> Send for Memory<T> {}
// SAFETY: as above.
unsafe impl<T: Zeroed> Sync for Memory<T> {}

impl<T: Zeroed> Memory<T> {
    /// Room for `len` values (at least 1); `None` when the system has not that much.
    pub fn new(len: usize) -> Option<Self> {
        const { assert!(size_of::<T>() > 0 && align_of::<T>() <= HUGE) }
        let bytes = len.max(1).checked_mul(size_of::<T>())?;
        // With a small alignment the allocator leaves the zeroing to the system; the huge one is made here.
        let layout = Layout::from_size_align(bytes.checked_add(HUGE)?, 16).ok()?;
        // SAFETY: the layout's size is not zero.
        let block = NonNull::new(unsafe { alloc_zeroed(layout) })?;
        let skip = block.as_ptr().align_offset(HUGE);
        // SAFETY: `skip` is less than `HUGE`, and the block has `HUGE` bytes more than the values take.
        let first = unsafe { block.add(if skip < HUGE { skip } else { 0 }) };
        advise(first, bytes);
        Some(Self { block, layout, first: first.cast(), len: len.max(1) })
    }
}

impl<T: Zeroed> Drop for Memory<T> {
    fn drop(&mut self) {
        // SAFETY: block and layout are those of the allocation, which nobody else frees; `T` needs no drop.
        unsafe { dealloc(self.block.as_ptr(), self.layout) };
    }
}

impl<T: Zeroed> Deref for Memory<T> {
    type Target = [T];
    #[inline]
    fn deref(&self) -> &[T] {
        // SAFETY: `len` aligned values lie there, zeroed, which `T` allows, and live as long as `self`.
        unsafe { std::slice::from_raw_parts(self.first.as_ptr(), self.len) }
    }
}

impl<T: Zeroed> DerefMut for Memory<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as in `deref`, and `self` is borrowed alone.
        unsafe { std::slice::from_raw_parts_mut(self.first.as_ptr(), self.len) }
    }
}

/// Asks for huge pages; it does not matter whether they are granted.
#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
fn advise(first: NonNull<u8>, bytes: usize) {
    use std::ffi::{c_int, c_void};
    unsafe extern "C" {
        fn madvise(address: *mut c_void, length: usize, advice: c_int) -> c_int;
    }
    const MADV_HUGEPAGE: c_int = 14;
    // SAFETY: the range is our own, and the advice changes no contents.
    unsafe { madvise(first.as_ptr().cast(), bytes, MADV_HUGEPAGE) };
}

#[cfg(not(all(target_os = "linux", target_pointer_width = "64")))]
fn advise(_: NonNull<u8>, _: usize) {}

#[cfg(test)]
mod tests {
    use super::*;

    // SAFETY: plain integers.
    unsafe impl Zeroed for u64 {}

    #[test]
    fn memory_is_zeroed_aligned_and_writable() {
        let mut memory = Memory::<u64>::new(1_000_000).unwrap();
        assert!(memory.len() == 1_000_000 && memory.iter().all(|&word| word == 0));
        assert_eq!(memory.as_ptr().align_offset(HUGE), 0);
        memory[999_999] = 5;
        assert_eq!(memory[999_999], 5);
    }

    #[test]
    fn more_than_there_is_is_refused() {
        assert!(Memory::<u64>::new(usize::MAX / 8).is_none());
        assert!(Memory::<u64>::new(1 << 58).is_none());
    }
}
