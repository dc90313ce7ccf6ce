//! System services for the engine: files that are written completely or not at all, locks, journals, memory in huge
//! pages, and clocks. Nothing here depends on a game.

#![deny(unsafe_code)]

pub mod atomic_file;
pub mod available;
pub mod checksum;
#[allow(unsafe_code)]
pub mod clock;
#[cfg(feature = "journal")]
pub mod journal;
pub mod leftovers;
pub mod line_reader;
pub mod lock_file;
#[allow(unsafe_code)]
pub mod memory;
#[cfg(all(target_os = "linux", feature = "process"))]
pub mod pipe;
#[allow(unsafe_code)]
pub mod prefetch;
#[cfg(all(target_arch = "x86_64", unix, target_feature = "avx2"))]
#[allow(unsafe_code)]
pub mod processor;
mod same_file;
#[doc(hidden)]
pub mod scratch;
pub mod shard;

pub use atomic_file::{
    FileError, Whole, begins_with, clear_leftovers, find, open_file, read_file_or_pipe, read_to_end,
    read_whole, unnamed_file, write_whole,
};
pub use available::{affordable, available_memory, how_many_fit, save_addresses};
pub use checksum::checksum;
#[cfg(feature = "journal")]
pub use journal::{Journal, JournalError, JournalFault, Signed};
pub use lock_file::Claim;
pub use prefetch::prefetch;
pub use shard::{Part, PartError};
