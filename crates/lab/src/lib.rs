//! Tasks that take many games or searches: self-play, training, matches, tuning, and growing opening books.

#![deny(unsafe_code)]

pub mod arena;
pub mod book;
pub mod jobs;
pub mod train;

#[cfg(test)]
use sanban_system::scratch;
