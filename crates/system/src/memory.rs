//! Large blocks of zeroed memory in huge pages, which avoid most TLB misses.
//!
//! Allocating a huge page takes from 0.1 ms to a few milliseconds, so pages are fetched (allocated by a first write) in
//! advance, for at most 0.3 s and not while a game clock is running; the rest of the memory uses pages of the usual
//! size, allocated on first use. Fetched pages are kept until the end: in a virtual machine, allocating a page can take
//! ten times as long as clearing it.

use super::clock::Instant;
use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU8, AtomicU64};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// Size of a huge page in bytes.
const HUGE: usize = 2 << 20;

/// Number of huge pages for which starting another thread pays off.
const PAGES: usize = 4;
/// Time limit for fetching or clearing pages.
const FETCH: Duration = Duration::from_millis(300);

/// Types for which all-zero bits are a valid value and that need no drop.
///
/// # Safety
/// Both conditions must hold for the type.
pub unsafe trait Zeroed: Sync + Send {}

// SAFETY: zero is a valid value of an atomic integer, which needs no drop.
unsafe impl Zeroed for AtomicU8 {}
// SAFETY: zero is a valid value of an atomic integer, which needs no drop.
unsafe impl Zeroed for AtomicU64 {}
// SAFETY: zero is a valid value of an integer, which needs no drop.
unsafe impl Zeroed for i8 {}
// SAFETY: zero is a valid value of an integer, which needs no drop.
unsafe impl Zeroed for i16 {}

/// A slice of values, initially zero, that starts on the boundary of a huge page.
pub struct Memory<T: Zeroed> {
    /// The allocation, and its layout.
    block: NonNull<u8>,
    layout: Layout,
    first: NonNull<T>,
    len: usize,
    /// For each huge page that the values fill, whether it has been fetched.
    fetched: Box<[bool]>,
}

// SAFETY: `Memory` owns its values exclusively, as a `Vec` does, and `T` is `Send` and `Sync`.
unsafe impl<T: Zeroed> Send for Memory<T> {}
// SAFETY: as above.
unsafe impl<T: Zeroed> Sync for Memory<T> {}

impl<T: Zeroed> Memory<T> {
    /// Allocates `len` values (at least 1); `None` if the system does not have enough memory.
    pub fn new(len: usize) -> Option<Self> {
        let mut memory = Self::lazy(len)?;
        memory.fetch();
        Some(memory)
    }

    /// Like [`Memory::new`], but without delay: huge pages are fetched on first use. For searches that must start and
    /// end immediately.
    pub fn lazy(len: usize) -> Option<Self> {
        const { assert!(size_of::<T>() > 0 && align_of::<T>() <= HUGE) }
        let bytes = len.max(1).checked_mul(size_of::<T>())?;
        // With a small alignment, the allocator leaves zeroing to the system; the values are aligned to a huge page
        // here.
        let layout = Layout::from_size_align(bytes.checked_add(HUGE)?, 16).ok()?;
        // SAFETY: the layout's size is not zero.
        let block = NonNull::new(unsafe { alloc_zeroed(layout) })?;
        let skip = block.as_ptr().align_offset(HUGE);
        // SAFETY: `skip` is less than `HUGE`, and the block has `HUGE` bytes more than the values take.
        let first = unsafe { block.add(if skip < HUGE { skip } else { 0 }) };
        let fetched = vec![false; bytes / HUGE].into();
        let mut memory = Self { block, layout, first: first.cast(), len: len.max(1), fetched };
        advise(&mut memory, Advice::HugePages);
        Some(memory)
    }

    /// Sets all values to zero. Fetched pages are cleared for at most 0.3 s; the others are returned to the system, so
    /// that pages that are never used cost nothing. Then pages are fetched as in [`Memory::new`].
    pub fn renew(&mut self) {
        let deadline = Instant::now() + FETCH;
        self.for_each_page(|page, fetched| {
            *fetched &= Instant::now() < deadline;
            if *fetched || !advise(page, Advice::GiveBack) {
                wipe(page);
            }
        });
        let rest = self.fetched.len() * Self::PER_PAGE;
        wipe(&mut self[rest..]);
        self.fetch();
    }

    /// Fetches huge pages, which must be zero, for a limited time.
    fn fetch(&mut self) {
        let deadline = Instant::now() + FETCH;
        self.for_each_page(|page, fetched| {
            if !*fetched && Instant::now() < deadline {
                advise(page, Advice::HugePages);
                // SAFETY: this writes the first byte of the page, which already has this value.
                unsafe { page.as_mut_ptr().cast::<u8>().write_volatile(0) };
                *fetched = true;
            } else if !*fetched {
                advise(page, Advice::UsualPages);
            }
        });
    }

