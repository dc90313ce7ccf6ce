//! The USI protocol: commands in, answers out.
//!
//! `command` turns bytes into commands and `options` says what can be set; both are pure. [`serve`](serve()) reads standard
//! input and never waits for anything else; a second thread works the commands off, one after the other, on a
//! [`Session`]: the engine of one game behind one dynamic call a command. `output` is the only way out.
//! Lints enforce that no input makes this folder panic.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

mod bench;
mod books;
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
mod task;
mod tunables;
mod worker;

pub use bench::{DEPTH as BENCH_DEPTH, totals};
pub use engine::{Session, open};
pub use help::WELCOME;
pub use options::Config;
pub use output::Output;
pub use serve::serve;
