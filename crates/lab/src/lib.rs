//! Work that takes many games or many searches: self-play, training, matches, tuning, and growing opening books.

#![deny(unsafe_code)]

pub mod arena;
pub mod book;
pub mod train;

#[cfg(test)]
use sanban_system::scratch;
