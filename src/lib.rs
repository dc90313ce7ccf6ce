//! Sanban: one engine, three boards.
//!
//! A USI engine for shogi, Janggi and Dobutsu shogi. The modules stand in the order of their layers: a module
//! imports only from those above it (and from its own lower files); `tests/layers.rs` enforces it. The search
//! knows no game, a game knows no search, and the network knows neither.

pub mod base;
pub mod params;

pub mod game;

pub mod dobutsu;
pub mod janggi;
pub mod shogi;

pub mod eval;
pub mod mate;
pub mod nnue;
pub mod perft;
pub mod search;

pub mod games;

pub mod book;

pub mod arena;
pub mod usi;

pub mod board;

pub mod train;

#[cfg(feature = "cli")]
pub mod cli;