    /// Number of values in a huge page.
    pub const PER_PAGE: usize = HUGE / size_of::<T>();

    /// Calls `act` for each huge page that the values fill, on all cores; if no threads can be started, on the current
    /// thread.
    fn for_each_page(&mut self, act: impl Fn(&mut [T], &mut bool) + Sync) {
        let mut fetched = std::mem::take(&mut self.fetched);
        let cores = thread::available_parallelism().map_or(1, |cores| cores.get());
        let helpers = cores.min(fetched.len() / PAGES).saturating_sub(1);
        let pages = Mutex::new(self.chunks_exact_mut(Self::PER_PAGE).zip(&mut fetched));
        let next = || pages.lock().unwrap_or_else(PoisonError::into_inner).next();
        let work = || {
            while let Some((page, fetched)) = next() {
                act(page, fetched);
            }
        };
        thread::scope(|scope| {
            // If a thread cannot be started, the others do its work.
            let start = |_| thread::Builder::new().spawn_scoped(scope, work).ok();
            let _ = (0..helpers).map_while(start).count();
            work();
        });
        self.fetched = fetched;
    }
}

fn wipe<T: Zeroed>(values: &mut [T]) {
    // SAFETY: all-zero bits are a valid value of `T`, and `T` needs no drop.
    unsafe { values.as_mut_ptr().write_bytes(0, values.len()) };
}

impl<T: Zeroed> Drop for Memory<T> {
    fn drop(&mut self) {
        // SAFETY: block and layout are those of the allocation, which is freed only here; `T` needs no drop.
        unsafe { dealloc(self.block.as_ptr(), self.layout) };
    }
}

impl<T: Zeroed> Deref for Memory<T> {
    type Target = [T];
    #[inline]
    fn deref(&self) -> &[T] {
        // SAFETY: `first` points to `len` aligned values; they are zeroed, which `T` allows, and live as long
        // as `self`.
        unsafe { std::slice::from_raw_parts(self.first.as_ptr(), self.len) }
    }
}

impl<T: Zeroed> DerefMut for Memory<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as in `deref`, and `self` is borrowed exclusively.
        unsafe { std::slice::from_raw_parts_mut(self.first.as_ptr(), self.len) }
    }
}

impl Memory<AtomicU8> {
    /// The same bytes without atomic operations, for an exclusive borrow.
    pub fn plain(&mut self) -> &mut [u8] {
        let bytes: &mut [AtomicU8] = self;
        // SAFETY: `AtomicU8` has the same representation as `u8`, and the slice is borrowed exclusively.
        unsafe { std::slice::from_raw_parts_mut(bytes.as_mut_ptr().cast(), bytes.len()) }
    }
}

/// Makes all threads use the heap of the first one, if the system's allocator has one heap per thread.
pub(super) fn share_heap() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        /// `M_ARENA_MAX` of malloc.h.
        const HEAPS: libc::c_int = -8;
        // SAFETY: this sets a parameter of the allocator; existing allocations are not affected.
        unsafe { libc::mallopt(HEAPS, 1) };
    }
}

/// Hints to the system about memory.
#[derive(Clone, Copy)]
enum Advice {
    /// Use huge pages if possible.
    HugePages,
    /// Use pages of the usual size.
    UsualPages,
    /// The contents are not needed: on Linux, private memory reads as zero afterwards.
    GiveBack,
}

/// Passes advice about page-aligned values to the system. Returns whether the system accepted it.
#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
fn advise<T: Zeroed>(values: &mut [T], advice: Advice) -> bool {
    let advice = match advice {
        Advice::HugePages => libc::MADV_HUGEPAGE,
        Advice::UsualPages => libc::MADV_NOHUGEPAGE,
        Advice::GiveBack => libc::MADV_DONTNEED,
    };
    let first = values.as_mut_ptr().cast();
    // SAFETY: after each kind of advice, the values are unchanged or zero, which every `Zeroed` type allows.
    unsafe { libc::madvise(first, size_of_val(values), advice) == 0 }
}

#[cfg(not(all(target_os = "linux", target_pointer_width = "64")))]
fn advise<T: Zeroed>(_: &mut [T], _: Advice) -> bool {
    false
}

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
    fn renewed_memory_is_zero() {
        // Not a whole number of pages.
        for mut memory in [Memory::<u64>::new(1_000_001).unwrap(), Memory::lazy(1_000_001).unwrap()] {
            memory.fill(7);
            memory.renew();
            assert!(memory.iter().all(|&word| word == 0));
        }
    }

    #[test]
    fn more_than_there_is_is_refused() {
        assert!(Memory::<u64>::new(usize::MAX / 8).is_none());
        assert!(Memory::<u64>::new(1 << 58).is_none());
    }
}
