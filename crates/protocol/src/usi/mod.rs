//! The USI and UCI sessions.
//!
//! `command` parses commands and `options` declares the options; both are pure. A worker thread executes the commands in
//! order on a [`Session`], the engine for one game, with one dynamic call per command. All output goes through `output`.
//! Lints forbid unwrapping, explicit panics and indexing here, so that no input causes a panic.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

mod bench;
mod books;
pub mod command;
#[cfg_attr(not(feature = "debug-log"), path = "no_debug_log.rs")]
mod debug_log;
pub mod engine;
pub(crate) mod help;
pub mod number;
pub mod options;
pub mod output;
pub mod print;
pub mod task;
pub(crate) mod tunables;
pub mod worker;

pub use bench::{DEPTH as BENCH_DEPTH, bench, totals};
pub use debug_log::begin as begin_log;
pub use engine::Session;
pub use help::WELCOME;
pub use options::Config;
pub use output::Output;
