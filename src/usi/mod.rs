//! The USI and UCI protocols, and the XBoard protocol in `cecp`.
//!
//! `command` parses commands and `options` declares the options; both are pure. [`serve`](serve()) reads standard input
//! and never blocks on anything else. A second thread executes the commands in order on a [`Session`], the engine for
//! one game, with one dynamic call per command. All output goes through `output`. Lints forbid unwrapping, explicit
//! panics and indexing here, so that no input causes a panic.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

mod bench;
mod books;
mod cecp;
pub mod command;
#[cfg_attr(not(feature = "cli"), path = "no_debug_log.rs")]
mod debug_log;
pub mod engine;
mod help;
pub mod number;
pub mod options;
pub mod output;
pub mod print;
pub mod serve;
pub(crate) mod task;
mod tunables;
pub(crate) mod worker;

pub use bench::{DEPTH as BENCH_DEPTH, bench, totals};
pub use debug_log::begin as begin_log;
pub use engine::Session;
pub use help::WELCOME;
pub use options::Config;
pub use output::Output;
pub use serve::serve;
