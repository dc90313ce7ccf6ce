//! What people learn from: judged games, the reasons for good and bad moves, names of openings and castles, problems.

#![deny(unsafe_code)]

pub mod analysis;
pub mod problems;
pub mod teach;
